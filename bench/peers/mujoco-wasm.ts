/** MuJoCo compiled to WebAssembly (npm @mujoco/mujoco), for smooth dynamics only. */
import loadMujoco, { type MainModule, type MjData, type MjModel } from "@mujoco/mujoco";
import type { ModelDescription } from "castor";
import { type Mjcf, toMjcf } from "./mjcf.ts";
import { coordinatesToMujoco, massMatrixToCastor, speedsToCastor, speedsToMujoco } from "./mujoco-convention.ts";

/** All arrays are in Castor's convention. */
export interface MujocoPeer {
  readonly version: string;
  readonly mjcf: Mjcf;
  accelerations(q: Float64Array, u: Float64Array, tau: Float64Array, udot: Float64Array): void;
  /** Row-major. */
  massMatrix(q: Float64Array, M: Float64Array): void;
  /** [kinetic, potential] */
  energy(q: Float64Array, u: Float64Array, out: Float64Array): void;
  /** Sets the state for `forwardDynamics`. */
  setState(q: Float64Array, u: Float64Array, tau: Float64Array): void;
  /** Views of MuJoCo's memory, in its own convention. They are invalid after another model has been loaded. */
  memory(): {
    readonly qpos: Float64Array;
    readonly qvel: Float64Array;
    readonly qfrc: Float64Array;
    readonly qacc: Float64Array;
  };
  /** Sequences of MuJoCo calls that compute the acceleration from qpos, qvel and qfrc_applied, and nothing else. */
  readonly forwardDynamics: Readonly<Record<string, () => void>>;
  delete(): void;
}

/** Loads the WebAssembly module once, for all models of a run. */
export async function createMujoco(): Promise<(description: ModelDescription) => MujocoPeer> {
  const mujoco = await loadMujoco();
  return (description) => createPeer(mujoco, description);
}

function createPeer(mujoco: MainModule, description: ModelDescription): MujocoPeer {
  const mjcf = toMjcf(description);
  const model = mujoco.MjModel.from_xml_string(mjcf.xml);
  if (model.nq !== mjcf.nq || model.nv !== mjcf.nu)
    throw new Error(
      `${description.name}: MuJoCo counts ${model.nq} coordinates and ${model.nv} speeds, not ${mjcf.nq} and ${mjcf.nu}`,
    );
  model.opt.disableflags = disableFlagsExcept(mujoco, [mujoco.mjtDisableBit.mjDSBL_GRAVITY]);
  const data = new mujoco.MjData(model);
  const dense = new mujoco.DoubleBuffer(mjcf.nu * mjcf.nu);

  const setState: MujocoPeer["setState"] = (q, u, tau) => {
    coordinatesToMujoco(mjcf, q, data.qpos);
    speedsToMujoco(mjcf, q, u, data.qvel);
    speedsToMujoco(mjcf, q, tau, data.qfrc_applied);
  };
  const none = new Float64Array(mjcf.nu);
  return {
    version: mujoco.mj_versionString(),
    mjcf,
    setState,
    accelerations(q, u, tau, udot) {
      setState(q, u, tau);
      mujoco.mj_forward(model, data);
      speedsToCastor(mjcf, q, data.qacc, udot);
    },
    massMatrix(q, M) {
      setState(q, none, none);
      mujoco.mj_fwdPosition(model, data);
      mujoco.mj_fullM(model, data, dense);
      massMatrixToCastor(mjcf, q, dense.GetView() as Float64Array, M);
    },
    energy(q, u, out) {
      setState(q, u, none);
      mujoco.mj_fwdPosition(model, data);
      mujoco.mj_energyPos(model, data);
      mujoco.mj_energyVel(model, data);
      const [potential, kinetic] = data.energy as Float64Array;
      out.set([kinetic!, potential!]);
    },
    memory: () => ({ qpos: data.qpos, qvel: data.qvel, qfrc: data.qfrc_applied, qacc: data.qacc_smooth }),
    forwardDynamics: sequences(mujoco, model, data),
    delete() {
      dense.delete();
      data.delete();
      model.delete();
    },
  };
}

/**
 * `mj_forward` is one call through the binding; each disabled stage costs a test. The other sequences omit these stages, but need more calls
 * (about 40 ns each). A finer split is slower: `mj_rne` takes an array, and copying it through the binding costs five times the recursion, while
 * `mj_fwdVelocity` does the same inside.
 */
function sequences(mujoco: MainModule, model: MjModel, data: MjData): MujocoPeer["forwardDynamics"] {
  return {
    mj_forward: () => mujoco.mj_forward(model, data),
    stages: () => {
      mujoco.mj_fwdPosition(model, data);
      mujoco.mj_fwdVelocity(model, data);
      mujoco.mj_fwdAcceleration(model, data);
    },
    parts: () => {
      mujoco.mj_kinematics(model, data);
      mujoco.mj_comPos(model, data);
      mujoco.mj_makeM(model, data);
      mujoco.mj_factorM(model, data);
      mujoco.mj_fwdVelocity(model, data);
      mujoco.mj_fwdAcceleration(model, data);
    },
  };
}

/** Flags that disable everything (contacts, limits, springs, actuators, sensors) except the given features. */
export function disableFlagsExcept({ mjtDisableBit: bit }: MainModule, kept: readonly { readonly value: number }[]): number {
  const all = 2 ** bit.mjNDISABLE.value - 1;
  return kept.reduce((flags, { value }) => flags - value, all);
}

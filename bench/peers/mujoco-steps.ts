/** Time steps of MuJoCo, with springs and dampers in hinges and everything else disabled. */
import loadMujoco, { type MainModule } from "@mujoco/mujoco";
import type { ModelDescription } from "castor";
import { type Mjcf, type MjcfOptions, toMjcf } from "./mjcf.ts";
import { coordinatesToCastor, coordinatesToMujoco, speedsToCastor, speedsToMujoco } from "./mujoco-convention.ts";
import { disableFlagsExcept } from "./mujoco-wasm.ts";

export type MujocoIntegrator = "Euler" | "implicitfast" | "RK4";

export interface StepOptions extends MjcfOptions {
  readonly integrator: MujocoIntegrator;
  readonly step: number;
}

/** All arrays are in Castor's convention. */
export interface MujocoSteps {
  readonly version: string;
  restart(q: Float64Array, u: Float64Array): void;
  step(steps: number): void;
  /** Writes the present state. */
  state(q: Float64Array, u: Float64Array): void;
}

export interface MujocoStepsOf {
  (description: ModelDescription, options: StepOptions): MujocoSteps;
  readonly version: string;
}

/** Loads the WebAssembly module once, for all machines of a run. */
export async function createMujocoSteps(): Promise<MujocoStepsOf> {
  const mujoco = await loadMujoco();
  const make = (description: ModelDescription, options: StepOptions): MujocoSteps => stepsOf(mujoco, description, options);
  return Object.assign(make, { version: mujoco.mj_versionString() });
}

function stepsOf(mujoco: MainModule, description: ModelDescription, { integrator, step, spring }: StepOptions): MujocoSteps {
  const { mjDSBL_GRAVITY, mjDSBL_SPRING, mjDSBL_DAMPER } = mujoco.mjtDisableBit;
  const mjcf: Mjcf = toMjcf(description, spring && { spring });
  const model = mujoco.MjModel.from_xml_string(mjcf.xml);
  model.opt.disableflags = disableFlagsExcept(mujoco, [mjDSBL_GRAVITY, mjDSBL_SPRING, mjDSBL_DAMPER]);
  model.opt.integrator = integratorsOf(mujoco)[integrator];
  model.opt.timestep = step;
  const data = new mujoco.MjData(model);
  return {
    version: mujoco.mj_versionString(),
    restart(q, u) {
      mujoco.mj_resetData(model, data);
      coordinatesToMujoco(mjcf, q, data.qpos);
      speedsToMujoco(mjcf, q, u, data.qvel);
    },
    step(steps) {
      for (let i = 0; i < steps; i++) mujoco.mj_step(model, data);
    },
    state(q, u) {
      coordinatesToCastor(mjcf, data.qpos, q);
      speedsToCastor(mjcf, q, data.qvel, u);
    },
  };
}

const integratorsOf = ({ mjtIntegrator: of }: MainModule): Readonly<Record<MujocoIntegrator, number>> => ({
  Euler: of.mjINT_EULER.value,
  implicitfast: of.mjINT_IMPLICITFAST.value,
  RK4: of.mjINT_RK4.value,
});

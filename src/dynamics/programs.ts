/**
 * The quantities of a model as traced programs, ready to compile: one function per quantity. All take q, most take u. Wrenches
 * and parameters are inputs only if they are requested, so that no unused value is computed.
 */

import { checkName, checkNames } from "../arguments.ts";
import { cachedPerOwner, contentKey } from "../kernel/run/program-cache.ts";
import type { NamedSizes, Program } from "../kernel/trace/program.ts";
import type { Scalar } from "../kernel/trace/scalar.ts";
import { totalRowCount } from "../model/loop.ts";
import { type Body, checkModel, frameOf, type Model } from "../model/model.ts";
import { loopWrenches } from "./loops/rows/loop-wrenches.ts";
import {
  checkedModel,
  externalForcesOnLinks,
  framesAt,
  type Names,
  type ParameterOptions,
  type ProgramInputs,
  type ProgramOptions,
  type ProgramOutputs,
  traceModel,
} from "./trace-model.ts";
import { sumByIndex, wrenchesOnLinks } from "./tree/external-wrenches.ts";
import { accelerations } from "./tree/forward-dynamics.ts";
import { hingeWrenches as wrenchesThroughHinges } from "./tree/hinge-wrenches.ts";
import {
  frameBias,
  frameJacobian,
  framePose,
  placementsOfLinks,
  bodyPoses as posesOfBodies,
  coordinateRates as ratesOfCoordinates,
} from "./tree/kinematics.ts";
import { linkTreeOf } from "./tree/link-tree.ts";
import { massMatrix as massMatrixOf } from "./tree/mass-matrix.ts";
import { massCentre, momentaOfLinks, momentum, potentialEnergy } from "./tree/momentum.ts";
import { inverseDynamics as newtonEuler } from "./tree/newton-euler.ts";

export type { FreeFlyingOptions, FreeFlyingShape } from "./free-flying/free-flying-programs.ts";
export { freeFlying, freeFlyingAtSpin } from "./free-flying/free-flying-programs.ts";
export type { ParameterOptions, ProgramInputs, ProgramOptions, ProgramOutputs } from "./trace-model.ts";

export interface ForwardDynamicsOptions<W extends Names = Names, P extends Names = Names> extends ProgramOptions<W, P> {
  /** Hinges, by name, whose generalised forces are inputs `tau`; all if not given. The others are free. */
  readonly actuated?: readonly string[];
}

/** Indices of the speeds on which `tau` acts. */
export function actuatedSpeeds(model: Model<Scalar>, hinges?: readonly string[]): number[] {
  checkModel(model);
  if (hinges !== undefined) {
    checkNames("options.actuated", hinges, "names of hinges");
    const known = model.bodies.map(({ hinge }) => hinge.name);
    for (const [i, name] of hinges.entries()) checkName(`options.actuated[${i}]`, name, known, "hinge");
  }
  const chosen = hinges ? new Set(hinges) : undefined;
  return model.bodies.flatMap(({ hinge }) =>
    !chosen || chosen.has(hinge.name) ? Array.from({ length: hinge.nu }, (_, i) => hinge.u + i) : [],
  );
}

/** q, u, tau → udot, by the articulated-body recursion. The cost is linear in the number of hinges. */
export const forwardDynamics = <W extends Names = never, P extends Names = never>(
  model: Model,
  options: ForwardDynamicsOptions<W, P> = {},
): Program<ProgramInputs<"q" | "u" | "tau", W, P>, ProgramOutputs<"udot">> =>
  cachedPerOwner(checkedModel(model, options, ["wrenches", "actuated"]), contentKey(["forward dynamics", options]), () =>
    tracedForwardDynamics(model, options),
  );

function tracedForwardDynamics<I extends NamedSizes>(
  model: Model,
  options: ForwardDynamicsOptions,
): Program<I, ProgramOutputs<"udot">> {
  const speeds = actuatedSpeeds(model, options.actuated);
  return traceModel(
    "forward dynamics",
    model,
    { q: model.nq, u: model.nu, tau: speeds.length },
    options,
    (m, { q, u, tau, w }) => {
      const forces = new Array<Scalar>(m.nu).fill(0);
      for (const [k, i] of speeds.entries()) forces[i] = tau![k]!;
      return { udot: accelerations(m, framesAt(m, options.wrenches), q!, u!, forces, w!) };
    },
  );
}

/** q, u, udot → tau, by Newton-Euler recursion. */
export function inverseDynamics<W extends Names = never, P extends Names = never>(
  model: Model,
  options: ProgramOptions<W, P> = {},
): Program<ProgramInputs<"q" | "u" | "udot", W, P>, ProgramOutputs<"tau">> {
  checkedModel(model, options, ["wrenches"]);
  return traceModel("inverse dynamics", model, { q: model.nq, u: model.nu, udot: model.nu }, options, (m, { q, u, udot, w }) => {
    const tree = linkTreeOf(m);
    return { tau: newtonEuler(tree, q!, u!, udot!, externalForcesOnLinks(tree, framesAt(m, options.wrenches), q!, w!)) };
  });
}

/** q, u → bias: the tau for which u̇ = 0. */
export function biasForce<W extends Names = never, P extends Names = never>(
  model: Model,
  options: ProgramOptions<W, P> = {},
): Program<ProgramInputs<"q" | "u", W, P>, ProgramOutputs<"bias">> {
  checkedModel(model, options, ["wrenches"]);
  return traceModel("bias force", model, { q: model.nq, u: model.nu }, options, (m, { q, u, w }) => {
    const tree = linkTreeOf(m);
    const zeroAcceleration = new Array<Scalar>(m.nu).fill(0);
    return {
      bias: newtonEuler(tree, q!, u!, zeroAcceleration, externalForcesOnLinks(tree, framesAt(m, options.wrenches), q!, w!)),
    };
  });
}

export interface MassMatrixOptions<P extends Names = Names> extends ParameterOptions<P> {
  /** "all" (default): nu × nu by rows. "lower": only the entries that `massMatrixEntries` lists, which takes less time for large machines. */
  readonly entries?: "all" | "lower";
}

/** q → mass: nu × nu by rows, or the entries of the lower triangle that are not always zero. */
export function massMatrix<P extends Names = never>(
  model: Model,
  options: MassMatrixOptions<P> = {},
): Program<ProgramInputs<"q", never, P>, ProgramOutputs<"mass">> {
  checkedModel(model, options, ["entries"]);
  if (options.entries !== undefined) checkName("options.entries", options.entries, ["all", "lower"], "choice");
  return traceModel("mass matrix", model, { q: model.nq }, options, (m, { q }) => {
    const M = massMatrixOf(linkTreeOf(m), q!);
    if (options.entries !== "lower") return { mass: M.flat() };
    const { rows, columns } = massMatrixEntries(model);
    return { mass: Array.from(rows, (row, k) => M[row]![columns[k]!]!) };
  });
}

/** Rows and columns of the entries of the mass matrix that `entries: "lower"` computes, by rows. */
export interface MassMatrixEntries {
  readonly rows: Int32Array;
  readonly columns: Int32Array;
}

/**
 * The entries of the lower triangle of the mass matrix that are not zero in every state: those of two speeds of which one moves the bodies that
 * the other moves [Featherstone 2008, 6.4].
 */
export function massMatrixEntries(model: Model): MassMatrixEntries {
  checkedModel(model, {});
  const speedOwner = model.bodies.flatMap((body) => new Array<Body>(body.hinge.nu).fill(body));
  const pairs = speedOwner.flatMap((body, row) => {
    const carriers = new Set<Body>();
    for (let b: Body | undefined = body; b; b = model.bodies[b.parent]) carriers.add(b);
    return speedOwner.slice(0, row + 1).flatMap((owner, column) => (carriers.has(owner) ? [[row, column] as const] : []));
  });
  return { rows: Int32Array.from(pairs, ([row]) => row), columns: Int32Array.from(pairs, ([, column]) => column) };
}

export interface FrameKinematicsOptions<P extends Names = Names> extends ParameterOptions<P> {
  /** "all" (default): nu columns of each Jacobian. "moving": only those that `movingSpeeds` lists; the others are zero. */
  readonly columns?: "all" | "moving";
  /** The outputs that are computed. Default: all. */
  readonly outputs?: readonly FrameOutput[];
}

export type FrameOutput = "pose" | "jacobian" | "bias";

const FRAME_OUTPUTS: readonly FrameOutput[] = ["pose", "jacobian", "bias"];

/** q, u → pose (R_WE by rows, position), jacobian (6 × nu by rows: angular, linear; world axes) and bias J̇ u of each frame. */
export function frameKinematics<P extends Names = never>(
  model: Model,
  frames: readonly string[],
  options: FrameKinematicsOptions<P> = {},
): Program<ProgramInputs<"q" | "u", never, P>, ProgramOutputs<FrameOutput>> {
  checkedModel(model, options, ["columns", "outputs"]);
  checkNames("frames", frames, "names of frames");
  if (options.columns !== undefined) checkName("options.columns", options.columns, ["all", "moving"], "choice");
  const outputs = options.outputs ?? FRAME_OUTPUTS;
  checkNames("options.outputs", outputs, "names of outputs");
  for (const [i, name] of outputs.entries()) checkName(`options.outputs[${i}]`, name, FRAME_OUTPUTS, "output");
  const columns = frames.map((frame) => (options.columns === "moving" ? movingSpeeds(model, frame) : allSpeeds(model)));
  return traceModel("frame kinematics", model, { q: model.nq, u: model.nu }, options, (m, { q, u }) => {
    const tree = linkTreeOf(m);
    const placements = placementsOfLinks(tree, q!);
    const modelFrames = framesAt(m, frames);
    const compute: Readonly<Record<FrameOutput, () => Scalar[]>> = {
      pose: () =>
        modelFrames.flatMap((f) => {
          const { R, p } = framePose(tree, placements, f);
          return [...R.flat(), ...p];
        }),
      jacobian: () =>
        modelFrames.flatMap((f, k) => frameJacobian(tree, placements, f).flatMap((row) => columns[k]!.map((j) => row[j]!))),
      bias: () => modelFrames.flatMap((f) => frameBias(tree, placements, q!, u!, f)),
    };
    const computed = FRAME_OUTPUTS.filter((name) => outputs.includes(name)).map((name) => [name, compute[name]()] as const);
    return Object.fromEntries(computed) as Record<FrameOutput, Scalar[]>;
  });
}

const allSpeeds = (model: Model): number[] => Array.from({ length: model.nu }, (_, i) => i);

/** The speeds that move a frame, ascending: those of the hinges between the world and its body. */
export function movingSpeeds(model: Model, frame: string): number[] {
  checkModel(model);
  const speeds: number[] = [];
  for (let b = model.bodies[frameOf(model, frame).body]; b; b = model.bodies[b.parent])
    for (let d = b.hinge.nu - 1; d >= 0; d--) speeds.unshift(b.hinge.u + d);
  return speeds;
}

/** q → pose of each body: R_WB by rows, position. */
export function bodyPoses<P extends Names = never>(
  model: Model,
  options: ParameterOptions<P> = {},
): Program<ProgramInputs<"q", never, P>, ProgramOutputs<"pose">> {
  checkedModel(model, options);
  return traceModel("body poses", model, { q: model.nq }, options, (m, { q }) => ({ pose: posesOfBodies(m, linkTreeOf(m), q!) }));
}

/** q, u → momentum (angular about the world origin, linear), energy (kinetic, potential), centre (of mass). */
export const momentumAndEnergy = <P extends Names = never>(
  model: Model,
  options: ParameterOptions<P> = {},
): Program<ProgramInputs<"q" | "u", never, P>, ProgramOutputs<"momentum" | "energy" | "centre">> =>
  cachedPerOwner(checkedModel(model, options), contentKey(["momentum and energy", options]), () =>
    tracedMomentumAndEnergy(model, options),
  );

function tracedMomentumAndEnergy<I extends NamedSizes>(
  model: Model,
  options: ParameterOptions,
): Program<I, ProgramOutputs<"momentum" | "energy" | "centre">> {
  return traceModel("momentum and energy", model, { q: model.nq, u: model.nu }, options, (m, { q, u }) => {
    const tree = linkTreeOf(m);
    const placements = placementsOfLinks(tree, q!);
    const centre = massCentre(tree, placements);
    const potential = potentialEnergy(tree, placements);
    const momenta = momentaOfLinks(tree, q!, u!);
    return {
      momentum: momentum(tree, placements, momenta, q!),
      energy: [momenta.kineticEnergy, potential],
      centre: [...centre],
    };
  });
}

/** q, u, udot and, with loops, their multipliers lambda → wrench of each hinge on its body: torque at M's origin, force; world axes. */
export const hingeWrenches = <W extends Names = never, P extends Names = never>(
  model: Model,
  options: ProgramOptions<W, P> = {},
): Program<HingeWrenchInputs<W, P>, ProgramOutputs<"wrenches">> =>
  cachedPerOwner(checkedModel(model, options, ["wrenches"]), contentKey(["hinge wrenches", options]), () =>
    tracedHingeWrenches(model, options),
  );

/** `lambda` exists if the model has loops, `found` if loops were engaged as found. */
export type HingeWrenchInputs<W extends Names = never, P extends Names = never> = ProgramInputs<"q" | "u" | "udot", W, P> & {
  readonly lambda?: number;
  readonly found?: number;
};

function tracedHingeWrenches<I extends NamedSizes>(
  model: Model,
  options: ProgramOptions,
): Program<I, ProgramOutputs<"wrenches">> {
  const rows = totalRowCount(model.loops);
  const inputs = { q: model.nq, u: model.nu, udot: model.nu, ...(rows > 0 ? { lambda: rows } : {}) };
  return traceModel("hinge wrenches", model, inputs, options, (m, { q, u, udot, lambda, w }) => {
    const tree = linkTreeOf(m, { regroup: false });
    const loopForces = loopWrenches(m, tree, q!, lambda ?? []);
    const frames = [...framesAt(m, options.wrenches), ...loopForces.frames];
    const forces = wrenchesOnLinks(tree, frames, q!, [...w!, ...loopForces.w]).map(({ body, force }) => [body, force] as const);
    return { wrenches: wrenchesThroughHinges(m, tree, q!, u!, udot!, sumByIndex(m.bodies.length, forces)) };
  });
}

/** q, u → qdot = N(q) u. */
export function coordinateRates(model: Model): Program<ProgramInputs<"q" | "u">, ProgramOutputs<"qdot">> {
  checkedModel(model, {});
  return traceModel("coordinate rates", model, { q: model.nq, u: model.nu }, {}, (m, { q, u }) => ({
    qdot: ratesOfCoordinates(m, q!, u!),
  }));
}

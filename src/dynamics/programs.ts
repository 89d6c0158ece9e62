/**
 * The quantities of a model as traced programs, ready to compile: one function per quantity. All take q, most take u. Wrenches
 * and parameters are inputs only if they are requested, so that no unused value is computed.
 */

import { cachedPerOwner, contentKey } from "../kernel/run/program-cache.ts";
import { type NamedSizes, type Program, trace } from "../kernel/trace/program.ts";
import type { Scalar } from "../kernel/trace/scalar.ts";
import { totalRowCount } from "../model/loop.ts";
import { engagedParameterTotal, withEngagedParameters } from "../model/loops/engaged-loop-parameters.ts";
import { type Frame, frameOf, type Model } from "../model/model.ts";
import { withParameters } from "../model/parameters.ts";
import { freeFlyingQuantities, speedsAtSpin } from "./free-flying/free-flying.ts";
import { framesOfRobot, robotOf } from "./free-flying/robot.ts";
import { loopWrenches } from "./loops/rows/loop-wrenches.ts";
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
import { type LinkTree, linkTreeOf } from "./tree/link-tree.ts";
import { massMatrix as massMatrixOf } from "./tree/mass-matrix.ts";
import { kineticEnergy, massCentre, momentum, potentialEnergy } from "./tree/momentum.ts";
import { inverseDynamics as newtonEuler } from "./tree/newton-euler.ts";

export interface ProgramOptions {
  /** Frames at which external wrenches act: 6 numbers each in input `w` (torque, then force; world axes; at the frame's origin). */
  readonly wrenches?: readonly string[];
  /** Model parameters that become input `parameters`, in this order, e.g. "hand.mass". */
  readonly parameters?: readonly string[];
}

type ProgramOutputs = Readonly<Record<string, readonly Scalar[]>>;

/** Traces `body` with the requested model parameters as inputs. Inputs of size zero are left out. */
function traceModel<O extends ProgramOutputs>(
  name: string,
  model: Model,
  inputs: NamedSizes,
  options: ProgramOptions,
  body: (model: Model<Scalar>, x: { readonly [key: string]: readonly Scalar[] }) => O,
): Program<NamedSizes, { readonly [K in keyof O]: number }> {
  const paths = options.parameters ?? [];
  const engagedCount = inputs.lambda === undefined ? 0 : engagedParameterTotal(model); // the other programs do not depend on loops
  const sizes = Object.entries({
    ...inputs,
    w: 6 * (options.wrenches?.length ?? 0),
    parameters: paths.length,
    found: engagedCount,
  });
  const shape = Object.fromEntries(sizes.filter(([key, size]) => size > 0 || key in inputs));
  return trace(`${model.name} ${name}`, shape, (x) => {
    const values = Object.fromEntries(paths.map((path, i) => [path, x.parameters![i]!]));
    const modelWithInputs: Model<Scalar> = paths.length ? withParameters(model, values) : model;
    return body(engagedCount > 0 ? withEngagedParameters(modelWithInputs, x.found!) : modelWithInputs, { w: [], ...x });
  });
}

const framesAt = (model: Model<Scalar>, names: readonly string[] = []): Frame<Scalar>[] =>
  names.map((name) => frameOf(model, name));

const externalForcesOnLinks = (tree: LinkTree, frames: readonly Frame<Scalar>[], q: readonly Scalar[], w: readonly Scalar[]) =>
  sumByIndex(
    tree.links.length,
    wrenchesOnLinks(tree, frames, q, w).map(({ link, force }) => [link, force] as const),
  );

export interface ForwardDynamicsOptions extends ProgramOptions {
  /** Hinges, by name, whose generalised forces are inputs `tau`; all if not given. The others are free. */
  readonly actuated?: readonly string[];
}

/** Indices of the speeds on which `tau` acts. */
export function actuatedSpeeds(model: Model<Scalar>, hinges?: readonly string[]): number[] {
  const chosen = hinges ? new Set(hinges) : undefined;
  return model.bodies.flatMap(({ hinge }) =>
    !chosen || chosen.has(hinge.name) ? Array.from({ length: hinge.nu }, (_, i) => hinge.u + i) : [],
  );
}

/** q, u, tau → udot, by the articulated-body recursion. The cost is linear in the number of hinges. */
export const forwardDynamics = (model: Model, options: ForwardDynamicsOptions = {}) =>
  cachedPerOwner(model, contentKey(["forward dynamics", options]), () => tracedForwardDynamics(model, options));

function tracedForwardDynamics(model: Model, options: ForwardDynamicsOptions) {
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
export function inverseDynamics(model: Model, options: ProgramOptions = {}) {
  return traceModel("inverse dynamics", model, { q: model.nq, u: model.nu, udot: model.nu }, options, (m, { q, u, udot, w }) => {
    const tree = linkTreeOf(m);
    return { tau: newtonEuler(tree, q!, u!, udot!, externalForcesOnLinks(tree, framesAt(m, options.wrenches), q!, w!)) };
  });
}

/** q, u → bias: the tau for which u̇ = 0. */
export function biasForce(model: Model, options: ProgramOptions = {}) {
  return traceModel("bias force", model, { q: model.nq, u: model.nu }, options, (m, { q, u, w }) => {
    const tree = linkTreeOf(m);
    const zeroAcceleration = new Array<Scalar>(m.nu).fill(0);
    return {
      bias: newtonEuler(tree, q!, u!, zeroAcceleration, externalForcesOnLinks(tree, framesAt(m, options.wrenches), q!, w!)),
    };
  });
}

/** q → mass, nu × nu by rows. */
export function massMatrix(model: Model, options: Pick<ProgramOptions, "parameters"> = {}) {
  return traceModel("mass matrix", model, { q: model.nq }, options, (m, { q }) => ({
    mass: massMatrixOf(linkTreeOf(m), q!).flat(),
  }));
}

/** q, u → pose (R_WE by rows, position), jacobian (6 × nu by rows: angular, linear; world axes) and bias J̇ u of each frame. */
export function frameKinematics(model: Model, frames: readonly string[], options: Pick<ProgramOptions, "parameters"> = {}) {
  return traceModel("frame kinematics", model, { q: model.nq, u: model.nu }, options, (m, { q, u }) => {
    const tree = linkTreeOf(m);
    const placements = placementsOfLinks(tree, q!);
    const modelFrames = framesAt(m, frames);
    return {
      pose: modelFrames.flatMap((f) => {
        const { R, p } = framePose(tree, placements, f);
        return [...R.flat(), ...p];
      }),
      jacobian: modelFrames.flatMap((f) => frameJacobian(tree, placements, f).flat()),
      bias: modelFrames.flatMap((f) => frameBias(tree, placements, q!, u!, f)),
    };
  });
}

/** q → pose of each body: R_WB by rows, position. */
export function bodyPoses(model: Model, options: Pick<ProgramOptions, "parameters"> = {}) {
  return traceModel("body poses", model, { q: model.nq }, options, (m, { q }) => ({ pose: posesOfBodies(m, linkTreeOf(m), q!) }));
}

/** q, u → momentum (angular about the world origin, linear), energy (kinetic, potential), centre (of mass). */
export const momentumAndEnergy = (model: Model, options: Pick<ProgramOptions, "parameters"> = {}) =>
  cachedPerOwner(model, contentKey(["momentum and energy", options]), () => tracedMomentumAndEnergy(model, options));

function tracedMomentumAndEnergy(model: Model, options: Pick<ProgramOptions, "parameters">) {
  return traceModel("momentum and energy", model, { q: model.nq, u: model.nu }, options, (m, { q, u }) => {
    const tree = linkTreeOf(m);
    const placements = placementsOfLinks(tree, q!);
    return {
      momentum: momentum(tree, placements, q!, u!),
      energy: [kineticEnergy(tree, q!, u!), potentialEnergy(tree, placements)],
      centre: [...massCentre(tree, placements)],
    };
  });
}

/** q, u, udot and, with loops, their multipliers lambda → wrench of each hinge on its body: torque at M's origin, force; world axes. */
export const hingeWrenches = (model: Model, options: ProgramOptions = {}) =>
  cachedPerOwner(model, contentKey(["hinge wrenches", options]), () => tracedHingeWrenches(model, options));

function tracedHingeWrenches(model: Model, options: ProgramOptions) {
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
export function coordinateRates(model: Model) {
  return traceModel("coordinate rates", model, { q: model.nq, u: model.nu }, {}, (m, { q, u }) => ({
    qdot: ratesOfCoordinates(m, q!, u!),
  }));
}

/** The quantities of `freeFlying` for n hinge speeds and k frames; see free-flying.ts for the equations. */
export type FreeFlyingShape = {
  /** H_s 6 × 6, H_m 6 × n, H_φ n × n and c (c_b 6, c_φ n) of the equations of motion; rows of the base are in axes of its free hinge. */
  readonly Hs: number;
  readonly Hm: number;
  readonly Hphi: number;
  readonly c: number;
  /** Velocities of the frames: J_s 6 k × 6 and J_m 6 k × n, angular then linear for each frame, world axes. */
  readonly Js: number;
  readonly Jm: number;
  /** Motion of the base: u̇_b = J_b φ̈ + a_b, u_b = J_b φ̇ + baseDrift; 6 × n, 6, 6. */
  readonly Jb: number;
  readonly ab: number;
  readonly baseDrift: number;
  /** H* φ̈ + C* = τ; n × n, n. */
  readonly Hstar: number;
  readonly Cstar: number;
  /** Generalised Jacobian: ν = J* φ̇ + drift, ν̇ = J* φ̈ + bias; 6 k × n, 6 k, 6 k. drift is zero without momentum. */
  readonly Jstar: number;
  readonly drift: number;
  readonly bias: number;
  /** For each frame R_WE by rows and position (12), and velocity (6). */
  readonly pose: number;
  readonly velocity: number;
  /** Momentum of the robot: angular about the world origin, linear; world axes; 6. */
  readonly momentum: number;
  /** Angular momentum of the robot about its mass centre, in axes of the base's free hinge; 3. */
  readonly spin: number;
};

export interface FreeFlyingOptions extends ProgramOptions {
  /** Name of the floating body that is the robot's base; the first one if not given. */
  readonly base?: string;
  /** Frames of the robot whose Jacobians are computed, by name. The base's name gives its attitude and position. */
  readonly frames?: readonly string[];
  /** Outputs to compute; all if not given. Other outputs cost no operations. */
  readonly outputs?: readonly (keyof FreeFlyingShape)[];
}

/** q, u → the equations of a free-flying robot in one evaluation. */
export const freeFlying = (model: Model, options: FreeFlyingOptions = {}): Program<NamedSizes, FreeFlyingShape> =>
  cachedPerOwner(model, contentKey(["free-flying", options]), () => tracedFreeFlying(model, options));

function tracedFreeFlying(model: Model, options: FreeFlyingOptions): Program<NamedSizes, FreeFlyingShape> {
  const names = options.frames ?? [];
  framesOfRobot(model, robotOf(model, options.base), names); // reports wrong names before tracing
  return traceModel("free-flying", model, { q: model.nq, u: model.nu }, options, (m, { q, u, w }) => {
    const robot = robotOf(m, options.base);
    const externalForces = (tree: LinkTree) => externalForcesOnLinks(tree, framesAt(m, options.wrenches), q!, w!);
    const quantities = freeFlyingQuantities(m, robot, framesOfRobot(m, robot, names), q!, u!, externalForces);
    const outputs = (options.outputs ?? Object.keys(quantities)) as readonly (keyof FreeFlyingShape)[];
    return Object.fromEntries(outputs.map((key) => [key, quantities[key]()])) as unknown as Record<
      keyof FreeFlyingShape,
      Scalar[]
    >;
  });
}

/**
 * q, hinge speeds rates, spin → Hstar, Cstar, and turn, the angular velocity of the base. As `freeFlying`, but the base's speeds follow from
 * the angular momentum (`spin` of `freeFlying`). For predicted motions, such as a stop from the present state.
 */
export function freeFlyingAtSpin(model: Model, options: { readonly base?: string } = {}) {
  const robot = robotOf(model, options.base);
  const inputs = { q: model.nq, rates: robot.speeds.length, spin: 3 };
  return trace(`${model.name} free-flying at spin`, inputs, ({ q, rates, spin }) => {
    const u = speedsAtSpin(model, robot, q, rates, spin);
    const { Hstar, Cstar } = freeFlyingQuantities(model, robot, [], q, u, () => []);
    return { Hstar: Hstar(), Cstar: Cstar(), turn: u.slice(robot.base.hinge.u, robot.base.hinge.u + 3) };
  });
}

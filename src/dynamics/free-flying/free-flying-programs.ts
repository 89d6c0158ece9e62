/** The equations of a free-flying robot as programs. */
import { checkMembers, checkName, checkNames, checkOptions } from "../../arguments.ts";
import { cachedPerOwner, contentKey } from "../../kernel/run/program-cache.ts";
import { type NamedSizes, type Program, trace } from "../../kernel/trace/program.ts";
import type { Scalar } from "../../kernel/trace/scalar.ts";
import type { Model } from "../../model/model.ts";
import {
  checkedModel,
  externalForcesOnLinks,
  framesAt,
  type Names,
  type ProgramInputs,
  type ProgramOptions,
  type ProgramOutputs,
  traceModel,
} from "../trace-model.ts";
import type { LinkTree } from "../tree/link-tree.ts";
import { freeFlyingQuantities, speedsAtSpin } from "./free-flying.ts";
import { framesOfRobot, robotOf } from "./robot.ts";

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

export interface FreeFlyingOptions<
  K extends keyof FreeFlyingShape = keyof FreeFlyingShape,
  W extends Names = Names,
  P extends Names = Names,
> extends ProgramOptions<W, P> {
  /** Name of the floating body that is the robot's base; the first one if not given. */
  readonly base?: string;
  /** Frames of the robot whose Jacobians are computed, by name. The base's name gives its attitude and position. */
  readonly frames?: readonly string[];
  /** Outputs to compute; all if not given. Other outputs cost no operations. */
  readonly outputs?: readonly K[];
}

const FREE_FLYING_OPTIONS = ["wrenches", "base", "frames", "outputs"];

/** q, u → the equations of a free-flying robot in one evaluation. */
export const freeFlying = <
  K extends keyof FreeFlyingShape = keyof FreeFlyingShape,
  W extends Names = never,
  P extends Names = never,
>(
  model: Model,
  options: FreeFlyingOptions<K, W, P> = {},
): Program<ProgramInputs<"q" | "u", W, P>, Pick<FreeFlyingShape, K>> =>
  cachedPerOwner(checkedModel(model, options, FREE_FLYING_OPTIONS), contentKey(["free-flying", options]), () =>
    tracedFreeFlying(model, options),
  );

function tracedFreeFlying<I extends NamedSizes>(model: Model, options: FreeFlyingOptions): Program<I, FreeFlyingShape> {
  const names = options.frames ?? [];
  checkNames("options.frames", names, "names of frames");
  if (options.outputs !== undefined) checkNames("options.outputs", options.outputs, "names of outputs");
  framesOfRobot(model, robotOf(model, options.base), names); // reports wrong names before tracing
  return traceModel("free-flying", model, { q: model.nq, u: model.nu }, options, (m, { q, u, w }) => {
    const robot = robotOf(m, options.base);
    const externalForces = (tree: LinkTree) => externalForcesOnLinks(tree, framesAt(m, options.wrenches), q!, w!);
    const quantities = freeFlyingQuantities(m, robot, framesOfRobot(m, robot, names), q!, u!, externalForces);
    const outputs = (options.outputs ?? Object.keys(quantities)) as readonly (keyof FreeFlyingShape)[];
    for (const [i, key] of outputs.entries()) checkName(`options.outputs[${i}]`, key, Object.keys(quantities), "output");
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
export function freeFlyingAtSpin(
  model: Model,
  options: { readonly base?: string } = {},
): Program<ProgramInputs<"q" | "rates" | "spin">, ProgramOutputs<"Hstar" | "Cstar" | "turn">> {
  checkMembers("model", model, ["bodies", "nq", "nu"], "a Model, from createModel or buildModel");
  checkOptions("options", options, ["base"]);
  const robot = robotOf(model, options.base);
  const inputs = { q: model.nq, rates: robot.speeds.length, spin: 3 };
  return trace(`${model.name} free-flying at spin`, inputs, ({ q, rates, spin }) => {
    const u = speedsAtSpin(model, robot, q, rates, spin);
    const { Hstar, Cstar } = freeFlyingQuantities(model, robot, [], q, u, () => []);
    return { Hstar: Hstar(), Cstar: Cstar(), turn: u.slice(robot.base.hinge.u, robot.base.hinge.u + 3) };
  });
}

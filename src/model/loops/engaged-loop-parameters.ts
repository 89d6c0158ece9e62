/**
 * Parameters of loops that a run engages. A loop that engages as found measures them at that moment: a hinge takes the pose of M for its
 * frame F, a line or plane its origin, a rod its length, a coupling or a prescribed motion its offset. They are inputs of the kernels, so
 * a model is compiled once for each set of engaged loops, whatever the position at engagement.
 */
import type { Scalar } from "../../kernel/trace/scalar.ts";
import { apply, compose, type Mat3 } from "../../spatial/rotation.ts";
import { dot, plus, type Vec3 } from "../../spatial/vec3.ts";
import { deepFreeze } from "../build/create-model.ts";
import { type FrameLoop, type Loop, prescribedValue } from "../loop.ts";
import type { Model } from "../model.ts";
import { loopKinds } from "./index.ts";

/** Number of parameters of each measured quantity. */
const PARAMETER_COUNTS = { pose: 12, origin: 3, length: 1, offset: 1 } as const;

const measuredQuantityOf = (loop: Loop<Scalar>): keyof typeof PARAMETER_COUNTS => loopKinds()[loop.kind]!.measuredAtEngagement;

/** The model with these loops engaged, as declared or as found, and all others open. */
export function withEngagedLoops(model: Model, engaged: ReadonlyMap<string, "declared" | "found">): Model {
  const allLoops = [...model.loops, ...model.openLoops].map(({ heldAsFound: _, ...loop }) => loop as Loop);
  const engagedLoops = allLoops.filter(({ name }) => engaged.has(name));
  return deepFreeze({
    ...model,
    loops: engagedLoops.map((loop) => (engaged.get(loop.name) === "found" ? { ...loop, heldAsFound: true as const } : loop)),
    openLoops: allLoops.filter(({ name }) => !engaged.has(name)),
  });
}

/** Number of measured parameters of a loop; zero unless it was engaged as found. */
export const engagedParameterCount = (loop: Loop<Scalar>): number =>
  loop.heldAsFound ? PARAMETER_COUNTS[measuredQuantityOf(loop)] : 0;

/** The same for all engaged loops: the size of the input `found` of kernels. */
export const engagedParameterTotal = (model: Model<Scalar>): number =>
  model.loops.reduce((sum, loop) => sum + engagedParameterCount(loop), 0);

/** The model with the measured parameters of its engaged loops. */
export function withEngagedParameters<S extends Scalar>(model: Model<S>, numbers: readonly S[]): Model<S> {
  if (engagedParameterTotal(model) === 0) return model;
  let first = 0;
  const loops = model.loops.map((loop) => {
    const loopNumbers = numbers.slice(first, first + engagedParameterCount(loop));
    first += loopNumbers.length;
    return loop.heldAsFound ? withLoopNumbers(loop, loopNumbers) : loop;
  });
  return { ...model, loops };
}

/** The loop with its measured parameters n. */
function withLoopNumbers<S extends Scalar>(loop: Loop<S>, n: readonly S[]): Loop<S> {
  if (loop.type === "coordinates") return { ...loop, motion: { ...loop.motion, offset: n[0]! } };
  switch (measuredQuantityOf(loop)) {
    case "length":
      return { ...loop, rows: loop.rows.map((row) => row.variable!.with(n)) };
    case "origin":
      return { ...loop, from: { ...loop.from, placement: { ...loop.from.placement, p: n as unknown as Vec3<S> } } };
    default: {
      const R = [n.slice(0, 3), n.slice(3, 6), n.slice(6, 9)] as unknown as Mat3<S>;
      return { ...loop, from: { ...loop.from, placement: { R, p: n.slice(9) as unknown as Vec3<S> } } };
    }
  }
}

/** The measured parameters of a loop at a state: from the pose (R, p) of M in F, or from its coordinates at time t. */
export function measureLoopParameters(
  loop: Loop,
  pose: { readonly R: Mat3<number>; readonly p: Vec3<number> },
  q: Float64Array,
  t: number,
): number[] {
  if (loop.type === "coordinates") {
    const sum = loop.terms.reduce((s, term) => s + term.factor * q[term.q]!, 0);
    return [sum - (prescribedValue({ ...loop.motion, offset: 0 }, t) as number)];
  }
  return measureFrameLoop(loop, pose.R, pose.p);
}

function measureFrameLoop(loop: FrameLoop, R: Mat3<number>, p: Vec3<number>): number[] {
  const { R: R_BF, p: p_BF } = loop.from.placement;
  const origin = plus(p_BF, apply(R_BF, p)) as Vec3<number>;
  switch (measuredQuantityOf(loop)) {
    case "length":
      return [Math.sqrt(dot(p, p) as number)];
    case "origin":
      return [...origin];
    default:
      return [...(compose(R_BF, R) as Mat3<number>).flat(), ...origin];
  }
}

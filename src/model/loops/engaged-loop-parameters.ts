/**
 * Loops that take hold in a run. One that engages as found takes numbers from the moment: a hinge puts its frame F where M is found,
 * a line or plane its origin, a rod takes its length, a coupling or a prescribed motion its offset. They are inputs of the kernels, so
 * that a machine is compiled once for each set of loops that hold, wherever they hold.
 */
import type { Scalar } from "../../kernel/trace/scalar.ts";
import { apply, compose, type Mat3 } from "../../spatial/rotation.ts";
import { dot, plus, type Vec3 } from "../../spatial/vec3.ts";
import { deepFreeze } from "../build/create-model.ts";
import { type FrameLoop, type Loop, prescribed } from "../loop.ts";
import type { Model } from "../model.ts";
import { LOOPS, type LoopKindName } from "./index.ts";

const COUNTS = { pose: 12, origin: 3, length: 1, offset: 1 } as const;

const takenBy = (loop: Loop<Scalar>): keyof typeof COUNTS => LOOPS[loop.kind as LoopKindName].takes;

/** The same model with these loops holding, as declared or as found, and all others open. */
export function withLoops(model: Model, engaged: ReadonlyMap<string, "declared" | "found">): Model {
  const all = [...model.loops, ...model.openLoops].map(({ found: _, ...loop }) => loop as Loop);
  const held = all.filter(({ name }) => engaged.has(name));
  return deepFreeze({
    ...model,
    loops: held.map((loop) => (engaged.get(loop.name) === "found" ? { ...loop, found: true as const } : loop)),
    openLoops: all.filter(({ name }) => !engaged.has(name)),
  });
}

/** How many numbers a loop takes where it is found. */
export const foundCount = (loop: Loop<Scalar>): number => (loop.found ? COUNTS[takenBy(loop)] : 0);

/** The same of all loops that hold: the size of the input `found` of kernels. */
export const foundSize = (model: Model<Scalar>): number => model.loops.reduce((sum, loop) => sum + foundCount(loop), 0);

/** The model whose loops hold at these numbers. */
export function asFound<S extends Scalar>(model: Model<S>, numbers: readonly S[]): Model<S> {
  if (foundSize(model) === 0) return model;
  let at = 0;
  const loops = model.loops.map((loop) => {
    const own = numbers.slice(at, at + foundCount(loop));
    at += own.length;
    return loop.found ? placed(loop, own) : loop;
  });
  return { ...model, loops };
}

function placed<S extends Scalar>(loop: Loop<S>, n: readonly S[]): Loop<S> {
  if (loop.type === "coordinates") return { ...loop, motion: { ...loop.motion, offset: n[0]! } };
  switch (takenBy(loop)) {
    case "length":
      return { ...loop, rows: loop.rows.map((row) => row.own!.with(n)) };
    case "origin":
      return { ...loop, from: { ...loop.from, placement: { ...loop.from.placement, p: n as unknown as Vec3<S> } } };
    default: {
      const R = [n.slice(0, 3), n.slice(3, 6), n.slice(6, 9)] as unknown as Mat3<S>;
      return { ...loop, from: { ...loop.from, placement: { R, p: n.slice(9) as unknown as Vec3<S> } } };
    }
  }
}

/** What a loop takes at a state: the pose (R, p) of M in F, or its coordinates at time t. */
export function taken(
  loop: Loop,
  at: { readonly R: Mat3<number>; readonly p: Vec3<number> },
  q: Float64Array,
  t: number,
): number[] {
  if (loop.type === "coordinates") {
    const sum = loop.terms.reduce((s, term) => s + term.factor * q[term.q]!, 0);
    return [sum - (prescribed({ ...loop.motion, offset: 0 }, t) as number)];
  }
  return takenByFrames(loop, at.R, at.p);
}

function takenByFrames(loop: FrameLoop, R: Mat3<number>, p: Vec3<number>): number[] {
  const { R: R_BF, p: p_BF } = loop.from.placement;
  const origin = plus(p_BF, apply(R_BF, p)) as Vec3<number>;
  switch (takenBy(loop)) {
    case "length":
      return [Math.sqrt(dot(p, p) as number)];
    case "origin":
      return [...origin];
    default:
      return [...(compose(R_BF, R) as Mat3<number>).flat(), ...origin];
  }
}

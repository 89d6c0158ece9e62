/**
 * Tracks the weakest equation of the loops during a run: its strength with a sign. The sign changes where the loops pass a singular
 * configuration. The direction turns slowly, so one step of inverse iteration per sample is enough.
 */

import type { ClosedLoops } from "../../dynamics/loops/multipliers/closed-loops.ts";
import { sine } from "../../math/elementary/sincos.ts";

/** The weakest equation of the loops at one state. */
export interface WeakestEquationSample {
  t: number;
  /** 1 / |J⁺ w| for the weakest direction w, with a sign that is continuous along the motion. */
  strength: number;
  /** |cosine| of the angle between J⁺ w and that of the previous sample. On one branch of the motion it is close to 1. */
  turn: number;
  /** Unit vectors: direction of J⁺ w, and w, the start of the next iteration. */
  readonly direction: Float64Array;
  readonly w: Float64Array;
}

const START_ITERATIONS = 8;

export interface WeakestEquation {
  /** Allocates a sample. */
  newSample(): WeakestEquationSample;
  /** Computes the first sample, with several steps of the iteration from a fixed start vector. */
  first(t: number, q: Float64Array, into: WeakestEquationSample): void;
  /** Announces that the next sample follows at the end of a step, so that the factorisation of that step can be used again. */
  prepareNext(from: WeakestEquationSample): void;
  /** Computes the sample that follows `before`. Allocates nothing. */
  next(t: number, q: Float64Array, before: WeakestEquationSample, into: WeakestEquationSample): void;
}

export function weakestEquation(closed: ClosedLoops, nu: number): WeakestEquation {
  const { rows } = closed;
  const pull = new Float64Array(nu + rows);
  const blank = (): WeakestEquationSample => ({
    t: 0,
    strength: 1,
    turn: 1,
    direction: new Float64Array(nu),
    w: new Float64Array(rows),
  });
  const next: WeakestEquation["next"] = (t, q, before, into) => {
    const size = closed.weakness(t, q, before.w, pull);
    into.t = t;
    if (!pull.some((v) => v !== 0)) {
      copySample(before, into); // loops that constrain nothing have no equation to lose
      return;
    }
    const perLength = 1 / norm(pull, 0, nu);
    let cosine = 0;
    for (let i = 0; i < nu; i++) cosine += perLength * pull[i]! * before.direction[i]!;
    for (let i = 0; i < nu; i++) into.direction[i] = perLength * pull[i]!;
    const perWeight = 1 / norm(pull, nu, nu + rows);
    for (let i = 0; i < rows; i++) into.w[i] = perWeight * pull[nu + i]!;
    into.strength = (before.strength < 0 ? -1 : 1) * (cosine < 0 ? -1 : 1) * size;
    into.turn = Math.abs(cosine);
  };
  return {
    newSample: blank,
    next,
    prepareNext: (from) => closed.prepareWeakness(from.w),
    first(t, q, into) {
      for (let i = 0; i < rows; i++) into.w[i] = sine(1 + 2.3 * i) / Math.sqrt(rows); // orthogonal to nothing
      for (let k = 0; k < START_ITERATIONS; k++) next(t, q, into, into);
      into.strength = Math.abs(into.strength);
      into.turn = 1;
    },
  };
}

function copySample({ strength, direction, w }: WeakestEquationSample, into: WeakestEquationSample): void {
  into.strength = strength;
  into.turn = 1;
  into.direction.set(direction);
  into.w.set(w);
}

function norm(v: Float64Array, from: number, to: number): number {
  let sum = 0;
  for (let i = from; i < to; i++) sum += v[i]! * v[i]!;
  return Math.sqrt(sum) || 1;
}

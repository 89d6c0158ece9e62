/**
 * The weakest equation of the loops, followed through a run: how weak it is, with a sign that changes when it passes zero, which is when the
 * loops pass a singular configuration. One step of inverse iteration a look keeps it, for it turns slowly.
 */
import type { ClosedLoops } from "../../dynamics/loops/multipliers/closed-loops.ts";

/** A look at the loops. */
export interface WeakestEquationSample {
  t: number;
  /** 1 / |J⁺ w| for the weakest direction w, with the sign that it has along the motion. */
  strength: number;
  /** Cosine of the turn of J⁺ w since the look before: on one branch it turns little but for its sign. */
  turn: number;
  /** Direction of J⁺ w, and w for the next look. */
  readonly direction: Float64Array;
  readonly w: Float64Array;
}

const START_ITERATIONS = 8;

export interface WeakestEquation {
  /** A sight to write to. */
  newSample(): WeakestEquationSample;
  /** The first look, by more steps of the iteration. */
  first(t: number, q: Float64Array, into: WeakestEquationSample): void;
  /** Another look will follow this one at the end of a step, and costs next to nothing then. */
  prepareNext(from: WeakestEquationSample): void;
  /** A look that follows another. Allocates nothing. */
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
    const perLength = 1 / norm(pull, 0, nu);
    let cosine = 0;
    for (let i = 0; i < nu; i++) cosine += perLength * pull[i]! * before.direction[i]!;
    for (let i = 0; i < nu; i++) into.direction[i] = perLength * pull[i]!;
    const perWeight = 1 / norm(pull, nu, nu + rows);
    for (let i = 0; i < rows; i++) into.w[i] = perWeight * pull[nu + i]!;
    into.strength = (before.strength < 0 ? -1 : 1) * (cosine < 0 ? -1 : 1) * size;
    into.turn = Math.abs(cosine);
    into.t = t;
  };
  return {
    newSample: blank,
    next,
    prepareNext: (from) => closed.prepareWeakness(from.w),
    first(t, q, into) {
      for (let i = 0; i < rows; i++) into.w[i] = Math.sin(1 + 2.3 * i) / Math.sqrt(rows); // orthogonal to nothing
      for (let k = 0; k < START_ITERATIONS; k++) next(t, q, into, into);
      into.strength = Math.abs(into.strength);
      into.turn = 1;
    },
  };
}

function norm(v: Float64Array, from: number, to: number): number {
  let sum = 0;
  for (let i = from; i < to; i++) sum += v[i]! * v[i]!;
  return Math.sqrt(sum) || 1;
}

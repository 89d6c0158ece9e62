/**
 * First touch within a step. Where two things do not touch, their gap bounds the motion that is needed for it: the gap changes by at most
 * as much as the distance moved. The step is halved in time until each piece is free by such a bound, or its end touches. What remains is
 * the first touch, located to rounding in time.
 *
 * Positions and velocities are those of the step's own motion at three times of a piece: a, its middle m, and b. With Δ = p_b - p_a and
 * h = t_b - t_a, the motion is taken to deviate from a uniform straight one by at most
 *
 *   D = 2 max(|p_m - (p_a + p_b) / 2|, |h v_a - Δ| / 4, |h v_b - Δ| / 4, |h v_m - Δ| / 8).                                    [1]
 *
 * This is twice the deviation of a motion with constant acceleration. Rotations of more than a fraction of a turn make it large, so that
 * the piece is halved again. For a gap g that is a convex function of the position (two convex solids) and changes by at most D where the
 * position does, g is above the extended chords of the other half:
 *
 *   g >= min(g_m, 2 g_m - g_b) - 4 D before m,   g >= min(g_m, 2 g_m - g_a) - 4 D after m.                                    [2]
 */
import type { Snapshot, StepMotion } from "../system/force-element.ts";

/** Overlaps that are shallower than this, m, and gone at the ends of a piece of motion, are no touch. */
export const GRAZE = 1e-9;

/** The things that may touch, for `firstTouch`. It keeps a list of suspects, and samples of the motion in numbered slots. */
export interface TouchSuspects {
  /** Keeps the state in a slot. Slots 0 and 1, the start and the end of the step, are taken already. */
  take(slot: number, s: Snapshot): void;
  /** Moves those of the first `count` suspects that may touch between slots a and b to the front. Returns their number. @param h from a to b, s */
  keepNear(count: number, a: number, m: number, b: number, h: number): number;
  /** True if one of the first `count` suspects touches at a slot. */
  touches(count: number, slot: number): boolean;
}

/** Time at which the first of the first `count` suspects touches in a step; infinite if none does. None touches at its start. */
export const firstTouch = (motion: StepMotion, suspects: TouchSuspects, count: number): number =>
  firstBetween(motion, suspects, count, 0, 1, motion.from, motion.to, 2);

function firstBetween(
  motion: StepMotion,
  suspects: TouchSuspects,
  count: number,
  a: number,
  b: number,
  from: number,
  to: number,
  m: number,
): number {
  const middle = 0.5 * (from + to);
  if (!(middle > from && middle < to)) return suspects.touches(count, b) ? to : Number.POSITIVE_INFINITY;
  suspects.take(m, motion.at(middle));
  const near = suspects.keepNear(count, a, m, b, to - from);
  if (near === 0) return Number.POSITIVE_INFINITY;
  const left = firstBetween(motion, suspects, near, a, m, from, middle, m + 1);
  return left < Number.POSITIVE_INFINITY ? left : firstBetween(motion, suspects, near, m, b, middle, to, m + 1);
}

/** Lower bound [2] of a convex gap over a piece of motion that deviates from a uniform straight one by D. */
export const convexBound = (a: number, m: number, b: number, D: number): number => Math.min(m, 2 * m - Math.max(a, b)) - 4 * D;

/** Numbers of a sample of a moving point: position, velocity. */
export const PER_POINT = 6;

/** Deviation [1] of a moving point; P contains its samples at a, m and b. */
export function deviationOf(P: Float64Array, h: number): number {
  let bend = 0;
  let start = 0;
  let end = 0;
  let middle = 0;
  for (let i = 0; i < 3; i++) {
    const a = P[i]!;
    const b = P[2 * PER_POINT + i]!;
    const move = b - a;
    const sag = P[PER_POINT + i]! - 0.5 * (a + b);
    const va = h * P[3 + i]! - move;
    const vm = h * P[PER_POINT + 3 + i]! - move;
    const vb = h * P[2 * PER_POINT + 3 + i]! - move;
    bend += sag * sag;
    start += va * va;
    middle += vm * vm;
    end += vb * vb;
  }
  return 2 * Math.sqrt(Math.max(bend, start / 16, end / 16, middle / 64));
}

/** Distance between samples i and j of a moving point. */
export function distanceBetween(P: Float64Array, i: number, j: number): number {
  const x = P[PER_POINT * j]! - P[PER_POINT * i]!;
  const y = P[PER_POINT * j + 1]! - P[PER_POINT * i + 1]!;
  const z = P[PER_POINT * j + 2]! - P[PER_POINT * i + 2]!;
  return Math.sqrt(x * x + y * y + z * z);
}

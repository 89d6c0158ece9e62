/** Finds the first touch of free candidates within a step, with bounds of their gaps: see touch-search.ts. Nothing is missed between points. */
import {
  convexBound,
  deviationOf,
  distanceBetween,
  firstTouch,
  GRAZE,
  PER_POINT,
  type TouchSuspects,
} from "../../../sim/events/touch-search.ts";
import type { Snapshot, StepMotion } from "../../../sim/system/force-element.ts";
import { boundingBall } from "./bounding-ball.ts";
import { CarrierMotion } from "./carrier-motion.ts";
import { type CarriedCandidate, PER_FRAME, POSE_NUMBERS, writeRelativePose } from "./carrier-pair.ts";
import { type ContactPart, HIT_SIZE } from "./narrow-phase.ts";
import { SweepAndPrune } from "./sweep-and-prune.ts";
import type { TouchMemory } from "./touch-memory.ts";

/** A step is searched if a part could touch by moving this many times as far as its positions and speeds at both ends of the step say. */
const FAR = 4;
/** Rotation within a piece of motion beyond which it is halved, rad, if the moving part is not a ball. */
const LARGEST_TURN = 0.5;
/** Candidates without known gaps (edges) are tested each time that they have moved by this share of their size. */
const SAMPLED_SHARE = 0.02;
/** With fewer pairs of carriers than this, the broad phase does not pay. */
const FEWEST_FOR_SWEEP = 32;

/** All candidates of two carriers, with balls around their first and second parts. */
interface SearchedPair {
  /** Where the carriers begin among the frames, and their numbers in the broad phase. */
  readonly a: number;
  readonly b: number;
  readonly i: number;
  readonly j: number;
  readonly members: Int32Array;
  readonly centre: readonly [number, number, number];
  readonly reach: number;
  readonly secondCentre: readonly [number, number, number];
  readonly secondReach: number;
}

export class ContactSearch implements TouchSuspects {
  readonly #candidates: readonly CarriedCandidate[];
  readonly #pairs: readonly SearchedPair[];
  readonly #pairOf: Int32Array;
  readonly #motion: CarrierMotion;
  readonly #suspects: Int32Array;
  readonly #carriers: readonly {
    readonly at: number;
    readonly centre: readonly [number, number, number];
    readonly reach: number;
  }[];
  readonly #sweep: SweepAndPrune;
  /** By carriers i and j: 1 if their swept balls overlap. */
  readonly #near: Uint8Array;
  readonly #X = new Float64Array(POSE_NUMBERS);
  readonly #hit = new Float64Array(HIT_SIZE);

  /** @param frames number of frames of the element */
  constructor(candidates: readonly CarriedCandidate[], frames: number) {
    this.#candidates = candidates;
    this.#motion = new CarrierMotion(frames);
    this.#suspects = new Int32Array(candidates.length);
    this.#pairOf = new Int32Array(candidates.length);
    const numbers = [...new Set(candidates.flatMap((m) => [m.firstCarrier, m.secondCarrier]))];
    const indexOf = new Map(numbers.map((carrier, i) => [carrier, i]));
    const parts = new Map(numbers.map((carrier) => [carrier, new Set<ContactPart>()]));
    for (const { first, firstCarrier, second, secondCarrier } of candidates) {
      parts.get(firstCarrier)!.add(first);
      parts.get(secondCarrier)!.add(second);
    }
    const members = new Map<string, number[]>();
    for (const [m, { firstCarrier, secondCarrier }] of candidates.entries()) {
      const key = `${firstCarrier} ${secondCarrier}`;
      if (!members.has(key)) members.set(key, []);
      members.get(key)!.push(m);
    }
    this.#pairs = [...members.values()].map((list, pair): SearchedPair => {
      for (const m of list) this.#pairOf[m] = pair;
      const { firstCarrier, secondCarrier } = candidates[list[0]!]!;
      const first = boundingBall([...new Set(list.map((m) => candidates[m]!.first))]);
      const second = boundingBall([...new Set(list.map((m) => candidates[m]!.second))]);
      return {
        a: PER_FRAME * firstCarrier,
        b: PER_FRAME * secondCarrier,
        i: indexOf.get(firstCarrier)!,
        j: indexOf.get(secondCarrier)!,
        members: Int32Array.from(list),
        centre: first.centre,
        reach: first.reach,
        secondCentre: second.centre,
        secondReach: second.reach,
      };
    });
    const hasSweep = this.#pairs.length >= FEWEST_FOR_SWEEP;
    this.#carriers = hasSweep
      ? numbers.map((carrier) => ({ at: PER_FRAME * carrier, ...boundingBall([...parts.get(carrier)!]) }))
      : [];
    this.#sweep = new SweepAndPrune(this.#carriers.length);
    this.#near = new Uint8Array(this.#carriers.length * this.#carriers.length);
  }

  /** Time of the first touch of a candidate that does not act yet; infinite if there is none. */
  firstIn(motion: StepMotion): number {
    const s = motion.at(motion.to);
    const memory = s.memory as TouchMemory;
    if (!memory.started) return Number.POSITIVE_INFINITY;
    this.#motion.take(0, memory.frames);
    this.take(1, s);
    const count = this.#collect(memory, motion.to - motion.from);
    return count === 0 ? Number.POSITIVE_INFINITY : firstTouch(motion, this, count);
  }

  /** Lets all free candidates act that touch at the event, or are at the touch within rounding. */
  happen(s: Snapshot): void {
    const memory = s.memory as TouchMemory;
    this.take(0, s);
    for (let m = 0; m < this.#candidates.length; m++) if (memory.isFree(m) && this.#isNear(m, 0)) memory.touch(m, s.t);
  }

  take(slot: number, s: Snapshot): void {
    this.#motion.take(slot, s.frames);
  }

  touches(count: number, slot: number): boolean {
    for (let k = 0; k < count; k++) if (this.#depth(this.#suspects[k]!, slot) > 0) return true;
    return false;
  }

  keepNear(count: number, a: number, m: number, b: number, h: number): number {
    const suspects = this.#suspects;
    let kept = 0;
    for (let k = 0; k < count; k++) {
      const candidate = suspects[k]!;
      if (!this.#mayTouch(candidate, a, m, b, h)) continue;
      suspects[k] = suspects[kept]!;
      suspects[kept++] = candidate;
    }
    return kept;
  }

  /** Makes all free candidates suspects that could touch in the step. Returns their number. */
  #collect(memory: TouchMemory, h: number): number {
    let count = 0;
    if (this.#carriers.length > 0) this.#findNear(h);
    for (let p = 0; p < this.#pairs.length; p++) {
      const pair = this.#pairs[p]!;
      if (this.#carriers.length > 0 && this.#near[pair.i * this.#carriers.length + pair.j] === 0) continue;
      const { members, centre, reach, secondCentre: c, secondReach } = pair;
      const { P } = this.#motion;
      this.#motion.samplePoint(pair.a, pair.b, centre, 0, 0);
      this.#motion.samplePoint(pair.a, pair.b, centre, 1, 2);
      const motion = FAR * this.#motion.apparent(h);
      const gap0 = distance(P, 0, c) - reach - secondReach;
      const gap1 = distance(P, 2 * PER_POINT, c) - reach - secondReach;
      if (gap0 > 0 && gap1 > 0 && gap0 + gap1 > motion) continue;
      for (let k = 0; k < members.length; k++) {
        const m = members[k]!;
        if (memory.isFree(m) && this.#isSuspect(m, h)) this.#suspects[count++] = m;
      }
    }
    return count;
  }

  /** True if a candidate could touch in the step, by what its ends say. */
  #isSuspect(m: number, h: number): boolean {
    const { first, second } = this.#candidates[m]!;
    const pair = this.#pairs[this.#pairOf[m]!]!;
    this.#motion.samplePoint(pair.a, pair.b, first.centre, 0, 0);
    this.#motion.samplePoint(pair.a, pair.b, first.centre, 1, 2);
    const motion = FAR * this.#motion.apparent(h);
    const gap0 = this.#gapOfBounds(m, 0);
    const gap1 = this.#gapOfBounds(m, 2);
    if (gap0 > 0 && gap1 > 0 && gap0 + gap1 > motion) return false;
    // A part that turns by more than its motion says is searched too.
    const turn = first.round
      ? 0
      : FAR * first.reach * h * Math.max(this.#motion.spin(pair.a, pair.b, 0), this.#motion.spin(pair.a, pair.b, 1));
    const exact0 = -this.#depth(m, 0);
    const exact1 = -this.#depth(m, 1);
    return !(exact0 > 0 && exact1 > 0 && exact0 + exact1 > (second.steepness ?? 1) * (motion + turn));
  }

  /** False if a candidate does not touch between slots a and b, by the bounds of touch-search.ts. m is the slot in the middle. */
  #mayTouch(candidate: number, a: number, m: number, b: number, h: number): boolean {
    const { first, second, gap } = this.#candidates[candidate]!;
    const pair = this.#pairs[this.#pairOf[candidate]!]!;
    const { P } = this.#motion;
    this.#motion.samplePoint(pair.a, pair.b, first.centre, a, 0);
    this.#motion.samplePoint(pair.a, pair.b, first.centre, m, 1);
    this.#motion.samplePoint(pair.a, pair.b, first.centre, b, 2);
    let D = deviationOf(P, h);
    if (convexBound(this.#gapOfBounds(candidate, 0), this.#gapOfBounds(candidate, 1), this.#gapOfBounds(candidate, 2), D) > 0)
      return false;
    const gapM = -this.#depth(candidate, m);
    const gapB = -this.#depth(candidate, b);
    if (gapM < 0 || gapB < 0) return true;
    let turn = 0;
    if (!first.round) {
      const spinA = this.#motion.spin(pair.a, pair.b, a);
      const spinB = this.#motion.spin(pair.a, pair.b, b);
      turn = h * Math.max(spinA, spinB, this.#motion.spin(pair.a, pair.b, m));
      D += first.reach * 0.25 * (turn * turn + h * Math.abs(spinB - spinA));
    }
    const before = distanceBetween(P, 0, 1) + D + 0.5 * turn * first.reach;
    const after = distanceBetween(P, 1, 2) + D + 0.5 * turn * first.reach;
    const moved = before + after;
    if (moved < GRAZE) return false;
    const gapA = -this.#depth(candidate, a);
    const steepness = second.steepness ?? 1;
    if (turn < LARGEST_TURN && gapA + gapM > steepness * before && gapM + gapB > steepness * after) return false;
    if (gap === "unknown") return moved > SAMPLED_SHARE * Math.min(first.reach, second.reach);
    if (turn > LARGEST_TURN) return true;
    if (second.hollow === undefined) return !(convexBound(gapA, gapM, gapB, D) > -GRAZE);
    // Over short distances the gap is convex but for the curvature of the hollow.
    const hollow = Math.max(second.hollow, first.round ? first.reach : 0);
    return !(moved < hollow / 4 && convexBound(gapA, gapM, gapB, steepness * D + (moved * moved) / (2 * hollow)) > -GRAZE);
  }

  /** Depth of a candidate at a slot, as its narrow phase gives it. */
  #depth(m: number, slot: number): number {
    const { first, second, narrow } = this.#candidates[m]!;
    const { a, b } = this.#pairs[this.#pairOf[m]!]!;
    const F = this.#motion.at(slot);
    writeRelativePose(F, a, F, b, this.#X);
    narrow(first.data, second.data, this.#X, this.#hit);
    return this.#hit[0]!;
  }

  /** True if a candidate touches at a slot, or almost does. */
  #isNear(m: number, slot: number): boolean {
    const { a, b } = this.#pairs[this.#pairOf[m]!]!;
    this.#motion.samplePoint(a, b, this.#candidates[m]!.first.centre, slot, 0);
    if (this.#gapOfBounds(m, 0) > GRAZE) return false;
    return this.#depth(m, slot) > (this.#candidates[m]!.gap === "unknown" ? 0 : -GRAZE);
  }

  /** Gap between the bounds of the parts, the first with its centre at sample `i` of P: a convex function of that point. */
  #gapOfBounds(m: number, i: number): number {
    const { first, second } = this.#candidates[m]!;
    const { P } = this.#motion;
    const { centre: c, front } = second;
    const ball = distance(P, PER_POINT * i, c) - first.reach - second.reach;
    if (front === undefined) return ball;
    const p = PER_POINT * i;
    const inFront = (P[p]! - c[0]) * front[0] + (P[p + 1]! - c[1]) * front[1] + (P[p + 2]! - c[2]) * front[2] - first.reach;
    return Math.max(ball, inFront);
  }

  /** Broad phase: marks all pairs of carriers whose balls, swept over the step, overlap. */
  #findNear(h: number): void {
    const carriers = this.#carriers;
    const { balls } = this.#sweep;
    const { P } = this.#motion;
    for (let i = 0; i < carriers.length; i++) {
      const { at, centre, reach } = carriers[i]!;
      this.#motion.samplePoint(at, 0, centre, 0, 0);
      this.#motion.samplePoint(at, 0, centre, 1, 2);
      for (let k = 0; k < 3; k++) balls[4 * i + k] = 0.5 * (P[k]! + P[2 * PER_POINT + k]!);
      balls[4 * i + 3] = reach + FAR * this.#motion.apparent(h);
    }
    this.#near.fill(0);
    this.#sweep.forEachOverlap(this.#mark);
  }

  readonly #mark = (i: number, j: number): void => {
    const n = this.#carriers.length;
    this.#near[i * n + j] = this.#near[j * n + i] = 1;
  };
}

/** Distance of the point that begins at `p` in P from c. */
function distance(P: Float64Array, p: number, c: readonly [number, number, number]): number {
  const x = P[p]! - c[0];
  const y = P[p + 1]! - c[1];
  const z = P[p + 2]! - c[2];
  return Math.sqrt(x * x + y * y + z * z);
}

/**
 * Where shapes touch at a state. Shapes that ride on one frame stand together: a ball around all of them goes through the broad phase,
 * and only between frames whose balls overlap is each meeting looked at, first by its own bounds. What is found is in world axes.
 */
import { HIT, type Part } from "./hit.ts";
import type { Meeting } from "./pairs.ts";
import { Sweep } from "./sweep.ts";

/** Numbers of a frame in a snapshot: R by rows, p, ω, v. */
export const PER_FRAME = 18;
const WORLD = Float64Array.from([1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0]);

/** A meeting with the frames that carry its parts: places in the element's frames, -1 for the world. */
export interface CarriedMeeting extends Meeting {
  readonly firstOn: number;
  readonly secondOn: number;
}

interface Group {
  readonly firstOn: number;
  readonly secondOn: number;
  /** Indices of its meetings, those of one first part together. */
  readonly meetings: Int32Array;
}

export class Contacts {
  readonly meetings: readonly CarriedMeeting[];
  /** How often shapes were looked at closely, for those who count. */
  narrowed = 0;
  /** How many touch, which of the meetings, and their hits: depth, normal (force on `first`), point. */
  count = 0;
  readonly touching: Int32Array;
  readonly hits: Float64Array;
  readonly #carriers: readonly number[];
  readonly #bounds: readonly Part[];
  readonly #groups: readonly Group[];
  /** Groups between two carriers, first and second; -1 for none. */
  readonly #between: Int32Array;
  readonly #sweep: Sweep;
  readonly #near: Int32Array;
  #nearby = 0;
  readonly #X = new Float64Array(12);
  readonly #hit = new Float64Array(HIT);

  constructor(meetings: readonly CarriedMeeting[]) {
    this.meetings = meetings;
    this.touching = new Int32Array(meetings.length);
    this.hits = new Float64Array(HIT * meetings.length);
    const carriers = [...new Set(meetings.flatMap(({ firstOn, secondOn }) => [firstOn, secondOn]))].sort((a, b) => a - b);
    this.#carriers = carriers;
    this.#bounds = carriers.map((on) =>
      boundOf(
        meetings.flatMap(({ first, firstOn, second, secondOn }) => [
          ...(firstOn === on ? [first] : []),
          ...(secondOn === on ? [second] : []),
        ]),
      ),
    );
    const n = carriers.length;
    this.#between = new Int32Array(n * n).fill(-1);
    const members: number[][] = [];
    for (const [m, { firstOn, secondOn }] of meetings.entries()) {
      const key = carriers.indexOf(firstOn) * n + carriers.indexOf(secondOn);
      if (this.#between[key]! < 0) this.#between[key] = members.push([]) - 1;
      members[this.#between[key]!]!.push(m);
    }
    this.#groups = members.map((list) => {
      const { firstOn, secondOn } = meetings[list[0]!]!;
      return { firstOn, secondOn, meetings: Int32Array.from(list) };
    });
    this.#near = new Int32Array(members.length);
    this.#sweep = new Sweep(n);
  }

  /** Finds all that touch at the frames of a snapshot, in the order of the meetings' groups. */
  find(frames: Float64Array): void {
    this.count = 0;
    this.#nearby = 0;
    this.#fillBalls(frames);
    this.#sweep.pairs(this.#found);
    // In a fixed order, so that sums of forces are the same to the last bit whatever came before.
    const near = this.#near;
    for (let k = 1; k < this.#nearby; k++) {
      const g = near[k]!;
      let j = k - 1;
      while (j >= 0 && near[j]! > g) {
        near[j + 1] = near[j]!;
        j--;
      }
      near[j + 1] = g;
    }
    for (let k = 0; k < this.#nearby; k++) this.#look(this.#groups[near[k]!]!, frames);
  }

  /** A number that tells sets of touching meetings apart; never zero. */
  signature(frames: Float64Array): number {
    this.find(frames);
    let mix = 0;
    for (let k = 0; k < this.count; k++) mix = (mix + hashed(this.touching[k]!)) | 0;
    return (mix >>> 0) + 1;
  }

  readonly #found = (i: number, j: number): void => {
    const n = this.#carriers.length;
    const forward = this.#between[i * n + j]!;
    const backward = this.#between[j * n + i]!;
    if (forward >= 0) this.#near[this.#nearby++] = forward;
    if (backward >= 0) this.#near[this.#nearby++] = backward;
  };

  #fillBalls(frames: Float64Array): void {
    const { balls } = this.#sweep;
    for (let i = 0; i < this.#carriers.length; i++) {
      const on = this.#carriers[i]!;
      const F = on < 0 ? WORLD : frames;
      const f = on < 0 ? 0 : PER_FRAME * on;
      const { centre, reach } = this.#bounds[i]!;
      for (let k = 0; k < 3; k++)
        balls[4 * i + k] =
          F[f + 3 * k]! * centre[0] + F[f + 3 * k + 1]! * centre[1] + F[f + 3 * k + 2]! * centre[2] + F[f + 9 + k]!;
      balls[4 * i + 3] = reach;
    }
  }

  #look({ firstOn, secondOn, meetings }: Group, frames: Float64Array): void {
    const A = firstOn < 0 ? WORLD : frames;
    const a = firstOn < 0 ? 0 : PER_FRAME * firstOn;
    const B = secondOn < 0 ? WORLD : frames;
    const b = secondOn < 0 ? 0 : PER_FRAME * secondOn;
    const X = this.#X;
    for (let i = 0; i < 3; i++) {
      X[9 + i] = 0;
      for (let j = 0; j < 3; j++) {
        X[3 * i + j] = B[b + i]! * A[a + j]! + B[b + 3 + i]! * A[a + 3 + j]! + B[b + 6 + i]! * A[a + 6 + j]!;
        X[9 + i]! += B[b + 3 * j + i]! * (A[a + 9 + j]! - B[b + 9 + j]!);
      }
    }
    const hit = this.#hit;
    const { hits } = this;
    for (let k = 0; k < meetings.length; k++) {
      const m = meetings[k]!;
      const { first, second, narrow } = this.meetings[m]!;
      if (apart(first, second, X)) continue;
      this.narrowed++;
      narrow(first.data, second.data, X, hit);
      if (!(hit[0]! > 0)) continue;
      const at = HIT * this.count;
      this.touching[this.count++] = m;
      hits[at] = hit[0]!;
      for (let i = 0; i < 3; i++) {
        const r = b + 3 * i;
        hits[at + 1 + i] = B[r]! * hit[1]! + B[r + 1]! * hit[2]! + B[r + 2]! * hit[3]!;
        hits[at + 4 + i] = B[r]! * hit[4]! + B[r + 1]! * hit[5]! + B[r + 2]! * hit[6]! + B[b + 9 + i]!;
      }
    }
  }
}

/** Whether the bounds of two parts are apart, the first placed by X. */
function apart(first: Part, second: Part, X: Float64Array): boolean {
  const [cx, cy, cz] = first.centre;
  const x = X[0]! * cx + X[1]! * cy + X[2]! * cz + X[9]! - second.centre[0];
  const y = X[3]! * cx + X[4]! * cy + X[5]! * cz + X[10]! - second.centre[1];
  const z = X[6]! * cx + X[7]! * cy + X[8]! * cz + X[11]! - second.centre[2];
  const { front } = second;
  if (front !== undefined) return x * front[0] + y * front[1] + z * front[2] > first.reach;
  const r = first.reach + second.reach;
  return x * x + y * y + z * z > r * r;
}

/** A ball around parts, about the middle of their box. */
function boundOf(parts: readonly Part[]): Part {
  const ends = [0, 1, 2].map((i) => [
    Math.min(...parts.map(({ centre }) => centre[i]!)),
    Math.max(...parts.map(({ centre }) => centre[i]!)),
  ]);
  const centre = ends.map(([low, high]) => 0.5 * (low! + high!)) as [number, number, number];
  const reach = Math.max(
    ...parts.map((p) => Math.sqrt(p.centre.reduce((sum, c, i) => sum + (c - centre[i]!) ** 2, 0)) + p.reach),
  );
  return { data: new Float64Array(0), centre, reach };
}

/** Neighbouring numbers to numbers that have nothing in common. */
function hashed(n: number): number {
  let h = Math.imul(n + 1, 0x9e3779b1);
  h = Math.imul(h ^ (h >>> 15), 0x85ebca6b);
  return h ^ (h >>> 13);
}

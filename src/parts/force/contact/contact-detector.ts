/**
 * Where shapes touch at a state. Shapes that ride on one frame stand together: a ball around all of them goes through the broad phase,
 * and only between frames whose balls overlap is each meeting looked at, first by its own bounds. What is found is in world axes.
 *
 * What does not touch is some way apart, and is not looked at again before its bodies have used that up: no point of a ball of radius r about c
 * moves farther, as seen from the other body, than |X c - X' c| + |R - R'| r. States are looked at many times a step, so that most looks end there.
 */
import { type ContactPart, HIT_SIZE, type NarrowPhase } from "./narrow-phase.ts";
import type { ContactCandidate } from "./pair-kinds.ts";
import { SweepAndPrune } from "./sweep-and-prune.ts";

/** Numbers of a frame: R by rows, p, ω, v. */
export const PER_FRAME = 18;
/** The first of them say where it stands. */
const POSE_NUMBERS = 12;
const IDENTITY = [1, 0, 0, 0, 1, 0, 0, 0, 1] as const;
/** Numbers of a bound: centre and radius, then the normal of the plane in front of it, all zero if there is none. */
const BOUND_SIZE = 7;

/** A meeting with what carries its parts: 0 is the world, k the k-th frame of the element. */
export interface CarriedCandidate extends ContactCandidate {
  readonly firstOn: number;
  readonly secondOn: number;
}

interface CarrierPair {
  readonly firstOn: number;
  readonly secondOn: number;
  /** Indices of its meetings. */
  readonly meetings: Int32Array;
  /** A ball around all first parts. */
  readonly ball: Float64Array;
  /** Where the first stood on the second, and what had to be moved from there until each meeting could touch; and the least of that. */
  readonly X: Float64Array;
  readonly gaps: Float64Array;
  least: number;
  /** Where the first stands on the second now. */
  readonly now: Float64Array;
}

/** Fewer groups than this do not need the broad phase: they know themselves how far apart they are. */
const FEWEST_FOR_SWEEP = 4;
const WORLD = Float64Array.from([...IDENTITY, 0, 0, 0]);

/** Of a gap and of the motion since: less than this may be rounding. */
const ROUNDING_MARGIN = 1e-9;

export class ContactDetector {
  /** How many meetings there are, and what carries the parts of each. */
  readonly size: number;
  readonly firstOn: Int32Array;
  readonly secondOn: Int32Array;
  /** The world, then the frames of the element, as last seen. */
  readonly frames: Float64Array;
  /** How often shapes were looked at closely, for those who count. */
  narrowPhaseCalls = 0;
  /** How many touch, which of the meetings, and their hits: depth, normal (force on the first), point. */
  count = 0;
  readonly touching: Int32Array;
  readonly hits: Float64Array;
  readonly #narrow: readonly NarrowPhase[];
  readonly #first: readonly Float64Array[];
  readonly #second: readonly Float64Array[];
  readonly #uneven: Uint8Array;
  readonly #firstBounds: Float64Array;
  readonly #secondBounds: Float64Array;
  readonly #carriers: Int32Array;
  /** A ball around all parts of each carrier. */
  readonly #around: Float64Array;
  readonly #groups: readonly CarrierPair[];
  /** Groups between two carriers, first and second; -1 for none. */
  readonly #between: Int32Array;
  readonly #sweep: SweepAndPrune;
  readonly #near: Int32Array;
  #nearby = 0;
  #begun = false;
  readonly #hit = new Float64Array(HIT_SIZE);

  constructor(meetings: readonly CarriedCandidate[], frames: number) {
    this.size = meetings.length;
    this.firstOn = Int32Array.from(meetings, (m) => m.firstOn);
    this.secondOn = Int32Array.from(meetings, (m) => m.secondOn);
    this.frames = new Float64Array(PER_FRAME * (1 + frames));
    this.frames.set(IDENTITY);
    this.touching = new Int32Array(meetings.length);
    this.hits = new Float64Array(HIT_SIZE * meetings.length);
    this.#narrow = meetings.map((m) => m.narrow);
    this.#first = meetings.map((m) => m.first.data);
    this.#second = meetings.map((m) => m.second.data);
    this.#uneven = Uint8Array.from(meetings, (m) => Number(m.second.uneven ?? false));
    this.#firstBounds = Float64Array.from(meetings.flatMap((m) => boundNumbers(m.first)));
    this.#secondBounds = Float64Array.from(meetings.flatMap((m) => boundNumbers(m.second)));
    const carriers = [...new Set([...this.firstOn, ...this.secondOn])].sort((a, b) => a - b);
    this.#carriers = Int32Array.from(carriers);
    const carried = carriers.map(() => new Set<ContactPart>());
    const place = new Map(carriers.map((on, i) => [on, i]));
    for (const { first, firstOn, second, secondOn } of meetings) {
      carried[place.get(firstOn)!]!.add(first);
      carried[place.get(secondOn)!]!.add(second);
    }
    this.#around = Float64Array.from(carried.flatMap((parts) => boundNumbers(boundingBall([...parts]))));
    const n = carriers.length;
    this.#between = new Int32Array(n * n).fill(-1);
    const members: number[][] = [];
    for (const [m, { firstOn, secondOn }] of meetings.entries()) {
      const key = place.get(firstOn)! * n + place.get(secondOn)!;
      if (this.#between[key]! < 0) this.#between[key] = members.push([]) - 1;
      members[this.#between[key]!]!.push(m);
    }
    this.#groups = members.map((list) => {
      const { firstOn, secondOn } = meetings[list[0]!]!;
      const ball = boundingBall([...new Set(list.map((m) => meetings[m]!.first))]);
      return {
        firstOn,
        secondOn,
        meetings: Int32Array.from(list),
        ball: Float64Array.from([...ball.centre, ball.reach]),
        X: new Float64Array(12),
        gaps: new Float64Array(list.length),
        least: 0,
        now: new Float64Array(12),
      };
    });
    this.#near = new Int32Array(members.length);
    this.#sweep = new SweepAndPrune(n);
  }

  /** Finds all that touch at the frames of a snapshot. Where these stand as they did, what was found is what there is. */
  findContacts(frames: Float64Array): void {
    const few = this.#groups.length < FEWEST_FOR_SWEEP;
    if (few && this.#areApart(frames)) {
      this.count = 0;
      this.#begun = false; // what was found before is found no more, wherever it was
      return;
    }
    if (!this.#place(frames)) return;
    this.count = 0;
    if (few) {
      for (let g = 0; g < this.#groups.length; g++) this.#look(this.#groups[g]!);
      return;
    }
    this.#nearby = 0;
    this.#fillBalls();
    this.#sweep.forEachOverlap(this.#found);
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
    for (let k = 0; k < this.#nearby; k++) {
      const group = this.#groups[near[k]!]!;
      this.#relate(group, frames);
      this.#look(group);
    }
  }

  /** Whether no group has come so far that something could touch. */
  #areApart(frames: Float64Array): boolean {
    let apart = true;
    for (let g = 0; g < this.#groups.length; g++) {
      const group = this.#groups[g]!;
      this.#relate(group, frames);
      if (!(group.least > motionBound(group))) apart = false;
    }
    return apart;
  }

  /** Where the first of a group stands on the second. */
  #relate({ firstOn, secondOn, now: X }: CarrierPair, frames: Float64Array): void {
    const A = firstOn === 0 ? WORLD : frames;
    const B = secondOn === 0 ? WORLD : frames;
    const a = firstOn === 0 ? 0 : PER_FRAME * (firstOn - 1);
    const b = secondOn === 0 ? 0 : PER_FRAME * (secondOn - 1);
    const px = A[a + 9]! - B[b + 9]!;
    const py = A[a + 10]! - B[b + 10]!;
    const pz = A[a + 11]! - B[b + 11]!;
    for (let i = 0; i < 3; i++) {
      const bx = B[b + i]!;
      const by = B[b + 3 + i]!;
      const bz = B[b + 6 + i]!;
      X[3 * i] = bx * A[a]! + by * A[a + 3]! + bz * A[a + 6]!;
      X[3 * i + 1] = bx * A[a + 1]! + by * A[a + 4]! + bz * A[a + 7]!;
      X[3 * i + 2] = bx * A[a + 2]! + by * A[a + 5]! + bz * A[a + 8]!;
      X[9 + i] = bx * px + by * py + bz * pz;
    }
  }

  /** Takes the frames. Says whether one stands elsewhere than before; velocities do not matter here. */
  #place(frames: Float64Array): boolean {
    const moved = !this.#begun || this.#standsElsewhere(frames);
    this.#begun = true;
    this.frames.set(frames, PER_FRAME);
    return moved;
  }

  #standsElsewhere(frames: Float64Array): boolean {
    const F = this.frames;
    for (let f = 0; f < frames.length; f += PER_FRAME)
      for (let i = f; i < f + POSE_NUMBERS; i++) if (F[PER_FRAME + i] !== frames[i]!) return true;
    return false;
  }

  /** A number that tells sets of touching meetings apart; never zero. */
  signature(frames: Float64Array): number {
    this.findContacts(frames);
    let mix = 0;
    for (let k = 0; k < this.count; k++) mix = (mix + hashIndex(this.touching[k]!)) | 0;
    return (mix >>> 0) + 1;
  }

  readonly #found = (i: number, j: number): void => {
    const n = this.#carriers.length;
    const forward = this.#between[i * n + j]!;
    const backward = this.#between[j * n + i]!;
    if (forward >= 0) this.#near[this.#nearby++] = forward;
    if (backward >= 0) this.#near[this.#nearby++] = backward;
  };

  #fillBalls(): void {
    const { balls } = this.#sweep;
    const F = this.frames;
    const around = this.#around;
    for (let i = 0; i < this.#carriers.length; i++) {
      const f = PER_FRAME * this.#carriers[i]!;
      const x = around[BOUND_SIZE * i]!;
      const y = around[BOUND_SIZE * i + 1]!;
      const z = around[BOUND_SIZE * i + 2]!;
      for (let k = 0; k < 3; k++)
        balls[4 * i + k] = F[f + 3 * k]! * x + F[f + 3 * k + 1]! * y + F[f + 3 * k + 2]! * z + F[f + 9 + k]!;
      balls[4 * i + 3] = around[BOUND_SIZE * i + 3]!;
    }
  }

  /** Looks at all meetings of two carriers that could touch where they stand now. */
  #look(group: CarrierPair): void {
    const { meetings, gaps, now } = group;
    const moved = motionBound(group);
    if (group.least > moved) return;
    group.X.set(now);
    group.least = Number.POSITIVE_INFINITY;
    for (let k = 0; k < meetings.length; k++) {
      const left = gaps[k]! - moved;
      const gap = left > 0 ? left : this.#gap(meetings[k]!, now, PER_FRAME * group.secondOn);
      gaps[k] = gap;
      if (!(gap >= group.least)) group.least = gap;
    }
  }

  /** Looks at a meeting, the first placed by X, the second at `b` of the frames: how far apart they are at least. Notes it where it touches. */
  #gap(m: number, X: Float64Array, b: number): number {
    const apart = this.#apart(BOUND_SIZE * m, X);
    if (apart > 0) return apart;
    const F = this.frames;
    const hit = this.#hit;
    const { hits } = this;
    this.narrowPhaseCalls++;
    this.#narrow[m]!(this.#first[m]!, this.#second[m]!, X, hit);
    if (!(hit[0]! > 0)) return hit[0]! < 0 && this.#uneven[m] === 0 ? -hit[0]! : 0;
    const at = HIT_SIZE * this.count;
    this.touching[this.count++] = m;
    hits[at] = hit[0]!;
    for (let i = 0; i < 3; i++) {
      const r = b + 3 * i;
      hits[at + 1 + i] = F[r]! * hit[1]! + F[r + 1]! * hit[2]! + F[r + 2]! * hit[3]!;
      hits[at + 4 + i] = F[r]! * hit[4]! + F[r + 1]! * hit[5]! + F[r + 2]! * hit[6]! + F[b + 9 + i]!;
    }
    return 0;
  }

  /** How far the bounds of a meeting are apart, the first placed by X; not above zero where they are not. */
  #apart(m: number, X: Float64Array): number {
    const A = this.#firstBounds;
    const B = this.#secondBounds;
    const cx = A[m]!;
    const cy = A[m + 1]!;
    const cz = A[m + 2]!;
    const x = X[0]! * cx + X[1]! * cy + X[2]! * cz + X[9]! - B[m]!;
    const y = X[3]! * cx + X[4]! * cy + X[5]! * cz + X[10]! - B[m + 1]!;
    const z = X[6]! * cx + X[7]! * cy + X[8]! * cz + X[11]! - B[m + 2]!;
    const before = x * B[m + 4]! + y * B[m + 5]! + z * B[m + 6]! - A[m + 3]!;
    const r = A[m + 3]! + B[m + 3]!;
    const away = x * x + y * y + z * z;
    return away > r * r ? Math.max(before, Math.sqrt(away) - r) : before;
  }
}

/** No point of the first parts has moved farther on the second body than this since its gaps were found. */
function motionBound({ X, now, ball }: CarrierPair): number {
  const cx = ball[0]!;
  const cy = ball[1]!;
  const cz = ball[2]!;
  let turned = 0;
  let moved = 0;
  for (let i = 0; i < 3; i++) {
    const rx = now[3 * i]! - X[3 * i]!;
    const ry = now[3 * i + 1]! - X[3 * i + 1]!;
    const rz = now[3 * i + 2]! - X[3 * i + 2]!;
    const p = rx * cx + ry * cy + rz * cz + now[9 + i]! - X[9 + i]!;
    turned += rx * rx + ry * ry + rz * rz;
    moved += p * p;
  }
  return (Math.sqrt(moved) + Math.sqrt(turned) * ball[3]!) * (1 + ROUNDING_MARGIN) + ROUNDING_MARGIN;
}

const boundNumbers = ({ centre, reach, front = [0, 0, 0] }: Omit<ContactPart, "data">): number[] => [...centre, reach, ...front];

/** A ball around parts, about the middle of their box. */
function boundingBall(parts: readonly ContactPart[]): Omit<ContactPart, "data"> {
  const centre = [0, 1, 2].map((i) => {
    const places = parts.map((p) => p.centre[i]!);
    return 0.5 * (smallestOf(places) - smallestOf(places.map((x) => -x)));
  }) as [number, number, number];
  const reaches = parts.map((p) => Math.sqrt(p.centre.reduce((sum, c, i) => sum + (c - centre[i]!) ** 2, 0)) + p.reach);
  return { centre, reach: -smallestOf(reaches.map((r) => -r)) };
}

/** Of lists that may be too long to be arguments. */
const smallestOf = (values: readonly number[]): number => values.reduce((a, b) => Math.min(a, b), Number.POSITIVE_INFINITY);

/** Neighbouring numbers to numbers that have nothing in common. */
function hashIndex(n: number): number {
  let h = Math.imul(n + 1, 0x9e3779b1);
  h = Math.imul(h ^ (h >>> 15), 0x85ebca6b);
  return h ^ (h >>> 13);
}

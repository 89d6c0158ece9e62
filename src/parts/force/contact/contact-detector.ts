/**
 * Finds where shapes touch at a state. All shapes on one frame are enclosed in a ball for the broad phase. Only between frames whose balls
 * overlap are candidates tested, first by their own bounds. Contacts are in world axes.
 *
 * Candidates that do not touch have a gap, and are not tested again until their bodies have moved by that much (carrier-pair.ts). States
 * are evaluated many times per step, so most tests end there.
 */
import { GRAZE } from "../../../sim/events/touch-search.ts";
import { BOUND_SIZE, boundingBall, boundNumbers, gapOfBounds } from "./bounding-ball.ts";
import { type CarriedCandidate, CarrierPair, IDENTITY, PER_FRAME, POSE_NUMBERS } from "./carrier-pair.ts";
import { type ContactPart, HIT_SIZE, type NarrowPhase } from "./narrow-phase.ts";
import { writePatchHit } from "./patches/patch-hit.ts";
import type { PatchFinder } from "./pressure/patch-finder.ts";
import { PatchStore } from "./pressure/patch-store.ts";
import { SweepAndPrune } from "./sweep-and-prune.ts";
import { acts, type TouchMemory } from "./touch-memory.ts";

/** With fewer carrier pairs than this, the broad phase does not pay: their gaps suffice. */
const FEWEST_FOR_SWEEP = 4;

export class ContactDetector {
  /** Number of candidates, and the carriers of the parts of each. */
  readonly size: number;
  readonly firstCarrier: Int32Array;
  readonly secondCarrier: Int32Array;
  /** The world, then the frames of the element, at the last test. */
  readonly frames: Float64Array;
  /** Number of calls of the narrow phase, for tests and benchmarks. */
  narrowPhaseCalls = 0;
  /** Number of contacts, indices of the touching candidates, and their hits: depth, normal (force on the first), point. */
  count = 0;
  readonly touching: Int32Array;
  readonly hits: Float64Array;
  /** Number and indices of the patches that have no contact, but are nearer than `GRAZE` or have an unknown gap. */
  grazeCount = 0;
  readonly grazing: Int32Array;
  /** Patches of touching solids. Per contact: the first and the last of its faces, its potential divided by the modulus, its area. */
  readonly patches = new PatchStore();
  readonly firstFace: Int32Array;
  readonly endFace: Int32Array;
  readonly energies: Float64Array;
  readonly areas: Float64Array;
  /** 1 for each candidate that has a patch. */
  readonly isPatch: Uint8Array;
  /** Form of the patches of each candidate. */
  readonly forms: readonly PatchFinder["form"][];
  readonly #finders: readonly (PatchFinder | undefined)[];
  /** Per candidate: narrow phase, data of the parts, whether the second is uneven, bounds. */
  readonly #narrow: readonly NarrowPhase[];
  readonly #first: readonly Float64Array[];
  readonly #second: readonly Float64Array[];
  readonly #uneven: Uint8Array;
  readonly #firstBounds: Float64Array;
  readonly #secondBounds: Float64Array;
  readonly #carriers: Int32Array;
  /** A ball around all parts of each carrier. */
  readonly #carrierBalls: Float64Array;
  readonly #pairs: readonly CarrierPair[];
  /** Index of the pair of two carriers, first and second; -1 for none. */
  readonly #pairIndex: Int32Array;
  readonly #sweep: SweepAndPrune;
  /** Number and indices of pairs whose balls overlap. */
  #nearCount = 0;
  readonly #near: Int32Array;
  /** True if `frames` and the contacts are those of the last test. */
  #isCurrent = false;
  readonly #hit = new Float64Array(HIT_SIZE);

  /** @param frames number of frames of the element */
  constructor(candidates: readonly CarriedCandidate[], frames: number) {
    this.size = candidates.length;
    this.firstCarrier = Int32Array.from(candidates, (m) => m.firstCarrier);
    this.secondCarrier = Int32Array.from(candidates, (m) => m.secondCarrier);
    this.frames = new Float64Array(PER_FRAME * (1 + frames));
    this.frames.set(IDENTITY);
    this.touching = new Int32Array(candidates.length);
    this.hits = new Float64Array(HIT_SIZE * candidates.length);
    this.isPatch = Uint8Array.from(candidates, (m) => Number(m.patch !== undefined));
    const patchCount = this.isPatch.includes(1) ? candidates.length : 0;
    this.grazing = new Int32Array(patchCount);
    this.firstFace = new Int32Array(patchCount);
    this.endFace = new Int32Array(patchCount);
    this.energies = new Float64Array(patchCount);
    this.areas = new Float64Array(patchCount);
    this.#finders = candidates.map((m) => m.patch?.finder);
    this.forms = this.#finders.map((finder) => finder?.form ?? "points");
    this.#narrow = candidates.map((m) => m.narrow);
    this.#first = candidates.map((m) => m.first.data);
    this.#second = candidates.map((m) => m.second.data);
    this.#uneven = Uint8Array.from(candidates, (m) => Number(m.second.uneven ?? false));
    this.#firstBounds = Float64Array.from(candidates.flatMap((m) => boundNumbers(m.first)));
    this.#secondBounds = Float64Array.from(candidates.flatMap((m) => boundNumbers(m.second)));
    const carriers = [...new Set([...this.firstCarrier, ...this.secondCarrier])].sort((a, b) => a - b);
    const n = carriers.length;
    const indexOf = new Map(carriers.map((carrier, i) => [carrier, i]));
    const parts = carriers.map(() => new Set<ContactPart>());
    const members: number[][] = [];
    this.#carriers = Int32Array.from(carriers);
    this.#pairIndex = new Int32Array(n * n).fill(-1);
    for (const [m, { first, firstCarrier, second, secondCarrier }] of candidates.entries()) {
      const [i, j] = [indexOf.get(firstCarrier)!, indexOf.get(secondCarrier)!];
      parts[i]!.add(first);
      parts[j]!.add(second);
      const key = i * n + j;
      if (this.#pairIndex[key]! < 0) this.#pairIndex[key] = members.push([]) - 1;
      members[this.#pairIndex[key]!]!.push(m);
    }
    this.#carrierBalls = Float64Array.from(parts.flatMap((carried) => boundNumbers(boundingBall([...carried]))));
    this.#pairs = members.map((list) => new CarrierPair(candidates, list));
    this.#near = new Int32Array(members.length);
    this.#sweep = new SweepAndPrune(n);
  }

  /** Finds all contacts at the frames of a snapshot. If no frame has moved since the last test, its contacts remain. */
  findContacts(frames: Float64Array): void {
    const hasFewPairs = this.#pairs.length < FEWEST_FOR_SWEEP;
    if (hasFewPairs && this.#areApart(frames)) {
      this.count = 0;
      this.grazeCount = 0;
      this.#isCurrent = false;
      return;
    }
    if (!this.#updateFrames(frames)) return;
    this.count = 0;
    this.grazeCount = 0;
    this.patches.clear();
    if (hasFewPairs) {
      for (let g = 0; g < this.#pairs.length; g++) this.#testPair(this.#pairs[g]!);
      return;
    }
    this.#nearCount = 0;
    this.#placeBalls();
    this.#sweep.forEachOverlap(this.#addNearPairs);
    this.#sortNearPairs();
    for (let k = 0; k < this.#nearCount; k++) {
      const pair = this.#pairs[this.#near[k]!]!;
      pair.updatePose(frames);
      this.#testPair(pair);
    }
  }

  /** A number that identifies the set of touching points that act; never zero. Patches open without a jump and without an event. */
  signature(frames: Float64Array, memory?: TouchMemory): number {
    this.findContacts(frames);
    let mix = 0;
    for (let k = 0; k < this.count; k++) {
      const m = this.touching[k]!;
      if (this.isPatch[m] === 0 && acts(memory, m)) mix = (mix + hashIndex(m)) | 0;
    }
    return (mix >>> 0) + 1;
  }

  /** Updates all pairs. Returns whether none has moved so far that candidates could touch. */
  #areApart(frames: Float64Array): boolean {
    let areApart = true;
    for (let g = 0; g < this.#pairs.length; g++) {
      const pair = this.#pairs[g]!;
      pair.updatePose(frames);
      if (!(pair.smallestGap > pair.motionBound())) areApart = false;
    }
    return areApart;
  }

  /** Copies the frames. Returns whether a pose has changed; velocities do not matter here. */
  #updateFrames(frames: Float64Array): boolean {
    const hasMoved = !this.#isCurrent || this.#hasOtherPose(frames);
    this.#isCurrent = true;
    this.frames.set(frames, PER_FRAME);
    return hasMoved;
  }

  #hasOtherPose(frames: Float64Array): boolean {
    const F = this.frames;
    for (let f = 0; f < frames.length; f += PER_FRAME)
      for (let i = f; i < f + POSE_NUMBERS; i++) if (!Object.is(F[PER_FRAME + i], frames[i])) return true; // also for another sign of zero
    return false;
  }

  /** Writes the balls of all carriers in world axes. */
  #placeBalls(): void {
    const { balls } = this.#sweep;
    const F = this.frames;
    const local = this.#carrierBalls;
    for (let i = 0; i < this.#carriers.length; i++) {
      const f = PER_FRAME * this.#carriers[i]!;
      const x = local[BOUND_SIZE * i]!;
      const y = local[BOUND_SIZE * i + 1]!;
      const z = local[BOUND_SIZE * i + 2]!;
      for (let k = 0; k < 3; k++)
        balls[4 * i + k] = F[f + 3 * k]! * x + F[f + 3 * k + 1]! * y + F[f + 3 * k + 2]! * z + F[f + 9 + k]!;
      balls[4 * i + 3] = local[BOUND_SIZE * i + 3]!;
    }
  }

  /** Adds the pairs of two carriers whose balls overlap. */
  readonly #addNearPairs = (i: number, j: number): void => {
    const n = this.#carriers.length;
    const forward = this.#pairIndex[i * n + j]!;
    const backward = this.#pairIndex[j * n + i]!;
    if (forward >= 0) this.#near[this.#nearCount++] = forward;
    if (backward >= 0) this.#near[this.#nearCount++] = backward;
  };

  /** Sorts the near pairs by index, so that sums of forces are the same to the last bit whatever the earlier states were. */
  #sortNearPairs(): void {
    const near = this.#near;
    for (let k = 1; k < this.#nearCount; k++) {
      const g = near[k]!;
      let j = k - 1;
      while (j >= 0 && near[j]! > g) {
        near[j + 1] = near[j]!;
        j--;
      }
      near[j + 1] = g;
    }
  }

  /** Tests all candidates of a pair that could touch at its present pose. */
  #testPair(pair: CarrierPair): void {
    const { candidates, gaps, X } = pair;
    const motion = pair.motionBound();
    if (pair.smallestGap > motion) return;
    pair.gapPose.set(X);
    pair.smallestGap = Number.POSITIVE_INFINITY;
    for (let k = 0; k < candidates.length; k++) {
      const remainingGap = gaps[k]! - motion;
      const gap = remainingGap > 0 ? remainingGap : this.#testCandidate(candidates[k]!, X, PER_FRAME * pair.secondCarrier);
      gaps[k] = gap;
      if (!(gap >= pair.smallestGap)) pair.smallestGap = gap;
    }
  }

  /**
   * Tests a candidate, the first part placed by X on the second, whose frame begins at `b`. Records a contact. Returns a lower bound of the
   * gap, 0 if the parts touch.
   */
  #testCandidate(m: number, X: Float64Array, b: number): number {
    const boundGap = gapOfBounds(this.#firstBounds, this.#secondBounds, BOUND_SIZE * m, X);
    if (boundGap > 0) return boundGap;
    const F = this.frames;
    const hit = this.#hit;
    const { hits } = this;
    this.narrowPhaseCalls++;
    const finder = this.#finders[m];
    if (finder !== undefined) return this.#findPatch(m, finder, X);
    this.#narrow[m]!(this.#first[m]!, this.#second[m]!, X, hit);
    if (!(hit[0]! > 0)) return hit[0]! < 0 && this.#uneven[m] === 0 ? -hit[0]! : 0;
    const h = HIT_SIZE * this.count;
    this.touching[this.count++] = m;
    hits[h] = hit[0]!;
    for (let i = 0; i < 3; i++) {
      const r = b + 3 * i;
      hits[h + 1 + i] = F[r]! * hit[1]! + F[r + 1]! * hit[2]! + F[r + 2]! * hit[3]!;
      hits[h + 4 + i] = F[r]! * hit[4]! + F[r + 1]! * hit[5]! + F[r + 2]! * hit[6]! + F[b + 9 + i]!;
    }
    return 0;
  }

  /** Finds the patch of a candidate and records it as a contact. Returns as `#testCandidate`. */
  #findPatch(m: number, finder: PatchFinder, X: Float64Array): number {
    const { patches, count: k } = this;
    const firstFace = patches.faceCount;
    const depth = finder.find(X, patches);
    if (!(depth > 0)) {
      if (-depth < GRAZE) this.grazing[this.grazeCount++] = m;
      return this.#uneven[m] === 0 && isRotation(X) ? -depth : 0;
    }
    this.touching[k] = m;
    this.firstFace[k] = firstFace;
    this.endFace[k] = patches.faceCount;
    this.energies[k] = patches.energy;
    this.areas[k] = patches.area;
    this.hits[HIT_SIZE * k] = depth;
    writePatchHit(patches, firstFace, this.frames, PER_FRAME * this.firstCarrier[m]!, this.hits, HIT_SIZE * k);
    this.count++;
    return 0;
  }
}

/** Allowed difference of the sum of squares of a rotation matrix from 3. */
const ROTATION_TOLERANCE = 1e-6;

/**
 * True if a pose has a rotation. In trial stages of an integrator a quaternion may be far from unit length: the solids are distorted there, and
 * their gap says nothing about the true one. A gap that was kept would hide the next touch.
 */
function isRotation(X: Float64Array): boolean {
  let squares = 0;
  for (let i = 0; i < 9; i++) squares += X[i]! * X[i]!;
  return Math.abs(squares - 3) < ROTATION_TOLERANCE;
}

/** Hash of a candidate's index, so that sums of neighbouring indices differ. */
function hashIndex(n: number): number {
  let h = Math.imul(n + 1, 0x9e3779b1);
  h = Math.imul(h ^ (h >>> 15), 0x85ebca6b);
  return h ^ (h >>> 13);
}

/** Finds the first touch of a wheel that is above the ground within a step: see touch-search.ts. */
import { gapSteepness, type Terrain } from "../../../ground/terrain.ts";
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
import type { WheelContact } from "./wheel-contact.ts";

/** A step is searched if the wheel could touch by moving this many times as far as its positions and speeds at both ends of the step say. */
const FAR = 4;
/** Tilt of the axle within a piece of motion beyond which it is halved, rad. */
const LARGEST_TILT = 0.5;

/** Where the position, the spin and the velocity begin in the numbers of a frame. */
const [POSITION, SPIN, VELOCITY, PER_FRAME] = [9, 12, 15, 18] as const;

export class WheelSearch implements TouchSuspects {
  readonly #contact: WheelContact;
  readonly #terrain: Terrain;
  readonly #radius: number;
  /** Largest change of the gap per distance moved. */
  readonly #steepness: number;
  readonly #slots: Float64Array[] = [];
  /** Gap and tilt rate of the axle at each slot. */
  readonly #gaps: number[] = [];
  readonly #tilts: number[] = [];
  readonly #P = new Float64Array(3 * PER_POINT);

  /** @param contact scratch for the contact at a sample */
  constructor(contact: WheelContact, radius: number, terrain: Terrain) {
    this.#contact = contact;
    this.#terrain = terrain;
    this.#radius = radius;
    this.#steepness = gapSteepness(terrain);
  }

  /** Time of the first touch; infinite if there is none, or if the wheel is in the ground already. */
  firstIn(motion: StepMotion): number {
    this.take(0, motion.at(motion.from));
    if (!(this.#gaps[0]! > 0)) return Number.POSITIVE_INFINITY;
    this.take(1, motion.at(motion.to));
    const h = motion.to - motion.from;
    this.#sample(0, 0);
    this.#sample(1, 2);
    const P = this.#P;
    const speed = Math.sqrt(
      Math.max(P[3]! * P[3]! + P[4]! * P[4]! + P[5]! * P[5]!, P[15]! * P[15]! + P[16]! * P[16]! + P[17]! * P[17]!),
    );
    const tilt = h * Math.max(this.#tilts[0]!, this.#tilts[1]!);
    const moved = FAR * (Math.max(distanceBetween(P, 0, 2), h * speed) + this.#radius * tilt);
    const isFar = this.#gaps[1]! > 0 && this.#gaps[0]! + this.#gaps[1]! > this.#steepness * moved;
    return isFar ? Number.POSITIVE_INFINITY : firstTouch(motion, this, 1);
  }

  take(slot: number, s: Snapshot): void {
    while (this.#slots.length <= slot) this.#slots.push(new Float64Array(PER_FRAME));
    const F = this.#slots[slot]!;
    F.set(s.frames);
    this.#gaps[slot] = this.#contact.locate(F, 0, this.#terrain) ? -this.#contact.sinkage : Number.NaN;
    const { axle } = this.#contact;
    const along = axle[0]! * F[SPIN]! + axle[1]! * F[SPIN + 1]! + axle[2]! * F[SPIN + 2]!;
    let square = 0;
    for (let i = 0; i < 3; i++) square += (F[SPIN + i]! - along * axle[i]!) * (F[SPIN + i]! - along * axle[i]!);
    this.#tilts[slot] = Math.sqrt(square);
  }

  touches(_count: number, slot: number): boolean {
    return this.#gaps[slot]! < 0;
  }

  keepNear(_count: number, a: number, m: number, b: number, h: number): number {
    const gaps = this.#gaps;
    const tilts = this.#tilts;
    if (gaps[m]! < 0 || gaps[b]! < 0) return 1;
    this.#sample(a, 0);
    this.#sample(m, 1);
    this.#sample(b, 2);
    const P = this.#P;
    const r = this.#radius;
    const steepness = this.#steepness;
    const tilt = h * Math.max(tilts[a]!, tilts[m]!, tilts[b]!);
    const D = deviationOf(P, h) + 0.25 * r * (tilt * tilt + h * Math.abs(tilts[b]! - tilts[a]!));
    const before = distanceBetween(P, 0, 1) + D + 0.5 * tilt * r;
    const after = distanceBetween(P, 1, 2) + D + 0.5 * tilt * r;
    const moved = before + after;
    if (moved < GRAZE) return 0;
    if (tilt > LARGEST_TILT) return 1;
    if (gaps[a]! + gaps[m]! > steepness * before && gaps[m]! + gaps[b]! > steepness * after) return 0;
    // Over short distances the gap is convex but for the curvature of the ground, which is not more curved than the wheel.
    const isFree = convexBound(gaps[a]!, gaps[m]!, gaps[b]!, steepness * D + (moved * moved) / (2 * r)) > -GRAZE;
    return moved < r / 4 && isFree ? 0 : 1;
  }

  /** Writes position and velocity of the wheel's centre at a slot to sample i of P. */
  #sample(slot: number, i: number): void {
    const F = this.#slots[slot]!;
    for (let k = 0; k < 3; k++) {
      this.#P[PER_POINT * i + k] = F[POSITION + k]!;
      this.#P[PER_POINT * i + 3 + k] = F[VELOCITY + k]!;
    }
  }
}

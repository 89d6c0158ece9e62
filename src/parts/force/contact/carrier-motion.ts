/** Samples of the motion of carriers within a step, for the search of first touches. */
import { distanceBetween, PER_POINT } from "../../../sim/events/touch-search.ts";
import { IDENTITY, PER_FRAME } from "./carrier-pair.ts";

export class CarrierMotion {
  /** Samples 0, 1 and 2 of a point: position and velocity in axes of a carrier. */
  readonly P = new Float64Array(3 * PER_POINT);
  readonly #numbers: number;
  /** The world and the frames of the element, per slot. */
  readonly #slots: Float64Array[] = [];

  /** @param frames number of frames of the element */
  constructor(frames: number) {
    this.#numbers = PER_FRAME * (1 + frames);
  }

  /** Keeps the frames of a snapshot in a slot. */
  take(slot: number, frames: Float64Array): void {
    while (this.#slots.length <= slot) {
      const world = new Float64Array(this.#numbers);
      world.set(IDENTITY);
      this.#slots.push(world);
    }
    this.#slots[slot]!.set(frames, PER_FRAME);
  }

  /** The world, then the frames, at a slot. */
  at(slot: number): Float64Array {
    return this.#slots[slot]!;
  }

  /** Relative spin of the frames at a and b at a slot, rad/s. */
  spin(a: number, b: number, slot: number): number {
    const F = this.#slots[slot]!;
    const x = F[a + 12]! - F[b + 12]!;
    const y = F[a + 13]! - F[b + 13]!;
    const z = F[a + 14]! - F[b + 14]!;
    return Math.sqrt(x * x + y * y + z * z);
  }

  /** Motion between samples 0 and 2 of P: the distance, or h times the larger speed. */
  apparent(h: number): number {
    const { P } = this;
    const v0 = P[3]! * P[3]! + P[4]! * P[4]! + P[5]! * P[5]!;
    const v1 = P[15]! * P[15]! + P[16]! * P[16]! + P[17]! * P[17]!;
    return Math.max(distanceBetween(P, 0, 2), h * Math.sqrt(Math.max(v0, v1)));
  }

  /** Writes position and velocity of a point c of the frame at a, seen from the frame at b, at a slot to sample i of P. */
  samplePoint(a: number, b: number, c: readonly [number, number, number], slot: number, i: number): void {
    const F = this.#slots[slot]!;
    const { P } = this;
    const cx = c[0];
    const cy = c[1];
    const cz = c[2];
    const x = F[a]! * cx + F[a + 1]! * cy + F[a + 2]! * cz;
    const y = F[a + 3]! * cx + F[a + 4]! * cy + F[a + 5]! * cz;
    const z = F[a + 6]! * cx + F[a + 7]! * cy + F[a + 8]! * cz;
    const dx = F[a + 9]! - F[b + 9]! + x;
    const dy = F[a + 10]! - F[b + 10]! + y;
    const dz = F[a + 11]! - F[b + 11]! + z;
    const vx = F[a + 15]! - F[b + 15]! + F[a + 13]! * z - F[a + 14]! * y - F[b + 13]! * dz + F[b + 14]! * dy;
    const vy = F[a + 16]! - F[b + 16]! + F[a + 14]! * x - F[a + 12]! * z - F[b + 14]! * dx + F[b + 12]! * dz;
    const vz = F[a + 17]! - F[b + 17]! + F[a + 12]! * y - F[a + 13]! * x - F[b + 12]! * dy + F[b + 13]! * dx;
    const p = PER_POINT * i;
    for (let k = 0; k < 3; k++) {
      P[p + k] = F[b + k]! * dx + F[b + 3 + k]! * dy + F[b + 6 + k]! * dz;
      P[p + 3 + k] = F[b + k]! * vx + F[b + 3 + k]! * vy + F[b + 6 + k]! * vz;
    }
  }
}

import type { NumericVec3 } from "castor/model";

/** The axis-aligned bounding box of spheres. */
export class BoundingBox {
  readonly #low: [number, number, number] = [1 / 0, 1 / 0, 1 / 0];
  readonly #high: [number, number, number] = [-1 / 0, -1 / 0, -1 / 0];

  add(p: NumericVec3, r: number): void {
    for (const k of [0, 1, 2] as const) {
      this.#low[k] = Math.min(this.#low[k], p[k] - r);
      this.#high[k] = Math.max(this.#high[k], p[k] + r);
    }
  }

  contains(p: NumericVec3): boolean {
    return ([0, 1, 2] as const).every((k) => p[k] > this.#low[k] && p[k] < this.#high[k]);
  }

  get middle(): NumericVec3 {
    return this.#low.map((l, k) => (l + this.#high[k]!) / 2) as unknown as NumericVec3;
  }

  /** Radius of the sphere around the box. */
  get radius(): number {
    return Math.hypot(...this.#low.map((l, k) => this.#high[k]! - l)) / 2;
  }
}

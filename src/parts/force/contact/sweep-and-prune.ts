/**
 * Broad phase: finds overlapping balls by sorting them along one world axis. The order is kept between calls, so sorting balls that have
 * hardly moved is cheap. Balls that are far apart cost nothing beyond the sort. Nothing is allocated.
 */
export class SweepAndPrune {
  readonly #n: number;
  readonly #order: Int32Array;
  readonly #low: Float64Array;
  /** Centre and radius of each ball, 4 numbers: write them before `forEachOverlap`. A ball of infinite radius overlaps with all. */
  readonly balls: Float64Array;

  constructor(n: number) {
    this.#n = n;
    this.#order = Int32Array.from({ length: n }, (_, i) => i);
    this.#low = new Float64Array(n);
    this.balls = new Float64Array(4 * n);
  }

  /** Calls `onOverlap` once for each overlapping pair, in an order on which nothing may depend. */
  forEachOverlap(onOverlap: (i: number, j: number) => void): void {
    const n = this.#n;
    if (n === 2) {
      if (this.#overlap(0, 1)) onOverlap(0, 1);
      return;
    }
    const { balls } = this;
    const order = this.#order;
    const low = this.#low;
    const axis = this.#longest();
    for (let i = 0; i < n; i++) low[i] = balls[4 * i + axis]! - balls[4 * i + 3]!;
    for (let k = 1; k < n; k++) {
      const item = order[k]!;
      const lowOfItem = low[item]!;
      let j = k - 1;
      while (j >= 0 && low[order[j]!]! > lowOfItem) {
        order[j + 1] = order[j]!;
        j--;
      }
      order[j + 1] = item;
    }
    for (let k = 0; k < n; k++) {
      const i = order[k]!;
      const high = balls[4 * i + axis]! + balls[4 * i + 3]!;
      for (let m = k + 1; m < n; m++) {
        const j = order[m]!;
        if (low[j]! > high) break;
        if (this.#overlap(i, j)) onOverlap(i, j);
      }
    }
  }

  #overlap(i: number, j: number): boolean {
    const { balls } = this;
    const dx = balls[4 * i]! - balls[4 * j]!;
    const dy = balls[4 * i + 1]! - balls[4 * j + 1]!;
    const dz = balls[4 * i + 2]! - balls[4 * j + 2]!;
    const r = balls[4 * i + 3]! + balls[4 * j + 3]!;
    return dx * dx + dy * dy + dz * dz <= r * r;
  }

  /** The axis along which the centres are spread most. */
  #longest(): 0 | 1 | 2 {
    const { balls } = this;
    let best: 0 | 1 | 2 = 0;
    let most = -1;
    for (let axis = 0; axis < 3; axis++) {
      let least = Number.POSITIVE_INFINITY;
      let largest = Number.NEGATIVE_INFINITY;
      for (let i = 0; i < this.#n; i++) {
        const x = balls[4 * i + axis]!;
        if (x < least) least = x;
        if (x > largest) largest = x;
      }
      if (largest - least > most) {
        most = largest - least;
        best = axis as 0 | 1 | 2;
      }
    }
    return best;
  }
}

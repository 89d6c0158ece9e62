/**
 * Least distances as rows of the quadratic program. A row bounds the smallest distance D of a pair during the stop that follows the coming step,
 * not the present distance, so that the robot can always stop in time. With x the mean accelerations over the step:
 *
 *   D(x) ≈ D(x0) + g C (x - x0) ≥ wanted                                                                              (1)
 *
 * g is the gradient of the distance at the node of the stop where it is smallest, and C the diagonal of the derivatives of the hinge angles
 * there with respect to x. Each pair has two rows: one with x0 the accelerations of the stored stop, and one with x0 those of the last
 * solution of the program, where another place of the bodies may have become the nearest. The stored stop itself keeps the first rows.
 */
import type { BrakingPath } from "./braking/braking-path.ts";
import type { ClearanceScan } from "./clearance-scan.ts";

/** The wanted distance beyond the limit, in margins of the scan: more than the guard demands, so that it seldom intervenes. */
const WANTED_MARGINS = 2;
/** Deviation of a distance from the wanted one that is accepted, in margins. */
const TOLERATED_MARGINS = 0.05;
/** Share of a missing distance that is regained in one step. */
const RECOVERY = 0.1;

export class ClearanceRows {
  /** Rows over φ̈ by rows, and their lower bounds; -Infinity where a pair is far apart. */
  readonly A: Float64Array;
  readonly lower: Float64Array;
  readonly count: number;
  readonly #n: number;
  readonly #scan: ClearanceScan;
  readonly #path: BrakingPath;
  /** Share of the remaining distance that may be used in one step. */
  readonly #share: number;
  /** Wanted D of each pair, less its limit. */
  readonly #wanted: Float64Array;
  readonly #gradient: Float64Array;

  /** @param times length of a step, and time within which a distance may reach its limit, s */
  constructor(
    scan: ClearanceScan,
    path: BrakingPath,
    n: number,
    { T, horizon }: { readonly T: number; readonly horizon: number },
  ) {
    const pairs = scan.pairs.length;
    this.count = 2 * pairs;
    this.A = new Float64Array(this.count * n);
    this.lower = new Float64Array(this.count).fill(Number.NEGATIVE_INFINITY);
    this.#n = n;
    this.#scan = scan;
    this.#path = path;
    this.#share = T / horizon;
    this.#wanted = new Float64Array(pairs);
    this.#gradient = new Float64Array(n);
  }

  /** Makes all rows inactive. */
  clear(): void {
    this.lower.fill(Number.NEGATIVE_INFINITY);
  }

  /** Writes the first rows, at the accelerations of the stored stop. */
  begin(q: Float64Array, rates: Float64Array, stop: Float64Array, decelerations: Float64Array): void {
    const { excess, margins } = this.#scan;
    const wanted = this.#wanted;
    this.clear();
    this.#path.set(rates, stop, decelerations);
    this.#scan.follow(q, this.#path);
    for (let p = 0; p < wanted.length; p++) {
      const least = WANTED_MARGINS * margins[p]!;
      wanted[p] = least;
      if (excess[p] === Number.POSITIVE_INFINITY) continue;
      const spare = excess[p]! - least;
      wanted[p] = least + (spare > 0 ? (1 - this.#share) * spare : (1 - RECOVERY) * spare);
      this.#writeRow(p, p, stop);
    }
  }

  /** Writes the second rows, at the mean accelerations of a solution. Returns whether it keeps the wanted distances. */
  correct(q: Float64Array, rates: Float64Array, means: Float64Array, decelerations: Float64Array): boolean {
    const { excess, margins } = this.#scan;
    const pairs = this.#wanted.length;
    this.#path.set(rates, means, decelerations);
    this.#scan.follow(q, this.#path);
    let isKept = true;
    for (let p = 0; p < pairs; p++) {
      this.lower[pairs + p] = Number.NEGATIVE_INFINITY;
      if (excess[p] === Number.POSITIVE_INFINITY) continue;
      this.#writeRow(pairs + p, p, means);
      if (excess[p]! < this.#wanted[p]! - TOLERATED_MARGINS * margins[p]!) isKept = false;
    }
    return isKept;
  }

  /** Writes (1) for a pair at the last path, scaled so that its largest entry is 1. */
  #writeRow(row: number, p: number, x: Float64Array): void {
    const n = this.#n;
    const gradient = this.#gradient;
    const t = this.#scan.times[p]!;
    this.#scan.writeGradient(p, gradient);
    let largest = 0;
    let atX = 0;
    for (let j = 0; j < n; j++) {
      gradient[j]! *= this.#path.sensitivity(j, Math.max(t, this.#path.first));
      largest = Math.max(largest, Math.abs(gradient[j]!));
      atX += gradient[j]! * x[j]!;
    }
    if (largest === 0) return;
    for (let j = 0; j < n; j++) this.A[row * n + j] = gradient[j]! / largest;
    this.lower[row] = (this.#wanted[p]! - this.#scan.excess[p]! + atX) / largest;
  }
}

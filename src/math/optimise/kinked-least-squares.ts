/**
 * Least squares with kinks at zero: y = a + B z of least
 *
 *   F = |y|² + Σ (y_i < 0 ? below_i : above_i) y_i,   below_i ≤ above_i
 *
 * F is strictly convex in y, so y is unique and continuous in the data. With Q an orthonormal basis of the columns of B, and a made
 * orthogonal to them, y = a + Q v and F = |a|² + |v|² + the kinked terms. The method is an active set of entries held at their kink. Each
 * round goes along the line to the minimum of the present quadratic piece, over kinks as long as F falls, and exactly to the lowest
 * point of the line. F falls in every round, from the plain least squares solution on, so the sequence of active sets is finite.
 */
import { choleskySolver } from "../linear/cholesky.ts";

/** A column of B within this distance from the span of others, relative to its length, is left out. */
const DEPENDENT = 1e-12;
/** Steps and multipliers below this, relative to the largest terms, are rounding. */
const ROUNDING = 1e-13;

/** For `count` entries of y and up to `maxColumns` columns of B. Solving allocates nothing. */
export class KinkedLeastSquares {
  /** Data: B by columns with `count` entries each, and a; both are overwritten, B with its basis Q and a with the solution y. */
  readonly B: Float64Array;
  readonly y: Float64Array;
  readonly below: Float64Array;
  readonly above: Float64Array;
  readonly #count: number;
  readonly #slope: Float64Array;
  readonly #dy: Float64Array;
  readonly #held: Int32Array;
  readonly #isHeld: Uint8Array;
  readonly #v: Float64Array;
  readonly #d: Float64Array;
  readonly #multipliers: Float64Array;
  readonly #gram: Float64Array;
  readonly #factors: readonly ReturnType<typeof choleskySolver>[];
  #rank = 0;
  #heldCount = 0;

  constructor(count: number, maxColumns: number) {
    const entries = (): Float64Array => new Float64Array(count);
    const columns = (): Float64Array => new Float64Array(maxColumns);
    this.#count = count;
    this.B = new Float64Array(count * maxColumns);
    [this.y, this.below, this.above, this.#slope, this.#dy] = [entries(), entries(), entries(), entries(), entries()];
    this.#held = new Int32Array(maxColumns);
    this.#isHeld = new Uint8Array(count);
    [this.#v, this.#d, this.#multipliers] = [columns(), columns(), columns()];
    this.#gram = new Float64Array(maxColumns * maxColumns);
    this.#factors = Array.from({ length: maxColumns + 1 }, (_, k) => choleskySolver(k));
  }

  #q(i: number, k: number): number {
    return this.B[k * this.#count + i]!;
  }

  /** Makes the columns of B orthonormal (twice, so that rounding does not matter), and y orthogonal to them. */
  #orthogonalise(columns: number): void {
    this.#rank = 0;
    for (let c = 0; c < columns; c++) {
      const [from, to] = [c * this.#count, this.#rank * this.#count];
      let length = 0;
      for (let i = 0; i < this.#count; i++) {
        this.B[to + i] = this.B[from + i]!;
        length += this.B[to + i]! * this.B[to + i]!;
      }
      this.#removeColumns(this.B, to);
      this.#removeColumns(this.B, to);
      let rest = 0;
      for (let i = 0; i < this.#count; i++) rest += this.B[to + i]! * this.B[to + i]!;
      if (!(rest > DEPENDENT * DEPENDENT * length)) continue;
      const scale = 1 / Math.sqrt(rest);
      for (let i = 0; i < this.#count; i++) this.B[to + i]! *= scale;
      this.#rank++;
    }
    this.#removeColumns(this.y, 0);
    this.#removeColumns(this.y, 0);
  }

  /** x := x - Q Qᵀ x for the entries of x from `first` on. */
  #removeColumns(x: Float64Array, first: number): void {
    for (let k = 0; k < this.#rank; k++) {
      let component = 0;
      for (let i = 0; i < this.#count; i++) component += this.#q(i, k) * x[first + i]!;
      for (let i = 0; i < this.#count; i++) x[first + i]! -= component * this.#q(i, k);
    }
  }

  /** d, from v to the minimum of |v|² + slopes with the held entries at zero: v = -g/2 + Q_Kᵀ μ. Returns |d|² relative to |v|² and |g|². */
  #stepToPieceMinimum(): number {
    let size = 0;
    for (let k = 0; k < this.#rank; k++) {
      let g = 0;
      for (let i = 0; i < this.#count; i++) if (!this.#isHeld[i]) g += this.#slope[i]! * this.#q(i, k);
      this.#d[k] = -0.5 * g - this.#v[k]!;
      size = Math.max(size, Math.abs(g), Math.abs(this.#v[k]!));
    }
    for (let a = 0; a < this.#heldCount; a++) {
      this.#multipliers[a] = -this.y[this.#held[a]!]!;
      for (let k = 0; k < this.#rank; k++) this.#multipliers[a]! -= this.#q(this.#held[a]!, k) * this.#d[k]!;
      for (let b = 0; b <= a; b++) {
        let sum = 0;
        for (let k = 0; k < this.#rank; k++) sum += this.#q(this.#held[a]!, k) * this.#q(this.#held[b]!, k);
        this.#gram[a * this.#heldCount + b] = sum;
      }
    }
    this.#factors[this.#heldCount]!.factor(this.#gram);
    this.#factors[this.#heldCount]!.solve(this.#multipliers);
    let length = 0;
    for (let k = 0; k < this.#rank; k++) {
      for (let a = 0; a < this.#heldCount; a++) this.#d[k]! += this.#multipliers[a]! * this.#q(this.#held[a]!, k);
      length = Math.max(length, Math.abs(this.#d[k]!));
    }
    return size > 0 ? length / size : 0;
  }

  /** The next kink on the line beyond t, or -1. A kink counts if the entry moves from the side of its present slope to the other one. */
  #nextKink(t: number): number {
    let [best, bestTime] = [-1, Number.POSITIVE_INFINITY];
    for (let i = 0; i < this.#count; i++) {
      if (this.#isHeld[i] || this.below[i] === this.above[i]) continue;
      const isMovingOver = this.#slope[i] === this.above[i] ? this.#dy[i]! < 0 : this.#dy[i]! > 0;
      if (!isMovingOver) continue;
      const time = Math.max(t, -this.y[i]! / this.#dy[i]!);
      if (time < bestTime) [best, bestTime] = [i, time];
    }
    return best;
  }

  /** Goes along d to the lowest point of F. */
  #searchLine(): void {
    let [rate, curvature, t] = [0, 0, 0];
    for (let k = 0; k < this.#rank; k++) {
      rate += 2 * this.#v[k]! * this.#d[k]!;
      curvature += 2 * this.#d[k]! * this.#d[k]!;
    }
    for (let i = 0; i < this.#count; i++) {
      this.#dy[i] = 0;
      for (let k = 0; k < this.#rank; k++) this.#dy[i]! += this.#q(i, k) * this.#d[k]!;
      if (this.#isHeld[i]) this.#dy[i] = -this.y[i]!;
      else rate += this.#slope[i]! * this.#dy[i]!;
    }
    let kinkAtEnd = -1;
    for (;;) {
      const kink = this.#nextKink(t);
      const lowest = t + Math.max(0, -rate / curvature);
      const time = kink < 0 ? Number.POSITIVE_INFINITY : Math.max(t, -this.y[kink]! / this.#dy[kink]!);
      if (lowest <= time) {
        t = lowest;
        break;
      }
      rate += curvature * (time - t);
      t = time;
      const otherSlope = this.#slope[kink] === this.above[kink] ? this.below[kink]! : this.above[kink]!;
      const rateBeyond = rate + (otherSlope - this.#slope[kink]!) * this.#dy[kink]!;
      if (rateBeyond >= 0 && this.#heldCount < this.#rank) {
        kinkAtEnd = kink;
        break;
      }
      this.#slope[kink] = otherSlope;
      rate = rateBeyond;
    }
    for (let k = 0; k < this.#rank; k++) this.#v[k]! += t * this.#d[k]!;
    for (let i = 0; i < this.#count; i++) this.y[i]! += t * this.#dy[i]!;
    if (kinkAtEnd < 0) return;
    this.#held[this.#heldCount++] = kinkAtEnd;
    this.#isHeld[kinkAtEnd] = 1;
    this.y[kinkAtEnd] = 0;
  }

  /** Releases the held entry whose multiplier is furthest outside of its range. False if there is none: the solution is found. */
  #release(): boolean {
    let [worst, worstExcess] = [-1, 0];
    for (let a = 0; a < this.#heldCount; a++) {
      const i = this.#held[a]!;
      const multiplier = -2 * this.#multipliers[a]!;
      const excess = Math.max(this.below[i]! - multiplier, multiplier - this.above[i]!);
      if (excess > ROUNDING * Math.max(Math.abs(this.above[i]!), Math.abs(this.below[i]!)) && excess > worstExcess)
        [worst, worstExcess] = [a, excess];
    }
    if (worst < 0) return false;
    const i = this.#held[worst]!;
    this.#slope[i] = -2 * this.#multipliers[worst]! > this.above[i]! ? this.above[i]! : this.below[i]!;
    this.#isHeld[i] = 0;
    for (let a = worst + 1; a < this.#heldCount; a++) this.#held[a - 1] = this.#held[a]!;
    this.#heldCount--;
    return true;
  }

  /** Replaces a in `y` by the solution, for `columns` columns of B. Returns the number of rounds. */
  solve(columns: number): number {
    this.#orthogonalise(columns);
    this.#v.fill(0);
    this.#isHeld.fill(0);
    this.#heldCount = 0;
    for (let i = 0; i < this.#count; i++) this.#slope[i] = this.y[i]! < 0 ? this.below[i]! : this.above[i]!;
    const mostRounds = 20 * (this.#count + 1);
    for (let round = 0; round < mostRounds; round++) {
      if (this.#stepToPieceMinimum() > ROUNDING) this.#searchLine();
      else if (!this.#release()) return round;
    }
    return mostRounds; // ties in rounding; F has not risen since the plain least squares solution
  }
}

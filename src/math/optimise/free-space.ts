/**
 * Solution set of the equations decided so far: x + N z with any z. N is n × freedom, orthonormal up to the scale of the unknowns. Before
 * the first level N is diagonal, and only its diagonal is kept. Methods allocate nothing.
 */
import type { PivotedQR } from "../linear/pivoted-qr.ts";
import { rowTimesMatrix } from "../linear/row-times-matrix.ts";

/** `count` rows of a matrix A with n columns, stored by rows, from row `first` on. */
export interface LinearRows {
  readonly A: Float64Array;
  readonly first: number;
  readonly count: number;
}

export class FreeSpace {
  readonly n: number;
  readonly x: Float64Array;
  /** Number of columns of N. */
  freedom: number;
  /** By columns, with space for one more column. Call `writeDiagonal` before reading it. */
  readonly N: Float64Array;
  readonly #previousN: Float64Array;
  /** Columns of Q, by columns, with space for one more column. */
  readonly #columnsOfQ: Float64Array;
  #isDiagonal = true;
  /** While N is diagonal: the unknown of each column; behind the columns, the unknowns that are fixed. */
  readonly #unknowns: Int32Array;
  /** While N is diagonal: the entry of each column. */
  readonly #scales: Float64Array;

  constructor(n: number) {
    this.n = n;
    this.freedom = n;
    this.x = new Float64Array(n);
    this.N = new Float64Array(n * (n + 1));
    this.#previousN = new Float64Array(this.N.length);
    this.#columnsOfQ = new Float64Array(n * (n + 1));
    this.#unknowns = new Int32Array(n);
    this.#scales = new Float64Array(n);
  }

  /** x = 0, N = diag(scale). */
  reset(scale?: Float64Array): void {
    this.x.fill(0);
    this.freedom = this.n;
    this.#isDiagonal = true;
    for (let j = 0; j < this.n; j++) {
      this.#unknowns[j] = j;
      this.#scales[j] = scale ? scale[j]! : 1;
    }
  }

  /** Fixes one unknown unless it is fixed already. Only while N is diagonal. */
  fixUnknown(j: number, value: number): void {
    const [unknowns, scales] = [this.#unknowns, this.#scales];
    let column = 0;
    while (column < this.freedom && unknowns[column] !== j) column++;
    if (column === this.freedom) return;
    this.x[j] = value;
    this.freedom--;
    for (let k = column; k < this.freedom; k++) {
      unknowns[k] = unknowns[k + 1]!;
      scales[k] = scales[k + 1]!;
    }
    unknowns[this.freedom] = j;
  }

  /** Writes N in full if it is diagonal. */
  writeDiagonal(): void {
    if (!this.#isDiagonal) return;
    this.N.fill(0);
    for (let k = 0; k < this.freedom; k++) this.N[k * this.n + this.#unknowns[k]!] = this.#scales[k]!;
  }

  /** x += N y */
  move(y: Float64Array): void {
    const { n, x, N, freedom } = this;
    if (this.#isDiagonal) for (let k = 0; k < freedom; k++) x[this.#unknowns[k]!]! += this.#scales[k]! * y[k]!;
    else for (let k = 0; k < freedom; k++) for (let j = 0; j < n; j++) x[j]! += N[k * n + j]! * y[k]!;
  }

  /** reducedRows := D A N by rows, and residual := D (b - A x), for `count` rows of A and b from row `first` on. */
  reduceRows(
    { A, first, count }: LinearRows,
    b: Float64Array,
    D: Float64Array | undefined,
    reducedRows: Float64Array,
    residual: Float64Array,
  ): void {
    const { n, x, N, freedom } = this;
    const [unknowns, scales] = [this.#unknowns, this.#scales];
    for (let i = 0; i < count; i++) {
      const row = (first + i) * n;
      const w = D ? D[first + i]! : 1;
      let sum = b[first + i]!;
      if (this.#isDiagonal) {
        for (let k = freedom; k < n; k++) sum -= A[row + unknowns[k]!]! * x[unknowns[k]!]!;
        for (let k = 0; k < freedom; k++) reducedRows[i * freedom + k] = w * A[row + unknowns[k]!]! * scales[k]!;
      } else {
        for (let j = 0; j < n; j++) sum -= A[row + j]! * x[j]!;
        rowTimesMatrix(A, row, w, N, n, freedom, reducedRows, i * freedom, 1);
      }
      residual[i] = w * sum;
    }
  }

  /** x += N Q y, and N := N times the last columns of Q, which the factored level leaves free. y is overwritten with Q y. */
  narrow(qr: PivotedQR, y: Float64Array): void {
    const { n, N } = this;
    const { rank } = qr;
    const Q = this.#columnsOfQ;
    const before = this.freedom;
    const left = before - rank;
    Q.fill(0, 0, before * left);
    for (let k = 0; k < left; k++) Q[k * before + rank + k] = 1;
    for (let k = 0; k < before; k++) Q[left * before + k] = y[k]!;
    qr.applyQ(Q, left + 1);
    for (let k = 0; k < before; k++) y[k] = Q[left * before + k]!;
    this.move(y);
    this.freedom = left;
    if (this.#isDiagonal) {
      this.#isDiagonal = false;
      N.fill(0, 0, n * left);
      for (let k = 0; k < left; k++)
        for (let c = 0; c < before; c++) N[k * n + this.#unknowns[c]!] = this.#scales[c]! * Q[k * before + c]!;
      return;
    }
    const previousN = this.#previousN;
    previousN.set(N);
    N.fill(0, 0, n * left);
    for (let k = 0; k < left; k++)
      for (let c = 0; c < before; c++) {
        const factor = Q[k * before + c]!;
        for (let j = 0; j < n; j++) N[k * n + j]! += previousN[c * n + j]! * factor;
      }
  }
}

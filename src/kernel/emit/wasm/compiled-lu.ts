/**
 * LU factors with partial pivoting whose loops run in WebAssembly: what math/linear/dense-lu.ts and math/linear/complex-lu.ts do, several times as fast for
 * more than a few unknowns, and of the same bits wherever it runs. The first `leading` pivots are taken on the diagonal as they come, for rows
 * that are almost empty; of these, once they have been looked at, only the pairs of entries are passed that are not zero.
 */
import { complexLU, complexPivotRow } from "../../../math/linear/complex-lu.ts";
import { denseLU, realPivotRow, swapEntries, swapRows } from "../../../math/linear/dense-lu.ts";
import { KernelMemory } from "../../run/memory.ts";
import { luCode, ROW_LISTS } from "./lu-code.ts";

/** A matrix is given by rows of this many entries, of which those behind the first n are zero. */
interface PaddedMatrixSize {
  readonly n: number;
  readonly rowLength: number;
}

export interface CompiledRealLU extends PaddedMatrixSize {
  /** Looks which entries of the leading rows, besides their diagonal, may not be zero; to be asked before matrices that have others. */
  analysePattern(A: Float64Array): void;
  /** False if a pivot is zero or not finite. */
  factor(A: Float64Array): boolean;
  solve(b: Float64Array): void;
}

export interface CompiledComplexLU extends PaddedMatrixSize {
  analysePattern(re: Float64Array, im: Float64Array): void;
  factor(re: Float64Array, im: Float64Array): boolean;
  solve(re: Float64Array, im: Float64Array): void;
}

export function compiledRealLU(n: number, leading = 0): CompiledRealLU {
  const made = allocateWorkspace(n, leading, 1);
  if (!made) return { rowLength: n, analysePattern: () => {}, ...denseLU(n, leading) };
  const {
    code,
    rowLength,
    rowBytes,
    lists,
    at,
    matrix: [A],
    b: [b],
    reciprocals: [reciprocals],
  } = made;
  const pivots = new Int32Array(n);
  return {
    n,
    rowLength,
    analysePattern: (given) => lists.look(given, given),
    factor(given) {
      A.set(given);
      for (let k = 0; k < n; k++) {
        const p = k < leading ? k : realPivotRow(A, rowLength, n, k);
        pivots[k] = p;
        if (p !== k) swapRows(A, rowLength, k, p);
        const pivot = A[k * rowLength + k]!;
        const reciprocal = 1 / pivot;
        if (!(Math.abs(pivot) > 0 && Math.abs(pivot) < Number.POSITIVE_INFINITY)) return false;
        reciprocals[k] = reciprocal;
        const row = at.matrix + k * rowBytes;
        code.eliminateReal(row, at.end, rowBytes, 8 * k, lists.first(k), lists.end(k), reciprocal);
      }
      return true;
    },
    solve(x) {
      b[rowLength - 1] = 0;
      for (let i = 0; i < n; i++) b[i] = x[i]!;
      for (let k = leading; k < n; k++) swapEntries(b, k, pivots[k]!);
      code.solveReal(at.matrix, at.padded, rowBytes, at.b, at.reciprocals, at.table);
      for (let i = 0; i < n; i++) x[i] = b[i]!;
    },
  };
}

export function compiledComplexLU(n: number, leading = 0): CompiledComplexLU {
  const made = allocateWorkspace(n, leading, 2);
  if (!made) {
    const lu = complexLU(n, leading);
    return {
      n,
      rowLength: n,
      analysePattern: () => {},
      factor: (re, im) => lu.factor(re, im),
      solve: (re, im) => lu.solve(re, im),
    };
  }
  const {
    code,
    rowLength,
    rowBytes,
    lists,
    at,
    matrix: [R, I],
    b: [bR, bI],
    reciprocals: [dR, dI],
  } = made;
  const pivots = new Int32Array(n);
  return {
    n,
    rowLength,
    analysePattern: (re, im) => lists.look(re, im),
    factor(re, im) {
      R.set(re);
      I.set(im);
      for (let k = 0; k < n; k++) {
        const p = k < leading ? k : complexPivotRow(R, I, rowLength, n, k);
        pivots[k] = p;
        if (p !== k) {
          swapRows(R, rowLength, k, p);
          swapRows(I, rowLength, k, p);
        }
        const a = R[k * rowLength + k]!;
        const b = I[k * rowLength + k]!;
        const squared = a * a + b * b;
        if (!(squared > 0 && squared < Number.POSITIVE_INFINITY)) return false;
        const c = a / squared;
        const d = -b / squared;
        dR[k] = c;
        dI[k] = d;
        const row = at.matrix + k * rowBytes;
        code.eliminateComplex(row, at.end, rowBytes, 8 * k, lists.first(k), lists.end(k), c, d, at.toImaginary);
      }
      return true;
    },
    solve(re, im) {
      bR[rowLength - 1] = bI[rowLength - 1] = 0;
      for (let i = 0; i < n; i++) {
        bR[i] = re[i]!;
        bI[i] = im[i]!;
      }
      for (let k = leading; k < n; k++) {
        swapEntries(bR, k, pivots[k]!);
        swapEntries(bI, k, pivots[k]!);
      }
      code.solveComplex(at.matrix, at.padded, rowBytes, at.b, at.reciprocals, at.table, at.toImaginary, at.bToImaginary);
      for (let i = 0; i < n; i++) {
        re[i] = bR[i]!;
        im[i] = bI[i]!;
      }
    },
  };
}

/** Memory, views and code for matrices of so many parts; nothing where there is no WebAssembly. */
function allocateWorkspace(n: number, leading: number, parts: 1 | 2) {
  const rowLength = n + (n % 2);
  const rowBytes = 8 * rowLength;
  const pairs = rowLength / 2;
  const sizes = [
    parts * rowLength * rowBytes,
    parts * rowBytes,
    parts * rowBytes,
    rowLength * ROW_LISTS.bytes,
    4 * pairs * (1 + rowLength),
  ];
  let memory: KernelMemory;
  let code: ReturnType<typeof luCode>;
  try {
    memory = new KernelMemory(KernelMemory.bytesFor(...sizes));
    code = luCode(memory);
  } catch {
    return undefined; // there is none, or a page must not compile any
  }
  const [matrix, b, reciprocals, table, lists] = sizes.map((bytes) => memory.allocate(bytes)) as [
    number,
    number,
    number,
    number,
    number,
  ];
  const views = (from: number, length: number): [Float64Array, Float64Array] => [
    memory.doubles(from, length),
    memory.doubles(from + (parts - 1) * 8 * length, length),
  ];
  const words = new Int32Array(memory.memory.buffer);
  return {
    code,
    rowLength,
    rowBytes,
    matrix: views(matrix, rowLength * rowLength),
    b: views(b, rowLength),
    reciprocals: views(reciprocals, rowLength),
    at: {
      matrix,
      /** Behind the rows, and behind the one that makes their number even. */
      end: matrix + n * rowBytes,
      padded: matrix + rowLength * rowBytes,
      toImaginary: rowLength * rowBytes,
      b,
      bToImaginary: rowBytes,
      reciprocals,
      table,
    },
    lists: new NonzeroPairLists(words, n, leading, table / 4, lists / 4),
  };
}

const ZERO_ENTRY = 1;
const NONZERO_ENTRY = 3;

/**
 * Which pairs of entries of each row have to be passed, as byte offsets: those before the pair of the diagonal, the pair of the diagonal
 * itself where the entry behind the diagonal is in it, and those behind it.
 */
class NonzeroPairLists {
  readonly #pairs: number;
  /** Of the leading rows which entries are not zero, as they were seen last, and with what is filled. */
  readonly #seen: Uint8Array;
  readonly #full: Uint8Array;

  /** @param words the memory; where the table of the rows and the lists begin in it */
  constructor(
    readonly words: Int32Array,
    n: number,
    leading: number,
    readonly table: number,
    readonly lists: number,
  ) {
    this.#pairs = Math.ceil(n / 2);
    this.#seen = new Uint8Array(leading * 2 * this.#pairs);
    this.#full = new Uint8Array(this.#seen.length);
    for (let pair = 0; pair < this.#pairs; pair++) words[lists + pair] = 16 * pair;
    for (let k = 0; k < n; k++) this.#note(k, lists, lists + (k >> 1), lists + (k >> 1) + 1, lists + this.#pairs);
  }

  /** Lists of the leading rows of a matrix, as far as its parts A and B are not zero or will be filled when they are eliminated. */
  look(A: Float64Array, B: Float64Array): void {
    const n = 2 * this.#pairs;
    const seen = this.#seen;
    let isNew = false;
    for (let e = 0; e < seen.length; e++) {
      const value = A[e] === 0 && B[e] === 0 ? ZERO_ENTRY : NONZERO_ENTRY;
      if (seen[e] === value) continue;
      seen[e] = value;
      isNew = true;
    }
    if (!isNew) return;
    const full = this.#full;
    full.set(seen);
    for (let k = 0; k < seen.length / n; k++) {
      for (let j = 0; j < k; j++)
        if (full[k * n + j] === NONZERO_ENTRY) for (let i = j + 1; i < n; i++) full[k * n + i]! |= full[j * n + i]!;
      this.#list(k);
    }
  }

  #list(k: number): void {
    const pairs = this.#pairs;
    const middle = k >> 1;
    const row = 2 * pairs * k;
    const own = this.lists + pairs * (1 + k);
    let at = own;
    let beforeEnd = own;
    let behind = own;
    for (let pair = 0; pair < pairs; pair++) {
      const isUsed = this.#full[row + 2 * pair + 1] === NONZERO_ENTRY || this.#full[row + 2 * pair] === NONZERO_ENTRY;
      if (pair === middle) beforeEnd = at;
      if (pair === middle ? k % 2 === 0 && this.#full[row + k + 1] === NONZERO_ENTRY : isUsed) this.words[at++] = 16 * pair;
      if (pair === middle) behind = at;
    }
    this.#note(k, own, beforeEnd, behind, at);
  }

  /** Addresses of the list of those pairs in which row k is subtracted from others, from and to. */
  first(k: number): number {
    return this.words[this.table + 4 * k + (k % 2 === 0 ? 1 : 2)]!;
  }

  end(k: number): number {
    return this.words[this.table + 4 * k + 3]!;
  }

  #note(k: number, before: number, beforeEnd: number, behind: number, behindEnd: number): void {
    const at = this.table + 4 * k;
    this.words[at] = 4 * before;
    this.words[at + 1] = 4 * beforeEnd;
    this.words[at + 2] = 4 * behind;
    this.words[at + 3] = 4 * behindEnd;
  }
}

/**
 * LU factors with partial pivoting whose loops run in WebAssembly. It does the same as math/linear/dense-lu.ts and
 * math/linear/complex-lu.ts, several times as fast for more than a few unknowns, and with the same bits on every machine. The first
 * `leading` pivots are taken on the diagonal without search, for almost empty rows. After `analysePattern`, only the nonzero pairs of
 * entries of these rows are processed.
 */
import { complexLU, complexPivotRow } from "../../../math/linear/complex-lu.ts";
import { denseLU, realPivotRow, swapEntries, swapRows } from "../../../math/linear/dense-lu.ts";
import { KernelMemory } from "../../run/memory.ts";
import { luCode } from "./lu-code.ts";
import { ROW_LISTS } from "./lu-loops.ts";

/** A matrix is given by rows of `rowLength` entries; those after the first n are zero. */
interface PaddedMatrixSize {
  readonly n: number;
  readonly rowLength: number;
}

export interface CompiledRealLU extends PaddedMatrixSize {
  /** Finds the nonzero entries of the leading rows. Call it before `factor` if entries that were zero may be nonzero now. */
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
  const workspace = allocateWorkspace(n, leading, 1);
  if (!workspace) return { rowLength: n, analysePattern: () => {}, ...denseLU(n, leading) };
  const {
    code,
    rowLength,
    rowBytes,
    lists,
    addresses,
    matrix: [A],
    b: [b],
    reciprocals: [reciprocals],
  } = workspace;
  const pivots = new Int32Array(n);
  return {
    n,
    rowLength,
    analysePattern: (values) => lists.analyse(values, values),
    factor(values) {
      A.set(values);
      for (let k = 0; k < n; k++) {
        const p = k < leading ? k : realPivotRow(A, rowLength, n, k);
        pivots[k] = p;
        if (p !== k) swapRows(A, rowLength, k, p);
        const pivot = A[k * rowLength + k]!;
        const reciprocal = 1 / pivot;
        if (!(Math.abs(pivot) > 0 && Math.abs(pivot) < Number.POSITIVE_INFINITY)) return false;
        reciprocals[k] = reciprocal;
        const row = addresses.matrix + k * rowBytes;
        code.eliminateReal(row, addresses.end, rowBytes, 8 * k, lists.first(k), lists.end(k), reciprocal);
      }
      return true;
    },
    solve(x) {
      b[rowLength - 1] = 0;
      for (let i = 0; i < n; i++) b[i] = x[i]!;
      for (let k = leading; k < n; k++) swapEntries(b, k, pivots[k]!);
      code.solveReal(addresses.matrix, addresses.padded, rowBytes, addresses.b, addresses.reciprocals, addresses.table);
      for (let i = 0; i < n; i++) x[i] = b[i]!;
    },
  };
}

export function compiledComplexLU(n: number, leading = 0): CompiledComplexLU {
  const workspace = allocateWorkspace(n, leading, 2);
  if (!workspace) {
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
    addresses,
    matrix: [R, I],
    b: [bR, bI],
    reciprocals: [dR, dI],
  } = workspace;
  const pivots = new Int32Array(n);
  return {
    n,
    rowLength,
    analysePattern: (re, im) => lists.analyse(re, im),
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
        const squaredSize = a * a + b * b;
        if (!(squaredSize > 0 && squaredSize < Number.POSITIVE_INFINITY)) return false;
        const c = a / squaredSize;
        const d = -b / squaredSize;
        dR[k] = c;
        dI[k] = d;
        const row = addresses.matrix + k * rowBytes;
        code.eliminateComplex(row, addresses.end, rowBytes, 8 * k, lists.first(k), lists.end(k), c, d, addresses.toImaginary);
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
      code.solveComplex(
        addresses.matrix,
        addresses.padded,
        rowBytes,
        addresses.b,
        addresses.reciprocals,
        addresses.table,
        addresses.toImaginary,
        addresses.bToImaginary,
      );
      for (let i = 0; i < n; i++) {
        re[i] = bR[i]!;
        im[i] = bI[i]!;
      }
    },
  };
}

/** Memory, views and code for a real (1 part) or complex (2 parts) matrix. Returns undefined if WebAssembly is not available. */
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
    return undefined; // no WebAssembly, or the content security policy of the page forbids it
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
    addresses: {
      matrix,
      /** End of the n rows, and of the rows with the one that makes their number even. */
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
 * For each row, lists of the pairs of entries that may be nonzero, as byte offsets: the pairs before that of the diagonal, the pair of the
 * diagonal if it contains the entry after the diagonal, and the pairs after it.
 */
class NonzeroPairLists {
  readonly #pairs: number;
  /** Entries of the leading rows: ZERO_ENTRY or NONZERO_ENTRY in the matrix analysed last, and with the fill-in of the elimination. */
  readonly #nonzeroInMatrix: Uint8Array;
  readonly #nonzeroWithFill: Uint8Array;

  /** @param words the memory; `table` and `lists` are the indices of the row table and of the lists in it */
  constructor(
    readonly words: Int32Array,
    n: number,
    leading: number,
    readonly table: number,
    readonly lists: number,
  ) {
    this.#pairs = Math.ceil(n / 2);
    this.#nonzeroInMatrix = new Uint8Array(leading * 2 * this.#pairs);
    this.#nonzeroWithFill = new Uint8Array(this.#nonzeroInMatrix.length);
    for (let pair = 0; pair < this.#pairs; pair++) words[lists + pair] = 16 * pair;
    for (let k = 0; k < n; k++) this.#writeTableRow(k, lists, lists + (k >> 1), lists + (k >> 1) + 1, lists + this.#pairs);
  }

  /** Writes the lists of the leading rows for a matrix with parts A and B. Entries count as nonzero if fill-in makes them nonzero. */
  analyse(A: Float64Array, B: Float64Array): void {
    const n = 2 * this.#pairs;
    const inMatrix = this.#nonzeroInMatrix;
    let isChanged = false;
    for (let e = 0; e < inMatrix.length; e++) {
      const value = A[e] === 0 && B[e] === 0 ? ZERO_ENTRY : NONZERO_ENTRY;
      if (inMatrix[e] === value) continue;
      inMatrix[e] = value;
      isChanged = true;
    }
    if (!isChanged) return;
    const withFill = this.#nonzeroWithFill;
    withFill.set(inMatrix);
    for (let k = 0; k < inMatrix.length / n; k++) {
      for (let j = 0; j < k; j++)
        if (withFill[k * n + j] === NONZERO_ENTRY) for (let i = j + 1; i < n; i++) withFill[k * n + i]! |= withFill[j * n + i]!;
      this.#writeLists(k);
    }
  }

  #writeLists(k: number): void {
    const pairs = this.#pairs;
    const middle = k >> 1;
    const row = 2 * pairs * k;
    const start = this.lists + pairs * (1 + k);
    let end = start;
    let beforeEnd = start;
    let behind = start;
    for (let pair = 0; pair < pairs; pair++) {
      const isUsed =
        this.#nonzeroWithFill[row + 2 * pair + 1] === NONZERO_ENTRY || this.#nonzeroWithFill[row + 2 * pair] === NONZERO_ENTRY;
      if (pair === middle) beforeEnd = end;
      if (pair === middle ? k % 2 === 0 && this.#nonzeroWithFill[row + k + 1] === NONZERO_ENTRY : isUsed)
        this.words[end++] = 16 * pair;
      if (pair === middle) behind = end;
    }
    this.#writeTableRow(k, start, beforeEnd, behind, end);
  }

  /** Address of the list of pairs in which row k is subtracted from other rows. */
  first(k: number): number {
    return this.words[this.table + 4 * k + (k % 2 === 0 ? 1 : 2)]!;
  }

  /** End address of that list. */
  end(k: number): number {
    return this.words[this.table + 4 * k + 3]!;
  }

  #writeTableRow(k: number, before: number, beforeEnd: number, behind: number, behindEnd: number): void {
    const index = this.table + 4 * k;
    this.words[index] = 4 * before;
    this.words[index + 1] = 4 * beforeEnd;
    this.words[index + 2] = 4 * behind;
    this.words[index + 3] = 4 * behindEnd;
  }
}

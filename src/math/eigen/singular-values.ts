/** Singular values by one-sided Jacobi rotations: small ones are accurate relative to themselves, not only relative to the largest. */
import { euclideanNorm } from "../elementary/hypotenuse.ts";

const MAX_SWEEPS = 60;

/** The singular values of A, largest first, one per column. A is given by columns and overwritten. */
export function singularValues(A: Float64Array, rows: number, columns: number): Float64Array {
  orthogonaliseColumns(A, rows, columns);
  const values = new Float64Array(columns);
  for (let j = 0; j < columns; j++) values[j] = euclideanNorm(A.subarray(j * rows, (j + 1) * rows));
  return values.sort((a, b) => b - a);
}

/** A := A V with orthogonal columns, whose lengths are the singular values in no particular order. Returns V by columns. */
export function singularVectors(A: Float64Array, rows: number, columns: number): Float64Array {
  const V = new Float64Array(columns * columns);
  for (let j = 0; j < columns; j++) V[j * columns + j] = 1;
  orthogonaliseColumns(A, rows, columns, V);
  return V;
}

function orthogonaliseColumns(A: Float64Array, rows: number, columns: number, V?: Float64Array): void {
  for (let sweep = 0; sweep < MAX_SWEEPS; sweep++) {
    let isChanged = false;
    for (let p = 0; p < columns; p++)
      for (let q = p + 1; q < columns; q++) if (orthogonalisePair(A, rows, columns, p, q, V)) isChanged = true;
    if (!isChanged) break;
  }
}

/** Rotates two columns until they are orthogonal. False if they were orthogonal already. */
function orthogonalisePair(A: Float64Array, rows: number, columns: number, p: number, q: number, V?: Float64Array): boolean {
  let [pp, qq, pq] = [0, 0, 0];
  for (let i = 0; i < rows; i++) {
    const [a, b] = [A[p * rows + i]!, A[q * rows + i]!];
    pp += a * a;
    qq += b * b;
    pq += a * b;
  }
  if (!(Math.abs(pq) > Number.EPSILON * Math.sqrt(pp * qq))) return false;
  const ratio = (qq - pp) / (2 * pq);
  const t = (ratio >= 0 ? 1 : -1) / (Math.abs(ratio) + Math.sqrt(1 + ratio * ratio));
  const c = 1 / Math.sqrt(1 + t * t);
  const s = t * c;
  rotateColumns(A, rows, p, q, c, s);
  if (V) rotateColumns(V, columns, p, q, c, s);
  return true;
}

function rotateColumns(A: Float64Array, rows: number, p: number, q: number, c: number, s: number): void {
  for (let i = 0; i < rows; i++) {
    const [a, b] = [A[p * rows + i]!, A[q * rows + i]!];
    A[p * rows + i] = c * a - s * b;
    A[q * rows + i] = s * a + c * b;
  }
}

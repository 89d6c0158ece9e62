/**
 * Triangular form of a small matrix by Householder reflections, in place and by rows: Qᵀ B = [R; rest]. The vectors of the
 * reflections are stored below the diagonal, so that Q can be applied later.
 */

export interface Reflections {
  /** The matrix, rows × width, by rows. Reflections act on all columns. */
  readonly B: Float64Array;
  readonly rows: number;
  readonly width: number;
  /** Factor of each reflection 1 - beta v vᵀ. */
  readonly beta: Float64Array;
}

/** Makes column j zero below row j; columns before it do not change. Returns the magnitude of the pivot. */
export function reflectColumn({ B, rows, width, beta }: Reflections, j: number): number {
  const pivotIndex = j * width + j;
  let below = 0;
  for (let i = j + 1; i < rows; i++) below += B[i * width + j]! * B[i * width + j]!;
  const x = B[pivotIndex]!;
  if (below === 0) {
    beta[j] = 0;
    return Math.abs(x);
  }
  const norm = Math.sqrt(x * x + below);
  const pivot = x > 0 ? -norm : norm;
  const first = x - pivot;
  for (let i = j + 1; i < rows; i++) B[i * width + j]! /= first;
  beta[j] = -first / pivot;
  B[pivotIndex] = pivot;
  for (let c = j + 1; c < width; c++) {
    let sum = B[j * width + c]!;
    for (let i = j + 1; i < rows; i++) sum += B[i * width + j]! * B[i * width + c]!;
    if (sum === 0) continue;
    sum *= beta[j]!;
    B[j * width + c]! -= sum;
    for (let i = j + 1; i < rows; i++) B[i * width + c]! -= sum * B[i * width + j]!;
  }
  return norm;
}

/** z := Q z for the first `count` reflections; z has one entry per row. */
export function applyReflections({ B, rows, width, beta }: Reflections, count: number, z: Float64Array): void {
  for (let j = count - 1; j >= 0; j--) {
    let sum = z[j]!;
    for (let i = j + 1; i < rows; i++) sum += B[i * width + j]! * z[i]!;
    sum *= beta[j]!;
    z[j]! -= sum;
    for (let i = j + 1; i < rows; i++) z[i]! -= sum * B[i * width + j]!;
  }
}

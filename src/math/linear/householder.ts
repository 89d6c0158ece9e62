/**
 * Triangular form of a small matrix by Householder reflections, in place and by rows: Qᵀ B = [R; rest]. The vectors of the
 * reflections stay below the diagonal, so that Q can be applied afterwards.
 */

export interface Reflections {
  /** The matrix, rows × width by rows; reflections act on all its columns. */
  readonly B: Float64Array;
  readonly rows: number;
  readonly width: number;
  /** One factor per reflection. */
  readonly beta: Float64Array;
}

/** Reflects so that column j is zero below row j; columns before it are left alone. Returns the size of the pivot. */
export function reflectColumn({ B, rows, width, beta }: Reflections, j: number): number {
  const at = j * width + j;
  let below = 0;
  for (let i = j + 1; i < rows; i++) below += B[i * width + j]! * B[i * width + j]!;
  const x = B[at]!;
  if (below === 0) {
    beta[j] = 0;
    return Math.abs(x);
  }
  const norm = Math.sqrt(x * x + below);
  const pivot = x > 0 ? -norm : norm;
  const first = x - pivot;
  for (let i = j + 1; i < rows; i++) B[i * width + j]! /= first;
  beta[j] = -first / pivot;
  B[at] = pivot;
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

/** z = Q z for the first `count` reflections; z has one entry per row. */
export function applyReflections({ B, rows, width, beta }: Reflections, count: number, z: Float64Array): void {
  for (let j = count - 1; j >= 0; j--) {
    let sum = z[j]!;
    for (let i = j + 1; i < rows; i++) sum += B[i * width + j]! * z[i]!;
    sum *= beta[j]!;
    z[j]! -= sum;
    for (let i = j + 1; i < rows; i++) z[i]! -= sum * B[i * width + j]!;
  }
}

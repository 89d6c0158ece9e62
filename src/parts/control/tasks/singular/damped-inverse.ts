/** Inverse of the rows of tasks with damped singular values: finite at singular postures [Nakamura, Hanafusa 1986]. */
import { allocateSymmetricEigen, symmetricEigen } from "../../../../math/eigen/symmetric-eigen.ts";

export interface DampedInverse {
  /** Smallest singular value of the last solution, and the largest damping of one. */
  readonly smallest: number;
  readonly largestDamping: number;
  /**
   * y = Σ σ/(σ² + λ²) v uᵀ (D right) over the singular values σ of A, an m × count matrix by rows, with λ² = damping² (1 - (σ/near)²) below
   * σ = near and λ = 0 above. D = diag(rows).
   */
  solve(A: Float64Array, count: number, rows: Float64Array, right: Float64Array, y: Float64Array): DampedInverse;
}

export function dampedInverse(m: number, near: number, damping: number): DampedInverse {
  const gram = new Float64Array(m * m);
  const workspace = allocateSymmetricEigen(m);
  const inverse = {
    smallest: 0,
    largestDamping: 0,
    solve(A: Float64Array, count: number, rows: Float64Array, right: Float64Array, y: Float64Array): DampedInverse {
      for (let a = 0; a < m; a++)
        for (let b = 0; b <= a; b++) {
          let sum = 0;
          for (let j = 0; j < count; j++) sum += A[a * count + j]! * A[b * count + j]!;
          gram[a * m + b] = sum;
          gram[b * m + a] = sum;
        }
      const { values, vectors } = symmetricEigen(gram, m, workspace);
      let smallest = Number.POSITIVE_INFINITY;
      let largestDamping = 0;
      y.fill(0, 0, count);
      for (let k = 0; k < m; k++) {
        const square = Math.max(0, values[k]!);
        smallest = Math.min(smallest, square);
        const relativeDamping = Math.max(0, 1 - square / (near * near));
        largestDamping = Math.max(largestDamping, damping * Math.sqrt(relativeDamping));
        let component = 0;
        for (let i = 0; i < m; i++) component += vectors[i * m + k]! * rows[i]! * right[i]!;
        component /= square + damping * damping * relativeDamping;
        for (let i = 0; i < m; i++) {
          const share = vectors[i * m + k]! * component;
          for (let j = 0; j < count; j++) y[j]! += A[i * count + j]! * share;
        }
      }
      inverse.smallest = Math.sqrt(smallest);
      inverse.largestDamping = largestDamping;
      return inverse;
    },
  };
  return inverse;
}

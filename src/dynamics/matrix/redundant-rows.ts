/**
 * Solution of S λ = r for the rows of loops of which some depend on others: S = J M⁻¹ Jᵀ is symmetric and has no negative eigenvalues. Rows are scaled
 * by the magnitude to which their rounding is relative, and eliminated in the order of their remainders, S = L D Lᵀ, so the dependent ones are last.
 *
 * Where loops are not exactly closed, in the stages of a step, dependent rows differ a little. No choice among them may show in the motion, so all
 * rows count alike: with the independent columns G of L √D, S = G Gᵀ, and λ = S⁺ r = G (Gᵀ G)⁻² Gᵀ r.
 */
import { type Cholesky, choleskySolver } from "../../math/linear/cholesky.ts";

/** Remainders below this are rounding: these rows are not eliminated. */
const ROUNDING = 64 * Number.EPSILON;

export interface RedundantRows {
  /** Remainder of each row, relative to its terms, in the order of elimination; 0 if it is rounding. Each is the square of a distance. */
  readonly remainders: Float64Array;
  /** Rows in the order of elimination. */
  readonly order: Int32Array;
  /** Eliminates all rows of S, where `peak` has the magnitudes of the terms of its diagonal. */
  factor(S: Float64Array, peak: Float64Array): void;
  /** Prepares solutions in which the first `rank` rows count as independent. */
  useRank(rank: number): void;
  /** The solution with the smallest errors of the rows, and of all such solutions the smallest. */
  solve(r: Float64Array, lambda: Float64Array): void;
  /** λ with S λ = 0 in which row number `rank + k` of the order is one, and the other dependent rows are zero. */
  nullVector(k: number, lambda: Float64Array): void;
}

/** @param m number of rows */
export function redundantRows(m: number): RedundantRows {
  const order = new Int32Array(m);
  const remainders = new Float64Array(m);
  const scale = new Float64Array(m);
  /** The scaled S in the order of elimination; L below the diagonal after elimination. */
  const T = new Float64Array(m * m);
  const z = new Float64Array(m);
  /** G by rows, in the order of elimination, and Gᵀ G; both have `rank` columns. */
  const G = new Float64Array(m * m);
  const product = new Float64Array(m * m);
  const solvers: (Cholesky | undefined)[] = [];
  let rank = 0;

  const swap = (a: number, b: number): void => {
    for (let j = 0; j < m; j++) [T[a * m + j], T[b * m + j]] = [T[b * m + j]!, T[a * m + j]!];
    for (let i = 0; i < m; i++) [T[i * m + a], T[i * m + b]] = [T[i * m + b]!, T[i * m + a]!];
    [order[a], order[b]] = [order[b]!, order[a]!];
  };

  /** z := L⁻ᵀ z for the independent rows. */
  const backSubstitute = (): void => {
    for (let i = rank - 1; i >= 0; i--) for (let k = i + 1; k < rank; k++) z[i]! -= T[k * m + i]! * z[k]!;
  };

  return {
    order,
    remainders,
    factor(S, peak) {
      for (let i = 0; i < m; i++) {
        order[i] = i;
        scale[i] = peak[i]! > 0 ? 1 / Math.sqrt(peak[i]!) : 1;
      }
      for (let i = 0; i < m; i++) for (let j = 0; j < m; j++) T[i * m + j] = S[i * m + j]! * scale[i]! * scale[j]!;
      remainders.fill(0);
      for (let k = 0; k < m; k++) {
        let largest = k;
        for (let i = k + 1; i < m; i++) if (T[i * m + i]! > T[largest * m + largest]!) largest = i;
        if (largest !== k) swap(k, largest);
        const pivot = T[k * m + k]!;
        if (!(pivot > ROUNDING)) return;
        remainders[k] = pivot;
        for (let i = k + 1; i < m; i++) {
          const factor = T[i * m + k]! / pivot;
          for (let j = k + 1; j <= i; j++) T[i * m + j]! -= factor * T[j * m + k]!;
        }
        for (let i = k + 1; i < m; i++) T[i * m + k]! /= pivot;
        for (let i = k + 1; i < m; i++) for (let j = k + 1; j < i; j++) T[j * m + i] = T[i * m + j]!;
      }
    },
    useRank(count) {
      rank = count;
      if (rank === m) return;
      for (let i = 0; i < m; i++)
        for (let k = 0; k < rank; k++)
          G[i * rank + k] = i < k ? 0 : (Math.sqrt(remainders[k]!) * (i === k ? 1 : T[i * m + k]!)) / scale[order[i]!]!;
      for (let a = 0; a < rank; a++)
        for (let b = 0; b <= a; b++) {
          let sum = 0;
          for (let i = a; i < m; i++) sum += G[i * rank + a]! * G[i * rank + b]!;
          product[a * rank + b] = sum;
        }
      solvers[rank] ??= choleskySolver(rank);
      solvers[rank]!.factor(product);
    },
    solve(r, lambda) {
      if (rank === m) solveRegular(r, lambda);
      else solveSmallest(r, lambda);
    },
    nullVector(k, lambda) {
      for (let i = 0; i < rank; i++) z[i] = -T[(rank + k) * m + i]!;
      backSubstitute();
      lambda.fill(0);
      for (let i = 0; i < rank; i++) lambda[order[i]!] = z[i]! * scale[order[i]!]!;
      lambda[order[rank + k]!] = scale[order[rank + k]!]!;
    },
  };

  /** L D Lᵀ λ = r */
  function solveRegular(r: Float64Array, lambda: Float64Array): void {
    for (let i = 0; i < m; i++) {
      z[i] = r[order[i]!]! * scale[order[i]!]!;
      for (let k = 0; k < i; k++) z[i]! -= T[i * m + k]! * z[k]!;
    }
    for (let i = 0; i < m; i++) z[i]! /= remainders[i]!;
    backSubstitute();
    for (let i = 0; i < m; i++) lambda[order[i]!] = z[i]! * scale[order[i]!]!;
  }

  /** λ = G (Gᵀ G)⁻² Gᵀ r */
  function solveSmallest(r: Float64Array, lambda: Float64Array): void {
    z.fill(0);
    for (let i = 0; i < m; i++) for (let k = 0; k < rank; k++) z[k]! += G[i * rank + k]! * r[order[i]!]!;
    solvers[rank]!.solve(z);
    solvers[rank]!.solve(z);
    for (let i = 0; i < m; i++) {
      let sum = 0;
      for (let k = 0; k < rank; k++) sum += G[i * rank + k]! * z[k]!;
      lambda[order[i]!] = sum;
    }
  }
}

/** The operations of the reduction on one stage; equation numbers as in reduction.ts. */
import { reflectColumn } from "../../math/linear/householder.ts";
import type { ReductionStage } from "./reduction-stages.ts";

/** A and b of the equations that are not yet eliminated: a full nu × nu matrix by rows, and its right-hand side. */
export interface ReducedEquations {
  readonly nu: number;
  readonly A: Float64Array;
  readonly b: Float64Array;
}

/** H and h of a stage, (3)-(8), after its own and deferred rows are in B. Returns the largest entry of H in scaled speeds. */
export function closeStage(stage: ReductionStage, columnScale: Float64Array): number {
  const { B, width, dependents, others, H } = stage;
  const m = dependents.length;
  for (let j = 0; j < m; j++) reflectColumn(stage, j);
  let growth = 0;
  const wide = width - m;
  for (let c = 0; c < wide; c++) {
    for (let i = m - 1; i >= 0; i--) {
      let sum = -B[i * width + m + c]!;
      for (let k = i + 1; k < m; k++) sum -= B[i * width + k]! * H[k * wide + c]!;
      const value = sum / B[i * width + i]!;
      H[i * wide + c] = value;
      if (c + 1 === wide) continue;
      const size = Math.abs(value) * (columnScale[others[c]!]! / columnScale[dependents[i]!]!);
      if (!(size <= growth)) growth = size;
    }
  }
  return growth;
}

/** Copies the remaining rows of a stage to the stage that takes them. */
export function deferRows({ B, rows, width, dependents, others, deferral }: ReductionStage, target: ReductionStage): void {
  const { row, columns } = deferral!;
  for (let i = dependents.length, k = row; i < rows; i++, k++) {
    const first = k * target.width;
    target.B.fill(0, first, first + target.width);
    for (let c = 0; c < others.length; c++) target.B[first + columns[c]!] = B[i * width + dependents.length + c]!;
    target.B[first + target.width - 1] = B[i * width + width - 1]!;
  }
}

/** Largest right-hand side of the rows that a closed stage drops as redundant. */
export function droppedError({ B, rows, width, dependents }: ReductionStage): number {
  let error = 0;
  for (let i = dependents.length; i < rows; i++) error = Math.max(error, Math.abs(B[i * width + width - 1]!));
  return error;
}

/** Sign of the determinant of a stage's square part: each reflection has determinant -1. */
export function orientationOf({ B, rows, width, beta, dependents }: ReductionStage): number {
  if (rows !== dependents.length) return 0;
  let sign = 1;
  for (let i = 0; i < rows; i++) sign *= Math.sign(B[i * width + i]!) * (beta[i] === 0 ? 1 : -1);
  return sign;
}

/** Eliminates the dependents of a stage from A and b (10). */
export function reduceStage({ dependents, others, coupled, H, product }: ReductionStage, { nu, A, b }: ReducedEquations): void {
  const m = dependents.length;
  const width = others.length;
  const wide = width + 1;
  for (let k = 0; k < coupled.length; k++) {
    const i = coupled[k]!;
    for (let c = 0; c < wide; c++) {
      let sum = 0;
      for (let d = 0; d < m; d++) sum += A[i * nu + dependents[d]!]! * H[d * wide + c]!;
      if (c === width) b[i]! -= sum;
      else {
        const j = others[c]!;
        A[i * nu + j]! += sum;
        A[j * nu + i]! += sum;
      }
    }
  }
  for (let d = 0; d < m; d++) {
    for (let c = 0; c < wide; c++) {
      let sum = 0;
      for (let e = 0; e < m; e++) sum += A[dependents[d]! * nu + dependents[e]!]! * H[e * wide + c]!;
      product[d * wide + c] = c === width ? b[dependents[d]!]! - sum : sum;
    }
  }
  for (let a = 0; a < width; a++) {
    const i = others[a]!;
    for (let d = 0; d < m; d++) b[i]! += H[d * wide + a]! * product[d * wide + width]!;
    for (let c = 0; c <= a; c++) {
      let sum = 0;
      for (let d = 0; d < m; d++) sum += H[d * wide + a]! * product[d * wide + c]!;
      A[i * nu + others[c]!]! += sum;
      if (c !== a) A[others[c]! * nu + i]! += sum;
    }
  }
}

/** Dependent entries of x of a stage (6). */
export function forwardStage({ dependents, others, H }: ReductionStage, x: Float64Array): void {
  const wide = others.length + 1;
  for (let d = 0; d < dependents.length; d++) {
    let sum = H[d * wide + wide - 1]!;
    for (let c = 0; c < others.length; c++) sum += H[d * wide + c]! * x[others[c]!]!;
    x[dependents[d]!] = sum;
  }
}

/** Reflected multipliers z of the equations that give the dependents of a stage (1.9). */
export function stageMultipliers(stage: ReductionStage, { nu, A, b }: ReducedEquations, x: Float64Array): void {
  const { B, width, dependents, coupled, z } = stage;
  for (let d = 0; d < dependents.length; d++) {
    const row = dependents[d]! * nu;
    let sum = -b[dependents[d]!]!;
    for (let k = 0; k < coupled.length; k++) sum += A[row + coupled[k]!]! * x[coupled[k]!]!;
    for (let e = 0; e < dependents.length; e++) sum += A[row + dependents[e]!]! * x[dependents[e]!]!;
    for (let e = 0; e < d; e++) sum -= B[e * width + d]! * z[e]!;
    z[d] = sum / B[d * width + d]!;
  }
}

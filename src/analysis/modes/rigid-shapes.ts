/** Rigid motions have no unique shapes: any mixture of them is a shape. This file separates them into translations, rotations and hinge motions. */
import { euclideanNorm } from "../../math/elementary/hypotenuse.ts";
import type { Model } from "../../model/model.ts";

/** Speeds in the order in which rigid motions are separated: translations of a free body, its rotations, then hinges from base to tip. */
function pivotSpeeds(model: Model): number[] {
  return model.bodies.flatMap(({ hinge }) => {
    const speeds = Array.from({ length: hinge.nu }, (_, k) => hinge.u + k);
    return hinge.kind === "free" ? [...speeds.slice(3), ...speeds.slice(0, 3)] : speeds;
  });
}

const INDEPENDENT = 1e-6;

/**
 * Replaces shapes by other mixtures of them; they are in the space of speeds and orthonormal with respect to the mass. Each result is the motion of one freedom with
 * the others at rest, made orthogonal to the results before it. For a free machine these are the three translations, the rotations about its
 * mass centre, and hinge motions with zero momentum.
 */
export function rigidShapes(model: Model, shapes: readonly Float64Array[]): readonly Float64Array[] {
  const k = shapes.length;
  if (k < 2) return shapes;
  const chosen: Float64Array[] = []; // rows of the shapes, made orthogonal to each other
  const pivots: number[] = [];
  const largest = Math.max(...shapes.map((s) => euclideanNorm(s)));
  for (const row of pivotSpeeds(model)) {
    const r = Float64Array.from(shapes, (s) => s[row]!);
    const size = euclideanNorm(r);
    if (size <= INDEPENDENT * largest) continue;
    for (const other of chosen) {
      const projection = dot(r, other);
      for (let j = 0; j < k; j++) r[j]! -= projection * other[j]!;
    }
    const length = euclideanNorm(r);
    if (length <= INDEPENDENT * size) continue;
    chosen.push(r.map((v) => v / length));
    pivots.push(row);
    if (pivots.length === k) break;
  }
  if (pivots.length < k) return shapes;
  // Coefficients of motions that are one at their pivot and zero at all other pivots, then orthonormalised in this order.
  const mixtures = inverse(pivots.map((row) => Float64Array.from(shapes, (s) => s[row]!)));
  const orthonormal: Float64Array[] = [];
  for (const c of mixtures) {
    for (let pass = 0; pass < 2; pass++)
      for (const other of orthonormal) {
        const projection = dot(c, other);
        for (let j = 0; j < k; j++) c[j]! -= projection * other[j]!;
      }
    const size = euclideanNorm(c);
    orthonormal.push(c.map((v) => v / size));
  }
  return orthonormal.map((c) => shapes[0]!.map((_, i) => shapes.reduce((sum, s, j) => sum + c[j]! * s[i]!, 0)));
}

const dot = (a: Float64Array, b: Float64Array): number => a.reduce((sum, v, i) => sum + v * b[i]!, 0);

/** Columns of A⁻¹ for the rows of A, by Gauss-Jordan elimination with pivoting. */
function inverse(A: readonly Float64Array[]): Float64Array[] {
  const n = A.length;
  const rows = A.map((row, i) => Float64Array.from({ length: 2 * n }, (_, j) => (j < n ? row[j]! : j - n === i ? 1 : 0)));
  for (let k = 0; k < n; k++) {
    let best = k;
    for (let i = k + 1; i < n; i++) if (Math.abs(rows[i]![k]!) > Math.abs(rows[best]![k]!)) best = i;
    [rows[k], rows[best]] = [rows[best]!, rows[k]!];
    const pivot = rows[k]![k]!;
    for (let j = 0; j < 2 * n; j++) rows[k]![j]! /= pivot;
    for (let i = 0; i < n; i++) {
      const factor = rows[i]![k]!;
      if (i !== k && factor !== 0) for (let j = 0; j < 2 * n; j++) rows[i]![j]! -= factor * rows[k]![j]!;
    }
  }
  return Array.from({ length: n }, (_, c) => Float64Array.from(rows, (row) => row[n + c]!));
}

/** Singular postures: the check that the hinges can move the rows of the tasks of first priority. */
import { SingularError } from "../../../errors.ts";
import { symmetricEigen } from "../../../math/eigen/symmetric-eigen.ts";
import type { HierarchicalLeastSquares } from "../../../math/optimise/hierarchical-least-squares.ts";
import type { TaskScales } from "./task-scales.ts";
import type { TaskStack } from "./task-stack.ts";

/** Throws a SingularError if the free directions N move one of the first `count` rows too little. */
export function checkSingularity(
  name: string,
  limit: number,
  t: number,
  stack: TaskStack,
  scales: TaskScales,
  { N, freedom }: HierarchicalLeastSquares,
  count: number,
): void {
  const { singular, left, right } = smallestSingularValue(stack.J, scales.rows, N, stack.n, freedom, count);
  if (singular >= limit) return;
  const row = indexOfLargest(left);
  const motion = right.map((v, j) => v / scales.columns[j]!);
  const largest = Math.abs(motion[indexOfLargest(motion)] ?? 0);
  const hinges = stack.robot.names.filter((_, j) => Math.abs(motion[j]!) > 0.5 * largest);
  throw new SingularError(
    `${name}: at t = ${Number(t.toPrecision(6))} s the smallest singular value of the scaled generalised Jacobian is ` +
      `${singular.toExponential(2)}, below ${limit}: ${hinges.join(", ")} can hardly move ${stack.names[row]} there. Choose another path ` +
      "or posture, give a task a lower priority, or use a singularity-robust controller",
  );
}

/** The smallest singular value of D J N, its left vector over the rows, and its direction N v over the hinges. Allocates. */
function smallestSingularValue(
  J: Float64Array,
  rowScale: Float64Array,
  N: Float64Array,
  n: number,
  freedom: number,
  count: number,
): { readonly singular: number; readonly left: Float64Array; readonly right: Float64Array } {
  const reducedJacobian = new Float64Array(count * freedom);
  for (let i = 0; i < count; i++)
    for (let k = 0; k < freedom; k++)
      for (let j = 0; j < n; j++) reducedJacobian[i * freedom + k]! += rowScale[i]! * J[i * n + j]! * N[k * n + j]!;
  const gram = new Float64Array(count * count);
  for (let a = 0; a < count; a++)
    for (let b = 0; b < count; b++)
      for (let k = 0; k < freedom; k++)
        gram[a * count + b]! += reducedJacobian[a * freedom + k]! * reducedJacobian[b * freedom + k]!;
  const { values, vectors } = symmetricEigen(gram, count);
  let least = 0;
  for (let k = 1; k < count; k++) if (values[k]! < values[least]!) least = k;
  const left = Float64Array.from({ length: count }, (_, i) => vectors[i * count + least]!);
  const right = new Float64Array(n);
  for (let k = 0; k < freedom; k++) {
    let v = 0;
    for (let i = 0; i < count; i++) v += reducedJacobian[i * freedom + k]! * left[i]!;
    for (let j = 0; j < n; j++) right[j]! += N[k * n + j]! * v;
  }
  return { singular: freedom < count ? 0 : Math.sqrt(Math.max(0, values[least]!)), left, right };
}

const indexOfLargest = (v: Float64Array): number => v.reduce((best, x, i) => (Math.abs(x) > Math.abs(v[best]!) ? i : best), 0);

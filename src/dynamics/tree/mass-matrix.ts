/** The mass matrix by composite bodies [Featherstone 2008, ch. 6]. */
import { add, type Scalar } from "../../kernel/trace/scalar.ts";
import type { PoseTransformable } from "../../spatial/pose.ts";
import { apply, type Mat3 } from "../../spatial/rotation.ts";
import type { Vec3 } from "../../spatial/vec3.ts";
import type { Force, Motion } from "../../spatial/vectors.ts";
import { hingeColumns } from "./articulated-body.ts";
import { hasSpeedsInLinkAxes, rotationFL } from "./link.ts";
import { type LinkTree, linkPose } from "./link-tree.ts";

/** M(q), nu rows. */
export function massMatrix(tree: LinkTree, q: readonly Scalar[]): Scalar[][] {
  const M = massMatrixInLinkAxes(tree, q);
  for (const link of tree.links)
    if (!hasSpeedsInLinkAxes(link)) rotateToHingeAxes(M, link.u, link.element.nu, rotationFL(link, q));
  return M;
}

/**
 * The same with the speeds of ball and free hinges in the axes of their links.
 * M_ij = S_j · (composite inertia of i's link times S_i), moved from link i to link j.
 */
export function massMatrixInLinkAxes(tree: LinkTree, q: readonly Scalar[]): Scalar[][] {
  // Small turns are not orthogonal: behind them a mass depends on the direction, so composites are general tensors.
  const isRigid = !tree.links.some((link) => link.element.small);
  return isRigid
    ? compositeMassMatrix(
        tree,
        q,
        tree.links.map((link) => link.inertia),
      )
    : compositeMassMatrix(
        tree,
        q,
        tree.links.map((link) => link.inertia.articulated),
      );
}

/** The operations on a composite body that the recursion needs. */
interface Composite<T> extends PoseTransformable<T> {
  times(motion: Motion): Force;
  plus(other: T): T;
  withFrame(frame: string): T;
}

function compositeMassMatrix<T extends Composite<T>>(tree: LinkTree, q: readonly Scalar[], Ic: T[]): Scalar[][] {
  const { links, nu } = tree;
  const X = links.map((link) => linkPose(tree, link, q));
  const M = Array.from({ length: nu }, () => new Array<Scalar>(nu).fill(0));
  for (let b = links.length - 1; b >= 0; b--) {
    const link = links[b]!;
    const columns = hingeColumns(link);
    for (const [d, S] of columns.entries()) {
      const i = link.u + d;
      let F = Ic[b]!.times(S); // force for unit u̇_i of the composite
      for (let e = 0; e <= d; e++) M[i]![link.u + e] = M[link.u + e]![i] = columns[e]!.dot(F);
      M[i]![i] = add(M[i]![i]!, link.element.armature ?? 0);
      for (let a = link.parent, inner = b; a >= 0; inner = a, a = links[a]!.parent) {
        F = X[inner]!.outward(F).withFrame(links[a]!.name);
        for (const [e, Sa] of hingeColumns(links[a]!).entries()) M[i]![links[a]!.u + e] = M[links[a]!.u + e]![i] = Sa.dot(F);
      }
    }
    if (link.parent >= 0) Ic[link.parent] = Ic[link.parent]!.plus(X[b]!.outward(Ic[b]!).withFrame(links[link.parent]!.name));
  }
  return M;
}

/** Rotates rows and columns of a ball or free hinge from link axes to F axes: T M Tᵀ with R_FL in the blocks of T. */
export function rotateToHingeAxes(M: Scalar[][], firstSpeed: number, count: number, R: Mat3): void {
  for (let block = firstSpeed; block < firstSpeed + count; block += 3) {
    for (const row of M) {
      const [x, y, z] = apply(R, row.slice(block, block + 3) as unknown as Vec3);
      row.splice(block, 3, x, y, z);
    }
    for (let j = 0; j < M.length; j++) {
      const rotated = apply(R, [M[block]![j]!, M[block + 1]![j]!, M[block + 2]![j]!]);
      for (const [k, value] of rotated.entries()) M[block + k]![j] = value;
    }
  }
  // Both halves have the same products in another order. One half is copied, so that M is symmetric to the last bit.
  for (let i = 0; i < M.length; i++) for (let j = 0; j < i; j++) M[j]![i] = M[i]![j]!;
}

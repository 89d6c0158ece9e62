/** External wrenches at frames, given in world axes, as forces on the links that carry the frames. */
import type { Scalar } from "../../kernel/trace/scalar.ts";
import type { Frame } from "../../model/model.ts";
import { apply, transpose } from "../../spatial/rotation.ts";
import type { Vec3 } from "../../spatial/vec3.ts";
import { Force } from "../../spatial/vectors.ts";
import { frameOnLink, placementsOfLinks } from "./kinematics.ts";
import { type LinkTree, linkFrameName } from "./link-tree.ts";

/** For each frame the body and link that its wrench acts on (torque, then force, world axes), in link axes about the link's origin. */
export function wrenchesOnLinks(
  tree: LinkTree,
  frames: readonly Frame<Scalar>[],
  q: readonly Scalar[],
  w: readonly Scalar[],
): { readonly body: number; readonly link: number; readonly force: Force }[] {
  if (frames.length === 0) return [];
  const placements = placementsOfLinks(tree, q);
  return frames.map((frame, k) => {
    const { link, placement } = frameOnLink(tree, frame);
    const toLink = (v: readonly Scalar[]): Vec3 =>
      link < 0 ? (v as unknown as Vec3) : apply(transpose(placements[link]!.R), v as unknown as Vec3);
    const wrench = new Force(linkFrameName(tree, link), toLink(w.slice(6 * k, 6 * k + 3)), toLink(w.slice(6 * k + 3, 6 * k + 6)));
    return { body: frame.body, link, force: wrench.shifted(placement.p) };
  });
}

/** Sum of the forces at each index; undefined without forces. Index -1 (the world) is ignored. */
export function sumByIndex(count: number, forces: Iterable<readonly [number, Force]>): (Force | undefined)[] {
  const sums = new Array<Force | undefined>(count).fill(undefined);
  for (const [i, force] of forces) if (i >= 0) sums[i] = sums[i]?.plus(force) ?? force;
  return sums;
}

/** Wrenches that loops exert on the bodies they join, from their multipliers, at frames, in world axes. */
import type { Scalar } from "../../../kernel/trace/scalar.ts";
import type { Attachment } from "../../../model/loop.ts";
import type { Frame, Model } from "../../../model/model.ts";
import { apply, compose, transpose } from "../../../spatial/rotation.ts";
import { cross, minus, negate, plus, scale, type Vec3, ZERO3 } from "../../../spatial/vec3.ts";
import { framePose, placementsOfLinks } from "../../tree/kinematics.ts";
import type { LinkTree } from "../../tree/link-tree.ts";

/** Frames and, for each, torque (3) and force (3): at M on the second body, and the opposite at F on the first body. */
export function loopWrenches(
  model: Model<Scalar>,
  tree: LinkTree,
  q: readonly Scalar[],
  lambda: readonly Scalar[],
): { readonly frames: readonly Frame<Scalar>[]; readonly w: readonly Scalar[] } {
  if (model.loops.length === 0) return { frames: [], w: [] };
  const placements = placementsOfLinks(tree, q);
  const poseOf = ({ body, placement }: Attachment<Scalar>, name: string) =>
    body < 0 ? { R: placement.R, p: placement.p } : framePose(tree, placements, { name, body, placement });
  const frames: Frame<Scalar>[] = [];
  const w: Scalar[] = [];
  const addWrench = ({ body, placement }: Attachment<Scalar>, name: string, torque: Vec3, force: Vec3): void => {
    if (body < 0) return;
    frames.push({ name, body, placement });
    w.push(...torque, ...force);
  };
  let row = 0;
  for (const loop of model.loops) {
    if (loop.type !== "frames") {
      row++; // acts inside hinges: their reactions follow from the motion
      continue;
    }
    const F = poseOf(loop.from, loop.name);
    const M = poseOf(loop.to, loop.name);
    const R = compose(transpose(F.R), M.R);
    const p = apply(transpose(F.R), minus(M.p, F.p));
    let torque: Vec3 = ZERO3;
    let force: Vec3 = ZERO3;
    for (const r of loop.rows) {
      const { torque: t, force: f } = r.wrench(R, p);
      torque = plus(torque, scale(lambda[row]!, t));
      force = plus(force, scale(lambda[row]!, f));
      row++;
    }
    const [T, f] = [apply(F.R, torque), apply(F.R, force)];
    addWrench(loop.to, loop.name, T, f);
    addWrench(loop.from, loop.name, negate(plus(T, cross(minus(M.p, F.p), f))), negate(f));
  }
  return { frames, w };
}

/** Rigid-body motions of a free-floating machine. They restore momentum after a correction of positions has changed it. */
import { denseLU } from "../../math/linear/dense-lu.ts";
import { apply, transpose } from "../../spatial/rotation.ts";
import { cross, plus, UNIT_VECTORS, type Vec3, ZERO3 } from "../../spatial/vec3.ts";
import type { Workspace } from "../system/workspace.ts";

/** Adds to the speeds in y the rigid-body motion after which the momentum equals `momentum`. Hinge speeds and loop rates do not change. */
export function restoreMomentum(workspace: Workspace, t: number, y: Float64Array, momentum: Float64Array): void {
  const motions = [0, 1, 2, 3, 4, 5].map((k) => rigidMotionSpeeds(workspace, y, k));
  const trial = Float64Array.from(y);
  const { nq, nu } = workspace.layout;
  const A = new Float64Array(36);
  for (const [k, u] of motions.entries()) {
    trial.set(u, nq);
    const { momentum: h } = workspace.observe(t, trial);
    for (let i = 0; i < 6; i++) A[6 * i + k] = h[i]!;
  }
  const present = workspace.observe(t, y).momentum;
  const x = Float64Array.from(present, (h, i) => momentum[i]! - h);
  const lu = denseLU(6);
  lu.factor(A);
  lu.solve(x);
  for (const [k, u] of motions.entries()) for (let i = 0; i < nu; i++) y[nq + i]! += x[k]! * u[i]!;
}

/** Speeds of a unit rotation about (k < 3) or a unit translation along (k >= 3) a world axis. Every floating root moves with it. */
function rigidMotionSpeeds({ model, layout }: Workspace, y: Float64Array, k: number): Float64Array {
  const u = new Float64Array(layout.nu);
  const [w, v]: [Vec3<number>, Vec3<number>] =
    k < 3 ? [UNIT_VECTORS[k as 0], ZERO3 as Vec3<number>] : [ZERO3 as Vec3<number>, UNIT_VECTORS[(k - 3) as 0]];
  for (const { parent, hinge } of model.bodies) {
    if (parent >= 0) continue;
    const { R, p } = hinge.onParent;
    const origin = plus(p, apply(R, [y[hinge.q + 4]!, y[hinge.q + 5]!, y[hinge.q + 6]!]));
    const R_FW = transpose(R);
    u.set([...apply(R_FW, w), ...apply(R_FW, plus(v, cross(w, origin)))] as number[], hinge.u);
  }
  return u;
}

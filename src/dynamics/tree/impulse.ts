/**
 * Impulsive loads: the jump of the speeds under given impulses. M Δu = Jᵀ P + Σ J_Pᵀ S and J Δu = 0, with S the given impulses and P
 * those of the loops: the same reduction as for accelerations, with h = 0 [docs/docking-method.md].
 */

import { checkList, checkNumber, checkVector } from "../../arguments.ts";
import { checkModel, frameOf, type Model } from "../../model/model.ts";
import type { Mat3 } from "../../spatial/rotation.ts";
import { partitionedLoops } from "../partition/partitioned-loops.ts";
import { type AppliedImpulse, checkImpulse, impulseWrench } from "./impulse-wrench.ts";
import { framePose, placementsOfLinks } from "./kinematics.ts";
import { linkTreeOf } from "./link-tree.ts";

export interface SpeedJump {
  /** The change of u. */
  readonly du: Float64Array;
  /** Impulses of the rows of loops; multipliers are their forces. */
  readonly lambda: Float64Array;
}

/** @throws ModelError for an unknown frame, SingularError if a freedom has no inertia. */
export function impulseJump(model: Model, q: Float64Array, impulses: readonly AppliedImpulse[], t = 0): SpeedJump {
  checkModel(model);
  checkVector("q", q, model.nq, "the coordinates of the model");
  checkList("impulses", impulses, "impulses, each with a frame and a force or torque");
  for (const [i, impulse] of impulses.entries()) checkImpulse(`impulses[${i}]`, impulse);
  checkNumber("t", t);
  const tree = linkTreeOf(model);
  const placements = placementsOfLinks(tree, [...q]);
  const w = impulses.flatMap((impulse) => {
    const { torque, force } = impulseWrench(
      impulse,
      framePose(tree, placements, frameOf(model, impulse.frame)).R as Mat3<number>,
    );
    return [...torque, ...force];
  });
  const loops = partitionedLoops(model, { wrenches: impulses.map(({ frame }) => frame) });
  const du = new Float64Array(model.nu);
  const lambda = new Float64Array(loops.rows.length);
  loops.speedJump(t, q, new Float64Array(model.nu), Float64Array.from(w), du);
  loops.multipliers(lambda);
  return { du, lambda };
}

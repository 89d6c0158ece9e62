/**
 * Impulsive loads: the jump of the speeds under given impulses. M Δu = Jᵀ P + Σ J_Pᵀ S and J Δu = 0, with S the given impulses and P
 * those of the loops: the same reduction as for accelerations, with h = 0 [docs/docking-method.md].
 */

import { checkList, checkNumber, checkOptions, checkVector } from "../../arguments.ts";
import { checkModel, frameOf, type Model } from "../../model/model.ts";
import { apply } from "../../spatial/rotation.ts";
import type { NumericVec3 } from "../../spatial/vec3.ts";
import { cross, plus } from "../../spatial/vec3.ts";
import { partitionedLoops } from "../partition/partitioned-loops.ts";
import { framePose, placementsOfLinks } from "./kinematics.ts";
import { linkTreeOf } from "./link-tree.ts";

export interface AppliedImpulse {
  /** A frame or body, by name. */
  readonly frame: string;
  /** Point of application in axes of the frame; its origin if not given. */
  readonly at?: NumericVec3;
  /** Impulse in N s and its moment in N m s, world axes. */
  readonly force?: NumericVec3;
  readonly torque?: NumericVec3;
}

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
  for (const [i, impulse] of impulses.entries()) {
    checkOptions(`impulses[${i}]`, impulse, ["frame", "at", "force", "torque"]);
    for (const key of ["at", "force", "torque"] as const)
      if (impulse[key] !== undefined) checkVector(`impulses[${i}].${key}`, impulse[key], 3);
  }
  checkNumber("t", t);
  const tree = linkTreeOf(model);
  const placements = placementsOfLinks(tree, [...q]);
  const w = impulses.flatMap(({ frame, at = [0, 0, 0], force = [0, 0, 0], torque = [0, 0, 0] }) => {
    const { R } = framePose(tree, placements, frameOf(model, frame));
    return [...plus(torque, cross(apply(R, at), force)), ...force] as number[];
  });
  const loops = partitionedLoops(model, { wrenches: impulses.map(({ frame }) => frame) });
  const du = new Float64Array(model.nu);
  const lambda = new Float64Array(loops.rows.length);
  loops.speedJump(t, q, new Float64Array(model.nu), Float64Array.from(w), du);
  loops.multipliers(lambda);
  return { du, lambda };
}

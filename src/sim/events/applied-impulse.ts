/**
 * An impulse from outside during a run: a force and a torque of short duration, integrated over time. The speeds jump,
 *
 *   M (u⁺ - u⁻) = J_Eᵀ S + Jᵀ P,  J (u⁺ - u⁻) = 0
 *
 * with S the impulse at its frame and P the impulses of the engaged loops. Finite forces have no effect during the jump. The work
 * S·J_E (u⁻ + u⁺)/2 is booked as supplied, and S as an impulse from outside.
 */
import { articulatedAccelerations } from "../../dynamics/tree/articulated-body.ts";
import { type AppliedImpulse, impulseWrench } from "../../dynamics/tree/impulse-wrench.ts";
import { frameJacobian, framePose, placementsOfLinks } from "../../dynamics/tree/kinematics.ts";
import { linkTreeOf } from "../../dynamics/tree/link-tree.ts";
import { SingularError } from "../../errors.ts";
import { coordinateNames, frameOf } from "../../model/model.ts";
import type { Mat3 } from "../../spatial/rotation.ts";
import { cross, plus, type Vec3, ZERO3 } from "../../spatial/vec3.ts";
import { IMPULSE, LEDGER, SUPPLIED } from "../system/layout.ts";
import type { Impulse } from "../system/loop-change.ts";
import { recentre } from "../system/mass-centre/recentre.ts";
import type { Workspace } from "../system/workspace.ts";

/** Changes the speeds and the ledger in y. @throws SingularError if a freedom has no inertia */
export function applyImpulse(workspace: Workspace, t: number, y: Float64Array, applied: AppliedImpulse): Impulse {
  const { nq, ny } = workspace.layout;
  const tree = linkTreeOf(workspace.model);
  const placements = placementsOfLinks(tree, [...y.subarray(0, nq)]);
  const frame = frameOf(workspace.model, applied.frame);
  const { R, p } = framePose(tree, placements, frame);
  const { torque, force } = impulseWrench(applied, R as Mat3<number>);
  const J = frameJacobian(tree, placements, frame) as number[][];
  const wrench = [...torque, ...force];
  const Q = Float64Array.from({ length: tree.nu }, (_, i) => wrench.reduce((sum, S, k) => sum + J[k]![i]! * S, 0));
  const result = workspace.closed ? workspace.methods.loops!.push(workspace, t, y, Q) : pushTree(workspace, y, Q);
  const moment = plus(torque, cross(p as Vec3<number>, force)) as Vec3<number>;
  const ledger = ny - LEDGER;
  y[ledger + SUPPLIED]! += result.supplied;
  for (const [i, S] of [...moment, ...force].entries()) y[ledger + IMPULSE + i]! += S;
  const jump = recentre(workspace.layout, y);
  y[ledger + SUPPLIED]! += jump.energy;
  for (const [i, S] of jump.momentum.entries()) y[ledger + IMPULSE + i]! += S;
  workspace.friction.setModesFromSpeeds(y);
  return { ...result, applied: { frame: applied.frame, wrench } };
}

/** M Δu = Q without loops: Δu has the values of the accelerations at rest, without gravity, under forces Q. Adds Δu to the speeds in y. */
function pushTree({ model, layout }: Workspace, y: Float64Array, Q: Float64Array): Impulse {
  const { nq, nu } = layout;
  const tree = { ...linkTreeOf(model), gravity: ZERO3 };
  const rest = new Array<number>(nu).fill(0);
  const du = articulatedAccelerations(tree, [...y.subarray(0, nq)], rest, [...Q], []) as number[];
  const failedSpeed = du.findIndex((value) => !Number.isFinite(value));
  if (failedSpeed >= 0)
    throw new SingularError(
      `${model.name}: the mass matrix is singular in ${coordinateNames(model).u[failedSpeed]!}: it has no inertia`,
    );
  let supplied = 0;
  for (let i = 0; i < nu; i++) {
    supplied += Q[i]! * (y[nq + i]! + du[i]! / 2);
    y[nq + i]! += du[i]!;
  }
  return { loops: [], dissipated: 0, supplied };
}

/** The terms of a robot whose loops are closed, as one program: everything that closed-robot.ts reduces to the hinges of the robot. */
import { cachedPerOwner, contentKey } from "../../kernel/run/program-cache.ts";
import { trace } from "../../kernel/trace/program.ts";
import type { Scalar } from "../../kernel/trace/scalar.ts";
import { engagedParameterTotal, withEngagedParameters } from "../../model/loops/engaged-loop-parameters.ts";
import { frameOf, type Model } from "../../model/model.ts";
import { apply } from "../../spatial/rotation.ts";
import { dot, type Vec3 } from "../../spatial/vec3.ts";
import { loopConstraints } from "../loops/rows/constraint-rows.ts";
import { frameJacobian, framePose, placementsOfLinks } from "../tree/kinematics.ts";
import { linkTreeOf } from "../tree/link-tree.ts";
import { massMatrix } from "../tree/mass-matrix.ts";
import { inverseDynamics } from "../tree/newton-euler.ts";

/** A force from outside at the origin of a frame, along a direction in its axes: a thruster. */
export interface Push {
  readonly frame: string;
  readonly direction: Vec3<number>;
}

/**
 * t, q, u and the parameters `found` of loops that engaged as found → mass M (nu × nu), force (for u̇ = 0), rows J of the engaged loops and
 * their bias (f̈ = J u̇ + bias), and the generalised forces of unit pushes, nu numbers each.
 */
export const closedRobotProgram = (model: Model, pushes: readonly Push[]) =>
  cachedPerOwner(model, contentKey(["closed robot", pushes]), () => traceClosedRobot(model, pushes));

function traceClosedRobot(model: Model, pushes: readonly Push[]) {
  const { nq, nu } = model;
  const inputs = { t: 1, q: nq, u: nu, found: engagedParameterTotal(model) };
  return trace(`${model.name} closed robot`, inputs, ({ t, q, u, found }) => {
    const tree = linkTreeOf(model);
    const placements = placementsOfLinks(tree, q);
    const { rows, bias } = loopConstraints(withEngagedParameters<Scalar>(model, found), tree, t[0]!, q, u);
    const denseRow = (entries: (typeof rows)[number]["J"]): Scalar[] => {
      const row = new Array<Scalar>(nu).fill(0);
      for (const { u: j, value } of entries) row[j] = value;
      return row;
    };
    const pushForce = ({ frame: name, direction }: Push): Scalar[] => {
      const frame = frameOf(model, name);
      const axis = apply(framePose(tree, placements, frame).R, direction);
      const [, , , ...linear] = frameJacobian(tree, placements, frame);
      return Array.from({ length: nu }, (_, j) => dot(axis, linear.map((row) => row[j]!) as unknown as Vec3));
    };
    return {
      mass: massMatrix(tree, q).flat(),
      force: inverseDynamics(tree, q, u, new Array<Scalar>(nu).fill(0), []),
      rows: rows.flatMap(({ J }) => denseRow(J)),
      bias: [...bias],
      pushes: pushes.flatMap(pushForce),
    };
  });
}

/** Named states as keyframes of MJCF, in the order and axes of MuJoCo's coordinates. */
import {
  apply,
  compose,
  fromQuaternion,
  type Mat3,
  type Quaternion,
  toQuaternion,
  transpose,
} from "../../../spatial/rotation.ts";
import type { Vec3 } from "../../../spatial/vec3.ts";
import type { ExportedRobot } from "../../export/exported-robot.ts";
import { type StateValues, stateValues } from "../../export/state-values.ts";
import { AT_ORIGIN, composed } from "../../robot/placements.ts";
import { type XmlNode, xml } from "../../xml/write-xml.ts";
import type { JointNode } from "./joints.ts";

export const keyframeNodes = (robot: ExportedRobot, joints: readonly JointNode[]): readonly XmlNode[] =>
  Array.from(stateValues(robot), ([name, state]) => {
    const values = joints.map((joint) => valuesOf(joint, state));
    const [qpos, qvel] = [values.flatMap(({ q }) => q), values.flatMap(({ u }) => u)];
    return xml("key", { name, qpos, qvel: qvel.some((speed) => speed !== 0) ? qvel : undefined });
  });

/** Angular velocities are in axes of the body in MuJoCo, linear ones in those of the world. */
function valuesOf(
  { type, q, u, factor, onWorld = AT_ORIGIN }: JointNode,
  state: StateValues,
): { readonly q: readonly number[]; readonly u: readonly number[] } {
  const coordinates = (first: number, count: number): readonly number[] => Array.from(state.q.subarray(first, first + count));
  const speeds = (first: number, count: number): readonly number[] => Array.from(state.u.subarray(first, first + count));
  if (type === "hinge" || type === "slide") return { q: [factor * state.q[q]!], u: [factor * state.u[u]!] };
  const quaternion = coordinates(q, 4) as unknown as Quaternion<number>;
  const R = fromQuaternion(quaternion) as Mat3<number>;
  const angular = apply(transpose(R), speeds(u, 3) as unknown as Vec3<number>) as readonly number[];
  if (type === "ball") return { q: quaternion, u: angular };
  const position = coordinates(q + 4, 3) as unknown as Vec3<number>;
  const { p } = composed(onWorld, { R, p: position });
  const attitude = onWorld === AT_ORIGIN ? quaternion : toQuaternion(compose(onWorld.R, R) as Mat3<number>);
  return {
    q: [...p, ...attitude],
    u: [...(apply(onWorld.R, speeds(u + 3, 3) as unknown as Vec3<number>) as readonly number[]), ...angular],
  };
}

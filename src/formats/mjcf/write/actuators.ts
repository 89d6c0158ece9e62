/** Motors and servos as actuators of MJCF, with the gains at the joint. */
import type { FreedomEffects, Motor } from "../../export/joint-effects.ts";
import { type XmlNode, xml } from "../../xml/write-xml.ts";
import type { JointNode } from "./joints.ts";

export const actuatorNodes = (joints: readonly JointNode[], effects: readonly FreedomEffects[]): readonly XmlNode[] =>
  joints
    .filter(({ type, factor }) => (type === "hinge" || type === "slide") && factor === 1)
    .flatMap(({ name, u }) => effects[u]!.motors.map((motor) => actuatorNode(motor, name)));

function actuatorNode({ name, kp, kd, constant, limit }: Motor, joint: string): XmlNode {
  const common = { name, joint, forcerange: limit === undefined ? undefined : [-limit, limit] };
  if (kp === 0 && kd === 0) return xml("motor", common);
  if (constant === 0) return kp === 0 ? xml("velocity", { ...common, kv: kd }) : xml("position", { ...common, kp, kv: kd });
  // The control is the distance of the target from the position of the servo.
  const law = { gainprm: kp === 0 ? kd : kp, biastype: "affine", biasprm: [constant, -kp, -kd] };
  return xml("general", { ...common, ...law });
}

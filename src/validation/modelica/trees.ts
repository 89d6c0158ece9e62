/** Models without loops. */

import type { Log } from "../../log/log.ts";
import { createForce } from "../../parts/force/forces.ts";
import {
  apply,
  compose,
  fromQuaternion,
  type Mat3,
  type Quaternion,
  rotationAboutAxis,
  toQuaternion,
  transpose,
} from "../../spatial/rotation.ts";
import { type NumericVec3, plus, UNIT_VECTORS } from "../../spatial/vec3.ts";
import * as curves from "./curves.ts";
import type { ModelicaModel } from "./model.ts";
import { bodyBox, bodyCylinder, MODELICA_GRAVITY } from "./parts.ts";
import { springsInSeries } from "./springs-in-series.ts";

const DEGREE = Math.PI / 180;
const [X, Y, Z] = UNIT_VECTORS;
const EXAMPLES = "Modelica.Mechanics.MultiBody.Examples";

const turn = (axis: NumericVec3, angle: number): Mat3<number> => rotationAboutAxis(axis, angle) as Mat3<number>;

/** Rx(a) Ry(b) Rz(c) about axes that turn with the frame, as the rotation sequence {1, 2, 3} has it. */
const sequence = (a: number, b: number, c: number): Mat3<number> =>
  compose(compose(turn(X, a), turn(Y, b)), turn(Z, c)) as Mat3<number>;

/** Component i of a vector of the world in axes of a hinge with a quaternion. */
function inBody(hinge: string, i: number): (log: Log, sample: number) => number {
  return (log, sample) => {
    const at = (name: string): number => log.column(name)[sample]!;
    const q = ["qw", "qx", "qy", "qz"].map((part) => at(`q.${hinge}.${part}`)) as unknown as Quaternion<number>;
    const w = ["wx", "wy", "wz"].map((part) => at(`u.${hinge}.${part}`)) as unknown as NumericVec3;
    return (apply(transpose(fromQuaternion(q) as Mat3<number>), w) as NumericVec3)[i]!;
  };
}

const frameValues = (frame: string): readonly string[] =>
  ["x", "y", "z", "vx", "vy", "vz"].map((part) => `frame.${frame}.${part}`);

const position = (hinge: string, p: NumericVec3, R: Mat3<number>): Record<string, number> => {
  const values = [...toQuaternion(R), ...p];
  return Object.fromEntries(["qw", "qx", "qy", "qz", "x", "y", "z"].map((part, i) => [`q.${hinge}.${part}`, values[i]!]));
};

const doublePendulum: ModelicaModel = {
  path: `${EXAMPLES}.Elementary.DoublePendulum`,
  curve: curves.doublePendulumCurve,
  tolerance: 1e-4,
  description: {
    gravity: MODELICA_GRAVITY,
    bodies: [
      { name: "box1", ...bodyBox([0.5, 0, 0], 0.06), hinge: { kind: "revolute" } },
      { name: "box2", parent: "box1", ...bodyBox([0.5, 0, 0], 0.06), hinge: { kind: "revolute", at: [0.5, 0, 0] } },
    ],
  },
  forces: (model) => [createForce(model, { kind: "hinge-spring", name: "damper", hinge: "box1", damping: 0.1 })],
  variables: ["q.box1", "u.box1", "q.box2", "u.box2"],
};

const freeBody: ModelicaModel = {
  path: `${EXAMPLES}.Elementary.FreeBody`,
  curve: curves.freeBodyCurve,
  tolerance: 1e-4,
  description: {
    gravity: MODELICA_GRAVITY,
    bodies: [
      {
        ...{ name: "body", mass: 1, com: [0.2, 0, 0], inertia: [1, 1, 1], hinge: { kind: "free" } },
        frames: { b: { at: [0.4, 0, 0] } },
      },
    ],
  },
  forces: (model) => [
    createForce(model, { kind: "frame-spring", name: "spring1", from: "body", point: [0, 0, 0], stiffness: 20 }),
    createForce(model, { kind: "frame-spring", name: "spring2", from: "b", point: [0.8, 0, 0], stiffness: 20 }),
  ],
  start: position("body", [0.2, -0.5, 0.1], sequence(10 * DEGREE, 10 * DEGREE, 10 * DEGREE)),
  variables: [...frameValues("body").slice(0, 3), ...[0, 1, 2].map((i) => inBody("body", i)), ...frameValues("body").slice(3)],
  channels: ["q.*", "u.*"],
};

const threeSprings: ModelicaModel = {
  path: `${EXAMPLES}.Elementary.ThreeSprings`,
  curve: curves.threeSpringsCurve,
  tolerance: 1e-4,
  description: {
    gravity: MODELICA_GRAVITY,
    bodies: [{ name: "body1", mass: 0.8, com: [0, -0.2, 0], inertia: [0.1, 0.1, 0.1], hinge: { kind: "free" } }],
  },
  forces: (model) => [
    springsInSeries(model, {
      body: { frame: "body1", stiffness: 40, length: 0.1 },
      ends: [
        { at: [0.3, 0, 0], stiffness: 20, length: 0.1 },
        { at: [0, 0, 0.3], stiffness: 20, length: 0.1 },
      ],
    }),
  ],
  start: position("body1", [0.5, -0.3, 0], sequence(0, 0, 0)),
  variables: [...frameValues("body1"), ...[0, 1, 2].map((i) => inBody("body1", i))],
  channels: ["q.*", "u.*"],
};

/** Rotation of the arm's end, on which the rotor turns about x. */
const MOUNT = turn(Y, 45 * DEGREE);

/** Component i of the angular velocity of the rotor, in its axes. */
const ofRotor =
  (i: number) =>
  (log: Log, sample: number): number => {
    const onArm = [0, 1, 2].map((k) => inBody("arm", k)(log, sample)) as unknown as NumericVec3;
    const spin: NumericVec3 = [log.column("u.rotor")[sample]!, 0, 0];
    const R = turn(X, log.column("q.rotor")[sample]!);
    return (plus(apply(transpose(R), apply(transpose(MOUNT), onArm)), spin) as NumericVec3)[i]!;
  };

const gyroscopicEffects: ModelicaModel = {
  path: `${EXAMPLES}.Rotational3DEffects.GyroscopicEffects`,
  curve: curves.gyroscopicEffectsCurve,
  tolerance: 1e-4,
  description: {
    gravity: MODELICA_GRAVITY,
    bodies: [
      { name: "arm", ...bodyCylinder([0.25, 0, 0], 0.05), hinge: { kind: "spherical" } },
      {
        name: "rotor",
        parent: "arm",
        ...bodyCylinder([0.2, 0, 0], 0.1),
        hinge: { kind: "revolute", axis: "x", at: [0.25, 0, 0], rotation: { matrix: MOUNT }, onBody: { at: [0.1, 0, 0] } },
      },
    ],
  },
  start: { "u.rotor": 10 },
  variables: [...[0, 1, 2].map(ofRotor), ...[0, 1, 2].map((i) => inBody("arm", i)), "q.rotor", "u.rotor", "q.rotor", "u.rotor"],
  channels: ["q.*", "u.*"],
};

const PLACE = sequence(10 * DEGREE, 55 * DEGREE, 68 * DEGREE);

const universalConstraint: ModelicaModel = {
  path: `${EXAMPLES}.Constraints.UniversalConstraint`,
  curve: curves.universalConstraintCurve,
  tolerance: 1e-4,
  description: {
    gravity: MODELICA_GRAVITY,
    bodies: [
      {
        ...{ name: "carrier", mass: 0, inertia: "none" },
        hinge: { kind: "revolute", axis: "z", at: [0.2, -0.3, 0.2], rotation: { matrix: PLACE } },
      },
      {
        ...{
          name: "body",
          parent: "carrier",
          mass: 1,
          com: [0.2, 0, 0],
          inertia: [1, 1, 1],
          hinge: { kind: "revolute", axis: "x" },
        },
        frames: { end: { at: [0.5, 0.15, 0.2] } },
      },
    ],
  },
  forces: (model) => [
    createForce(model, { kind: "frame-spring", name: "spring", from: "end", point: [0.8, 0, 0.3], stiffness: 20 }),
  ],
  variables: [
    "u.body",
    (log, s) => Math.sin(log.column("q.body")[s]!) * log.column("u.carrier")[s]!,
    (log, s) => Math.cos(log.column("q.body")[s]!) * log.column("u.carrier")[s]!,
    "q.carrier",
    "q.body",
    "u.carrier",
    "u.body",
  ],
};

export const MODELICA_TREES = [doublePendulum, freeBody, threeSprings, gyroscopicEffects, universalConstraint];

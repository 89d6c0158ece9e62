/** Orientations of MJCF, given in one of five ways, and positions. */

import { euclideanNorm } from "../../math/elementary/hypotenuse.ts";
import type { Placement } from "../../model/model.ts";
import {
  compose,
  fromQuaternion,
  IDENTITY,
  type Mat3,
  type Quaternion,
  rotationAboutAxis,
  snapRotation,
} from "../../spatial/rotation.ts";
import { cross, UNIT_VECTORS, type Vec3 } from "../../spatial/vec3.ts";
import type { XmlAttributes } from "../robot/attributes.ts";
import { axisRotation } from "../robot/axis-rotation.ts";
import type { Compiler } from "./mjcf-file.ts";

const unit = (v: readonly number[], attributes: XmlAttributes, name: string): Vec3<number> => {
  const norm = euclideanNorm(v);
  if (norm !== 0) return v.map((c) => c / norm) as unknown as Vec3<number>;
  attributes.problem(name, "must not be zero");
  return UNIT_VECTORS[2];
};

/** Placement by `pos` and an orientation. */
export const readPlacement = (attributes: XmlAttributes, compiler: Compiler): Placement => ({
  p: attributes.vector("pos") ?? [0, 0, 0],
  R: readOrientation(attributes, compiler),
});

/** Ways to give an orientation. The last one is used only if a class or an element gives none of the others. */
export const ORIENTATIONS = ["axisangle", "euler", "xyaxes", "zaxis", "quat"];

export function readOrientation(attributes: XmlAttributes, compiler: Compiler): Mat3<number> {
  const given = ORIENTATIONS.filter((name) => attributes.element.attributes.has(name));
  if (given.length > 1) attributes.problem(given[0]!, `is given together with ${given[1]}`, "Give one orientation");
  const axisangle = attributes.numbers("axisangle", 4, 4);
  if (axisangle !== undefined)
    return rotationAboutAxis(
      unit(axisangle.slice(0, 3), attributes, "axisangle"),
      axisangle[3]! * compiler.angle,
    ) as Mat3<number>;
  const euler = attributes.vector("euler");
  if (euler !== undefined) return eulerRotation(euler, compiler);
  const xyaxes = attributes.numbers("xyaxes", 6, 6);
  if (xyaxes !== undefined) return fromAxes(xyaxes, attributes);
  const zaxis = attributes.vector("zaxis");
  if (zaxis !== undefined) return shortestRotation(unit(zaxis, attributes, "zaxis"));
  const quat = attributes.numbers("quat", 4, 4);
  return quat === undefined ? IDENTITY : snapRotation(fromQuaternion(unitQuaternion(quat, attributes)) as Mat3<number>);
}

function unitQuaternion(q: readonly number[], attributes: XmlAttributes): Quaternion<number> {
  const norm = euclideanNorm(q);
  if (norm === 0) attributes.problem("quat", "a quaternion must not be zero");
  return q.map((c) => c / (norm || 1)) as unknown as Quaternion<number>;
}

/** Lower-case letters turn about axes that move with the frame, upper-case letters about fixed axes. */
export function eulerRotation(angles: Vec3<number>, { angle, eulerseq }: Compiler): Mat3<number> {
  let R: Mat3<number> = IDENTITY;
  for (const [i, letter] of [...eulerseq].entries()) {
    const axis = UNIT_VECTORS["xyz".indexOf(letter.toLowerCase()) as 0 | 1 | 2] ?? UNIT_VECTORS[0];
    const turn = rotationAboutAxis(axis, angles[i as 0 | 1 | 2] * angle) as Mat3<number>;
    R = (letter === letter.toLowerCase() ? compose(R, turn) : compose(turn, R)) as Mat3<number>;
  }
  return snapRotation(R);
}

/** x as given, y made orthogonal to it. */
function fromAxes(values: readonly number[], attributes: XmlAttributes): Mat3<number> {
  const x = unit(values.slice(0, 3), attributes, "xyaxes");
  const along = x[0] * values[3]! + x[1] * values[4]! + x[2] * values[5]!;
  const y = unit(
    x.map((c, i) => values[3 + i]! - along * c),
    attributes,
    "xyaxes",
  );
  const z = cross(x, y) as Vec3<number>;
  return snapRotation([
    [x[0], y[0], z[0]],
    [x[1], y[1], z[1]],
    [x[2], y[2], z[2]],
  ]);
}

/** The smallest rotation from z to a unit vector; half a turn about x for -z. */
export function shortestRotation(axis: Vec3<number>): Mat3<number> {
  const [x, y, z] = axis;
  if (z >= -0.5) return axisRotation(axis);
  const sine = euclideanNorm([x, y]);
  if (sine < 1e-15) return axisRotation([0, 0, -1]);
  // Rodrigues' formula about n = (-y, x, 0) / |sine|; 1 - z does not cancel here.
  const [a, b] = [-y / sine, x / sine];
  const k = 1 - z;
  return [
    [z + k * a * a, k * a * b, sine * b],
    [k * a * b, z + k * b * b, -sine * a],
    [-sine * b, sine * a, z],
  ];
}

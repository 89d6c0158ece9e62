/** The placement of a frame on its carrier: position, and a rotation given in one of three ways. */

import type { Parameter, Parameters, ValueProblem } from "../../declare/parameters.ts";
import { euclideanNorm } from "../../math/elementary/hypotenuse.ts";
import type { Mat3, Quaternion } from "../../spatial/rotation.ts";
import {
  compose,
  fromQuaternion,
  IDENTITY,
  orthonormality,
  rotationAboutAxis,
  snapRotation,
  toQuaternion,
  transpose,
} from "../../spatial/rotation.ts";
import { UNIT_VECTORS, type Vec3, ZERO3 } from "../../spatial/vec3.ts";
import type { PlacementDescription, RotationDescription } from "../description.ts";
import type { Placement } from "../model.ts";

/** A matrix with a smaller error is a rotation written with few digits, and is made exact. With a larger error it is a mistake. */
const ORTHONORMAL = 1e-6;
/** The same for the norm of a quaternion. */
const UNIT_NORM = 1e-3;
/** A rotation with this error or less is kept to the last bit. */
const EXACT = 1e-15;

export const AT_ORIGIN: Placement = { R: IDENTITY, p: ZERO3 };

/** The rotation of a placed frame, given in one of three ways. */
const ROTATION = {
  type: "object",
  id: "rotation",
  optional: true,
  inline: true,
  about: "Orientation, given in one of three ways: the map from components in the placed frame to components in its carrier.",
  exactlyOne: ["quaternion", "matrix", "rpy"],
  of: {
    quaternion: {
      type: "array",
      unit: "",
      parts: ["w", "x", "y", "z"],
      optional: true,
      setting: "written",
      about: "[w, x, y, z] of norm 1.",
      check: quaternionProblem,
    },
    matrix: {
      type: "matrix",
      unit: "",
      optional: true,
      setting: "written",
      about: "Three rows; the columns are the axes of the placed frame in its carrier.",
      check: rotationProblem,
    },
    rpy: {
      type: "array",
      unit: "rad",
      parts: ["roll", "pitch", "yaw"],
      default: [0, 0, 0],
      about: "Roll, pitch, yaw about the fixed axes: R = Rz(yaw) Ry(pitch) Rx(roll).",
    },
  },
} as const satisfies Parameter;

const dhNumber = (unit: string, about: string) => ({ type: "number", unit, default: 0, about }) as const;

/** The placement of a frame on its carrier: position and rotation, or a row of a Denavit-Hartenberg table. */
export const PLACEMENT = {
  at: { type: "vector", unit: "m", default: [0, 0, 0], about: "Position of the origin in axes of the carrier." },
  rotation: ROTATION,
  dh: {
    type: "object",
    optional: true,
    excludes: ["at", "rotation"],
    setting: "written",
    label: "Denavit-Hartenberg",
    about: "Instead of at and rotation: a Denavit-Hartenberg row in the modified convention, Rx(alpha) Tx(a) Tz(d) Rz(theta).",
    of: {
      alpha: dhNumber("rad", "Turn about x of the carrier."),
      a: dhNumber("m", "Distance along x of the carrier."),
      d: dhNumber("m", "Distance along z of the placed frame."),
      theta: dhNumber("rad", "Turn about z of the placed frame."),
    },
  },
} as const satisfies Parameters;

/** A placement by itself. */
export const PLACED_FRAME = {
  type: "object",
  id: "placement",
  about: "Placement of a frame on its carrier; at its origin and parallel if not given.",
  of: PLACEMENT,
} as const satisfies Parameter;

/** The placement that a description means. A part that could not be read is at the origin or parallel. */
export function placementOf({ at, rotation, dh }: PlacementDescription): Placement {
  if (dh !== undefined) return denavitHartenberg(dh);
  return {
    p: at === undefined ? ZERO3 : (Array.from(at) as unknown as Vec3<number>),
    R: rotation === undefined ? IDENTITY : rotationOf(rotation),
  };
}

/** A row of a table in the modified convention [Craig]: Rx(alpha) Tx(a) Tz(d) Rz(theta), then the hinge about or along z. */
function denavitHartenberg({ alpha = 0, a = 0, d = 0, theta = 0 }: NonNullable<PlacementDescription["dh"]>): Placement {
  const tilt = snapRotation(rotationAboutAxis(UNIT_VECTORS[0], alpha) as Mat3<number>);
  return {
    R: snapRotation(compose(tilt, rotationAboutAxis(UNIT_VECTORS[2], theta)) as Mat3<number>),
    p: [a, tilt[1][2] * d, tilt[2][2] * d],
  };
}

function rotationOf({ quaternion, matrix, rpy }: RotationDescription): Mat3<number> {
  if (quaternion !== undefined) return snapRotation(fromQuaternion(unitQuaternion(Array.from(quaternion))) as Mat3<number>);
  if (matrix !== undefined) {
    const R = matrix as unknown as Mat3<number>;
    return snapRotation(orthonormality(R).error <= EXACT ? R : nearestRotation(R));
  }
  if (rpy === undefined) return IDENTITY;
  const [Rx, Ry, Rz] = Array.from(rpy, (angle, i) => rotationAboutAxis(UNIT_VECTORS[i as 0 | 1 | 2], angle)) as [
    Mat3,
    Mat3,
    Mat3,
  ];
  return snapRotation(compose(Rz, compose(Ry, Rx)) as Mat3<number>);
}

/** The quaternion with norm 1. */
export function unitQuaternion(q: readonly number[]): Quaternion<number> {
  const norm = euclideanNorm(q);
  return q.map((c) => c / norm) as unknown as Quaternion<number>;
}

/** Why a quaternion is refused: its norm is not nearly 1. */
export function quaternionProblem(q: readonly number[]): ValueProblem | undefined {
  const norm = euclideanNorm(q);
  if (Math.abs(norm - 1) <= UNIT_NORM) return undefined;
  const advice =
    norm > 0
      ? `Divide it by its norm: [${unitQuaternion(q)
          .map((c) => +c.toPrecision(6))
          .join(", ")}]`
      : "No rotation is [1, 0, 0, 0]";
  return { message: `a quaternion must have norm 1, this has ${+norm.toPrecision(6)}`, advice, value: q };
}

/** Why a matrix is refused: it is not a rotation. */
function rotationProblem(matrix: readonly (readonly number[])[]): ValueProblem | undefined {
  const { error, rightHanded } = orthonormality(matrix as unknown as Mat3<number>);
  if (!(error <= ORTHONORMAL)) {
    const message = `is not a rotation: its rows are off orthonormal by ${error.toPrecision(2)}`;
    return { message, advice: "Give more digits, or a quaternion" };
  }
  if (rightHanded) return undefined;
  const advice = "Its third column must be the cross product of the first two";
  return { message: "is left-handed: a reflection, not a rotation", advice };
}

/** The nearest rotation to a nearly orthonormal matrix: each R ← R (3 - RᵀR) / 2 doubles the number of correct digits. */
function nearestRotation(R: Mat3<number>): Mat3<number> {
  for (let i = 0; i < 3; i++) {
    const square = compose(transpose(R), R) as Mat3<number>;
    const correction = square.map((row, r) => row.map((v, c) => ((r === c ? 3 : 0) - v) / 2)) as unknown as Mat3<number>;
    R = compose(R, correction) as Mat3<number>;
  }
  return R;
}

/** The description of a placement; defaults are left out. */
export function describePlacement({ R, p }: Placement): PlacementDescription {
  const entries = R.flat();
  const isIdentity = entries.every((v, i) => v === (i % 4 === 0 ? 1 : 0));
  const isAxisAligned = entries.every(Number.isInteger);
  return {
    ...(p.some((v) => v !== 0) && { at: p }),
    ...(!isIdentity && { rotation: isAxisAligned ? { matrix: R } : { quaternion: toQuaternion(R) } }),
  };
}

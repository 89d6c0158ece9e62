/** Parses the placement of a frame on its carrier: position, and a rotation given in one of three ways. */

import { childPath, type Fields, readFields, readMat3, readNumber, readNumbers, readVec3 } from "../../declare/plain-data.ts";
import { type Problem, valueText } from "../../errors.ts";
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
import { UNIT_VECTORS, ZERO3 } from "../../spatial/vec3.ts";
import type { PlacementDescription } from "../description.ts";
import type { Placement } from "../model.ts";

/** A matrix with a smaller error is a rotation written with few digits, and is made exact. With a larger error it is a mistake. */
const ORTHONORMAL = 1e-6;
/** The same for the norm of a quaternion. */
export const UNIT_NORM = 1e-3;
/** A rotation with this error or less is kept to the last bit. */
const EXACT = 1e-15;

export const AT_ORIGIN: Placement = { R: IDENTITY, p: ZERO3 };

/** Keys of a placement. */
export const PLACEMENT_KEYS = ["at", "rotation", "dh"] as const;
const DH_KEYS = ["alpha", "a", "d", "theta"] as const;

const ROTATION_KEYS = ["quaternion", "matrix", "rpy"] as const;

/** The placement from `at` and `rotation`, both optional, or from `dh`. */
export function readPlacement(fields: Fields, path: string, problems: Problem[]): Placement {
  const { at, rotation, dh } = fields;
  if (dh !== undefined) {
    for (const other of ["at", "rotation"])
      if (fields[other] !== undefined)
        problems.push({
          path: childPath(path, other),
          message: "must not be given together with dh",
          advice: "Leave one of them out",
        });
    return readDenavitHartenberg(dh, childPath(path, "dh"), problems);
  }
  return {
    p: (at === undefined ? undefined : readVec3(at, childPath(path, "at"), problems)) ?? ZERO3,
    R: (rotation === undefined ? undefined : readRotation(rotation, childPath(path, "rotation"), problems)) ?? IDENTITY,
  };
}

/** An object that contains only a placement. */
export function readPlacementObject(value: unknown, path: string, problems: Problem[]): Placement {
  const fields = readFields(value, path, PLACEMENT_KEYS, problems);
  return fields === undefined ? AT_ORIGIN : readPlacement(fields, path, problems);
}

/** A row of a table in the modified convention [Craig]: Rx(alpha) Tx(a) Tz(d) Rz(theta), then the hinge about or along z. */
function readDenavitHartenberg(value: unknown, path: string, problems: Problem[]): Placement {
  const fields = readFields(value, path, DH_KEYS, problems) ?? {};
  const [alpha, a, d, theta] = DH_KEYS.map((key) =>
    fields[key] === undefined ? 0 : (readNumber(fields[key], childPath(path, key), problems) ?? 0),
  ) as [number, number, number, number];
  const tilt = snapRotation(rotationAboutAxis(UNIT_VECTORS[0], alpha) as Mat3<number>);
  return {
    R: snapRotation(compose(tilt, rotationAboutAxis(UNIT_VECTORS[2], theta)) as Mat3<number>),
    p: [a, tilt[1][2] * d, tilt[2][2] * d],
  };
}

function readRotation(value: unknown, path: string, problems: Problem[]): Mat3<number> | undefined {
  const fields = readFields(value, path, ROTATION_KEYS, problems);
  if (fields === undefined) return undefined;
  const givenKeys = ROTATION_KEYS.filter((key) => fields[key] !== undefined);
  if (givenKeys.length !== 1) {
    const message =
      givenKeys.length === 0 ? "contains no rotation" : `is given ${givenKeys.length} times, as ${givenKeys.join(" and ")}`;
    problems.push({ path, message, advice: `Give one of ${ROTATION_KEYS.join(", ")}` });
    return undefined;
  }
  const key = givenKeys[0]!;
  const R = READERS[key](fields[key], childPath(path, key), problems);
  return R === undefined ? undefined : snapRotation(R);
}

type RotationReader = (value: unknown, path: string, problems: Problem[]) => Mat3<number> | undefined;

const READERS: Readonly<Record<(typeof ROTATION_KEYS)[number], RotationReader>> = {
  quaternion: (value, path, problems) => {
    const q = readNumbers(value, path, 4, problems);
    const unit = q && readUnitQuaternion(q, path, problems);
    return unit && (fromQuaternion(unit) as Mat3<number>);
  },
  matrix: (value, path, problems) => {
    const R = readMat3(value, path, problems);
    return R && readOrthonormal(R, path, problems);
  },
  rpy: (value, path, problems) => {
    const angles = readNumbers(value, path, 3, problems);
    if (angles === undefined) return undefined;
    const [Rx, Ry, Rz] = angles.map((angle, i) => rotationAboutAxis(UNIT_VECTORS[i as 0 | 1 | 2], angle)) as [Mat3, Mat3, Mat3];
    return compose(Rz, compose(Ry, Rx)) as Mat3<number>;
  },
};

/** The quaternion with norm 1, if its norm is nearly 1. */
export function readUnitQuaternion(q: readonly number[], path: string, problems: Problem[]): Quaternion<number> | undefined {
  const norm = euclideanNorm(q);
  const unit = q.map((c) => c / norm);
  if (Math.abs(norm - 1) <= UNIT_NORM) return unit as unknown as Quaternion<number>;
  const advice =
    norm > 0 ? `Divide it by its norm: [${unit.map((c) => +c.toPrecision(6)).join(", ")}]` : "No rotation is [1, 0, 0, 0]";
  problems.push({
    path,
    message: `a quaternion must have norm 1, this has ${+norm.toPrecision(6)}`,
    value: valueText(q),
    advice,
  });
  return undefined;
}

function readOrthonormal(R: Mat3<number>, path: string, problems: Problem[]): Mat3<number> | undefined {
  const { error, rightHanded } = orthonormality(R);
  if (!(error <= ORTHONORMAL)) {
    const message = `is not a rotation: its rows are off orthonormal by ${error.toPrecision(2)}`;
    problems.push({ path, message, value: valueText(R), advice: "Give more digits, or a quaternion" });
    return undefined;
  }
  if (!rightHanded) {
    const advice = "Its third column must be the cross product of the first two";
    problems.push({ path, message: "is left-handed: a reflection, not a rotation", value: valueText(R), advice });
    return undefined;
  }
  return error <= EXACT ? R : nearestRotation(R);
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

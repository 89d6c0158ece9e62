/** Parses mass and inertia of a body, and checks that they are physical. */

import { readArray, readMat3, readNumber, readNumbers } from "../../declare/plain-data.ts";
import { type Problem, valueText } from "../../errors.ts";
import { hypotenuse } from "../../math/elementary/hypotenuse.ts";
import type { Mat3 } from "../../spatial/rotation.ts";

/** A matrix counts as symmetric if its halves differ by less than this, relative to the largest entry. */
const SYMMETRY_TOLERANCE = 1e-9;
/** An eigenvalue below this, relative to the largest, is a rounded zero. */
const MIN_EIGENVALUE_RATIO = 1e-12;
/** Relative tolerance of the triangle inequality, for rounding. */
const TRIANGLE_TOLERANCE = 1e-9;

export const ZERO_INERTIA: Mat3<number> = [
  [0, 0, 0],
  [0, 0, 0],
  [0, 0, 0],
];

export const isZeroInertia = (I: Mat3<number>): boolean => I.every((row) => row.every((v) => v === 0));

/** A mass, not negative. Zero is allowed only without inertia. */
export function readMass(value: unknown, inertia: unknown, path: string, problems: Problem[]): number | undefined {
  const mass = readNumber(value, path, problems);
  if (mass === undefined) return undefined;
  if (mass < 0) problems.push({ path, message: "must not be negative", value: valueText(mass) });
  else if (mass === 0 && inertia !== "none")
    problems.push({
      path,
      message: "a body with inertia must have mass",
      value: "0",
      advice: 'For a massless body write inertia: "none"',
    });
  else return mass;
  return undefined;
}

/** Inertia about the mass centre in any of its written forms. An inertia that no real body has is only a warning. */
export function readInertia(value: unknown, path: string, problems: Problem[], warnings: Problem[]): Mat3<number> | undefined {
  if (value === "none") return ZERO_INERTIA;
  const I = readTensor(value, path, problems);
  if (I === undefined) return undefined;
  const [least, middle, most] = eigenvalues(I);
  const eigenvalueList = [least, middle, most].map((v) => +v.toPrecision(6)).join(", ");
  if (!(least > MIN_EIGENVALUE_RATIO * Math.abs(most))) {
    const advice = 'All three must be positive; for a point mass write "none"';
    problems.push({
      path,
      message: `is not positive definite: its eigenvalues are ${eigenvalueList}`,
      value: valueText(value),
      advice,
    });
    return undefined;
  }
  if (least + middle < most * (1 - TRIANGLE_TOLERANCE)) {
    const message = `no real body has this inertia: of its principal moments ${eigenvalueList} the largest exceeds the sum of the others`;
    warnings.push({
      path,
      message,
      value: valueText(value),
      advice: "The model runs all the same; check the source of the numbers",
    });
  }
  return I;
}

function readTensor(value: unknown, path: string, problems: Problem[]): Mat3<number> | undefined {
  const form = '[xx, yy, zz], [xx, yy, zz, xy, xz, yz], a 3x3 matrix, or "none"';
  const items = readArray(value, path, form, problems);
  if (items === undefined) return undefined;
  if (items.length === 3 && items.some(Array.isArray)) {
    const I = readMat3(items, path, problems);
    return I && symmetrised(I, path, problems);
  }
  if (items.length !== 3 && items.length !== 6) {
    problems.push({ path, message: `must be ${form}`, value: valueText(value) });
    return undefined;
  }
  const numbers = readNumbers(items, path, items.length, problems);
  if (numbers === undefined) return undefined;
  const [xx, yy, zz, xy, xz, yz] = [...numbers, 0, 0, 0] as [number, number, number, number, number, number];
  return [
    [xx, xy, xz],
    [xy, yy, yz],
    [xz, yz, zz],
  ];
}

/** The symmetric part of a matrix that is symmetric except for rounding. */
function symmetrised(I: Mat3<number>, path: string, problems: Problem[]): Mat3<number> | undefined {
  const largest = Math.max(...I.flat().map(Math.abs));
  const pairs = [
    [0, 1, "xy"],
    [0, 2, "xz"],
    [1, 2, "yz"],
  ] as const;
  for (const [i, j, name] of pairs) {
    if (Math.abs(I[i][j] - I[j][i]) <= SYMMETRY_TOLERANCE * largest) continue;
    problems.push({
      path,
      message: `is not symmetric: ${name} is ${I[i][j]} above the diagonal and ${I[j][i]} below`,
      value: valueText(I),
    });
    return undefined;
  }
  const mean = (i: 0 | 1 | 2, j: 0 | 1 | 2): number => (I[i][j] === I[j][i] ? I[i][j] : (I[i][j] + I[j][i]) / 2);
  return [
    [I[0][0], mean(0, 1), mean(0, 2)],
    [mean(0, 1), I[1][1], mean(1, 2)],
    [mean(0, 2), mean(1, 2), I[2][2]],
  ];
}

/** Eigenvalues of a symmetric matrix, ascending, by Jacobi rotations: small ones keep their digits. */
export function eigenvalues(I: Mat3<number>): readonly [number, number, number] {
  const A = I.map((row) => [...row]) as [number[], number[], number[]];
  for (let sweep = 0; sweep < 12; sweep++) {
    for (const [p, q] of [
      [0, 1],
      [0, 2],
      [1, 2],
    ] as const) {
      const offDiagonal = A[p][q]!;
      if (offDiagonal === 0) continue;
      const theta = (A[q][q]! - A[p][p]!) / (2 * offDiagonal);
      const t = (theta < 0 ? -1 : 1) / (Math.abs(theta) + hypotenuse(theta, 1));
      const c = 1 / hypotenuse(t, 1);
      const s = t * c;
      const r = (3 - p - q) as 0 | 1 | 2; // the third axis
      const [rp, rq] = [A[r][p]!, A[r][q]!];
      A[p][p]! -= t * offDiagonal;
      A[q][q]! += t * offDiagonal;
      A[p][q] = A[q][p] = 0;
      A[r][p] = A[p][r] = c * rp - s * rq;
      A[r][q] = A[q][r] = s * rp + c * rq;
    }
  }
  return [A[0][0]!, A[1][1]!, A[2][2]!].sort((a, b) => a - b) as [number, number, number];
}

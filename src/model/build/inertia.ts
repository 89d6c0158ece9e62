/** The inertia of a body, and the checks that it is physical. */

import type { Parameter, ValueProblem } from "../../declare/parameters.ts";
import { type Problem, valueText } from "../../errors.ts";
import { hypotenuse } from "../../math/elementary/hypotenuse.ts";
import type { Mat3 } from "../../spatial/rotation.ts";
import type { BodyDescription } from "../description.ts";

/** A matrix counts as symmetric if its halves differ by less than this, relative to the largest entry. */
const SYMMETRY_TOLERANCE = 1e-9;
/** An eigenvalue below this, relative to the largest, is a rounded zero. */
const MIN_EIGENVALUE_RATIO = 1e-12;
/** Relative tolerance of the triangle inequality, for rounding. */
const TRIANGLE_TOLERANCE = 1e-9;

const ZERO_INERTIA: Mat3<number> = [
  [0, 0, 0],
  [0, 0, 0],
  [0, 0, 0],
];

export const isZeroInertia = (I: Mat3<number>): boolean => I.every((row) => row.every((v) => v === 0));

/** Inertia about the mass centre, in any of its written forms. */
export const INERTIA = {
  type: "either",
  id: "inertia",
  about:
    'About the mass centre in body axes: [xx, yy, zz], [xx, yy, zz, xy, xz, yz] (entries of the tensor), a 3x3 matrix, or "none" for a point mass.',
  forms: '[xx, yy, zz], [xx, yy, zz, xy, xz, yz], a 3x3 matrix, or "none"',
  of: [
    {
      type: "choice",
      of: ["none"],
      refusal: 'must be [xx, yy, zz], [xx, yy, zz, xy, xz, yz], a 3x3 matrix, or "none"',
      about: "A point mass.",
    },
    { type: "array", unit: "kg m^2", parts: ["xx", "yy", "zz"], about: "Principal moments." },
    { type: "array", unit: "kg m^2", parts: ["xx", "yy", "zz", "xy", "xz", "yz"], about: "Entries of the tensor." },
    { type: "matrix", unit: "kg m^2", about: "The tensor.", check: symmetryProblem },
  ],
  check: definitenessProblem,
} as const satisfies Parameter;

type WrittenInertia = BodyDescription["inertia"];

/** The tensor that a description means. An inertia that no real body has is only a warning. */
export function inertiaOf(written: WrittenInertia, path: string, warnings: Problem[]): Mat3<number> {
  if (written === "none") return ZERO_INERTIA;
  const I = tensorOf(written);
  const [least, middle, most] = eigenvalues(I);
  if (least + middle < most * (1 - TRIANGLE_TOLERANCE))
    warnings.push({
      path,
      message: `no real body has this inertia: of its principal moments ${listed([least, middle, most])} the largest exceeds the sum of the others`,
      value: valueText(written),
      advice: "The model runs all the same; check the source of the numbers",
    });
  return I;
}

const listed = (values: readonly number[]): string => values.map((v) => +v.toPrecision(6)).join(", ");

function definitenessProblem(written: WrittenInertia): ValueProblem | undefined {
  if (written === "none") return undefined;
  const values = eigenvalues(tensorOf(written));
  if (values[0] > MIN_EIGENVALUE_RATIO * Math.abs(values[2])) return undefined;
  const advice = 'All three must be positive; for a point mass write "none"';
  return { message: `is not positive definite: its eigenvalues are ${listed(values)}`, advice };
}

function tensorOf(written: Exclude<WrittenInertia, "none">): Mat3<number> {
  if (Array.isArray(written[0])) return symmetrised(written as unknown as Mat3<number>);
  const [xx, yy, zz, xy, xz, yz] = [...(written as readonly number[]), 0, 0, 0] as [
    number,
    number,
    number,
    number,
    number,
    number,
  ];
  return [
    [xx, xy, xz],
    [xy, yy, yz],
    [xz, yz, zz],
  ];
}

/** Why a matrix is refused: it is not symmetric, except for rounding. */
function symmetryProblem(matrix: readonly (readonly number[])[]): ValueProblem | undefined {
  const I = matrix as unknown as Mat3<number>;
  const largest = Math.max(...I.flat().map(Math.abs));
  const pairs = [
    [0, 1, "xy"],
    [0, 2, "xz"],
    [1, 2, "yz"],
  ] as const;
  const pair = pairs.find(([i, j]) => Math.abs(I[i][j] - I[j][i]) > SYMMETRY_TOLERANCE * largest);
  if (pair === undefined) return undefined;
  const [i, j, name] = pair;
  return { message: `is not symmetric: ${name} is ${I[i][j]} above the diagonal and ${I[j][i]} below` };
}

/** The symmetric part of a matrix. */
function symmetrised(I: Mat3<number>): Mat3<number> {
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

/** Steps of poses against dense 6x6 algebra, and errors for different frames. */

import { expect, test } from "vitest";
import { FrameError } from "../../../src/errors.ts";
import { ArticulatedInertia, Inertia } from "../../../src/spatial/inertia.ts";
import { Pose, rotateStep, shiftStep, turnStep } from "../../../src/spatial/pose.ts";
import { apply, compose, fromQuaternion, type Mat3, toQuaternion, transpose } from "../../../src/spatial/rotation.ts";
import type { NumericVec3 } from "../../../src/spatial/vec3.ts";
import { cross } from "../../../src/spatial/vec3.ts";
import { Force, Motion } from "../../../src/spatial/vectors.ts";
import { uniform } from "../../fixtures/models/random-model.ts";

/** Rounding of a dozen products of numbers of order one. */
const ROUNDING = 1e-13;

type Matrix = number[][];
const next = uniform(7);
const number = (): number => 2 * next() - 1;
const vector = (): NumericVec3 => [number(), number(), number()];
const matrix = (): Mat3<number> => [vector(), vector(), vector()];
const symmetricMatrix = (): Mat3<number> => {
  const A = matrix();
  return A.map((row, i) => row.map((a, j) => a + A[j]![i]!)) as unknown as Mat3<number>;
};
const quaternion = (): [number, number, number, number] => {
  const q = [number(), number(), number(), number()];
  const n = Math.hypot(...q);
  return q.map((c) => c / n) as [number, number, number, number];
};
const poses = (): Pose[] => [
  new Pose("P", "B", [turnStep(0, number())]),
  new Pose("P", "B", [turnStep(1, number())]),
  new Pose("P", "B", [turnStep(2, number())]),
  new Pose("P", "B", [shiftStep(vector())]),
  new Pose("P", "B", [rotateStep(fromQuaternion(quaternion()))]),
  new Pose("P", "B", [
    turnStep(2, number()),
    shiftStep([number(), 0, number()]),
    turnStep(0, number()),
    turnStep(2, number()),
    shiftStep([0, 0, number()]),
  ]),
];

const product = (A: Matrix, B: Matrix): Matrix =>
  A.map((row) => B[0]!.map((_, j) => row.reduce((s, a, k) => s + a * B[k]![j]!, 0)));
const turned = (A: Matrix): Matrix => A[0]!.map((_, j) => A.map((row) => row[j]!));

/** The 6x6 matrix that transforms forces from B to P: [R, p̃R; 0, R]. */
function dense(X: Pose): Matrix {
  const R = X.R as Mat3<number>;
  const pR = transpose(transpose(R).map((column) => cross(X.p, column)) as unknown as Mat3) as Mat3<number>;
  return [...R.map((row, i) => [...row, ...pR[i]!]), ...R.map((row) => [0, 0, 0, ...row])];
}

const six = (I: ArticulatedInertia): Matrix => {
  const B = I.B as Mat3<number>;
  return [
    ...(I.A as Mat3<number>).map((row, i) => [...row, ...B[i]!]),
    ...(I.M as Mat3<number>).map((row, i) => [...(transpose(B)[i] as NumericVec3), ...row]),
  ];
};

function expectClose(a: Matrix, b: Matrix): void {
  for (const [i, row] of a.entries())
    for (const [j, value] of row.entries()) expect(Math.abs(value - b[i]![j]!)).toBeLessThan(ROUNDING);
}

test("every step transforms an articulated inertia to X I Xᵀ", () => {
  for (const X of poses()) {
    const I = new ArticulatedInertia("B", symmetricMatrix(), matrix(), symmetricMatrix());
    expectClose(six(X.outward(I)), product(product(dense(X), six(I)), turned(dense(X))));
  }
});

test("every step transforms a rigid inertia like the equal articulated inertia", () => {
  for (const X of poses()) {
    const I = Inertia.ofBody("B", 2.5, vector(), symmetricMatrix());
    expectClose(six(X.outward(I).articulated), six(X.outward(I.articulated)));
  }
});

test("forces transform outward by X, motions inward by Xᵀ, and power is the same in both frames", () => {
  for (const X of poses()) {
    const f = new Force("B", vector(), vector());
    const v = new Motion("P", vector(), vector());
    const out = X.outward(f).withFrame("P");
    const flat = [...(f.torque as NumericVec3), ...(f.force as NumericVec3)].map((c) => [c]);
    expectClose(
      [...out.torque, ...out.force].map((c) => [c as number]),
      product(dense(X), flat),
    );
    const power = X.inward(v).withFrame("B").dot(f) as number;
    expect(Math.abs(power - (v.dot(out) as number))).toBeLessThan(ROUNDING);
    const back = X.outward(X.inward(v));
    expectClose([[...back.angular, ...back.linear] as number[]], [[...v.angular, ...v.linear] as number[]]);
  }
});

test("R and p of a pose agree with its steps", () => {
  const [X, Y] = [poses()[5]!, poses()[4]!];
  const Z = X.times(new Pose("B", "C", Y.steps));
  expectClose(Z.R as unknown as Matrix, compose(X.R, Y.R) as unknown as Matrix);
  expectClose([Z.p as unknown as number[]], [X.p.map((p, i) => (p as number) + (apply(X.R, Y.p)[i] as number))]);
});

test("quaternions and matrices convert back and forth, also at half turns", () => {
  for (const q of [quaternion(), quaternion(), [0, 1, 0, 0], [0, 0, 0.6, 0.8], [0, 0, 0, 1]] as [
    number,
    number,
    number,
    number,
  ][]) {
    const again = toQuaternion(fromQuaternion(q) as Mat3<number>);
    const sign = Math.sign(q.reduce((s, c, i) => s + c * again[i]!, 0));
    expectClose([again.map((c) => c * sign)], [q]);
  }
});

test("operations on quantities of different frames throw an error that names both frames", () => {
  const I = Inertia.zero("arm");
  const v = Motion.zero("base");
  for (const mistake of [
    () => I.times(v),
    () => I.plus(Inertia.zero("base")),
    () => v.dot(Force.zero("arm")),
    () => v.plus(Motion.zero("arm")),
    () => new Pose("W", "base", []).times(new Pose("arm", "hand", [])),
  ]) {
    expect(mistake).toThrow(FrameError);
    expect(mistake).toThrow(/arm.*base|base.*arm/);
  }
});

/** Arithmetic of mass properties: composition, change of frame, moments about axes. */
import { symmetricEigen } from "../../math/eigen/symmetric-eigen.ts";
import type { Placement } from "../../model/model.ts";
import { apply, compose, type Mat3, transpose } from "../../spatial/rotation.ts";
import { dot, plus, type Vec3 } from "../../spatial/vec3.ts";
import { type LinkMass, NO_MASS } from "./robot-draft.ts";

/** R A Rᵀ */
export const rotated = (A: Mat3<number>, R: Mat3<number>): Mat3<number> =>
  symmetric(compose(compose(R, A), transpose(R)) as Mat3<number>);

const symmetric = (A: Mat3<number>): Mat3<number> => {
  const mean = (i: 0 | 1 | 2, j: 0 | 1 | 2): number => (A[i][j] + A[j][i]) / 2;
  return [
    [A[0][0], mean(0, 1), mean(0, 2)],
    [mean(0, 1), A[1][1], mean(1, 2)],
    [mean(0, 2), mean(1, 2), A[2][2]],
  ];
};

/** m (|r|² 1 - r rᵀ): inertia of a point mass at r. */
export function pointInertia(m: number, [x, y, z]: Vec3<number>): Mat3<number> {
  return [
    [m * (y * y + z * z), -m * x * y, -m * x * z],
    [-m * x * y, m * (x * x + z * z), -m * y * z],
    [-m * x * z, -m * y * z, m * (x * x + y * y)],
  ];
}

export const sum = (A: Mat3<number>, B: Mat3<number>): Mat3<number> =>
  A.map((row, i) => row.map((value, j) => value + B[i as 0 | 1 | 2][j as 0 | 1 | 2])) as unknown as Mat3<number>;

const minus = (a: Vec3<number>, b: Vec3<number>): Vec3<number> => [a[0] - b[0], a[1] - b[1], a[2] - b[2]];

/** The properties in axes of a carrier, on which X places the link. */
export const inFrame = ({ mass, com, inertia }: LinkMass, { R, p }: Placement): LinkMass => ({
  mass,
  com: plus(apply(R, com), p) as Vec3<number>,
  inertia: rotated(inertia, R),
});

/** Both together, as one rigid body. */
export function together(a: LinkMass, b: LinkMass): LinkMass {
  const mass = a.mass + b.mass;
  if (mass === 0) return { ...NO_MASS, inertia: sum(a.inertia, b.inertia) };
  const com = a.com.map((c, i) => (a.mass * c + b.mass * b.com[i as 0 | 1 | 2]) / mass) as unknown as Vec3<number>;
  const about = (part: LinkMass): Mat3<number> => sum(part.inertia, pointInertia(part.mass, minus(part.com, com)));
  return { mass, com, inertia: sum(about(a), about(b)) };
}

/** Moment of inertia about an axis through `point`; the mass for a slide. */
export function momentAbout({ mass, com, inertia }: LinkMass, point: Vec3<number>, axis: Vec3<number>): number {
  const total = sum(inertia, pointInertia(mass, minus(com, point)));
  return dot(axis, apply(total, axis)) as number;
}

/** A = V diag(values) Vᵀ with ascending values. */
export function principal(A: Mat3<number>): { readonly values: readonly [number, number, number]; readonly axes: Mat3<number> } {
  const { values, vectors } = symmetricEigen(Float64Array.from(A.flat()), 3);
  const order = [0, 1, 2].sort((a, b) => values[a]! - values[b]!);
  const row = (i: number): Vec3<number> => order.map((k) => vectors[3 * i + k]!) as unknown as Vec3<number>;
  return { values: order.map((k) => values[k]!) as unknown as [number, number, number], axes: [row(0), row(1), row(2)] };
}

/** V diag(values) Vᵀ */
export const fromPrincipal = (values: readonly number[], axes: Mat3<number>): Mat3<number> =>
  rotated(
    [
      [values[0]!, 0, 0],
      [0, values[1]!, 0],
      [0, 0, values[2]!],
    ],
    axes,
  );

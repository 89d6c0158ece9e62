/**
 * Inertia tensors that stay physical. A tensor I belongs to a real body exactly if its second moments Σ = tr(I)/2 - I have no negative eigenvalue,
 * which is the triangle inequality of the principal moments. The dispersion multiplies the eigenvalues of Σ by positive factors and rotates its
 * axes, so every drawn tensor is physical.
 */
import { symmetricEigen } from "../../math/eigen/symmetric-eigen.ts";
import { exponential } from "../../math/elementary/exponential.ts";
import { logarithm } from "../../math/elementary/logarithm.ts";
import { quaternionFromRotationVector } from "../../math/elementary/rotation-vector.ts";
import { inertiaOf } from "../../model/build/inertia.ts";
import { apply, fromQuaternion, IDENTITY, type NumericMat3, type Quaternion } from "../../spatial/rotation.ts";
import type { NumericVec3 } from "../../spatial/vec3.ts";
import { normalQuantile } from "../random/normal.ts";
import { type DispersionContext, dispersionKind } from "./kind.ts";

const PARTS = ["xx", "yy", "zz", "xy", "xz", "yz"] as const;

export const inertia = dispersionKind({
  name: "inertia",
  about:
    "The inertia tensor of a body: its second moments vary by random factors and its axes by random angles. It stays physical.",
  parameters: {
    deviation: {
      type: "number",
      unit: "",
      above: 0,
      most: 1,
      about: "Relative standard deviation of each principal second moment; the factors are log-normal with mean 1.",
    },
    tilt: {
      type: "number",
      unit: "rad",
      least: 0,
      default: 0,
      about: "Standard deviation of the rotation of the principal axes, about each body axis.",
    },
  },
  examples: [
    { path: "inertia", deviation: 0.05 },
    { path: "inertia", deviation: 0.2, tilt: 0.1 },
  ],
  create({ deviation, tilt }, context) {
    const nominals = context.paths.map((path) => secondMoments(path, context));
    if (nominals.some((nominal) => nominal === undefined)) return undefined;
    const sigma = Math.sqrt(logarithm(1 + deviation * deviation));
    const quaternion = new Float64Array(4);
    return {
      dimensions: tilt > 0 ? 6 : 3,
      columns: PARTS.map((part) => ({ suffix: `.${part}`, type: "number", unit: "kg m^2" })),
      draw(u) {
        const z = Array.from(u, normalQuantile);
        const factors = z.slice(0, 3).map((v) => exponential(sigma * v - 0.5 * sigma * sigma));
        if (tilt > 0)
          quaternionFromRotationVector(
            z.slice(3).map((v) => tilt * v),
            quaternion,
          );
        const R = tilt > 0 ? (fromQuaternion([...quaternion] as unknown as Quaternion<number>) as NumericMat3) : IDENTITY;
        const values = nominals.map((nominal) => tensor(nominal!, factors, R));
        return { values, cells: values[0]! };
      },
    };
  },
});

interface SecondMoments {
  readonly moments: readonly number[];
  /** Unit eigenvectors, one for each moment. */
  readonly axes: readonly NumericVec3[];
}

function secondMoments(path: string, context: DispersionContext): SecondMoments | undefined {
  const written = context.nominal(path);
  if (!Array.isArray(written))
    return void context.problem(
      "path",
      `${path} has no inertia in the scenario`,
      "Name the inertia of a body: model.bodies.arm.inertia",
    );
  const I = inertiaOf(written as never, path, []).flat() as number[];
  const half = (I[0]! + I[4]! + I[8]!) / 2;
  const { values, vectors } = symmetricEigen(
    Float64Array.from(I, (entry, i) => (i % 4 === 0 ? half - entry : -entry)),
    3,
  );
  if (Math.min(...values) < -1e-9 * half)
    return void context.problem(
      "path",
      `${path} is an inertia that no real body has: a principal moment exceeds the sum of the others`,
      "Correct it in the model, or disperse single entries with as: factor",
    );
  return {
    moments: Array.from(values, (s) => Math.max(0, s)),
    axes: [0, 1, 2].map((k) => [0, 1, 2].map((i) => vectors[3 * i + k]!) as unknown as NumericVec3),
  };
}

/** I = tr(Σ) - Σ with Σ = Σₖ fₖ sₖ aₖ aₖᵀ, as [xx, yy, zz, xy, xz, yz]. */
function tensor({ moments, axes }: SecondMoments, factors: readonly number[], R: NumericMat3): readonly number[] {
  const s = moments.map((moment, k) => moment * factors[k]!);
  const a = axes.map((axis) => apply(R, axis) as NumericVec3);
  const entry = (i: number, j: number): number => s.reduce((sum, moment, k) => sum + moment * a[k]![i]! * a[k]![j]!, 0);
  const trace = s.reduce((sum, moment) => sum + moment, 0);
  return [trace - entry(0, 0), trace - entry(1, 1), trace - entry(2, 2), -entry(0, 1), -entry(0, 2), -entry(1, 2)];
}

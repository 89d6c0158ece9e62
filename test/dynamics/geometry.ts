/**
 * Where the bodies of a model are and how they move, for the tests, by nothing but the poses of hinge elements and exact
 * differentiation along q̇ = N(q) u: no formulation is asked.
 */
import { trace } from "../../src/kernel/trace/program.ts";
import type { Scalar } from "../../src/kernel/trace/scalar.ts";
import { frameOf, type Model, type Placement } from "../../src/model/model.ts";
import { apply, compose, IDENTITY, type Mat3, transpose } from "../../src/spatial/rotation.ts";
import { minus, plus, type Vec3, ZERO3 } from "../../src/spatial/vec3.ts";
import { evaluateDual } from "./dual.ts";

type V3 = Vec3<number>;

interface Pose {
  readonly R: Mat3;
  readonly p: Vec3;
}

const on = (X: Pose, Y: Pose): Pose => ({
  R: compose(X.R, Y.R),
  p: plus(X.p, apply(X.R, Y.p)),
});
const inverse = ({ R, p }: Placement): Pose => ({ R: transpose(R), p: minus(ZERO3, apply(transpose(R), p)) });

/** X_WM and X_WB of every body. */
function poses(model: Model, q: readonly Scalar[]): { readonly M: Pose; readonly B: Pose }[] {
  const found: { readonly M: Pose; readonly B: Pose }[] = [];
  for (const { parent, hinge } of model.bodies) {
    let M = on(found[parent]?.B ?? { R: IDENTITY, p: ZERO3 }, hinge.onParent);
    let at = hinge.q;
    for (const e of hinge.elements) {
      M = on(M, e.pose(q.slice(at, at + e.nq)));
      at += e.nq;
    }
    found.push({ M, B: on(M, inverse(hinge.onBody)) });
  }
  return found;
}

/** q̇ = N(q) u */
export function coordinateRates(model: Model, q: ArrayLike<number>, u: ArrayLike<number>): Float64Array {
  const rates: Scalar[] = [];
  for (const { hinge } of model.bodies) {
    let { q: qAt, u: uAt } = hinge;
    for (const e of hinge.elements) {
      rates.push(...e.rates(Array.from(q).slice(qAt, qAt + e.nq), Array.from(u).slice(uAt, uAt + e.nu)));
      qAt += e.nq;
      uAt += e.nu;
    }
  }
  return Float64Array.from(rates as number[]);
}

export interface Movement {
  readonly position: V3;
  readonly velocity: V3;
  readonly angularVelocity: V3;
}

function movement(
  model: Model,
  q: Float64Array,
  u: Float64Array,
  place: (X: { readonly M: Pose; readonly B: Pose }[]) => Pose,
): Movement {
  const program = trace("pose", { q: model.nq }, ({ q }) => {
    const { R, p } = place(poses(model, q));
    return { p, R: R.flat() };
  });
  const { y, dy } = evaluateDual(program, q, coordinateRates(model, q, u));
  const entry = (a: Float64Array, i: number, j: number): number => a[3 + 3 * i + j]!;
  const spin = (i: number, j: number): number => [0, 1, 2].reduce((s, k) => s + entry(dy, i, k) * entry(y, j, k), 0); // (Ṙ Rᵀ)_ij
  return {
    position: [...y.slice(0, 3)] as unknown as V3,
    velocity: [...dy.slice(0, 3)] as unknown as V3,
    angularVelocity: [spin(2, 1), spin(0, 2), spin(1, 0)],
  };
}

/** Movement of a frame, or of a body by its name. */
export function frameMovement(model: Model, q: Float64Array, u: Float64Array, name: string): Movement {
  const { body, placement } = frameOf(model, name);
  return movement(model, q, u, (X) => on(X[body]!.B, placement));
}

/** Movement of the hinge point M of a body. */
export const hingeMovement = (model: Model, q: Float64Array, u: Float64Array, body: number): Movement =>
  movement(model, q, u, (X) => X[body]!.M);

/** Movement of the mass centre of a body. */
export const massCentreMovement = (model: Model, q: Float64Array, u: Float64Array, body: number): Movement =>
  movement(model, q, u, (X) => on(X[body]!.B, { R: IDENTITY, p: model.bodies[body]!.com }));

/** Largest difference against the largest magnitude; NaN if anything is not finite. */
export function difference(a: ArrayLike<number>, b: ArrayLike<number>): number {
  let apart = 0;
  let scale = 0;
  for (let i = 0; i < Math.max(a.length, b.length); i++) {
    if (!Number.isFinite(a[i]! - b[i]!)) return Number.NaN;
    apart = Math.max(apart, Math.abs(a[i]! - b[i]!));
    scale = Math.max(scale, Math.abs(a[i]!), Math.abs(b[i]!));
  }
  return scale === 0 ? 0 : apart / scale;
}

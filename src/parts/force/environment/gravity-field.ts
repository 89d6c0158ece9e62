/** Gravity of a point mass with oblateness J2, its difference between two near places without cancellation, and its gradient over a body. */

import { add, div, mul, type Scalar, sqrt, sub, sum } from "../../../kernel/trace/scalar.ts";
import type { TracedBody } from "../../../sim/system/force-element.ts";
import { apply } from "../../../spatial/rotation.ts";
import { cross, dot, minus, plus, scale, type Vec3 } from "../../../spatial/vec3.ts";

export interface GravityField {
  readonly mu: number;
  readonly j2: number;
  readonly radius: number;
}

/**
 * A quantity x at r, and its difference x(r + d) - x(r). Sums and products of such pairs never subtract values at the two places, so the
 * difference keeps its relative accuracy however small d is: Δ(x y) = Δx (y + Δy) + x Δy.
 */
interface Varied {
  readonly value: Scalar;
  readonly change: Scalar;
}

const constant = (value: number): Varied => ({ value, change: 0 });
const sumOf = (x: Varied, y: Varied): Varied => ({ value: add(x.value, y.value), change: add(x.change, y.change) });
const times = (x: Varied, y: Varied): Varied => ({
  value: mul(x.value, y.value),
  change: add(mul(x.change, add(y.value, y.change)), mul(x.value, y.change)),
});

/** 1 / √x: Δ = -Δx / (√x √(x + Δx) (√x + √(x + Δx))). */
function inverseRoot({ value, change }: Varied): Varied {
  const [root, changedRoot] = [sqrt(value), sqrt(add(value, change))];
  return { value: div(1, root), change: div(sub(0, change), mul(mul(root, changedRoot), add(root, changedRoot))) };
}

/** Acceleration at r, and the difference g(r + d) - g(r). g = -mu / r³ [(1 + (3/2) j2 (a / r)² (1 - 5 s²)) r + 3 j2 (a / r)² z], s = z / r. */
export function gravityNear(
  { mu, j2, radius }: GravityField,
  r: Vec3,
  d: Vec3,
): { readonly acceleration: Vec3; readonly difference: Vec3 } {
  const position = r.map((value, i) => ({ value, change: d[i]! })) as [Varied, Varied, Varied];
  const square: Varied = { value: dot(r, r), change: dot(d, plus(scale(2, r), d)) };
  const perDistance = inverseRoot(square);
  const perSquare = times(perDistance, perDistance);
  const sine = times(position[2], perDistance);
  const oblateness = times(constant(j2 * radius * radius), perSquare);
  const latitude = sumOf(constant(1), times(constant(-5), times(sine, sine)));
  const alongR = sumOf(constant(1), times(constant(1.5), times(oblateness, latitude)));
  const alongZ = times(constant(3), oblateness);
  const strength = times(constant(-mu), times(perSquare, perDistance));
  const components = position.map((x, i) => times(strength, times(i === 2 ? sumOf(alongR, alongZ) : alongR, x)));
  return {
    acceleration: components.map((c) => c.value) as unknown as Vec3,
    difference: components.map((c) => c.change) as unknown as Vec3,
  };
}

/** Load of gravity on a body at its mass centre, with its potential energy. */
export interface Attraction {
  readonly force: Vec3;
  readonly torque: Vec3;
  readonly potential: Scalar;
}

/** Second-order terms of a body of finite size [MacCullagh]: F = mu / (2 r⁴) (15 (o·I o) o - 3 tr(I) o - 6 I o). */
export function gradientOnBody({ inertia }: TracedBody, r: Vec3, mu: number): Attraction {
  const squared = dot(r, r);
  const distance = sqrt(squared);
  const o = scale(div(1, distance), r);
  const Io = apply(inertia, o);
  const oIo = dot(o, Io);
  const trace = sum([inertia[0][0], inertia[1][1], inertia[2][2]]);
  const perCube = div(mu, mul(squared, distance));
  const push = minus(scale(sub(mul(15, oIo), mul(3, trace)), o), scale(6, Io));
  return {
    force: scale(mul(0.5, div(perCube, distance)), push),
    torque: scale(mul(3, perCube), cross(o, Io)),
    potential: mul(mul(-0.5, perCube), sub(trace, mul(3, oIo))),
  };
}

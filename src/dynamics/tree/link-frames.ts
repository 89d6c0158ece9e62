/** The choice of link frames: axis along z, common normal to the main child along x. Then many constants of the kernels fold. */

import { isNumber, type Scalar } from "../../kernel/trace/scalar.ts";
import { arctangent } from "../../math/elementary/arctangent.ts";
import { euclideanNorm, hypotenuse } from "../../math/elementary/hypotenuse.ts";
import { cosine, sine } from "../../math/elementary/sincos.ts";
import type { HingeElement } from "../../model/hinge.ts";
import type { Placement } from "../../model/model.ts";
import type { Inertia } from "../../spatial/inertia.ts";
import { type PoseStep, shiftStep } from "../../spatial/pose.ts";
import { apply, compose, IDENTITY, type Mat3, snapRotation, transpose } from "../../spatial/rotation.ts";
import type { NumericVec3 } from "../../spatial/vec3.ts";
import { cross, dot, minus, plus, scale, type Vec3, ZERO3 } from "../../spatial/vec3.ts";

/** Two axes count as parallel below this sine: the common normal of nearly parallel axes lies far away and would cost digits. */
const PARALLEL = 1e-3;
const NEGLIGIBLE = 1e-14;

/** A link frame L in the M frame of its element. */
export interface LinkFrame {
  readonly placement: Placement<Scalar>;
}

/** A hinge axis in the M frame of the link that carries it. */
export interface CarriedAxis {
  readonly direction: NumericVec3;
  readonly point: Vec3;
}

const unit = (v: NumericVec3): NumericVec3 => scale(1 / euclideanNorm(v), v) as NumericVec3;
const isNumericVector = (v: Vec3): v is NumericVec3 => v.every(isNumber);

/** The link frame L of an element. It suits the axis of the main child `child`; without a child it suits the inertia. */
export function chooseLinkFrame(
  element: HingeElement,
  child: CarriedAxis | undefined,
  second: CarriedAxis | undefined,
  inertia: Inertia,
): LinkFrame {
  if (element.small) return { placement: { R: IDENTITY, p: ZERO3 } }; // its speeds are in its own axes
  if (!element.screw) return { placement: { R: axesAlongChildren(child, second), p: ZERO3 } };
  const z = element.screw.axis;
  const x = child ? commonNormal(z, child) : massDirection(z, inertia);
  const y = cross(z, x) as NumericVec3;
  const R = snapRotation(transpose([x, y, z]));
  if (!child || !isNumericVector(child.point)) return { placement: { R, p: ZERO3 } };
  return { placement: { R, p: scale(footOnAxis(z, child.direction, child.point), z) } };
}

/**
 * Axes for a ball or a free body, whose origin cannot move: z along the axis of the main child, unless that is a coordinate axis already,
 * and x along the common normal with the axis of the next child. Then the first child needs no constant turn, and the second only one.
 */
function axesAlongChildren(child: CarriedAxis | undefined, second: CarriedAxis | undefined): Mat3<number> {
  if (!child || child.direction.filter((c) => c !== 0).length === 1) return IDENTITY;
  const z = child.direction;
  const skew = second && euclideanNorm(cross(z, second.direction) as NumericVec3) > PARALLEL;
  const x = commonNormal(z, skew ? second : child);
  return transpose([x, cross(z, x) as NumericVec3, z]);
}

/** Unit vector along the common normal of z and the child's axis; for parallel axes, from z to the child's axis. */
function commonNormal(z: NumericVec3, { direction, point }: CarriedAxis): NumericVec3 {
  const normal = cross(z, direction) as NumericVec3;
  if (euclideanNorm(normal) > NEGLIGIBLE) return unit(normal);
  if (isNumericVector(point)) {
    const across = minus(point, scale(dot(point, z), z)) as NumericVec3;
    if (euclideanNorm(across) > NEGLIGIBLE) return unit(across);
  }
  return anyNormal(z);
}

/** Unit vector toward the mass centre, so that the first moment has one component. */
function massDirection(z: NumericVec3, inertia: Inertia): NumericVec3 {
  if (!isNumericVector(inertia.h)) return anyNormal(z);
  const across = minus(inertia.h, scale(dot(inertia.h, z), z)) as NumericVec3;
  return euclideanNorm(across) > NEGLIGIBLE ? unit(across) : anyNormal(z);
}

/** Unit vector perpendicular to z, from the coordinate axis that is least along z. */
function anyNormal(z: NumericVec3): NumericVec3 {
  const sizes = z.map(Math.abs);
  const k = sizes.indexOf(Math.min(...sizes));
  const e = IDENTITY[k as 0 | 1 | 2];
  return unit(minus(e, scale(dot(e, z), z)) as NumericVec3);
}

/** Distance along z, from the origin, of the foot of the common normal to the line (point, direction). */
function footOnAxis(z: NumericVec3, direction: NumericVec3, point: NumericVec3): number {
  const cosine = dot(z, direction) as number;
  const sine2 = 1 - cosine * cosine;
  const along = dot(point, z) as number;
  if (sine2 < PARALLEL * PARALLEL) return along;
  return (along - cosine * (dot(point, direction) as number)) / sine2;
}

/**
 * The constant steps from the parent's link frame to a child's element frame, and the zero of the child's own motion.
 * F is the child's F in the parent's link frame, L the child's link frame in its M.
 */
export function alignLinkFrame(
  element: HingeElement,
  F: Placement<Scalar>,
  L: LinkFrame,
): { readonly constantSteps: readonly PoseStep[]; readonly zero: { readonly angle: number; readonly offset: Scalar } } {
  if (!element.screw) return { constantSteps: [shiftStep(F.p), ...zxz(F.R)], zero: { angle: 0, offset: 0 } }; // L turns with M: see rotationFL
  const R_PL = compose(F.R, L.placement.R) as Mat3<number>; // at q = 0 M coincides with F
  const origin = plus(F.p, apply(F.R, L.placement.p));
  const [gamma, alpha, theta] = eulerZXZ(R_PL);
  const originInAxes = apply(transpose(turnZ(gamma)), origin);
  // Moves the origin back along the child's axis until its offset lies in the plane of the parent's z and the common normal.
  const axis: NumericVec3 = [0, -sine(alpha), cosine(alpha)];
  let offset: Scalar = 0;
  let offsetInPlane: Vec3 = originInAxes;
  if (isNumericVector(originInAxes)) {
    const along = Math.abs(axis[1]) > PARALLEL ? originInAxes[1] / axis[1] : originInAxes[2] / axis[2];
    const d = Math.abs(along) < NEGLIGIBLE * (1 + euclideanNorm(originInAxes)) ? 0 : along;
    const remainder = minus(originInAxes, scale(d, snap(axis))) as NumericVec3;
    offset = d;
    offsetInPlane = remainder.map((v) =>
      Math.abs(v) < NEGLIGIBLE * (1 + euclideanNorm(originInAxes)) ? 0 : v,
    ) as unknown as NumericVec3;
  }
  return {
    constantSteps: [constantTurn(2, gamma), shiftStep(offsetInPlane), constantTurn(0, alpha)],
    zero: { angle: theta, offset },
  };
}

const snap = (v: NumericVec3): NumericVec3 => v.map((x) => (Math.abs(x) < NEGLIGIBLE ? 0 : x)) as unknown as NumericVec3;

const turnZ = (a: number): Mat3<number> => {
  const c = cosine(a);
  const s = sine(a);
  return snapRotation([
    [c, -s, 0],
    [s, c, 0],
    [0, 0, 1],
  ]);
};

/** Angles of R = Rz(γ) Rx(α) Rz(θ), 0 <= α <= π; γ = 0 if z is kept or reversed. */
function eulerZXZ(R: Mat3<number>): [number, number, number] {
  const across = hypotenuse(R[0][2], R[1][2]);
  if (across < NEGLIGIBLE) {
    const alpha = R[2][2] > 0 ? 0 : Math.PI;
    return [0, alpha, arctangent(R[2][2] > 0 ? R[1][0] : -R[1][0], R[0][0])];
  }
  const gamma = arctangent(R[0][2], -R[1][2]);
  // γ within a quarter turn of zero leaves the sign to α: γ = π becomes γ = 0 with a negative α.
  const flipped = Math.abs(gamma) > Math.PI / 2 + NEGLIGIBLE;
  const g = flipped ? gamma - Math.sign(gamma) * Math.PI : gamma;
  const alpha = arctangent(flipped ? -across : across, R[2][2]);
  if (across < PARALLEL) {
    // Only γ + θ is well determined. The third row has few digits of θ; the first row of Rz(γ)ᵀ R = Rx(α) Rz(θ) has them all.
    const [c, s] = [cosine(g), sine(g)];
    return [g, alpha, arctangent(-(c * R[0][1] + s * R[1][1]), c * R[0][0] + s * R[1][0])];
  }
  const theta = arctangent(flipped ? -R[2][0] : R[2][0], flipped ? -R[2][1] : R[2][1]);
  return [Math.abs(g) < NEGLIGIBLE ? 0 : g, alpha, theta];
}

const constantTurn = (axis: 0 | 2, angle: number): PoseStep => {
  const snapToInteger = (v: number): number => (Math.abs(v - Math.round(v)) < NEGLIGIBLE ? Math.round(v) + 0 : v);
  return { kind: "turn", axis, c: snapToInteger(cosine(angle)), s: snapToInteger(sine(angle)) };
};

/** A constant rotation as turns about z, x, z. */
function zxz(R: Mat3<number>): PoseStep[] {
  const [gamma, alpha, theta] = eulerZXZ(R);
  return [constantTurn(2, gamma), constantTurn(0, alpha), constantTurn(2, theta)];
}

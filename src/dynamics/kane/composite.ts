/**
 * Composite quantities from the tips inwards [TR-942 2.3.58-2.3.64]: of a link and all links outside of it, about its hinge
 * point, in inertial axes.
 */
import { add, mul, type Scalar, sub } from "../../kernel/trace/scalar.ts";
import type { Body, Frame, Model } from "../../model/model.ts";
import { apply, compose, type Mat3 } from "../../spatial/rotation.ts";
import { cross, dot, negate, plus, scale, sumVectors, type Vec3, ZERO3 } from "../../spatial/vec3.ts";
import { frameOrigin, type KaneLink, massCentre } from "./links.ts";
import type { LinkMotion } from "./motion.ts";

/** Mass, first moment and inertia dyadic about the hinge point. The report's r̂ is s/m; the first moment s needs no division by the mass. */
export interface MassProperties {
  readonly m: Scalar;
  readonly s: Vec3;
  readonly I: Mat3;
}

/** A force and a torque about the hinge point, or a momentum and an angular momentum about it. */
export interface ForceTorque {
  readonly f: Vec3;
  readonly t: Vec3;
}

const ZERO_FORCE: ForceTorque = { f: ZERO3, t: ZERO3 };
const MASSLESS: MassProperties = { m: 0, s: ZERO3, I: [ZERO3, ZERO3, ZERO3] };

export const addForces = (a: ForceTorque, b: ForceTorque): ForceTorque => ({ f: plus(a.f, b.f), t: plus(a.t, b.t) });

/** The same force about another reference point; d leads from the new point to the old one. */
export const aboutShiftedPoint = (d: Vec3, { f, t }: ForceTorque): ForceTorque => ({ f, t: plus(t, cross(d, f)) });

type Index = 0 | 1 | 2;

function symmetric(entry: (i: Index, j: Index) => Scalar): Mat3 {
  const xy = entry(0, 1);
  const xz = entry(0, 2);
  const yz = entry(1, 2);
  return [
    [entry(0, 0), xy, xz],
    [xy, entry(1, 1), yz],
    [xz, yz, entry(2, 2)],
  ];
}

/** m_k, m_k r_k and I_k of a link's own body about the link's hinge point. */
function ownMass(body: Body<Scalar> | undefined, { R }: LinkMotion): MassProperties {
  if (!body) return MASSLESS;
  const m = body.mass;
  const r = apply(R, massCentre(body));
  const s = scale(m, r);
  const RI = compose(R, body.inertia);
  const rr = dot(s, r);
  return { m, s, I: symmetric((i, j) => add(dot(RI[i], R[j]), sub(i === j ? rr : 0, mul(s[i], r[j])))) };
}

/** Mass properties of the own body of each link. */
export const ownMasses = (links: readonly KaneLink[], motions: readonly LinkMotion[]): MassProperties[] =>
  links.map(({ body }, k) => ownMass(body, motions[k]!));

/** m̂, ŝ = m̂ r̂ and Î of every link [TR-942 2.3.58-2.3.60]. */
export function compositeMasses(
  links: readonly KaneLink[],
  motions: readonly LinkMotion[],
  ownProperties: readonly MassProperties[],
): MassProperties[] {
  const composite = [...ownProperties];
  for (let k = links.length - 1; k >= 0; k--) {
    const i = links[k]!.inner;
    if (i < 0) continue;
    const { m, s, I } = composite[k]!;
    const { d } = motions[k]!;
    const md = scale(m, d);
    const diagonal = add(dot(md, d), mul(2, dot(s, d)));
    const shifted = symmetric((p, q) =>
      add(I[p][q], sub(p === q ? diagonal : 0, add(mul(md[p], d[q]), add(mul(s[p], d[q]), mul(d[p], s[q]))))),
    );
    const inner = composite[i]!;
    composite[i] = {
      m: add(inner.m, m),
      s: sumVectors([inner.s, s, md]),
      I: symmetric((p, q) => add(inner.I[p][q], shifted[p][q])),
    };
  }
  return composite;
}

/** Sum over the outer set of every link, about its hinge point [TR-942 2.3.61-2.3.64]. */
export function compositeSums(
  links: readonly KaneLink[],
  motions: readonly LinkMotion[],
  ownProperties: readonly ForceTorque[],
): ForceTorque[] {
  const composite = [...ownProperties];
  for (let k = links.length - 1; k >= 0; k--) {
    const i = links[k]!.inner;
    if (i >= 0) composite[i] = addForces(composite[i]!, aboutShiftedPoint(motions[k]!.d, composite[k]!));
  }
  return composite;
}

/** f*, t* of a link about its hinge point [TR-942 2.3.5, 2.3.6]; with u̇ = 0 they are f₀*, t₀* [2.3.11, 2.3.12]. */
export function inertiaForce({ m, s, I }: MassProperties, { w, wdot, vdot }: LinkMotion): ForceTorque {
  const f = sumVectors([scale(m, vdot), cross(wdot, s), cross(w, cross(w, s))]);
  const t = sumVectors([apply(I, wdot), cross(w, apply(I, w)), cross(s, vdot)]);
  return { f: negate(f), t: negate(t) };
}

/** Momentum m(v + ω × r) and angular momentum I ω + m r × v about the hinge point. */
export const momentumOf = ({ m, s, I }: MassProperties, { w, v }: LinkMotion): ForceTorque => ({
  f: plus(scale(m, v), cross(w, s)),
  t: plus(apply(I, w), cross(s, v)),
});

/** f_g, t_g of every link about its hinge point: gravity, and the external wrenches w (torque, force) at the given frames. */
export function appliedForces(
  model: Model<Scalar>,
  links: readonly KaneLink[],
  motions: readonly LinkMotion[],
  own: readonly MassProperties[],
  frames: readonly Frame<Scalar>[],
  w: readonly Scalar[],
): ForceTorque[] {
  return links.map(({ body }, k) => {
    if (!body) return ZERO_FORCE;
    const { m, s } = own[k]!;
    const weight: ForceTorque = { f: scale(m, model.gravity), t: cross(s, model.gravity) };
    const external = frames.map((frame, i): ForceTorque => {
      if (frame.body !== body.index) return ZERO_FORCE;
      const wrench: ForceTorque = {
        t: w.slice(6 * i, 6 * i + 3) as unknown as Vec3,
        f: w.slice(6 * i + 3, 6 * i + 6) as unknown as Vec3,
      };
      return aboutShiftedPoint(apply(motions[k]!.R, frameOrigin(model, frame)), wrench);
    });
    return [weight, ...external].reduce(addForces);
  });
}

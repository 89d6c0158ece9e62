/**
 * The equations of cut loops [TR-942 2.3.40-2.3.47, misprints corrected]: for each row J = Hᵀ (the report's H with the
 * opposite sign), f, ḟ and the remainder f̈ - J u̇. A loop does not depend on its carrier: it is written in the axes of the
 * innermost link that carries both of its frames, with that link at rest.
 */
import { add, cos, mul, neg, type Scalar, sin, sub, sum } from "../../kernel/trace/scalar.ts";
import { type Attachment, type CoordinateLoop, type FrameLoop, prescribedValue, rowCount } from "../../model/loop.ts";
import type { Model } from "../../model/model.ts";
import { apply, compose, type Mat3, transpose } from "../../spatial/rotation.ts";
import { cross, dot, minus, negate, plus, scale, sumVectors, type Vec3, ZERO3 } from "../../spatial/vec3.ts";
import { aboutShiftedPoint, addForces, type ForceTorque } from "./composite.ts";
import { frameOrigin, type KaneLink } from "./links.ts";
import { AT_REST, type LinkMotion, linkMotion, type PartialMotion } from "./motion.ts";
import { movingWrench, type RelativeMotion } from "./row-rates.ts";

/** Time, coordinates and speeds. */
export interface LoopInstant {
  readonly t: Scalar;
  readonly q: readonly Scalar[];
  readonly u: readonly Scalar[];
}

/** One row of a loop: the entries of J, f, ∂f/∂t, f̈ - J u̇, and the square of the size of J without cancellation. */
export interface KaneLoopRow {
  readonly J: readonly { readonly speed: number; readonly value: Scalar }[];
  readonly f: Scalar;
  readonly timePartial: Scalar;
  readonly bias: Scalar;
  readonly size: Scalar;
}

/** All rows of all loops, in their order. */
export function loopRows(model: Model<Scalar>, links: readonly KaneLink[], moment: LoopInstant): KaneLoopRow[] {
  return model.loops.flatMap((loop) =>
    loop.type === "frames" ? frameRows(model, links, loop, moment) : [coordinateRow(loop, moment)],
  );
}

/** Σ factor q = m(t) */
function coordinateRow({ terms, motion }: CoordinateLoop<Scalar>, { t, q }: LoopInstant): KaneLoopRow {
  const { rate, amplitude, frequency, phase } = motion;
  const angle = add(mul(frequency, t), phase);
  return {
    J: terms.map(({ u, factor }) => ({ speed: u, value: factor })),
    f: sub(sum(terms.map((term) => mul(term.factor, q[term.q]!))), prescribedValue(motion, t)),
    timePartial: neg(add(rate, mul(amplitude * frequency, cos(angle)))),
    bias: mul(amplitude * frequency * frequency, sin(angle)),
    size: terms.reduce((s, { factor }) => s + factor * factor, 0),
  };
}

/** One side of a cut loop: the links from the common link outwards, and the frame on the last of them. */
interface LoopSide {
  readonly motions: readonly LinkMotion[];
  readonly R: Mat3;
  /** Origin of the frame from the hinge point of its own link, and from that of the common link; its velocity and acceleration. */
  readonly arm: Vec3;
  readonly p: Vec3;
  readonly v: Vec3;
  readonly a: Vec3;
  readonly w: Vec3;
  readonly alpha: Vec3;
}

/** A loop cut at its frames F and M, in the axes of the common link. */
interface CutLoop {
  readonly common: number;
  readonly F: LoopSide;
  readonly M: LoopSide;
  /** Vector from F's origin to M's origin. */
  readonly P: Vec3;
  /** Pose R, p of M in F, in F axes. */
  readonly inF: Mat3;
  readonly R: Mat3;
  readonly p: Vec3;
}

function cutLoop(
  model: Model<Scalar>,
  links: readonly KaneLink[],
  { from, to }: FrameLoop<Scalar>,
  q: readonly Scalar[],
  u: readonly Scalar[],
): CutLoop {
  const common = commonLink(links, carrierOf(links, from), carrierOf(links, to));
  const F = sideOf(model, links, common, from, q, u);
  const M = sideOf(model, links, common, to, q, u);
  const inF = transpose(F.R);
  const P = minus(M.p, F.p);
  return { common, F, M, P, inF, R: compose(inF, M.R), p: apply(inF, P) };
}

function sideOf(
  model: Model<Scalar>,
  links: readonly KaneLink[],
  common: number,
  frame: Attachment<Scalar>,
  q: readonly Scalar[],
  u: readonly Scalar[],
): LoopSide {
  const path: number[] = [];
  for (let k = carrierOf(links, frame); k !== common; k = links[k]!.inner) path.unshift(k);
  const zeroRates: Scalar[] = Array(u.length).fill(0);
  const motions: LinkMotion[] = [];
  for (const k of path) motions.push(linkMotion(links[k]!, motions.at(-1) ?? AT_REST, q, u, zeroRates));
  const { R, P, w, v, wdot, vdot } = motions.at(-1) ?? AT_REST;
  const arm = apply(R, frameOrigin(model, frame));
  return {
    motions,
    R: compose(R, frame.placement.R),
    arm,
    p: plus(P, arm),
    v: plus(v, cross(w, arm)),
    a: sumVectors([vdot, cross(wdot, arm), cross(w, cross(w, arm))]),
    w,
    alpha: wdot,
  };
}

function frameRows(
  model: Model<Scalar>,
  links: readonly KaneLink[],
  loop: FrameLoop<Scalar>,
  { q, u }: LoopInstant,
): KaneLoopRow[] {
  const { F, M, P, inF, R, p } = cutLoop(model, links, loop, q, u);
  const relativeVelocity = minus(minus(M.v, F.v), cross(F.w, P));
  const relative: RelativeMotion = { R, p, w: apply(inF, minus(M.w, F.w)), v: apply(inF, relativeVelocity) };
  // Remainders of the rates of w and v: [2.3.47] with the missing minus, for frames that need not coincide.
  const alpha = minus(minus(M.alpha, F.alpha), cross(F.w, M.w));
  const transportAcceleration = sumVectors([
    cross(F.alpha, P),
    cross(F.w, cross(F.w, P)),
    scale(2, cross(F.w, relativeVelocity)),
  ]);
  const a = minus(minus(M.a, F.a), transportAcceleration);

  const motions = [...M.motions, ...F.motions];
  const partials = motions.flatMap((m) => m.partials);
  const reach = sum([...motions.map(({ d }) => dot(d, d)), dot(M.arm, M.arm), dot(F.arm, F.arm)]);
  const angularSize = sum(partials.map(({ w }) => dot(w, w)));
  const linearSize = sum([...partials.map(({ v }) => dot(v, v)), mul(angularSize, reach)]);

  return loop.rows.map((row): KaneLoopRow => {
    const wrench = movingWrench(row, relative);
    const x = apply(F.R, wrench.force);
    const y = apply(F.R, wrench.torque);
    /** Entry of J for a partial velocity: y·ω + x·v at M's origin [2.3.43]. */
    const entryOf = (partial: PartialMotion, { P: h }: LinkMotion): Scalar =>
      add(dot(y, partial.w), dot(x, plus(partial.v, cross(partial.w, minus(M.p, h)))));
    const entries = ({ motions }: LoopSide): { speed: number; value: Scalar }[] =>
      motions.flatMap((m) => m.partials.map((partial) => ({ speed: partial.speed, value: entryOf(partial, m) })));
    const J = [...entries(M), ...entries(F).map(({ speed, value }) => ({ speed, value: neg(value) }))];
    return {
      J: J.filter(({ value }) => value !== 0),
      f: row.value(R, p),
      timePartial: 0,
      bias: sum([dot(y, alpha), dot(x, a), dot(wrench.torqueRate, relative.w), dot(wrench.forceRate, relative.v)]),
      size: add(mul(dot(y, y), angularSize), mul(dot(x, x), linearSize)),
    };
  });
}

/** Force of the loops with multipliers lambda on every link, about its hinge point, in inertial axes. */
export function loopForces(
  model: Model<Scalar>,
  links: readonly KaneLink[],
  motions: readonly LinkMotion[],
  q: readonly Scalar[],
  lambda: readonly Scalar[],
): ForceTorque[] {
  const forces: ForceTorque[] = links.map(() => ({ f: ZERO3, t: ZERO3 }));
  const zeroRates: Scalar[] = Array(model.nu).fill(0);
  const addForce = (link: number, pair: ForceTorque): void => {
    if (link >= 0) forces[link] = addForces(forces[link]!, pair);
  };
  let row = 0;
  for (const loop of model.loops) {
    if (loop.type === "frames") {
      const { common, F, M, P, R, p } = cutLoop(model, links, loop, q, zeroRates);
      const wrenches = loop.rows.map((r) => r.wrench(R, p));
      const R_F = compose((motions[common] ?? AT_REST).R, F.R);
      const f = apply(R_F, sumVectors(wrenches.map(({ force }, i) => scale(lambda[row + i]!, force))));
      const t = apply(R_F, sumVectors(wrenches.map(({ torque }, i) => scale(lambda[row + i]!, torque))));
      const toInertial = (v: Vec3): Vec3 => apply((motions[common] ?? AT_REST).R, v);
      addForce(carrierOf(links, loop.to), aboutShiftedPoint(toInertial(M.arm), { f, t }));
      addForce(carrierOf(links, loop.from), aboutShiftedPoint(toInertial(plus(F.arm, P)), { f: negate(f), t: negate(t) }));
    }
    row += rowCount(loop); // a loop of coordinates acts inside its hinges: their reactions follow from the motion
  }
  return forces;
}

/** The link that carries the body of an attachment; -1 is the inertial space. */
const carrierOf = (links: readonly KaneLink[], { body }: Attachment<Scalar>): number =>
  links.findIndex((link) => link.body?.index === body);

/** The outermost link that carries both links, or one of them. Links have smaller numbers than the links outside of them. */
function commonLink(links: readonly KaneLink[], a: number, b: number): number {
  let [i, j] = [a, b];
  while (i !== j)
    if (i > j) i = links[i]!.inner;
    else j = links[j]!.inner;
  return i;
}

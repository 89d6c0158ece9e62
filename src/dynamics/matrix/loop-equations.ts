/**
 * Loops in the matrix method: hinges like the others, but without a body of their own. Each of their rows is one more equation
 * for the accelerations of the two bodies it joins, and its multiplier one more unknown that acts on both.
 */
import { directionalDerivative } from "../../kernel/trace/differentiate.ts";
import { add, mul, neg, type Scalar, sub, sum } from "../../kernel/trace/scalar.ts";
import { type Attachment, type CoordinateLoop, type FrameLoop, prescribedValue } from "../../model/loop.ts";
import type { Model } from "../../model/model.ts";
import { apply, compose, transpose } from "../../spatial/rotation.ts";
import { cross, dot, minus, plus, scale, sumVectors, type Vec3, ZERO3 } from "../../spatial/vec3.ts";
import { type AbsoluteBody, INERTIAL_SPACE } from "./absolute-bodies.ts";
import { derivedRow } from "./derived-rows.ts";

/** Coefficients of a row for v̇ and ω̇ of one body. They are also the force and torque at its mass centre for a unit multiplier. */
interface BodyCoefficients {
  readonly body: number;
  readonly linear: Vec3;
  readonly angular: Vec3;
}

/** One equation: Σ linear·v̇ + angular·ω̇ + Σ factor u̇ = -bias. */
export interface LoopEquation {
  readonly f: Scalar;
  readonly rate: Scalar;
  readonly bias: Scalar;
  readonly bodyTerms: readonly BodyCoefficients[];
  readonly factors: readonly { readonly speed: number; readonly factor: number }[];
}

export function loopEquations(
  model: Model<Scalar>,
  bodies: readonly AbsoluteBody[],
  q: readonly Scalar[],
  u: readonly Scalar[],
  t: Scalar,
): LoopEquation[] {
  return model.loops.flatMap((loop) =>
    loop.type === "frames" ? frameEquations(model, bodies, loop) : [coordinateEquation(loop, q, u, t)],
  );
}

/** Σ factor q = m(t), and its derivatives. */
function coordinateEquation(
  { terms, motion }: CoordinateLoop<Scalar>,
  q: readonly Scalar[],
  u: readonly Scalar[],
  t: Scalar,
): LoopEquation {
  const m = prescribedValue(motion, t);
  const mRate = directionalDerivative([m], [t], [1]);
  return {
    f: sub(sum(terms.map((term) => mul(term.factor, q[term.q]!))), m),
    rate: sub(sum(terms.map((term) => mul(term.factor, u[term.u]!))), mRate[0]!),
    bias: neg(directionalDerivative(mRate, [t], [1])[0]!),
    bodyTerms: [],
    factors: terms.map((term) => ({ speed: term.u, factor: term.factor })),
  };
}

function frameEquations(
  model: Model<Scalar>,
  bodies: readonly AbsoluteBody[],
  { from, to, rows }: FrameLoop<Scalar>,
): LoopEquation[] {
  const F = bodies[from.body] ?? INERTIAL_SPACE;
  const M = bodies[to.body] ?? INERTIAL_SPACE;
  const R_F = compose(F.R, from.placement.R);
  const inF = transpose(R_F);
  const eF = apply(F.R, leverOf(model, from));
  const eM = apply(M.R, leverOf(model, to));
  const betweenCentres = relativeCentre(model, bodies, from.body, to.body);
  const eP = plus(betweenCentres.c, eM); // from the mass centre of F's body to M's origin
  const w = minus(M.w, F.w);
  const v = minus(plus(betweenCentres.v, cross(M.w, eM)), cross(F.w, eP)); // velocity of M's origin relative to F
  const R = compose(inF, compose(M.R, to.placement.R));
  // Accelerations without v̇ and ω̇, relative to F.
  const angularBias = cross(w, F.w);
  const linearBias = minus(minus(cross(M.w, cross(M.w, eM)), cross(F.w, cross(F.w, eP))), scale(2, cross(F.w, v)));
  return rows.map((row) => {
    const derived = derivedRow(row, R, apply(inF, minus(eP, eF)), apply(inF, w), apply(inF, v));
    const force = apply(R_F, derived.force);
    const torque = apply(R_F, derived.torque);
    const bodyTerms = [
      { body: to.body, linear: force, angular: plus(torque, cross(eM, force)) },
      { body: from.body, linear: minus(ZERO3, force), angular: minus(ZERO3, plus(torque, cross(eP, force))) },
    ];
    return {
      f: derived.f,
      rate: derived.rate,
      bias: add(derived.bias, add(dot(torque, angularBias), dot(force, linearBias))),
      bodyTerms: bodyTerms.filter(({ body }) => body >= 0),
      factors: [],
    };
  });
}

/** Vector from the mass centre of a body to the origin of a frame on it, body axes. */
const leverOf = (model: Model<Scalar>, { body, placement }: Attachment<Scalar>): Vec3 =>
  minus(placement.p, model.bodies[body]?.com ?? ZERO3);

/**
 * Vector from the mass centre of one body to that of another, and its rate. The sum runs along the hinges between them: a far origin would
 * cost digits.
 */
function relativeCentre(
  model: Model<Scalar>,
  bodies: readonly AbsoluteBody[],
  a: number,
  b: number,
): { readonly c: Vec3; readonly v: Vec3 } {
  const steps: { readonly c: Vec3; readonly v: Vec3 }[] = [];
  let [i, j] = [a, b];
  while (i !== j) {
    const outer = Math.max(i, j);
    const { e, eParent, w, velocity } = bodies[outer]!;
    const parent = bodies[model.bodies[outer]!.parent] ?? INERTIAL_SPACE;
    const c = minus(eParent, e);
    const v = minus(plus(cross(parent.w, eParent), velocity.linear), cross(w, e));
    if (outer === j) steps.push({ c, v });
    else steps.push({ c: minus(ZERO3, c), v: minus(ZERO3, v) });
    if (outer === j) j = model.bodies[j]!.parent;
    else i = model.bodies[i]!.parent;
  }
  return { c: sumVectors(steps.map(({ c }) => c)), v: sumVectors(steps.map(({ v }) => v)) };
}

/** Static equilibrium of a model, and its compliance to small loads. */

import { checkList, checkMembers, checkVector } from "../arguments.ts";
import { didYouMean } from "../declare/names.ts";
import { coordinateRates, frameKinematics } from "../dynamics/programs.ts";
import { DivergenceError, ModelError, SingularError } from "../errors.ts";
import { compile } from "../kernel/run/kernel.ts";
import { hypotenuse } from "../math/elementary/hypotenuse.ts";
import { denseLU } from "../math/linear/dense-lu.ts";
import { matrixProduct, transposedProduct } from "../math/linear/dense-matrix.ts";
import { coordinateNames, homeOf, type Model, quaternionStarts } from "../model/model.ts";
import type { ForceElement } from "../sim/system/force-element.ts";
import { checkAnalysis, checkLinearisation } from "./check-analysis.ts";
import { type Linearisation, type LineariseOptions, lineariser } from "./linearise.ts";

/** Direction of a load or of an observed motion: a frame along or about a world axis, or one freedom of a hinge. */
export type LoadDirection =
  | { readonly frame: string; readonly along: readonly [number, number, number] }
  | { readonly frame: string; readonly about: readonly [number, number, number] }
  | { readonly freedom: string };

export interface Equilibrium {
  readonly q: Float64Array;
  readonly iterations: number;
  /** Linearisation about the equilibrium. */
  readonly linear: Linearisation;
}

const MOST_ITERATIONS = 200;
/** Largest rotation or displacement per step, rad or m. */
const LONGEST_STEP = 0.3;
/** Largest step at convergence, rad or m. */
const CONVERGED = 1e-12;

/**
 * Equilibrium near a state under the forces of the model and its elements, by Newton's method with exact derivatives.
 * @throws DivergenceError if there is none nearby, SingularError if the machine is free to move away.
 */
export function equilibriumOf(
  model: Model,
  forces: readonly ForceElement[] = [],
  options: Omit<LineariseOptions, "u"> = {},
): Equilibrium {
  checkAnalysis(model, forces, options, ["q", "t", "locked"]);
  return equilibriumNear(model, forces, options);
}

/** The same without checks of arguments. */
export function equilibriumNear(
  model: Model,
  forces: readonly ForceElement[],
  { q: start = homeOf(model), t = 0, locked = [] }: Omit<LineariseOptions, "u">,
): Equilibrium {
  const linearisations = lineariser(model, forces, locked);
  const rates = compile(coordinateRates(model));
  const zeroSpeeds = new Float64Array(model.nu);
  const q = Float64Array.from(start);
  const quaternions = quaternionStarts(model);
  let lastSize = Number.POSITIVE_INFINITY;
  for (let iterations = 0; iterations < MOST_ITERATIONS; iterations++) {
    const linear = linearisations.at(Float64Array.from(q), zeroSpeeds, t);
    const { m, basis, stiffness, imbalance, misfit } = linear;
    const lu = denseLU(m);
    if (m > 0 && !lu.factor(stiffness))
      throw new SingularError(`${model.name} is free to move away: nothing holds some of its freedoms. Lock them`);
    const change = Float64Array.from(imbalance);
    lu.solve(change);
    const step = matrixProduct(basis, change, model.nu, m, 1);
    for (let i = 0; i < step.length; i++) step[i]! += misfit[i]!;
    const size = Math.max(...step.map(Math.abs), 0);
    if (!Number.isFinite(size)) break;
    // Steps shrink quadratically, then stay at the rounding level.
    if (size <= CONVERGED || (size < 1e-9 && size >= lastSize)) return { q: linear.q, iterations, linear };
    lastSize = size;
    const factor = Math.min(1, LONGEST_STEP / size);
    rates.x.set(q);
    for (let i = 0; i < step.length; i++) rates.x[model.nq + i] = factor * step[i]!;
    rates.evaluate();
    for (let i = 0; i < q.length; i++) q[i]! += rates.y[i]!;
    for (const k of quaternions) {
      const norm = hypotenuse(q[k]!, q[k + 1]!, q[k + 2]!, q[k + 3]!);
      for (let i = k; i < k + 4; i++) q[i]! /= norm;
    }
  }
  throw new DivergenceError(`${model.name} has no equilibrium near this state. Start nearer to one, or lock the free freedoms`);
}

/** Row of a direction: motion along it for a unit change of each speed, and also generalised forces for a unit load along it. */
export function directionRow({ model, q }: Linearisation, direction: LoadDirection, argument: string): Float64Array {
  checkMembers(argument, direction, [], "{ frame, along }, { frame, about } or { freedom }");
  if ("freedom" in direction) {
    const names = coordinateNames(model).u;
    const index = names.indexOf(direction.freedom);
    if (index < 0)
      throw new ModelError(model.name, [
        { path: "freedom", message: `no freedom "${direction.freedom}"`, advice: didYouMean(direction.freedom, names) },
      ]);
    return Float64Array.from(names, (_, i) => (i === index ? 1 : 0));
  }
  const kernel = compile(frameKinematics(model, [direction.frame]));
  kernel.x.set(q);
  kernel.evaluate();
  const first = "about" in direction ? 0 : 3;
  const axis = "about" in direction ? direction.about : direction.along;
  checkVector(`${argument}.${"about" in direction ? "about" : "along"}`, axis, 3);
  const J = kernel.y.subarray(12 + first * model.nu, 12 + (first + 3) * model.nu);
  return matrixProduct(Float64Array.from(axis), J, 1, 3, model.nu);
}

/** Motion along each direction per unit load along each: m/N, rad/N, m/(N m) or rad/(N m). Symmetric if no load follows the motion. */
export function complianceOf(linear: Linearisation, directions: readonly LoadDirection[]): readonly (readonly number[])[] {
  checkLinearisation(linear);
  checkList("directions", directions, "directions of loads");
  const { m, basis, stiffness, model } = linear;
  const lu = denseLU(m);
  if (!lu.factor(stiffness))
    throw new SingularError(`${model.name} is free to move away: nothing holds some of its freedoms. Lock them`);
  const rows = directions.map((d, i) => matrixProduct(directionRow(linear, d, `directions[${i}]`), basis, 1, model.nu, m));
  const responses = rows.map((row) => {
    const x = Float64Array.from(row);
    lu.solve(x);
    return x;
  });
  return rows.map((row) => responses.map((x) => transposedProduct(row, x, m, 1, 1)[0]!));
}

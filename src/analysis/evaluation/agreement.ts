/** Differences between the formulations, per quantity, relative to the size of the terms that are summed in it. */
import type { FormulationName } from "../../dynamics/formulation.ts";
import { euclideanNorm } from "../../math/elementary/hypotenuse.ts";
import { square } from "../../math/elementary/power.ts";
import type { Model } from "../../model/model.ts";
import type { Wrench } from "../../model/wrench.ts";
import type { FormulationResults } from "./formulation-results.ts";
import type { LoopEvaluation } from "./loop-evaluation.ts";

/** The part of an evaluation that is compared. */
export interface ComparedEvaluation {
  readonly model: Model;
  readonly state: {
    readonly q: Float64Array;
    readonly u: Float64Array;
    readonly tau: Float64Array;
    readonly wrenches: readonly Wrench[];
  };
  readonly formulations: Readonly<Partial<Record<FormulationName, FormulationResults>>>;
  readonly mass: number;
  readonly massMatrix: readonly (readonly number[])[];
  readonly biasForce: readonly number[];
  readonly springForce: readonly number[];
  readonly loops?: LoopEvaluation;
}

/** Formulations differ by rounding only: about 1e-16 times the condition number of the mass matrix. */
export const AGREEMENT_TOLERANCE = 1e-10;

export interface FormulationDifference {
  readonly quantity: string;
  /** The two formulations, or the one that is compared with the mass matrix and bias force. */
  readonly between: readonly FormulationName[];
  readonly relative: number;
}

export interface Agreement {
  readonly differences: readonly FormulationDifference[];
  readonly largest: number;
  readonly agree: boolean;
}

export function compareFormulations(evaluation: ComparedEvaluation): Agreement {
  const results = Object.entries(evaluation.formulations) as [FormulationName, FormulationResults][];
  const pairs = results.flatMap((a, i) => results.slice(i + 1).map((b) => [a, b] as const));
  const scales = quantityScales(evaluation);
  const hasValues = (quantity: keyof FormulationResults): boolean => results.some(([, r]) => r[quantity].length > 0);
  const differences = [
    ...(Object.keys(scales) as (keyof FormulationResults)[]).filter(hasValues).flatMap((quantity) =>
      pairs.map(([[nameA, a], [nameB, b]]): FormulationDifference => {
        const sizes = scales[quantity];
        const parts = [...a[quantity]].map((v, i) => relativeDifference(Math.abs(v - b[quantity][i]!), sizes[i % sizes.length]!));
        return { quantity, between: [nameA, nameB], relative: largestAbsolute(parts) };
      }),
    ),
    ...results.map(([name, r]): FormulationDifference => {
      return { quantity: "mass matrix", between: [name], relative: massMatrixResidual(evaluation, r) };
    }),
  ];
  const largest = largestAbsolute(differences.map((d) => d.relative));
  return { differences, largest, agree: largest <= AGREEMENT_TOLERANCE };
}

const relativeDifference = (difference: number, scale: number): number => (difference === 0 ? 0 : difference / scale);

/** Largest absolute value; NaN if one is NaN. */
export function largestAbsolute(values: Iterable<number>): number {
  let largest = 0;
  for (const v of values) largest = Math.max(largest, Math.abs(v));
  return largest;
}

/** If the terms of a quantity cancel to less than this fraction of their size, differences are relative to this fraction of the terms. */
const CANCELLATION = 1e-3;

/** Scale of each quantity, for its entries in turn. */
function quantityScales({
  model,
  state,
  formulations,
  mass,
}: ComparedEvaluation): Readonly<Record<keyof FormulationResults, readonly number[]>> {
  const outputs = Object.values(formulations);
  const size = (quantity: keyof FormulationResults, from: number, to: number): number =>
    largestAbsolute(outputs.flatMap((r) => [...r[quantity].subarray(from, to)]));
  const udot = size("accelerations", 0, model.nu);
  const g = euclideanNorm(model.gravity);
  const loads = largestAbsolute([...state.tau, ...state.wrenches.flatMap(({ torque, force }) => [...torque, ...force])]);
  const reach = 1 + largestReach({ model, state });
  const kinetic = size("energy", 0, 1);
  const linear = Math.sqrt(2 * kinetic * mass); // |p|² <= 2 T m
  const scaleOf = (value: number, terms: number): number => Math.max(value, CANCELLATION * terms);
  const momenta = [scaleOf(size("momentum", 0, 3), linear * reach), scaleOf(size("momentum", 3, 6), linear)] as const;
  return {
    accelerations: [scaleOf(udot, Math.max(g, square(largestAbsolute(state.u))))],
    loopForces: [scaleOf(size("loopForces", 0, Number.POSITIVE_INFINITY), loads + mass * (g + udot))],
    reactions: [scaleOf(size("reactions", 0, 6 * model.bodies.length), loads + mass * (g + udot))],
    energy: [kinetic, scaleOf(size("energy", 1, 2), mass * g * reach)],
    momentum: [momenta[0], momenta[0], momenta[0], momenta[1], momenta[1], momenta[1]],
  };
}

/** Upper bound of the distance of any hinge point: the sum of all offsets of the model and all coordinates of the state. */
function largestReach({ model, state }: Pick<ComparedEvaluation, "model" | "state">): number {
  const offsets = model.bodies.flatMap(({ hinge, com }) => [hinge.onParent.p, hinge.onBody.p, com].map((p) => euclideanNorm(p)));
  return offsets.reduce((a, b) => a + b, 0) + state.q.reduce((a, b) => a + Math.abs(b), 0);
}

/** Relative |M u̇ + bias - springs - tau - Jᵀ λ|: composite-body mass matrix and Newton-Euler bias with u̇ and λ of a formulation. */
function massMatrixResidual(
  { model, state, mass, massMatrix, biasForce, springForce, loops }: ComparedEvaluation,
  { accelerations: udot, loopForces }: FormulationResults,
): number {
  const inertial = massMatrix.map((row) => row.map((m, j) => m * udot[j]!));
  const weights = mass * euclideanNorm(model.gravity) * (1 + largestReach({ model, state }));
  const centrifugal = largestAbsolute(massMatrix.flat()) * square(largestAbsolute(state.u));
  const J = loops?.jacobian ?? [];
  const byLoops = inertial.map((_, i) => J.map((row, k) => -row[i]! * loopForces[k]!));
  const scale = Math.max(
    largestAbsolute([...inertial.flat(), ...byLoops.flat(), ...biasForce, ...springForce, ...state.tau]),
    CANCELLATION * (weights + centrifugal),
  );
  const residuals = inertial.map((terms, i) =>
    [...terms, ...byLoops[i]!].reduce((a, b) => a + b, biasForce[i]! - springForce[i]! - state.tau[i]!),
  );
  return relativeDifference(largestAbsolute(residuals), scale);
}

/** JSON of an evaluation: all results at full precision, by name. docs/commands.md explains the keys. */

import type { Evaluation } from "../../analysis/evaluate.ts";
import { AGREEMENT_TOLERANCE, largestAbsolute } from "../../analysis/evaluation/agreement.ts";
import type { FormulationResults } from "../../analysis/evaluation/formulation-results.ts";
import type { LoopEvaluation } from "../../analysis/evaluation/loop-evaluation.ts";
import { coordinateNames, type Hinge, type Model } from "../../model/model.ts";
import { carriedLoads, loopLoads } from "../../sim/record/frame-loads.ts";

export function evaluationJson(evaluation: Evaluation, sources: { model: string; state: string | null }): object {
  const { model, state, formulations, mass, massCentre, massMatrix, frames, agreement } = evaluation;
  const names = coordinateNames(model);
  return {
    model: { name: model.name, source: sources.model, bodies: model.bodies.length, nq: model.nq, nu: model.nu, mass },
    warnings: model.warnings,
    state: {
      source: sources.state,
      q: byHinge(model, state.q, "q"),
      u: byHinge(model, state.u, "u"),
      tau: byHinge(model, state.tau, "u"),
      wrenches: state.wrenches,
    },
    speeds: names.u,
    formulations: Object.fromEntries(
      Object.entries(formulations).map(([name, results]) => [name, resultsJson(evaluation, results)]),
    ),
    ...(evaluation.loops && { loops: loopsJson(evaluation.loops) }),
    massMatrix,
    massCentre,
    energy: evaluation.energy,
    momentum: evaluation.momentum,
    biasForce: byHinge(model, evaluation.biasForce, "u"),
    velocityForce: byHinge(model, evaluation.velocityForce, "u"),
    gravityForce: byHinge(model, evaluation.gravityForce, "u"),
    springForce: byHinge(model, evaluation.springForce, "u"),
    inverseDynamics: {
      udot: byHinge(model, evaluation.inverseDynamics.udot, "u"),
      tau: byHinge(model, evaluation.inverseDynamics.tau, "u"),
    },
    motorPower: evaluation.motorPower,
    ...(evaluation.freeFlying && { freeFlying: evaluation.freeFlying }),
    frames: Object.fromEntries(
      frames.map(({ name, rotation: R, position, velocity, jacobian, bias }) => [
        name,
        {
          position,
          rotation: [R.slice(0, 3), R.slice(3, 6), R.slice(6)],
          angularVelocity: velocity.slice(0, 3),
          linearVelocity: velocity.slice(3),
          jacobian,
          bias,
        },
      ]),
    ),
    agreement: {
      agree: agreement.agree,
      largest: agreement.largest,
      limit: AGREEMENT_TOLERANCE,
      differences: agreement.differences,
    },
  };
}

const loopsJson = ({ partition, residuals: open, residualRates: openRates }: LoopEvaluation): object => ({
  ...partition,
  open: { position: largestAbsolute(open), speed: largestAbsolute(openRates) },
});

function resultsJson(
  { model, state }: Evaluation,
  { accelerations, reactions, energy, momentum, loopForces }: FormulationResults,
): object {
  const vector = (numbers: Float64Array, start: number): number[] => [...numbers.subarray(start, start + 3)];
  return {
    accelerations: byHinge(model, accelerations, "u"),
    energy: { kinetic: energy[0], potential: energy[1] },
    momentum: { angular: vector(momentum, 0), linear: vector(momentum, 3) },
    reactions: Object.fromEntries(
      model.bodies.map(({ hinge }, b) => [hinge.name, { torque: vector(reactions, 6 * b), force: vector(reactions, 6 * b + 3) }]),
    ),
    carried: Object.fromEntries(carriedLoads(model, state.q, reactions, loopForces)),
    ...(loopForces.length > 0 && {
      loopForces: Object.fromEntries(loopLoads(model, state.q, loopForces)),
      multipliers: [...loopForces],
    }),
  };
}

/** Coordinates or speeds of each hinge, by the name of the hinge. */
const byHinge = (model: Model, values: ArrayLike<number>, which: "q" | "u"): Readonly<Record<string, readonly number[]>> =>
  Object.fromEntries(
    model.bodies.map(({ hinge }) => [
      hinge.name,
      Array.from({ length: hingeSize(hinge, which) }, (_, i) => values[hinge[which] + i]!),
    ]),
  );

const hingeSize = (hinge: Hinge, which: "q" | "u"): number => (which === "q" ? hinge.nq : hinge.nu);

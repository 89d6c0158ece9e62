/** Over-constrained machines: every formulation that applies must compute the accelerations of a reference, and the same motion with closed loops. */
import type { FormulationName } from "../../../src/dynamics/formulation.ts";
import { FORMULATIONS, formulationsForMotion } from "../../../src/dynamics/formulations.ts";
import { CastorError } from "../../../src/errors.ts";
import { createModel } from "../../../src/model/build/create-model.ts";
import type { Model } from "../../../src/model/model.ts";
import { createSystem } from "../../../src/sim/create-system.ts";
import { simulate } from "../../../src/sim/run/simulate.ts";
import { residuals } from "../../fixtures/models/closure.ts";
import { referenceMotion } from "../../fixtures/models/loop-reference.ts";
import { redundantMachine } from "../../fixtures/models/redundant-machines.ts";
import type { AttackCase, Outcome } from "./case.ts";

/** Largest error of accelerations, relative to the largest one of the machine if that is above 1. The reference itself has 1e-11. */
const ACCELERATION_ERROR = 1e-9;
/** Length of the run, s, its fixed step, and the largest difference between formulations at its end, relative to values above 1. */
const DURATION = 0.05;
const STEP = 2e-3;
const MOTION_DIFFERENCE = 1e-8;
/** Largest residual of a loop at the end, m or rad. */
const OPEN_LOOP = 1e-11;

/** Two machines of each family. */
export const shortCases = 28;

export default function redundantLoops(seed: number): AttackCase {
  const { family, description, q, u, tau } = redundantMachine(seed);
  const model = createModel(description);
  const loops = description.loops!.map(({ kind }) => kind).join(", ");
  return {
    description: `${description.name}: ${family}, ${model.nu} speeds, loops: ${loops}`,
    run() {
      const reference = referenceMotion(model, q, { u, tau });
      const ends = new Map<FormulationName, Float64Array>();
      for (const formulation of formulationsForMotion(model)) {
        try {
          const udot = accelerationsBy(formulation, model, q, reference.u, tau);
          const difference = largestDifference(udot, reference.udot);
          if (!(difference <= ACCELERATION_ERROR)) return { wrong: `accelerations of ${formulation} differ by ${difference}` };
          ends.set(formulation, endOfRun(formulation, model, q, reference.u));
        } catch (error) {
          if (error instanceof CastorError) return { refused: `${formulation}: ${error.message}` };
          throw error;
        }
      }
      return compareEnds(model, ends, (name) => endOfRun(name, model, q, reference.u, STEP / 8));
    },
  };
}

function accelerationsBy(name: FormulationName, model: Model, q: Float64Array, u: Float64Array, tau: Float64Array): Float64Array {
  const udot = new Float64Array(model.nu);
  FORMULATIONS[name].derive(model).accelerations(q, u, tau, new Float64Array(0), udot, 0);
  return udot;
}

/** Coordinates and speeds at the end of a short run without applied forces. */
function endOfRun(formulation: FormulationName, model: Model, q: Float64Array, u: Float64Array, step = STEP): Float64Array {
  const system = createSystem(model, [], { formulation });
  const start = system.start({ q, u });
  const { y } = simulate(system, start, { duration: DURATION, integrator: "rk4", settings: { step }, channels: [] });
  return y.slice(0, model.nq + model.nu);
}

/** @param repeat repeats a run with short steps: `minimal` integrates other coordinates, so errors of long steps differ */
function compareEnds(
  model: Model,
  ends: ReadonlyMap<FormulationName, Float64Array>,
  repeat: (name: FormulationName) => Float64Array,
): Outcome {
  const [[first, reference]] = ends as unknown as [[FormulationName, Float64Array]];
  for (const [formulation, end] of ends) {
    let difference = largestDifference(end, reference);
    if (difference > MOTION_DIFFERENCE) difference = largestDifference(repeat(formulation), repeat(first));
    if (!(difference <= MOTION_DIFFERENCE)) return { wrong: `${formulation} and ${first} end ${difference} apart` };
    const open = Math.max(...residuals(model, end).map(Math.abs));
    if (!(open <= OPEN_LOOP) && !hasPrescribedMotion(model)) return { wrong: `${formulation} leaves a loop open by ${open}` };
  }
  return "right";
}

/** `residuals` knows prescribed motions at time 0 only. */
const hasPrescribedMotion = ({ loops }: Model): boolean => loops.some(({ kind }) => kind === "prescribed");

/** Largest difference, relative to the largest value if that is above 1. */
function largestDifference(a: Float64Array, b: Float64Array): number {
  const size = b.reduce((most, v) => Math.max(most, Math.abs(v)), 1);
  return a.reduce((most, v, i) => Math.max(most, Math.abs(v - b[i]!)), 0) / size;
}

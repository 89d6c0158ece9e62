import { error3, error5, outputStages, outputTerms, solution, stages, times } from "./explicit/dop853-coefficients.ts";
import { embeddedStepper } from "./explicit/embedded.ts";
import type { EmbeddedMethod } from "./explicit/tableau.ts";
import type { Integrator } from "./integrator.ts";

/** Dormand and Prince 8(5,3), with two error estimates that together behave like h^8 [HNW I, II.10]. */
export const DOP853_METHOD: EmbeddedMethod = {
  name: "dop853",
  times,
  stages,
  solution,
  error: error5,
  secondError: error3,
  errorOrder: 8,
  outputStages,
  outputTerms,
};

export const dop853: Integrator = {
  name: "dop853",
  about: "Dormand-Prince 8(5,3), adaptive, dense output of order 7: the first choice when accuracy matters",
  order: 8,
  adaptive: true,
  start: (problem, options) => embeddedStepper(DOP853_METHOD, problem, options),
};

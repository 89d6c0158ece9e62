/**
 * Gauss-Legendre collocation with three stages, order 6, fixed step [HLW II.1.3]: symmetric, symplectic, and exact on quadratic
 * invariants, so that unit quaternions stay unit and `project` is not called.
 */
import { Gauss6Steps } from "./implicit/gauss6-steps.ts";
import type { Integrator } from "./integrator.ts";
import { createStepper, stepperState } from "./stepping/stepper.ts";

export const gauss6: Integrator = {
  name: "gauss6",
  about: "Gauss-Legendre collocation, order 6, fixed step, symplectic: energy error stays bounded over long coasting",
  order: 6,
  adaptive: false,
  start(problem, options) {
    const now = stepperState(problem);
    return createStepper("gauss6", problem, now, new Gauss6Steps(problem, options, now));
  },
};

/** Radau IIA with three stages, order 5, adaptive, for stiff problems [HW II, IV.8]. */
import { RadauSteps } from "./implicit/radau-steps.ts";
import type { Integrator } from "./integrator.ts";
import { createStepper, stepperState } from "./stepping/stepper.ts";

export const radau5: Integrator = {
  name: "radau5",
  about: "Radau IIA, order 5, implicit, adaptive, dense output of order 3: for stiff problems",
  order: 5,
  adaptive: true,
  start(problem, options) {
    const now = stepperState(problem);
    return createStepper("radau5", problem, now, new RadauSteps("radau5", problem, options, now));
  },
};

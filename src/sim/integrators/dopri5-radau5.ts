/**
 * dopri5, with radau5 while the motion is stiff or at rest. Contacts, latches and brakes make a motion stiff for some time: fast decaying parts keep
 * explicit steps short, while implicit steps follow the rest. At events explicit steps are cheaper: they need no Jacobian, and a failed step
 * costs little.
 */

import { checkSavedInteger, refuseSaved, savedEntries, takeSaved } from "../../saved-data.ts";
import { DOPRI5_METHOD } from "./dopri5.ts";
import { embeddedSteps } from "./explicit/embedded.ts";
import { RadauSteps } from "./implicit/radau-steps.ts";
import type { Integrator } from "./integrator.ts";
import { createStepper, type StepMethod, stepperState } from "./stepping/stepper.ts";

const NAME = "dopri5-radau5";

/** h |λ| at the stability limit of dopri5 for decaying modes [HW II, IV.2]; and the part of it above which stability limits a step. */
const STABILITY_LIMIT = 3.3;
const LIMITED_SHARE = 0.5;
/** Number of limited steps in a row after which the motion counts as stiff. Fewer steps take less time than a Jacobian. */
const LIMITED_STEPS = 12;
/** Change of the state in a step, in units of the tolerance, below which accuracy cannot be what limits the step. */
const AT_REST = 10;
/** First implicit step, and shortest implicit step that pays, in units of the stable step. After several shorter ones explicit steps return. */
const FIRST_STEP = 4;
const WORTHWHILE_STEP = 6;
const MAX_SHORT_STEPS = 3;
/** Failed attempts at an implicit step before explicit steps take over: an event is likely within the step. */
const MAX_FAILURES = 1;

export const dopri5radau5: Integrator = {
  name: NAME,
  about: "dopri5, and radau5 while stability limits its steps: for motions that are stiff now and then, as with contacts",
  order: 5,
  adaptive: true,
  start(problem, options) {
    const state = stepperState(problem);
    const explicit = embeddedSteps({ ...DOPRI5_METHOD, name: NAME }, problem, options, state);
    const implicit = new RadauSteps(NAME, problem, options, state, MAX_FAILURES);
    /** Steps in a row that stability has limited, the longest stable step, and implicit steps in a row that were too short to pay. */
    const memory = { isImplicit: false, limitedSteps: 0, stableStep: 0, shortSteps: 0 };
    /** Steps that the user's largest step limits are no evidence. */
    const longest = 0.9 * (options.step ?? Number.POSITIVE_INFINITY);
    const activeMethod = (): StepMethod => (memory.isImplicit ? implicit : explicit);

    function switchTo(method: "explicit" | "implicit", step?: number): void {
      memory.isImplicit = method === "implicit";
      memory.limitedSteps = memory.shortSteps = 0;
      activeMethod().restart(state.t, step);
    }

    function implicitStep(end: number): number {
      const next = implicit.step(end);
      if (next < end) memory.shortSteps = next - state.t < WORTHWHILE_STEP * memory.stableStep ? memory.shortSteps + 1 : 0;
      return next;
    }

    function explicitStep(end: number): number {
      const next = explicit.step(end);
      const fastest = explicit.fastest();
      if ((next - state.t) * fastest > LIMITED_SHARE * STABILITY_LIMIT) {
        memory.limitedSteps++;
        memory.stableStep = STABILITY_LIMIT / fastest;
      } else if (next < end && next - state.t < longest && explicit.change() < AT_REST) {
        memory.limitedSteps++;
        memory.stableStep = next - state.t;
      } else if (next < end) memory.limitedSteps = 0; // a step that was cut at `end` is not evidence
      return next;
    }

    return createStepper(NAME, problem, state, {
      restart: () => switchTo("explicit"),
      rightHandSideChanged() {
        if (memory.isImplicit) implicit.rightHandSideChanged();
        else switchTo("explicit");
      },
      step(end) {
        if (memory.limitedSteps >= LIMITED_STEPS) switchTo("implicit", FIRST_STEP * memory.stableStep);
        if (memory.isImplicit) {
          const next = memory.shortSteps < MAX_SHORT_STEPS ? implicitStep(end) : Number.NaN;
          if (!Number.isNaN(next)) return next;
          switchTo("explicit", memory.stableStep);
        }
        return explicitStep(end);
      },
      interpolate: (time, out) => activeMethod().interpolate(time, out),
      save: () => ({ memory: { ...memory }, explicit: explicit.save(), implicit: implicit.save() }),
      restore(saved) {
        const entries = savedEntries(saved, ["memory", "explicit", "implicit"], NAME);
        takeSaved(memory, entries.memory, `${NAME}.memory`);
        checkSavedInteger(memory.limitedSteps, 0, LIMITED_STEPS, `${NAME}.memory.limitedSteps`);
        checkSavedInteger(memory.shortSteps, 0, MAX_SHORT_STEPS, `${NAME}.memory.shortSteps`);
        if (!(memory.stableStep >= 0)) refuseSaved(`${NAME}.memory.stableStep`, "must not be negative", memory.stableStep);
        explicit.restore(entries.explicit);
        implicit.restore(entries.implicit);
      },
    });
  },
};

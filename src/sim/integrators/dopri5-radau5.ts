/**
 * dopri5, with radau5 while the motion is stiff. Contacts, latches and brakes make a motion stiff for some time: fast decaying parts keep
 * explicit steps short, while implicit steps follow the rest. At events explicit steps are cheaper: they need no Jacobian, and a failed step
 * costs little.
 */

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
    const now = stepperState(problem);
    const explicit = embeddedSteps({ ...DOPRI5_METHOD, name: NAME }, problem, options, now);
    const implicit = new RadauSteps(NAME, problem, options, now, MAX_FAILURES);
    let used: StepMethod = explicit;
    /** Number of steps in a row that stability has limited, and the longest stable step. */
    let limited = 0;
    let stable = 0;
    /** Number of implicit steps in a row that were too short to pay. */
    let short = 0;

    function take(other: StepMethod, step?: number): void {
      used = other;
      limited = short = 0;
      other.restart(now.t, step);
    }

    function implicitStep(end: number): number {
      const next = implicit.step(end);
      if (next < end) short = next - now.t < WORTHWHILE_STEP * stable ? short + 1 : 0;
      return next;
    }

    function explicitStep(end: number): number {
      const next = explicit.step(end);
      const fastest = explicit.fastest();
      if ((next - now.t) * fastest > LIMITED_SHARE * STABILITY_LIMIT) {
        limited++;
        stable = STABILITY_LIMIT / fastest;
      } else if (next < end) limited = 0; // one that was cut at `end` says nothing
      return next;
    }

    return createStepper(NAME, problem, now, {
      restart: () => take(explicit),
      rightHandSideChanged() {
        if (used === implicit) implicit.rightHandSideChanged();
        else take(explicit);
      },
      step(end) {
        if (limited >= LIMITED_STEPS) take(implicit, FIRST_STEP * stable);
        if (used === implicit) {
          const next = short < MAX_SHORT_STEPS ? implicitStep(end) : Number.NaN;
          if (!Number.isNaN(next)) return next;
          take(explicit, stable);
        }
        return explicitStep(end);
      },
      interpolate: (time, out) => used.interpolate(time, out),
    });
  },
};

/**
 * dopri5, and radau5 while the motion is stiff. Contacts, latches and brakes make a motion stiff for a while: what dies away at once keeps
 * explicit steps short, and implicit ones go on with what is left. Where something happens explicit steps are the cheaper ones: they need no
 * Jacobian, and lose little when they fail.
 */

import { method } from "./dopri5.ts";
import { embeddedSteps } from "./explicit/embedded.ts";
import type { Integrator } from "./integrator.ts";
import { radauSteps } from "./radau5.ts";
import { type Method, standingOf, stepperOf } from "./stepping/stepper.ts";

const NAME = "dopri5-radau5";

/** h |λ| at which dopri5 is no longer stable, for what dies away [HW II, IV.2]; and the part of it from which on that limits the steps. */
const STABLE = 3.3;
const NEARLY = 0.5;
/** So many steps in a row are limited before the motion is taken for stiff: fewer are made in less time than a Jacobian. */
const LIMITED_STEPS = 12;
/** The first implicit step, and one that is worth its cost, in steps that are stable; so many in a row that are not end it. */
const FIRST_STEP = 4;
const WORTH = 6;
const MOST_SHORT = 3;
/** Attempts at an implicit step that may fail: something has happened within it, and explicit steps go there. */
const PATIENCE = 1;

export const dopri5radau5: Integrator = {
  name: NAME,
  about: "dopri5, and radau5 while stability limits its steps: for motions that are stiff now and then, as with contacts",
  order: 5,
  adaptive: true,
  start(problem, options) {
    const now = standingOf(problem);
    const explicit = embeddedSteps({ ...method, name: NAME }, problem, options, now);
    const implicit = radauSteps(NAME, problem, options, now, PATIENCE);
    let used: Method = explicit;
    /** Steps in a row that stability has limited, and the longest stable one. */
    let limited = 0;
    let stable = 0;
    /** Implicit steps in a row that were not worth it. */
    let short = 0;

    function take(other: Method, step?: number): void {
      used = other;
      limited = short = 0;
      other.restart(now.t, step);
    }

    function implicitStep(end: number): number {
      const next = implicit.step(end);
      if (next < end) short = next - now.t < WORTH * stable ? short + 1 : 0;
      return next;
    }

    function explicitStep(end: number): number {
      const next = explicit.step(end);
      const fastest = explicit.fastest();
      if ((next - now.t) * fastest > NEARLY * STABLE) {
        limited++;
        stable = STABLE / fastest;
      } else if (next < end) limited = 0; // one that was cut at `end` says nothing
      return next;
    }

    return stepperOf(NAME, problem, now, {
      restart: () => take(explicit),
      changed() {
        if (used === implicit) implicit.changed!();
        else take(explicit);
      },
      step(end) {
        if (limited >= LIMITED_STEPS) take(implicit, FIRST_STEP * stable);
        if (used === implicit) {
          const next = short < MOST_SHORT ? implicitStep(end) : Number.NaN;
          if (!Number.isNaN(next)) return next;
          take(explicit, stable);
        }
        return explicitStep(end);
      },
      between: (time, out) => used.between(time, out),
    });
  },
};

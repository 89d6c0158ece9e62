/**
 * Motions that may diverge: a cart under a sampled controller with random gains, whose map from update to update is known, and a mass on a
 * random stiff stop with random integrators and steps. A stable loop must run. An unstable one must end with the explanation that it
 * diverges, or be exact. A stop must give the motion of the closed form, or the audit must refuse the steps.
 */
import { CastorError } from "../../../src/errors.ts";
import { readForce } from "../../../src/parts/force/forces.ts";
import { createSystem } from "../../../src/sim/create-system.ts";
import { INTEGRATORS, type IntegratorName } from "../../../src/sim/integrators/index.ts";
import { simulate } from "../../../src/sim/run/simulate.ts";
import type { CaseGenerator, Outcome } from "./case.ts";
import { all, cart, Draw, judge, law, outcomeOf } from "./draw.ts";

/** Unstable loops and steps that are too long end with a reason. */
export const expectsRefusals = true;
export const shortCases = 60;

/** Loops nearer to the limit of stability than this are neither called stable nor unstable. */
const MARGIN = 1e-3;
/** Relative error of the final state, and of a bounce with fixed steps that pass the audit. */
const ERROR = 1e-6;
const NO_NONSENSE = 0.05;

/** x' = x + h v + h²/2 a, v' = v + h a with a = -(kp x + kd v) / m. */
function sampledLoop(draw: Draw, integrator: IntegratorName): { readonly description: string; run(): Outcome } {
  const period = draw.scale(1e-4, 1);
  const mass = draw.scale(0.01, 100);
  const kp = (mass / period ** 2) * draw.scale(1e-3, 10) * draw.of([1, 1, 1, -1]);
  const kd = (mass / period) * draw.scale(1e-2, 10);
  const updates = Math.ceil(draw.scale(10, 1000));
  const [a, b] = [kp / mass, kd / mass];
  // The eigenvalues of the map are the roots of λ² - trace λ + determinant.
  const trace = 2 - 0.5 * a * period ** 2 - b * period;
  const determinant = 1 - b * period + 0.5 * a * period ** 2;
  const root = trace ** 2 / 4 - determinant;
  const radius = root < 0 ? Math.sqrt(determinant) : Math.abs(trace / 2) + Math.sqrt(root);
  const model = cart(mass);
  const system = createSystem(model, [readForce("actuator", "motor", { hinge: "cart" }, model)]);
  const controller = law("pd", period, "motor.force", (_t, x, v) => -kp * x - kd * v);
  const step = period / draw.between(1, 5);
  return {
    description: `sampled loop of radius ${radius}, period ${period}, ${updates} updates by ${integrator}`,
    run: () => {
      let [x, v] = [1, 0];
      for (let k = 0; k < updates; k++) {
        const acceleration = -a * x - b * v;
        x += period * v + 0.5 * period ** 2 * acceleration;
        v += period * acceleration;
      }
      try {
        const { q, u } = simulate(system, system.start({ q: Float64Array.of(1) }), {
          duration: updates * period,
          integrator,
          settings: INTEGRATORS[integrator].adaptive ? {} : { step },
          controllers: [controller],
        });
        const size = Math.max(1, Math.abs(x), Math.abs(v) * period);
        return all([
          judge("x", q[0]!, x, ERROR * size * Math.max(1, radius)),
          judge("v", u[0]! * period, v * period, ERROR * size * Math.max(1, radius)),
        ]);
      } catch (error) {
        if (!(error instanceof CastorError)) throw error;
        if (radius < 1 + MARGIN) return { wrong: `a stable loop was refused: ${error.message}` };
        const isExplained =
          error.message.startsWith("the motion diverges: the speed u.cart has grown") && error.message.includes("pd");
        return isExplained ? "right" : { wrong: `an unstable loop ended without its reason: ${error.message}` };
      }
    },
  };
}

/** A mass falls on an elastic stop: depth (g/ω²)(1 - cos ωτ) + (v/ω) sin ωτ in contact, and a parabola after it. */
function stiffStop(draw: Draw, integrator: IntegratorName): { readonly description: string; run(): Outcome } {
  const [mass, g, height] = [draw.scale(0.01, 100), draw.between(1, 20), draw.scale(0.01, 10)];
  const omega = Math.sqrt(g / height) * draw.scale(3, 1e5);
  const speed = Math.sqrt(2 * g * height);
  const fall = speed / g;
  const contact = (2 / omega) * (Math.PI - Math.atan((speed * omega) / g));
  const duration = fall + contact + draw.between(0.2, 1.8) * fall;
  const model = cart(mass, g);
  const stop = { hinge: "cart", lower: 0, stiffness: mass * omega ** 2 };
  const system = createSystem(model, [readForce("stop", "ground", stop, model)]);
  const step = duration / draw.scale(20, 5000);
  const { adaptive } = INTEGRATORS[integrator];
  const run = (): Outcome => {
    const { q, u } = simulate(system, system.start({ q: Float64Array.of(height) }), {
      duration,
      integrator,
      settings: adaptive ? {} : { step },
    });
    const after = duration - fall - contact;
    const allowed = adaptive ? ERROR : NO_NONSENSE;
    return all([
      judge("height", q[0]! / height, (speed * after - 0.5 * g * after ** 2) / height, allowed),
      judge("speed", u[0]! / speed, 1 - (g * after) / speed, allowed),
    ]);
  };
  return {
    description: `stop of ${omega} rad/s, duration ${duration} s by ${integrator}, step ${step}`,
    run: () => outcomeOf(run),
  };
}

const generate: CaseGenerator = (seed) => {
  const draw = new Draw(seed);
  const integrator = draw.of(Object.keys(INTEGRATORS) as IntegratorName[]);
  return draw.next() < 0.7 ? sampledLoop(draw, integrator) : stiffStop(draw, integrator);
};
export default generate;

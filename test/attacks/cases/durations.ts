/**
 * Runs of 1e-12 s to 1e9 s with random integrators, steps, sample times and update periods: an oscillator, or a cart that sampled controllers
 * push. The end must be that of the closed form, in the log too, and a threshold must be passed at its time. Few steps are too coarse.
 */
import { readForce } from "../../../src/parts/force/forces.ts";
import { createSystem } from "../../../src/sim/create-system.ts";
import { INTEGRATORS, type IntegratorName } from "../../../src/sim/integrators/index.ts";
import { type SimulateOptions, simulate } from "../../../src/sim/run/simulate.ts";
import type { SimulationRun } from "../../../src/sim/run/simulation.ts";
import type { CaseGenerator, Outcome } from "./case.ts";
import { all, cart, Draw, judge, law, outcomeOf } from "./draw.ts";

export const shortCases = 30;

/** One case in this many has a fixed step that is too long for the motion: the audit must notice it. */
const COARSE = 128;
/** Error of coarse steps that the audit lets pass, and of fine ones, relative to an amplitude of 1. */
const NO_NONSENSE = 0.1;
const FIXED_STEP_ERROR = 1e-3;
const ADAPTIVE_ERROR = 1e-7;

interface Timing {
  readonly duration: number;
  readonly integrator: IntegratorName;
  readonly adaptive: boolean;
  readonly step: number;
  readonly sample: number;
  readonly isCoarse: boolean;
}

const tolerance = ({ adaptive, isCoarse }: Timing): number =>
  adaptive ? ADAPTIVE_ERROR : isCoarse ? NO_NONSENSE : FIXED_STEP_ERROR;

const options = ({ duration, integrator, adaptive, step, sample }: Timing): SimulateOptions => ({
  duration,
  integrator,
  settings: adaptive ? {} : { step },
  sample,
});

/** The log must end with the final state. */
function endOfLog({ log, t, q, end }: SimulationRun, duration: number): Outcome {
  if (end !== "complete" || t !== duration) return { wrong: `ended at ${t} s of ${duration} s: ${end}` };
  const [lastTime, lastPosition] = [log.column("t").at(-1)!, log.column("q.cart").at(-1)!];
  return all([
    judge("the last time in the log", lastTime, t, 8 * Number.EPSILON * t),
    judge("the last position in the log", lastPosition, q[0]!, 1e-12),
  ]);
}

/** x = cos ωt; the threshold 0.5 is passed at ωt = π/3. */
function oscillator(timing: Timing, radians: number): Outcome {
  const omega = radians / timing.duration;
  const model = cart(2);
  const system = createSystem(model, [
    readForce("hinge-spring", "spring", { hinge: "cart", stiffness: 2 * omega * omega }, model),
  ]);
  const run = simulate(system, system.start({ q: Float64Array.of(1) }), {
    ...options(timing),
    events: [{ name: "half", value: (_t, y) => y[0]! - 0.5 }],
  });
  const first = run.events.find((event) => event.name === "half")?.t;
  const allowed = tolerance(timing);
  return all([
    endOfLog(run, timing.duration),
    judge("x", run.q[0]!, Math.cos(radians), allowed),
    first === undefined
      ? { wrong: "the threshold was missed" }
      : judge("ωt at the threshold", first * omega, Math.PI / 3, allowed),
  ]);
}

/** Two controllers with different periods push a cart: velocities and positions add up piece by piece. */
function pushed(timing: Timing, draw: Draw): Outcome {
  const { duration } = timing;
  const mass = draw.scale(0.1, 100);
  const model = cart(mass);
  const size = mass / duration ** 2;
  const pieces = [0, 1].map((i) => {
    // A whole number of periods, or one that ends a rounding error before or after the end, or any number.
    const count = Math.ceil(draw.scale(1, 40));
    const period = draw.of([duration / count, (duration / count) * (1 + Number.EPSILON), draw.between(0.02, 1.2) * duration]);
    const forces = Array.from({ length: Math.ceil(duration / period) + 2 }, () => size * draw.between(-1, 1));
    const command = `motor-${i}.force`;
    return { period, forces, controller: law(`pilot-${i}`, period, command, (t) => forces[Math.round(t / period)]!) };
  });
  const system = createSystem(
    model,
    pieces.map((_, i) => readForce("actuator", `motor-${i}`, { hinge: "cart" }, model)),
  );
  const run = simulate(system, system.start(), { ...options(timing), controllers: pieces.map(({ controller }) => controller) });
  let [x, v] = [0, 0];
  for (const { period, forces } of pieces)
    for (const [k, force] of forces.entries()) {
      const [from, to] = [k * period, Math.min((k + 1) * period, duration)];
      if (from >= duration) break;
      v += (force / mass) * (to - from);
      x += (force / mass) * (to - from) * (duration - 0.5 * (from + to));
    }
  return all([
    endOfLog(run, duration),
    judge("x", run.q[0]!, x, ADAPTIVE_ERROR),
    judge("v × duration", run.u[0]! * duration, v * duration, ADAPTIVE_ERROR),
  ]);
}

const generate: CaseGenerator = (seed) => {
  const draw = new Draw(seed);
  const isCoarse = seed % COARSE === COARSE - 1;
  const duration = draw.of([draw.scale(1e-12, 1e9), draw.scale(1e-12, 1e9), Math.round(draw.between(1, 100)) / 10]);
  const integrator = draw.of(Object.keys(INTEGRATORS) as IntegratorName[]);
  const { adaptive } = INTEGRATORS[integrator];
  const radians = draw.between(1.5, 20);
  const stepAngle = isCoarse ? draw.between(0.5, 10) : draw.between(0.005, 0.1);
  const timing: Timing = {
    duration,
    integrator,
    adaptive,
    step: Math.min(duration, (duration * stepAngle) / radians),
    sample: duration * draw.of([draw.scale(1e-3, 3), 1 / Math.ceil(draw.scale(1, 500))]),
    isCoarse: isCoarse && !adaptive,
  };
  const kind = isCoarse ? "oscillator" : draw.of(["oscillator", "pushed"] as const);
  return {
    description: `${kind} for ${duration} s by ${integrator}, ${radians} rad, step ${timing.step}, sample ${timing.sample}`,
    run: () => outcomeOf(() => (kind === "oscillator" ? oscillator(timing, radians) : pushed(timing, draw))),
  };
};
export default generate;

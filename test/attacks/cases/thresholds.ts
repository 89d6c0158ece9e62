/**
 * Conditions that hold only for a moment: thresholds slightly below or above the peak of a motion, and pairs of comparisons that are true
 * together in a short window. The time at which each of them first holds is known in closed form.
 */
import { CastorError } from "../../../src/errors.ts";
import { loadScenario } from "../../../src/scenario/load.ts";
import { runScenario, type ScenarioRun } from "../../../src/scenario/run.ts";
import { uniform } from "../../fixtures/models/random-model.ts";
import { completeK } from "../../oracles/elliptic.ts";
import type { AttackCase, Outcome } from "./case.ts";

/** A condition that holds in windows of time: `first` + n `period`, n = 0, 1, ... `null`: never. */
interface Window {
  readonly texts: readonly string[];
  readonly first: number | null;
  readonly period: number;
  /** Change of the value, relative to its peak, per second at the beginning of the window. */
  readonly slope: number;
}

interface Machine {
  readonly name: string;
  readonly model: object;
  readonly state: object;
  readonly forces: object;
  readonly duration: number;
  readonly window: Window;
}

type Random = () => number;

/** Error of the integration relative to the peak that the tolerances of the cases allow. */
const RELATIVE_ERROR = 3e-8;

const between = (random: Random, least: number, most: number): number => least + (most - least) * random();
const logarithmic = (random: Random, least: number, most: number): number =>
  Math.exp(between(random, Math.log(least), Math.log(most)));
const chosen = <T>(random: Random, items: readonly T[]): T => items[Math.floor(items.length * random())]!;

/** A mass on a spring, x = A cos θ, θ = ω t + φ. */
function oscillator(random: Random): Machine {
  const mass = logarithmic(random, 0.1, 100);
  const frequency = logarithmic(random, 0.1, 100);
  const A = logarithmic(random, 1e-3, 10);
  const depth = logarithmic(random, 1e-6, 0.1);
  const isReached = random() < 0.8;
  const factor = isReached ? 1 - depth : 1 + depth;
  const w = Math.acos(1 - depth);
  const energy = 0.5 * mass * (A * frequency) ** 2;
  const halfEnergy = Math.acos(Math.sqrt(1 - depth));
  const from = between(random, 0.3, 1.2);
  const width = logarithmic(random, 1e-4, 0.1);
  // Texts, angle of the peak, half of the window, and its period, all as angles.
  const kinds: readonly (readonly [readonly string[], number, number, number])[] = [
    [[`q.mass > ${A * factor}`], 0, w, 2 * Math.PI],
    [[`q.mass < ${-A * factor}`], Math.PI, w, 2 * Math.PI],
    [[`u.mass > ${A * frequency * factor}`], 1.5 * Math.PI, w, 2 * Math.PI],
    [[`frame.mass.x - ${A} > ${A * (factor - 1)}`], 0, w, 2 * Math.PI],
    [[`energy.kinetic > ${energy * factor}`], 0.5 * Math.PI, halfEnergy, Math.PI],
    [[`2 * energy.potential >= ${2 * energy * factor}`], 0, halfEnergy, Math.PI],
    [[`q.mass > ${A * Math.cos(from + width)}`, `u.mass < ${-A * frequency * Math.sin(from)}`], from, 0, 2 * Math.PI],
  ];
  const [texts, peak, half, period] = chosen(random, kinds);
  const isWindow = texts.length === 2;
  // Between two windows, so that the condition is false at the start.
  const start = peak - half - between(random, 0.05, 0.9) * (period - 2 * Math.max(half, width));
  const isSeen = isWindow || isReached;
  return {
    name: `oscillator, ${texts.join(" and ")}, phase ${start}`,
    model: {
      name: "mass on a spring",
      gravity: [0, 0, 0],
      bodies: [{ name: "mass", mass, inertia: "none", hinge: { kind: "prismatic", axis: "x" } }],
    },
    state: { q: { mass: A * Math.cos(start) }, u: { mass: -A * frequency * Math.sin(start) } },
    forces: { spring: { kind: "hinge-spring", hinge: "mass", stiffness: mass * frequency ** 2 } },
    duration: (between(random, 1.2, 4) * 2 * Math.PI) / frequency,
    window: {
      texts,
      first: isSeen ? (peak - half - start) / frequency : null,
      period: period / frequency,
      slope: frequency * (isWindow ? Math.cos(from) : Math.sin(w)),
    },
  };
}

/** A flight under gravity, whose steps are as long as the run: its motion is a polynomial. */
function flight(random: Random): Machine {
  const g = between(random, 1, 20);
  const speed = logarithmic(random, 0.1, 1000);
  const depth = logarithmic(random, 1e-8, 0.1);
  const isReached = random() < 0.8;
  const height = speed ** 2 / (2 * g);
  return {
    name: `flight with ${speed} m/s, ${isReached ? "" : "above "}the peak by ${depth}`,
    model: {
      name: "projectile",
      gravity: [0, 0, -g],
      bodies: [{ name: "ball", mass: 1, inertia: [0.01, 0.01, 0.01], hinge: { kind: "free" } }],
    },
    state: { u: { ball: [between(random, -1, 1), 0.2, 0, between(random, -3, 3), 0, speed] } },
    forces: {},
    duration: (between(random, 1.5, 3) * speed) / g,
    window: {
      texts: [`frame.ball.z > ${height * (isReached ? 1 - depth : 1 + depth)}`],
      first: isReached ? (speed / g) * (1 - Math.sqrt(depth)) : null,
      period: Number.POSITIVE_INFINITY,
      slope: (2 * Math.sqrt(depth) * g) / speed,
    },
  };
}

/** A pendulum from rest; near its lowest point the kinetic energy is E (1 - g τ² / L). */
function pendulum(random: Random): Machine {
  const length = logarithmic(random, 0.1, 10);
  const amplitude = between(random, 0.2, 2.8);
  const depth = logarithmic(random, 1e-6, 1e-4);
  const isReached = random() < 0.8;
  const energy = 9.81 * length * (1 - Math.cos(amplitude));
  const quarter = completeK(Math.sin(amplitude / 2) ** 2) * Math.sqrt(length / 9.81);
  return {
    name: `pendulum of ${length} m from ${amplitude} rad, ${isReached ? "" : "above "}the peak by ${depth}`,
    model: {
      name: "pendulum",
      gravity: [0, 0, -9.81],
      bodies: [{ name: "bob", mass: 1, com: [0, 0, -length], inertia: "none", hinge: { kind: "revolute", axis: "y" } }],
    },
    state: { q: { bob: amplitude } },
    forces: {},
    duration: between(random, 3.3, 6.7) * quarter,
    window: {
      texts: [`energy.kinetic > ${energy * (isReached ? 1 - depth : 1 + depth)}`],
      first: isReached ? quarter - Math.sqrt((depth * length) / 9.81) : null,
      period: 2 * quarter,
      slope: 2 * Math.sqrt((depth * 9.81) / length) * Math.min(1, Math.sqrt(depth) * 3e4),
    },
  };
}

const INTEGRATORS: readonly ((random: Random, period: number) => object)[] = [
  (random) => ({ name: "dop853", relativeTolerance: logarithmic(random, 1e-12, 1e-10), absoluteTolerance: 1e-13 }),
  (random) => ({ name: "dopri5", relativeTolerance: logarithmic(random, 1e-12, 1e-11), absoluteTolerance: 1e-13 }),
  () => ({ name: "radau5", relativeTolerance: 1e-11, absoluteTolerance: 1e-13 }),
  (random, period) => ({ name: "gauss6", step: between(random, 0.002, 0.008) * period }),
  (random, period) => ({ name: "rk4", step: between(random, 0.0005, 0.001) * period }),
];

/** Draws a threshold. */
export default function threshold(seed: number): AttackCase {
  const random = uniform(seed ^ 0x7e57);
  const machine = chosen(random, [oscillator, oscillator, flight, pendulum])(random);
  const { model, state, forces, duration, window } = machine;
  const fastest = Number.isFinite(window.period) ? window.period : duration;
  const integrator = chosen(random, INTEGRATORS)(random, fastest);
  const manner = chosen(random, ["stop", "event", "repeat"] as const);
  const scenario = {
    castor: 1,
    name: "threshold",
    model,
    state,
    forces,
    integrator,
    duration,
    sample: duration * logarithmic(random, 0.002, 1),
    channels: ["q.*"],
    audit: { energy: 1e-5 },
    ...(manner === "stop" && window.texts.length === 1
      ? { stop: window.texts[0] }
      : { mode: "before", events: { seen: { when: window.texts, repeat: manner === "repeat", mode: "after" } } }),
  };
  return {
    description: `${machine.name}; ${manner}; ${JSON.stringify(integrator)}; ${duration} s`,
    async run() {
      try {
        return judge(await runScenario(loadScenario(JSON.stringify(scenario))), window, duration, manner === "repeat");
      } catch (error) {
        if (error instanceof CastorError) return { refused: error.message };
        throw error;
      }
    },
  };
}

function judge({ run, failure }: ScenarioRun, window: Window, duration: number, repeats: boolean): Outcome {
  if (failure) return { refused: failure.message };
  const times = [...run.timeline.map(({ t }) => t), ...(run.end === "stopped by event" ? [run.t] : [])];
  const { first, period, slope } = window;
  if (first === null)
    return times.length === 0 ? "right" : { wrong: `the value is never reached, but was seen at ${times[0]} s` };
  const count = !repeats ? 1 : first > duration ? 0 : 1 + Math.floor((duration - first) / period);
  // A window at the very end of the run may or may not be within it.
  if (Math.abs(first + count * period - duration) < 0.02 * Math.min(period, duration)) return "right";
  if (first > duration)
    return times.length === 0 ? "right" : { wrong: `was seen at ${times[0]} s, but first holds at ${first} s` };
  if (times.length !== count)
    return { wrong: `holds ${count} times, the first at ${first} s, but was seen ${times.length} times` };
  for (const [n, t] of times.entries()) {
    const expected = n === 0 ? first : first + n * period;
    const allowed = RELATIVE_ERROR / slope + 1e-12 * duration;
    if (!(Math.abs(t - expected) <= allowed)) return { wrong: `first holds at ${expected} s, but was seen at ${t} s` };
  }
  return "right";
}

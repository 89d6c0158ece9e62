/**
 * Peaks of loads, speeds and energies against closed forms, with samples that miss them: oscillations, impacts on stiff springs, pendulums, means
 * over a window, and loads that act between two events only.
 */
import { CastorError } from "../../../src/errors.ts";
import { loadScenario } from "../../../src/scenario/load.ts";
import { runScenario } from "../../../src/scenario/run.ts";
import { uniform } from "../../fixtures/models/random-model.ts";
import type { AttackCase } from "./case.ts";

interface Machine {
  readonly name: string;
  /** Fields of the scenario. */
  readonly fields: object;
  readonly duration: number;
  /** Time of the fastest change, s: fixed steps are much shorter. */
  readonly pace: number;
  /** Each peak: channel, bound, value, and the window of a mean. */
  readonly peaks: readonly (readonly [string, "most" | "least", number, number?])[];
  /** Size of the values, for peaks that are zero. */
  readonly scale?: number;
}

type Random = () => number;

/** Relative accuracy of peaks that is promised. */
const PROMISED = 1e-6;

const between = (random: Random, least: number, most: number): number => least + (most - least) * random();
const logarithmic = (random: Random, least: number, most: number): number =>
  Math.exp(between(random, Math.log(least), Math.log(most)));
const chosen = <T>(random: Random, items: readonly T[]): T => items[Math.floor(items.length * random())]!;

const slider = (mass: number): object => ({
  name: "slider",
  gravity: [0, 0, 0],
  bodies: [{ name: "mass", mass, inertia: "none", hinge: { kind: "prismatic", axis: "x" } }],
});

/** x = A cos (ω t + φ). */
function oscillator(random: Random): Machine {
  const mass = logarithmic(random, 0.1, 100);
  const frequency = logarithmic(random, 0.1, 100);
  const A = logarithmic(random, 1e-3, 10);
  const phase = between(random, 0, 2 * Math.PI);
  const period = (2 * Math.PI) / frequency;
  const window = between(random, 0.05, 0.45) * period;
  const meanPeak = (A * Math.sin((frequency * window) / 2)) / ((frequency * window) / 2);
  const energy = 0.5 * mass * (A * frequency) ** 2;
  return {
    name: `oscillator of ${frequency} rad/s`,
    fields: {
      model: slider(mass),
      state: { q: { mass: A * Math.cos(phase) }, u: { mass: -A * frequency * Math.sin(phase) } },
      forces: { spring: { kind: "hinge-spring", hinge: "mass", stiffness: mass * frequency ** 2 } },
    },
    duration: between(random, 2.1, 6) * period,
    pace: period,
    peaks: [
      ["q.mass", "most", A],
      ["q.mass", "least", -A],
      ["u.mass", "most", A * frequency],
      ["tau.mass", "least", -mass * frequency ** 2 * A],
      ["acceleration.mass.x", "most", A * frequency ** 2],
      ["energy.kinetic", "most", energy],
      ["energy.kinetic", "least", 0],
      ["energy.potential", "most", energy],
      ["q.mass", "most", meanPeak, window],
      ["q.mass", "least", -meanPeak, window],
    ],
    scale: Math.max(energy, A),
  };
}

/** A mass flies against a stiff end stop: x = v / ω sin ω t in it, peak load v √(k m). */
function endStop(random: Random): Machine {
  const mass = logarithmic(random, 0.1, 1e4);
  const stiffness = logarithmic(random, 1e3, 1e9);
  const speed = logarithmic(random, 0.01, 5);
  const distance = logarithmic(random, 0.01, 1);
  const frequency = Math.sqrt(stiffness / mass);
  return {
    name: `stop of ${stiffness} N/m, ${mass} kg with ${speed} m/s`,
    fields: {
      model: slider(mass),
      state: { q: { mass: -distance }, u: { mass: speed } },
      forces: { stop: { kind: "stop", hinge: "mass", upper: 0, stiffness } },
    },
    duration: distance / speed + Math.PI / frequency + between(random, 0.1, 1) * (distance / speed),
    pace: (2 * Math.PI) / frequency,
    peaks: [
      ["tau.mass", "least", -speed * Math.sqrt(stiffness * mass)],
      ["q.mass", "most", speed / frequency],
      ["u.mass", "least", -speed],
    ],
  };
}

/** A ball against a wall, with the linear or the Hertzian law: ½ m v² = k d² / 2, or 2/5 k d^2.5. */
function impact(random: Random): Machine {
  const mass = logarithmic(random, 0.1, 1000);
  const law = chosen(random, ["linear", "hertz"] as const);
  const stiffness = logarithmic(random, 1e4, 1e8);
  const speed = logarithmic(random, 0.05, 2);
  const gap = logarithmic(random, 0.01, 0.5);
  const energy = 0.5 * mass * speed ** 2;
  const depth = law === "linear" ? Math.sqrt((2 * energy) / stiffness) : ((2.5 * energy) / stiffness) ** 0.4;
  const force = law === "linear" ? stiffness * depth : stiffness * depth ** 1.5;
  return {
    name: `${law} impact with ${speed} m/s, ${stiffness}`,
    fields: {
      model: {
        name: "ball",
        gravity: [0, 0, 0],
        bodies: [
          { name: "wall", mass: 1, inertia: [1, 1, 1], hinge: { kind: "fixed" } },
          { name: "ball", mass, inertia: [0.4, 0.4, 0.4], hinge: { kind: "prismatic", axis: "x" } },
        ],
      },
      state: { q: { ball: -gap - 0.1 }, u: { ball: speed } },
      forces: {
        touch: {
          kind: "contact",
          shapes: [{ kind: "sphere", on: "ball", radius: 0.1 }],
          against: [{ kind: "plane", on: "wall", axis: [-1, 0, 0] }],
          law,
          stiffness,
        },
      },
    },
    duration: gap / speed + (4 * depth) / speed + between(random, 0.1, 1) * (gap / speed),
    pace: (2 * Math.PI * depth) / speed,
    peaks: [
      ["touch.load", "most", force],
      ["touch.depth", "most", depth],
    ],
  };
}

/** A pendulum from rest: kinetic energy m g L (1 - cos φ) at the lowest point. */
function pendulum(random: Random): Machine {
  const length = logarithmic(random, 0.1, 10);
  const amplitude = between(random, 0.2, 2.8);
  const mass = logarithmic(random, 0.1, 100);
  const energy = mass * 9.81 * length * (1 - Math.cos(amplitude));
  const period = 2 * Math.PI * Math.sqrt(length / 9.81);
  return {
    name: `pendulum of ${length} m from ${amplitude} rad`,
    fields: {
      model: {
        name: "pendulum",
        gravity: [0, 0, -9.81],
        bodies: [{ name: "bob", mass, com: [0, 0, -length], inertia: "none", hinge: { kind: "revolute", axis: "y" } }],
      },
      state: { q: { bob: amplitude } },
      forces: {},
    },
    duration: between(random, 2.5, 5) * period,
    pace: period,
    peaks: [
      ["energy.kinetic", "most", energy],
      ["u.bob", "least", -Math.sqrt((2 * energy) / mass) / length],
      ["q.bob", "least", -amplitude],
    ],
  };
}

/** A force that is large for a short time between two events. */
function push(random: Random): Machine {
  const mass = logarithmic(random, 0.1, 100);
  const weak = between(random, 0.1, 1);
  const strong = between(random, 10, 1000);
  const from = between(random, 0.2, 0.8);
  const length = logarithmic(random, 1e-5, 0.05);
  return {
    name: `push of ${strong} N for ${length} s`,
    fields: {
      model: slider(mass),
      forces: { motor: { kind: "actuator", hinge: "mass" } },
      events: {
        start: { at: 0.01, set: { "motor.force": -weak } },
        on: { at: from, set: { "motor.force": strong } },
        off: { after: "on", delay: length, set: { "motor.force": -weak } },
      },
    },
    duration: 1,
    pace: 1,
    peaks: [
      ["tau.mass", "most", strong],
      ["tau.mass", "least", -weak],
      ["tau.mass", "most", Math.max(0, (strong * length - weak * (0.1 - length)) / 0.1), 0.1],
      ["u.mass", "most", Math.max(0, (strong * length - weak * (from - 0.01)) / mass)],
    ],
    scale: weak,
  };
}

const INTEGRATORS: readonly ((random: Random, pace: number) => object)[] = [
  (random) => ({ name: "dop853", relativeTolerance: logarithmic(random, 1e-12, 1e-9), absoluteTolerance: 1e-13 }),
  (random) => ({ name: "dopri5", relativeTolerance: logarithmic(random, 1e-12, 1e-10), absoluteTolerance: 1e-13 }),
  (random) => ({ name: "dopri5-radau5", relativeTolerance: logarithmic(random, 1e-12, 1e-10), absoluteTolerance: 1e-13 }),
  () => ({ name: "radau5", relativeTolerance: 1e-11, absoluteTolerance: 1e-13 }),
];
const FIXED: readonly ((random: Random, pace: number) => object)[] = [
  (random, pace) => ({ name: "gauss6", step: between(random, 0.002, 0.008) * pace }),
  (random, pace) => ({ name: "rk4", step: between(random, 0.001, 0.002) * pace }),
];

/** Draws a motion whose peaks are known. */
export default function peak(seed: number): AttackCase {
  const random = uniform(seed ^ 0x9ea4);
  const kind = chosen(random, [oscillator, endStop, impact, pendulum, push]);
  const machine = kind(random);
  const { fields, duration, pace, peaks } = machine;
  const isSmooth = kind === oscillator || kind === pendulum;
  const integrator = chosen(random, isSmooth ? [...INTEGRATORS, ...FIXED] : INTEGRATORS)(random, pace);
  const scenario = {
    castor: 1,
    name: "peaks",
    ...fields,
    integrator,
    duration,
    sample: duration * logarithmic(random, 0.001, 1),
    channels: ["q.*"],
    audit: { energy: 1e-5 },
    limits: Object.fromEntries(
      peaks.map(([channel, bound, value, mean], i) => [
        `p${i}`,
        { channels: channel, [bound]: value, ...(mean !== undefined && { mean }) },
      ]),
    ),
  };
  return {
    description: `${machine.name}; ${JSON.stringify(integrator)}; ${duration} s, sample ${scenario.sample} s`,
    async run() {
      try {
        const { run, failure } = await runScenario(loadScenario(JSON.stringify(scenario)));
        if (failure) return { refused: failure.message };
        for (const [channel, bound, value, mean] of peaks) {
          const found = run.peaks.find((p) => p.channel === channel && p.bound === bound && p.mean === mean);
          const scale = Math.max(Math.abs(value), value === 0 ? (machine.scale ?? 1) : 0);
          if (!(Math.abs((found?.value ?? Number.NaN) - value) <= PROMISED * scale))
            return {
              wrong: `${bound} ${channel}${mean === undefined ? "" : `, mean of ${mean} s`} is ${value}, found ${found?.value}`,
            };
        }
        return "right";
      } catch (error) {
        if (error instanceof CastorError) return { refused: error.message };
        throw error;
      }
    },
  };
}

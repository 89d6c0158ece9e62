/**
 * Machines that pass configurations in which loops lose equations, with an event, an update, a sample, the start or the end of the run at, just
 * before or just after the singular point. On its branch each machine has one freedom θ, so its motion is known from an equation without loops:
 *
 *   J(θ) θ̈ + ½ J'(θ) θ̇² = -V'(θ) - k (θ - rest) - d θ̇ + torque
 */
import { CastorError } from "../../../src/errors.ts";
import { loadScenario } from "../../../src/scenario/load.ts";
import { runScenario, type ScenarioRun } from "../../../src/scenario/run.ts";
import { dop853 } from "../../../src/sim/integrators/dop853.ts";
import { uniform } from "../../fixtures/models/random-model.ts";
import type { AttackCase, Outcome } from "./case.ts";

type Random = () => number;

const between = (random: Random, least: number, most: number): number => least + (most - least) * random();
const logarithmic = (random: Random, least: number, most: number): number =>
  Math.exp(between(random, Math.log(least), Math.log(most)));
const chosen = <T>(random: Random, items: readonly T[]): T => items[Math.floor(items.length * random())]!;

/** A body of a planar machine: mass, inertia about the mass centre, and its pose as a function of θ. */
interface PlanarBody {
  readonly mass: number;
  readonly inertia: number;
  pose(theta: number): { readonly x: number; readonly y: number; readonly angle: number };
}

interface Machine {
  readonly name: string;
  readonly bodies: readonly object[];
  readonly loops: readonly object[];
  readonly parts: readonly PlanarBody[];
  /** Coordinates by hinge. The first is θ itself. */
  q(theta: number): Readonly<Record<string, number>>;
  /** A singular value of θ, and the distance to the next one. */
  readonly singular: number;
  readonly period: number;
}

const POINT = { kind: "general", freedoms: ["z", "rx", "ry", "rz"] } as const;
const CLOSINGS = [POINT, { kind: "revolute" }, { kind: "point-on-line", axis: "z" }] as const;

/** A slender or thick bar along x: description and planar part. */
function bar(random: Random, length: number) {
  const mass = logarithmic(random, 0.3, 30);
  const com = between(random, 0.2, 0.8) * length;
  const inertia = mass * length * length * between(random, 0.05, 0.2);
  return { mass, com, inertia, description: { mass, com: [com, 0, 0], inertia: [inertia, inertia, inertia] } };
}

/** Cranks of equal length on a line, joined by couplers that stay parallel to it: all loops are singular when the cranks lie on the line. */
function parallelogram(random: Random): Machine {
  const crank = logarithmic(random, 0.2, 5);
  const spacing = logarithmic(random, 0.2, 5);
  const count = chosen(random, [1, 1, 2, 3]);
  const closing = chosen(random, CLOSINGS);
  const cranks = Array.from({ length: count + 1 }, () => bar(random, crank));
  const couplers = Array.from({ length: count }, () => bar(random, spacing));
  const turns = chosen(random, [0, 1, -1]);
  return {
    name: `parallelogram with ${count} couplers, crank ${crank} m, spacing ${spacing} m, closed by ${closing.kind}`,
    bodies: [
      ...cranks.map(({ description }, i) => ({
        name: `crank${i}`,
        ...description,
        hinge: { kind: "revolute", at: [i * spacing, 0, 0] },
      })),
      ...couplers.map(({ description }, i) => ({
        name: `coupler${i}`,
        parent: `crank${i}`,
        ...description,
        hinge: { kind: "revolute", at: [crank, 0, 0] },
      })),
    ],
    loops: couplers.map((_, i) => ({
      name: `pin${i}`,
      ...closing,
      from: { body: `coupler${i}`, at: [spacing, 0, 0] },
      to: { body: `crank${i + 1}`, at: [crank, 0, 0] },
    })),
    parts: [
      ...cranks.map(({ mass, inertia, com }, i) => ({
        mass,
        inertia,
        pose: (a: number) => ({ x: i * spacing + com * Math.cos(a), y: com * Math.sin(a), angle: a }),
      })),
      ...couplers.map(({ mass, inertia, com }, i) => ({
        mass,
        inertia,
        pose: (a: number) => ({ x: i * spacing + crank * Math.cos(a) + com, y: crank * Math.sin(a), angle: 0 }),
      })),
    ],
    q: (a) =>
      Object.fromEntries([...cranks.map((_, i) => [`crank${i}`, a]), ...couplers.map((_, i) => [`coupler${i}`, -a])]) as Record<
        string,
        number
      >,
    singular: turns * Math.PI,
    period: Math.PI,
  };
}

/** Crank and rod of equal length: with the crank across the slide the slider is at the axis of the crank, and could stay there. */
function sliderCrank(random: Random): Machine {
  const length = logarithmic(random, 0.2, 5);
  const [crank, rod] = [bar(random, length), bar(random, length)];
  const slider = logarithmic(random, 0.3, 30);
  return {
    name: `slider-crank with crank and rod of ${length} m`,
    bodies: [
      { name: "crank", ...crank.description, hinge: { kind: "revolute" } },
      { name: "rod", parent: "crank", ...rod.description, hinge: { kind: "revolute", at: [length, 0, 0] } },
      { name: "slider", mass: slider, inertia: [0.1, 0.1, 0.1], hinge: { kind: "prismatic", axis: "x" } },
    ],
    loops: [{ name: "pin", ...POINT, from: { body: "rod", at: [length, 0, 0] }, to: { body: "slider" } }],
    parts: [
      { ...crank, pose: (a) => ({ x: crank.com * Math.cos(a), y: crank.com * Math.sin(a), angle: a }) },
      { ...rod, pose: (a) => ({ x: (length + rod.com) * Math.cos(a), y: (length - rod.com) * Math.sin(a), angle: -a }) },
      { mass: slider, inertia: 0, pose: (a) => ({ x: 2 * length * Math.cos(a), y: 0, angle: 0 }) },
    ],
    q: (a) => ({ crank: a, rod: -2 * a, slider: 2 * length * Math.cos(a) }),
    singular: chosen(random, [0.5, -0.5]) * Math.PI,
    period: Math.PI,
  };
}

/** A kite: the crank is as long as the ground link, and the coupler as the rocker. With the crank on the ground link both coincide. */
function kite(random: Random): Machine {
  const a = logarithmic(random, 0.2, 2);
  const b = a * between(random, 1.1, 2.5);
  const [crank, coupler, rocker] = [bar(random, a), bar(random, b), bar(random, b)];
  const tip = (angle: number) => {
    const half = angle / 2;
    const r = a * Math.cos(half) + Math.sqrt(b * b - (a * Math.sin(half)) ** 2);
    return { x: r * Math.cos(half), y: r * Math.sin(half) };
  };
  const rockerAngle = (angle: number): number => Math.atan2(tip(angle).y, tip(angle).x - a);
  const couplerAngle = (angle: number): number =>
    Math.atan2(tip(angle).y - a * Math.sin(angle), tip(angle).x - a * Math.cos(angle));
  return {
    name: `kite with links of ${a} m and ${b} m`,
    bodies: [
      { name: "crank", ...crank.description, hinge: { kind: "revolute" } },
      { name: "coupler", parent: "crank", ...coupler.description, hinge: { kind: "revolute", at: [a, 0, 0] } },
      { name: "rocker", ...rocker.description, hinge: { kind: "revolute", at: [a, 0, 0] } },
    ],
    loops: [
      {
        name: "pin",
        ...chosen(random, CLOSINGS),
        from: { body: "coupler", at: [b, 0, 0] },
        to: { body: "rocker", at: [b, 0, 0] },
      },
    ],
    parts: [
      { ...crank, pose: (t) => ({ x: crank.com * Math.cos(t), y: crank.com * Math.sin(t), angle: t }) },
      {
        ...coupler,
        pose: (t) => {
          const angle = couplerAngle(t);
          return {
            x: a * Math.cos(t) + coupler.com * Math.cos(angle),
            y: a * Math.sin(t) + coupler.com * Math.sin(angle),
            angle,
          };
        },
      },
      {
        ...rocker,
        pose: (t) => {
          const angle = rockerAngle(t);
          return { x: a + rocker.com * Math.cos(angle), y: rocker.com * Math.sin(angle), angle };
        },
      },
    ],
    q: (t) => ({ crank: t, coupler: couplerAngle(t) - t, rocker: rockerAngle(t) }),
    singular: 0,
    period: 2 * Math.PI,
  };
}

/** Derivatives by central differences of order 8. */
const FIRST = [4 / 5, -1 / 5, 4 / 105, -1 / 280] as const;
const SECOND = [8 / 5, -1 / 5, 8 / 315, -1 / 560] as const;
const H = 0.01;
const derivative = (f: (x: number) => number, x: number): number =>
  FIRST.reduce((sum, c, k) => sum + c * (f(x + (k + 1) * H) - f(x - (k + 1) * H)), 0) / H;
const secondDerivative = (f: (x: number) => number, x: number): number =>
  SECOND.reduce((sum, c, k) => sum + c * (f(x + (k + 1) * H) + f(x - (k + 1) * H)), (-205 / 72) * f(x)) / (H * H);

interface Loads {
  readonly gravity: readonly [number, number, number];
  readonly stiffness: number;
  readonly damping: number;
  readonly rest: number;
  /** Torque on the crank before and after a time. */
  readonly torque: { readonly before: number; readonly after: number; readonly at: number };
}

/** θ̈ on the branch. */
function acceleration({ parts }: Machine, loads: Loads, theta: number, rate: number, torque: number): number {
  let [J, force] = [0, torque - loads.stiffness * (theta - loads.rest) - loads.damping * rate];
  for (const { mass, inertia, pose } of parts)
    for (const [key, weight, g] of [
      ["x", mass, loads.gravity[0]],
      ["y", mass, loads.gravity[1]],
      ["angle", inertia, 0],
    ] as const) {
      const value = (a: number): number => pose(a)[key];
      const slope = derivative(value, theta);
      J += weight * slope * slope;
      force += weight * (g * slope - slope * secondDerivative(value, theta) * rate * rate);
    }
  return force / J;
}

/** A passage: its time and θ̇ there. */
interface Crossing {
  readonly t: number;
  readonly rate: number;
}

/** The motion by the equation without loops: θ, θ̇ at the end, and all times at which θ passes the singular value. */
function truth(machine: Machine, loads: Loads, start: readonly [number, number], duration: number) {
  const crossings: Crossing[] = [];
  const y = Float64Array.from(start);
  const { torque } = loads;
  const distance = (theta: number): number => (theta - machine.singular) / machine.period;
  /** Number of singular values below θ; NaN where that is rounding. */
  const level = (theta: number): number =>
    Math.abs(distance(theta) - Math.round(distance(theta))) < 1e-12 ? Number.NaN : Math.floor(distance(theta));
  let last = level(start[0]);
  const spans = [
    [0, Math.min(torque.at, duration), torque.before],
    [torque.at, duration, torque.after],
  ] as const;
  for (const [from, to, value] of spans) {
    if (!(to > from)) continue;
    const stepper = dop853.start(
      {
        size: 2,
        derivative: (_, [theta, rate], ydot) => {
          ydot[0] = rate!;
          ydot[1] = acceleration(machine, loads, theta!, rate!, value);
        },
      },
      { relativeTolerance: 1e-12, absoluteTolerance: 1e-14, step: (to - from) / 100 }, // short enough to see both of two passages
    );
    stepper.restart(from, y);
    const at = new Float64Array(2);
    while (stepper.t < to) {
      stepper.step(to);
      const after = level(stepper.y[0]!);
      if (Number.isNaN(after) || after === last) continue;
      if (!Number.isNaN(last)) {
        let [a, b] = [stepper.previous, stepper.t];
        while (0.5 * (a + b) > a && 0.5 * (a + b) < b) {
          stepper.interpolate(0.5 * (a + b), at);
          if (Math.floor(distance(at[0]!)) === last) a = 0.5 * (a + b);
          else b = 0.5 * (a + b);
        }
        stepper.interpolate(b, at);
        crossings.push({ t: b, rate: at[1]! });
      }
      last = after;
    }
    y.set(stepper.y);
  }
  return { theta: y[0]!, rate: y[1]!, crossings };
}

const INTEGRATORS = ["rk4", "rkg", "gauss6", "dopri5", "dop853", "radau5", "dopri5-radau5"] as const;
const FORMULATIONS = ["articulated", "articulated", "kane", "matrix", "partition"] as const;
/** Distance in time from the singular point at which something happens, relative to the duration. */
const OFFSETS = [0, 0, 0, 1e-13, -1e-13, 1e-10, -1e-10, 1e-8, -1e-8, 1e-6, -1e-6, 1e-4, -1e-4, 0.01, -0.01] as const;
const MANNERS = ["end", "event", "repeated event", "update", "torque", "sample", "start"] as const;

/** Draws a passage. */
export default function singularEvent(seed: number): AttackCase {
  const random = uniform(seed ^ 0x51c6);
  const machine = chosen(random, [parallelogram, parallelogram, sliderCrank, kite])(random);
  const direction = chosen(random, [1, -1]);
  const distance = logarithmic(random, 0.003, 0.3);
  const time = logarithmic(random, 0.03, 100);
  const hasSpring = random() < 0.5;
  const start: readonly [number, number] = [machine.singular - direction * distance, (direction * distance) / time];
  const J = machine.parts.reduce((sum, { mass, inertia }) => sum + inertia + mass * 0.5, 0);
  const frequency = 1 / time;
  const g = random() < 0.5 ? (distance / time ** 2) * between(random, 0.02, 0.3) : 0;
  const tilt = between(random, 0, 2 * Math.PI);
  const loads: Loads = {
    gravity: [g * Math.cos(tilt), g * Math.sin(tilt), random() < 0.5 ? 0 : g],
    stiffness: hasSpring ? J * (2 * frequency) ** 2 : 0,
    damping: hasSpring && random() < 0.7 ? J * frequency * between(random, 0.1, 1) : 0,
    rest: machine.singular,
    torque: { before: 0, after: 0, at: 0 },
  };
  const first = truth(machine, loads, start, 6 * time).crossings[0]?.t;
  const manner = chosen(random, MANNERS);
  const offset = chosen(random, OFFSETS);
  const integrator = chosen(random, INTEGRATORS);
  const formulation = chosen(random, FORMULATIONS);
  const place = first === undefined ? time : Math.max(1e-3 * time, first + offset * 6 * time);
  const duration = manner === "end" ? place : (first ?? time) * between(random, 1.5, 4);
  const changed =
    manner === "torque"
      ? { before: 0, after: J * distance * frequency ** 2 * between(random, -0.3, 0.3), at: place }
      : loads.torque;
  return {
    description: `${machine.name}; ${start[1]} rad/s from ${distance} rad; ${manner} ${offset} beside the passage; ${integrator}, ${formulation}`,
    async run() {
      const isStart = manner === "start";
      const from = isStart ? ([machine.singular + (direction * offset) / 10, start[1]] as const) : start;
      const all = { ...loads, torque: changed };
      const expected = truth(machine, all, from, duration);
      const q = (theta: number) => machine.q(theta);
      const scenario = {
        castor: 1,
        name: "passage",
        model: { name: "machine", gravity: loads.gravity, bodies: machine.bodies, loops: machine.loops },
        state: {
          q: q(from[0]),
          u: Object.fromEntries(
            Object.keys(q(0)).map((hinge) => [hinge, from[1] * derivative((theta) => q(theta)[hinge]!, from[0])]),
          ),
        },
        forces: {
          spring: {
            kind: "hinge-spring",
            hinge: Object.keys(q(0))[0],
            stiffness: loads.stiffness,
            damping: loads.damping,
            rest: loads.rest,
          },
          motor: { kind: "actuator", hinge: Object.keys(q(0))[0] },
        },
        formulation,
        integrator: settingsOf(integrator, duration),
        duration,
        sample: manner === "sample" ? place / Math.ceil(place / (duration / 40)) : duration / 50,
        channels: ["q.*", "u.*"],
        audit: { energy: 1e-4, loopClosure: 1e-9, loopSpeed: 1e-6 },
        events: eventsOf(manner, machine, place, changed.after, Object.keys(q(0))[0]!),
      };
      try {
        return judge(await runScenario(loadScenario(JSON.stringify(scenario))), machine, expected, {
          manner,
          from,
          duration,
          distance,
        });
      } catch (error) {
        if (error instanceof CastorError) return { refused: error.message };
        throw error;
      }
    },
  };
}

const settingsOf = (name: string, duration: number): object =>
  ["rk4", "rkg", "gauss6"].includes(name)
    ? { name, step: duration / (name === "gauss6" ? 200 : 1500) }
    : { name, relativeTolerance: 1e-9, absoluteTolerance: 1e-11 };

function eventsOf(manner: (typeof MANNERS)[number], machine: Machine, place: number, torque: number, crank: string): object {
  switch (manner) {
    case "event":
      return { seen: { when: `q.${crank} > ${machine.singular}` }, back: { when: `q.${crank} < ${machine.singular}` } };
    case "repeated event":
      return {
        seen: { when: `q.${crank} > ${machine.singular}`, repeat: true },
        back: { when: `q.${crank} < ${machine.singular}`, repeat: true },
      };
    case "update":
      return { seen: { at: place, set: { "motor.torque": 0 } } };
    case "torque":
      return { seen: { at: place, set: { "motor.torque": torque } } };
    default:
      return {};
  }
}

interface Attack {
  readonly manner: (typeof MANNERS)[number];
  readonly from: readonly [number, number];
  readonly duration: number;
  readonly distance: number;
}

/** Largest error of θ relative to the distance of the start, and of times relative to the duration. */
const ANGLE_ERROR = 1e-5;
const TIME_ERROR = 1e-5;
/** Speed at a passage, relative to the start, below which the machine rests. */
const AT_REST = 1e-3;
const PASSED = "singular position of the loops passed";

function judge(
  { run, failure }: ScenarioRun,
  machine: Machine,
  expected: ReturnType<typeof truth>,
  { manner, from, duration, distance }: Attack,
): Outcome {
  if (failure) return { refused: failure.message };
  const crank = Object.keys(machine.q(0))[0]!;
  const coordinates = machine.q(expected.theta);
  for (const [i, { name: hinge }] of (machine.bodies as { name: string }[]).entries()) {
    const value = coordinates[hinge]!;
    const error = Math.abs(run.q[i]! - value);
    if (!(error <= ANGLE_ERROR * Math.max(distance, Math.abs(expected.theta - machine.singular), 0.01)))
      return { wrong: `${hinge} is ${run.q[i]}, not ${value}, at ${run.t} s` };
  }
  if (!(Math.abs(run.t - duration) <= 1e-12 * duration)) return { wrong: `ends at ${run.t} s, not at ${duration} s` };
  const passed = run.events.filter(({ name }) => name === PASSED).map(({ t }) => t);
  // A passage at the very start or end of the run may or may not be within it.
  const isInside = (t: number): boolean => t > 1e-3 * duration && t < (1 - 1e-3) * duration;
  // A machine that has come to rest at the singular point moves there by rounding only: such passages need not be reported.
  const isMotion = ({ rate }: Crossing): boolean => Math.abs(rate) > AT_REST * Math.abs(from[1]);
  const inside = expected.crossings.filter(({ t }) => isInside(t));
  const firstAtRest = inside.findIndex((crossing) => !isMotion(crossing));
  const moving = firstAtRest < 0 ? inside : inside.slice(0, firstAtRest);
  const endsAtRest = inside.length === 0 && Math.abs(expected.theta - machine.singular) < AT_REST * distance;
  const settled = firstAtRest < 0 && !endsAtRest ? Number.POSITIVE_INFINITY : (moving.at(-1)?.t ?? 0) + TIME_ERROR * duration;
  const isCounted = (t: number): boolean => isInside(t) && t <= settled;
  const [reported, known] = [passed.filter(isCounted), inside.map(({ t }) => t).filter(isCounted)];
  if (reported.length !== known.length) return { wrong: `passages at ${reported.join(", ")} s, not at ${known.join(", ")} s` };
  for (const [i, t] of known.entries())
    if (!(Math.abs(reported[i]! - t) <= TIME_ERROR * duration)) return { wrong: `passage at ${reported[i]} s, not at ${t} s` };
  if (manner === "event" || manner === "repeated event") {
    // Two opposite conditions without a gap may alternate within rounding.
    const seen = run.timeline.map(({ t }) => t).filter((t, i, all) => isCounted(t) && !(t - all[i - 1]! < TIME_ERROR * duration));
    const wanted = manner === "event" ? known.slice(0, 1) : known;
    if (seen.length !== wanted.length)
      return { wrong: `${crank} passes at ${wanted.join(", ")} s, but events are at ${seen.join(", ")} s` };
    for (const [i, t] of wanted.entries())
      if (!(Math.abs(seen[i]! - t) <= TIME_ERROR * duration)) return { wrong: `event at ${seen[i]} s, not at ${t} s` };
  }
  return "right";
}

export const shortCases = 12;

/** A link with delays and losses: a delayed loop against its recurrence and its limit of stability, and the times of messages. */
import { createModel } from "../../model/build/create-model.ts";
import { createController } from "../../parts/control/controllers.ts";
import type { LinkDescription } from "../../parts/control/link/with-link.ts";
import { createForce } from "../../parts/force/forces.ts";
import { runScenario } from "../../scenario/run.ts";
import { createSystem } from "../../sim/create-system.ts";
import { simulate } from "../../sim/run/simulate.ts";
import { valuesAt } from "../samples.ts";
import { change, type LoadBuiltIn, type Validation, type ValidationTable } from "../validation.ts";

/** Mass, kg; time between messages, s; updates that telemetry and commands take. */
const [MASS, PERIOD, TELEMETRY, COMMANDS] = [2, 0.1, 3, 2];
const LATENCY = TELEMETRY + COMMANDS;

/** A mass on a rail, braked over a link with the force -gain u: its speeds at the updates, from 1 m/s on. */
function brakedMass(gain: number, updates: number, link: LinkDescription = {}): { speeds: Float64Array; lost: number } {
  const model = createModel({
    name: "mass on a rail",
    bodies: [{ name: "mass", mass: MASS, inertia: [1, 1, 1], hinge: { kind: "prismatic", axis: "x" } }],
  });
  const system = createSystem(model, [createForce(model, { kind: "actuator", name: "motor", hinge: "mass" })]);
  const control = createController(model, {
    ...{ kind: "hinge-pd", name: "brake", period: PERIOD },
    hinges: [{ hinge: "mass", actuator: "motor", kp: 0, kd: gain, reference: 0 }],
    link: { telemetryDelay: TELEMETRY * PERIOD, commandDelay: COMMANDS * PERIOD, ...link },
  });
  const { log } = simulate(system, system.start({ u: [1] }), {
    ...{ duration: updates * PERIOD, sample: PERIOD, controllers: [control] },
    channels: ["u.mass", "brake.telemetry-lost"],
  });
  return { speeds: log.column("u.mass"), lost: log.column("brake.telemetry-lost").at(-1)! };
}

/** u(k + 1) = u(k) - a u(k - n), with a = gain h / m and no force before the first command. */
function recurrence(a: number, updates: number): number[] {
  const u = [1];
  for (let k = 0; k < updates; k++) u.push(u[k]! - a * (u[k - LATENCY] ?? 0));
  return u;
}

/** The loop is stable below this a; there it swings with a period of 2 (2 n + 1) updates (Levin and May 1976). */
const LIMIT = 2 * Math.cos((LATENCY * Math.PI) / (2 * LATENCY + 1));
const SWING = 2 * (2 * LATENCY + 1);

function loopTable(): ValidationTable {
  const gainOf = (a: number): number => (a * MASS) / PERIOD;
  const speeds = (a: number, updates: number): Float64Array => brakedMass(gainOf(a), updates).speeds;
  const atLimit = speeds(LIMIT, 600);
  const [loss, messages] = [0.1, 4000];
  const { lost } = brakedMass(0.01, messages - 1, { loss, seed: 5 });
  const chosen = (u: ArrayLike<number>): number[] => [5, 6, 7, 20, 60].map((k) => u[k]!);
  const aroundSwing = (begin: number): number[] => [0, 4, 8].map((i) => atLimit[begin + i]!);
  const isGrowing = (share: number): number => (swingGrows(speeds(share * LIMIT, 600)) ? 1 : 0);
  const sigma = Math.sqrt(messages * loss * (1 - loss)); // of a binomial distribution
  return {
    title: "A mass on a rail, braked over a link with a delay of five updates",
    origin: "closed form",
    rows: [
      {
        ...{ quantity: "speeds after 5, 6, 7, 20 and 60 updates", unit: "m/s", tolerance: 1e-12 },
        expected: chosen(recurrence(0.2, 60)),
        ours: chosen(speeds(0.2, 60)),
      },
      {
        ...{ quantity: "gain at the limit of stability: speeds a period of 22 updates later", unit: "m/s", tolerance: 1e-9 },
        expected: aroundSwing(500),
        ours: aroundSwing(500 + SWING),
      },
      {
        ...{ quantity: "gain 1 % lower, 1 % higher: 1 if the swing grows", unit: "", tolerance: 0 },
        expected: [0, 1],
        ours: [0.99, 1.01].map(isGrowing),
      },
      {
        ...{ quantity: "telemetry lost of 4000 messages at 10 %, within 4 standard deviations", unit: "", tolerance: 4 * sigma },
        expected: [loss * messages],
        ours: [lost],
      },
    ],
  };
}

/** True if the swing grows from the middle to the end. */
function swingGrows(speeds: Float64Array): boolean {
  const largest = (from: number): number =>
    speeds.subarray(from, from + SWING).reduce((most, u) => Math.max(most, Math.abs(u)), 0);
  return largest(speeds.length - SWING) > largest(speeds.length >> 1);
}

/** Delays each way, s. */
const DELAYS = [2, 20] as const;

/** Messages of the operator: the first commands arrive after telemetry and command, and then every one is as old as its delay. */
async function messageTable(load: LoadBuiltIn): Promise<ValidationTable> {
  const link = { commandDelay: 20, telemetryDelay: 5, period: 1 };
  const changes = [
    change("controllers.operator.link", link),
    ...[change("duration", 40), change("sample", 0.05), change("channels", ["operator.*"]), change("plots", [])],
  ];
  const { log } = (await runScenario(load("rover-delayed-operator", changes))).run;
  // Just after the updates at 4.9 s, 5 s, ...: a controller is recorded with the result of its update before.
  const updates = [4.9, 5, 5.9, 6, 24.9, 25, 25.9, 26];
  const values = (channel: string): number[] => updates.map((t) => valuesAt(log, t + 0.05, [channel])[0]!);
  const rows = [
    [`age of the telemetry after ${updates.join(", ")} s`, "s", [4.9, 5, 5.9, 5, 5.9, 5, 5.9, 5], "telemetry-age"],
    ["age of the commands then", "s", [4.9, 5, 5.9, 6, 24.9, 20, 20.9, 20], "command-age"],
    ["commands under way then", "", [0, 1, 1, 2, 20, 20, 20, 20], "commands-under-way"],
    ["1 if the rover drives", "", [0, 0, 0, 0, 0, 1, 1, 1], "rover"],
  ] as const;
  return {
    title: "Operator, telemetry 5 s, commands 20 s, one message per second",
    origin: "closed form",
    rows: rows.map(([quantity, unit, expected, channel]) => ({
      ...{ quantity, unit, expected, ours: values(`operator.${channel}`), tolerance: 1e-9 },
    })),
  };
}

/** A guide on board needs the order to set off only: three delays in all. */
async function guideTable(load: LoadBuiltIn): Promise<ValidationTable> {
  const duration = async (delay: number): Promise<number> => {
    const changes = [
      change("controllers.guide.link", { commandDelay: delay, telemetryDelay: delay }),
      ...[change("controllers.guide.begin", 0), change("sample", 1), change("channels", ["q.*"]), change("plots", [])],
    ];
    return (await runScenario(load("rover-traverse", changes))).run.t;
  };
  const without = await duration(0);
  return {
    title: "Guide on board, delays of 2 and 20 s each way, against the run without delay",
    origin: "closed form",
    rows: [
      {
        ...{ quantity: "time more: telemetry, order and news of the arrival", unit: "s", tolerance: 1e-9 },
        expected: DELAYS.map((delay) => 3 * delay),
        ours: [(await duration(DELAYS[0])) - without, (await duration(DELAYS[1])) - without],
      },
    ],
  };
}

export const roverLink: Validation = {
  name: "rover-delayed-operator",
  title: "A link between ground station and rover: delays, losses, stability",
  source:
    "recurrence and limit of stability of a delayed loop (Levin and May 1976), arrival times of messages, binomial distribution",
  scenario: "rover-delayed-operator",
  tables: async (load) => [loopTable(), await messageTable(load), await guideTable(load)],
};

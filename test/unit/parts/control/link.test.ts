/** A link between a controller and the vehicle: delays and losses against exact recurrences. */
import { describe, expect, it } from "vitest";
import { createModel } from "../../../../src/model/build/create-model.ts";
import { readController } from "../../../../src/parts/control/controllers.ts";
import { isMessageLost } from "../../../../src/parts/control/link/message-line.ts";
import type { Snapshot } from "../../../../src/sim/system/force-element.ts";

const WHEEL = createModel({
  name: "wheel",
  gravity: [0, 0, 0],
  bodies: [{ name: "wheel", mass: 1, inertia: [1, 1, 1], hinge: { kind: "revolute", axis: "z" } }],
});
const PERIOD = 0.1;
const [KP, KD] = [3, 2];

const linked = (link: object) =>
  readController(
    "hinge-pd",
    "pd",
    { period: PERIOD, hinges: [{ hinge: "wheel", actuator: "m", kp: KP, kd: KD, reference: 0 }], link },
    WHEEL,
  );

/** Torques of a law for given states, and its reports. */
function torquesOf(link: object, states: readonly (readonly [number, number])[]) {
  const controller = linked(link);
  const at = (k: number): Snapshot => ({
    ...{ model: WHEEL, t: k * PERIOD, z: new Float64Array(0), frames: new Float64Array(0) },
    ...{ q: Float64Array.of(states[k]![0]), u: Float64Array.of(states[k]![1]) },
  });
  let memory = controller.start(WHEEL, at(0));
  const command = new Float64Array(1);
  const report = new Float64Array(controller.channels!.length);
  return states.map((_, k) => {
    memory = controller.update(at(k), memory, command);
    controller.report!(memory, report);
    const value = (name: string): number => report[controller.channels!.findIndex((channel) => channel.name === name)]!;
    const [underWay, commandsLost, telemetryLost] = ["commands-under-way", "commands-lost", "telemetry-lost"].map(value);
    return {
      torque: command[0]!,
      observed: value("telemetry-age"),
      ordered: value("command-age"),
      underWay,
      commandsLost,
      telemetryLost,
    };
  });
}

const STATES = Array.from({ length: 400 }, (_, k) => [Math.sin(0.3 * k), Math.cos(0.7 * k)] as const);
const law = ([q, u]: readonly [number, number]): number => -KP * q - KD * u;

describe("a link", () => {
  it("shows the law states of the past, and applies its commands later", () => {
    const rows = torquesOf({ commandDelay: 0.3, telemetryDelay: 0.5 }, STATES);
    for (const [k, row] of rows.entries()) {
      expect(row.torque).toBeCloseTo(k < 8 ? 0 : law(STATES[k - 8]!), 13);
      expect(row.observed).toBeCloseTo(PERIOD * Math.min(k, 5), 12);
      expect(row.ordered).toBeCloseTo(PERIOD * (k < 8 ? k : 3), 12);
      expect(row.underWay).toBe(Math.max(0, Math.min(3, k - 4)));
    }
  });

  it("without delay and losses changes nothing, and rounds delays up to whole updates", () => {
    for (const [k, { torque }] of torquesOf({}, STATES).entries()) expect(torque).toBeCloseTo(law(STATES[k]!), 13);
    const rows = torquesOf({ commandDelay: 0.101 }, STATES);
    for (let k = 2; k < STATES.length; k++) expect(rows[k]!.torque).toBeCloseTo(law(STATES[k - 2]!), 13);
  });

  it("loses the share of messages, the same ones in every run, and keeps the last command", () => {
    const link = { commandDelay: 0.2, telemetryDelay: 0.1, loss: 0.25, seed: 7 };
    const rows = torquesOf(link, STATES);
    expect(torquesOf(link, STATES)).toEqual(rows);
    expect(torquesOf({ ...link, seed: 8 }, STATES)).not.toEqual(rows);
    const sent = new Map<number, number>();
    let [torque, seen, started] = [0, [0, 0] as readonly [number, number], false];
    let [commandsLost, telemetryLost] = [0, 0];
    for (let k = 0; k < STATES.length; k++) {
      if (isMessageLost(k, 1, 7, 0.25)) telemetryLost++;
      if (k >= 1 && !isMessageLost(k - 1, 1, 7, 0.25)) [seen, started] = [STATES[k - 1]!, true];
      if (started && isMessageLost(k, 0, 7, 0.25)) commandsLost++;
      else if (started) sent.set(k, law(seen));
      torque = sent.get(k - 2) ?? torque;
      expect(rows[k]!.torque).toBeCloseTo(torque, 13);
      expect([rows[k]!.commandsLost, rows[k]!.telemetryLost]).toEqual([commandsLost, telemetryLost]);
    }
    const count = (direction: number, seed: number): number =>
      Array.from({ length: 10000 }, (_, k) => isMessageLost(k, direction, seed, 0.25)).filter(Boolean).length;
    const sigma = Math.sqrt(10000 * 0.25 * 0.75); // of a binomial distribution
    for (const direction of [0, 1])
      for (const seed of [0, 1, 2, 3]) expect(Math.abs(count(direction, seed) - 2500)).toBeLessThan(4 * sigma);
  });

  it("stops the vehicle after a silence, and if all messages are lost", () => {
    for (const { torque } of torquesOf({ loss: 1 }, STATES)) expect(torque).toBe(0);
    const rows = torquesOf({ loss: 0.6, seed: 3, timeout: 0.2 }, STATES);
    const silent = rows.filter(({ ordered }) => ordered > 0.25);
    expect(silent.length).toBeGreaterThan(20);
    for (const { torque } of silent) expect(torque).toBe(0);
    for (const { torque, ordered } of rows.slice(20)) if (ordered < 0.25) expect(torque).not.toBe(0);
  });

  it("refuses invalid settings together with those of the controller", () => {
    expect(() => linked({ loss: 2, dealy: 1 })).toThrow(/dealy[\s\S]*loss/);
    expect(() => linked({ period: 0.2 })).toThrow(/pd\.link\.period.*must be the period of the controller, 0\.1 s/);
    expect(() => linked({ commandDelay: 1e5 })).toThrow(/pd\.link\.commandDelay/);
    expect(() => readController("hinge-pd", "pd", { period: -1, link: { seed: 0.5 } }, WHEEL)).toThrow(
      /pd\.period[\s\S]*pd\.link\.seed/,
    );
  });
});

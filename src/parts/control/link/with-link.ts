/**
 * A controller at a ground station. Telemetry and commands take time, and some messages are lost. Everything under way is in the memory of
 * the controller, so a saved run continues with it.
 */
import type { Parameter, Parameters, ParameterValues } from "../../../declare/parameters.ts";
import type { Model } from "../../../model/model.ts";
import { checkSavedInteger, savedEntries, takeFiniteSaved } from "../../../saved-data.ts";
import type { Controller } from "../../../sim/run/controller.ts";
import type { NoteProblem } from "../../../sim/system/create-checked.ts";
import type { Snapshot } from "../../../sim/system/force-element.ts";
import { isMessageLost, MessageLine, type MessageLineMemory, messagesUnderWay } from "./message-line.ts";
import { type AnyHalves, halvesOf, isSplit } from "./split-controller.ts";
import { TelemetryFormat } from "./telemetry.ts";

const DELAY = { type: "number", unit: "s", least: 0, most: 1e6, default: 0 } as const;

export const LINK = {
  commandDelay: { ...DELAY, about: "Time that a command takes to the vehicle; rounded up to whole updates of the controller." },
  telemetryDelay: { ...DELAY, about: "Time that telemetry takes to the station; rounded up to whole updates of the controller." },
  loss: { type: "number", unit: "", least: 0, most: 1, default: 0, about: "Probability that a message is lost, each way." },
  seed: {
    type: "number",
    unit: "",
    whole: true,
    least: 0,
    most: 0xffffffff,
    default: 0,
    about: "Seed of the losses. Each loss follows from the seed and the number of the message.",
  },
  period: {
    type: "number",
    unit: "s",
    above: 0,
    optional: true,
    about:
      "Time between messages, each way; the period of the controller if not given. A continuous law needs it. For the kinds `guide` and " +
      "`operator` it is a multiple of their period.",
  },
  timeout: {
    type: "number",
    unit: "s",
    above: 0,
    optional: true,
    about:
      "Time without a command after which the vehicle stops: its commands are zero until the next one arrives, and the rover of `operator` " +
      "stands. Never if not given. A `guide` goes on.",
  },
} as const satisfies Parameters;

/** The parameter `link`, which controllers of every kind have. */
export const LINK_PARAMETER = {
  type: "object",
  id: "link",
  optional: true,
  of: LINK,
  about:
    "A link between the vehicle and a ground station, at which the law is then. The law sees the state of the vehicle when the telemetry was " +
    "sent, and its commands arrive later. To a rover with a `guide` only the order to set off is sent, to one with an `operator` way points; " +
    "the rest of these laws is on board. Adds the channels `telemetry-age` and `command-age` (time since the newest message received was sent), " +
    "`commands-under-way`, `commands-lost` and `telemetry-lost`.",
} as const satisfies Parameter;

/** A link as a program describes it; the parameters are those of `LINK`. Times in s. */
export interface LinkDescription {
  readonly commandDelay?: number;
  readonly telemetryDelay?: number;
  readonly loss?: number;
  readonly seed?: number;
  readonly period?: number;
  readonly timeout?: number;
}

export type LinkSettings = ParameterValues<typeof LINK>;

/** Largest number of updates that a message takes. */
const MOST_LATENCY = 1e5;
/** Numbers of periods are whole within this share. */
const WHOLE = 1e-9;
const [UP, DOWN] = [0, 1] as const;

const LINK_CHANNELS = [
  { name: "telemetry-age", unit: "s" },
  { name: "command-age", unit: "s" },
  { name: "commands-under-way", unit: "" },
  { name: "commands-lost", unit: "" },
  { name: "telemetry-lost", unit: "" },
] as const;

/** The part of the memory that is numbers. */
interface LinkNumbers {
  /** Number of the next update, counted from t = 0. */
  update: number;
  /** Update at which the newest telemetry at the station was sent; that of the start if there is none. */
  observedAt: number;
  /** Update at which the newest message at the vehicle was sent; that of the start if there is none. */
  orderedAt: number;
  /** True if the vehicle has received a message. */
  isOrdered: boolean;
  /** The newest telemetry at the station; see `TelemetryFormat`. */
  readonly telemetry: Float64Array;
  /** The newest message at the vehicle. */
  readonly message: Float64Array;
}

interface LinkMemory extends LinkNumbers {
  readonly down: MessageLineMemory;
  readonly up: MessageLineMemory;
  /** The newest telemetry as the station sees it: views of `telemetry`. */
  readonly seen: Snapshot;
  /** Memory of the law at the station; undefined until there is telemetry. */
  station: { law: unknown } | undefined;
  vehicle: unknown;
}

/** The controller with this link between its halves. */
export function withLink(
  controller: Controller,
  settings: LinkSettings,
  model: Model,
  note: NoteProblem,
): Controller<LinkMemory> {
  const { period, every } = messageTimes(controller, settings.period, note);
  const latency = (key: "commandDelay" | "telemetryDelay"): number => {
    const updates = Math.ceil((settings[key] / period) * (1 - WHOLE));
    if (updates <= MOST_LATENCY) return updates;
    note(
      key,
      `is more than ${MOST_LATENCY} updates of the controller, ${period} s each`,
      "Shorten it, or make the period longer",
    );
    return 0;
  };
  const latencies = { up: latency("commandDelay"), down: latency("telemetryDelay") };
  const { loss, seed, timeout = Number.POSITIVE_INFINITY } = settings;
  const { name, commands, between, frames, measures } = controller;
  return linkedController(
    { name, commands, period, ...(between && { between }), ...(frames && { frames }), ...(measures && { measures }) },
    { every, latencies, loss, seed, timeout },
    halvesOf(controller),
    model,
  );
}

type ControllerFacts = Pick<Controller, "name" | "period" | "between" | "frames" | "measures" | "commands">;

/** A law in two halves without a link: both are on board. */
export const withoutLink = (facts: ControllerFacts, halves: AnyHalves, model: Model): Controller<LinkMemory> => {
  const link = { every: 1, latencies: { up: 0, down: 0 }, loss: 0, seed: 0, timeout: Number.POSITIVE_INFINITY };
  return linkedController(facts, link, halves, model, []);
};

/** Period of the updates, and updates from one message to the next. */
function messageTimes(controller: Controller, period: number | undefined, note: NoteProblem): { period: number; every: number } {
  const own = controller.period;
  if (own === 0) {
    if (period === undefined) note("period", "is missing: a continuous law has no period", "Give the time between messages");
    return { period: period ?? 1, every: 1 };
  }
  const every = Math.round((period ?? own) / own);
  const isMultiple = every >= 1 && Math.abs((period ?? own) / own - every) <= WHOLE * every;
  if (isMultiple && (every === 1 || isSplit(controller))) return { period: own, every };
  if (isSplit(controller)) note("period", `must be a multiple of the period of the controller, ${own} s`);
  else note("period", `must be the period of the controller, ${own} s`, "Leave it out, or change the period of the controller");
  return { period: own, every: 1 };
}

interface LinkOptions {
  /** Updates from one message to the next. */
  readonly every: number;
  readonly latencies: { readonly up: number; readonly down: number };
  readonly loss: number;
  readonly seed: number;
  readonly timeout: number;
}

function linkedController(
  facts: ControllerFacts,
  { every, latencies, loss, seed, timeout }: LinkOptions,
  { station, vehicle }: AnyHalves,
  model: Model,
  linkChannels: typeof LINK_CHANNELS | readonly [] = LINK_CHANNELS,
): Controller<LinkMemory> {
  const { name, period } = facts;
  const [ofStation, ofVehicle] = [station.channels?.length ?? 0, vehicle.channels?.length ?? 0];
  const silentAfter = latencies.up + (timeout / period) * (1 + WHOLE);
  const format = new TelemetryFormat(model, facts.frames?.length ?? 0, facts.measures?.length ?? 0);
  const report = new Float64Array(format.size); // scratch
  const order = new Float64Array(station.messageSize); // scratch
  const lossesOf = (direction: number) => (k: number) => isMessageLost(k, direction, seed, loss);
  const downLine = new MessageLine(report.length, latencies.down, lossesOf(DOWN));
  const upLine = new MessageLine(order.length, latencies.up, lossesOf(UP));

  const newNumbers = (): LinkNumbers => ({
    ...{ update: 0, observedAt: 0, orderedAt: 0, isOrdered: false },
    telemetry: new Float64Array(report.length),
    message: new Float64Array(order.length),
  });
  const memoryOf = (numbers: LinkNumbers, down: MessageLineMemory, up: MessageLineMemory, onBoard: unknown): LinkMemory => ({
    ...{ ...numbers, down, up, seen: format.stateIn(numbers.telemetry), station: undefined, vehicle: onBoard },
  });
  const endOnBoard = ({ vehicle: onBoard }: LinkMemory): string | undefined => vehicle.finished?.(onBoard);

  return {
    ...facts,
    channels: [...(station.channels ?? []), ...(vehicle.channels ?? []), ...linkChannels],
    start(_model, s) {
      const memory = memoryOf(newNumbers(), downLine.start(), upLine.start(), vehicle.start(model, s));
      memory.update = memory.observedAt = memory.orderedAt = Math.max(0, Math.ceil((s.t / period) * (1 - WHOLE)));
      return memory;
    },
    update(s, memory, command) {
      const { update: k, seen, message } = memory;
      const isMessageTime = k % every === 0;
      if (isMessageTime) {
        format.write(s, endOnBoard(memory) !== undefined, report);
        downLine.send(memory.down, k, report);
      }
      if (downLine.receive(memory.down, k, memory.telemetry)) {
        memory.observedAt = k - latencies.down;
        memory.station ??= { law: station.start(model, seen) };
      }
      if (isMessageTime && memory.station) {
        memory.station.law = station.update(seen, memory.station.law, order);
        upLine.send(memory.up, k, order);
      }
      if (upLine.receive(memory.up, k, message)) {
        memory.orderedAt = k - latencies.up;
        memory.isOrdered = true;
      }
      const isHeard = memory.isOrdered && k - memory.orderedAt <= silentAfter;
      memory.vehicle = vehicle.update(s, isHeard ? message : undefined, memory.vehicle, command);
      memory.update = k + 1;
      return memory;
    },
    finished(memory) {
      const end = memory.station && station.finished?.(memory.station.law);
      return end ?? (format.hasEnded(memory.telemetry) ? endOnBoard(memory) : undefined);
    },
    intent: (memory) => (memory.station && station.intent?.(memory.station.law)) ?? vehicle.intent?.(memory.vehicle),
    report(memory, out) {
      const ofLaw = ofStation + ofVehicle;
      if (memory.station) station.report?.(memory.station.law, out.subarray(0, ofStation));
      else out.fill(0, 0, ofStation);
      vehicle.report?.(memory.vehicle, out.subarray(ofStation, ofLaw));
      if (linkChannels.length > 0) reportLink(memory, period, out.subarray(ofLaw));
    },
    encode: ({ seen: _, station: ground, vehicle: onBoard, ...rest }) => ({
      ...structuredClone(rest),
      station: ground ? { law: station.encode(ground.law) } : null,
      vehicle: vehicle.encode(onBoard),
    }),
    decode(data) {
      const numbers = newNumbers();
      const { down, up, station: ground, vehicle: onBoard } = takeNumbers(numbers, data, name);
      const lines = [downLine.decode(down, `${name}.down`), upLine.decode(up, `${name}.up`)] as const;
      const memory = memoryOf(numbers, ...lines, vehicle.decode(onBoard, model));
      if (ground !== null) memory.station = { law: station.decode(savedEntries(ground, ["law"], `${name}.station`).law, model) };
      return memory;
    },
  };
}

function reportLink(memory: LinkMemory, period: number, out: Float64Array): void {
  const { observedAt, orderedAt, up, down } = memory;
  const now = Math.max(memory.update - 1, observedAt, orderedAt); // before the first update nothing is old
  out[0] = (now - observedAt) * period;
  out[1] = (now - orderedAt) * period;
  out[2] = messagesUnderWay(up);
  out[3] = up.lost;
  out[4] = down.lost;
}

/** Takes the numbers of saved data, and returns the rest of it. @throws FormatError if the numbers are not those of a link */
function takeNumbers(numbers: LinkNumbers, data: unknown, name: string) {
  const keys = [...(Object.keys(numbers) as (keyof LinkNumbers)[]), "down", "up", "station", "vehicle"] as const;
  const { down, up, station, vehicle, ...rest } = savedEntries(data, keys, name);
  takeFiniteSaved(numbers, rest, name);
  checkSavedInteger(numbers.update, 0, Number.MAX_SAFE_INTEGER, `${name}.update`);
  for (const key of ["observedAt", "orderedAt"] as const) checkSavedInteger(numbers[key], 0, numbers.update, `${name}.${key}`);
  return { down, up, station, vehicle };
}

/** Controllers in two halves: a law at a ground station and a law on the vehicle. */
import type { Channel } from "../../../log/log.ts";
import type { Model } from "../../../model/model.ts";
import { refuseSaved } from "../../../saved-data.ts";
import { type Controller, decodeMemory, encodeMemory, type Intent } from "../../../sim/run/controller.ts";
import type { Snapshot } from "../../../sim/system/force-element.ts";

/** What one half keeps, reports and saves, as for a `Controller`. */
interface HalfLaw<Memory> {
  readonly channels?: readonly Channel[];
  report?(memory: Memory, out: Float64Array): void;
  finished?(memory: Memory): string | undefined;
  intent?(memory: Memory): Intent | undefined;
  encode(memory: Memory): unknown;
  /** @throws FormatError if the data are not those of this law */
  decode(data: unknown, model: Model): Memory;
}

/** The half at the ground station. It sees the vehicle by telemetry only: `seen` is the state when the newest telemetry was sent. */
export interface StationLaw<Memory> extends HalfLaw<Memory> {
  /** Number of entries of a message to the vehicle. */
  readonly messageSize: number;
  /** Memory at the time of the first telemetry. */
  start(model: Model, seen: Snapshot): Memory;
  /** Writes the message to the vehicle. */
  update(seen: Snapshot, memory: Memory, message: Float64Array): Memory;
}

/** The half on the vehicle. Its reason to end the run counts when the station knows of it. */
export interface VehicleLaw<Memory> extends HalfLaw<Memory> {
  start(model: Model, s: Snapshot): Memory;
  /** Writes every command. `message` is the newest one received; undefined before the first one and while the link is silent for too long. */
  update(s: Snapshot, message: Float64Array | undefined, memory: Memory, command: Float64Array): Memory;
}

export interface Halves<Station, Vehicle> {
  readonly station: StationLaw<Station>;
  readonly vehicle: VehicleLaw<Vehicle>;
}

/** Halves for a link, which passes their memories through without looking at them. */
// biome-ignore lint/suspicious/noExplicitAny: their types differ from law to law
export type AnyHalves = Halves<any, any>;

/** A controller that knows which part of it is on board. */
export interface SplitController<Memory = unknown> extends Controller<Memory> {
  readonly halves: AnyHalves;
}

export const isSplit = (controller: Controller): controller is SplitController => "halves" in controller;

/** The halves of a controller. One that is not split is at the station, and its commands are the messages. */
export const halvesOf = (controller: Controller): AnyHalves =>
  isSplit(controller) ? controller.halves : lawAtStation(controller);

/** Saving of a half that remembers nothing. */
export const NO_MEMORY = {
  encode: () => null,
  decode(data: unknown): null {
    if (data !== null) refuseSaved("link", "a law without memory must have saved null", data);
    return null;
  },
} as const;

/** The vehicle applies the newest commands; they are zero before the first and while the link is silent for too long. */
const lawAtStation = (controller: Controller): Halves<unknown, null> => ({
  station: {
    messageSize: controller.commands.length,
    channels: controller.channels ?? [],
    start: (model, seen) => controller.start(model, seen),
    update: (seen, memory, message) => controller.update(seen, memory, message),
    report: (memory, out) => controller.report?.(memory, out),
    finished: (memory) => controller.finished?.(memory),
    intent: (memory) => controller.intent?.(memory),
    encode: (memory) => encodeMemory(controller, memory),
    decode: (data, model) => decodeMemory(controller, data, model),
  },
  vehicle: {
    start: () => null,
    update(_s, message, memory, command) {
      if (message === undefined) command.fill(0);
      else command.set(message);
      return memory;
    },
    ...NO_MEMORY,
  },
});

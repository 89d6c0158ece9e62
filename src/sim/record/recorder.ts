/** Records a run: channels selected by name, evaluated at samples. */

import { ModelError } from "../../errors.ts";
import { type Channel, type GrowingLog, Recording } from "../../log/log.ts";
import { type DiscreteState, DiscreteStateHistory } from "../events/discrete-state.ts";
import { DISSIPATED, type Layout, LEDGER, SUPPLIED } from "../system/layout.ts";
import type { Observation } from "../system/observer.ts";
import type { System } from "../system/system.ts";
import {
  type ChannelSource,
  type ControllerChannels,
  channelSources,
  isKeptForReplay,
  NO_CONTROLLERS,
  sampleNeeds,
  type ValueLocation,
} from "./channel-source.ts";

const NOT_UNIQUE = "not unique: equations of this loop depend on others; the smallest loads that make the motion";

/** Channels that are recorded if none are chosen. */
export const DEFAULT_CHANNELS: readonly string[] = ["q.*", "u.*", "energy.*", "momentum.*"];

export interface RecorderOptions {
  /** Channels to record; * stands for any part of a name. */
  readonly channels?: readonly string[];
  /** Also records everything that the other channels can be computed from afterwards: see replay.ts. */
  readonly replayable?: boolean;
}

export class Recorder {
  readonly #system: System;
  readonly #recording: Recording;
  readonly #read: (values: Float64Array) => void;
  readonly #sample: Float64Array;
  readonly #see: (t: number, y: Float64Array, seen: Observation, balance: number) => void;
  readonly #phases: DiscreteStateHistory | undefined;

  /**
   * @param y0 start of the run; decides which loop loads are unique
   * @param expected approximate number of samples
   */
  constructor(
    system: System,
    { channels = DEFAULT_CHANNELS, replayable = false }: RecorderOptions = {},
    controllers: ControllerChannels = NO_CONTROLLERS,
    y0?: Float64Array,
    expected?: number,
  ) {
    this.#system = system;
    const { readings, see } = channelSources(system.layout, system.channels, controllers);
    const chosen = new Set(selectChannels(readings, channels, system.model.name));
    const all = readings.filter((reading) => chosen.has(reading) || (replayable && isKeptForReplay(reading, system.layout)));
    const wanted = markNotUnique(all, system, y0);
    this.#read = sampleReader(wanted);
    const needs = sampleNeeds(wanted);
    this.#see = (t, y, seen, balance) => see(system, t, y, seen, balance, needs);
    this.#recording = new Recording(
      wanted.map(({ name, unit, about }) => (about === undefined ? { name, unit } : { name, unit, about })),
      expected,
    );
    this.#sample = new Float64Array(wanted.length);
    this.#phases = replayable ? new DiscreteStateHistory(system) : undefined;
  }

  get log(): GrowingLog {
    return this.#recording;
  }

  /** Discrete states in order; the list grows. Empty if the run is not replayable. */
  get phases(): readonly DiscreteState[] {
    return this.#phases?.states ?? [];
  }

  record(t: number, y: Float64Array, seen: Observation, balance: number): void {
    const { inputLaw: law } = this.#system;
    this.#system.inputLaw = undefined; // the law set the inputs when the sample was observed: all values read here use the same inputs
    this.#phases?.recordSample(this.#recording.length, t, y);
    this.#see(t, y, seen, balance);
    this.#read(this.#sample);
    this.#recording.add(this.#sample);
    this.#system.inputLaw = law;
  }
}

/** All channels of a system with this layout and the given channels of elements and controllers. */
export const allChannels = (layout: Layout, ofElements: readonly Channel[], ofControllers: readonly Channel[] = []): Channel[] =>
  channelSources(layout, ofElements, { ...NO_CONTROLLERS, channels: ofControllers }).readings.map(({ name, unit, about }) =>
    about === undefined ? { name, unit } : { name, unit, about },
  );

/** Reads some channels at any state, outside of samples, for user-defined events. The result is valid until the next call. */
export function channelReader(system: System, names: readonly string[]): (t: number, y: Float64Array) => Float64Array {
  const { readings, see } = channelSources(system.layout, system.channels);
  const found = new Map(selectChannels(readings, names, system.model.name).map((reading) => [reading.name, reading]));
  const wanted = names.map((name) => found.get(name)!);
  const values = new Float64Array(wanted.length);
  const readAll = sampleReader(wanted);
  const needs = sampleNeeds(wanted);
  const ledger = system.layout.ny - LEDGER;
  return (t, y) => {
    const seen = system.observe(t, y);
    see(system, t, y, seen, seen.kinetic + seen.potential + y[ledger + DISSIPATED]! - y[ledger + SUPPLIED]!, needs);
    readAll(values);
    return values;
  };
}

/**
 * Reads several channels in their order. Values that lie in an array are copied, neighbours together: one call per value would cost more
 * than everything else.
 */
function sampleReader(readings: readonly ChannelSource[]): (values: Float64Array) => void {
  const stretches: { readonly from: ValueLocation["in"]; readonly to: number; readonly at: number; count: number }[] = [];
  for (const [to, { place }] of readings.entries()) {
    const last = stretches.at(-1);
    if (place && last?.from === place.in && last.to + last.count === to && last.at + last.count === place.at) last.count++;
    else if (place) stretches.push({ from: place.in, to, at: place.at, count: 1 });
  }
  const computed = readings.map((reading, to) => ({ reading, to })).filter(({ reading }) => !reading.place);
  return (values) => {
    for (let s = 0; s < stretches.length; s++) {
      const { from, to, at, count } = stretches[s]!;
      const given = from.values;
      for (let k = 0; k < count; k++) values[to + k] = given[at + k]!;
    }
    for (let c = 0; c < computed.length; c++) values[computed[c]!.to] = computed[c]!.reading.read();
  };
}

/** Adds a remark to the load channels of loops that have redundant equations. */
function markNotUnique(wanted: readonly ChannelSource[], system: System, y0: Float64Array | undefined): readonly ChannelSource[] {
  if (!y0 || !system.closed || !wanted.some((r) => r.needs === "loads")) return wanted;
  const { closed, layout } = system;
  const loops = closed.rankReport(0, y0.slice(0, layout.nq)).redundant.map((row) => `loop.${closed.labels[row]!.loop}.`);
  return wanted.map((reading) =>
    reading.needs === "loads" && loops.some((loop) => reading.name.startsWith(loop))
      ? { ...reading, about: NOT_UNIQUE }
      : reading,
  );
}

/** The channel t, then the channels that match the patterns, in the order of the system. @throws ModelError if a pattern matches none. */
function selectChannels(readings: readonly ChannelSource[], patterns: readonly string[], source: string): ChannelSource[] {
  const known = new Set(readings.map((r) => r.name));
  const plain = new Set(patterns.filter((p) => known.has(p)));
  const others = patterns.filter((p) => !plain.has(p)).map((pattern) => ({ pattern, fits: channelPattern(pattern) }));
  const unknown = others.filter(({ fits }) => !readings.some((r) => fits(r.name)));
  if (unknown.length > 0)
    throw new ModelError(
      source,
      unknown.map(({ pattern }) => ({
        path: `channels[${patterns.indexOf(pattern)}]`,
        message: `no channel matches "${pattern}"`,
        advice: `There are: ${summariseNames(readings)}`,
      })),
    );
  return readings.filter((r) => r.name === "t" || plain.has(r.name) || others.some(({ fits }) => fits(r.name)));
}

const summariseNames = (readings: readonly ChannelSource[]): string => {
  const names = readings.map((r) => r.name);
  return names.length > 30 ? `${names.slice(0, 30).join(", ")}, ... (${names.length} in all)` : names.join(", ");
};

/** Predicate for names that match a pattern in which * stands for any text. */
export function channelPattern(pattern: string): (name: string) => boolean {
  const parts = pattern.split("*");
  if (parts.length === 1) return (name) => name === pattern;
  const [first, last, between] = [parts[0]!, parts.at(-1)!, parts.slice(1, -1)];
  return (name) => {
    if (!name.startsWith(first)) return false;
    let at = first.length;
    for (const part of between) {
      const found = name.indexOf(part, at);
      if (found < 0) return false;
      at = found + part.length;
    }
    return name.length - at >= last.length && name.endsWith(last);
  };
}

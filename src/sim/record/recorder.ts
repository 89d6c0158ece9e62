/** Records a run: channels selected by name, evaluated at samples. */

import { AuditError, ModelError } from "../../errors.ts";
import { lazy } from "../../kernel/run/lazy.ts";
import { type Channel, type GrowingLog, Recording } from "../../log/log.ts";
import type { RowColumns } from "../run/fixed-steps/fixed-steps.ts";
import { DISSIPATED, type Layout, LEDGER, SUPPLIED } from "../system/layout.ts";
import type { Observation } from "../system/observer.ts";
import type { LoopChannels, Workspace } from "../system/workspace.ts";
import { channelSources } from "./channel-list.ts";
import { channelPattern } from "./channel-pattern.ts";
import type { ChannelReader, ChannelReaders } from "./channel-reader.ts";
import type { ChannelSource, ControllerChannels, ValueArray } from "./channel-source.ts";
import { isKeptForReplay, NO_CONTROLLERS, sampleNeeds } from "./channel-source.ts";
import { loopChannels } from "./loop-channels.ts";
import { type Phase, PhaseHistory } from "./phases.ts";
import type { SampleValues } from "./sample-values.ts";

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
  readonly #workspace: Workspace;
  readonly #recorded: readonly ChannelSource[];
  readonly #values: SampleValues;
  readonly #recording: Recording;
  readonly #read: (values: Float64Array) => void;
  readonly #sample: Float64Array;
  readonly #take: (t: number, y: Float64Array, observation: Observation, balance: number) => void;
  readonly #phases: PhaseHistory | undefined;

  /**
   * @param y0 start of the run; decides which loop loads are unique
   * @param expected approximate number of samples
   */
  constructor(
    workspace: Workspace,
    { channels = DEFAULT_CHANNELS, replayable = false }: RecorderOptions = {},
    controllers: ControllerChannels = NO_CONTROLLERS,
    y0?: Float64Array,
    expected?: number,
  ) {
    this.#workspace = workspace;
    const { sources, sample } = workspaceChannels(workspace, controllers);
    const chosen = new Set(selectChannels(sources, channels, workspace.model.name));
    const kept = sources.filter((source) => chosen.has(source) || (replayable && isKeptForReplay(source, workspace.layout)));
    const recorded = markNotUnique(kept, workspace, y0);
    this.#read = sampleReader(recorded);
    this.#recorded = recorded;
    this.#values = sample;
    const needs = sampleNeeds(recorded);
    this.#take = (t, y, observation, balance) => sample.take(workspace, t, y, observation, balance, needs);
    this.#recording = new Recording(recorded.map(plainChannel), expected);
    this.#sample = new Float64Array(recorded.length);
    this.#phases = replayable ? new PhaseHistory(workspace) : undefined;
  }

  get log(): GrowingLog {
    return this.#recording;
  }

  /** Phases in order; the list grows. Empty if the run is not replayable. */
  get phases(): readonly Phase[] {
    return this.#phases?.phases ?? [];
  }

  record(t: number, y: Float64Array, observation: Observation, balance: number): void {
    const { inputLaw: law } = this.#workspace;
    this.#workspace.inputLaw = undefined; // the law set the inputs when the sample was observed: all values read here use the same inputs
    this.#phases?.recordSample(this.#recording.length, t, y);
    this.#take(t, y, observation, balance);
    this.#read(this.#sample);
    this.#workspace.inputLaw = law;
    const sample = this.#sample;
    let zero = 0;
    for (let i = 0; i < sample.length; i++) zero += 0 * sample[i]!; // NaN unless all are finite
    if (zero !== 0) throw this.#notFinite(t);
    this.#recording.add(sample);
  }

  /**
   * A function that records a row of a block of samples, from its first number. Undefined if a channel needs more than the row contains, or
   * if the run is replayable.
   */
  rowRecorder({ single, ...arrays }: RowColumns, rows: Float64Array): ((t: number, first: number) => void) | undefined {
    if (this.#phases) return undefined;
    const values = this.#values;
    const singles = [single.t, single.kinetic, single.potential, single.balance]; // in the order of sample-values.ts
    const columnOf = ({ location }: ChannelSource): number => {
      if (!location) return Number.NaN;
      if (location.array === values.single) return singles[location.index]!;
      for (const [name, first] of Object.entries(arrays))
        if (location.array === values[name as keyof typeof arrays]) return first + location.index;
      return Number.NaN;
    };
    const numbers = this.#recorded.map(columnOf);
    if (numbers.some(Number.isNaN)) return undefined;
    const columns = Int32Array.from(numbers);
    const sample = this.#sample;
    const recording = this.#recording;
    const { buffer } = recording;
    return (t, first) => {
      const to = recording.bufferStart;
      let zero = 0;
      for (let i = 0; i < columns.length; i++) {
        const value = rows[first + columns[i]!]!;
        buffer[to + i] = value;
        zero += 0 * value; // NaN unless all are finite
      }
      if (zero !== 0) {
        for (let i = 0; i < columns.length; i++) sample[i] = buffer[to + i]!;
        throw this.#notFinite(t);
      }
      recording.addBuffered();
    };
  }

  #notFinite(t: number): AuditError {
    const i = this.#sample.findIndex((value) => !Number.isFinite(value));
    const { name } = this.#recording.channels[i]!;
    const element = this.#workspace.layout.elements.find((e) => name.startsWith(`${e.name}.`));
    const owner = element ? ` of the force element "${element.name}"` : "";
    return new AuditError(
      `channel "${name}"${owner} is ${this.#sample[i]} at t = ${t} s, although the state is finite. Look at what computes it, or do not record it`,
    );
  }
}

/** All channels of a system with this layout and the given channels of elements and controllers. */
export const allChannels = (layout: Layout, ofElements: readonly Channel[], ofControllers: readonly Channel[] = []): Channel[] =>
  channelSources(layout, ofElements, { ...NO_CONTROLLERS, channels: ofControllers }, loopChannels(layout)).sources.map(
    plainChannel,
  );

export const plainChannel = ({ name, unit, about }: Channel): Channel =>
  about === undefined ? { name, unit } : { name, unit, about };

/**
 * Reads some channels at any state, outside of samples: for events, and for the caller's own control loop. Channels are in the order of the
 * names; a pattern stands for all channels that match it.
 */
export const channelReader = (
  workspace: Workspace,
  names: readonly string[],
  controllers: ControllerChannels = NO_CONTROLLERS,
): ChannelReader => channelReaders(workspace, controllers).read(names);

export function channelReaders(workspace: Workspace, controllers: ControllerChannels = NO_CONTROLLERS): ChannelReaders {
  const known = lazy(() => workspaceChannels(workspace, controllers));
  const select = (names: readonly string[]): ChannelSource[] => sourcesOf(known().sources, names, workspace);
  return {
    select,
    read(names) {
      const chosen = select(names);
      if (chosen.every(({ dependsOn }) => dependsOn === "state")) return stateReader(workspace, chosen, known().sample);
      // What a sample computes is fixed, so the reader has its own one.
      const { sources, sample } = workspaceChannels(workspace, controllers);
      return motionReader(workspace, sourcesOf(sources, names, workspace), sample);
    },
  };
}

function sourcesOf(sources: readonly ChannelSource[], names: readonly string[], { model }: Workspace): ChannelSource[] {
  const selected = selectChannels(sources, names, model.name);
  return names.flatMap((name) => {
    const exact = selected.find((source) => source.name === name);
    return exact ? [exact] : selected.filter((source) => channelPattern(name)(source.name));
  });
}

function stateReader(workspace: Workspace, chosen: readonly ChannelSource[], sample: SampleValues): ChannelReader {
  const components = chosen.map(({ location }) => (location?.array === sample.state ? location.index : -1));
  return readerOf(chosen, components, (t, y) => {
    workspace.inputLaw?.(t, y);
    sample.takeState(t, y, workspace.held);
  });
}

function motionReader(workspace: Workspace, chosen: readonly ChannelSource[], sample: SampleValues): ChannelReader {
  const needs = sampleNeeds(chosen);
  const ledger = workspace.layout.ny - LEDGER;
  return readerOf(chosen, undefined, (t, y) => {
    const observation = workspace.observe(t, y);
    const energy = observation.kinetic + observation.potential;
    sample.take(workspace, t, y, observation, energy + y[ledger + DISSIPATED]! - y[ledger + SUPPLIED]!, needs);
  });
}

function readerOf(
  chosen: readonly ChannelSource[],
  components: readonly number[] | undefined,
  take: (t: number, y: Float64Array) => void,
): ChannelReader {
  const values = new Float64Array(chosen.length);
  const readAll = sampleReader(chosen);
  return {
    size: chosen.length,
    channels: chosen.map(plainChannel),
    isState: components !== undefined,
    components: Int32Array.from(components ?? chosen.map(() => -1)),
    read(t, y, out = values) {
      take(t, y);
      readAll(out);
      return out;
    },
  };
}

/** All channels of a workspace, and the sample that they are read from. */
function workspaceChannels({ layout, channels, methods }: Workspace, controllers: ControllerChannels) {
  return channelSources(layout, channels, controllers, methods.loops?.channels(layout) ?? NO_LOOP_CHANNELS);
}
const NO_LOOP_CHANNELS: LoopChannels = { channels: [], see: () => {} };

/**
 * Reads several channels in their order. Values that lie in an array are copied, neighbours together: one call per value would cost more
 * than everything else.
 */
function sampleReader(sources: readonly ChannelSource[]): (values: Float64Array) => void {
  const copies: { readonly array: ValueArray; readonly from: number; readonly to: number; count: number }[] = [];
  for (const [to, { location }] of sources.entries()) {
    if (!location) continue;
    const { array, index } = location;
    const last = copies.at(-1);
    if (last?.array === array && last.to + last.count === to && last.from + last.count === index) last.count++;
    else copies.push({ array, from: index, to, count: 1 });
  }
  const computed = sources.map((source, to) => ({ source, to })).filter(({ source }) => !source.location);
  return (values) => {
    for (let c = 0; c < copies.length; c++) {
      const { array, from, to, count } = copies[c]!;
      const given = array.values;
      for (let k = 0; k < count; k++) values[to + k] = given[from + k]!;
    }
    for (let c = 0; c < computed.length; c++) values[computed[c]!.to] = computed[c]!.source.read();
  };
}

/** Adds a remark to the load channels of loops that have redundant equations. */
function markNotUnique(
  sources: readonly ChannelSource[],
  workspace: Workspace,
  y0: Float64Array | undefined,
): readonly ChannelSource[] {
  if (!y0 || !workspace.closed || !sources.some(({ needs }) => needs === "loads")) return sources;
  const { closed, layout } = workspace;
  const loops = closed.rankReport(0, y0.slice(0, layout.nq)).redundant.map((row) => `loop.${closed.labels[row]!.loop}.`);
  return sources.map((source) =>
    source.needs === "loads" && loops.some((loop) => source.name.startsWith(loop)) ? { ...source, about: NOT_UNIQUE } : source,
  );
}

/** The channel t, then the channels that match the patterns, in the order of the system. @throws ModelError if a pattern matches none. */
function selectChannels(sources: readonly ChannelSource[], patterns: readonly string[], modelName: string): ChannelSource[] {
  const known = new Set(sources.map((r) => r.name));
  const exact = new Set(patterns.filter((p) => known.has(p)));
  const others = patterns.filter((p) => !exact.has(p)).map((pattern) => ({ pattern, matches: channelPattern(pattern) }));
  const unknown = others.filter(({ matches }) => !sources.some((r) => matches(r.name)));
  if (unknown.length > 0)
    throw new ModelError(
      modelName,
      unknown.map(({ pattern }) => ({
        path: `channels[${patterns.indexOf(pattern)}]`,
        message: `no channel matches "${pattern}"`,
        advice: `There are: ${summariseNames(sources)}`,
      })),
    );
  return sources.filter((r) => r.name === "t" || exact.has(r.name) || others.some(({ matches }) => matches(r.name)));
}

const summariseNames = (sources: readonly ChannelSource[]): string => {
  const names = sources.map((r) => r.name);
  return names.length > 30 ? `${names.slice(0, 30).join(", ")}, ... (${names.length} in all)` : names.join(", ");
};

/**
 * Peaks of a run: largest and smallest values and integrals of channels, found on the continuous motion and not on samples. Every step is followed to its end,
 * or to the event that ends it, and the next one starts with the values after the jump, so both sides of jumps count.
 */
import type { Channel } from "../../log/log.ts";
import { refuseSaved, savedEntries, takeSaved } from "../../saved-data.ts";
import type { Stepper } from "../integrators/integrator.ts";
import type { Workspace } from "../system/workspace.ts";
import type { ControllerChannels } from "./channel-source.ts";
import { MeanSearch } from "./mean-search.ts";
import { type FollowedExtreme, PeakSearch } from "./peak-search.ts";
import { type ChannelReader, channelReader } from "./recorder.ts";
import { StepReader } from "./step-reader.ts";
import { TotalSearch } from "./total-search.ts";

/** Channels whose peaks are followed. */
export interface PeakOptions {
  /** Names of channels; * stands for any part of a name. */
  readonly channels: readonly string[];
  /** "most": largest values. "least": smallest values. "total": integrals over time. Default: largest and smallest values. */
  readonly bound?: Peak["bound"];
  /** If given, the mean over this time before each instant is followed, s. Before the start of the run values are zero. */
  readonly mean?: number;
  /** If given, not the channels themselves are followed, but this function of their values. */
  readonly of?: DerivedQuantity;
}

/** A quantity that is computed from channels. */
export interface DerivedQuantity extends Channel {
  /** @param values those of the channels, in the order of their names */
  value(values: Float64Array): number;
}

/** The largest or smallest value of a channel in a run, or its integral. */
export interface Peak {
  readonly channel: string;
  readonly unit: string;
  /** "total": `value` is the integral of the channel over the run, and `unit` the unit of the channel. */
  readonly bound: "most" | "least" | "total";
  /** Time of the mean, s; undefined if the value itself is followed. */
  readonly mean?: number;
  /** NaN before the first step. */
  readonly value: number;
  /** Time of the peak, s; for a mean the end of its window. */
  readonly at: number;
}

/** Order of an integrator up to which its steps are so short that three points show whether a channel changes within one. */
const LOW_ORDER = 5;

interface FollowedMean {
  readonly channel: number;
  readonly mean: number;
  readonly search: MeanSearch;
}

interface PeakEntry {
  readonly channel: Channel;
  readonly bound: Peak["bound"];
  readonly mean: number | undefined;
  value(): Pick<Peak, "value" | "at">;
}

/** Channels that are read together. Those of the state cost almost nothing, so they are not read with others. */
class PeakGroup {
  readonly channels: readonly Channel[];
  readonly #reader: StepReader;
  readonly #extremes: FollowedExtreme[] = [];
  readonly #means: FollowedMean[] = [];
  readonly #totals: { readonly channel: number; readonly search: TotalSearch }[] = [];
  readonly #search: PeakSearch;

  constructor(workspace: Workspace, reader: ChannelReader, order: number) {
    this.channels = reader.channels;
    this.#reader = new StepReader(workspace, reader);
    this.#search = new PeakSearch(this.#extremes, reader.size, (t) => this.#reader.read(t), order <= LOW_ORDER);
  }

  follow(channel: number, bound: Peak["bound"], mean: number | undefined): PeakEntry["value"] {
    if (bound === "total") {
      const search = new TotalSearch((t) => this.#reader.read(t)[channel]!);
      this.#totals.push({ channel, search });
      return () => search.total;
    }
    if (mean === undefined) {
      const extreme: FollowedExtreme = { channel, sign: bound === "most" ? 1 : -1, best: Number.NEGATIVE_INFINITY, at: 0 };
      this.#extremes.push(extreme);
      return () => ({ value: isFound(extreme) ? extreme.sign * extreme.best : Number.NaN, at: extreme.at });
    }
    let followed = this.#means.find((m) => m.channel === channel && m.mean === mean);
    if (!followed) {
      followed = { channel, mean, search: new MeanSearch(mean, (t) => this.#reader.read(t)[channel]!) };
      this.#means.push(followed);
    }
    const { extremes } = followed.search;
    return () =>
      bound === "most" ? { value: extremes.most, at: extremes.mostAt } : { value: extremes.least, at: extremes.leastAt };
  }

  jump(): void {
    this.#reader.forget();
  }

  scan(stepper: Stepper, end: number): void {
    this.#reader.begin(stepper);
    if (this.#extremes.length > 0) this.#search.scan(stepper.previous, end);
    for (const { search } of this.#means) search.scan(stepper.previous, end);
    for (const { search } of this.#totals) search.scan(stepper.previous, end);
    this.#reader.settleInputs(end);
  }

  save(t: number): unknown {
    return {
      extremes: this.#extremes.map((extreme) => ({ name: this.#nameOf(extreme), best: extreme.best, at: extreme.at })),
      means: this.#means.map((mean) => ({ name: this.#nameOf(mean), search: mean.search.save() })),
      totals: this.#totals.map(({ channel, search }) => ({ name: this.channels[channel]!.name, search: search.save() })),
      reader: this.#reader.save(t),
    };
  }

  restore(saved: unknown, t: number, where: string): void {
    const entries = savedEntries(saved, ["extremes", "means", "totals", "reader"], where);
    for (const { path, fields } of savedList(entries.extremes, ["name", "best", "at"], `${where}.extremes`)) {
      const extreme = this.#extremes.find((e) => this.#nameOf(e) === fields.name);
      if (extreme) takeSaved(extreme, { ...extreme, best: fields.best, at: fields.at }, path);
    }
    for (const { path, fields } of savedList(entries.means, ["name", "search"], `${where}.means`))
      this.#means.find((m) => this.#nameOf(m) === fields.name)?.search.restore(fields.search, `${path}.search`);
    for (const { path, fields } of savedList(entries.totals, ["name", "search"], `${where}.totals`))
      this.#totals
        .find(({ channel }) => this.channels[channel]!.name === fields.name)
        ?.search.restore(fields.search, `${path}.search`);
    this.#reader.restore(entries.reader, t, `${where}.reader`);
  }

  #nameOf(followed: FollowedExtreme | FollowedMean): string {
    const { name } = this.channels[followed.channel]!;
    if ("mean" in followed) return `${name}, mean of ${followed.mean} s`;
    return `${name}, ${followed.sign > 0 ? "most" : "least"}`;
  }
}

const isFound = ({ best }: FollowedExtreme): boolean => best !== Number.NEGATIVE_INFINITY;

export class Peaks {
  readonly #groups: readonly PeakGroup[];
  /** In the order of the options. */
  readonly #entries: PeakEntry[] = [];

  /** @param order that of the integrator */
  constructor(workspace: Workspace, options: readonly PeakOptions[], controllers: ControllerChannels, order: number) {
    const named = options.map(({ channels, of }) => (of ? [of] : channelReader(workspace, channels, controllers).channels));
    const names = [
      ...new Set(named.filter((_, i) => options[i]!.of === undefined).flatMap((own) => own.map(({ name }) => name))),
    ];
    const isState = (name: string): boolean => channelReader(workspace, [name], controllers).isState;
    const [ofState, others] = [names.filter(isState), names.filter((name) => !isState(name))];
    const readers = [ofState, others]
      .filter((group) => group.length > 0)
      .map((group) => channelReader(workspace, group, controllers));
    const derived = options.flatMap(({ channels, of }) =>
      of ? [derivedReader(channelReader(workspace, channels, controllers), of)] : [],
    );
    this.#groups = [...readers, ...derived].map((reader) => new PeakGroup(workspace, reader, order));
    for (const [i, { bound, mean }] of options.entries())
      for (const channel of named[i]!)
        for (const side of bound === undefined ? (["most", "least"] as const) : [bound]) this.#follow(channel, side, mean);
  }

  #follow(channel: Channel, bound: Peak["bound"], mean: number | undefined): void {
    if (this.#entries.some((e) => e.channel.name === channel.name && e.bound === bound && e.mean === mean)) return;
    const indexIn = (group: PeakGroup): number => group.channels.findIndex(({ name }) => name === channel.name);
    const group = this.#groups.find((g) => indexIn(g) >= 0)!;
    this.#entries.push({ channel, bound, mean, value: group.follow(indexIn(group), bound, mean) });
  }

  /** The peaks so far. */
  get all(): readonly Peak[] {
    return this.#entries.map(({ channel: { name, unit }, bound, mean, value }) => {
      return { channel: name, unit, bound, ...(mean !== undefined && { mean }), ...value() };
    });
  }

  /** Call where inputs or the state may have jumped. */
  jump(): void {
    for (const group of this.#groups) group.jump();
  }

  /** Follows the last step of the stepper up to a time. */
  scan(stepper: Stepper, end: number): void {
    if (end > stepper.previous) for (const group of this.#groups) group.scan(stepper, end);
  }

  /** @param t the present time */
  save(t: number): unknown {
    return this.#groups.map((group) => group.save(t));
  }

  /** Continues with saved peaks. Peaks that were not followed before the save start at it. @throws FormatError */
  restore(saved: unknown, t: number): void {
    if (!Array.isArray(saved)) throw refuseSaved("peaks", "must be a list", saved);
    for (const [i, group] of saved.entries()) for (const own of this.#groups) own.restore(group, t, `peaks[${i}]`);
  }
}

/** Reads a quantity that is computed from channels. */
function derivedReader(reader: ChannelReader, { value, ...channel }: DerivedQuantity): ChannelReader {
  const own = new Float64Array(1);
  return {
    size: 1,
    channels: [channel],
    isState: reader.isState,
    read(t, y, out = own) {
      out[0] = value(reader.read(t, y));
      return out;
    },
  };
}

/** Entries of a saved list, with their paths. @throws FormatError */
function savedList<const K extends string>(
  list: unknown,
  keys: readonly K[],
  where: string,
): readonly { readonly path: string; readonly fields: Readonly<Record<K, unknown>> }[] {
  if (!Array.isArray(list)) throw refuseSaved(where, "must be a list", list);
  return list.map((entry: unknown, i) => ({ path: `${where}[${i}]`, fields: savedEntries(entry, keys, `${where}[${i}]`) }));
}

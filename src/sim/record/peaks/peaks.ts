/**
 * Peaks of a run: largest and smallest values and integrals of channels, found on the continuous motion and not on samples. Every step is followed to its end,
 * or to the event that ends it, and the next one starts with the values after the jump, so both sides of jumps count.
 */
import { checkList, checkMembers, checkName, checkNames, checkOptions, checkPositive, checkText } from "../../../arguments.ts";
import type { Channel } from "../../../log/log.ts";
import { refuseSaved, savedEntries, takeSaved } from "../../../saved-data.ts";
import type { Stepper } from "../../integrators/integrator.ts";
import type { PeakMethod, Workspace } from "../../system/workspace.ts";
import type { ChannelReader, ChannelReaders } from "../channel-reader.ts";
import { plainChannel } from "../recorder.ts";
import { StepReader, StepStates } from "../step-reader.ts";
import { MeanSearch } from "./mean-search.ts";
import type { DerivedQuantity, FollowedPeaks, Peak, PeakOptions } from "./peak-options.ts";
import { type FollowedExtreme, PeakSearch, type Reach } from "./peak-search.ts";
import { TotalSearch } from "./total-search.ts";

/** @throws ArgumentError */
function checkPeaks(peaks: unknown): void {
  if (peaks === undefined) return;
  checkList("options.peaks", peaks, 'channels to follow, e.g. [{ channels: ["q.*"] }]');
  for (const [i, item] of peaks.entries()) {
    const path = `options.peaks[${i}]`;
    checkOptions(path, item, ["channels", "bound", "mean", "together", "of"]);
    const { channels, bound, mean, together, of } = item as Partial<PeakOptions>;
    checkNames(`${path}.channels`, channels, "names of channels");
    if (bound !== undefined) checkName(`${path}.bound`, bound, ["most", "least", "total"], "bound");
    if (of !== undefined) checkMembers(`${path}.of`, of, ["name", "unit", "value"], "an object with name, unit and value");
    if (mean !== undefined) checkPositive(`${path}.mean`, mean);
    if (together !== undefined) checkText(`${path}.together`, together, "a name");
  }
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
  readonly together: string | undefined;
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
  readonly #components: Int32Array;
  /** Largest rates of all components of y, and of the channels, in the last step. */
  readonly #rates: Float64Array;
  readonly #channelRates: Float64Array;

  constructor(workspace: Workspace, reader: ChannelReader, states: StepStates, order: number) {
    this.channels = reader.channels;
    this.#reader = new StepReader(workspace, reader, states);
    this.#components = reader.components;
    this.#rates = new Float64Array(workspace.layout.ny);
    this.#channelRates = new Float64Array(reader.size).fill(Number.NaN);
    this.#search = new PeakSearch(this.#extremes, reader.size, (t) => this.#reader.read(t), order <= LOW_ORDER);
  }

  /** @param reach of the extremes that matter together with this one */
  follow(channel: number, bound: Peak["bound"], mean: number | undefined, reach: Reach): PeakEntry["value"] {
    if (bound === "total") {
      const search = new TotalSearch((t) => this.#reader.read(t)[channel]!);
      this.#totals.push({ channel, search });
      return () => search.total;
    }
    if (mean === undefined) {
      const extreme: FollowedExtreme = {
        ...{ channel, sign: bound === "most" ? 1 : -1, best: Number.NEGATIVE_INFINITY, at: 0, reach },
      };
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

  /** From now on the extreme of a channel matters by itself. */
  separate(channel: number, bound: Peak["bound"]): void {
    const extreme = this.#extremes.find((e) => e.channel === channel && e.sign === (bound === "most" ? 1 : -1));
    if (extreme) extreme.reach = { best: extreme.best };
  }

  jump(): void {
    this.#reader.forget();
  }

  scan(stepper: Stepper, end: number): void {
    this.#reader.begin(stepper);
    if (this.#extremes.length > 0) this.#search.scan(stepper.previous, end, this.#ratesOf(stepper));
    for (const { search } of this.#means) search.scan(stepper.previous, end);
    for (const { search } of this.#totals) search.scan(stepper.previous, end);
    this.#reader.settleInputs(end);
  }

  /** Bounds of the rates of the channels in the last step; NaN for those that are not components of y. Undefined if there are none. */
  #ratesOf(stepper: Stepper): Float64Array | undefined {
    if (!stepper.largestRates || !this.#components.some((index) => index >= 0)) return undefined;
    stepper.largestRates(this.#rates);
    for (let c = 0; c < this.#components.length; c++)
      if (this.#components[c]! >= 0) this.#channelRates[c] = this.#rates[this.#components[c]!]!;
    return this.#channelRates;
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
      if (extreme) extreme.reach.best = Math.max(extreme.reach.best, extreme.best);
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

class Peaks implements FollowedPeaks {
  readonly #states: StepStates;
  readonly #groups: readonly PeakGroup[];
  /** In the order of the options. */
  readonly #entries: PeakEntry[] = [];

  /** @param order that of the integrator */
  constructor(workspace: Workspace, options: readonly PeakOptions[], { select, read }: ChannelReaders, order: number) {
    const named = options.map(({ channels, of }) => (of ? [of] : select(channels).map(plainChannel)));
    const direct = options.flatMap(({ channels, of }) => (of ? [] : select(channels)));
    const names = (isState: boolean): string[] => [
      ...new Set(direct.filter(({ dependsOn }) => (dependsOn === "state") === isState).map(({ name }) => name)),
    ];
    const readers = [names(true), names(false)].filter((group) => group.length > 0).map(read);
    const derived = options.flatMap(({ channels, of }) => (of ? [derivedReader(read(channels), of)] : []));
    this.#states = new StepStates(workspace);
    this.#groups = [...readers, ...derived].map((reader) => new PeakGroup(workspace, reader, this.#states, order));
    const reaches = new Map<string, Reach>();
    for (const [i, { bound, mean, together }] of options.entries())
      for (const channel of named[i]!)
        for (const side of bound === undefined ? (["most", "least"] as const) : [bound])
          this.#follow(channel, side, mean, together, reaches);
  }

  #follow(
    channel: Channel,
    bound: Peak["bound"],
    mean: number | undefined,
    together: string | undefined,
    reaches: Map<string, Reach>,
  ): void {
    const indexIn = (group: PeakGroup): number => group.channels.findIndex(({ name }) => name === channel.name);
    const group = this.#groups.find((g) => indexIn(g) >= 0)!;
    const known = this.#entries.find((e) => e.channel.name === channel.name && e.bound === bound && e.mean === mean);
    if (known) {
      if (known.together !== together) group.separate(indexIn(group), bound);
      return;
    }
    const reach = (together === undefined ? undefined : reaches.get(together)) ?? { best: Number.NEGATIVE_INFINITY };
    if (together !== undefined) reaches.set(together, reach);
    this.#entries.push({ channel, bound, mean, together, value: group.follow(indexIn(group), bound, mean, reach) });
  }

  get all(): readonly Peak[] {
    return this.#entries.map(({ channel: { name, unit }, bound, mean, value }) => {
      return { channel: name, unit, bound, ...(mean !== undefined && { mean }), ...value() };
    });
  }

  jump(): void {
    for (const group of this.#groups) group.jump();
  }

  scan(stepper: Stepper, end: number): void {
    if (!(end > stepper.previous)) return;
    this.#states.begin(stepper);
    for (const group of this.#groups) group.scan(stepper, end);
  }

  save(t: number): unknown {
    return this.#groups.map((group) => group.save(t));
  }

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
    components: Int32Array.of(-1),
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

/** Peaks as systems bring them. Small pages are built without (see `createTreeSystem`). */
export const PEAK_METHOD: PeakMethod = {
  check: checkPeaks,
  follow: (workspace, options, readers, order) => new Peaks(workspace, options, readers, order),
};

/** Recorded and plotted channels. Names may contain * for any part, and are checked against the channels of the system. */

import { MAX_PARTS, MAX_RECORDED_NUMBERS } from "../../declare/limits.ts";
import { didYouMean } from "../../declare/names.ts";
import type { Parameter, ParameterValues } from "../../declare/parameters.ts";
import { childPath, type Fields } from "../../declare/plain-data.ts";
import { factorTo } from "../../declare/units.ts";
import { type Problem, valueText } from "../../errors.ts";
import type { Channel } from "../../log/log.ts";
import { channelPattern } from "../../sim/record/channel-pattern.ts";
import { fieldsOf } from "../fields-of.ts";
import type { Scenario, ScenarioPlot } from "../scenario.ts";
import type { Condition } from "./condition.ts";
import type { RunTiming } from "./timing.ts";

/** Maximum number of unknown names that get a suggestion; finding one takes time. */
const MAX_SUGGESTIONS = 20;

export const PLOTS = {
  type: "items",
  noun: "plot",
  nouns: "plots",
  most: MAX_PARTS,
  optional: true,
  about: "Plots of the report; their channels are recorded too.",
  of: {
    type: "object",
    id: "plot",
    about: "A plot of channels over time.",
    of: {
      title: { type: "text", title: true, about: "Title of the plot." },
      channels: {
        type: "texts",
        noun: "channel",
        most: MAX_PARTS,
        about: "Channels of the plot, with * for any part of a name. All must have the same unit.",
      },
      unit: {
        type: "text",
        optional: true,
        about: "Unit of the axis, e.g. deg for angles; the unit of the channels if not given.",
      },
      scale: {
        type: "choice",
        of: ["linear", "log"],
        refusal: "must be linear or log",
        default: "linear",
        about: "Scale of the axis.",
      },
    },
  },
} as const satisfies Parameter;

type WrittenPlot = Partial<ParameterValues<(typeof PLOTS)["of"]["of"]>>;

/** The sections about channels as they were read. */
export interface ChannelSections {
  readonly channels: readonly (string | undefined)[] | undefined;
  readonly plots: readonly (WrittenPlot | undefined)[] | undefined;
}

type RecordedChannels = Pick<Scenario, "channels" | "available" | "plots">;

/**
 * Resolves `channels` and `plots`, and checks the channels of the conditions. `known`: all channels; `required`: those that other sections
 * use; `ofControllers`: those of controllers.
 */
export function resolveChannels(
  sections: ChannelSections,
  fields: Fields,
  known: readonly Channel[],
  required: readonly Channel[],
  ofControllers: readonly Channel[],
  timing: RunTiming,
  conditions: readonly { readonly condition: Condition; readonly path: string }[],
  problems: Problem[],
): RecordedChannels | undefined {
  const byName = new Map(known.map((c) => [c.name, c]));
  let suggestions = MAX_SUGGESTIONS;
  const suggest = (name: unknown): string | undefined => (suggestions-- > 0 ? didYouMean(name, byName.keys()) : undefined);

  const channelsMatching = (pattern: string): readonly Channel[] => {
    if (!pattern.includes("*")) return byName.has(pattern) ? [byName.get(pattern)!] : [];
    const fits = channelPattern(pattern);
    return known.filter((c) => fits(c.name));
  };
  /** The channels that match a pattern or a list of patterns. */
  const readPatterns: ReadPatterns = (patterns, written, path) => {
    const channels = new Set<Channel>();
    for (const [i, pattern] of patterns.entries()) {
      if (pattern === undefined) continue; // no text: reported already
      const matches = channelsMatching(pattern);
      for (const channel of matches) channels.add(channel);
      if (matches.length > 0) continue;
      const advice = suggest(pattern);
      const patternPath = typeof written === "string" ? path : childPath(path, i);
      problems.push({
        path: patternPath,
        message: "there is no such channel",
        value: valueText(pattern),
        ...(advice !== undefined && { advice }),
      });
    }
    return [...channels];
  };

  const plots = createPlots(sections.plots ?? [], fields.plots, readPatterns, problems);
  const chosenChannels = new Set([
    ...readPatterns(sections.channels ?? [], fields.channels, "channels"),
    ...plots.flatMap((p) => p.channels),
    ...required,
  ]);
  for (const { condition, path } of conditions)
    for (const name of condition.channels) {
      if (ofControllers.some((c) => c.name === name)) {
        problems.push({
          path,
          message: "uses a channel of a controller, which has values only at its updates",
          value: valueText(name),
        });
        continue;
      }
      if (byName.has(name)) continue;
      const hint = name.includes("-") ? "Put spaces around a minus sign. " : "";
      const advice = suggest(name);
      problems.push({
        path,
        message: "uses a channel that does not exist",
        value: valueText(name),
        ...(advice !== undefined && { advice: hint + advice }),
      });
    }
  const channels = known.filter((c) => c.name === "t" || chosenChannels.has(c));
  checkLogSize(channels.length, timing, problems);
  return { channels, available: known, plots };
}

/** Checks that the channels exist that controllers measure. */
export function checkMeasuredChannels(
  controllers: Scenario["controllers"],
  known: readonly Channel[],
  problems: Problem[],
): void {
  const names = new Set(known.map(({ name }) => name));
  for (const { name, measures = [] } of controllers)
    for (const channel of measures)
      if (!names.has(channel))
        problems.push({
          path: childPath("controllers", name),
          message: "measures a channel that does not exist",
          value: valueText(channel),
          advice: didYouMean(channel, names),
        });
}

type ReadPatterns = (patterns: readonly (string | undefined)[], written: unknown, path: string) => readonly Channel[];

/** The plots whose channels exist and have one unit. */
function createPlots(
  plots: readonly (WrittenPlot | undefined)[],
  written: unknown,
  readPatterns: ReadPatterns,
  problems: Problem[],
): readonly ScenarioPlot[] {
  return plots.flatMap((plot, i) => {
    if (plot === undefined) return [];
    const path = childPath("plots", i);
    const { channels: patterns } = fieldsOf(fieldsOf(written)[i]);
    const channels = readPatterns(plot.channels ?? [], patterns, childPath(path, "channels"));
    const units = [...new Set(channels.map((c) => c.unit))];
    if (units.length > 1)
      problems.push({
        path: childPath(path, "channels"),
        message: `have different units: ${units.map((u) => u || "none").join(", ")}`,
        advice: "A plot has one axis: make one plot per unit",
      });
    const { title = "", unit = units[0] ?? "", scale = "linear" } = plot;
    const times = factorTo(unit, units[0] ?? "");
    if (times !== undefined) return [{ title, channels, unit, times, scale }];
    problems.push({
      path: childPath(path, "unit"),
      message: `cannot be the unit of channels in ${units[0] || "plain numbers"}`,
      value: valueText(unit),
    });
    return [];
  });
}

/** Refuses logs that would not fit into memory. */
function checkLogSize(channels: number, { duration, sample }: RunTiming, problems: Problem[]): void {
  if (duration === undefined || sample === undefined) return;
  const numbers = (duration / sample + 1) * channels;
  if (numbers <= MAX_RECORDED_NUMBERS) return;
  problems.push({
    path: "sample",
    message: `needs ${numbers.toExponential(1)} numbers (${channels} channels); at most ${MAX_RECORDED_NUMBERS.toExponential(0)} can be recorded`,
    value: valueText(sample),
    advice: "Sample less often, or choose fewer channels",
  });
}

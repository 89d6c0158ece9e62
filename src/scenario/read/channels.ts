/** Recorded and plotted channels. Names may contain * for any part, and are checked against the channels of the system. */

import { MAX_PARTS, MAX_RECORDED_NUMBERS } from "../../declare/limits.ts";
import { didYouMean, readTitle } from "../../declare/names.ts";
import { childPath, type Fields, readArray, readFields } from "../../declare/plain-data.ts";
import { factorTo } from "../../declare/units.ts";
import { type Problem, valueText } from "../../errors.ts";
import type { Channel } from "../../log/log.ts";
import { channelPattern, DEFAULT_CHANNELS } from "../../sim/record/recorder.ts";
import type { Scenario, ScenarioLimit, ScenarioPlot } from "../scenario.ts";
import type { Condition } from "./condition.ts";
import type { RunTiming } from "./timing.ts";

/** Maximum number of unknown names that get a suggestion; finding one takes time. */
const MAX_SUGGESTIONS = 20;

type RecordedChannels = Pick<Scenario, "channels" | "available" | "plots">;

/** Reads `channels` and `plots`, and checks the channels of the conditions. `known`: all channels; `ofControllers`: those of controllers. */
export function readChannels(
  fields: Fields,
  known: readonly Channel[],
  limits: readonly ScenarioLimit[],
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
  const readPatterns = (value: unknown, path: string): readonly Channel[] => {
    const patterns = typeof value === "string" ? [value] : (readArray(value, path, "a list of channels", problems) ?? []);
    if (patterns.length > MAX_PARTS) {
      problems.push({ path, message: `at most ${MAX_PARTS} names, this has ${patterns.length}` });
      return [];
    }
    const channels = new Set<Channel>();
    for (const [i, pattern] of patterns.entries()) {
      const matches = typeof pattern === "string" ? channelsMatching(pattern) : [];
      for (const channel of matches) channels.add(channel);
      if (matches.length > 0) continue;
      const advice = suggest(pattern);
      const message = typeof pattern === "string" ? "there is no such channel" : "must be the name of a channel";
      const patternPath = typeof value === "string" ? path : childPath(path, i);
      problems.push({ path: patternPath, message, value: valueText(pattern), ...(advice !== undefined && { advice }) });
    }
    return [...channels];
  };

  const plots = readPlots(fields.plots, readPatterns, problems);
  const chosenChannels = new Set([
    ...readPatterns(fields.channels === undefined ? [...DEFAULT_CHANNELS] : fields.channels, "channels"),
    ...plots.flatMap((p) => p.channels),
    ...limits.flatMap((l) => l.channels),
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

function readPlots(
  value: unknown,
  readPatterns: (value: unknown, path: string) => readonly Channel[],
  problems: Problem[],
): readonly ScenarioPlot[] {
  const items = value === undefined ? [] : (readArray(value, "plots", "a list of plots", problems) ?? []);
  if (items.length > MAX_PARTS) problems.push({ path: "plots", message: `at most ${MAX_PARTS} plots, this has ${items.length}` });
  return items.slice(0, MAX_PARTS).flatMap((item, i) => {
    const path = childPath("plots", i);
    const fields = readFields(item, path, ["title", "channels", "unit", "scale"], problems);
    if (fields === undefined) return [];
    const title = readTitle(fields.title, childPath(path, "title"), problems);
    const channels = readPatterns(fields.channels, childPath(path, "channels"));
    const units = [...new Set(channels.map((c) => c.unit))];
    if (units.length > 1)
      problems.push({
        path: childPath(path, "channels"),
        message: `have different units: ${units.map((u) => u || "none").join(", ")}`,
        advice: "A plot has one axis: make one plot per unit",
      });
    const scale = fields.scale === undefined ? "linear" : fields.scale;
    if (scale !== "linear" && scale !== "log") {
      problems.push({ path: childPath(path, "scale"), message: "must be linear or log", value: valueText(scale) });
      return [];
    }
    const unit = fields.unit === undefined ? (units[0] ?? "") : fields.unit;
    const times = typeof unit === "string" ? factorTo(unit, units[0] ?? "") : undefined;
    if (typeof unit === "string" && times !== undefined) return [{ title, channels, unit, times, scale }];
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

/** What is recorded and drawn: channels by name, with * for any part of one, checked against those that there are. */

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

/** So many unknown names get a suggestion; looking for one takes time. */
const MOST_SUGGESTIONS = 20;

type RecordedChannels = Pick<Scenario, "channels" | "available" | "plots">;

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
  let suggestions = MOST_SUGGESTIONS;
  const suggest = (name: unknown): string | undefined => (suggestions-- > 0 ? didYouMean(name, byName.keys()) : undefined);

  const named = (pattern: string): readonly Channel[] => {
    if (!pattern.includes("*")) return byName.has(pattern) ? [byName.get(pattern)!] : [];
    const fits = channelPattern(pattern);
    return known.filter((c) => fits(c.name));
  };
  /** The channels that the patterns of a list choose. */
  const chosen = (value: unknown, path: string): readonly Channel[] => {
    const patterns = typeof value === "string" ? [value] : (readArray(value, path, "a list of channels", problems) ?? []);
    if (patterns.length > MAX_PARTS) {
      problems.push({ path, message: `at most ${MAX_PARTS} names, this has ${patterns.length}` });
      return [];
    }
    const found = new Set<Channel>();
    for (const [i, pattern] of patterns.entries()) {
      const here = typeof pattern === "string" ? named(pattern) : [];
      for (const channel of here) found.add(channel);
      if (here.length > 0) continue;
      const advice = suggest(pattern);
      const message = typeof pattern === "string" ? "there is no such channel" : "must be the name of a channel";
      const at = typeof value === "string" ? path : childPath(path, i);
      problems.push({ path: at, message, value: valueText(pattern), ...(advice !== undefined && { advice }) });
    }
    return [...found];
  };

  const plots = readPlots(fields.plots, chosen, problems);
  const wanted = new Set([
    ...chosen(fields.channels === undefined ? [...DEFAULT_CHANNELS] : fields.channels, "channels"),
    ...plots.flatMap((p) => p.channels),
    ...limits.flatMap((l) => l.channels),
  ]);
  for (const { condition, path } of conditions)
    for (const name of condition.channels) {
      if (byName.has(name) && !ofControllers.some((c) => c.name === name)) continue; // those have values at updates only
      const spaced = name.includes("-") ? "Put spaces around a minus sign. " : "";
      const advice = suggest(name);
      problems.push({
        path,
        message: "reads a channel that is not there",
        value: valueText(name),
        ...(advice !== undefined && { advice: spaced + advice }),
      });
    }
  const channels = known.filter((c) => c.name === "t" || wanted.has(c));
  checkLogSize(channels.length, timing, problems);
  return { channels, available: known, plots };
}

function readPlots(
  value: unknown,
  chosen: (value: unknown, path: string) => readonly Channel[],
  problems: Problem[],
): readonly ScenarioPlot[] {
  const items = value === undefined ? [] : (readArray(value, "plots", "a list of plots", problems) ?? []);
  if (items.length > MAX_PARTS) problems.push({ path: "plots", message: `at most ${MAX_PARTS} plots, this has ${items.length}` });
  return items.slice(0, MAX_PARTS).flatMap((item, i) => {
    const path = childPath("plots", i);
    const fields = readFields(item, path, ["title", "channels", "unit", "scale"], problems);
    if (fields === undefined) return [];
    const title = readTitle(fields.title, childPath(path, "title"), problems);
    const channels = chosen(fields.channels, childPath(path, "channels"));
    const units = [...new Set(channels.map((c) => c.unit))];
    if (units.length > 1)
      problems.push({
        path: childPath(path, "channels"),
        message: `have different units: ${units.map((u) => u || "none").join(", ")}`,
        advice: "A plot has one axis; make a plot for each unit",
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

/** The log must fit into memory. */
function checkLogSize(channels: number, { duration, sample }: RunTiming, problems: Problem[]): void {
  if (duration === undefined || sample === undefined) return;
  const numbers = (duration / sample + 1) * channels;
  if (numbers <= MAX_RECORDED_NUMBERS) return;
  problems.push({
    path: "sample",
    message: `asks for ${numbers.toExponential(1)} numbers (${channels} channels), at most ${MAX_RECORDED_NUMBERS.toExponential(0)} are recorded`,
    value: valueText(sample),
    advice: "Sample less often, or choose fewer channels",
  });
}

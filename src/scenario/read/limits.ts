/** Limits of a scenario by name: bounds of channels, with the source of each limit. */

import { MAX_PARTS } from "../../declare/limits.ts";
import { didYouMean, readName } from "../../declare/names.ts";
import { childPath, readFields, readRecord } from "../../declare/plain-data.ts";
import { readQuantityInUnit } from "../../declare/units.ts";
import { type Problem, valueText } from "../../errors.ts";
import type { Channel } from "../../log/log.ts";
import { channelPattern } from "../../sim/record/recorder.ts";
import type { ScenarioLimit } from "../scenario.ts";
import { readPositive } from "./read-positive.ts";

export const LIMIT_KEYS = ["channels", "least", "most", "mean", "source", "confidence"] as const;
export const CONFIDENCE_LEVELS = ["high", "medium", "low"] as const;
const LONGEST_SOURCE = 300;

/** Reads the limits; `known` are all channels. */
export function readLimits(value: unknown, known: readonly Channel[], problems: Problem[]): readonly ScenarioLimit[] {
  const entries = Object.entries(value === undefined ? {} : (readRecord(value, "limits", problems) ?? {}));
  if (entries.length > MAX_PARTS)
    problems.push({ path: "limits", message: `at most ${MAX_PARTS} limits, this has ${entries.length}` });
  return entries.slice(0, MAX_PARTS).flatMap(([name, limit]) => readLimit(name, limit, known, problems) ?? []);
}

function readLimit(name: string, value: unknown, known: readonly Channel[], problems: Problem[]): ScenarioLimit | undefined {
  const path = childPath("limits", name);
  const fields = readFields(value, path, LIMIT_KEYS, problems);
  if (readName(name, path, problems) === "" || fields === undefined) return undefined;
  const before = problems.length;
  const pathOf = (key: string): string => childPath(path, key);
  const patterns = (Array.isArray(fields.channels) ? fields.channels : [fields.channels]).slice(0, MAX_PARTS);
  const fits = patterns.map((pattern) => (typeof pattern === "string" ? channelPattern(pattern) : () => false));
  const channels = known.filter((c) => fits.some((fit) => fit(c.name)));
  for (const [i, pattern] of patterns.entries()) {
    if (channels.some((c) => fits[i]!(c.name))) continue;
    const advice = didYouMean(pattern, known.map((c) => c.name)); // biome-ignore format: one line
    problems.push({ path: pathOf("channels"), message: "there is no such channel", value: valueText(pattern), advice });
  }
  if (channels.length === 0) return undefined;
  const { unit } = channels[0]!;
  if (channels.some((c) => c.unit !== unit))
    problems.push({
      path: pathOf("channels"),
      message: `have different units: ${[...new Set(channels.map((c) => c.unit))].join(", ")}`,
    });
  const number = (key: "least" | "most"): number | undefined =>
    fields[key] === undefined ? undefined : readQuantityInUnit(fields[key], unit, pathOf(key), problems);
  const [least, most] = [number("least"), number("most")];
  const mean = fields.mean === undefined ? undefined : readPositive(fields.mean, "s", pathOf("mean"), problems);
  if (fields.least === undefined && fields.most === undefined)
    problems.push({ path, message: "limits nothing", advice: "Give least, most or both" });
  if (least !== undefined && most !== undefined && least >= most)
    problems.push({ path: pathOf("most"), message: `must be greater than least, ${least}`, value: valueText(fields.most) });
  const { source, confidence } = fields;
  if (source !== undefined && !(typeof source === "string" && source.length <= LONGEST_SOURCE))
    problems.push({
      path: pathOf("source"),
      message: `must be text of at most ${LONGEST_SOURCE} characters`,
      value: valueText(source),
    });
  if (confidence !== undefined && !CONFIDENCE_LEVELS.some((c) => c === confidence))
    problems.push({
      path: pathOf("confidence"),
      message: `must be one of ${CONFIDENCE_LEVELS.join(", ")}`,
      value: valueText(confidence),
    });
  if (problems.length > before) return undefined;
  return {
    name,
    channels,
    ...(least !== undefined && { least }),
    ...(most !== undefined && { most }),
    ...(mean !== undefined && { mean }),
    ...(source !== undefined && { source: source as string }),
    ...(confidence !== undefined && { confidence: confidence as "high" | "medium" | "low" }),
  };
}

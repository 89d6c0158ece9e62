/** Limits of a scenario by name: bounds of channels, with the source of each limit. */

import { MAX_PARTS } from "../../declare/limits.ts";
import { didYouMean } from "../../declare/names.ts";
import type { NoteRule, Parameter, ParameterValues } from "../../declare/parameters.ts";
import { childPath, type Fields } from "../../declare/plain-data.ts";
import { readQuantityInUnit } from "../../declare/units.ts";
import { type Problem, valueText } from "../../errors.ts";
import type { Channel } from "../../log/log.ts";
import { channelPattern } from "../../sim/record/channel-pattern.ts";
import type { ScenarioLimit } from "../scenario.ts";

const LONGEST_SOURCE = 300;

export const LIMITS = {
  type: "record",
  nouns: "limits",
  most: MAX_PARTS,
  named: true,
  optional: true,
  about:
    "Bounds of channels, by name. The summary and the report show the largest values of the continuous motion, between samples too, and whether they are within the limits.",
  of: {
    type: "object",
    id: "limit",
    about: "Bounds of channels.",
    rule: limitRule,
    of: {
      channels: {
        type: "texts",
        noun: "channel",
        most: MAX_PARTS,
        about: "Limited channels, with * for any part of a name. All must have the same unit.",
      },
      least: {
        type: "quantity",
        optional: true,
        about: "Smallest allowed value, in the unit of the channels or as text with a unit.",
      },
      most: { type: "quantity", optional: true, about: "Largest allowed value." },
      mean: {
        type: "number",
        unit: "s",
        above: 0,
        optional: true,
        about: "If given, the limit applies to the mean over this time, not to each value.",
      },
      source: { type: "text", longest: LONGEST_SOURCE, optional: true, about: "Source of the limit." },
      confidence: {
        type: "choice",
        of: ["high", "medium", "low"],
        refusal: "must be one of high, medium, low",
        optional: true,
        about: "Confidence in the limit.",
      },
    },
  },
} as const satisfies Parameter;

type WrittenLimit = Partial<ParameterValues<(typeof LIMITS)["of"]["of"]>>;
export type WrittenLimits = Readonly<Record<string, WrittenLimit | undefined>>;

function limitRule({ least, most }: Fields, note: NoteRule): void {
  if (least === undefined && most === undefined) note("", "limits nothing", "Give least, most or both");
}

/** The limits whose channels exist; `known` are all channels. */
export function resolveLimits(limits: WrittenLimits, known: readonly Channel[], problems: Problem[]): readonly ScenarioLimit[] {
  return Object.entries(limits).flatMap(([name, limit]) => (limit && resolveLimit(name, limit, known, problems)) ?? []);
}

function resolveLimit(
  name: string,
  limit: WrittenLimit,
  known: readonly Channel[],
  problems: Problem[],
): ScenarioLimit | undefined {
  const path = childPath("limits", name);
  const before = problems.length;
  const pathOf = (key: string): string => childPath(path, key);
  const patterns = (limit.channels ?? []).filter((pattern) => pattern !== undefined);
  const fits = patterns.map(channelPattern);
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
    limit[key] === undefined ? undefined : readQuantityInUnit(limit[key], unit, pathOf(key), problems);
  const [least, most] = [number("least"), number("most")];
  if (least !== undefined && most !== undefined && least >= most)
    problems.push({ path: pathOf("most"), message: `must be greater than least, ${least}`, value: valueText(limit.most) });
  if (problems.length > before) return undefined;
  const { mean, source, confidence } = limit;
  return {
    name,
    channels,
    ...(least !== undefined && { least }),
    ...(most !== undefined && { most }),
    ...(mean !== undefined && { mean }),
    ...(source !== undefined && { source }),
    ...(confidence !== undefined && { confidence }),
  };
}

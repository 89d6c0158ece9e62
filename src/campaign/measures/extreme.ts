/** The largest or smallest value on the continuous motion. */
import { MAX_PARTS } from "../../declare/limits.ts";
import { didYouMean } from "../../declare/names.ts";
import { channelPattern } from "../../sim/record/channel-pattern.ts";
import type { Peak, PeakOptions } from "../../sim/record/peaks/peak-options.ts";
import { type MeasureContext, measureKind, unitOfExpression } from "./kind.ts";

export const extreme = measureKind({
  name: "extreme",
  about: "The largest or smallest value of channels, or of an expression, on the continuous motion, between samples too.",
  parameters: {
    channels: {
      type: "texts",
      noun: "channel",
      most: MAX_PARTS,
      optional: true,
      excludes: ["of"],
      about: "Channels, with * for any part of a name; the extreme of all of them. All must have the same unit.",
    },
    of: {
      type: "text",
      longest: 500,
      optional: true,
      about: "Instead of channels: an expression of channels, e.g. frame.tip.x - frame.hole.x.",
    },
    bound: {
      type: "choice",
      of: ["most", "least", "size"],
      refusal: "must be most, least or size",
      default: "most",
      about: "Largest value, smallest value, or largest magnitude.",
    },
    mean: {
      type: "number",
      unit: "s",
      above: 0,
      optional: true,
      about: "If given, the mean over this time before each instant is followed.",
    },
  },
  create({ channels, of, bound, mean }, context) {
    const target = of === undefined ? channelTarget(channels ?? [], context) : expressionTarget(of, context);
    if (target === undefined) return undefined;
    const sides = bound === "size" ? (["most", "least"] as const) : [bound];
    const shared = { ...target.options, ...(mean !== undefined && { mean }) };
    const isOwn = (peak: Peak): boolean =>
      target.names.has(peak.channel) && peak.mean === mean && sides.some((side) => side === peak.bound);
    const sizeOf = (peak: Peak): number => (bound === "size" ? Math.abs(peak.value) : peak.value);
    return {
      unit: target.unit,
      peaks: sides.map((side): PeakOptions => ({ ...shared, bound: side, together: `measure ${context.name}` })),
      channels: [],
      value({ peaks }) {
        const values = peaks.filter(isOwn).map(sizeOf);
        return values.length === 0 ? Number.NaN : bound === "least" ? Math.min(...values) : Math.max(...values);
      },
    };
  },
});

interface ExtremeTarget {
  readonly options: Pick<PeakOptions, "channels" | "of">;
  readonly names: ReadonlySet<string>;
  readonly unit: string;
}

function channelTarget(patterns: readonly (string | undefined)[], context: MeasureContext): ExtremeTarget | undefined {
  const { available } = context.scenario;
  if (patterns.length === 0)
    return void context.problem("channels", "is missing", undefined, "Give channels, or an expression in of");
  const fits = patterns.map((pattern) => channelPattern(pattern!));
  const channels = available.filter(({ name }) => fits.some((fit) => fit(name)));
  for (const [i, pattern] of patterns.entries())
    if (!available.some(({ name }) => fits[i]!(name)))
      context.problem(
        "channels",
        "there is no such channel",
        pattern,
        didYouMean(
          pattern,
          available.map((c) => c.name),
        ),
      );
  const units = [...new Set(channels.map(({ unit }) => unit))];
  if (units.length > 1) context.problem("channels", `have different units: ${units.join(", ")}`);
  if (units.length !== 1) return undefined;
  const names = channels.map(({ name }) => name);
  return { options: { channels: names }, names: new Set(names), unit: units[0]! };
}

export function expressionTarget(text: string, context: MeasureContext): ExtremeTarget | undefined {
  const expression = context.expression("of", text);
  if (expression === undefined) return undefined;
  const unit = unitOfExpression(expression, context.scenario);
  const name = `measure ${context.name}`;
  const of = { name, unit, value: (values: Float64Array) => expression.value(values) };
  return { options: { channels: expression.channels, of }, names: new Set([name]), unit };
}

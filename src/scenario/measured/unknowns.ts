/** Unknown values that are found from measured histories: the section `identify` of a scenario. */

import { MAX_PARTS } from "../../declare/limits.ts";
import { didYouMean } from "../../declare/names.ts";
import type { Parameter, ParameterValues } from "../../declare/parameters.ts";
import { childPath, type Fields } from "../../declare/plain-data.ts";
import { readQuantity, type SiUnit, UNITS } from "../../declare/units.ts";
import { type Problem, valueText } from "../../errors.ts";
import { pathSegments } from "../../formats/document.ts";
import { resolvePath } from "../override.ts";
import type { ScenarioComparison, ScenarioIdentification, ScenarioUnknown } from "../scenario.ts";

/** Every unknown costs simulations, and more of them are hardly determined by one motion. */
const MAX_UNKNOWNS = 40;
const MAX_STARTS = 100;
/** These change what is compared, not the machine. */
const NOT_UNKNOWN = ["compare", "identify", "plots", "channels", "name", "about"];

export const IDENTIFY = {
  type: "object",
  id: "identify",
  optional: true,
  about:
    "Values that castor identify finds: those for which the run differs least from the measured histories of compare. A run uses the values of the file.",
  of: {
    unknowns: {
      type: "record",
      nouns: "unknowns",
      most: MAX_UNKNOWNS,
      about: "Unknown values by name.",
      of: {
        type: "object",
        id: "unknown",
        about: "An unknown value of the scenario or its model.",
        of: {
          path: {
            type: "texts",
            noun: "path",
            most: MAX_PARTS,
            about: "Its path, as for --set; or several paths that all get this value.",
          },
          start: {
            type: "quantity",
            optional: true,
            about: "Value at which the search starts, in SI units or as text with a unit; the value in the file if not given.",
          },
          least: { type: "quantity", optional: true, about: "Smallest allowed value." },
          most: { type: "quantity", optional: true, about: "Largest allowed value." },
          scale: {
            type: "quantity",
            optional: true,
            about: "Typical size, if the start is zero or much smaller than the value.",
          },
        },
      },
    },
    noise: {
      type: "record",
      nouns: "channels",
      most: MAX_PARTS,
      optional: true,
      about: "Standard deviation of the noise by channel, where it is known. Otherwise it is estimated from the differences.",
      of: { type: "quantity", about: "Standard deviation, in the unit of the channel." },
    },
    bias: {
      type: "texts",
      noun: "channel",
      most: MAX_PARTS,
      optional: true,
      about: "Channels whose sensors have an unknown constant error. It is found too, and has an error bar.",
    },
    starts: {
      type: "number",
      unit: "",
      whole: true,
      least: 1,
      most: MAX_STARTS,
      default: 1,
      about: "Number of searches: the first from the given start, the others from random ones within 50 % of the scale.",
    },
  },
} as const satisfies Parameter;

type WrittenUnknown = Partial<ParameterValues<(typeof IDENTIFY)["of"]["unknowns"]["of"]["of"]>>;
export interface WrittenIdentification {
  readonly unknowns?: Readonly<Record<string, WrittenUnknown | undefined>>;
  readonly noise?: Readonly<Record<string, number | string | undefined>>;
  readonly bias?: readonly (string | undefined)[];
  readonly starts?: number;
}

/** A number in SI units, or text with any known unit. */
function siValue(value: number | string | undefined, path: string, problems: Problem[]): number | undefined {
  if (value === undefined) return undefined;
  if (typeof value === "number" && Number.isFinite(value)) return value;
  for (const unit of Object.keys(UNITS) as SiUnit[]) {
    const number = readQuantity(value, unit, path, []);
    if (number !== undefined) return number;
  }
  problems.push({ path, message: "must be a number, or text with a unit", value: valueText(value) });
  return undefined;
}

/** The section with numbers in SI units. `fields`: the scenario with its model. */
export function resolveIdentification(
  written: WrittenIdentification | undefined,
  fields: Fields,
  compare: readonly ScenarioComparison[],
  problems: Problem[],
): ScenarioIdentification | undefined {
  if (written === undefined) return undefined;
  const before = problems.length;
  if (compare.length === 0 && fields.compare === undefined)
    problems.push({
      path: "identify",
      message: "there is no measured history",
      advice: "Give one in compare: a CSV file and its channels",
    });
  const names = Object.entries(written.unknowns ?? {});
  if (written.unknowns !== undefined && names.length === 0)
    problems.push({ path: "identify.unknowns", message: "must name at least one unknown" });
  const unknowns = names.flatMap(([name, unknown]) => (unknown && resolveUnknown(name, unknown, fields, problems)) ?? []);
  const channels = compare.flatMap(({ series }) => series.map(({ channel }) => channel.name));
  const noise = new Map<string, number>();
  for (const [channel, value] of Object.entries(written.noise ?? {})) {
    const path = childPath("identify.noise", channel);
    const sigma = siValue(value, path, problems);
    if (compare.length > 0 && !channels.includes(channel)) problems.push(noSuchChannel(path, channel, channels));
    else if (sigma !== undefined && !(sigma > 0)) problems.push({ path, message: "must be positive", value: valueText(value) });
    else if (sigma !== undefined) noise.set(channel, sigma);
  }
  const bias = (written.bias ?? []).filter((channel) => channel !== undefined);
  for (const channel of bias)
    if (compare.length > 0 && !channels.includes(channel)) problems.push(noSuchChannel("identify.bias", channel, channels));
  return problems.length > before ? undefined : { unknowns, noise, bias, starts: written.starts ?? 1 };
}

const noSuchChannel = (path: string, channel: string, channels: readonly string[]): Problem => ({
  path,
  message: "is no channel of compare",
  value: valueText(channel),
  advice: didYouMean(channel, channels),
});

function resolveUnknown(
  name: string,
  { path: written = [], ...numbers }: WrittenUnknown,
  fields: Fields,
  problems: Problem[],
): ScenarioUnknown | undefined {
  const before = problems.length;
  const path = childPath("identify.unknowns", name);
  const at = (key: string): string => childPath(path, key);
  const paths = written.filter((p) => p !== undefined);
  if (paths.length === 0) problems.push({ path: at("path"), message: "is missing", advice: "Give a path as for --set" });
  for (const p of paths)
    if (NOT_UNKNOWN.includes(pathSegments(p)[0] ?? ""))
      problems.push({ path: at("path"), message: "has no influence on the motion", value: valueText(p) });
  const inFile = paths.map((p) => valueAt(fields, p)).find((value) => typeof value === "number" || typeof value === "string");
  const start = siValue(numbers.start ?? (inFile as number | string | undefined), at("start"), problems);
  const [least, most, scale] = (["least", "most", "scale"] as const).map((key) => siValue(numbers[key], at(key), problems));
  if (problems.length > before) return undefined;
  if (start === undefined) {
    problems.push({ path: at("start"), message: "is missing: the file has no number at this path", value: valueText(paths[0]) });
    return undefined;
  }
  if (least !== undefined && most !== undefined && !(least < most))
    problems.push({ path: at("most"), message: `must be above least, ${least}`, value: valueText(most) });
  else if (start < (least ?? start) || start > (most ?? start))
    problems.push({ path: at("start"), message: "must lie between least and most", value: valueText(start) });
  if (scale !== undefined && !(scale > 0))
    problems.push({ path: at("scale"), message: "must be positive", value: valueText(scale) });
  if (start === 0 && scale === undefined)
    problems.push({ path: at("scale"), message: "is missing: the start is zero, so the size of the steps is not known" });
  if (problems.length > before) return undefined;
  return {
    ...{ name, paths, start },
    ...(least !== undefined && { least }),
    ...(most !== undefined && { most }),
    ...(scale !== undefined && { scale }),
  };
}

/** The value at a path of plain data; undefined if there is none. */
function valueAt(data: unknown, path: string): unknown {
  const resolved = resolvePath(data, path);
  return resolved === undefined
    ? undefined
    : pathSegments(resolved).reduce<unknown>((value, key) => (value as Record<string, unknown>)[key], data);
}

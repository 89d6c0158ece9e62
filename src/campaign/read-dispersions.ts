/** The dispersions of a campaign: kinds get the units and values of the settings that they disperse. */
import { didYouMean } from "../declare/names.ts";
import { childPath, type Fields } from "../declare/plain-data.ts";
import { readQuantity, readQuantityInUnit, type SiUnit, UNITS } from "../declare/units.ts";
import { type Problem, valueText } from "../errors.ts";
import { pathSegments } from "../formats/document.ts";
import { resolvePath } from "../scenario/override.ts";
import type { Scenario } from "../scenario/scenario.ts";
import { settingsOf } from "../scenario/settings/settings.ts";
import type { Dispersion } from "./campaign.ts";
import { DISPERSIONS } from "./dispersions/index.ts";
import type { DispersionContext } from "./dispersions/kind.ts";
import { textHash } from "./random/philox.ts";

type WrittenDispersion = Fields & { readonly kind?: string; readonly path?: readonly (string | undefined)[] };

/** Units and values of the settings of a scenario, by path. */
export class ScenarioValues {
  readonly #document: unknown;
  readonly #settings: ReadonlyMap<string, { readonly units: readonly string[]; readonly value: unknown }>;

  constructor(scenario: Scenario) {
    this.#document = scenario.document;
    const resolved = (path: string): string => resolvePath(this.#document, path) ?? path;
    this.#settings = new Map(
      settingsOf(scenario).map(({ path, entries = [], value }) => [resolved(path), { units: entries.map((e) => e.unit), value }]),
    );
  }

  /** SI unit of a setting, or of one number of a list; undefined if it is not known. */
  unit(path: string): string | undefined {
    const resolved = resolvePath(this.#document, path) ?? path;
    const own = this.#settings.get(resolved);
    if (own !== undefined) return own.units.every((unit) => unit === own.units[0]) ? own.units[0] : undefined;
    const [, list, index] = /^(.*)\[(\d+)\]$/.exec(resolved) ?? [];
    return list === undefined ? undefined : this.#settings.get(list)?.units[Number(index)];
  }

  /** The value in SI units: as written, else its default. Lists and objects have numbers for quantities in text. */
  value(path: string): unknown {
    let value: unknown = this.#document;
    for (const segment of pathSegments(resolvePath(this.#document, path) ?? ""))
      value = (value as Readonly<Record<string, unknown>> | undefined)?.[segment];
    const isFound = resolvePath(this.#document, path) !== undefined;
    return inSiUnits(isFound ? value : this.#settings.get(path)?.value, this.unit(path));
  }
}

function inSiUnits(value: unknown, unit: string | undefined): unknown {
  if (typeof value === "string") return quantityOfAnyUnit(value, unit) ?? value;
  if (Array.isArray(value)) return value.map((item) => inSiUnits(item, unit));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, inSiUnits(part, undefined)]));
}

/** Text with a unit in SI units; undefined if it is no quantity. If the unit of the setting is not known, every unit is accepted. */
function quantityOfAnyUnit(text: string, unit: string | undefined): number | undefined {
  const units = unit === undefined ? (Object.keys(UNITS) as SiUnit[]) : [unit as SiUnit];
  for (const si of units) {
    const value = si in UNITS && si !== "" ? readQuantity(text, si, "", []) : undefined;
    if (value !== undefined) return value;
  }
  return undefined;
}

/** The dispersions that could be read. */
export function readDispersions(
  written: Readonly<Record<string, WrittenDispersion | undefined>>,
  scenario: Scenario,
  problems: Problem[],
): readonly Dispersion[] {
  const values = new ScenarioValues(scenario);
  const hashes = new Map<number, string>();
  let start = 0;
  return Object.entries(written).flatMap(([name, dispersion]) => {
    const kind = DISPERSIONS[dispersion?.kind ?? ""];
    if (dispersion === undefined || kind === undefined) return [];
    const path = childPath("dispersions", name);
    const sameHash = hashes.get(textHash(name));
    if (sameHash !== undefined)
      problems.push({
        path,
        message: `has the same random stream as "${sameHash}"`,
        value: valueText(name),
        advice: "Choose another name",
      });
    hashes.set(textHash(name), name);
    const before = problems.length;
    const paths = (dispersion.path ?? []).filter((p) => p !== undefined);
    if (paths.length === 0) return [];
    const drawing = kind.create(dispersion as never, contextOf(paths, path, dispersion, values, problems));
    if (drawing === undefined || problems.length > before) return [];
    const read = { name, kind: kind.name, paths, drawing, start };
    start += drawing.dimensions;
    return [read];
  });
}

function contextOf(
  paths: readonly string[],
  path: string,
  written: WrittenDispersion,
  values: ScenarioValues,
  problems: Problem[],
): DispersionContext {
  const units = paths.map((p) => values.unit(p));
  return {
    paths,
    units,
    nominal: (p) => values.value(p),
    problem(key, message, advice) {
      const value = written[key];
      problems.push({
        path: childPath(path, key),
        message,
        ...(value !== undefined && { value: valueText(value) }),
        ...(advice !== undefined && { advice }),
      });
    },
    quantity(key, value, unit = units[0]) {
      const at = childPath(path, key);
      if (unit !== undefined) return readQuantityInUnit(value, unit, at, problems) ?? Number.NaN;
      if (typeof value === "number") return readQuantity(value, "", at, problems) ?? Number.NaN;
      const read = quantityOfAnyUnit(value, undefined);
      if (read === undefined)
        problems.push({
          path: at,
          message: "must be a number, or text with a unit",
          value: valueText(value),
          advice: didYouMean("", []),
        });
      return read ?? Number.NaN;
    },
  };
}

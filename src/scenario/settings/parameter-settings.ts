/** Settings of forces, controllers, devices and terrain, from the parameter declarations of their kind and the values in the file. */

import type { Freedom } from "../../declare/freedom.ts";
import type { ListParameter, Parameter, Parameters, Unit } from "../../declare/parameters.ts";
import { readParameters, unitForFreedom } from "../../declare/parse-parameters.ts";
import { childPath, type Fields } from "../../declare/plain-data.ts";
import { readQuantityInUnit } from "../../declare/units.ts";
import { freedomsOf, knownNames } from "../../model/freedoms.ts";
import type { Model } from "../../model/model.ts";
import type { ForceKind } from "../../parts/force/kind.ts";
import { fieldsOf } from "../fields-of.ts";
import { resolvePath } from "../override.ts";
import type { Setting, SettingEntry } from "./setting.ts";

interface SettingContext {
  readonly path: string;
  readonly group: readonly string[];
  /** The whole scenario as plain data, for resolving paths. */
  readonly document: Fields;
  readonly model: Model;
  readonly asKind?: ForceKind["asKind"] | undefined;
}

/** Settings of the declared parameters. `written`: the values in the file. */
export function parameterSettings(declared: Parameters, written: Fields, context: SettingContext): readonly Setting[] {
  const freedoms = freedomsNamedIn(declared, written, context.model);
  return Object.entries(declared).flatMap(([key, parameter]): readonly Setting[] => {
    const path = childPath(context.path, key);
    const writtenValue = written[key];
    if (parameter.type === "list")
      return ((writtenValue ?? []) as readonly unknown[]).flatMap((item, i) => {
        const pathOfItem = itemPath(context.document, path, item, i);
        const group = [...context.group, `${key} ${labelOf(item) ?? i + 1}`];
        return itemSettings(parameter, fieldsOf(item), { ...context, path: pathOfItem, group });
      });
    const value = writtenValue ?? parameter.default;
    return [
      {
        path,
        group: context.group,
        label: key,
        about: parameter.about,
        value,
        written: writtenValue !== undefined,
        optional: parameter.default !== undefined || parameter.optional === true,
        ...settingShape(parameter, value, freedoms, context.model),
      },
    ];
  });
}

/** Settings of a list item: the parameters of its kind. A change of the kind replaces the whole item. */
function itemSettings({ of, kinds }: ListParameter, item: Fields, context: SettingContext): readonly Setting[] {
  if (kinds === undefined) return parameterSettings(of, item, context);
  const keysOfKind = kinds[item.kind as string] ?? Object.keys(of);
  const settings = parameterSettings(
    Object.fromEntries(Object.entries(of).filter(([key]) => keysOfKind.includes(key))),
    item,
    context,
  );
  const { asKind } = context;
  if (asKind === undefined) return settings;
  const itemsByKind = (choices: readonly string[]): Fields =>
    Object.fromEntries(choices.map((kind) => [kind, asKind(item, kind, metresIn)]));
  return settings.map((setting) =>
    setting.label === "kind" && setting.choices
      ? { ...setting, replaces: { path: context.path, by: itemsByKind(setting.choices) } }
      : setting,
  );
}

const metresIn = (value: unknown): number | undefined =>
  value === undefined ? undefined : readQuantityInUnit(value, "m", "", []);

/** Freedoms that the parameters name. They determine units and lengths of lists. */
function freedomsNamedIn(declared: Parameters, written: Fields, model: Model): readonly Freedom[] {
  return Object.entries(declared).flatMap(([key, parameter]) => {
    if (parameter.type !== "freedom" && parameter.type !== "freedoms") return [];
    const read = readParameters({ [key]: parameter }, { [key]: written[key] }, knownNames(model), [])?.[key];
    return (read === undefined ? [] : Array.isArray(read) ? read : [read]) as readonly Freedom[];
  });
}

type SettingShape = Pick<Setting, "type" | "entries" | "choices" | "least" | "above" | "most">;

function settingShape(parameter: Parameter, value: unknown, freedoms: readonly Freedom[], model: Model): SettingShape {
  const entry = (unit: Unit, label = "", freedom = freedoms[0]): SettingEntry => ({ label, unit: unitForFreedom(unit, freedom) });
  switch (parameter.type) {
    case "number":
      return { type: "number", entries: [entry(parameter.unit)], ...rangeFields(parameter) };
    case "numbers":
      if (!Array.isArray(value)) return { type: "number", entries: [entry(parameter.unit)], ...rangeFields(parameter) };
      return { type: "numbers", entries: freedoms.map((f) => entry(parameter.unit, f.name, f)), ...rangeFields(parameter) };
    case "vector": {
      const { unit, parts = ["x", "y", "z"] } = parameter;
      return { type: "numbers", entries: parts.map((part) => entry(unit, part)), ...rangeFields(parameter) };
    }
    case "trajectory":
      return Array.isArray(value) ? { type: "data" } : { type: "number", entries: [entry(parameter.unit)] };
    case "choice":
      return { type: "choice", choices: parameter.of };
    case "boolean":
      return { type: "boolean" };
    case "frame":
      return { type: "choice", choices: [...model.bodies, ...model.frames].map(({ name }) => name) };
    case "freedom":
      return { type: "choice", choices: includingValue(usableFreedoms(model, parameter.needs), value) };
    default:
      return { type: "data" };
  }
}

function usableFreedoms(model: Model, needs: "coordinate" | undefined): readonly string[] {
  return freedomsOf(model)
    .filter((f) => needs === undefined || f.coordinateInHinge !== undefined)
    .map((f) => f.name);
}

/** The names, and the value in the file if it is not among them: a freedom may also be written by the name of its speed. */
const includingValue = (names: readonly string[], value: unknown): readonly string[] =>
  typeof value !== "string" || names.includes(value) ? names : [value, ...names];

function rangeFields({
  least,
  above,
  most,
}: Pick<SettingShape, "least" | "above" | "most">): Pick<SettingShape, "least" | "above" | "most"> {
  return { ...(least !== undefined && { least }), ...(above !== undefined && { above }), ...(most !== undefined && { most }) };
}

const labelOf = (item: unknown): string | undefined =>
  ["name", "hinge", "title"].map((key) => fieldsOf(item)[key]).find((label): label is string => typeof label === "string");

/** Path of a list item: by its name if that is unambiguous, else by its number. */
export function itemPath(document: Fields, list: string, item: unknown, i: number): string {
  const byNumber = childPath(list, i);
  const label = labelOf(item);
  const byName = label === undefined ? byNumber : childPath(list, label);
  return resolvePath(document, byName) === resolvePath(document, byNumber) ? byName : byNumber;
}

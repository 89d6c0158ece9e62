/** Settings of declared parameters, from their declarations and the values in the file. */

import type { Freedom } from "../../declare/freedom.ts";
import type { Group, ListParameter, Parameter, Parameters, Unit } from "../../declare/parameters.ts";
import { readParameters, unitForFreedom } from "../../declare/parse-parameters.ts";
import { childPath, type Fields } from "../../declare/plain-data.ts";
import { readQuantityInUnit } from "../../declare/units.ts";
import { alternativeFor } from "../../declare/value-forms.ts";
import { freedomsOf, knownNames } from "../../model/freedoms.ts";
import type { Model } from "../../model/model.ts";
import type { ForceKind } from "../../parts/force/kind.ts";
import { fieldsOf } from "../fields-of.ts";
import { resolvePath } from "../override.ts";
import type { Setting, SettingEntry } from "./setting.ts";

export interface SettingContext {
  readonly path: string;
  readonly group: readonly string[];
  /** The whole scenario as plain data, for resolving paths. */
  readonly document: Fields;
  readonly model: Model;
  readonly asKind?: ForceKind["asKind"] | undefined;
  /** True if only written values are shown. */
  readonly onlyWritten?: boolean;
  /** Freedoms that the parameters around name. */
  readonly freedoms?: readonly Pick<Freedom, "motion" | "name">[];
}

/** Settings of the declared parameters. `written`: the values in the file. */
export function parameterSettings(declared: Parameters, written: Fields, context: SettingContext): readonly Setting[] {
  const own = freedomsNamedIn(declared, written, context.model);
  const freedoms = own.length > 0 ? own : (context.freedoms ?? []);
  const excluded = new Set(
    Object.entries(declared).flatMap(([key, { excludes = [] }]) => (written[key] === undefined ? [] : excludes)),
  );
  return Object.entries(declared).flatMap(([key, parameter]): readonly Setting[] => {
    const isShown = written[key] !== undefined || (parameter.setting !== "written" && !context.onlyWritten && !excluded.has(key));
    if (!isShown || parameter.setting === "never") return [];
    const onlyWritten = context.onlyWritten === true || parameter.setting === "sparse";
    const inner = { ...context, path: childPath(context.path, key), freedoms, onlyWritten };
    return structureSettings(key, parameter, written[key], inner) ?? [valueSetting(key, parameter, written[key], inner)];
  });
}

/** Settings of the members of an object, a record or a list; undefined for single values. */
function structureSettings(
  key: string,
  parameter: Parameter,
  written: unknown,
  context: SettingContext,
): readonly Setting[] | undefined {
  const labelled = (label: string): SettingContext => ({ ...context, group: [...context.group, label] });
  switch (parameter.type) {
    case "object":
      return groupSettings(parameter, fieldsOf(written), parameter.inline ? context : labelled(parameter.label ?? key));
    case "kinds": {
      const { common } = parameter;
      const kind = parameter.kinds()[fieldsOf(written).kind as string];
      return kind && parameterSettings({ ...kind.parameters, ...common }, fieldsOf(written), labelled(key));
    }
    case "record":
      if (!isStructure(parameter.of)) return undefined;
      return Object.entries(fieldsOf(written)).flatMap(
        ([name, entry]) =>
          structureSettings(name, parameter.of, entry, { ...labelled(key), path: childPath(context.path, name) }) ?? [],
      );
    case "list":
    case "items": {
      const items = Array.isArray(written) ? written : [];
      if (parameter.type === "items" && !isStructure(parameter.of)) return undefined;
      return items.flatMap((item: unknown, i) => {
        const { group } = labelled(`${key} ${labelOf(item) ?? i + 1}`);
        const inItem = { ...context, path: itemPath(context.document, context.path, item, i), group };
        if (parameter.type === "list") return itemSettings(parameter, fieldsOf(item), inItem);
        return memberSettings(parameter.of, item, inItem);
      });
    }
    case "either": {
      const form = alternativeFor(parameter.of, written);
      return form?.type === "object" || form?.type === "items" || form?.type === "kinds"
        ? structureSettings(key, form, written, context)
        : undefined;
    }
    default:
      return undefined;
  }
}

const isStructure = ({ type }: Parameter): boolean => type === "object" || type === "kinds";

/** Settings of an object or of a kind, without a group of its own. */
export function memberSettings(parameter: Parameter, written: unknown, context: SettingContext): readonly Setting[] {
  const fields = fieldsOf(written);
  if (parameter.type === "object") return groupSettings(parameter, fields, context);
  if (parameter.type === "either") return memberSettings(alternativeFor(parameter.of, written)!, written, context);
  if (parameter.type !== "kinds") return [];
  const kind = parameter.kinds()[fields.kind as string];
  return kind ? parameterSettings({ ...kind.parameters, ...parameter.common }, fields, context) : [];
}

/** Settings of a group. Of alternatives, the written one is shown; else the one with a default. */
function groupSettings({ of, exactlyOne }: Group, fields: Fields, context: SettingContext): readonly Setting[] {
  const given = exactlyOne?.filter((key) => fields[key] !== undefined);
  const shown = given?.length ? Object.entries(of).filter(([key]) => given.includes(key)) : Object.entries(of);
  return parameterSettings(Object.fromEntries(shown), fields, context);
}

function valueSetting(key: string, parameter: Parameter, written: unknown, context: SettingContext): Setting {
  const value = written ?? parameter.default;
  return {
    path: context.path,
    group: context.group,
    label: key,
    about: parameter.about,
    value,
    written: written !== undefined,
    optional: parameter.default !== undefined || parameter.optional === true,
    ...settingShape(parameter, value, context.freedoms ?? [], context.model),
  };
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
    if (parameter.type === "coordinate") return freedomsOf(model).filter((f) => f.name === written[key]);
    if (parameter.type !== "freedom" && parameter.type !== "freedoms") return [];
    const read = readParameters({ [key]: parameter }, { [key]: written[key] }, knownNames(model), [])?.[key];
    return (read === undefined ? [] : Array.isArray(read) ? read : [read]) as readonly Freedom[];
  });
}

type SettingShape = Pick<Setting, "type" | "entries" | "choices" | "least" | "above" | "most">;

function settingShape(
  parameter: Parameter,
  value: unknown,
  freedoms: NonNullable<SettingContext["freedoms"]>,
  model: Model,
): SettingShape {
  const entry = (unit: Unit, label = "", freedom = freedoms[0]): SettingEntry => ({ label, unit: unitForFreedom(unit, freedom) });
  switch (parameter.type) {
    case "number":
      return { type: "number", entries: [entry(parameter.unit)], ...rangeFields(parameter) };
    case "numbers":
      if (!Array.isArray(value)) return { type: "number", entries: [entry(parameter.unit)], ...rangeFields(parameter) };
      return { type: "numbers", entries: freedoms.map((f) => entry(parameter.unit, f.name, f)), ...rangeFields(parameter) };
    case "vector":
    case "array": {
      const { unit, parts = ["x", "y", "z"] } = parameter;
      return { type: "numbers", entries: parts.map((part) => entry(unit, part)), ...rangeFields(parameter) };
    }
    case "either": {
      const form = alternativeFor(parameter.of, value);
      return form === undefined || form.type === "choice" ? { type: "data" } : settingShape(form, value, freedoms, model);
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

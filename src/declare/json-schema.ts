/** JSON Schema (draft 7) of declarations. Editors use it to check, complete and explain files. */

import type { Group, KindsParameter, NumberParameter, Parameter, Parameters, Unit } from "./declarations.ts";
import { isSiUnit, quantityPattern, type SiUnit, unitsOf } from "./units.ts";

/** A schema as plain data. */
type JsonSchema = { readonly [key: string]: unknown };

/** Definitions by name, filled while the schema is written. */
type Definitions = Record<string, JsonSchema>;

/** The schema of a file with these sections, as text. */
export function jsonSchemaText(title: string, description: string, sections: Parameters): string {
  const definitions: Definitions = {};
  const root = groupSchema({ of: sections }, definitions);
  const header = { title, $schema: "http://json-schema.org/draft-07/schema#", description };
  return `${JSON.stringify({ ...header, ...root, definitions: sortedByName(definitions) }, null, 2)}\n`;
}

const sortedByName = (definitions: Definitions): Definitions =>
  Object.fromEntries(Object.entries(definitions).sort(([a], [b]) => (a < b ? -1 : 1)));

const reference = (id: string): JsonSchema => ({ $ref: `#/definitions/${id}` });

/** Adds a definition once, and returns the reference to it. */
function defined(id: string, definitions: Definitions, write: () => JsonSchema): JsonSchema {
  if (!Object.hasOwn(definitions, id)) {
    definitions[id] = {};
    definitions[id] = write();
  }
  return reference(id);
}

function groupSchema({ of, exactlyOne }: Group, definitions: Definitions): JsonSchema {
  const isRequired = ([, p]: readonly [string, Parameter]): boolean => !p.optional && p.default === undefined;
  const required = Object.entries(of).filter(isRequired);
  return {
    type: "object",
    properties: Object.fromEntries(Object.entries(of).map(([key, p]) => [key, describedSchema(p, definitions)])),
    ...(required.length > 0 && { required: required.map(([key]) => key) }),
    ...(exactlyOne && { oneOf: exactlyOne.map((key) => ({ required: [key] })) }),
    additionalProperties: false,
  };
}

/** The schema of a parameter with its sentence and its default. */
function describedSchema(parameter: Parameter, definitions: Definitions): JsonSchema {
  const schema = parameterSchema(parameter, definitions);
  const { about, default: value } = parameter;
  const description = value === undefined ? about : `${about} Default: ${JSON.stringify(value)}.`;
  return "$ref" in schema ? { description, allOf: [schema] } : { description, ...schema };
}

function parameterSchema(parameter: Parameter, definitions: Definitions): JsonSchema {
  if (parameter.id === undefined) return formSchema(parameter, definitions);
  return defined(parameter.id, definitions, () => formSchema(parameter, definitions));
}

const TEXT: JsonSchema = { type: "string" };
const SHORT_NAME: JsonSchema = { type: "string", minLength: 1, maxLength: 100 };
const NAME: JsonSchema = { ...SHORT_NAME, pattern: "^[^./[\\]]*$" };

const anyOf = (...schemas: readonly JsonSchema[]): JsonSchema => (schemas.length === 1 ? schemas[0]! : { anyOf: schemas });
const listOf = (items: JsonSchema, least?: number, most = least): JsonSchema => ({
  type: "array",
  items,
  ...(least !== undefined && { minItems: least }),
  ...(most !== undefined && { maxItems: most }),
});

function formSchema(parameter: Parameter, definitions: Definitions): JsonSchema {
  const number = (unit: Unit): JsonSchema => quantitySchema(unit, parameter as NumberBounds, definitions);
  switch (parameter.type) {
    case "number":
      return number(parameter.unit);
    case "numbers":
      return anyOf(number(parameter.unit), listOf(number(parameter.unit)));
    case "vector":
      return listOf(number(parameter.unit), 3);
    case "array":
      return listOf(number(parameter.unit), parameter.parts.length);
    case "series":
      return listOf(number(parameter.unit));
    case "matrix":
      return parameter.free ? listOf(listOf(number(parameter.unit))) : listOf(listOf(number(parameter.unit), 3), 3);
    case "quantity":
      return anyOf({ type: "number" }, TEXT);
    case "direction":
    case "axis":
      return anyOf({ enum: ["x", "y", "z"] }, listOf({ type: "number" }, 3));
    case "choice":
      return { enum: parameter.of };
    case "choices": {
      const word = { enum: parameter.of };
      return parameter.set ? { ...listOf(word), uniqueItems: true } : anyOf(word, { ...listOf(word), minItems: 1 });
    }
    case "boolean":
      return { type: "boolean" };
    case "name":
      return NAME;
    case "text": {
      if (parameter.title) return SHORT_NAME;
      const { longest, pattern } = parameter;
      return { ...TEXT, ...(longest !== undefined && { maxLength: longest }), ...(pattern && { pattern: pattern.source }) };
    }
    case "texts":
      return anyOf(TEXT, listOf(TEXT, undefined, parameter.most));
    case "reference":
    case "file":
    case "frame":
    case "freedom":
    case "coordinate":
      return TEXT;
    case "references":
      return anyOf(TEXT, listOf(TEXT));
    case "freedoms":
      return anyOf(TEXT, { ...listOf(TEXT), minItems: 1 });
    case "table":
      return { ...listOf(rowSchema(parameter.units.x, parameter.units.y, definitions)), minItems: parameter.rows };
    case "trajectory":
      return anyOf(number(parameter.unit), { ...listOf(rowSchema("s", parameter.unit, definitions)), minItems: 1 });
    default:
      return structureSchema(parameter, definitions);
  }
}

function structureSchema(
  parameter: Extract<Parameter, { type: "list" | "object" | "kinds" | "record" | "items" | "either" }>,
  definitions: Definitions,
): JsonSchema {
  switch (parameter.type) {
    case "list":
      return listOf(groupSchema({ of: parameter.of }, definitions));
    case "object":
      return groupSchema(parameter, definitions);
    case "kinds":
      return kindsSchema(parameter, definitions);
    case "record":
      return {
        type: "object",
        ...(parameter.named && { propertyNames: NAME }),
        additionalProperties: parameterSchema(parameter.of, definitions),
      };
    case "items":
      return {
        ...listOf(parameterSchema(parameter.of, definitions)),
        ...(parameter.least !== undefined && { minItems: parameter.least }),
        ...(parameter.most !== undefined && { maxItems: parameter.most }),
      };
    case "either":
      return anyOf(...parameter.of.map((p) => parameterSchema(p, definitions)));
  }
}

function kindsSchema({ noun, kinds, common }: KindsParameter, definitions: Definitions): JsonSchema {
  const schemas = Object.entries(kinds()).map(([kind, { about, parameters }]) =>
    defined(`${kind}-${noun}`, definitions, () => {
      const { name, ...rest } = common;
      const members = groupSchema({ of: { ...(name && { name }), ...parameters, ...rest } }, definitions);
      const properties = { kind: { description: about, const: kind }, ...(members.properties as object) };
      const required = ["kind", ...((members.required ?? []) as readonly string[])];
      return { description: about, ...members, properties, required };
    }),
  );
  return anyOf(...schemas);
}

const rowSchema = (x: Unit, y: Unit, definitions: Definitions): JsonSchema => ({
  type: "array",
  items: [x, y].map((unit) => quantitySchema(unit, {}, definitions)),
  minItems: 2,
  maxItems: 2,
});

type NumberBounds = Pick<NumberParameter, "least" | "above" | "most" | "whole">;

/** A number, or text with a unit if there are units of this dimension. */
function quantitySchema(unit: Unit, { least, above, most, whole }: NumberBounds, definitions: Definitions): JsonSchema {
  const number = {
    type: whole ? "integer" : "number",
    ...(least !== undefined && { minimum: least }),
    ...(above !== undefined && { exclusiveMinimum: above }),
    ...(most !== undefined && { maximum: most }),
  };
  const units = [...new Set(typeof unit === "string" ? [unit] : [unit.turn, unit.slide])];
  const texts = units.filter(isSiUnit).filter((si) => unitsOf(si).length > 0);
  return anyOf(number, ...texts.map((si) => textInUnit(si, definitions)));
}

/** Text with a unit of the dimension of an SI unit. */
const textInUnit = (unit: SiUnit, definitions: Definitions): JsonSchema =>
  defined(`in-${unit.replaceAll("/", "-per-").replaceAll(" ", "-").replaceAll("^", "")}`, definitions, () => ({
    description: `A number with a unit: ${unitsOf(unit).join(", ")}.`,
    type: "string",
    pattern: quantityPattern(unit),
  }));

/** The JSON Schema of model files (schema/model.schema.json), from the declaration that also reads them. */
import { jsonSchemaText } from "../declare/json-schema.ts";
import type { Parameters } from "../declare/parameters.ts";
import { MODEL } from "../model/elastic/elastic-bodies.ts";
import { FORMAT_VERSION } from "./document.ts";

/** Keys about the file itself. */
export const FILE_HEADER = {
  $schema: { type: "text", optional: true, about: "Schema of the file, for editors." },
  castor: {
    type: "number",
    unit: "",
    least: FORMAT_VERSION,
    most: FORMAT_VERSION,
    default: FORMAT_VERSION,
    about: "Version of the file format.",
  },
} as const satisfies Parameters;

/** The JSON Schema of model files, as text. */
export const modelJsonSchema = (): string =>
  jsonSchemaText(
    "Castor model",
    "A Castor model: rigid bodies joined in a tree by hinges, and loops. Numbers are in SI units and radians.",
    { ...FILE_HEADER, ...MODEL },
  );

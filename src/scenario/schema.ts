/** The JSON Schema of scenario files (schema/scenario.schema.json), from the declaration that also reads them. */
import { jsonSchemaText } from "../declare/json-schema.ts";
import { FILE_HEADER } from "../formats/model-schema.ts";
import { SCENARIO } from "./declaration.ts";

/** JSON Schema of scenario files, as text. */
export const scenarioJsonSchema = (): string =>
  jsonSchemaText(
    "Castor scenario",
    "A Castor scenario: a model with initial state, forces, controllers, events and settings. Numbers are in SI units and radians.",
    { ...FILE_HEADER, ...SCENARIO },
  );

/** The JSON Schema of campaign files (schema/campaign.schema.json), from the declaration that also reads them. */
import { jsonSchemaText } from "../declare/json-schema.ts";
import { FILE_HEADER } from "../formats/model-schema.ts";
import { CAMPAIGN } from "./declaration.ts";

/** JSON Schema of campaign files, as text. */
export const campaignJsonSchema = (): string =>
  jsonSchemaText(
    "Castor campaign",
    "A Castor campaign: a scenario, dispersed settings, a design, measures and criteria. Numbers are in SI units and radians.",
    { ...FILE_HEADER, ...CAMPAIGN },
  );

/** Sections of a scenario whose form can be read without the model. Names in them are resolved later. */

import { NO_NAMES, readValue } from "../../declare/parse-parameters.ts";
import type { Fields } from "../../declare/plain-data.ts";
import { readQuantityInUnit } from "../../declare/units.ts";
import type { Problem } from "../../errors.ts";
import { SCENARIO } from "../declaration.ts";
import type { WrittenComparisons } from "../measured/histories.ts";
import type { WrittenIdentification } from "../measured/unknowns.ts";
import type { ChannelSections } from "./channels.ts";
import type { WrittenEvents } from "./events.ts";
import type { WrittenLimits } from "./limits.ts";

/** The sections as far as they can be read. A section with a problem as a whole is undefined. */
export interface ReadSections extends ChannelSections {
  readonly name?: string;
  readonly about?: string;
  readonly mode?: string;
  readonly formulation?: string;
  readonly coordinates?: string;
  readonly events?: WrittenEvents;
  readonly limits?: WrittenLimits;
  readonly compare?: WrittenComparisons;
  readonly identify?: WrittenIdentification;
  readonly stop?: readonly (string | undefined)[];
}

const KEYS = [
  "name",
  "about",
  "mode",
  "formulation",
  "coordinates",
  "events",
  "channels",
  "plots",
  "limits",
  "compare",
  "identify",
  "stop",
] as const;

export function readSections(fields: Fields, problems: Problem[]): ReadSections {
  const values = KEYS.map((key) => [
    key,
    readValue(SCENARIO[key], fields[key], NO_NAMES, problems, { path: key, quantity: readQuantityInUnit }),
  ]);
  return Object.fromEntries(values.filter(([, value]) => value !== undefined)) as unknown as ReadSections;
}

/** Tracks that wheels leave in the soil of a scenario. */

import type { Parameters } from "../../declare/parameters.ts";
import { readParameters } from "../../declare/parse-parameters.ts";
import { readQuantityInUnit } from "../../declare/units.ts";
import type { Problem } from "../../errors.ts";
import { RutField } from "../../ground/ruts.ts";
import { knownNames } from "../../model/freedoms.ts";
import type { Model } from "../../model/model.ts";

export const RUTS = {
  cell: {
    type: "number",
    unit: "m",
    least: 1e-3,
    most: 1,
    default: 0.02,
    about: "Side of the cells in which the tracks are kept: a fifth of a wheel's width, or less.",
  },
} as const satisfies Parameters;

/** What makes the tracks for a run; undefined if wheels leave none, or after a problem. */
export function readRuts(value: unknown, model: Model, problems: Problem[]): (() => RutField) | undefined {
  if (value === undefined) return undefined;
  const values = readParameters(RUTS, value, knownNames(model), problems, { path: "ruts", quantity: readQuantityInUnit });
  return values && (() => new RutField(values.cell));
}

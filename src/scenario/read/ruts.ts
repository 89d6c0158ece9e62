/** Ruts that wheels leave in the soil of a scenario. */

import type { Parameters } from "../../declare/parameters.ts";
import { NO_NAMES, readParameters } from "../../declare/parse-parameters.ts";
import { readQuantityInUnit } from "../../declare/units.ts";
import type { Problem } from "../../errors.ts";
import { RutField } from "../../ground/ruts.ts";

export const RUTS = {
  cell: {
    type: "number",
    unit: "m",
    least: 1e-3,
    most: 1,
    default: 0.02,
    about: "Side length of the grid cells that store the ruts: at most a fifth of the wheel width.",
  },
} as const satisfies Parameters;

/** Factory of the rut field of a run. Returns undefined if wheels leave no ruts, or after a problem. */
export function readRuts(value: unknown, problems: Problem[]): (() => RutField) | undefined {
  if (value === undefined) return undefined;
  const values = readParameters(RUTS, value, NO_NAMES, problems, { path: "ruts", quantity: readQuantityInUnit });
  return values && (() => new RutField(values.cell));
}

/** Positive quantities. */
import { readQuantityInUnit } from "../../declare/units.ts";
import { type Problem, valueText } from "../../errors.ts";

/** Reads a positive number in an SI unit, or text with a unit. Returns undefined after a problem. */
export function readPositive(value: unknown, unit: string, path: string, problems: Problem[]): number | undefined {
  const number = readQuantityInUnit(value, unit, path, problems);
  if (number === undefined || number > 0) return number;
  problems.push({ path, message: "must be positive", value: valueText(value) });
  return undefined;
}

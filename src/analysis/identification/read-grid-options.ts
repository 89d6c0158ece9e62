/** Reads the settings of the grid search of a measurement file. */
import { childPath, readFields, readNumber } from "../../declare/plain-data.ts";
import { type Problem, valueText } from "../../errors.ts";
import type { GridOptions } from "./grid-search.ts";

export function readGridOptions(value: unknown, joints: number, problems: Problem[]): GridOptions | undefined {
  const fields = readFields(value, "grid", ["cut", "stub", "stiffness", "longest"], problems);
  if (fields === undefined) return undefined;
  const number = (key: string, fallback: number): number =>
    fields[key] === undefined ? fallback : (readNumber(fields[key], childPath("grid", key), problems) ?? fallback);
  const grid = {
    cut: number("cut", 0.01),
    stub: number("stub", 0.01),
    stiffness: number("stiffness", Number.NaN),
    longest: number("longest", 1),
  };
  if (!(grid.stiffness > 0))
    problems.push({
      path: "grid.stiffness",
      message: "must be positive: the step of the stiffnesses, N m/rad",
      value: valueText(fields.stiffness),
    });
  if (!(grid.cut >= 0.002 && grid.cut <= 0.25))
    problems.push({ path: "grid.cut", message: "must be from 0.002 to 0.25", value: valueText(fields.cut) });
  else if (Math.abs(Math.round(1 / grid.cut) * grid.cut - 1) > 1e-9)
    problems.push({
      path: "grid.cut",
      message: "must divide the length into equal parts",
      value: valueText(fields.cut),
      advice: `Try ${+(1 / Math.round(1 / grid.cut)).toPrecision(6)}`,
    });
  if (!(grid.stub >= 0 && grid.stub < 1))
    problems.push({
      path: "grid.stub",
      message: "must be from 0 to below 1: a part of the length",
      value: valueText(fields.stub),
    });
  if (!(grid.longest > 0 && grid.longest <= 1))
    problems.push({
      path: "grid.longest",
      message: "must be above 0 and at most 1: a part of the length",
      value: valueText(fields.longest),
    });
  if (joints !== 2)
    problems.push({
      path: "grid",
      message: `is for three links only, and there are ${joints + 1}`,
      advice: "Leave it out; the free search takes any number of links",
    });
  return grid;
}

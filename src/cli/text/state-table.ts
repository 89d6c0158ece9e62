/** Table of a state: coordinates, speeds and forces of each hinge, and external wrenches. */

import type { Evaluation } from "../../analysis/evaluate.ts";
import { coordinateNames, type Hinge } from "../../model/model.ts";
import { shortNumber } from "../../report/numbers.ts";
import type { Style } from "./terminal.ts";
import { formatTable, type TextColumn } from "./text-table.ts";

const COLUMNS = [["hinge"], [""], ["q", "point"], [""], [""], ["u", "point"], [""], ["tau", "point"], [""]] as const;
/** Hinge; name, value and unit of a coordinate; name, value and unit of a speed; value and unit of its force. */
type StateRow = readonly string[];

type CoordinateNames = ReturnType<typeof coordinateNames>;

export function stateTable({ model, state }: Evaluation, style: Style): string[] {
  const names = coordinateNames(model);
  const rows = model.bodies.flatMap(({ hinge }) => hingeRows(hinge, names, state));
  const table = COLUMNS.map(
    ([head, align], k): TextColumn => ({ head, cells: rows.map((row) => row[k]!), ...(align && { align }) }),
  );
  const wrenches = state.wrenches.map(({ frame, torque, force }) => {
    const numbers = (v: readonly number[]): string => v.map((x) => shortNumber(x)).join(" ");
    return `  on ${frame}: torque ${numbers(torque)} N m, force ${numbers(force)} N, world axes`;
  });
  return [...formatTable(table, style), ...wrenches];
}

/** Rows of a hinge, one per coordinate. A quaternion has one coordinate more than speeds. */
function hingeRows(hinge: Hinge, names: CoordinateNames, state: Evaluation["state"]): StateRow[] {
  const q = coordinateCells(hinge, "q", names, state.q);
  const u = coordinateCells(hinge, "u", names, state.u);
  const tau = coordinateCells(hinge, "u", names, state.tau);
  return Array.from({ length: Math.max(1, hinge.nq) }, (_, i) => [
    i === 0 ? hinge.name : "",
    ...(q[i] ?? ["", hinge.nq === 0 ? "fixed" : "", ""]),
    ...(u[i] ?? ["", "", ""]),
    ...(tau[i] ? [tau[i][1], tau[i][2] === "rad/s" ? "N m" : "N"] : ["", ""]),
  ]);
}

/** Name, value and unit of each coordinate or speed of a hinge. The name is empty if the hinge has only one. */
function coordinateCells(
  hinge: Hinge,
  which: "q" | "u",
  names: CoordinateNames,
  values: Float64Array,
): readonly (readonly [string, string, string])[] {
  const units = hinge.elements.flatMap((e) => e.units[which]);
  return units.map((unit, i) => {
    const index = hinge[which] + i;
    return [names[which][index]!.slice(hinge.name.length + 1), shortNumber(values[index]!), unit];
  });
}

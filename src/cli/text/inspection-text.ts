/** Output of `castor inspect` as text. */

import type { InspectedBody, Inspection } from "../../report/inspection.ts";
import { countText, shortNumber } from "../../report/numbers.ts";
import { problemText } from "../failure.ts";
import type { TextFormat } from "./terminal.ts";
import { formatTable } from "./text-table.ts";
import { wrapText } from "./wrap-text.ts";

/** Levels of the tree that are indented; deeper ones stay there. */
const DEEPEST_INDENT = 10;

export function inspectionText(inspection: Inspection, format: TextFormat): string {
  const { style, width } = format;
  const { name, kind, source, bodies, freedoms, loopEquations, mass, massCentre, gravity } = inspection;
  const section = (title: string, lines: readonly string[]): readonly string[] =>
    lines.length === 0 ? [] : ["", style.bold(title), ...lines];
  const vector = (v: readonly number[]): string => v.map((c) => shortNumber(c, 4)).join(", ");
  return [
    style.bold(name),
    `${kind} ${source}`,
    [
      countText(bodies.length, "body", "bodies"),
      countText(freedoms, "freedom"),
      ...(loopEquations > 0 ? [countText(loopEquations, "loop equation")] : []),
      `${shortNumber(mass, 5)} kg`,
      ...(massCentre ? [`mass centre at ${vector(massCentre)} m`] : []),
    ].join(", "),
    gravity.some((g) => g !== 0) ? `gravity ${vector(gravity)} m/s²` : "no gravity",
    ...section("Bodies", bodyTable(bodies, format)),
    ...section("Limits", limitTable(bodies, format)),
    ...section(
      "Loops",
      inspection.loops.map(
        (loop) =>
          `  ${loop.name}  ${loop.kind}, ${countText(loop.equations, "equation")}${loop.engaged ? "" : ", open at the start"}`,
      ),
    ),
    ...section(
      "Forces",
      countedKinds(inspection.forces).flatMap((line) => wrapText(line, width, "  ")),
    ),
    ...section("Poses", inspection.poses.length === 0 ? [] : wrapText(inspection.poses.join(", "), width, "  ")),
    ...section(
      "Groups",
      Object.entries(inspection.groups).flatMap(([group, members]) => wrapText(`${group}: ${members.join(", ")}`, width, "  ")),
    ),
    ...section(
      "Not understood",
      inspection.notUnderstood.flatMap(({ feature, effect, count, lines }) => {
        const times = count > 1 ? `, ${count} times` : "";
        const line = lines.length === 0 ? "" : ` (line ${lines[0]}${times})`;
        return wrapText(`${feature}${line}: ${effect}`, width, "  ");
      }),
    ),
    ...section(
      countText(inspection.warnings.length, "Warning"),
      inspection.warnings.map((warning) => problemText(warning, format)),
    ).slice(inspection.warnings.length === 0 ? 2 : 0),
  ].join("\n");
}

function bodyTable(bodies: readonly InspectedBody[], { style }: TextFormat): readonly string[] {
  const shapes = (body: InspectedBody): string =>
    Object.entries(body.shapes)
      .map(([kind, count]) => (count === 1 ? kind : `${count} ${kind}`))
      .join(", ");
  return formatTable(
    [
      { head: "body", cells: bodies.map(({ name, depth }) => " ".repeat(2 * Math.min(depth, DEEPEST_INDENT)) + name) },
      { head: "kg", cells: bodies.map(({ mass }) => shortNumber(mass, 4)), align: "point" },
      {
        head: "hinge",
        cells: bodies.map(({ name, hinge }) => (hinge.kind === "fixed" || hinge.name === name ? "" : hinge.name)),
      },
      { head: "kind", cells: bodies.map(({ hinge }) => hinge.kind) },
      { head: "shapes", cells: bodies.map(shapes) },
    ],
    style,
  );
}

function limitTable(bodies: readonly InspectedBody[], { style }: TextFormat): readonly string[] {
  const limited = bodies
    .flatMap(({ freedoms }) => freedoms)
    .filter(
      ({ lower, upper, speed, effort, start }) => start !== 0 || [lower, upper, speed, effort].some((v) => v !== undefined),
    );
  if (limited.length === 0) return [];
  const cell = (value: number | undefined): string => (value === undefined ? "" : shortNumber(value, 4));
  const column = (head: string, values: readonly (number | undefined)[]) =>
    values.every((value) => value === undefined) ? [] : [{ head, cells: values.map(cell), align: "point" as const }];
  return formatTable(
    [
      { head: "freedom", cells: limited.map(({ name }) => name) },
      { head: "unit", cells: limited.map(({ unit }) => unit) },
      ...column(
        "lower",
        limited.map(({ lower }) => lower),
      ),
      ...column(
        "upper",
        limited.map(({ upper }) => upper),
      ),
      ...column(
        "start",
        limited.map(({ start }) => start),
      ),
      ...column(
        "speed",
        limited.map(({ speed }) => speed),
      ),
      ...column(
        "effort",
        limited.map(({ effort }) => effort),
      ),
    ],
    style,
  );
}

/** "stop: elbow-stop, wrist-stop" for each kind. */
function countedKinds(forces: Inspection["forces"]): readonly string[] {
  const byKind = new Map<string, string[]>();
  for (const { name, kind } of forces) byKind.set(kind, [...(byKind.get(kind) ?? []), name]);
  return Array.from(byKind, ([kind, names]) => `${kind}: ${names.join(", ")}`);
}

/** An evaluation for people: narrow tables with units, one section per quantity. */

import type { LoopLine, PartitionReport } from "../../dynamics/partition/partition-report.ts";
import { coordinateNames, type Hinge, type Model } from "../../model/model.ts";
import { shortNumber } from "../../report/numbers.ts";
import { type Load, loopLoads } from "../../sim/record/frame-loads.ts";
import { AGREEMENT_TOLERANCE, type Agreement, type FormulationDifference } from "../evaluation/agreement.ts";
import type { Evaluation, FormulationOutputs, FrameResults } from "../evaluation/evaluation.ts";
import type { LoopEvaluation } from "../evaluation/loop-evaluation.ts";
import { problemText, wrapText } from "../failure.ts";
import type { Style, Terminal } from "./terminal.ts";
import { exponentialText, formatTable, numberCells, type TextColumn } from "./text-table.ts";

type TextFormat = Pick<Terminal, "width" | "style">;

const DIGITS = 7;
/** A matrix is for the eye. */
const MATRIX_DIGITS = 4;
const LARGEST_MATRIX = 40;
const XYZ = ["x", "y", "z"] as const;

export function evaluationText(evaluation: Evaluation, agreement: Agreement, page: TextFormat): string {
  const { model, formulations, frames } = evaluation;
  const first = [...formulations.values()][0]!;
  const sections = [
    headText(evaluation, page.style),
    ...model.warnings.map((w) => `${page.style.warn("Warning")}\n${problemText(w, page)}`),
    section("State", stateTable(evaluation, page), page),
    section("Accelerations", accelerationTable(evaluation, page), page),
    section("Energy, momentum, mass centre", totalsTable(evaluation, first, page), page, "about the world origin, world axes"),
    section("Hinge reactions", reactionTable(model, first, page), page, "by the parent on the body, at the hinge, world axes"),
    ...loopSections(evaluation, first, page),
    ...frames.flatMap((frame) => [
      section(`Frame ${frame.name}`, frameTable(frame, page), page, "world axes"),
      section(`Jacobian of ${frame.name}`, jacobianTable(model, frame, page), page, "per unit of each speed, world axes"),
    ]),
    section("Mass matrix", massMatrixTable(evaluation, page), page, "SI units"),
    section("Agreement", agreementTable(agreement, page), page, "largest relative difference"),
    verdictText(evaluation, agreement, page.style),
  ];
  return sections.join("\n\n");
}

const section = (title: string, lines: readonly string[], { style }: TextFormat, remark = ""): string =>
  [`${style.bold(title)}${remark && style.dim(`  ${remark}`)}`, ...lines].join("\n");

function headText({ model, mass }: Evaluation, style: Style): string {
  const count = (n: number, one: string, many: string): string => `${n} ${n === 1 ? one : many}`;
  const facts = [count(model.bodies.length, "body", "bodies"), count(model.nu, "freedom", "freedoms"), `${shortNumber(mass)} kg`];
  return `${style.bold(model.name)}\n${facts.join(", ")}`;
}

/** Coordinates, speeds and forces; a quaternion has a row more than its speeds. */
function stateTable({ model, state }: Evaluation, { style }: TextFormat): string[] {
  const names = coordinateNames(model);
  const rows = model.bodies.flatMap(({ hinge }) => hingeRows(hinge, names, state));
  const column = (pick: (row: StateRow) => string): string[] => rows.map(pick);
  const table = ROW_HEADS.map(([head, align], k): TextColumn => ({ head, cells: column((r) => r[k]!), ...(align && { align }) }));
  const loads = state.wrenches.map(({ frame, torque, force }) => {
    const numbers = (v: readonly number[]): string => v.map((x) => shortNumber(x)).join(" ");
    return `  on ${frame}: torque ${numbers(torque)} N m, force ${numbers(force)} N, world axes`;
  });
  return [...formatTable(table, style), ...loads];
}

const ROW_HEADS = [["hinge"], [""], ["q", "point"], [""], [""], ["u", "point"], [""], ["tau", "point"], [""]] as const;
/** Hinge, then name, value and unit of a coordinate, name, value and unit of a speed, value and unit of its force. */
type StateRow = readonly string[];

type CoordinateNames = ReturnType<typeof coordinateNames>;

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

/** Name, value and unit of each coordinate or speed of a hinge; the only one of a hinge needs no name. */
function coordinateCells(
  hinge: Hinge,
  which: "q" | "u",
  names: CoordinateNames,
  values: Float64Array,
): readonly (readonly [string, string, string])[] {
  const units = hinge.elements.flatMap((e) => e.units[which]);
  return units.map((unit, i) => {
    const at = hinge[which] + i;
    return [names[which][at]!.slice(hinge.name.length + 1), shortNumber(values[at]!), unit];
  });
}

function accelerationTable({ model, formulations }: Evaluation, { style }: TextFormat): string[] {
  const units = model.bodies.flatMap(({ hinge }) => hinge.elements.flatMap((e) => e.units.u.map((unit) => `${unit}²`)));
  if (model.nu === 0) return ["  nothing can move"];
  const texts = cellsByUnit(
    units.map((_, i) => [...formulations.values()].map((r) => r.accelerations[i]!)),
    units,
  );
  return formatTable(
    [
      { head: "", cells: coordinateNames(model).u },
      ...[...formulations.keys()].map((head, k): TextColumn => ({ head, cells: texts.map((row) => row[k]!), align: "point" })),
      { head: "", cells: units },
    ],
    style,
  );
}

/** Cells of rows of values, with common decimals among the rows of each unit. */
function cellsByUnit(rows: readonly (readonly number[])[], units: readonly string[]): string[][] {
  const texts: string[][] = [];
  for (const unit of new Set(units)) {
    const places = units.flatMap((u, i) => (u === unit ? [i] : []));
    const flat = numberCells(
      places.flatMap((i) => rows[i]!),
      DIGITS,
    );
    for (const i of places) texts[i] = flat.splice(0, rows[i]!.length);
  }
  return texts;
}

function totalsTable({ massCentre }: Evaluation, { energy, momentum }: FormulationOutputs, { style }: TextFormat): string[] {
  const rows: readonly (readonly [string, readonly number[], string])[] = [
    ["kinetic energy", [energy[0]!], "J"],
    ["potential energy", [energy[1]!], "J"],
    ["angular momentum", [...momentum.subarray(0, 3)], "N m s"],
    ["linear momentum", [...momentum.subarray(3)], "N s"],
    ["mass centre", massCentre, "m"],
  ];
  return vectorTable(rows, style);
}

/** Rows of one or three numbers, each with its own decimals. */
function vectorTable(rows: readonly (readonly [string, readonly number[], string])[], style: Style): string[] {
  const texts = rows.map(([, values]) => numberCells(values, DIGITS));
  return formatTable(
    [
      { head: "", cells: rows.map(([name]) => name) },
      ...XYZ.map((head, k): TextColumn => ({ head, cells: texts.map((t) => t[k] ?? ""), align: "point" })),
      { head: "", cells: rows.map(([, , unit]) => unit) },
    ],
    style,
  );
}

/** How the loops are solved, and what they exert on their second bodies. */
function loopSections({ model, state, loops }: Evaluation, { loopForces }: FormulationOutputs, page: TextFormat): string[] {
  if (!loops) return [];
  const { partition } = loops;
  const { equations, rank, freedoms } = partition;
  const lost = equations > rank ? `, ${equations - rank} of them redundant` : "";
  return [
    section("Loops", loopTable(loops, page), page, `${equations} equations${lost}, ${freedoms} freedoms`),
    section(
      "Loop forces",
      loadTable(model, loopLoads(model, state.q, loopForces), partition, page),
      page,
      "on the body of the second frame, at its origin, world axes",
    ),
  ];
}

function loopTable(
  { partition, residuals: open, residualRates: openRates }: LoopEvaluation,
  { style, width }: TextFormat,
): string[] {
  const { loops, blocks, independent, notes, redundant } = partition;
  const branch = ({ first, terminal }: LoopLine): string => (first === terminal ? (first ?? "") : `${first} to ${terminal}`);
  const numberOf = (name: string): string => {
    const k = blocks.findIndex((b) => b.loops.includes(name));
    return k < 0 ? "" : String(k + 1);
  };
  const table = formatTable(
    [
      { head: "", cells: loops.map(({ name }) => numberOf(name)), align: "right" },
      { head: "loop", cells: loops.map(({ name }) => name) },
      { head: "root", cells: loops.map(({ root }) => root ?? "") },
      { head: "dependent branch", cells: loops.map(branch) },
      { head: "closes on", cells: loops.map(({ closing }) => closing ?? "") },
      { head: "rank", cells: loops.map(({ rank, equations }) => `${rank} of ${equations}`) },
      { head: "solved by", cells: loops.map(({ name }) => blocks.find((b) => b.loops.includes(name))?.method ?? "") },
    ],
    style,
  );
  const worst = (values: readonly number[]): number => values.reduce((most, v) => Math.max(most, Math.abs(v)), 0);
  const [miss, rate] = [worst(open), worst(openRates)];
  const remarks = [
    ...(Math.max(miss, rate) > OPEN_LOOP
      ? [
          `the loops are open by ${exponentialText(miss, 2)}, at ${exponentialText(rate, 2)} per second: this is no state of the machine`,
        ]
      : []),
    `independent: ${independent.join(", ")}`,
    ...notes,
    ...(redundant.length > 0
      ? [
          `loads that are not unique, the smallest are shown: ${redundant.map(({ loop, label }) => `${loop} ${label}`).join(", ")}`,
        ]
      : []),
  ];
  return [...table, ...remarks.flatMap((text) => wrapText(text, width, "  "))];
}

/** Loops that miss by more are not closed. */
const OPEN_LOOP = 1e-6;

function loadTable(
  model: Model,
  loads: ReadonlyMap<string, Load>,
  { redundant }: PartitionReport,
  { style }: TextFormat,
): string[] {
  const rows = [...loads].flatMap(([loop, { torque, force }]) => [
    { loop: redundant.some((r) => r.loop === loop) ? `${loop} (not unique)` : loop, part: "force", values: force, unit: "N" },
    ...(torque.some((v) => v !== 0) ? [{ loop: "", part: "torque", values: torque, unit: "N m" }] : []),
  ]);
  if (rows.length === 0) return [`  ${model.loops.length} loops of coordinates; --json has their multipliers`];
  const texts = cellsByUnit(
    rows.map(({ values }) => values),
    rows.map(({ unit }) => unit),
  );
  return formatTable(
    [
      { head: "", cells: rows.map(({ loop }) => loop) },
      { head: "", cells: rows.map(({ part }) => part) },
      ...XYZ.map((head, k): TextColumn => ({ head, cells: texts.map((row) => row[k]!), align: "point" })),
      { head: "", cells: rows.map(({ unit }) => unit) },
    ],
    style,
  );
}

function reactionTable(model: Model, { reactions }: FormulationOutputs, { style }: TextFormat): string[] {
  const rows = model.bodies.flatMap(({ hinge }, b) => {
    const of = (at: number): number[] => [...reactions.subarray(6 * b + at, 6 * b + at + 3)];
    return [
      { hinge: hinge.name, part: "force", values: of(3), unit: "N" },
      { hinge: "", part: "torque", values: of(0), unit: "N m" },
    ];
  });
  const texts = cellsByUnit(
    rows.map(({ values }) => values),
    rows.map(({ unit }) => unit),
  );
  return formatTable(
    [
      { head: "", cells: rows.map(({ hinge }) => hinge) },
      { head: "", cells: rows.map(({ part }) => part) },
      ...XYZ.map((head, k): TextColumn => ({ head, cells: texts.map((row) => row[k]!), align: "point" })),
      { head: "", cells: rows.map(({ unit }) => unit) },
    ],
    style,
  );
}

function frameTable({ rotation: R, position, velocity }: FrameResults, { style }: TextFormat): string[] {
  const axis = (k: number): number[] => [R[k]!, R[3 + k]!, R[6 + k]!];
  return vectorTable(
    [
      ["position", position, "m"],
      ["its x axis", axis(0), ""],
      ["its y axis", axis(1), ""],
      ["its z axis", axis(2), ""],
      ["angular velocity", velocity.slice(0, 3), "rad/s"],
      ["velocity", velocity.slice(3), "m/s"],
    ],
    style,
  );
}

/** One row per speed, so that it stays narrow whatever the model. */
function jacobianTable(model: Model, { jacobian }: FrameResults, { style }: TextFormat): string[] {
  if (model.nu === 0) return ["  nothing can move"];
  const heads = ["wx", "wy", "wz", "vx", "vy", "vz"];
  return formatTable(
    [
      { head: "", cells: coordinateNames(model).u },
      ...jacobian.map((row, k): TextColumn => ({ head: heads[k]!, cells: matrixCells(row), align: "point" })),
    ],
    style,
  );
}

/** Zeros that are zeros, not rounding, are seen at once. */
const matrixCells = (values: readonly number[]): string[] =>
  numberCells(values, MATRIX_DIGITS).map((text, i) => (values[i] === 0 ? "·" : text));

/** As many columns side by side as fit; below the diagonal only, for it is symmetric. */
function massMatrixTable({ model, massMatrix }: Evaluation, { style, width }: TextFormat): string[] {
  const { nu } = model;
  if (nu === 0) return ["  nothing can move"];
  if (nu > LARGEST_MATRIX) return [`  ${nu} × ${nu}; --json has it`];
  const names = coordinateNames(model).u.map((name, i) => `${String(i + 1).padStart(2)} ${name}`);
  const table = massMatrix.map((_, j): TextColumn => {
    const texts = matrixCells(massMatrix.slice(j).map((row) => row[j]!));
    return { head: String(j + 1), cells: [...Array<string>(j).fill(""), ...texts], align: "point" };
  });
  const lines: string[] = [];
  for (let from = 0; from < nu; ) {
    let count = nu - from;
    const block = (n: number): string[] =>
      formatTable(
        [{ head: "", cells: names }, ...table.slice(from, from + n)].map((c) => ({ ...c, cells: c.cells.slice(from) })),
        style,
        " ",
      );
    while (
      count > 1 &&
      block(count)
        .slice(1)
        .some((line) => line.length > width)
    )
      count--;
    lines.push(...(from > 0 ? [""] : []), ...block(count));
    from += count;
  }
  return lines;
}

function agreementTable({ differences }: Agreement, { style }: TextFormat): string[] {
  const worst = new Map<string, FormulationDifference>();
  for (const d of differences) if (!(d.relative <= (worst.get(d.quantity)?.relative ?? -1))) worst.set(d.quantity, d);
  const rows = [...worst.values()];
  return formatTable(
    [
      { cells: rows.map(({ quantity }) => QUANTITY_LABELS[quantity] ?? quantity) },
      { cells: rows.map(({ relative }) => exponentialText(relative, 2)) },
      { cells: rows.map(({ between, relative }) => (relative === 0 ? "" : between.join(", "))) },
    ],
    style,
  );
}

const QUANTITY_LABELS: Readonly<Record<string, string>> = { "mass matrix": "M udot + bias = tau", loopForces: "loop forces" };

function verdictText({ formulations }: Evaluation, { largest, agree }: Agreement, style: Style): string {
  const names = [...formulations.keys()];
  const who = names.length === 1 ? `${names[0]} and the mass matrix` : `${names.slice(0, -1).join(", ")} and ${names.at(-1)}`;
  const [found, limit] = [exponentialText(largest, 2), exponentialText(AGREEMENT_TOLERANCE, 1)];
  return agree
    ? style.good(`✓ ${who} agree to ${found} (limit ${limit})`)
    : style.bad(`✗ ${who} disagree by ${found} (limit ${limit})`);
}

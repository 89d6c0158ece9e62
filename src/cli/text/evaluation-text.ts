/** Text of an evaluation: narrow tables with units, one section per quantity. */

import type { Evaluation, FrameResults } from "../../analysis/evaluate.ts";
import { AGREEMENT_TOLERANCE, type Agreement, type FormulationDifference } from "../../analysis/evaluation/agreement.ts";
import type { FormulationResults } from "../../analysis/evaluation/formulation-results.ts";
import type { FormulationName } from "../../dynamics/formulation.ts";
import { FORMULATIONS, formulationsFor } from "../../dynamics/formulations.ts";
import { coordinateNames, type Model } from "../../model/model.ts";
import { countText, shortNumber } from "../../report/numbers.ts";
import { loopLoads } from "../../sim/record/frame-loads.ts";
import { problemText } from "../failure.ts";
import { loopLoadTable, loopTable } from "./loop-tables.ts";
import { jacobianTable, NO_FREEDOMS, symmetricTable } from "./matrix-tables.ts";
import { stateTable } from "./state-table.ts";
import type { Style, TextFormat } from "./terminal.ts";
import { exponentialText, formatTable, type TextColumn } from "./text-table.ts";
import { cellsByUnit, type LoadRow, loadRowsTable, vectorTable } from "./vector-tables.ts";

export function evaluationText(evaluation: Evaluation, format: TextFormat): string {
  const { model, formulations, frames, agreement } = evaluation;
  const { style } = format;
  const first = Object.values(formulations)[0]!;
  const section = (title: string, lines: readonly string[], remark = ""): string =>
    [`${style.bold(title)}${remark && style.dim(`  ${remark}`)}`, ...lines].join("\n");
  const sections = [
    headText(evaluation, style),
    ...model.warnings.map((w) => `${style.warn("Warning")}\n${problemText(w, format)}`),
    section("State", stateTable(evaluation, style)),
    section("Accelerations", accelerationTable(evaluation, style)),
    section("Generalised forces", forceTable(evaluation, style), "C u and gravity are on the side of M udot"),
    section("Energy, momentum, mass centre", totalsTable(evaluation, first, style), "about the world origin, world axes"),
    section("Hinge reactions", reactionTable(model, first, style), "by the parent on the body, at the hinge, world axes"),
    ...loopSections(evaluation, first, format, section),
    ...frames.flatMap((frame) => [
      section(`Frame ${frame.name}`, frameTable(frame, style), "world axes"),
      section(
        `Jacobian of ${frame.name}`,
        jacobianTable(coordinateNames(model).u, frame.jacobian, style),
        "per unit of each speed, world axes",
      ),
    ]),
    section("Mass matrix", symmetricTable(coordinateNames(model).u, evaluation.massMatrix, format), "SI units"),
    ...freeFlyingSections(evaluation, format, section),
    section("Agreement", agreementTable(agreement, style), "largest relative difference"),
    verdictText(evaluation, agreement, style),
  ];
  return sections.join("\n\n");
}

function headText({ model, mass }: Evaluation, style: Style): string {
  const facts = [countText(model.bodies.length, "body", "bodies"), countText(model.nu, "freedom"), `${shortNumber(mass)} kg`];
  return `${style.bold(model.name)}\n${facts.join(", ")}`;
}

/** The formulations whose columns are printed: those that share no solution with another one, so that the table stays narrow. */
function shownFormulations(model: Model, formulations: Evaluation["formulations"]): FormulationName[] {
  const names = Object.keys(formulations) as FormulationName[];
  const independent = formulationsFor(model).filter((name) => names.includes(name));
  return independent.length > 0 ? independent : names;
}

/** Motors, springs, velocity terms and gravity, one row per speed. */
function forceTable(evaluation: Evaluation, style: Style): string[] {
  const { model, state, springForce, velocityForce, gravityForce } = evaluation;
  if (model.nu === 0) return [NO_FREEDOMS];
  const units = model.bodies.flatMap(({ hinge }) =>
    hinge.elements.flatMap((e) => e.units.u.map((unit) => (unit === "rad/s" ? "N m" : "N"))),
  );
  const columns = [
    { head: "motor", values: [...state.tau] },
    ...(model.springs.length > 0 ? [{ head: "springs", values: springForce }] : []),
    { head: "C u", values: velocityForce },
    { head: "gravity", values: gravityForce },
  ];
  const texts = cellsByUnit(
    units.map((_, i) => columns.map(({ values }) => values[i]!)),
    units,
  );
  return formatTable(
    [
      { head: "", cells: coordinateNames(model).u },
      ...columns.map(({ head }, k): TextColumn => ({ head, cells: texts.map((row) => row[k]!), align: "point" })),
      { head: "", cells: units },
    ],
    style,
  );
}

/** H* and the generalised Jacobians of a free-flying robot. */
function freeFlyingSections(
  { freeFlying }: Evaluation,
  format: TextFormat,
  section: (title: string, lines: readonly string[], remark: string) => string,
): string[] {
  if (!freeFlying) return [];
  const { base, speeds, Hstar, generalisedJacobians, loops } = freeFlying;
  const held = loops ? `, holding ${loops.names.join(", ")}` : "";
  return [
    section(`Generalised inertia H* on ${base}${held}`, symmetricTable(speeds, Hstar, format), "SI units"),
    ...Object.entries(loops?.generalisedJacobians ?? generalisedJacobians).map(([name, jacobian]) =>
      section(
        `Generalised Jacobian of ${name}${held}`,
        jacobianTable(loops?.independent ?? speeds, jacobian, format.style),
        loops && loops.binding.length > 0
          ? "in independent hinge speeds, with the motion of the base, world axes"
          : "with the motion of the base, world axes",
      ),
    ),
  ];
}

/** One column per formulation. */
function accelerationTable({ model, formulations }: Evaluation, style: Style): string[] {
  const shown = shownFormulations(model, formulations);
  const units = model.bodies.flatMap(({ hinge }) => hinge.elements.flatMap((e) => e.units.u.map((unit) => `${unit}²`)));
  if (model.nu === 0) return [NO_FREEDOMS];
  const texts = cellsByUnit(
    units.map((_, i) => shown.map((name) => formulations[name]!.accelerations[i]!)),
    units,
  );
  return formatTable(
    [
      { head: "", cells: coordinateNames(model).u },
      ...shown.map((head, k): TextColumn => ({ head, cells: texts.map((row) => row[k]!), align: "point" })),
      { head: "", cells: units },
    ],
    style,
  );
}

function totalsTable(
  { massCentre, motorPower, energy: totals, model }: Evaluation,
  { energy, momentum }: FormulationResults,
  style: Style,
): string[] {
  return vectorTable(
    [
      { name: "kinetic energy", values: [energy[0]!], unit: "J" },
      { name: "potential energy", values: [energy[1]!], unit: "J" },
      ...(model.springs.length > 0 ? [{ name: "elastic energy", values: [totals.elastic], unit: "J" }] : []),
      { name: "motor power", values: [motorPower.total], unit: "W" },
      { name: "angular momentum", values: [...momentum.subarray(0, 3)], unit: "N m s" },
      { name: "linear momentum", values: [...momentum.subarray(3)], unit: "N s" },
      { name: "mass centre", values: massCentre, unit: "m" },
    ],
    style,
  );
}

function reactionTable(model: Model, { reactions }: FormulationResults, style: Style): string[] {
  const rows = model.bodies.flatMap(({ hinge }, b): LoadRow[] => {
    const vector = (offset: number): number[] => [...reactions.subarray(6 * b + offset, 6 * b + offset + 3)];
    return [
      { name: hinge.name, kind: "force", values: vector(3) },
      { name: "", kind: "torque", values: vector(0) },
    ];
  });
  return loadRowsTable(rows, style);
}

/** How the loops are solved, and the loads that they exert on their second bodies. */
function loopSections(
  { model, state, loops }: Evaluation,
  { loopForces }: FormulationResults,
  format: TextFormat,
  section: (title: string, lines: readonly string[], remark: string) => string,
): string[] {
  if (!loops) return [];
  const { partition } = loops;
  const { equations, rank, freedoms } = partition;
  const redundant = equations > rank ? `, ${equations - rank} of them redundant` : "";
  const loads = loopLoads(model, state.q, loopForces);
  return [
    section(
      "Loops",
      loopTable(loops, format),
      `${countText(equations, "equation")}${redundant}, ${countText(freedoms, "freedom")}`,
    ),
    section(
      "Loop forces",
      loopLoadTable(model, loads, partition, format.style),
      "on the body of the second frame, at its origin, world axes",
    ),
  ];
}

function frameTable({ rotation: R, position, velocity }: FrameResults, style: Style): string[] {
  const axis = (k: number): number[] => [R[k]!, R[3 + k]!, R[6 + k]!];
  return vectorTable(
    [
      { name: "position", values: position, unit: "m" },
      { name: "its x axis", values: axis(0), unit: "" },
      { name: "its y axis", values: axis(1), unit: "" },
      { name: "its z axis", values: axis(2), unit: "" },
      { name: "angular velocity", values: velocity.slice(0, 3), unit: "rad/s" },
      { name: "velocity", values: velocity.slice(3), unit: "m/s" },
    ],
    style,
  );
}

/** Largest difference of each quantity, and the formulations between which it occurs. */
function agreementTable({ differences }: Agreement, style: Style): string[] {
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
  const names = Object.keys(formulations);
  const isComplete = names.length === Object.keys(FORMULATIONS).length;
  const comparedNames = isComplete
    ? "all formulations"
    : names.length === 1
      ? `${names[0]} and the mass matrix`
      : `${names.slice(0, -1).join(", ")} and ${names.at(-1)}`;
  const [difference, limit] = [exponentialText(largest, 2), exponentialText(AGREEMENT_TOLERANCE, 1)];
  return agree
    ? style.good(`✓ ${comparedNames} agree to ${difference} (limit ${limit})`)
    : style.bad(`✗ ${comparedNames} disagree by ${difference} (limit ${limit})`);
}

/** Tables of loops: their partition, and the loads that they exert. */

import { largestAbsolute } from "../../analysis/evaluation/agreement.ts";
import type { LoopEvaluation } from "../../analysis/evaluation/loop-evaluation.ts";
import type { LoopLine, PartitionReport } from "../../dynamics/partition/partition-report.ts";
import type { Model } from "../../model/model.ts";
import type { Load } from "../../sim/record/frame-loads.ts";
import type { Style, TextFormat } from "./terminal.ts";
import { exponentialText, formatTable } from "./text-table.ts";
import { type LoadRow, loadRowsTable } from "./vector-tables.ts";
import { wrapText } from "./wrap-text.ts";

/** Loops with a larger residual are reported as open. */
const OPEN_LOOP = 1e-6;

/** Loop table of the partition, and remarks. */
export function loopTable({ partition, residuals, residualRates }: LoopEvaluation, { style, width }: TextFormat): string[] {
  const { loops, blocks, independent, notes, redundant } = partition;
  const blockOf = (loop: string) => blocks.find((b) => b.loops.includes(loop));
  const blockNumber = (loop: string): string => {
    const k = blocks.findIndex((b) => b.loops.includes(loop));
    return k < 0 ? "" : String(k + 1);
  };
  const branchText = ({ first, terminal }: LoopLine): string => (first === terminal ? (first ?? "") : `${first} to ${terminal}`);
  const table = formatTable(
    [
      { head: "", cells: loops.map(({ name }) => blockNumber(name)), align: "right" },
      { head: "loop", cells: loops.map(({ name }) => name) },
      { head: "root", cells: loops.map(({ root }) => root ?? "") },
      { head: "dependent branch", cells: loops.map(branchText) },
      { head: "closes on", cells: loops.map(({ closing }) => closing ?? "") },
      { head: "rank", cells: loops.map(({ rank, equations }) => `${rank} of ${equations}`) },
      { head: "solved by", cells: loops.map(({ name }) => blockOf(name)?.method ?? "") },
    ],
    style,
  );
  const [residual, rate] = [largestAbsolute(residuals), largestAbsolute(residualRates)];
  const remarks = [
    ...(Math.max(residual, rate) > OPEN_LOOP
      ? [
          `the loops are not closed: residual ${exponentialText(residual, 2)}, rate ${exponentialText(rate, 2)} per second. The machine cannot be in this state`,
        ]
      : []),
    `independent: ${independent.join(", ")}`,
    ...notes,
    ...(redundant.length > 0
      ? [`not unique, the smallest loads are shown: ${redundant.map(({ loop, label }) => `${loop} ${label}`).join(", ")}`]
      : []),
  ];
  return [...table, ...remarks.flatMap((text) => wrapText(text, width, "  "))];
}

/** Table of the loads of each loop; torques are left out if they are zero. */
export function loopLoadTable(
  model: Model,
  loads: ReadonlyMap<string, Load>,
  { redundant }: PartitionReport,
  style: Style,
): string[] {
  const rows = [...loads].flatMap(([loop, { torque, force }]): LoadRow[] => {
    const name = redundant.some((r) => r.loop === loop) ? `${loop} (not unique)` : loop;
    return [
      { name, kind: "force", values: force },
      ...(torque.some((v) => v !== 0) ? [{ name: "", kind: "torque" as const, values: torque }] : []),
    ];
  });
  if (rows.length === 0) return [`  ${model.loops.length} coordinate loops; --json prints their multipliers`];
  return loadRowsTable(rows, style);
}

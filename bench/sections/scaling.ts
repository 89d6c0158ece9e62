import type { ScalingRow } from "../measurements/chain-scaling.ts";
import { COMPILE_MS, checkAtMost, SCALING_RATIO, verdictText } from "../run/limits.ts";
import type { BenchSection } from "../run/section.ts";
import { measureSeparately } from "../run/separate-process.ts";
import { textTable } from "../run/table.ts";

const MILLISECONDS = { quick: 40, full: 300 } as const;

type Scaling = Readonly<Record<"articulated" | "kane" | "matrix", readonly ScalingRow[]>>;

export const scaling: BenchSection = {
  name: "scaling",
  about: "forward dynamics of chains of 10 to 200 hinges, with each formulation",
  run({ effort }) {
    const time = MILLISECONDS[effort];
    const rows: Scaling = {
      articulated: measureSeparately("scaling", "articulated", time),
      kane: measureSeparately("scaling", "kane", time),
      matrix: measureSeparately("scaling", "matrix", time),
    };
    const verdicts = verdictsOf(rows.articulated);
    return { results: { rows, verdicts }, verdicts: Object.values(verdicts), text: textOf(rows) };
  },
};

const rowOfLength = (rows: readonly ScalingRow[], hinges: number): ScalingRow => rows.find((row) => row.hinges === hinges)!;

function verdictsOf(rows: readonly ScalingRow[]) {
  const perHinge = (hinges: number): number => rowOfLength(rows, hinges).time.min / hinges;
  return {
    perHinge: checkAtMost(perHinge(200) / perHinge(20), SCALING_RATIO),
    compile: checkAtMost(rowOfLength(rows, 100).compile, COMPILE_MS),
  };
}

function textOf(rows: Scaling): string {
  const { perHinge, compile } = verdictsOf(rows.articulated);
  const cells = rows.articulated.map(({ hinges, ops, time }, i) => ({
    hinges,
    ops: ops!,
    "articulated ns": time.min.toFixed(0),
    "ns per hinge": (time.min / hinges).toFixed(1),
    "kane ns": rows.kane[i]!.time.min.toFixed(0),
    "matrix ns": rows.matrix[i]!.time.min.toFixed(0),
    "compile, ms": [rows.articulated, rows.kane, rows.matrix]
      .map((formulation) => formulation[i]!.compile.toFixed(0))
      .join(" / "),
  }));
  return [
    "Free base and a chain of hinges: accelerations, minimum of batches.",
    textTable(cells),
    `From 100 to 200 hinges the cost grows with the number of hinges to the power of ${growthText(rows)}.`,
    `Articulated: time per hinge, 200 to 20, ${verdictText(perHinge, 2)}; trace, emit, compile 100 hinges, ${verdictText(compile, 0)} ms.`,
  ].join("\n");
}

function growthText(rows: Scaling): string {
  const exponent = (formulation: readonly ScalingRow[]): number =>
    Math.log2(rowOfLength(formulation, 200).time.min / rowOfLength(formulation, 100).time.min);
  return Object.entries(rows)
    .map(([name, formulation]) => `${exponent(formulation).toFixed(2)} (${name})`)
    .join(", ");
}

import type { LargeMachineRow, ScalingRow } from "../measurements/chain-scaling.ts";
import {
  COMPILE_MS,
  checkAtMost,
  LARGE_COMPILE_RATIO,
  LARGE_PER_HINGE_RATIO,
  SCALING_RATIO,
  verdictText,
} from "../run/limits.ts";
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

export const large: BenchSection = {
  name: "large",
  about: "chains of up to 3,000 hinges: compilation and time per hinge; --before FOLDER compares with another build",
  run({ effort, before }) {
    const isQuick = effort === "quick";
    const rows = measureSeparately("large", isQuick ? 3 : 8, isQuick ? 100 : 500, before);
    const verdicts = largeVerdictsOf(rows);
    return { results: { rows, verdicts }, verdicts: Object.values(verdicts), text: largeTextOf(rows) };
  },
};

const largeRowOf = (rows: readonly LargeMachineRow[], hinges: number): LargeMachineRow =>
  rows.find((row) => row.hinges === hinges)!;

function largeVerdictsOf(rows: readonly LargeMachineRow[]) {
  const [small, big] = [largeRowOf(rows, 100), largeRowOf(rows, 1000)];
  return {
    perHinge: checkAtMost(big.time / 1000 / (small.time / 100), LARGE_PER_HINGE_RATIO),
    ...(big.compileBefore !== undefined && { compile: checkAtMost(big.compile / big.compileBefore, LARGE_COMPILE_RATIO) }),
  };
}

function largeTextOf(rows: readonly LargeMachineRow[]): string {
  const { perHinge, compile } = largeVerdictsOf(rows);
  const cells = rows.map(({ hinges, ops, compile, compileBefore, time }) => ({
    hinges,
    ops,
    "ns per hinge": (time / hinges).toFixed(1),
    "compile, ms": compile.toFixed(0),
    ...(compileBefore !== undefined && { "before, ms": compileBefore.toFixed(0), ratio: (compile / compileBefore).toFixed(2) }),
  }));
  return [
    "Free base and a chain of hinges: accelerations, minimum of batches; processor time for tracing and compiling, minimum of rounds.",
    textTable(cells),
    `Time per hinge, 1,000 to 100: ${verdictText(perHinge, 2)}${compile ? `; compilation of 1,000 hinges: ${verdictText(compile, 2)}` : ""}.`,
  ].join("\n");
}

import { type ColdRun, type LoopsResult, STEP } from "../measurements/closed-loops.ts";
import {
  BATCH_RATIO_M5G,
  COLD_REAL_TIME,
  checkAtLeast,
  checkAtMost,
  LOOP_RATIO,
  PLATFORM_REAL_TIME,
  REDUNDANCY_RATIO,
  verdictText,
  WHOLE_STEP_RATIO,
} from "../run/limits.ts";
import type { BenchSection } from "../run/section.ts";
import { measureSeparately } from "../run/separate-process.ts";
import { textTable } from "../run/table.ts";

const MILLISECONDS = { quick: 100, full: 1000 } as const;
const PROCESSES = { quick: 10, full: 100 } as const;

export const loops: BenchSection = {
  name: "loops",
  about: "closed loops: a Stewart platform and a short run against real time, and rows of 5 to 80 four-bars",
  run({ effort }) {
    const result = measureSeparately("loops", MILLISECONDS[effort]);
    const cold = Array.from({ length: PROCESSES[effort] }, () => measureSeparately("cold-run")).sort(
      (a, b) => a.seconds - b.seconds,
    );
    const verdicts = verdictsOf(result, cold);
    return { results: { ...result, cold, verdicts }, verdicts: Object.values(verdicts), text: textOf(result, cold) };
  },
};

/** @param cold runs in new processes, fastest first */
function verdictsOf({ platform, fourBars, redundancy, pairs }: LoopsResult, cold: readonly ColdRun[]) {
  const perLoop = (n: number): number => fourBars.find(({ loops: count }) => count === n)!.step.min / n;
  return {
    realTime: checkAtLeast(platform.realTime, PLATFORM_REAL_TIME),
    wholeRun: checkAtLeast(platform.wholeRun, PLATFORM_REAL_TIME),
    wholeStep: checkAtMost(platform.wholeStep / platform.fourKernels, WHOLE_STEP_RATIO),
    cold: checkAtLeast(cold.at(-1)!.duration / cold.at(-1)!.seconds, COLD_REAL_TIME),
    perLoop: checkAtMost(perLoop(80) / perLoop(10), LOOP_RATIO),
    pairs: checkAtMost(Math.max(...pairs.map(({ one, two }) => two / one)), BATCH_RATIO_M5G),
    redundancy: checkAtMost(Math.max(...redundancy.map(({ times: [a, b] }) => b / a)), REDUNDANCY_RATIO),
  };
}

function textOf(result: LoopsResult, cold: readonly ColdRun[]): string {
  const { platform, fourBars, redundancy, pairs } = result;
  const {
    realTime,
    wholeRun,
    wholeStep,
    perLoop,
    pairs: batch,
    redundancy: worst,
    cold: coldRealTime,
  } = verdictsOf(result, cold);
  const [fastest, median, slowest] = [0, cold.length >> 1, cold.length - 1].map((i) => (1000 * cold[i]!.seconds).toFixed(0));
  const cells = fourBars.map(({ loops: n, step, compile }) => ({
    loops: n,
    "µs per step": (step.min / 1000).toFixed(1),
    "µs per step and loop": (step.min / 1000 / n).toFixed(2),
    "compile, ms": compile.toFixed(0),
  }));
  return [
    `Machines with closed loops, rk4 in steps of ${STEP} s with projection after each, minimum of batches.`,
    `Stewart platform, six UPS legs: ${(platform.step.min / 1000).toFixed(1)} µs per step, ${verdictText(realTime, 0)} times real time, ` +
      `${verdictText(wholeRun, 0)} times with samples and audit.`,
    `A step of a run without samples takes ${(platform.wholeStep / 1000).toFixed(2)} µs, ${verdictText(wholeStep, 2)} times its four evaluations ` +
      `(${(platform.fourKernels / 1000).toFixed(2)} µs).`,
    `Andrews' squeezer, ${cold[0]!.duration} s in each of ${cold.length} new processes: ${fastest} to ${slowest} ms, median ${median}; the slowest runs at ` +
      `${verdictText(coldRealTime, 1)} times real time.`,
    `Motion of two states at once, per state and divided by that of one: ` +
      `${pairs.map(({ scenario, one, two }) => `${scenario} ${(two / one).toFixed(2)}`).join(", ")}; largest ${verdictText(batch, 2)}.`,
    "N four-bar:",
    textTable(cells),
    `Time per loop, 80 to 10: ${verdictText(perLoop, 2)}.`,
    "Accelerations of N four-bars by the matrix method with redundant equations, divided by those with the equations that are needed:",
    textTable(
      redundancy.map(({ loops: n, equations, times: [a, b, c] }) => ({
        loops: n,
        "equations needed, revolutes, twice": equations.join(", "),
        revolutes: (b / a).toFixed(2),
        twice: (c / a).toFixed(2),
      })),
    ),
    `Largest with revolutes: ${verdictText(worst, 2)}. With every loop twice it grows with their number: the rest of the rows is a full matrix.`,
  ].join("\n");
}

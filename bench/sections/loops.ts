import { type ColdRun, type Loops, STEP } from "../loops.ts";
import { COLD_REAL_TIME, judge, judgeLeast, LOOP_RATIO, PLATFORM_REAL_TIME, shown } from "../run/limits.ts";
import type { Section } from "../run/section.ts";
import { apart } from "../run/separate-process.ts";
import { table } from "../run/table.ts";

const MILLISECONDS = { quick: 100, full: 1000 } as const;
const PROCESSES = { quick: 10, full: 100 } as const;

export const loops: Section = {
  name: "loops",
  about: "closed loops: a Stewart platform and a short run against real time, and rows of 5 to 80 four-bars",
  run({ effort }) {
    const measured = apart("loops", MILLISECONDS[effort]);
    const cold = Array.from({ length: PROCESSES[effort] }, () => apart("cold-run")).sort((a, b) => a.seconds - b.seconds);
    const verdicts = judged(measured, cold);
    return { results: { ...measured, cold, verdicts }, verdicts: Object.values(verdicts), text: textOf(measured, cold) };
  },
};

/** `cold`: from the fastest to the slowest. */
function judged({ platform, windows }: Loops, cold: readonly ColdRun[]) {
  const perLoop = (n: number): number => windows.find(({ loops: of }) => of === n)!.step.min / n;
  return {
    realTime: judgeLeast(platform.realTime, PLATFORM_REAL_TIME),
    wholeRun: judgeLeast(platform.wholeRun, PLATFORM_REAL_TIME),
    cold: judgeLeast(cold.at(-1)!.duration / cold.at(-1)!.seconds, COLD_REAL_TIME),
    perLoop: judge(perLoop(80) / perLoop(10), LOOP_RATIO),
  };
}

function textOf(measured: Loops, cold: readonly ColdRun[]): string {
  const { platform, windows } = measured;
  const { realTime, wholeRun, perLoop, cold: coldRealTime } = judged(measured, cold);
  const [fastest, median, slowest] = [0, cold.length >> 1, cold.length - 1].map((i) => (1000 * cold[i]!.seconds).toFixed(0));
  const cells = windows.map(({ loops: n, step, compile }) => ({
    loops: n,
    "µs per step": (step.min / 1000).toFixed(1),
    "µs per step and loop": (step.min / 1000 / n).toFixed(2),
    "to make it, ms": compile.toFixed(0),
  }));
  return [
    `Machines with closed loops, rk4 in steps of ${STEP} s with projection after each, minimum of batches.`,
    `Stewart platform, six UPS legs: ${(platform.step.min / 1000).toFixed(1)} µs per step, ${shown(realTime, 0)} times real time, ` +
      `${shown(wholeRun, 0)} times with samples and audit.`,
    `Andrews' squeezer, ${cold[0]!.duration} s in each of ${cold.length} new processes: ${fastest} to ${slowest} ms, median ${median}; the slowest is ` +
      `${shown(coldRealTime, 1)} times as fast as the motion.`,
    "N four-bar:",
    table(cells),
    `Time per loop, 80 to 10: ${shown(perLoop, 2)}.`,
  ].join("\n");
}

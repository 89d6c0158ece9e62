import type { FlexibleResult } from "../measurements/elastic-bodies.ts";
import { ARM_SECONDS, checkAtMost, EVALUATION_POWER, MODES_SECONDS, RUN_POWER, verdictText } from "../run/limits.ts";
import type { BenchSection } from "../run/section.ts";
import { measureSeparately } from "../run/separate-process.ts";
import { textTable } from "../run/table.ts";

const ROUNDS = { quick: 3, full: 10 } as const;

export const flexible: BenchSection = {
  name: "flexible",
  about: "elastic bodies: the step of a two-link arm, modes of a boom of 200 freedoms, a rod of 4 to 64 joints",
  run({ effort }) {
    const result = measureSeparately("flexible", ROUNDS[effort]);
    const verdicts = verdictsOf(result);
    return { results: { ...result, verdicts }, verdicts: Object.values(verdicts), text: textOf(result) };
  },
};

function verdictsOf({ arm, boom, rod }: FlexibleResult) {
  const [few, many] = [rod[0]!, rod.at(-1)!];
  const power = (a: number, b: number): number => Math.log(b / a) / Math.log(many.joints / few.joints);
  return {
    arm: checkAtMost(arm.fastest, ARM_SECONDS),
    boom: checkAtMost(boom.fastest, MODES_SECONDS),
    evaluation: checkAtMost(power(few.evaluation, many.evaluation), EVALUATION_POWER),
    run: checkAtMost(power(few.run, many.run), RUN_POWER),
  };
}

function textOf(result: FlexibleResult): string {
  const verdicts = verdictsOf(result);
  const { arm, boom, rod } = result;
  const cells = rod.map(({ joints, evaluation, run, steps, integrator }) => ({
    joints,
    "µs per evaluation": evaluation.toFixed(2),
    "run of 2 s, s": run.toFixed(2),
    steps,
    integrator,
  }));
  return [
    "Elastic bodies, processor time of all threads.",
    `Two-link arm, PD step of 3 s: ${verdictText(verdicts.arm, 2)} s, ${arm.first.toFixed(2)} s in a new process.`,
    `Modes of a boom of ${boom.freedoms} freedoms: ${verdictText(verdicts.boom, 2)} s, ${boom.first.toFixed(2)} s the first time.`,
    "Cantilever under a sudden load:",
    textTable(cells),
    `From 4 to 64 joints the cost grows with their number to the power of ${verdictText(verdicts.evaluation, 2)} (evaluation), ` +
      `${verdictText(verdicts.run, 2)} (run).`,
  ].join("\n");
}

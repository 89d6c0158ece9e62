import type { FlexibleResult } from "../flexible.ts";
import { ARM_SECONDS, EVALUATION_POWER, judge, MODES_SECONDS, RUN_POWER, shown } from "../run/limits.ts";
import type { Section } from "../run/section.ts";
import { apart } from "../run/separate-process.ts";
import { table } from "../run/table.ts";

const ROUNDS = { quick: 3, full: 10 } as const;

export const flexible: Section = {
  name: "flexible",
  about: "elastic bodies: the step of a two-link arm, modes of a boom of 200 freedoms, a rod of 4 to 64 joints",
  run({ effort }) {
    const measured = apart("flexible", ROUNDS[effort]);
    const verdicts = judged(measured);
    return { results: { ...measured, verdicts }, verdicts: Object.values(verdicts), text: textOf(measured) };
  },
};

function judged({ arm, boom, rod }: FlexibleResult) {
  const [few, many] = [rod[0]!, rod.at(-1)!];
  const power = (a: number, b: number): number => Math.log(b / a) / Math.log(many.joints / few.joints);
  return {
    arm: judge(arm.fastest, ARM_SECONDS),
    boom: judge(boom.fastest, MODES_SECONDS),
    evaluation: judge(power(few.evaluation, many.evaluation), EVALUATION_POWER),
    run: judge(power(few.run, many.run), RUN_POWER),
  };
}

function textOf(measured: FlexibleResult): string {
  const verdicts = judged(measured);
  const { arm, boom, rod } = measured;
  const cells = rod.map(({ joints, evaluation, run, steps, integrator }) => ({
    joints,
    "µs per evaluation": evaluation.toFixed(2),
    "run of 2 s, s": run.toFixed(2),
    steps,
    integrator,
  }));
  return [
    "Elastic bodies, processor time of all threads.",
    `Two-link arm, PD step of 3 s: ${shown(verdicts.arm, 2)} s, ${arm.first.toFixed(2)} s in a new process.`,
    `Modes of a boom of ${boom.freedoms} freedoms: ${shown(verdicts.boom, 2)} s, ${boom.first.toFixed(2)} s the first time.`,
    "Cantilever under a sudden load:",
    table(cells),
    `From 4 to 64 joints the cost grows with their number to the power of ${shown(verdicts.evaluation, 2)} (evaluation), ` +
      `${shown(verdicts.run, 2)} (run).`,
  ].join("\n");
}

import { type LoggedStepsRow, STEP } from "../measurements/logged-steps.ts";
import { checkAtLeast, checkAtMost, LOGGED_SPEED, SAMPLE_MICROSECONDS, verdictText } from "../run/limits.ts";
import type { BenchSection } from "../run/section.ts";
import { measureSeparately } from "../run/separate-process.ts";
import { textTable } from "../run/table.ts";

const MILLISECONDS = { quick: 1000, full: 4000 } as const;

export const logged: BenchSection = {
  name: "logged",
  about: "rk4 with every step logged and audited, compared with the same steps without a log",
  models: ["m1a", "m2a"],
  run({ models, effort }) {
    const rows = models.map((model) => measureSeparately("logged", model, MILLISECONDS[effort]));
    const verdicts = rows.flatMap((row) => Object.values(verdictsOf(row)));
    return { results: rows.map((row) => ({ ...row, verdicts: verdictsOf(row) })), verdicts, text: textOf(rows) };
  },
};

const verdictsOf = ({ model, unlogged, logged: ns, same }: LoggedStepsRow) => ({
  sample: checkAtMost((ns - unlogged) / 1000, model === "m1a" ? SAMPLE_MICROSECONDS : undefined),
  speed: checkAtLeast(unlogged / ns, model === "m1a" ? LOGGED_SPEED : undefined),
  different: checkAtMost(same ? 0 : 1, 0),
});

function textOf(rows: readonly LoggedStepsRow[]): string {
  const cells = rows.map((row) => ({
    model: row.model,
    channels: row.channels,
    "step, ns": row.unlogged.toFixed(0),
    "step with sample, ns": row.logged.toFixed(0),
    "sample, µs (limit)": verdictText(verdictsOf(row).sample, 2),
    "speed, logged to not logged (at least)": verdictText(verdictsOf(row).speed, 2),
    bits: row.same ? "same" : "FAIL different",
  }));
  return [
    `rk4 in steps of ${1000 * STEP} ms, default channels: every step recorded and audited, compared with no sample. Minimum of interleaved batches.`,
    textTable(cells),
  ].join("\n");
}

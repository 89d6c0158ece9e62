/** Start of the program and of the library: processor time of new processes, compared with another build if one is given. */
import { fileURLToPath } from "node:url";
import { measureStarts, START_TASKS } from "../measurements/start-up.ts";
import { checkAtMost, type LimitVerdict, START_RATIO, verdictText } from "../run/limits.ts";
import type { BenchSection } from "../run/section.ts";
import { textTable } from "../run/table.ts";

const THIS_BUILD = fileURLToPath(new URL("../../", import.meta.url));

interface StartRow {
  readonly task: string;
  /** ms of processor time of this build. */
  readonly fastest: number;
  readonly median: number;
  /** This build divided by the other one. */
  readonly ratios?: { readonly fastest: LimitVerdict; readonly median: LimitVerdict };
}

export const start: BenchSection = {
  name: "start",
  about: "start of the program and of the library; --before FOLDER compares with another build",
  run({ effort, before }) {
    const builds = before === undefined ? [THIS_BUILD] : [THIS_BUILD, before];
    const rows = START_TASKS.map(({ name, words }): StartRow => {
      const [own, other] = measureStarts({ name, words }, builds, effort === "quick" ? 5 : 20).map(summaryOf);
      if (other === undefined) return { task: name, ...own! };
      const ratio = (key: keyof Summary): LimitVerdict => checkAtMost(own![key] / other[key], START_RATIO);
      return { task: name, ...own!, ratios: { fastest: ratio("fastest"), median: ratio("median") } };
    });
    const verdicts = rows.flatMap(({ ratios }) => (ratios ? [ratios.fastest, ratios.median] : []));
    return { results: rows, verdicts, text: textOf(rows) };
  },
};

interface Summary {
  readonly fastest: number;
  readonly median: number;
}

function summaryOf(times: readonly number[]): Summary {
  const sorted = [...times].sort((a, b) => a - b);
  return { fastest: sorted[0]!, median: sorted[Math.floor(sorted.length / 2)]! };
}

const textOf = (rows: readonly StartRow[]): string =>
  [
    "New processes, ms of processor time; ratios to the other build.",
    textTable(
      rows.map(({ task, fastest, median, ratios }) => ({
        process: task,
        fastest: fastest.toFixed(0),
        median: median.toFixed(0),
        ...(ratios && { "ratio of fastest": verdictText(ratios.fastest, 2), "ratio of medians": verdictText(ratios.median, 2) }),
      })),
    ),
  ].join("\n");

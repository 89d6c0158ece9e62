/** Runs of docking and rover scenarios: processor time of the motion and of whole commands, compared with another build if one is given. */
import { fileURLToPath } from "node:url";
import { measureCommand } from "../measurements/scenario-runs.ts";
import { COMMAND_RATIO, checkAtMost, MOTION_RATIO, verdictText } from "../run/limits.ts";
import type { BenchSection } from "../run/section.ts";
import { measureSeparately } from "../run/separate-process.ts";
import { textTable } from "../run/table.ts";

const THIS_BUILD = fileURLToPath(new URL("../../", import.meta.url));
const SCENARIOS = ["docking-soft-capture", "docking-retract", "rover-traverse"] as const;
/** Processes of each kind and build, in turns. Two builds in one process would disturb each other. */
const PROCESSES = { quick: 3, full: 6 } as const;
const MOTIONS_PER_PROCESS = 10;

interface RunRow {
  readonly scenario: string;
  readonly part: string;
  readonly limit: number | undefined;
  /** Fastest run of this build and of the other one, ms of processor time. */
  readonly own: number;
  readonly before: number | undefined;
}

export const runs: BenchSection = {
  name: "runs",
  about: "docking and rover scenarios: motion and whole command; --before FOLDER compares with another build",
  run({ effort, before }) {
    const builds = before === undefined ? [THIS_BUILD] : [THIS_BUILD, before];
    const count = PROCESSES[effort];
    const rows = SCENARIOS.flatMap((scenario): RunRow[] => {
      const row = (part: string, times: readonly (readonly number[])[], limit?: number): RunRow => {
        const [own, other] = times.map((list) => Math.min(...list));
        return { scenario, part, limit, own: own!, before: other };
      };
      const processes = builds.map((): number[][] => []);
      for (let k = 0; k < count; k++)
        for (const [i, build] of builds.entries())
          processes[i]!.push(measureSeparately("motions", scenario, build, MOTIONS_PER_PROCESS));
      return [
        row(
          "motion",
          processes.map((lists) => lists.flat()),
          MOTION_RATIO,
        ),
        row(
          "first motion",
          processes.map((lists) => lists.map((list) => list[0]!)),
        ),
        row("command", measureCommand(scenario, builds, count), COMMAND_RATIO),
      ];
    });
    return { results: rows, verdicts: rows.flatMap((row) => verdictOf(row) ?? []), text: textOf(rows) };
  },
};

const verdictOf = ({ own, before, limit }: RunRow) => (before === undefined ? undefined : checkAtMost(own / before, limit));

const textOf = (rows: readonly RunRow[]): string =>
  [
    "Docking and rover scenarios, ms of processor time, fastest of several runs in turns. Motion: simulate with samples and audit,",
    "in a process that has simulated it before; first motion: in a new process. Command: castor run with its files.",
    textTable(
      rows.map((row) => {
        const verdict = verdictOf(row);
        return {
          scenario: row.scenario,
          part: row.part,
          ms: row.own.toFixed(0),
          ...(verdict && { "before, ms": row.before!.toFixed(0), "ratio (limit)": verdictText(verdict, 2) }),
        };
      }),
    ),
  ].join("\n");

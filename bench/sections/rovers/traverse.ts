import { type TraverseField, type TraverseRow, UNREACHABLE_GOALS } from "../../measurements/rovers/guided-traverse.ts";
import { CROSS_TRACK_RMS, checkAtMost, verdictText } from "../../run/limits.ts";
import type { BenchSection } from "../../run/section.ts";
import { measureSeparately } from "../../run/separate-process.ts";
import { textTable } from "../../run/table.ts";

const SEEDS = Array.from({ length: 20 }, (_, i) => i + 1);
const FIELDS: { readonly quick: readonly TraverseField[]; readonly full: readonly TraverseField[] } = {
  quick: [3],
  full: [...SEEDS, ...(Object.keys(UNREACHABLE_GOALS) as (keyof typeof UNREACHABLE_GOALS)[])],
};

export const traverse: BenchSection = {
  name: "traverse",
  about: "guidance among craters and rocks with full dynamics: 20 fields, and two whose goal cannot be reached (minutes)",
  run({ effort }) {
    const rows = FIELDS[effort].map((field) => measureSeparately("traverse", field));
    const verdicts = rows.flatMap((row) => [
      checkAtMost(row.crossTrackRms, CROSS_TRACK_RMS),
      checkAtMost(row.trespasses, 0),
      checkAtMost(isAsExpected(row) ? 0 : 1, 0),
    ]);
    return { results: { rows, verdicts }, verdicts, text: textOf(rows) };
  },
};

/** On fields with a seed the goal can be reached. On the others it cannot, and the rover must report that. */
const isAsExpected = ({ field, end }: TraverseRow): boolean =>
  Object.hasOwn(UNREACHABLE_GOALS, field) ? /blocked|cannot cross/.test(end) : end === "guide: arrived";

function textOf(rows: readonly TraverseRow[]): string {
  const cells = rows.map((row) => ({
    field: row.field,
    "time, s; distance, m": `${row.time.toFixed(0)}, ${row.distance.toFixed(1)}`,
    "cross-track rms, mm": verdictText(checkAtMost(1000 * row.crossTrackRms, 1000 * CROSS_TRACK_RMS), 0),
    "cross-track max, mm": (1000 * row.crossTrackMax).toFixed(0),
    "tilt, deg": ((180 / Math.PI) * row.tilt).toFixed(1),
    "least load, N": row.leastLoad.toFixed(0),
    plans: String(row.plans),
    "J/m": row.perMetre.toFixed(1),
    end: `${isAsExpected(row) ? "" : "FAIL "}${row.end.replace("guide: ", "")}`,
  }));
  return [
    "The rover of rover-traverse among craters and rocks that it does not know at the start, with the integrator of the scenario.",
    textTable(cells),
  ].join("\n");
}

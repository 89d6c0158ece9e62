import { BESIDE, judge, shown } from "../run/limits.ts";
import type { Section } from "../run/section.ts";
import { apart } from "../run/separate-process.ts";
import { table } from "../run/table.ts";
import { type Field, HOPELESS, type TraverseRow } from "../traverse.ts";

const SEEDS = Array.from({ length: 20 }, (_, i) => i + 1);
const FIELDS: { readonly quick: readonly Field[]; readonly full: readonly Field[] } = {
  quick: [3],
  full: [...SEEDS, ...(Object.keys(HOPELESS) as (keyof typeof HOPELESS)[])],
};

export const traverse: Section = {
  name: "traverse",
  about: "guidance among craters and rocks in full dynamics: 20 fields, and two on which there is no way (minutes)",
  run({ effort }) {
    const rows = FIELDS[effort].map((field) => apart("traverse", field));
    const verdicts = rows.flatMap((row) => [
      judge(row.beside, BESIDE),
      judge(row.trespasses, 0),
      judge(isAsExpected(row) ? 0 : 1, 0),
    ]);
    return { results: { rows, verdicts }, verdicts, text: textOf(rows) };
  },
};

/** Fields by seeds have a way, the others have none, and the rover must say so. */
const isAsExpected = ({ field, end }: TraverseRow): boolean =>
  Object.hasOwn(HOPELESS, field) ? /blocked|cannot cross/.test(end) : end === "guide: arrived";

function textOf(rows: readonly TraverseRow[]): string {
  const cells = rows.map((row) => ({
    field: row.field,
    "s, m": `${row.time.toFixed(0)}, ${row.distance.toFixed(1)}`,
    "rms beside, mm": shown(judge(1000 * row.beside, 1000 * BESIDE), 0),
    "most, mm": (1000 * row.farthest).toFixed(0),
    "tilt, deg": ((180 / Math.PI) * row.tilt).toFixed(1),
    "least load, N": row.leastLoad.toFixed(0),
    plans: String(row.plans),
    "J/m": row.perMetre.toFixed(1),
    end: `${isAsExpected(row) ? "" : "FAIL "}${row.end.replace("guide: ", "")}`,
  }));
  return [
    "The rover of rover-traverse among craters and rocks that it does not know at the start, by the integrator of the scenario.",
    table(cells),
  ].join("\n");
}

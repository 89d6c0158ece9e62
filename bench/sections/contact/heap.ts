import type { ColumnsRow, HeapResult } from "../../measurements/contact/heap-cost.ts";
import { checkAtLeast, checkAtMost, HEAP_REAL_TIME, PATCH_COST_RATIO, verdictText } from "../../run/limits.ts";
import type { BenchSection } from "../../run/section.ts";
import { measureSeparately } from "../../run/separate-process.ts";
import { textTable } from "../../run/table.ts";

const MILLISECONDS = { quick: 200, full: 2000 } as const;

export const heap: BenchSection = {
  name: "heap",
  about: "contact patches: cost per contact of 20 to 200 cubes on each other, and a heap of 20 falling cubes against real time",
  run({ effort }) {
    const result = measureSeparately("heap", MILLISECONDS[effort]);
    const verdicts = verdictsOf(result);
    return { results: { ...result, verdicts }, verdicts: Object.values(verdicts), text: textOf(result) };
  },
};

/** Each cube has one contact. */
const perContact = ({ touching, bare, bodies }: ColumnsRow): number => (touching.min - bare.min) / bodies;

function verdictsOf({ columns, duration, run }: HeapResult) {
  return {
    perContact: checkAtMost(perContact(columns.at(-1)!) / perContact(columns[0]!), PATCH_COST_RATIO),
    realTime: checkAtLeast(duration / run, HEAP_REAL_TIME),
  };
}

function textOf(result: HeapResult): string {
  const { columns, bodies, duration, run, evaluations, contacts, energy } = result;
  const verdicts = verdictsOf(result);
  const cells = columns.map((row) => ({
    cubes: row.bodies,
    "without contact, µs": (row.bare.min / 1000).toFixed(1),
    "contact adds": (row.touching.min / 1000 - row.bare.min / 1000).toFixed(1),
    "per contact": (perContact(row) / 1000).toFixed(2),
  }));
  return [
    "Cubes in columns of five with contact between all pairs: one evaluation of the motion, minimum of batches.",
    textTable(cells),
    `Cost per contact, ${columns.at(-1)!.bodies} to ${columns[0]!.bodies} cubes: ${verdictText(verdicts.perContact, 2)}.`,
    `Heap of ${bodies} cubes that fall: ${duration} s in ${run.toFixed(2)} s of processor time, ${verdictText(verdicts.realTime, 2)} times real time;` +
      ` ${evaluations} evaluations, ${contacts} contacts at the end, drift of the energy ${energy.toExponential(1)}.`,
  ].join("\n");
}

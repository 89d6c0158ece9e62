import type { BallCloudRow } from "../../measurements/contact/contact-cost.ts";
import { CONTACT_RATIO, checkAtMost, verdictText } from "../../run/limits.ts";
import type { BenchSection } from "../../run/section.ts";
import { measureSeparately } from "../../run/separate-process.ts";
import { textTable } from "../../run/table.ts";

const MILLISECONDS = { quick: 100, full: 1000 } as const;

export const contact: BenchSection = {
  name: "contact",
  about: "contact between all pairs of 10 to 80 free balls, far apart and touching",
  run({ effort }) {
    const rows = measureSeparately("contact", MILLISECONDS[effort]);
    const verdicts = { perBody: perBodyVerdict(rows) };
    return { results: { rows, verdicts }, verdicts: Object.values(verdicts), text: textOf(rows) };
  },
};

/** Time that contact adds to an evaluation, ns. */
const addedNanoseconds = ({ bare }: BallCloudRow, other: BallCloudRow["bare"]): number => other.min - bare.min;

function perBodyVerdict(rows: readonly BallCloudRow[]) {
  const addedPerBody = (row: BallCloudRow): number => addedNanoseconds(row, row.apart) / row.bodies;
  return checkAtMost(addedPerBody(rows.at(-1)!) / addedPerBody(rows[0]!), CONTACT_RATIO);
}

function textOf(rows: readonly BallCloudRow[]): string {
  const cells = rows.map((row) => ({
    bodies: row.bodies,
    pairs: row.pairs,
    "without contact, µs": (row.bare.min / 1000).toFixed(1),
    "all far apart adds": (addedNanoseconds(row, row.apart) / 1000).toFixed(1),
    "each touching one adds": (addedNanoseconds(row, row.touching) / 1000).toFixed(1),
  }));
  return [
    "Free balls with contact between all pairs: one evaluation of the motion, minimum of batches.",
    textTable(cells),
    `Cost of contact per body with all bodies far apart, 80 to 10 bodies: ${verdictText(perBodyVerdict(rows), 2)}.`,
  ].join("\n");
}

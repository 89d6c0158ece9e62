import type { CloudRow } from "../contact.ts";
import { CONTACT_RATIO, judge, shown } from "../run/limits.ts";
import type { Section } from "../run/section.ts";
import { apart } from "../run/separate-process.ts";
import { table } from "../run/table.ts";

const MILLISECONDS = { quick: 100, full: 1000 } as const;

export const contact: Section = {
  name: "contact",
  about: "contact: 10 to 80 free balls, each against each, far apart and touching",
  run({ effort }) {
    const rows = apart("contact", MILLISECONDS[effort]);
    const verdicts = { perBody: perBody(rows) };
    return { results: { rows, verdicts }, verdicts: Object.values(verdicts), text: textOf(rows) };
  },
};

/** What contact adds to an evaluation, ns. */
const added = ({ bare }: CloudRow, other: CloudRow["bare"]): number => other.min - bare.min;

function perBody(rows: readonly CloudRow[]) {
  const each = (row: CloudRow): number => added(row, row.apart) / row.bodies;
  return judge(each(rows.at(-1)!) / each(rows[0]!), CONTACT_RATIO);
}

function textOf(rows: readonly CloudRow[]): string {
  const cells = rows.map((row) => ({
    bodies: row.bodies,
    pairs: row.pairs,
    "without contact, µs": (row.bare.min / 1000).toFixed(1),
    "all far apart adds": (added(row, row.apart) / 1000).toFixed(1),
    "each touching one adds": (added(row, row.touching) / 1000).toFixed(1),
  }));
  return [
    "Free balls, each against each: one evaluation of the motion, minimum of batches.",
    table(cells),
    `What contact costs per body far apart, 80 to 10 bodies: ${shown(perBody(rows), 2)}.`,
  ].join("\n");
}

/** Stiffness as a measure of changes, for assembly: freedoms inside elastic bodies have little mass, and by mass alone would move first. */
import type { SparsePattern } from "../../../math/linear/markowitz.ts";
import type { Model } from "../../../model/model.ts";

/** What springs hold moves so much less than it would by its mass. */
const STIFFNESS_WEIGHT = 1e4;

/** Entries of a matrix, whose first rows are the mass matrix, that are on its diagonal where springs are, and what to add to them. */
export function springStiffnessEntries(
  { springs, bodies }: Model,
  { rows, columns }: SparsePattern,
  values: Float64Array,
): readonly { readonly entry: number; readonly added: number }[] {
  const stiffness = new Map<number, number>();
  for (const { hinge, stiffness: each } of springs.flatMap((s) => s.joints)) {
    const first = bodies.find((b) => b.hinge.name === hinge)!.hinge.u;
    for (const [part, k] of each.entries()) if (k > 0) stiffness.set(first + part, k);
  }
  const found: { entry: number; k: number }[] = [];
  for (let entry = 0; entry < rows.length; entry++) {
    const k = rows[entry] === columns[entry] ? stiffness.get(rows[entry]!) : undefined;
    if (k !== undefined) found.push({ entry, k });
  }
  const time = STIFFNESS_WEIGHT * Math.max(0, ...found.map(({ entry, k }) => values[entry]! / k));
  return found.map(({ entry, k }) => ({ entry, added: time * k }));
}

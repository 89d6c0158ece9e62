/** Spring stiffness added to the metric of assembly. Freedoms inside elastic bodies have little mass: by mass alone they would move first. */
import type { SparsePattern } from "../../../math/linear/markowitz.ts";
import type { Model } from "../../../model/model.ts";

/** Freedoms with springs move less by this factor than by their mass alone. */
const STIFFNESS_WEIGHT = 1e4;

/** Diagonal entries of a matrix, whose first rows are the mass matrix, at speeds with springs, and the number to add to each. */
export function springStiffnessEntries(
  { springs, bodies }: Model,
  { rows, columns }: SparsePattern,
  values: Float64Array,
): readonly { readonly entry: number; readonly added: number }[] {
  const stiffness = new Map<number, number>();
  for (const { hinge, stiffness: hingeStiffness } of springs.flatMap((s) => s.joints)) {
    const firstSpeed = bodies.find((b) => b.hinge.name === hinge)!.hinge.u;
    for (const [i, k] of hingeStiffness.entries()) if (k > 0) stiffness.set(firstSpeed + i, k);
  }
  const entries: { entry: number; k: number }[] = [];
  for (let entry = 0; entry < rows.length; entry++) {
    const k = rows[entry] === columns[entry] ? stiffness.get(rows[entry]!) : undefined;
    if (k !== undefined) entries.push({ entry, k });
  }
  const time = STIFFNESS_WEIGHT * Math.max(0, ...entries.map(({ entry, k }) => values[entry]! / k));
  return entries.map(({ entry, k }) => ({ entry, added: time * k }));
}

/** A choice of dependents as plain data: what `partitionStages` cannot know. */
import type { Model } from "../../model/model.ts";
import { checkSavedInteger, refuseSaved, takeSaved } from "../../saved-data.ts";
import { type JacobianPattern, type PartitionChoice, partitionStages } from "./partition-stages.ts";

/** Arrays of fixed length: one entry per loop, per speed (dependents of all stages in order, then -1), and per possible stage. */
const emptyChoice = (loops: number, nu: number) => ({
  ranks: new Int32Array(loops),
  dependents: new Int32Array(nu).fill(-1),
  counts: new Int32Array(loops + 1),
  deferring: new Int32Array(loops + 1),
});

export function savedChoice({ table, stages }: PartitionChoice, nu: number) {
  const saved = emptyChoice(table.loops.length, nu);
  saved.ranks.set(table.loops.map(({ rank }) => rank));
  saved.dependents.set(stages.flatMap(({ dependents }) => dependents));
  for (const [s, { dependents, deferredTo }] of stages.entries()) {
    saved.counts[s] = dependents.length;
    saved.deferring[s] = deferredTo === undefined ? 0 : 1;
  }
  return saved;
}

/** The choice that was saved. @throws FormatError if it is no choice for this model. */
export function restoredChoice(model: Model, pattern: JacobianPattern, saved: unknown, path: string): PartitionChoice {
  const { rowsOfLoop } = pattern;
  const choice = emptyChoice(rowsOfLoop.length, model.nu);
  takeSaved(choice, saved, path);
  const { ranks, dependents, counts, deferring } = choice;
  for (const [k, rows] of rowsOfLoop.entries()) checkSavedInteger(ranks[k]!, 0, rows.length, `${path}.ranks[${k}]`);
  const used = new Set<number>();
  let stage = 0;
  const restored = partitionStages(model, pattern, ranks, ({ rows, candidates }) => {
    checkSavedInteger(counts[stage]!, 0, Math.min(rows.length, model.nu - used.size), `${path}.counts[${stage}]`);
    checkSavedInteger(deferring[stage]!, 0, 1, `${path}.deferring[${stage}]`);
    const own = [...dependents.subarray(used.size, used.size + counts[stage]!)];
    for (const u of own) {
      if (!candidates.includes(u) || used.has(u))
        refuseSaved(`${path}.dependents[${used.size}]`, "must be a speed that its equations can determine, once", u);
      used.add(u);
    }
    return { dependents: own, isDeferring: deferring[stage++] === 1 };
  });
  const surplus = counts.findIndex((count, s) => s >= stage && count !== 0);
  if (surplus >= 0) refuseSaved(`${path}.counts[${surplus}]`, "must be 0 because there is no such stage", counts[surplus]);
  return restored;
}

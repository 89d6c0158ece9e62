/** Compares the stores of two campaigns case by case. For Node only. */
import { FormatError } from "../errors.ts";
import { type CampaignComparison, compareRows } from "./compare.ts";
import type { CaseRow } from "./run-case.ts";
import type { CaseStore } from "./store/store.ts";

/** Second less first, over the cases and measures that both have. @throws FormatError if they have no measure or no seed in common */
export async function compareStores(first: CaseStore, second: CaseStore): Promise<CampaignComparison> {
  const indexIn = (store: CaseStore, name: string): number =>
    store.manifest.measures.findIndex((measure) => measure.name === name);
  const names = first.manifest.measures.map(({ name }) => name).filter((name) => indexIn(second, name) >= 0);
  if (names.length === 0) throw new FormatError(`${first.folder} and ${second.folder} have no measure in common`);
  for (const key of ["seed", "design"] as const)
    if (first.manifest[key] !== second.manifest[key])
      throw new FormatError(
        `${first.folder} and ${second.folder} have no common random numbers: their ${key} is ${first.manifest[key]} and ${second.manifest[key]}`,
      );
  const rowsOf = async (store: CaseStore): Promise<Map<number, CaseRow>> => {
    const rows = new Map<number, CaseRow>();
    for await (const row of store.rows()) rows.set(row.case, row);
    return rows;
  };
  const indices = names.map((name) => [indexIn(first, name), indexIn(second, name)] as const);
  return compareRows(names, await rowsOf(first), await rowsOf(second), indices);
}

/** Cases of a campaign: the drawn values of each, and its scenario. A case depends on the campaign and its number only. */
import { checkCount, checkMembers } from "../arguments.ts";
import { loadScenario } from "../scenario/load.ts";
import { withMaps } from "../scenario/open.ts";
import type { Override } from "../scenario/override.ts";
import type { Scenario } from "../scenario/scenario.ts";
import type { Campaign } from "./campaign.ts";
import type { Cell } from "./dispersions/kind.ts";

/** A case: its number, the changes of the scenario, and the drawn values as entries of the table. */
export interface Case {
  readonly index: number;
  readonly overrides: readonly Override[];
  readonly inputs: readonly Cell[];
}

export const checkCampaign = (campaign: unknown): void =>
  checkMembers("campaign", campaign, ["design", "dispersions", "measures"], "a campaign, as openCampaign returns it");

/** The case with a number, counted from 0. */
export function caseOf(campaign: Campaign, index: number): Case {
  checkCampaign(campaign);
  checkCount("index", index);
  const { design, dispersions, correlations } = campaign;
  const u = new Float64Array(dispersions.reduce((sum, { drawing }) => sum + drawing.dimensions, 0));
  design.numbers(index, u);
  for (const correlate of correlations) correlate(u);
  return drawnCase(campaign, index, u);
}

/** The case with given random numbers. */
export function drawnCase(
  { design, dispersions, scenario }: Pick<Campaign, "design" | "dispersions" | "scenario">,
  index: number,
  u: Float64Array,
): Case {
  const overrides: Override[] = [...scenario.overrides];
  const inputs: Cell[] = [];
  const listed = design.listed?.case(index);
  overrides.push(...(listed?.overrides ?? []));
  inputs.push(...(listed?.cells ?? []));
  for (const { name, paths, drawing, start } of dispersions) {
    const { values, cells } = drawing.draw(u.subarray(start, start + drawing.dimensions));
    for (const [i, path] of paths.entries()) overrides.push({ path, value: values[i], from: `dispersion ${name}` });
    inputs.push(...cells);
  }
  return { index, overrides, inputs };
}

/** The exact scenario of a case. @throws ModelError if the drawn values are not possible */
export async function caseScenario(campaign: Campaign, { overrides }: Case): Promise<Scenario> {
  const { text, source, files } = campaign.scenario;
  const isTerrain = ({ path }: Override): boolean => path.startsWith("terrain");
  const ownFiles = overrides.some(isTerrain) && files.readBytes ? await withMaps(text, source, { files, overrides }) : files;
  return loadScenario(text, source, { files: ownFiles, overrides });
}

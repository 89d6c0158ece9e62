/** Processor time of the cases of a campaign, against single runs of the same cases in the same process. */
import { readFileSync } from "node:fs";
import { type Campaign, type CampaignScenario, caseOf, caseScenario, openCampaign, runCase } from "castor/campaign";
import { formatScenario, openScenario, runScenario } from "castor/scenario";

export interface CampaignCost {
  /** Least processor time of a case in the campaign, s. */
  readonly inCampaign: number;
  /** The same of a single run: its scenario file is read, and the same measures are followed. */
  readonly single: number;
  /** The same of a single run that gets the changes of the case instead of its own file. */
  readonly changed: number;
}

const NAME = "campaign-manipulator";
const WARM_UP = 10;
const CASES = 8;

export async function measureCampaign(thorough: boolean): Promise<CampaignCost> {
  const campaign = await openBuiltInCampaign(NAME);
  const peaks = campaign.measures.flatMap((measure) => measure.peaks);
  const texts: string[] = [];
  for (let k = 0; k < WARM_UP; k++) texts.push(formatScenario(await caseScenario(campaign, caseOf(campaign, k))));
  const ways = {
    inCampaign: (k: number): Promise<unknown> => runCase(campaign, k),
    single: async (k: number): Promise<unknown> => runScenario(await openScenario(texts[k]!, `case ${k}`), { peaks }),
    changed: async (k: number): Promise<unknown> => runScenario(await caseScenario(campaign, caseOf(campaign, k)), { peaks }),
  };
  const least = { inCampaign: Number.POSITIVE_INFINITY, single: Number.POSITIVE_INFINITY, changed: Number.POSITIVE_INFINITY };
  for (const run of Object.values(ways)) for (let k = 0; k < WARM_UP; k++) await run(k);
  for (let batch = 0; batch < (thorough ? 20 : 6); batch++)
    for (const [way, run] of Object.entries(ways)) {
      const start = process.cpuUsage();
      for (let k = 0; k < CASES; k++) await run(k);
      const { user, system } = process.cpuUsage(start);
      least[way as keyof typeof ways] = Math.min(least[way as keyof typeof ways], (user + system) / 1e6 / CASES);
    }
  return least;
}

function openBuiltInCampaign(name: string): Promise<Campaign> {
  const read = (path: string): string => readFileSync(new URL(`../../scenarios/${path}`, import.meta.url), "utf8");
  const none = (): never => {
    throw new Error("the scenario names no other files");
  };
  const scenario = (source: string): CampaignScenario => ({
    text: read(`${source}/scenario.yaml`),
    source,
    files: {
      readBeside: (file) => ({ text: read(`${source}/${file}`), source: file }),
      readChosen: none,
      builtIns: [],
      readBuiltIn: none,
    },
  });
  return openCampaign(read(`${name}/campaign.yaml`), name, { files: { readText: none, scenario } });
}

/** Processor time of the cases of a campaign, against single runs of the same cases in the same process. */
import { readFileSync } from "node:fs";
import { type Campaign, type CampaignScenario, CaseRunner, caseOf, caseScenario, openCampaign, runCase } from "castor/campaign";
import { formatScenario, openScenario, runScenario } from "castor/scenario";

export interface CampaignCost {
  /** Least processor time of a case in the campaign, s. */
  readonly inCampaign: number;
  /** The same without pairs of cases. */
  readonly alone: number;
  /** The same of a single run: its scenario file is read, and the same measures are followed. */
  readonly single: number;
  /** The same of a single run that gets the changes of the case instead of its own file. */
  readonly changed: number;
}

const NAME = "campaign-manipulator";
/** A chunk of the campaign: pairs are formed within it. */
const CASES = 20;
const WARM_UP = 3;

export async function measureCampaign(thorough: boolean): Promise<CampaignCost> {
  const campaign = await openBuiltInCampaign(NAME);
  const peaks = campaign.measures.flatMap((measure) => measure.peaks);
  const texts: string[] = [];
  for (let k = 0; k < CASES; k++) texts.push(formatScenario(await caseScenario(campaign, caseOf(campaign, k))));
  const cases = Array.from({ length: CASES }, (_, k) => k);
  const runner = new CaseRunner(campaign);
  const eachCase = (run: (k: number) => Promise<unknown>) => async (): Promise<void> => {
    for (const k of cases) await run(k);
  };
  const ways = {
    inCampaign: () => runner.run(cases, () => undefined),
    alone: eachCase((k) => runCase(campaign, k)),
    single: eachCase(async (k) => runScenario(await openScenario(texts[k]!, `case ${k}`), { peaks })),
    changed: eachCase(async (k) => runScenario(await caseScenario(campaign, caseOf(campaign, k)), { peaks })),
  };
  const none = Number.POSITIVE_INFINITY;
  const least = { inCampaign: none, alone: none, single: none, changed: none };
  for (const run of Object.values(ways)) for (let i = 0; i < WARM_UP; i++) await run();
  for (let batch = 0; batch < (thorough ? 12 : 4); batch++)
    for (const [way, run] of Object.entries(ways)) {
      const start = process.cpuUsage();
      await run();
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

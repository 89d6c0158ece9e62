/** What `castor studio` shows of a campaign: its report, in which every dot opens its case, and single cases. */
import { existsSync, statSync } from "node:fs";
import { join } from "node:path";
import { analyseMeasures, readColumns } from "../../campaign/analysis.ts";
import type { Campaign } from "../../campaign/campaign.ts";
import { caseOf } from "../../campaign/cases.ts";
import { readEnvelopes } from "../../campaign/histories/envelope.ts";
import { campaignHtml } from "../../campaign/report/campaign-page.ts";
import { shellWord } from "../../campaign/report/write-report.ts";
import { identityOf } from "../../campaign/store/manifest.ts";
import { CaseStore } from "../../campaign/store/store.ts";
import { openStoredCampaign } from "../../campaign/stored-campaign.ts";
import { campaignVerdict, summariseCampaign } from "../../campaign/summary.ts";
import { kindOfFile } from "../../formats/file-kind.ts";
import { readText } from "../../formats/node-files.ts";
import { formatOverride } from "../../scenario/override.ts";
import { registerPrintedForms } from "../../validation/register.ts";
import { UsageError } from "../command.ts";
import { loadCampaignArgument } from "../files/campaign-argument.ts";
import { builtInNames, packagePath } from "../files/package-files.ts";
import { fileContent, type ServedContent } from "./studio-files.ts";

/** A campaign in the studio. */
export interface StudioCampaign {
  /** The page with the report; undefined if there is no store. */
  readonly report?: string;
  readonly opened?: ServedContent;
  /** Address of a case within the page of the studio. @throws UsageError if there is no such case */
  address(index: number): string;
}

/** True for a campaign file, a built-in campaign, or the store of one. */
export function isCampaign(what: string): boolean {
  if (!existsSync(what)) return builtInNames("campaign.yaml").includes(what);
  if (statSync(what).isDirectory())
    return (
      existsSync(join(what, "campaign.json")) || (existsSync(join(what, "campaign.yaml")) && !existsSync(join(what, "log.csv")))
    );
  return /\.(ya?ml|json)$/i.test(what) && kindOfFile(readText(what)) === "campaign";
}

/** @throws CommandError, ModelError, FormatError */
export async function studioCampaign(what: string): Promise<StudioCampaign> {
  registerPrintedForms();
  const isStore = existsSync(join(what, "campaign.json"));
  const stored = isStore ? CaseStore.read(what) : undefined;
  const chosen = stored ? { campaign: await openStoredCampaign(stored), name: what } : await loadCampaignArgument(what);
  const { campaign, name } = chosen;
  const store = stored ?? storeOf(join("out", name), campaign);
  const base = await baseOf(campaign, stored !== undefined);
  return {
    ...(store && { report: await reportOf(store, campaign, what, isStore) }),
    ...(base.opened && { opened: base.opened }),
    address(index) {
      if (index >= campaign.cases)
        throw new UsageError(`--case must be below ${campaign.cases}, the number of cases, got ${index}`);
      const changes = caseOf(campaign, index).overrides.map((override) => ["set", formatOverride(override)]);
      return `${base.address}?${new URLSearchParams(changes)}`;
    },
  };
}

/** The store of a campaign in a folder, if it is there and belongs to it. */
function storeOf(folder: string, campaign: Campaign): CaseStore | undefined {
  if (!existsSync(join(folder, "campaign.json"))) return undefined;
  const store = CaseStore.read(folder);
  return store.manifest.identity === identityOf(campaign) ? store : undefined;
}

/** The scenario of all cases: a built-in one by its address, another one as content. */
async function baseOf(
  { scenario, definition }: Campaign,
  isStored: boolean,
): Promise<{ readonly address: string; readonly opened?: ServedContent }> {
  const builtIn = builtInNames("scenario.yaml").find((name) => {
    const path = join("scenarios", name, "scenario.yaml");
    return scenario.source.endsWith(path) && scenario.text === readText(packagePath(path));
  });
  if (!isStored && builtIn !== undefined) return { address: `#/scenario/${encodeURIComponent(builtIn)}` };
  if (!isStored) return { address: "#/opened", opened: await fileContent(scenario.source) };
  const text = JSON.stringify(definition.scenario);
  return { address: "#/opened", opened: { name: "scenario", files: [{ path: "scenario.json", text }] } };
}

async function reportOf(store: CaseStore, campaign: Campaign, what: string, isStore: boolean): Promise<string> {
  const summary = await summariseCampaign(store, campaign);
  const columns = await readColumns(store, campaign);
  return campaignHtml({
    ...{ campaign, summary, columns },
    commands: { ...(!isStore && { run: `castor campaign ${shellWord(what)}` }), studio: `castor studio ${shellWord(what)}` },
    verdict: campaignVerdict(campaign, summary),
    analysis: analyseMeasures(campaign, columns),
    envelopes: await readEnvelopes(store, campaign),
    linkOf: (index) => `case/${index}`,
  });
}

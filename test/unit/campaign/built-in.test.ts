/** All built-in campaigns open, and the scenario of their first case can be built. */
import { expect, it } from "vitest";
import { caseOf, caseScenario } from "../../../src/campaign/cases.ts";
import { loadCampaignArgument } from "../../../src/cli/files/campaign-argument.ts";
import { builtInNames } from "../../../src/cli/files/package-files.ts";

it.each(builtInNames("campaign.yaml"))("%s opens", async (name) => {
  const { campaign } = await loadCampaignArgument(name);
  expect(campaign.histories?.list.length, "histories").toBeGreaterThan(0);
  expect((await caseScenario(campaign, caseOf(campaign, 0))).duration).toBeGreaterThan(0);
});

import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { parse } from "yaml";
import { campaignJsonSchema } from "../../../src/campaign/schema.ts";
import { CAMPAIGNS } from "../../fixtures/built-in.ts";
import { OSCILLATOR_CAMPAIGN } from "../../fixtures/campaigns.ts";
import { schemaProblems } from "../../fixtures/json-schema.ts";

it("the schema of campaigns in the repository is up to date (vitest -u writes it)", async () => {
  await expect(campaignJsonSchema()).toMatchFileSnapshot("../../../schema/campaign.schema.json");
});

it("accepts the built-in campaigns, and refuses unknown keys", () => {
  const schema = campaignJsonSchema();
  const files = CAMPAIGNS.map((name) => parse(readFileSync(`scenarios/${name}/campaign.yaml`, "utf8")));
  expect(files.length).toBeGreaterThan(1);
  for (const file of [...files, parse(OSCILLATOR_CAMPAIGN)]) {
    expect(schemaProblems(schema, file)).toEqual([]);
    expect(schemaProblems(schema, { ...file, mystery: 1 })).not.toEqual([]);
  }
});

/** The tables of docs/campaigns.md, from the declaration of campaign files (vitest -u writes them). */
import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { CAMPAIGN, DISPERSION_COMMON } from "../../../src/campaign/declaration.ts";
import { DESIGNS } from "../../../src/campaign/designs/index.ts";
import { DISPERSIONS } from "../../../src/campaign/dispersions/index.ts";
import { MEASURES } from "../../../src/campaign/measures/index.ts";
import { FILE_HEADER } from "../../../src/formats/model-schema.ts";
import { kindParameterTable, kindTable, pageWithTables, parameterTable } from "../../fixtures/reference-tables.ts";

it("campaigns.md has every key of the declaration", async () => {
  const tables = {
    campaign: parameterTable({ ...FILE_HEADER, ...CAMPAIGN }),
    "dispersion-kinds": kindTable(DISPERSIONS),
    "dispersion-parameters": kindParameterTable(withCommon()),
    "design-kinds": kindTable(DESIGNS),
    "design-parameters": kindParameterTable(DESIGNS),
    "measure-kinds": kindTable(MEASURES),
    "measure-parameters": kindParameterTable(MEASURES),
  };
  await expect(pageWithTables(readFileSync("docs/campaigns.md", "utf8"), tables)).toMatchFileSnapshot(
    "../../../docs/campaigns.md",
  );
});

/** The kinds with the parameters of all of them. */
const withCommon = (): typeof DISPERSIONS =>
  Object.fromEntries(
    Object.entries(DISPERSIONS).map(([name, kind]) => [
      name,
      { ...kind, parameters: { ...DISPERSION_COMMON, ...kind.parameters } },
    ]),
  );

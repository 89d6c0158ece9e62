/** docs/parts.md: every kind of force, controller, device and terrain with its parameters, from their declarations. */
import { describe, expect, it } from "vitest";
import { stringify } from "yaml";
import type { Parameters } from "../../../src/declare/parameters.ts";
import { CONTROLLERS } from "../../../src/parts/control/controllers.ts";
import { FORCES } from "../../../src/parts/force/forces.ts";
import { TERRAINS } from "../../../src/parts/terrain/terrain.ts";
import { DEVICES } from "../../../src/scenario/read/devices.ts";
import { parameterTable } from "../../fixtures/reference-tables.ts";

interface Kind {
  readonly about: string;
  readonly parameters: Parameters;
  readonly examples?: readonly object[];
}

const flow = (value: object): string => stringify(value, { collectionStyle: "flow", lineWidth: 0 }).trim();

function section(name: string, { about, parameters, examples = [] }: Kind): string {
  const example = examples[0] && `\`\`\`yaml\nNAME: ${flow({ kind: name, ...examples[0] })}\n\`\`\``;
  return [`### ${name}`, about, parameterTable(parameters, [], "parameter"), ...(example ? [example] : [])].join("\n\n");
}

const all = (kinds: Readonly<Record<string, Kind>>): string[] => Object.entries(kinds).map(([name, kind]) => section(name, kind));

const page = `${[
  "# Forces, controllers, devices and terrain",
  "What a [scenario](scenario-format.md) may have under `forces`, `controllers`, `devices` and `terrain`, each by a name of your choice. This page\nis written from the declarations: `npx vitest run test/unit/scenario/parts-page.test.ts --update`.",
  "Where a unit depends on the freedom, the first is for a turn and the second for a slide. A hinge with one freedom goes by its\nname, one of several by `hinge.part` as in the names of speeds.",
  "## Forces",
  ...all(FORCES),
  "## Controllers",
  ...all(CONTROLLERS),
  "## Devices",
  ...all(DEVICES),
  "## Terrain",
  ...all(TERRAINS),
].join("\n\n")}\n`;

describe("the documentation of scenarios", () => {
  it("has every kind of part with every parameter", async () => {
    await expect(page).toMatchFileSnapshot("../../../docs/parts.md");
  });
});

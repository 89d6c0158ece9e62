/** docs/parts.md: every kind of force, controller, device and terrain with its parameters, from their declarations. */
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { stringify } from "yaml";
import type { Parameter, Parameters, Unit } from "../../../src/declare/parameters.ts";
import { CONTROLLERS } from "../../../src/parts/control/controllers.ts";
import { FORCES } from "../../../src/parts/force/forces.ts";
import { TERRAINS } from "../../../src/parts/terrain/terrain.ts";
import { DEVICES } from "../../../src/scenario/read/devices.ts";

interface Kind {
  readonly about: string;
  readonly parameters: Parameters;
  readonly examples?: readonly object[];
}

const unitText = (unit: Unit): string => (typeof unit === "string" ? unit : `${unit.turn} or ${unit.slide}`);

function typeText(p: Parameter): string {
  switch (p.type) {
    case "number":
      return unitText(p.unit) || "number";
    case "numbers":
      return `${unitText(p.unit) || "number"}, one or one per freedom`;
    case "vector":
      return `3 × ${p.unit}`;
    case "choice":
      return p.of.map((o) => `\`${o}\``).join(", ");
    case "choices":
      return `list of ${p.of.map((o) => `\`${o}\``).join(", ")}`;
    case "table":
      return `rows [${p.columns.join(", ")}], in ${unitText(p.units.x)} and ${unitText(p.units.y)}`;
    case "trajectory":
      return `${unitText(p.unit)}, or rows [time, value]`;
    case "list":
      return `list of ${Object.keys(p.of)
        .map((key) => `\`${key}\``)
        .join(", ")}`;
    case "direction":
      return "`x`, `y`, `z` or three numbers";
    case "freedoms":
      return "hinge, freedom, or list";
    default:
      return p.type;
  }
}

const defaultText = (p: Parameter): string =>
  p.default !== undefined ? `\`${JSON.stringify(p.default)}\`` : p.optional ? "none" : "needed";

const rowsOf = (declared: Parameters, prefix = ""): string[] =>
  Object.entries(declared).flatMap(([key, p]) => [
    `| \`${prefix}${key}\` | ${typeText(p)} | ${defaultText(p)} | ${p.about.replaceAll("|", "\\|")} |`,
    ...(p.type === "list" ? rowsOf(p.of, `${prefix}${key}[].`) : []),
  ]);

const flow = (value: object): string => stringify(value, { collectionStyle: "flow", lineWidth: 0 }).trim();

function section(name: string, { about, parameters, examples = [] }: Kind): string {
  const example = examples[0] && `\`\`\`yaml\nNAME: ${flow({ kind: name, ...examples[0] })}\n\`\`\``;
  return [
    `### ${name}`,
    about,
    ["| parameter | is | default | what |", "| --- | --- | --- | --- |", ...rowsOf(parameters)].join("\n"),
    ...(example ? [example] : []),
  ].join("\n\n");
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

  it("explains every key of the schema", () => {
    const text = readFileSync("docs/scenario-format.md", "utf8");
    const schema = JSON.parse(readFileSync("schema/scenario.schema.json", "utf8")) as Record<string, Record<string, Inner>>;
    const keys = Object.entries(schema.properties!).flatMap(([key, inner]) => [key, ...Object.keys(inner.properties ?? {})]);
    const plot = Object.keys(schema.definitions!.plot!.properties ?? {});
    expect([...keys, ...plot].filter((key) => key !== "$schema" && key !== "castor" && !text.includes(`\`${key}\``))).toEqual([]);
  });
});

interface Inner {
  readonly properties?: Readonly<Record<string, unknown>>;
}

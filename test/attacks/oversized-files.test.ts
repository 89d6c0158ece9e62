/** Files that are far too large are refused before they are parsed: within a second, see src/formats/oversized.ts. */
import { describe, expect, test } from "vitest";
import { readDocument } from "../../src/formats/document.ts";
import { kindOfFile } from "../../src/formats/file-kind.ts";
import { parseModel } from "../../src/formats/model-file.ts";
import { oversizedProblem } from "../../src/formats/oversized.ts";
import { loadScenario } from "../../src/scenario/load.ts";

const repeat = (count: number, line: (i: number) => string): string => Array.from({ length: count }, (_, i) => line(i)).join("");
const bodiesYaml = (count: number): string =>
  `castor: 1\nname: chain\nbodies:\n${repeat(count, (i) => `  - name: b${i}\n    mass: 1\n    inertia: [1, 1, 1]\n    hinge: { kind: revolute }\n${i > 0 ? `    parent: b${i - 1}\n` : ""}`)}`;
const bodiesJson = (count: number): string =>
  JSON.stringify({
    castor: 1,
    name: "chain",
    bodies: Array.from({ length: count }, (_, i) => ({
      name: `b${i}`,
      mass: 1,
      inertia: [1, 1, 1],
      hinge: { kind: "revolute" },
    })),
  });
const MODEL = "model: { name: m, bodies: [{ name: a, mass: 1, inertia: [1, 1, 1], hinge: { kind: revolute } }] }";

describe("five megabytes of unknown keys", () => {
  test.each([
    ["at the root of a scenario", `castor: 1\nduration: 1\n${MODEL}\n${repeat(200_000, (i) => `unknown-key-${i}: ${i}\n`)}`, 1],
    ["in a body", `castor: 1\nname: m\nbodies:\n  - name: a\n${repeat(250_000, (i) => `    unknown-${i}: 1\n`)}`, 4],
    ["as forces", `castor: 1\nduration: 1\n${MODEL}\nforces:\n${repeat(180_000, (i) => `  f${i}: { kind: nonsense }\n`)}`, 5],
  ])("%s", (_, text, line) => {
    expect(text.length).toBeGreaterThan(4.5e6);
    const read = (): unknown => (kindOfFile(text) === "model" ? parseModel(text) : loadScenario(text));
    expect(read).toThrow(
      new RegExp(
        `line ${line}, column 1: has 20001 or more keys at one level, at most 20000 are read\\. This is not a file of Castor`,
      ),
    );
  });

  test("in JSON", () => {
    const text = JSON.stringify({
      castor: 1,
      ...Object.fromEntries(Array.from({ length: 200_000 }, (_, i) => [`unknown-key-${i}`, i])),
    });
    expect(() => loadScenario(text)).toThrow(/line 1, column 1: has 200001 keys at one level/);
  });
});

describe("10,001 bodies", () => {
  test.each([
    ["YAML", bodiesYaml(10_001), "line 3, column 1"],
    ["JSON", bodiesJson(10_001), "line 1, column 28"],
    [
      "a scenario",
      `castor: 1\nduration: 1\nmodel:\n${bodiesYaml(10_001)
        .replace(/^castor.*\n/, "")
        .replace(/^/gm, "  ")}`,
      "line 5, column 1",
    ],
  ])("in %s", (_, text, place) => {
    expect(() => readDocument(text, "large")).toThrow(`bodies (${place}): at most 10000 bodies, this has 10001`);
  });
});

test("what a file may have is left to the parser", () => {
  for (const text of [bodiesYaml(10_000), bodiesJson(10_000), `about: |\n${repeat(30_000, (i) => `  line ${i}\n`)}`])
    expect(oversizedProblem(text)).toBeUndefined();
  const table = `forces:\n  pull:\n    table:\n${repeat(30_000, (i) => `      - [${i}, 1]\n`)}bodies:\n${repeat(5, (i) => `  - name: b${i}\n`)}`;
  expect(oversizedProblem(table)).toBeUndefined();
  expect(kindOfFile(bodiesYaml(10_000))).toBe("model");
  expect(kindOfFile(`# ${"-".repeat(300_000)}\n"model": x\nduration: 3\n`)).toBe("scenario");
});

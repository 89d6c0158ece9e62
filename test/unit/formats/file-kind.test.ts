/** The kind of a file is detected from its root keys, whatever its syntax. */
import { describe, expect, test } from "vitest";
import { ModelError } from "../../../src/errors.ts";
import { kindOfFile } from "../../../src/formats/file-kind.ts";
import { loadScenario } from "../../../src/scenario/load.ts";

const FLOW_MODEL = "{castor: 1, name: m, bodies: [{name: a, mass: 1, inertia: [1, 1, 1], hinge: {kind: prismatic}}]}";

describe("a file is", () => {
  test.each([
    ["a model in lines", "castor: 1\nname: m\nbodies:\n  - name: a\n", "model"],
    ["a model in braces", FLOW_MODEL, "model"],
    ["a model in braces over lines, behind a comment", `# model: not yet\n${FLOW_MODEL.replaceAll(", ", ",\n  ")}`, "model"],
    ["a model in JSON", '{"name": "m", "bodies": []}', "model"],
    ["a model with quoted keys", "\"name\": m\n'bodies': []", "model"],
    ["a model with a key on its own line", "? bodies\n: []", "model"],
    ["a model with a text in which another key stands", "name: |\n  model:\n  duration:\nbodies: []", "model"],
    ["a scenario in lines", "model: arm.yaml\nduration: 10\n", "scenario"],
    ["a scenario in braces", "{model: {name: m, bodies: []}, duration: 2}", "scenario"],
    ["a scenario without its model", "duration: 10\nforces: []", "scenario"],
    ["a state in braces", "{castor: 1, q: {a: 1}}", "state"],
    ["a log", '{"castor": "log", "channels": [], "columns": []}', "log"],
    ["a summary", '{"castor": "run", "audit": [], "outcome": {}}', "summary"],
    ["a model with a fault in it", "name: m\nbodies:\n  - {mass: 1\n", "model"],
  ])("%s", (_, text, kind) => {
    expect(kindOfFile(text)).toBe(kind);
  });

  test.each(["", "12", "[model, bodies]", "null", "\u0000", "{".repeat(1000), '"model: bodies"'])(
    "of unknown kind: %j",
    (text) => {
      expect(kindOfFile(text)).toBeUndefined();
    },
  );
});

test.each([FLOW_MODEL, "name: m\nbodies: []\n"])("a model given as a scenario is reported once: %j", (text) => {
  let error: unknown;
  try {
    loadScenario(text, "arm.yaml");
  } catch (thrown) {
    error = thrown;
  }
  expect(error).toBeInstanceOf(ModelError);
  const { problems } = error as ModelError;
  expect(problems).toHaveLength(1);
  expect(problems[0]).toMatchObject({
    path: "bodies",
    message: expect.stringMatching(/is a model file, not a scenario/),
    line: expect.any(Number),
  });
});

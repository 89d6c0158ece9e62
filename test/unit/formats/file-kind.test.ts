/** The kind of a file is detected from its root keys, whatever its syntax. */
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { ModelError } from "../../../src/errors.ts";
import { kindOfFile } from "../../../src/formats/file-kind.ts";
import { readText } from "../../../src/formats/node-files.ts";
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

describe("files of other programs are named by their kind", () => {
  const messageOf = (text: string, name: string): string => {
    try {
      loadScenario(text, name);
    } catch (error) {
      return (error as ModelError).problems.map(({ message, advice }) => `${message}. ${advice}`).join("\n");
    }
    return "";
  };
  test.each([
    ["part.stl", "solid x\nfacet normal 0 0 1\n", /^this is a mesh \(STL\)\. Name the model/],
    ["x", "solid x\nfacet normal 0 0 1\n", /^this is a mesh \(STL\)/],
    ["x", "# made by\nv 0 0 1\nv 1 0 0\n", /^this is a mesh \(Wavefront OBJ\)/],
    ["arm.yaml", '<robot name="x"><link name="a"/></robot>', /^this is a URDF or SRDF file\. Name it as the model/],
    ["arm.yaml", "<mujoco><worldbody/></mujoco>", /^this is an MJCF file of MuJoCo/],
    ["arm.sdf", '<?xml version="1.0"?>\n<!-- c -->\n<sdf version="1"/>', /^this is an SDF file of Gazebo/],
    ["x", "t [s],q.arm [rad]\n0,1\n", /^this is a log \(CSV\)/],
    ["x.mo", "model X\n Real x;\nend X;", /^this is a Modelica model/],
    ["x.json", '{"castor": "log", "channels": [], "columns": []}', /^this is a log, not a scenario/],
    ["x.json", '{"castor": "run", "audit": [], "outcome": {}}', /^this is the summary of a run/],
    ["x.yaml", "q: { a: 1 }", /^this is a state file, not a scenario/],
    ["x.yaml", "scenario: a\ndispersions: {}\nmeasures: {}", /^this is a campaign, not a scenario/],
  ])("%s %j", (name, text, expected) => {
    expect(messageOf(text, name)).toMatch(expected);
  });

  test("a text that is no known file keeps its own message", () => {
    expect(messageOf("hello world", "x")).toMatch(/^must be an object with keys/);
  });

  test.each([
    ["p.png", [0x89, 0x50, 0x4e, 0x47, 0xff], "this is a picture"],
    ["robot.urdf.gz", [0x1f, 0x8b, 8], "this is a compressed file"],
    ["hand.stl", [0xff, 0xfe, 0xff], "this is a mesh (STL)"],
    ["what", [0xff, 0xfe, 0xff], "is not UTF-8 text"],
  ])("%s as bytes", (name, bytes, expected) => {
    const path = join(mkdtempSync(join(tmpdir(), "castor-kind-")), name);
    writeFileSync(path, Uint8Array.from(bytes));
    expect(() => readText(path)).toThrow(expect.objectContaining({ problems: [expect.objectContaining({ message: expected })] }));
  });
});

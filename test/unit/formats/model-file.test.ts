import { readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { describeProblem, ModelError, type Problem } from "../../../src/errors.ts";
import { formatModel, parseModel } from "../../../src/formats/model-file.ts";
import { loadModelFile } from "../../../src/formats/node-files.ts";
import { createModel } from "../../../src/model/build/create-model.ts";
import { homeOf, type Model } from "../../../src/model/model.ts";
import { description } from "../../fixtures/models/arbitrary-model.ts";
import { residuals } from "../../fixtures/models/closure.ts";
import { expectSame } from "../../fixtures/models/same-model.ts";

const LINK = "mass: 1, inertia: [1, 1, 1], hinge: {kind: revolute}";
const WELL = `name: m\nbodies:\n  - {name: a, ${LINK}}\n`;

function problemsOf(text: string): readonly Problem[] {
  try {
    parseModel(text, "arm.yaml");
  } catch (error) {
    expect(error).toBeInstanceOf(ModelError);
    expect((error as ModelError).source).toBe("arm.yaml");
    return (error as ModelError).problems;
  }
  throw new Error("no problem was found");
}

describe("parseModel", () => {
  test("reads YAML and JSON alike", () => {
    const json = JSON.stringify({
      castor: 1,
      $schema: "s",
      name: "m",
      bodies: [{ name: "a", mass: 1, inertia: [1, 1, 1], hinge: { kind: "revolute" } }],
    });
    expect(JSON.stringify(parseModel(json))).toBe(JSON.stringify(parseModel(WELL)));
  });

  test("understands units", () => {
    const text = `
name: m
gravity: [0, 0, -9810 mm/s^2]
bodies:
  - name: a
    mass: 250 g
    com: [120 mm, 5 cm, 1.5]
    inertia: [3 kg m^2, 30000 kg cm^2, 3]
    hinge: {kind: helical, pitch: 5 mm/rad, at: [1 km, 0, 0], rotation: {rpy: [90 deg, 0, 0 rad]}}
    frames: {mass: {at: [1 mm, 0, 0]}}`;
    const [body] = parseModel(text).bodies;
    expect(body).toMatchObject({ mass: 0.25, com: [0.12, 0.05, 1.5] });
    expect(body!.inertia.map((row, i) => row[i])).toEqual([3, 3, 3]);
    expect(body!.hinge.parameters).toEqual({ pitch: 0.005 });
    expect(body!.hinge.onParent).toEqual({
      p: [1000, 0, 0],
      R: [
        [1, 0, 0],
        [0, 0, -1],
        [0, 1, 0],
      ],
    });
    expect(parseModel(text).gravity).toEqual([0, 0, -9.81]);
    expect(parseModel(text).frames[0]).toMatchObject({ name: "mass", placement: { p: [0.001, 0, 0] } });
  });

  test("understands units of loops, those of a motion by its hinge", () => {
    const text = `
name: m
bodies:
  - {name: a, mass: 1, inertia: [1, 1, 1], hinge: {kind: revolute}}
  - {name: b, mass: 1, inertia: [1, 1, 1], hinge: {kind: cylindrical, name: c}}
loops:
  - {name: rod, kind: distance, length: 50 cm, from: {body: a, at: [1 mm, 0, 0]}, to: {body: world}}
  - {name: screw, kind: helical, pitch: 2 mm/rad, from: {body: a}, to: {body: b, rotation: {rpy: [90 deg, 0, 0]}}}
  - {name: turn, kind: prescribed, hinge: a, motion: {offset: 90 deg, rate: 60 rpm, amplitude: 1 rad, frequency: 30 rpm, phase: 180 deg}}
  - {name: slide, kind: prescribed, hinge: c.z, motion: {offset: 3 mm, rate: 5 mm/s, amplitude: 1 cm, frequency: 2, phase: 90 deg}}
  - {name: spin, kind: prescribed, hinge: c.rz, motion: {rate: 1 deg/s}}`;
    const { loops } = parseModel(text);
    expect(loops[0]).toMatchObject({ parameters: { length: 0.5 }, from: { placement: { p: [0.001, 0, 0] } } });
    expect(loops[1]).toMatchObject({ parameters: { pitch: 0.002 } });
    const motion = { offset: Math.PI / 2, rate: 2 * Math.PI, amplitude: 1, frequency: Math.PI, phase: Math.PI };
    expect(loops[2]).toMatchObject({ motion });
    expect(loops[3]).toMatchObject({ motion: { offset: 0.003, rate: 0.005, amplitude: 0.01, frequency: 2, phase: Math.PI / 2 } });
    expect(loops[4]).toMatchObject({ motion: { rate: Math.PI / 180 } });
  });

  test("a warning has its line", () => {
    const { warnings } = parseModel(WELL.replace("inertia: [1, 1, 1]", "inertia: [1, 1, 5]"));
    expect(warnings).toMatchObject([{ path: "bodies[0].inertia", line: 3, column: 24 }]);
  });

  test("returns frozen models", () => {
    const model = parseModel(WELL);
    expect([model, model.warnings, model.bodies].every(Object.isFrozen)).toBe(true);
  });
});

const LOOPED = `${WELL}loops:
  - {name: rod, kind: distance, length: 1 m, from: {body: world}, to: {body: a}}
  - name: drive
    kind: prescribed
    hinge: a
    motion: {rate: 6 rpm}
`;

/** [what, text, line, column, path, message]. */
const PROBLEMS: readonly [string, string, number, number, string, RegExp][] = [
  ["a bad value", WELL.replace("mass: 1", "mass: -1"), 3, 21, "bodies[0].mass", /must not be negative/],
  [
    "an unknown key",
    WELL.replace("mass:", "masse: 3, mass:"),
    3,
    22,
    "bodies[0].masse",
    /unknown key, got "masse". Did you mean "mass"\?/,
  ],
  ["an unknown key at the root", `${WELL}gravty: [0, 0, 0]\n`, 4, 1, "gravty", /Did you mean "gravity"\?/],
  [
    "a missing key",
    "name: m\nbodies:\n  - name: a\n    mass: 1\n    hinge: {kind: free}\n",
    3,
    5,
    "bodies[0].inertia",
    /is missing/,
  ],
  ["an item of a list", `${WELL}gravity: [0, x, 0]\n`, 4, 14, "gravity[1]", /must be a number, got "x"/],
  [
    "a block",
    "name: m\nbodies:\n  - name: a\n    mass: 1\n    inertia: none\n    hinge:\n      kind: free\n      axis: x\n",
    8,
    13,
    "bodies[0].hinge.axis",
    /a free hinge has no axis/,
  ],
  [
    "an unknown unit",
    WELL.replace("mass: 1", "mass: 1 lb"),
    3,
    21,
    "bodies[0].mass",
    /unknown unit "lb", got "1 lb". Accepted: kg, g, t/,
  ],
  [
    "a wrong unit",
    WELL.replace("mass: 1", "mass: 1 mm"),
    3,
    21,
    "bodies[0].mass",
    /mm is of the wrong dimension, m instead of kg.*Accepted: kg, g, t/,
  ],
  [
    "a quantity without unit",
    WELL.replace("mass: 1", 'mass: "1"'),
    3,
    21,
    "bodies[0].mass",
    /text must have a number and a unit/,
  ],
  [
    "a unit where there is none",
    WELL.replace("revolute", "revolute, axis: [1 m, 0, 0]"),
    3,
    75,
    "bodies[0].hinge.axis[0]",
    /must be a number, got "1 m"/,
  ],
  ["not a number", WELL.replace("mass: 1", "mass: .nan"), 3, 21, "bodies[0].mass", /finite number, got NaN/],
  ["infinity", WELL.replace("mass: 1", "mass: 1e999"), 3, 21, "bodies[0].mass", /finite number, got Infinity/],
  [
    "another version",
    `castor: 2\n${WELL}`,
    1,
    9,
    "castor",
    /unknown format version, got 2. This version of Castor reads castor: 1/,
  ],
  ["a key twice", WELL.replace("mass: 1", "mass: 1, mass: 2"), 3, 24, "bodies[0].mass", /the key is given twice, got "mass"/],
  ["a key twice in JSON", '{"name": "m",\n "name": "n", "bodies": []}', 2, 2, "name", /given twice/],
  [
    "an alias",
    WELL.replace("mass: 1", "mass: *m"),
    3,
    21,
    "bodies[0].mass",
    /aliases are not accepted, got "\*m". Write the value out/,
  ],
  ["a merge key", WELL.replace("mass: 1", "mass: 1, <<: {}"), 3, 24, "bodies[0].<<", /unknown key/],
  ["a polluting key", '{"__proto__": {"polluted": 1}, "name": "m", "bodies": []}', 1, 2, "__proto__", /unknown key/],
  ["a key of JavaScript's", WELL.replace("mass: 1", "mass: 1, constructor: {}"), 3, 24, "bodies[0].constructor", /unknown key/],
  [
    "an odd frame name",
    WELL.replace("mass: 1", 'frames: {"a.b": {}}, mass: 1'),
    3,
    24,
    'bodies[0].frames["a.b"]',
    /must not contain/,
  ],
  [
    "an unknown body of a loop",
    LOOPED.replace("body: a", "body: b"),
    5,
    78,
    "loops[0].to.body",
    /no body has this name, got "b"/,
  ],
  ["a wrong unit of a rod", LOOPED.replace("1 m", "1 kg"), 5, 41, "loops[0].length", /the unit kg is of the wrong dimension/],
  ["a wrong unit of a motion", LOOPED.replace("6 rpm", "6 m/s"), 9, 20, "loops[1].motion.rate", /m\/s instead of rad\/s/],
  ["an unknown driven hinge", LOOPED.replace("hinge: a", "hinge: x"), 8, 12, "loops[1].hinge", /no hinge has this name, got "x"/],
  ["a tag", WELL.replace("mass: 1", "mass: !js 1"), 3, 21, "", /this tag is not accepted/],
  ["a tag of YAML 1.1", WELL.replace("name: a", "name: !!binary aGVsbG8="), 3, 12, "", /this tag is not accepted/],
  ["YAML 1.1", `%YAML 1.1\n---\n${WELL}`, 1, 1, "", /must be YAML 1.2/],
  ["two documents", `${WELL}---\n${WELL}`, 4, 1, "", /holds several documents/],
  ["a list as key", "? [a]\n: 1\n", 1, 3, "", /a key must be text/],
  ["a tab", "name: m\nbodies:\n\t- a\n", 3, 1, "", /use spaces/],
  ["an open bracket", "name: m\nbodies: [{name: a}\n", 3, 1, "", /end with a \]/],
  ["a lost colon", "name m\nbodies: []\n", 1, 1, "", /Implicit|colon|key/i],
  ["a list", "- 1\n", 1, 1, "", /must be an object with keys, got \[1\]/],
  ["nothing", "", 1, 1, "", /must be an object with keys, got null/],
];

describe("problems have their line and column", () => {
  test.each(PROBLEMS)("%s", (_, text, line, column, path, message) => {
    const problem = problemsOf(text).find((p) => p.path === path)!;
    expect(describeProblem(problem)).toMatch(message);
    expect([problem.line, problem.column]).toEqual([line, column]);
  });

  test("a value is reported once", () => {
    expect(problemsOf(LOOPED.replace("1 m", "1 kg").replace("6 rpm", "6 m/s"))).toHaveLength(2);
    expect(problemsOf(WELL.replace("mass: 1", "mass: 1 lb").replace("[1, 1, 1]", "[1, 1 lb, 1]"))).toHaveLength(2);
  });

  test("in the order of the text", () => {
    const text =
      "bodies:\n  - name: a.b\n    mass: 1 lb\n    inertia: *i\n    hinge: {kind: x}\n  - {name: c}\ncastor: 3\nname: ''\n";
    const problems = problemsOf(text);
    expect(problems.map((p) => p.line)).toEqual([2, 3, 4, 5, 6, 6, 6, 7, 8]);
  });

  test("the first 50 are printed and the rest is counted", () => {
    const text = `name: m\nbodies:\n${Array.from({ length: 100 }, (_, i) => `  - {name: b${i}, mass: -1, inertia: none, hinge: {kind: free}}\n`).join("")}`;
    expect(problemsOf(text)).toHaveLength(100);
    expect(() => parseModel(text)).toThrow(/and 50 more$/);
  });

  test("reading stops after 50 syntax errors", () => {
    const problems = problemsOf(`${"[".repeat(20)}${",".repeat(1000)}`);
    expect(problems).toHaveLength(51);
    expect(problems[50]!.message).toBe("there are more problems; reading stopped here");
  });

  test("64 levels are refused for their content only, 65 for their depth", () => {
    const nested = (n: number): string => `name: ${"[".repeat(n - 1)}${"]".repeat(n - 1)}\nbodies: []\n`;
    expect(problemsOf(nested(64))).toMatchObject([{ path: "name" }, { path: "bodies" }]);
    expect(problemsOf(nested(70))).toMatchObject([{ message: "is nested deeper than 64 levels", line: 1 }]);
  });

  test("text must be text", () => {
    expect(() => parseModel(5 as never)).toThrow("must be text, got 5");
  });
});

describe("formatModel", () => {
  test("writes what parseModel reads", () => {
    const property = fc.property(description, (given) =>
      expectSame(parseModel(formatModel(createModel(given))), createModel(given)),
    );
    fc.assert(property, { numRuns: 60 });
  });

  test("writes loops readably", () => {
    const page = readFileSync("docs/model-format.md", "utf8");
    const fourBar = parseModel(page.match(/title="four-bar.yaml"\n([\s\S]*?)```/)![1]!);
    expect(Math.max(...residuals(fourBar, homeOf(fourBar)).map(Math.abs))).toBe(0);
    const text = formatModel(fourBar);
    expect(text.slice(text.indexOf("loops:"))).toMatchInlineSnapshot(`
      "loops:
        - name: pin
          kind: revolute
          from: {frame: tip}
          to: {body: rocker, at: [-1, 2, 0]}
        - name: drive
          kind: prescribed
          hinge: crank
          motion: {rate: 6.283185307179586}
      "
    `);
  });

  test("is readable", () => {
    const model = loadModelFile("scenarios/satellite-manipulator/model.yaml");
    const lines = formatModel(model).split("\n");
    const waist = lines.indexOf("  - name: waist");
    expect(lines.slice(waist, waist + 10).join("\n")).toMatchInlineSnapshot(`
      "  - name: waist
          parent: satellite
          mass: 10
          com: [0, 0, 0.05]
          inertia: [0.01, 0.01, 0.1]
          hinge:
            kind: revolute
            axis: z
            at: [-0.5, 0, 0.5]
          shapes:"
    `);
  });

  test("repeats what is used twice, because aliases are refused", () => {
    for (const name of ["satellite-manipulator", "multi-arm-stabilized"]) {
      const model = loadModelFile(`scenarios/${name}/model.yaml`);
      const text = formatModel(model);
      expect(text).not.toMatch(/[&*]a\d/);
      const shapesOf = (m: Model): unknown =>
        m.bodies.map(({ shapes }) => shapes.map(({ kind, colour, material, copies }) => ({ kind, colour, material, copies })));
      expect(shapesOf(parseModel(text))).toEqual(shapesOf(model));
    }
  });
});

/** Contact with the shapes of a robot file: `kind: collisions` in a force `contact` or `clearance`. */
import { describe, expect, it } from "vitest";
import type { ScenarioFiles } from "../../../src/scenario/files.ts";
import { NO_FILES } from "../../../src/scenario/files.ts";
import { loadScenario } from "../../../src/scenario/load.ts";
import { runScenario } from "../../../src/scenario/run.ts";
import type { Scenario } from "../../../src/scenario/scenario.ts";
import { objText } from "../../fixtures/mesh-bytes.ts";

const inertial = (mass: number): string =>
  `<inertial><mass value="${mass}"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial>`;
const link = (name: string, content: string, mass = 1): string => `<link name="${name}">${inertial(mass)}${content}</link>`;
const joint = (parent: string, child: string, xyz: string): string =>
  `<joint name="${child}-joint" type="continuous"><parent link="${parent}"/><child link="${child}"/><origin xyz="${xyz}"/></joint>`;
const collision = (geometry: string, origin = ""): string => `<collision>${origin}<geometry>${geometry}</geometry></collision>`;
const robot = (...content: readonly string[]): string => `<robot name="r">${content.join("")}</robot>`;

const CHAIN = robot(
  link("base", collision('<box size="1 1 1"/>')),
  link("upper", collision('<cylinder radius="0.1" length="1"/>', '<origin xyz="0 0 0.5" rpy="0 1.5707963267948966 0"/>')),
  link("fore", collision('<sphere radius="0.1"/>') + collision('<sphere radius="0.2"/>', '<origin xyz="0 0 1"/>')),
  link("hand", collision('<mesh filename="hand.obj" scale="0.1 -0.1 0.2"/>')),
  joint("base", "upper", "0 0 2"),
  joint("upper", "fore", "0 0 2"),
  joint("fore", "hand", "0 0 3"),
);

interface Given {
  readonly file?: string;
  readonly options?: ScenarioFiles["importOptions"];
  readonly force: string;
  readonly more?: string;
  readonly duration?: number;
}

function load(text: string, { file = "robot.urdf", options = {}, force, more = "", duration = 1 }: Given): Scenario {
  const files: ScenarioFiles = {
    ...NO_FILES,
    importOptions: { findMesh: (name) => name, ...options },
    readBeside: () => ({ text, source: file }),
    readBytes: () => new TextEncoder().encode(objText()),
  };
  return loadScenario(
    `castor: 1\nmodel: ${file}\nduration: ${duration}\nchannels: ["*"]\n${more}forces:\n  touch: ${force}\n`,
    "s.yaml",
    { files },
  );
}

/** Names of the pairs of the force, in alphabetical order. */
const pairsOf = ({ forces }: Scenario): readonly string[] =>
  forces.flatMap(({ drawn = [] }) => drawn.map(({ name }) => name)).sort();

describe("of a URDF robot", () => {
  it("are the shapes of its collisions; bodies that a joint joins do not touch", () => {
    const scenario = load(CHAIN, { force: "{ kind: contact, shapes: [{ kind: collisions }], law: pressure, modulus: 1e6 }" });
    const { shapes, apart } = (scenario.document.forces as Record<string, unknown>).touch as {
      readonly shapes: readonly Record<string, unknown>[];
      readonly apart: unknown;
    };
    expect(shapes.map(({ kind, name, on }) => [kind, name, on])).toEqual([
      ["box", "base-1", "base"],
      ["cylinder", "upper-1", "upper"],
      ["sphere", "fore-1", "fore"],
      ["sphere", "fore-2", "fore"],
      ["hull", "hand-1", "hand"],
    ]);
    expect(shapes[1]).toMatchObject({ at: [0, 0, 0.5], radius: 0.1, length: 1 });
    expect((shapes[1]!.axis as number[]).map((c) => +c.toFixed(12))).toEqual([1, 0, 0]);
    expect(shapes[4]).toMatchObject({ scale: [0.1, -0.1, 0.2] });
    expect(apart).toEqual([
      { these: ["base"], those: ["upper"] },
      { these: ["fore"], those: ["hand", "upper"] },
    ]);
  });

  it("stand on the ground with their weight", async () => {
    const weight = 8 * 9.81;
    const inner = 0.75 / 2;
    const depth = (weight * inner) / (1e5 * 0.75 * 1.75);
    const crate = robot(
      link("crate", collision('<mesh filename="crate.obj"/>'), 8).replace(
        "<inertial>",
        '<inertial><origin xyz="0.125 0.125 1.0625"/>',
      ),
    );
    const scenario = load(crate, {
      options: { base: "free" },
      force:
        "{ kind: contact, shapes: [{ kind: collisions }], against: [{ kind: plane }], law: pressure, modulus: 1e5, damping: 5, startDepth: 0.01 }",
      more: `state: { q: { crate: [1, 0, 0, 0, 0, 0, ${-0.125 - depth}] } }\n`,
      duration: 0.01,
    });
    // The pressure is lower at the edges of the base, over a width of the order of the depth.
    for (const force of (await runScenario(scenario)).run.log.column("touch.fz"))
      expect(Math.abs(force / weight - 1)).toBeLessThan(0.001);
  });

  it("do not touch where SRDF disables them, and only on the named body", () => {
    const srdf = { source: "r.srdf", text: `<robot name="r"><disable_collisions link1="hand" link2="base"/></robot>` };
    const force = "{ kind: contact, shapes: [{ kind: collisions }], law: pressure, modulus: 1e6 }";
    const all = pairsOf(load(CHAIN, { force }));
    expect(all).toEqual(["base-1-fore-1", "base-1-fore-2", "base-1-hand-1", "upper-1-hand-1"]);
    expect(pairsOf(load(CHAIN, { force, options: { srdf } }))).toEqual(all.filter((name) => name !== "base-1-hand-1"));
    const ofHand =
      "{ kind: contact, shapes: [{ kind: collisions, on: hand }], against: [{ kind: collisions, on: base }], law: pressure, modulus: 1e6 }";
    expect(pairsOf(load(CHAIN, { force: ofHand }))).toEqual(["hand-1-base-1"]);
    const apart =
      "{ kind: contact, shapes: [{ kind: collisions }], apart: [{ these: [hand, fore-2], those: base }], law: pressure, modulus: 1e6 }";
    expect(pairsOf(load(CHAIN, { force: apart }))).toEqual(["base-1-fore-1", "upper-1-hand-1"]);
  });

  it("give distances", async () => {
    const scenario = load(CHAIN, {
      force: "{ kind: clearance, shapes: [{ kind: collisions, on: hand }], against: [{ kind: collisions, on: base }] }",
      duration: 0.01,
    });
    // The hand is a hull from z = 0.2 · 0.125 above the joint at z = 7, the base ends at z = 0.5.
    expect((await runScenario(scenario)).run.log.column("touch.smallest")[0]).toBeCloseTo(7.025 - 0.5, 9);
  });

  it.each([
    [
      "on: elbow",
      "{ kind: contact, shapes: [{ kind: collisions, on: elbow }], law: pressure, modulus: 1 }",
      /no shape of the robot file.*on this body.*elbow/,
    ],
    [
      "apart of nothing",
      "{ kind: contact, shapes: [{ kind: collisions }], apart: [{ these: hnad }], law: pressure, modulus: 1 }",
      /apart\[0\]\.these .*no shape or body has the name .*hnad.*Did you mean .*hand/s,
    ],
  ])("are refused with %s", (_, force, message) => {
    expect(() => load(CHAIN, { force })).toThrow(message);
  });

  it("are refused without a robot file, and for a file without any", () => {
    const force = "{ kind: contact, shapes: [{ kind: collisions }], law: pressure, modulus: 1 }";
    expect(() => load(robot(link("a", ""), link("b", ""), joint("a", "b", "0 0 1")), { force })).toThrow(
      /no shapes that can touch/,
    );
    const own = "name: m\nbodies:\n  - { name: a, mass: 1, inertia: none, hinge: { kind: free } }\n";
    expect(() => load(own, { force, file: "m.yaml" })).toThrow(/not a robot file with collision shapes/);
  });
});

describe("of an MJCF file", () => {
  const body = (name: string, content: string): string => `<body name="${name}"><freejoint/>${content}</body>`;
  const model = (...content: readonly string[]): string => `<mujoco><worldbody>${content.join("")}</worldbody></mujoco>`;
  const force = "{ kind: contact, shapes: [{ kind: collisions }], law: pressure, modulus: 1e6, startDepth: 10 }";

  it("touch by their bit masks, also the geoms of the world", () => {
    const text = model(
      `<geom type="plane" size="1 1 1" contype="2" conaffinity="0"/>`,
      body("a", `<geom size="0.1" contype="1" conaffinity="1"/>`),
      body("b", `<geom size="0.1" contype="4" conaffinity="3"/>`),
      body(
        "c",
        `<geom size="0.1" contype="0" conaffinity="0"/><geom type="ellipsoid" size="0.1 0.2 0.3" contype="0" conaffinity="4" pos="0 0 5"/>`,
      ),
    );
    expect(pairsOf(load(text, { force, file: "m.xml" }))).toEqual(["a-1-b-1", "b-1-c-1", "world-1-b-1"]);
  });

  it("do not touch the body on which they move, unless it is fixed to the world", () => {
    const ball = `<geom size="0.1"/>`;
    const text = model(
      `<body name="post">${ball}<body name="arm"><joint axis="1 0 0"/><joint axis="0 1 0"/>${ball}<body name="tip"><joint/>${ball}<body name="nail">${ball}</body></body></body></body>`,
    );
    expect(pairsOf(load(text, { force, file: "m.xml" }))).toEqual(["post-1-arm-1-2", "post-1-nail-1", "post-1-tip-1"]);
    const allowed = text.replace("<mujoco>", `<mujoco><option><flag filterparent="disable"/></option>`);
    expect(pairsOf(load(allowed, { force, file: "m.xml" }))).toContain("arm-1-2-tip-1");
  });
});

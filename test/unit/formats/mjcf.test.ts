/** MJCF files: loops, actuators, states, includes and mistakes. */
import { describe, expect, it } from "vitest";
import { importModel } from "../../../src/formats/robot/import-model.ts";
import type { ImportOptions } from "../../../src/formats/robot/imported-model.ts";
import { NO_FILES } from "../../../src/scenario/files.ts";
import { loadScenario } from "../../../src/scenario/load.ts";
import { runScenario } from "../../../src/scenario/run.ts";

const CUBE = `${[-1, 1].flatMap((x) => [-1, 1].flatMap((y) => [-1, 1].map((z) => `v ${x} ${y} ${z}`))).join("\n")}
f 1 2 4 3
f 5 7 8 6
f 1 5 6 2
f 3 4 8 7
f 1 3 7 5
f 2 6 8 4
`;
const INERTIAL = '<inertial pos="0.5 0 0" mass="1" diaginertia="0.1 0.2 0.2"/>';
const WORLD = `<worldbody><body name="a" pos="0 0 1" euler="0 30 0"><joint name="j" axis="0 1 0" range="-90 90"/>${INERTIAL}<site name="tip" pos="1 0 0"/>
<body name="b" pos="1 0 0" euler="0 0 20"><joint name="k" type="ball"/>${INERTIAL}</body></body>
<body name="c" pos="2 0 0"><freejoint name="f"/>${INERTIAL}<site name="port" pos="0 1 0" euler="0 0 90"/></body>
<body name="d" pos="0 2 0"><joint name="s" type="slide" axis="1 0 0" ref="0.5"/>${INERTIAL}</body></worldbody>`;
const read = (content: string, options: ImportOptions = {}) =>
  importModel(`<mujoco model="m">${WORLD}${content}</mujoco>`, "m.xml", options);
const problemsOf = (text: string, options: ImportOptions = {}): string => {
  try {
    importModel(text, "m.xml", options);
  } catch (error) {
    return (error as Error).message;
  }
  return "";
};

describe("equality constraints", () => {
  it.each([
    '<connect body1="b" body2="c" anchor="0.3 0.1 0"/>',
    '<connect body1="b" anchor="0.3 0.1 0.2"/>', // not in the plane of a's tangent: there the machine would be singular at all times
    '<weld body1="b" body2="c"/>',
    '<weld body1="c"/>',
    '<joint joint1="j" joint2="s" polycoef="0 2 0 0 0"/>',
    '<joint joint1="s"/>',
  ])("hold in the reference position: %s", async (equality) => {
    const text = `<mujoco>${WORLD}<equality>${equality}</equality></mujoco>`;
    const files = { ...NO_FILES, readBeside: () => ({ text, source: "m.xml" }) };
    const { moved, failure, run } = await runScenario(
      loadScenario("model: m.xml\nduration: 0.1\naudit: { energy: 1 }", "s.yaml", { files }),
    );
    expect([failure, run.t]).toEqual([undefined, 0.1]);
    expect(moved.filter(({ from, to }) => Math.abs(from - to) > 1e-12)).toEqual([]);
  });

  it("are coupling, ball or fixed loops", () => {
    const { loops } =
      read(`<equality><joint joint1="j" joint2="s" polycoef="0.1 2 0 0 0"/><weld name="w" site1="tip" site2="port" active="false"/>
      <weld body1="a" body2="c" relpose="1 2 3 0 0 0 2"/></equality>`).model;
    expect(loops).toEqual([
      // q_j = 0.1 + 2 (q_s - 0.5)
      {
        name: "joint-1",
        kind: "coupling",
        offset: -0.9,
        terms: [
          { hinge: "j", factor: 1 },
          { hinge: "s", factor: -2 },
        ],
      },
      {
        name: "w",
        kind: "fixed",
        engaged: false,
        from: { body: "a", at: [1, 0, 0] },
        to: { body: "c", at: [0, 1, 0], rotation: expect.anything() },
      },
      {
        name: "weld-3",
        kind: "fixed",
        from: { body: "a", at: [1, 2, 3], rotation: { quaternion: [0, 0, 0, 1] } },
        to: { body: "c" },
      },
    ]);
  });

  it("without an equivalent are listed", () => {
    const { unsupported } = read('<equality><joint joint1="j" polycoef="0 1 2 0 0"/><tendon tendon1="x"/></equality>');
    expect(unsupported.map(({ feature }) => feature)).toEqual([
      "equality joint with a polynomial of higher order",
      "equality tendon",
    ]);
  });
});

describe("actuators", () => {
  const forceOf = (actuator: string) => read(`<actuator>${actuator}</actuator>`).forces.m;

  it.each([
    ['<motor name="m" joint="j"/>', { kind: "actuator", hinge: "j" }],
    ['<motor name="m" joint="j" gear="50" ctrlrange="-2 2"/>', { kind: "actuator", hinge: "j", limit: 100 }],
    ['<motor name="m" joint="j" gear="2" ctrlrange="-2 2" forcerange="-1 1"/>', { kind: "actuator", hinge: "j", limit: 2 }],
    ['<position name="m" joint="j" kp="5" kv="2" forcerange="-9 9"/>', { kind: "servo", hinge: "j", kp: 5, kd: 2, limit: 9 }],
    ['<position name="m" joint="j" kp="5" gear="2" ctrlrange="1 3"/>', { kind: "servo", hinge: "j", kp: 20, position: 0.5 }],
    ['<velocity name="m" joint="s" kv="3"/>', { kind: "servo", hinge: "s", kd: 3 }],
    [
      '<general name="m" joint="j" gainprm="4" biastype="affine" biasprm="1 -2 -3"/>',
      { kind: "servo", hinge: "j", kp: 2, kd: 3, position: 0.5 },
    ],
  ])("%s", (actuator, force) => {
    expect(forceOf(actuator)).toEqual(force);
  });

  it("without an equivalent are listed", () => {
    const { unsupported, forces } =
      read(`<actuator><muscle joint="j"/><motor site="tip" gear="1 0 0 1 0 0"/><motor tendon="t"/><general joint="j" dyntype="integrator"/><motor joint="k"/>
      <position joint="j" timeconst="0.1"/><adhesion body="a"/></actuator>`);
    expect(unsupported.map(({ feature }) => feature)).toEqual([
      "actuator muscle with this law",
      "actuator motor on a site",
      "actuator motor on a tendon",
      "actuator general with this law",
      "actuator motor on a ball joint",
      "actuator position with this law",
      "actuator adhesion on a body",
    ]);
    expect(Object.keys(forces)).toEqual(["j-stop"]);
  });
});

describe("actuators on sites", () => {
  it("are thrusters, along their gear", () => {
    const { forces, unsupported } = read(
      '<actuator><motor name="jet" site="tip" gear="0 0 -4" ctrlrange="0 2"/><general site="port" gear="0 2 0 0 0 0" gainprm="3" forcerange="-9 9"/></actuator>',
    );
    expect(forces).toMatchObject({
      jet: { kind: "thruster", frame: "tip", direction: [0, 0, -1], limit: 8 },
      "port-actuator-2": { kind: "thruster", frame: "port", direction: [0, 1, 0], limit: 18 },
    });
    expect(unsupported).toMatchObject([{ feature: "negative commands of an actuator on a site", count: 1 }]);
    expect(problemsOf(`<mujoco>${WORLD}<actuator><motor site="nose"/></actuator></mujoco>`)).toContain("no site has this name");
  });
});

describe("meshes", () => {
  const text = (path: string, compiler = ""): string =>
    `<mujoco><compiler meshdir="parts" ${compiler}/><asset><mesh name="m" file="${path}" scale="2 2 2" refpos="0.5 0 0"/></asset>
    <worldbody><body name="a"><joint name="j"/><geom type="mesh" mesh="m" density="10" pos="1.5 0 0"/></body></worldbody></mujoco>`;
  /** The cube from -1 to 1. */
  const options = {
    findMesh: (name: string) => (name === "parts/cube.obj" ? name : undefined),
    readMeshFile: () => new TextEncoder().encode(CUBE),
  };
  it("give mass and inertia by their files", () => {
    const { model, unsupported } = importModel(text("cube.obj"), "m.xml", options);
    expect(model.bodies[0]).toMatchObject({ mass: 640, com: [expect.closeTo(0.5, 12), 0, 0] });
    expect((model.bodies[0] as { inertia: readonly number[] }).inertia[0]).toBeCloseTo((640 * 16) / 6, 9);
    expect(model.bodies[0]).toHaveProperty("shapes", [{ kind: "mesh", file: "parts/cube.obj", scale: 2, at: [0.5, 0, 0] }]);
    expect(unsupported).toEqual([]);
  });

  it("are found without the folders of their names by strippath", () => {
    expect(importModel(text("/home/me/cube.obj", 'strippath="true"'), "m.xml", options).unsupported).toEqual([]);
    expect(importModel(text("/home/me/cube.obj"), "m.xml", options).unsupported.map(({ feature }) => feature)).toContain(
      "mass of a mesh geom",
    );
  });
});

describe("disabled flags", () => {
  const joint = (flag: string): string =>
    `<mujoco><option><flag ${flag}/></option><worldbody><body name="a"><joint name="j" range="-90 90" damping="1" stiffness="2" frictionloss="3"/>${INERTIAL}</body></worldbody>
    <equality><joint joint1="j"/></equality><actuator><position joint="j" kp="5"/></actuator></mujoco>`;
  it.each([
    ['contact="disable"', ["servo", "hinge-spring", "friction", "stop"], undefined],
    ['limit="disable" frictionloss="disable"', ["servo", "hinge-spring"], undefined],
    ['spring="disable" damper="disable" actuation="disable"', ["friction", "stop"], undefined],
    ['constraint="disable"', ["servo", "hinge-spring"], false],
    ['equality="disable" passive="disable"', ["servo", "friction", "stop"], false],
  ])("%s", (flag, kinds, engaged) => {
    const { model, forces } = importModel(joint(flag), "m.xml");
    expect(Object.values(forces).map(({ kind }) => kind)).toEqual(kinds);
    expect(model.loops).toMatchObject([{ kind: "coupling" }]);
    expect(model.loops![0]!.engaged).toBe(engaged);
  });
});

describe("states", () => {
  it("start in the reference position, with coordinates of the file", () => {
    expect(read("").states.start!.q).toEqual({ f: [1, 0, 0, 0, 2, 0, 0], s: 0.5 });
  });

  it("are keyframes; speeds of rotations are in axes of the carrier", () => {
    const qpos = "0.1 0 0 0 2 7 8 9 0 0 0 1 0.2";
    const qvel = "1 2 3 4 5 6 7 8 9 10 11";
    const { up } = read(`<keyframe><key name="up" qpos="${qpos}" qvel="${qvel}"/><key/></keyframe>`).states;
    expect(up!.q).toEqual({ j: 0.1, k: [0, 0, 0, 1], f: [0, 0, 0, 1, 7, 8, 9], s: 0.2 });
    // Half a turn about z changes the signs of x and y.
    expect(up!.u).toEqual({ j: 1, k: [-2, -3, 4], f: [-8, -9, 10, 5, 6, 7], s: 11 });
    expect(read(`<keyframe><key name="up" qpos="${qpos}"/></keyframe>`, { pose: "up" }).states.start!.q).toMatchObject({
      s: 0.2,
    });
  });
});

describe("files", () => {
  const main = '<mujoco><include file="part.xml"/><worldbody><include file="arm.xml"/></worldbody></mujoco>';
  const parts: Readonly<Record<string, string>> = {
    "part.xml": '<mujocoinclude><compiler angle="radian"/><option gravity="0 0 0"/></mujocoinclude>',
    "arm.xml": `<mujocoinclude><body name="x"><joint range="0 1"/>${INERTIAL}</body></mujocoinclude>`,
  };

  it("include others, through the caller", () => {
    const { model, forces } = importModel(main, "m.xml", { readInclude: (path) => parts[path]! });
    expect(model).toMatchObject({ name: "MuJoCo Model", bodies: [{ name: "x" }] });
    expect(model.gravity).toBeUndefined();
    expect(forces).toMatchObject({ "x-stop": { lower: 0, upper: 1 } });
    expect(problemsOf(main)).toContain("no files were given");
    expect(problemsOf(main, { readInclude: () => main })).toContain("is included a second time");
  });

  it("give one orientation for each element", () => {
    const body = (place: string): string => `<mujoco><worldbody><body ${place}>${INERTIAL}</body></worldbody></mujoco>`;
    expect(problemsOf(body('quat="1 0 0 0" euler="0 0 1"'))).toContain("is given together with quat");
    expect(
      problemsOf(body("").replace("diaginertia", 'euler="0 0 1" fullinertia').replace("0.1 0.2 0.2", "1 1 1 0 0 0")),
    ).toContain("is given together with an orientation");
  });

  it("limit the number of replicas", () => {
    const nested = (content: string): string => `<replicate count="1000">${content}</replicate>`;
    const text = `<mujoco><worldbody>${nested(nested(nested(`<body>${INERTIAL}</body>`)))}</worldbody></mujoco>`;
    expect(problemsOf(text)).toContain("makes more than 20000 elements");
    expect(problemsOf(text.replaceAll("1000", "-1"))).toContain("must be a whole number of at most 1000");
  });

  it("name ranges of forces that are not symmetric", () => {
    const { unsupported } = read('<actuator><motor joint="j" ctrlrange="0 5"/><motor joint="s" ctrlrange="-5 5"/></actuator>');
    expect(unsupported).toMatchObject([{ feature: "range of forces of an actuator that is not symmetric", count: 1 }]);
  });

  it("list what has no equivalent", () => {
    const { unsupported } = read(
      '<option density="1.2"/><tendon><spatial/></tendon><sensor><gyro/></sensor><deformable><skin/></deformable><contact><pair/></contact><unknown/>',
    );
    expect(unsupported.map(({ feature, effect }) => `${feature}: ${effect}`)).toEqual([
      "tendon spatial: tendons, their springs, limits and the actuators that pull them are missing",
      "sensor gyro: it measures nothing; Castor records channels of every frame and hinge",
      "deformable skin: skins and deformable bodies are missing",
      "unknown: Castor does not know this section",
      "contact pair: this pair is not treated differently from others",
      "option density: forces of the medium are missing",
    ]);
  });

  it("warn about likely units of angles and orders of quaternions", () => {
    const of = (compiler: string, ...bodies: readonly string[]): readonly string[] =>
      importModel(
        `<mujoco>${compiler}<worldbody>${bodies.map((b) => `<body ${b.includes("quat") ? b : ""}><joint ${b.includes("range") ? b : ""}/><inertial pos="0 0 0" mass="1" diaginertia="1 1 1"/></body>`).join("")}</worldbody></mujoco>`,
        "m.xml",
      ).warnings.map(({ message }) => message);
    const radian = '<compiler angle="radian"/>';
    expect(of("", 'range="-1.5 1.5"', 'range="0 3.1"')).toEqual([expect.stringContaining("they may be in radians")]);
    expect(of("", 'range="-1.5 1.5"', 'range="0 31"')).toEqual([]);
    expect(of(radian, 'range="-1.5 1.5"', 'range="0 170"')).toEqual([expect.stringContaining("may be in degrees")]);
    expect(of(radian, 'range="-1.5 1.5"', 'range="0 3.1"')).toEqual([]);
    expect(of(radian, 'quat="0 0 0 1"', 'quat="0 0 0 1"', 'quat="0.5 0.5 0.5 0.5"')).toEqual([
      expect.stringContaining("order x y z w"),
    ]);
    expect(of(radian, 'quat="0 0 0 1"', 'quat="0 0 0 1"', 'quat="1 0 0 0"')).toEqual([]);
  });

  it("have sites as frames, shapes for contact, and pairs without contact", () => {
    const text =
      '<mujoco><worldbody><geom type="plane" size="1 1 1" euler="0 90 0"/><body name="a"><freejoint/><geom type="capsule" size="0.1 0.2" pos="1 0 0" rgba="1 0 0 1"/><geom type="sphere" size="1" contype="0" conaffinity="0"/><site name="s" pos="1 2 3"/></body><body name="b"/></worldbody><contact><exclude body1="a" body2="b"/></contact></mujoco>';
    const { model, contactShapes, noContact } = importModel(text, "m.xml");
    expect(model.bodies[0]).toMatchObject({
      frames: { s: { at: [1, 2, 3] } },
      shapes: [
        { kind: "capsule", radius: 0.1, length: 0.4, colour: "#ff0000" },
        { kind: "sphere", radius: 1 },
      ],
    });
    expect(contactShapes).toEqual([
      { kind: "plane", name: "world-1", at: [0, 0, 0], axis: [expect.closeTo(1, 12), 0, expect.closeTo(0, 12)] },
      { kind: "capsule", name: "a-1", on: "a", radius: 0.1, at: [1, 0, -0.2], to: [1, 0, 0.2] },
    ]);
    expect(noContact).toEqual([["a", "b"]]);
  });

  it.each([
    ["<mujoco/>", "has no <body>"],
    ['<mujoco><compiler coordinate="global"/><worldbody><body/></worldbody></mujoco>', "global coordinates are not read"],
    ['<mujoco><compiler eulerseq="xq"/><worldbody><body/></worldbody></mujoco>', "must be three of x, y, z"],
    ['<mujoco><worldbody><body><joint class="q"/></body></worldbody></mujoco>', "there is no default class of this name"],
    ['<mujoco><worldbody><body><joint axis="0 0 0"/></body></worldbody></mujoco>', "an axis must not be zero"],
    ['<mujoco><worldbody><body quat="0 0 0 0"/></worldbody></mujoco>', "a quaternion must not be zero"],
    [
      '<mujoco><worldbody><body/></worldbody><equality><connect body1="x" anchor="0 0 0"/></equality></mujoco>',
      "no body has this name",
    ],
    ['<mujoco><worldbody><body/></worldbody><actuator><motor joint="x"/></actuator></mujoco>', "no joint has this name"],
    ['<mujoco><worldbody><body/></worldbody><keyframe><key qpos="1 2"/></keyframe></mujoco>', "needs 0 numbers, has 2"],
    ["<mujocoinclude/>", "this is a part that MJCF files include"],
  ])("with mistakes are refused: %s", (text, message) => {
    expect(problemsOf(text)).toContain(message);
  });
});

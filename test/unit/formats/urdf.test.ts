/** URDF files: every feature against numbers computed by hand. */
import { describe, expect, it } from "vitest";
import { forwardDynamics } from "../../../src/dynamics/programs.ts";
import { parseModel } from "../../../src/formats/model-file.ts";
import { importModel } from "../../../src/formats/robot/import-model.ts";
import type { ImportOptions } from "../../../src/formats/robot/imported-model.ts";
import { compile } from "../../../src/kernel/run/kernel.ts";
import type { BodyDescription } from "../../../src/model/description.ts";
import { NO_FILES } from "../../../src/scenario/files.ts";
import { loadScenario } from "../../../src/scenario/load.ts";

const INERTIAL = '<inertial><mass value="2"/><inertia ixx="3" iyy="4" izz="5" ixy="0" ixz="0" iyz="0"/></inertial>';
const link = (name: string, content = INERTIAL): string => `<link name="${name}">${content}</link>`;
const joint = (name: string, type: string, parent: string, child: string, content = ""): string =>
  `<joint name="${name}" type="${type}"><parent link="${parent}"/><child link="${child}"/>${content}</joint>`;
const robot = (...parts: readonly string[]): string => `<robot name="r">\n${parts.join("\n")}\n</robot>`;
const read = (text: string, options: ImportOptions = {}) => importModel(text, "r.urdf", options);
const bodyOf = (imported: ReturnType<typeof read>, name: string): BodyDescription =>
  imported.model.bodies.find((body) => body.name === name) as BodyDescription;
const problemsOf = (text: string): readonly string[] => {
  try {
    read(text);
  } catch (error) {
    return (error as { problems: { path: string; line?: number; message: string }[] }).problems.map(
      ({ path, line, message }) => `${line} ${path}: ${message}`,
    );
  }
  return [];
};

describe("links", () => {
  it("have mass, mass centre and inertia in their own axes", () => {
    const rotated = INERTIAL.replace("<mass", '<origin xyz="1 2 3" rpy="0 0 1.5707963267948966"/><mass');
    const { mass, com, inertia } = bodyOf(read(robot(link("a", rotated))), "a");
    expect([mass, com]).toEqual([2, [1, 2, 3]]);
    expect(inertia).toEqual([expect.closeTo(4, 14), expect.closeTo(3, 14), expect.closeTo(5, 14)]);
  });

  it("without inertia are massless, and a joint that moves no mass is fixed with a warning", () => {
    const imported = read(
      robot(link("a"), link("b", ""), link("c", ""), joint("j", "continuous", "a", "b"), joint("k", "fixed", "b", "c")),
    );
    expect(bodyOf(imported, "b")).toMatchObject({ mass: 0, inertia: "none", hinge: { kind: "fixed", name: "j" } });
    expect(imported.warnings.map(({ message }) => message)).toEqual(["the joint moves no mass, so it was fixed"]);
  });

  it("have shapes with colours; collisions are drawn if there is nothing else", () => {
    const shapes =
      '<visual><origin xyz="0 0 1"/><geometry><box size="1 2 3"/></geometry><material name="red"/></visual><visual><geometry><cylinder radius="0.1" length="2"/></geometry><material name=""><color rgba="0 1 0.5 1"/></material></visual><collision><geometry><sphere radius="9"/></geometry></collision>';
    const collision =
      '<collision><origin xyz="1 0 0" rpy="0 1.5707963267948966 0"/><geometry><capsule radius="0.2" length="4"/></geometry></collision>';
    const imported = read(
      robot(
        '<material name="red"><color rgba="1 0 0 1"/></material>',
        link("a", INERTIAL + shapes),
        link("b", INERTIAL + collision),
        joint("j", "fixed", "a", "b"),
      ),
    );
    expect(bodyOf(imported, "a").shapes).toEqual([
      { kind: "box", size: [1, 2, 3], at: [0, 0, 1], colour: "#ff0000" },
      { kind: "cylinder", radius: 0.1, length: 2, colour: "#00ff80" },
    ]);
    expect(bodyOf(imported, "b").shapes).toMatchObject([{ kind: "capsule", radius: 0.2, length: 4, at: [1, 0, 0] }]);
    expect(imported.contactShapes).toEqual([
      { kind: "sphere", name: "a-1", on: "a", at: [0, 0, 0], radius: 9 },
      {
        kind: "capsule",
        name: "b-1",
        on: "b",
        radius: 0.2,
        at: [expect.closeTo(-1, 14), 0, expect.closeTo(0, 14)],
        to: [expect.closeTo(3, 14), 0, expect.closeTo(0, 14)],
      },
    ]);
  });

  it("have meshes where the caller finds them; others are listed", () => {
    const mesh = (file: string, scale = ""): string =>
      `<visual><geometry><mesh filename="${file}" ${scale}/></geometry></visual>`;
    const files = ["package://p/a.stl", "b.dae", "c.stl", "d.glb"];
    const imported = read(
      robot(
        link(
          "a",
          files.map((file) => mesh(file, 'scale="0.001 0.001 0.001"')).join("") +
            mesh("a.stl", 'scale="1 -1 1"') +
            mesh("a.stl", 'scale="1 0 1"'),
        ),
      ),
      {
        findMesh: (name) => (name.endsWith("a.stl") ? "p/a.stl" : undefined),
      },
    );
    expect(bodyOf(imported, "a").shapes).toEqual([
      { kind: "mesh", file: "p/a.stl", scale: 0.001 },
      { kind: "mesh", file: "p/a.stl", scale: [1, -1, 1] },
    ]);
    expect(imported.warnings).toMatchObject([{ message: expect.stringContaining("makes the mesh flat") }]);
    expect(imported.unsupported.map(({ feature, count }) => [feature, count])).toEqual([
      ["mesh .dae", 1],
      ["mesh file that is not here (.stl)", 1],
      ["mesh file that is not here (.glb)", 1],
    ]);
  });
});

describe("joints", () => {
  const two = (type: string, content = "", options: ImportOptions = {}) =>
    read(robot(link("a"), link("b"), joint("j", type, "a", "b", content)), options);

  it.each([
    ["revolute", '<limit lower="-1" upper="1"/>', { kind: "revolute", axis: [1, 0, 0] }],
    ["continuous", '<axis xyz="0 0 2"/>', { kind: "revolute", axis: [0, 0, 2] }],
    ["prismatic", '<axis xyz="0 1 0"/><limit lower="-1" upper="1"/>', { kind: "prismatic", axis: [0, 1, 0] }],
    ["fixed", "", { kind: "fixed" }],
    ["floating", "", { kind: "free" }],
    ["planar", '<axis xyz="0 0 1"/>', { kind: "planar" }],
  ])("%s", (type, content, hinge) => {
    const imported = two(type, `<origin xyz="1 2 3" rpy="0.1 0.2 0.3"/>${content}`);
    expect(bodyOf(imported, "b").hinge).toMatchObject({ name: "j", at: [1, 2, 3], ...hinge });
    expect(imported.warnings).toEqual([]);
    parseModel(robot(link("a"), link("b"), joint("j", type, "a", "b", content)), "r.urdf");
  });

  it("that are planar move in the plane whose normal is the axis", () => {
    const text = robot(link("a"), link("b"), joint("j", "planar", "a", "b", '<axis xyz="1 0 0"/>'));
    const model = parseModel(text, "r.urdf");
    const kernel = compile(forwardDynamics({ ...model, gravity: [0, 0, -9.81] }));
    kernel.x.set([0, 0, 0, 0, 0, 0, 2, 0, 3]); // a force of 2 along x of the plane, a torque of 3 about its normal
    kernel.evaluate();
    const [x, y, turn] = kernel.y;
    expect(Math.hypot(x! - 1, y!)).toBeCloseTo(9.81, 12); // gravity lies in the plane
    expect(turn).toBeCloseTo(3 / 3, 12); // ixx
  });

  it("have damping, friction and limits as force elements", () => {
    const imported = two(
      "revolute",
      '<axis xyz="0 0 1"/><limit lower="0.5" upper="7" effort="9" velocity="3"/><dynamics damping="0.1" friction="0.2"/>',
    );
    expect(imported.forces).toEqual({
      "joint-springs": { kind: "hinge-spring", hinge: ["j"], damping: [0.1] },
      "j-friction": { kind: "friction", hinge: "j", coulomb: 0.2 },
      // 5 kg m² about the axis at 20 Hz, to three digits
      "j-stop": { kind: "stop", hinge: "j", lower: 0.5, upper: "7 rad", stiffness: 79_000, damping: 0.75 },
    });
    expect(imported.limits).toEqual({ "j-speed": { channels: "u.j", least: -3, most: 3 } });
    expect(imported.states).toEqual({ start: { q: { j: 0.5 } } });
  });

  it("of transmissions have actuators with the limit of the joint", () => {
    const transmission =
      '<transmission name="t"><joint name="j"/><actuator name="m"><mechanicalReduction>50</mechanicalReduction></actuator></transmission>';
    const content = joint("j", "continuous", "a", "b", '<limit effort="9" velocity="3"/>');
    const imported = read(robot(link("a"), link("b"), content, transmission));
    expect(imported.forces).toEqual({ "j-motor": { kind: "actuator", hinge: "j", limit: 9 } });
    expect(imported.unsupported.map(({ feature }) => feature)).toEqual(["mechanicalReduction"]);
  });

  it("that mimic others are coupled, and start where the other one is", () => {
    const mimic = '<limit lower="-9" upper="9"/><mimic joint="j" multiplier="-2" offset="0.5"/>';
    const imported = read(
      robot(
        link("a"),
        link("b"),
        link("c"),
        joint("j", "revolute", "a", "b", '<limit lower="1" upper="2"/>'),
        joint("k", "revolute", "b", "c", mimic),
      ),
    );
    const terms = [
      { hinge: "k", factor: 1 },
      { hinge: "j", factor: 2 },
    ];
    expect(imported.model.loops).toEqual([{ name: "k-mimic", kind: "coupling", terms, offset: 0.5 }]);
    expect(imported.states.start!.q).toEqual({ j: 1, k: -1.5 });
  });
});

describe("the base", () => {
  const base = (text: string, option?: "fixed" | "free") =>
    (read(text, option ? { base: option } : {}).model.bodies[0] as BodyDescription).hinge.kind;

  it("is fixed, or free if asked", () => {
    const text = robot(link("a"));
    expect([base(text), base(text, "free"), base(text, "fixed")]).toEqual(["fixed", "free", "fixed"]);
  });

  it("is that of the joint if the root is the world", () => {
    const text = (type: string): string => robot(link("world", ""), link("a"), joint("j", type, "world", "a"));
    expect(read(text("fixed")).model.bodies.map(({ name, parent }) => [name, parent])).toEqual([["a", undefined]]);
    expect([base(text("fixed")), base(text("floating")), base(text("fixed"), "free"), base(text("floating"), "fixed")]).toEqual([
      "fixed",
      "free",
      "free",
      "fixed",
    ]);
    expect(base(text("continuous"), "free")).toBe("revolute");
  });
});

describe("inertias that no body has", () => {
  const odd = (ixx: number): string => INERTIAL.replace('ixx="3"', `ixx="${ixx}"`);
  const moved = (ixx: number) => read(robot(link("a"), link("b", odd(ixx)), joint("j", "continuous", "a", "b")));

  it("stay as given if they are positive definite", () => {
    expect(bodyOf(moved(0.5), "b").inertia).toEqual([0.5, 4, 5]);
    const { warnings } = parseModel(robot(link("a"), link("b", odd(0.5)), joint("j", "continuous", "a", "b")), "r.urdf");
    expect(warnings).toMatchObject([
      { path: "bodies[1].inertia", line: 3, message: expect.stringContaining("no real body has") },
    ]);
  });

  it("are repaired on moving links, with a warning that names the change", () => {
    const imported = moved(-1);
    expect(bodyOf(imported, "b").inertia).toEqual([expect.closeTo(0.005, 12), expect.closeTo(4, 12), expect.closeTo(5, 12)]);
    expect(imported.warnings[0]).toMatchObject({
      line: 3,
      path: "link[b].inertia",
      advice: expect.stringContaining("now 0.005, 4, 5"),
    });
  });

  it("are added to the carrier of fixed links, where only the sum matters", () => {
    const imported = read(robot(link("a"), link("b", odd(-1)), joint("j", "fixed", "a", "b", '<origin xyz="0 0 1"/>')), {
      base: "free",
    });
    // Two masses of 2 kg, 0.5 m from their centre along z: 1 kg m² more about x and y.
    expect(bodyOf(imported, "a")).toMatchObject({ mass: 4, com: [0, 0, 0.5], inertia: [3 - 1 + 1, 4 + 4 + 1, 10] });
    expect(bodyOf(imported, "b")).toMatchObject({ mass: 0, inertia: "none" });
    expect(imported.warnings[0]!.message).toContain('added to "a"');
  });
});

describe("mistakes", () => {
  it.each([
    [robot(), "has no <link>"],
    [robot(link("a"), link("a")), "3 link[a].name: the name is taken"],
    [robot(link("a"), joint("j", "fixed", "a", "x")), "3 joint[j].child: no link has this name"],
    [robot(link("a"), link("b")), '3 link[b]: no joint joins this link to "a"'],
    [
      robot(link("a"), link("b"), joint("j", "fixed", "a", "b"), joint("k", "fixed", "a", "b")),
      "5 joint[k].child: the link already has a parent",
    ],
    [robot(link("a"), link("b"), joint("j", "fixed", "a", "b"), joint("k", "fixed", "b", "a")), "the joints form a cycle"],
    [robot(link("a"), link("b"), joint("j", "hinge", "a", "b")), "4 joint[j].type: must be revolute, continuous"],
    [robot(link("a"), link("b"), joint("j", "continuous", "a", "b", '<axis xyz="0 0 0"/>')), "an axis must not be zero"],
    [robot(link("a"), link("b"), joint("j", "continuous", "a", "b", '<axis xyz="0 1"/>')), "needs 3 numbers, has 2"],
    [robot(link("a", INERTIAL.replace('"2"', '"-2"'))), "a mass must not be negative"],
    [robot(link("a", INERTIAL.replace('"2"', '"nan"'))), 'is not a number: "nan"'],
    [robot(link("a", INERTIAL.replace('"2"', '"2,5"'))), 'is not a number: "2,5"'],
    [robot("<link/>"), "link.name: is missing"],
    [robot(link("a"), link("b"), joint("j", "continuous", "a", "b", '<mimic joint="x"/>')), "no joint has this name"],
    [robot('<xacro:macro name="a"/>'), "this file must be expanded by xacro first"],
    [robot(link("a", '<inertial><mass value="$(arg m)"/></inertial>')), "this file must be expanded by xacro first"],
  ])("%s", (text, message) => {
    expect(problemsOf(text).join("\n")).toContain(message);
  });

  it("of other files name their kind", () => {
    expect(() => parseModel("<sdf/>", "a.urdf")).toThrow("this is an SDF file of Gazebo");
    expect(() => parseModel("<html/>", "a.yaml")).toThrow("this is a web page");
    expect(() => importModel("name: a\nbodies: []", "a.yaml")).toThrow("Read it with parseModel");
  });

  it("give the command of xacro with the file name as one word", () => {
    expect(() => read(robot('<xacro:include filename="a"/>'))).toThrow("Run: xacro r.urdf > r-expanded.urdf");
    expect(() => importModel(robot("<xacro:a/>"), "a b'$(c).xacro")).toThrow(
      "Run: xacro 'a b'\\''$(c).xacro' > 'a b'\\''$(c).urdf'",
    );
  });

  it("that are likely give a warning", () => {
    const text = robot(
      link("a", INERTIAL.replace('"2"', '"4000"')),
      link("b"),
      joint("j", "continuous", "a", "b", '<origin rpy="90 0 0" xyz="0.1 0 0"/>'),
    );
    expect(read(text).warnings.map(({ message }) => message)).toEqual([
      expect.stringContaining("may be in degrees"),
      '2 kg moves on "a" of 4000 kg',
      expect.stringContaining("its radius of gyration is 1.58 m, but the robot has a size of 0.1 m"),
    ]);
  });

  const boxed = (inertia: string, com = "0.5 0 0"): string =>
    `<inertial><origin xyz="${com}"/><mass value="12"/><inertia ${inertia} ixy="0" ixz="0" iyz="0"/></inertial>` +
    '<visual><origin xyz="0.5 0 0"/><geometry><box size="1 0.1 0.1"/></geometry></visual>';
  // A rod of 12 kg and 1 m: 0.02, 1.01, 1.01 about its middle; 3 kg m² more about its end.
  it.each([
    ['ixx="0.02" iyy="1.01" izz="1.01"', undefined, undefined],
    ['ixx="0.02" iyy="4.01" izz="4.01"', "larger than those of any body of its mass within its shapes", "about the origin"],
    ['ixx="1.01" iyy="1.01" izz="0.02"', "the moments", undefined],
    ['ixx="0.03" iyy="1.01" izz="0.02"', undefined, undefined],
    ['ixx="0.02" iyy="9.1" izz="9.1"', "larger than those of any body", "check millimetres, grams"],
  ])("of inertias against shapes: %s", (inertia, message, advice) => {
    const { warnings } = read(robot(link("a", boxed(inertia))));
    if (message === undefined) return expect(warnings).toEqual([]);
    if (message === "the moments") return expect(warnings.map((w) => w.message).join()).toMatch(/moments|not the smallest/);
    expect(warnings.at(-1)).toMatchObject({
      message: expect.stringContaining(message),
      ...(advice && { advice: expect.stringContaining(advice) }),
      line: 2,
    });
  });

  it("of inertias about the link origin and in other axes", () => {
    // A plate of 1 m × 1 m × 0.02 m, 3 m away from the origin of its link.
    const far = (inertia: string): string =>
      `<inertial><origin xyz="3 0 0"/><mass value="6"/><inertia ${inertia} ixy="0" ixz="0" iyz="0"/></inertial>` +
      '<visual><origin xyz="3 0 0"/><geometry><box size="1 1 0.02"/></geometry></visual>';
    expect(read(robot(link("a", far('ixx="0.5" iyy="0.5" izz="1"')))).warnings).toEqual([]);
    expect(read(robot(link("a", far('ixx="0.5" iyy="54.5" izz="55"')))).warnings).toMatchObject([
      { path: "link[a].inertia", advice: expect.stringContaining("may be about the origin of the link") },
    ]);
    const rod = boxed('ixx="0.04" iyy="0.02" izz="0.03"');
    expect(read(robot(link("a", rod))).warnings).toMatchObject([]);
    expect(read(robot(link("a", boxed('ixx="0.06" iyy="0.02" izz="0.05"')))).warnings).toMatchObject([
      { message: expect.stringContaining("long along x, but its moment about x is not the smallest") },
    ]);
  });

  it("of limits in degrees and of lengths in millimetres", () => {
    const limited = joint(
      "j",
      "revolute",
      "a",
      "b",
      '<origin xyz="0.4 0 0"/><limit lower="-170" upper="170" effort="1" velocity="1"/>',
    );
    const small = '<inertial><mass value="2"/><inertia ixx="0.01" iyy="0.01" izz="0.01" ixy="0" ixz="0" iyz="0"/></inertial>';
    expect(read(robot(link("a", small), link("b", small), limited)).warnings).toMatchObject([
      { path: "joint[j].limit", message: expect.stringContaining("may be in degrees"), advice: "URDF has radians" },
    ]);
    const long = joint("j", "continuous", "a", "b", '<origin xyz="400 0 0"/>');
    expect(read(robot(link("a", small), link("b", small), long)).warnings.map(({ advice }) => advice)).toEqual([
      "Lengths are in metres: check millimetres",
    ]);
  });

  it("in names are corrected, with a warning", () => {
    const imported = read(robot(link("a.b"), link("a/b"), joint("gravity", "continuous", "a.b", "a/b")));
    expect(imported.model.bodies.map(({ name, hinge }) => [name, hinge.name ?? name])).toEqual([
      ["a-b", "a-b"],
      ["a-b-2", "gravity-body"],
    ]);
    expect(imported.warnings[0]!.message).toContain('"a.b" is "a-b", "a/b" is "a-b-2"');
  });
});

describe("a scenario whose model is a URDF file", () => {
  const text = robot(
    link("a"),
    link("b"),
    joint("j", "revolute", "a", "b", '<limit lower="0.5" upper="2"/><dynamics damping="0.1"/>'),
    "<gazebo><plugin/></gazebo>",
  );
  const files = { ...NO_FILES, readBeside: () => ({ text, source: "r.urdf" }) };
  const load = (more: string) => loadScenario(`model: r.urdf\nduration: 1\n${more}`, "s.yaml", { files });

  it("has the forces and the start of the file, unless it gives its own", () => {
    expect(load("").forces.map(({ name }) => name)).toEqual(["joint-springs", "j-stop"]);
    expect(load("forces: { joint-springs: null }").forces.map(({ name }) => name)).toEqual(["j-stop"]);
    expect([...load("").q]).toEqual([0.5]);
    expect([...load("state: { q: { j: 1 } }").q]).toEqual([1]);
  });

  it("lists what was not understood", () => {
    expect(load("").warnings).toMatchObject([
      { file: "r.urdf", line: 5, message: "gazebo plugin is not supported: programs of Gazebo are not run" },
    ]);
  });
});

describe("files of the wrong kind", () => {
  it("an SRDF file is named as such", () => {
    expect(problemsOf('<robot name="r">\n<group name="g"/><disable_collisions link1="a" link2="b"/></robot>')).toEqual([
      "1 robot: this is an SRDF file: it has groups, poses or loops of a robot, but no links",
    ]);
  });
});

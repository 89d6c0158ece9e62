/** What castor inspect says: masses, limits, loops, features that were not understood; and its picture. */
import { describe, expect, it, test } from "vitest";
import { inspectionText } from "../../../src/cli/text/inspection-text.ts";
import { createStyle } from "../../../src/cli/text/terminal.ts";
import { readMesh } from "../../../src/formats/mesh/mesh-file.ts";
import { importModel } from "../../../src/formats/robot/import-model.ts";
import { createModel } from "../../../src/model/build/create-model.ts";
import { AT_ORIGIN } from "../../../src/model/build/placement.ts";
import { homeOf } from "../../../src/model/model.ts";
import { inspect } from "../../../src/report/inspection.ts";
import { machinePicture } from "../../../src/report/pictures/machine-picture.ts";
import { type Polygon, shapeFaces } from "../../../src/report/pictures/shape-faces.ts";
import { renderPng } from "../../../src/report/plots/png.ts";
import { NO_FILES } from "../../../src/scenario/files.ts";
import { loadScenario } from "../../../src/scenario/load.ts";
import { modelScenario } from "../../../src/scenario/model-scenario.ts";
import { objText } from "../../fixtures/mesh-bytes.ts";

/** Volume inside of faces that are counterclockwise seen from outside. */
const volumeOf = (faces: readonly Polygon[]): number =>
  faces.reduce((sum, [a, ...rest]) => {
    for (let i = 1; i < rest.length; i++) {
      const [b, c] = [rest[i - 1]!, rest[i]!];
      sum +=
        (a![0] * (b[1] * c[2] - b[2] * c[1]) + a![1] * (b[2] * c[0] - b[0] * c[2]) + a![2] * (b[0] * c[1] - b[1] * c[0])) / 6;
    }
    return sum;
  }, 0);

const ROBOT = `<robot name="lever">
  <link name="pillar"><inertial><mass value="3"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial></link>
  <link name="lever">
    <inertial><origin xyz="0.5 0 0"/><mass value="1"/><inertia ixx="0.1" iyy="0.2" izz="0.2" ixy="0" ixz="0" iyz="0"/></inertial>
    <visual><origin xyz="0.5 0 0"/><geometry><box size="1 1 1"/></geometry><material name="m"><color rgba="1 0 0 1"/></material></visual>
    <visual><geometry><sphere radius="0.1"/></geometry></visual>
  </link>
  <joint name="shoulder" type="revolute">
    <origin xyz="0 0 2"/><parent link="pillar"/><child link="lever"/><axis xyz="0 1 0"/>
    <limit lower="0.25" upper="9" effort="20" velocity="3"/>
    <safety_controller k_velocity="10"/>
  </joint>
  <transmission><joint name="shoulder"/></transmission>
</robot>`;

const files = { ...NO_FILES, readBeside: () => ({ text: ROBOT, source: "lever.urdf" }) };
const scenario = loadScenario(modelScenario("model.urdf"), "lever.urdf", { files });
const inspection = inspect(scenario, { source: "lever.urdf", kind: "URDF robot" }, importModel(ROBOT, "lever.urdf"));

describe("a robot", () => {
  it("has masses, limits in SI units and the start", () => {
    expect(inspection).toMatchObject({ name: "lever", mass: 4, freedoms: 1, loopEquations: 0, gravity: [0, 0, -9.81] });
    expect(inspection.bodies[1]).toMatchObject({
      ...{ name: "lever", parent: "pillar", depth: 1, mass: 1, com: [0.5, 0, 0] },
      inertia: [0.1, 0.2, 0.2, 0, 0, 0],
      hinge: { name: "shoulder", kind: "revolute", freedoms: 1 },
      freedoms: [{ name: "shoulder", unit: "rad", start: 0.25, lower: 0.25, upper: 9, speed: 3, effort: 20 }],
      shapes: { box: 1, sphere: 1 },
    });
    // The lever turns about y: its centre is at 0.5 (cos, 0, -sin) above 2 m.
    const expected = [0.125 * Math.cos(0.25), 0, 0.5 - 0.125 * Math.sin(0.25)];
    for (const [i, value] of expected.entries()) expect(inspection.massCentre![i]).toBeCloseTo(value, 14);
  });

  it("lists what was not understood once, apart from the warnings", () => {
    expect(inspection.notUnderstood).toEqual([
      { feature: "joint safety_controller", effect: expect.any(String), count: 1, lines: [11] },
    ]);
    expect(inspection.warnings).toEqual([]);
  });

  it("is shown as text with each of these", () => {
    const text = inspectionText(inspection, { width: 80, style: createStyle(false) });
    expect(text).toContain("URDF robot lever.urdf\n2 bodies, 1 freedom, 4 kg, mass centre at");
    expect(text).toMatch(/\n {4}lever +1 +shoulder +revolute +box, sphere\n/);
    expect(text).toMatch(/\n {2}shoulder +rad +0\.25 +9 +0\.25 +3 +20\n/);
    expect(text).toContain("joint safety_controller (line 11): soft limits");
  });
});

test("loops and open loops are listed with the number of their equations", () => {
  const text = `<mujoco><worldbody><body name="a"><joint name="j"/><geom size="0.1"/><body name="b"><joint name="k"/><geom size="0.1"/></body></body></worldbody>
    <equality><connect name="pin" body1="b" anchor="0 0 0"/><joint name="gear" joint1="j" joint2="k" active="false"/></equality></mujoco>`;
  const own = { ...NO_FILES, readBeside: () => ({ text, source: "m.xml" }) };
  const { loops, loopEquations } = inspect(
    loadScenario(modelScenario("model.xml"), "m.xml", { files: own }),
    { source: "m.xml", kind: "MJCF robot" },
    importModel(text, "m.xml"),
  );
  expect(loops).toEqual([
    { name: "pin", kind: "spherical", equations: 3, engaged: true },
    { name: "gear", kind: "coupling", equations: 1, engaged: false },
  ]);
  expect(loopEquations).toBe(3);
});

describe("the picture of a machine", () => {
  const CUBE = { kind: "box" as const, size: [1, 1, 1] as const, colour: "#804020" };
  const model = createModel({
    name: "two",
    bodies: [
      { name: "a", mass: 1, inertia: [1, 1, 1], hinge: { kind: "free" }, shapes: [CUBE] },
      { name: "b", parent: "a", mass: 1, inertia: [1, 1, 1], hinge: { kind: "revolute", at: [2, 0, 0] } },
    ],
  });

  it("shows the three faces of a box that are turned to the viewer, each in its own shade, and one hinge axis", () => {
    const { svg } = machinePicture(model, homeOf(model))!;
    const shades = [...svg.matchAll(/<path d="[^"]*Z" fill="(#[0-9a-f]{6})"/g)].map(([, fill]) => fill!);
    expect(shades).toHaveLength(6); // the second body is the box of its inertia
    expect(new Set(shades).size).toBe(6);
    expect(svg.match(/stroke="#c62828"/g)).toHaveLength(1);
    expect([...renderPng(svg, 1).subarray(0, 4)]).toEqual([0x89, 0x50, 0x4e, 0x47]);
  });

  it("draws meshes that were read, and the solid of the inertia in the place of others", () => {
    const mesh = { kind: "mesh" as const, file: "part.stl", scale: 0.5 };
    const part = createModel({
      name: "part",
      bodies: [{ name: "a", mass: 6, inertia: [1, 1, 1], hinge: { kind: "free" }, shapes: [mesh] }],
    });
    const triangles = { positions: Float64Array.from([0, 0, 0, 1, 0, 0, 0, 1, 0]), triangles: Uint32Array.from([0, 1, 2]) };
    const faces = (svg: string): number => svg.match(/Z" fill/g)!.length;
    expect(faces(machinePicture(part, homeOf(part), () => triangles)!.svg)).toBe(1);
    expect(faces(machinePicture(part, homeOf(part))!.svg)).toBe(3);
  });

  it("shows a mirrored mesh and an ellipsoid from outside", () => {
    const cube = shapeFaces({ kind: "box", size: [1, 1, 1], placement: AT_ORIGIN }, () => undefined);
    const mesh = readMesh("cube.obj", () => new TextEncoder().encode(objText()));
    for (const scale of [
      [1, 1, 1],
      [-1, 1, 1],
      [-2, -1, -0.5],
    ] as const) {
      const faces = shapeFaces({ kind: "mesh", file: "cube.obj", scale, placement: AT_ORIGIN }, () => mesh);
      expect(volumeOf(faces)).toBeCloseTo(0.75 * 1.75 * 1.875 * Math.abs(scale[0] * scale[1] * scale[2]), 12);
    }
    expect(volumeOf(cube)).toBeCloseTo(1, 12);
    const ellipsoid = shapeFaces({ kind: "ellipsoid", size: [1, 2, 3], placement: AT_ORIGIN }, () => undefined);
    const ball = shapeFaces({ kind: "sphere", radius: 0.5, placement: AT_ORIGIN }, () => undefined);
    expect(volumeOf(ellipsoid)).toBeCloseTo(6 * volumeOf(ball), 12);
  });

  it("draws nearer faces last", () => {
    // The viewer is above: the box on top is drawn over the one below.
    const stack = (order: readonly number[]): string => {
      const shapes = order.map((z) => ({ ...CUBE, at: [0, 0, z] as const, colour: z > 0 ? "#00ff00" : "#ff0000" }));
      const one = createModel({
        name: "s",
        bodies: [{ name: "a", mass: 1, inertia: [1, 1, 1], hinge: { kind: "free" }, shapes }],
      });
      return machinePicture(one, homeOf(one))!.svg;
    };
    for (const svg of [stack([0, 3]), stack([3, 0])])
      expect(svg.search(/Z" fill="#00/)).toBeGreaterThan(svg.search(/Z" fill="#[1-9a-f][0-9a-f]0000/));
  });
});

/** SRDF files: groups, poses, disabled collisions and loops. */
import { describe, expect, it } from "vitest";
import { importModel } from "../../../src/formats/robot/import-model.ts";
import { NO_FILES } from "../../../src/scenario/files.ts";
import { loadScenario } from "../../../src/scenario/load.ts";
import { runScenario } from "../../../src/scenario/run.ts";
import { corpusFiles, corpusText } from "../../fixtures/robots/corpus.ts";

const bar = (name: string, length: number): string =>
  `<link name="${name}"><inertial><origin xyz="${length / 2} 0 0"/><mass value="1"/><inertia ixx="0.01" iyy="0.1" izz="0.1" ixy="0" ixz="0" iyz="0"/></inertial></link>`;
const joint = (name: string, parent: string, child: string, xyz: string, type = "continuous"): string =>
  `<joint name="${name}" type="${type}"><origin xyz="${xyz}"/><parent link="${parent}"/><child link="${child}"/><axis xyz="0 1 0"/></joint>`;

/** A four-bar mechanism in the plane of x and z, open between `coupler-end` and `rocker`. */
const FOUR_BAR = `<robot name="four-bar"><link name="ground"/>${bar("crank", 1)}${bar("coupler", 2)}${bar("rocker", 2)}<link name="coupler-end"/><link name="rocker-end"/>
${joint("a", "ground", "crank", "0 0 0")}${joint("b", "crank", "coupler", "1 0 0")}${joint("c", "ground", "rocker", "1.5 0 0")}
${joint("d", "coupler", "coupler-end", "2 0 0", "fixed")}${joint("e", "rocker", "rocker-end", "2 0 0", "fixed")}
<transmission name="t"><joint name="a"/></transmission></robot>`;
const read = (srdf: string, pose?: string) =>
  importModel(FOUR_BAR, "bar.urdf", { srdf: { text: srdf, source: "bar.srdf" }, ...(pose && { pose }) });

describe("loops", () => {
  const loopOf = (mask: string) =>
    read(`<robot><loop_constraint name="pin" frame1="coupler-end" frame2="rocker-end" ${mask}/></robot>`).model.loops![0];

  it.each([
    ['mask="x z"', { kind: "general", freedoms: ["y", "rx", "ry", "rz"] }],
    ['mask="x y z"', { kind: "spherical" }],
    ['mask="x z pitch"', { kind: "general", freedoms: ["y", "rx", "rz"] }],
    ['mask="roll yaw x y z pitch"', { kind: "fixed" }],
    ["", { kind: "fixed" }],
  ])("%s", (mask, hinge) => {
    expect(loopOf(mask)).toEqual({ name: "pin", from: { body: "coupler-end" }, to: { body: "rocker-end" }, ...hinge });
  });

  it.each([
    ['mask="q"', '"q" is not one of x, y, z, roll, pitch, yaw'],
    ['mask=" "', "constrains nothing"],
    ['frame1="x" mask="x"', "bar.srdf"],
  ])("with mistakes are refused: %s", (mask, message) => {
    expect(() => loopOf(mask)).toThrow(message);
  });

  it.each(["articulated", "kane", "matrix", "partition"])("stay closed to 1e-10 by %s", async (formulation) => {
    const srdf =
      '<robot><loop_constraint frame1="coupler-end" frame2="rocker-end" mask="x z"/><group_state name="up" group=""><joint name="a" value="-1.2"/><joint name="b" value="0.5"/><joint name="c" value="-1.3"/></group_state></robot>';
    const files = {
      ...NO_FILES,
      readBeside: () => ({ text: FOUR_BAR, source: "bar.urdf" }),
      importOptions: { srdf: { text: srdf, source: "bar.srdf" }, pose: "up" },
    };
    const text = `model: bar.urdf\nduration: 1\nformulation: ${formulation}\naudit: { loopClosure: 1e-10 }`;
    const { run, failure } = await runScenario(loadScenario(text, "s.yaml", { files }));
    expect(failure).toBeUndefined();
    expect(run.t).toBe(1);
    expect(Math.abs(run.log.column("q.a").at(-1)! + 1.2)).toBeGreaterThan(0.1);
  });
});

describe("semantics", () => {
  const SRDF = `<robot name="four-bar">
<group name="all"><group name="arm"/><link name="rocker"/></group>
<group name="arm"><chain base_link="ground" tip_link="coupler-end"/></group>
<group_state name="up" group="arm"><joint name="a" value="0.5"/><joint name="unknown" value="1"/></group_state>
<disable_collisions link1="crank" link2="coupler" reason="Adjacent"/>
<passive_joint name="a"/>
<end_effector name="hand" parent_link="coupler-end" group="arm"/>
</robot>`;

  it("has groups, poses, pairs without contact and passive joints", () => {
    const imported = read(SRDF);
    expect({ ...imported.groups }).toEqual({ all: ["a", "b", "d", "rocker"], arm: ["a", "b", "d"] });
    expect(imported.states.up).toEqual({ q: { a: 0.5 } });
    expect(imported.noContact).toEqual([["crank", "coupler"]]);
    expect(imported.forces).toEqual({});
    expect(imported.warnings).toMatchObject([
      { file: "bar.srdf", line: 7, message: expect.stringContaining("end_effector is not supported") },
      { file: "bar.srdf", line: 4, message: expect.stringContaining("a joint that the robot does not have") },
    ]);
  });

  it("starts at a pose", () => {
    expect(read(SRDF, "up").states.start).toEqual({ q: { a: 0.5 } });
    expect(() => read(SRDF, "down")).toThrow('there is no pose of this name, got "down". There is: up');
  });

  it("refuses files of another kind", () => {
    expect(() => read(FOUR_BAR)).toThrow("this is a URDF file, not an SRDF file");
    expect(() => read("<sdf/>")).toThrow("this is not an SRDF file");
    expect(read('<robot><group name="a"><group name="a"/></group></robot>').warnings[0]!.message).toBe("contains itself");
  });
});

it.runIf(corpusFiles("srdf").length > 0)("the poses of the panda are read from the corpus", () => {
  const imported = importModel(corpusText("urdf", "panda.urdf"), "panda.urdf", {
    srdf: { text: corpusText("srdf", "panda.srdf"), source: "panda.srdf" },
    pose: "default",
  });
  expect(imported.states.start!.q).toMatchObject({ panda_joint4: -2.35619, panda_finger_joint1: 0.001 });
  expect(imported.groups.arm).toHaveLength(7);
  expect(imported.noContact.length).toBeGreaterThan(10);
});

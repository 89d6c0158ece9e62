/** castor convert: files of every format, whole or not at all. */
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, it } from "vitest";
import { castor, workFolder } from "../fixtures/installed.ts";

let folder: string;
beforeAll(() => {
  folder = workFolder();
  writeFileSync(
    join(folder, "crank.xml"),
    `<mujoco model="crank"><worldbody><body name="a"><joint name="a" axis="0 1 0" damping="0.2"/><geom size="0.1" pos="1 0 0"/>
      <body name="b" pos="1 0 0"><joint name="b" axis="0 1 0"/><geom size="0.1" pos="1 0 0"/></body></body></worldbody>
      <equality><connect name="pin" body1="b" anchor="1 0 0"/></equality><sensor><gyro site="s"/></sensor></mujoco>`,
  );
});

it("writes a chain of formats, and the last file is the first machine", () => {
  for (const [from, to] of [
    ["crank.xml", "crank.urdf"],
    ["crank.urdf", "second.xml"],
    ["second.xml", "crank.yaml"],
    ["crank.yaml", "third.xml"],
  ] as const) {
    const { status, stderr } = castor(folder, ["convert", from, to, ...(from === "crank.urdf" ? ["--srdf", "crank.srdf"] : [])]);
    expect([status, stderr]).toEqual([0, ""]);
  }
  expect(readFileSync(join(folder, "crank.srdf"), "utf8")).toContain('<loop_constraint name="pin"');
  const [first, last] = ["crank.xml", "third.xml"].map((file) => JSON.parse(castor(folder, ["inspect", file, "--json"]).stdout));
  // Ends of loops are links without mass in URDF.
  const masses = (found: typeof first): number[] =>
    found.bodies.map(({ mass }: { mass: number }) => mass).filter((mass: number) => mass > 0);
  expect(masses(last)).toEqual(masses(first));
  expect([last.freedoms, last.loopEquations]).toEqual([first.freedoms, first.loopEquations]);
});

it("lists what is missing, as text and as JSON", () => {
  const { stdout } = castor(folder, ["convert", "crank.xml", "list.yaml"]);
  expect(stdout).toContain("list.yaml: 2 bodies, 2 freedoms, 1 loop");
  expect(stdout).toContain('force "joint-springs": a model file has none');
  expect(stdout).toContain("sensor gyro: it measures nothing");
  const found = JSON.parse(castor(folder, ["convert", "crank.xml", "whole.yaml", "--scenario", "--json"]).stdout);
  expect(found).toMatchObject({
    files: ["whole.yaml"],
    bodies: 2,
    freedoms: 2,
    loops: 1,
    missing: [],
    notUnderstood: [{ feature: "sensor gyro" }],
  });
  expect(castor(folder, ["inspect", "whole.yaml"]).stdout).toContain("joint-springs");
});

it("writes nothing if the format has no such joint, or the command is wrong", () => {
  writeFileSync(
    join(folder, "ball.yaml"),
    "castor: 1\nname: ball\nbodies: [{ name: b, mass: 1, inertia: [1, 1, 1], hinge: { kind: spherical } }]\n",
  );
  const refused = castor(folder, ["convert", "ball.yaml", "ball.urdf"]);
  expect(refused).toMatchObject({ status: 1, stderr: expect.stringContaining("a ball joint, which URDF does not have") });
  expect(existsSync(join(folder, "ball.urdf"))).toBe(false);
  expect(castor(folder, ["convert", "ball.yaml", "ball.step"])).toMatchObject({
    status: 2,
    stderr: expect.stringContaining("must end with"),
  });
  expect(castor(folder, ["convert", "ball.yaml", "./ball.yaml"])).toMatchObject({
    status: 2,
    stderr: expect.stringContaining("the file that is read"),
  });
  mkdirSync(join(folder, "target.urdf"));
  const before = readdirSync(folder);
  expect(castor(folder, ["convert", "crank.xml", "target.urdf"]).status).not.toBe(0);
  expect(readdirSync(folder)).toEqual(before);
});

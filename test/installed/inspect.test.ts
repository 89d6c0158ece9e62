/** castor inspect: text, JSON and pictures of every kind of model. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, it } from "vitest";
import { castor, workFolder } from "../fixtures/installed.ts";

let folder: string;
beforeAll(() => {
  folder = workFolder();
  writeFileSync(
    join(folder, "ball.xml"),
    '<mujoco model="ball"><worldbody><body name="b"><freejoint/><geom size="0.1" density="1000"/></body></worldbody></mujoco>',
  );
  writeFileSync(join(folder, "s.yaml"), "model: ball.xml\nduration: 1\n");
});

it("prints a built-in scenario as JSON and draws it", () => {
  const { status, stdout, stderr } = castor(folder, ["inspect", "satellite-manipulator", "--json", "--picture", "s.svg"]);
  expect([status, stderr]).toEqual([0, ""]);
  const { kind, mass, freedoms, bodies } = JSON.parse(stdout);
  expect([kind, mass, freedoms, bodies.length]).toEqual(["scenario", 330, 10, 5]);
  expect(readFileSync(join(folder, "s.svg"), "utf8")).toMatch(/^<svg .*<\/svg>$/s);
});

it.each([
  ["ball.xml", "MJCF robot"],
  ["s.yaml", "scenario"],
])("%s, by its robot file", (file, kind) => {
  const { status, stdout } = castor(folder, ["inspect", file, "--json"]);
  expect(status).toBe(0);
  const found = JSON.parse(stdout);
  expect([found.kind, found.name, found.contactShapes]).toEqual([kind, "ball", 1]);
  expect(found.mass).toBeCloseTo((4 / 3) * Math.PI, 10);
});

it("refuses a picture of another format, and says what kind of file is wrong", () => {
  expect(castor(folder, ["inspect", "ball.xml", "--picture", "x.jpg"])).toMatchObject({
    status: 2,
    stderr: expect.stringContaining("--picture must end with .svg or .png"),
  });
  writeFileSync(join(folder, "part.stl"), "solid a\nendsolid\n");
  expect(castor(folder, ["inspect", "part.stl"])).toMatchObject({
    status: 1,
    stderr: expect.stringContaining("this is a mesh (STL)"),
  });
});

/** Files that a robot file names are found among the opened ones, and never elsewhere. */
import { describe, expect, it } from "vitest";
import { openedFile } from "../../../studio/src/files/robot-assets.ts";
import { filesOfSource } from "../../../studio/src/files/scenario-sources.ts";

const PATHS = [
  "robot/urdf/arm.urdf",
  "robot/meshes/hand.stl",
  "robot/meshes/left/finger.stl",
  "robot/meshes/right/finger.stl",
  "hand.obj",
];

describe("an opened file", () => {
  it.each([
    ["package://robot/meshes/hand.stl", "robot/meshes/hand.stl"],
    ["package://other_name/meshes/hand.stl", "robot/meshes/hand.stl"],
    ["../meshes/hand.stl", "robot/meshes/hand.stl"],
    ["/home/user/robot/meshes/left/finger.stl", "robot/meshes/left/finger.stl"],
    ["left/finger.stl", "robot/meshes/left/finger.stl"],
    ["hand.obj", "hand.obj"],
    ["finger.stl", undefined],
    ["http://example.org/none.stl", undefined],
    ["", undefined],
    ["..", undefined],
  ])("%s is %s", (name, path) => {
    expect(openedFile(name, PATHS)).toBe(path);
  });

  it("with a name that no model accepts is none", () => {
    expect(openedFile("a\\b.stl", ["a\\b.stl"])).toBeUndefined();
    expect(openedFile("a:b.stl", ["a:b.stl"])).toBeUndefined();
  });
});

it("the files of a source have the meshes and included files of a robot", () => {
  const files = filesOfSource(
    {
      ...{ name: "arm", path: "scenario.yaml", text: "", builtIn: false, files: { "part.xml": "<mujoco/>" } },
      assets: { "m/hand.stl": Uint8Array.of(1, 2).buffer },
    },
    [],
  );
  expect(files.importOptions!.findMesh!("package://x/hand.stl")).toBe("m/hand.stl");
  expect([...files.readBytes!("m/hand.stl")]).toEqual([1, 2]);
  expect(files.importOptions!.readInclude!("part.xml")).toBe("<mujoco/>");
  expect(() => files.readBytes!("none.stl")).toThrow("is missing among the opened files");
});

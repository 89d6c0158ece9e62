/** Files that a robot file names: nothing outside of its folder and of the given package folders is read, however it is named. */
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { robotFiles } from "../../src/cli/files/robot-files.ts";
import { ModelError } from "../../src/errors.ts";

let place: string;
let robot: string;
let packages: string;
beforeAll(() => {
  place = mkdtempSync(join(tmpdir(), "castor-robot-"));
  robot = join(place, "robot");
  packages = join(place, "packages");
  mkdirSync(join(robot, "meshes"), { recursive: true });
  mkdirSync(join(packages, "arm", "meshes"), { recursive: true });
  writeFileSync(join(place, "secret.stl"), "secret");
  writeFileSync(join(place, "robot-secret.stl"), "secret"); // its name begins like that of the allowed folder
  writeFileSync(join(robot, "meshes", "link.stl"), "link");
  writeFileSync(join(packages, "arm", "meshes", "hand.stl"), "hand");
  symlinkSync(join(place, "secret.stl"), join(robot, "meshes", "link-to-secret.stl"));
  symlinkSync(place, join(robot, "up"));
  mkdirSync(join(robot, "meshes", "folder.stl"));
});
afterAll(() => rmSync(place, { recursive: true, force: true }));

const textOf = (bytes: Uint8Array | undefined): string | undefined => bytes && new TextDecoder().decode(bytes);

function readMesh(name: string, given: string | undefined = packages): string | undefined {
  const files = robotFiles(robot, { packages: given });
  const path = files.options.findMesh!(name);
  return path === undefined ? undefined : textOf(files.readMesh(path));
}

describe("meshes", () => {
  it("inside the folders are found by every kind of name", () => {
    const inRobot = join(robot, "meshes", "link.stl");
    for (const name of ["meshes/link.stl", "./meshes/link.stl", inRobot, pathToFileURL(inRobot).href])
      expect(readMesh(name), name).toBe("link");
    expect(readMesh(`package://${basename(robot)}/meshes/link.stl`)).toBe("link");
    expect(readMesh("package://arm/meshes/hand.stl")).toBe("hand");
    expect(robotFiles(robot, {}).options.findMesh!("package://arm/meshes/hand.stl")).toBeUndefined();
  });

  it.each([
    "../secret.stl",
    "meshes/../../secret.stl",
    "package://robot/../secret.stl",
    "package://../secret.stl",
    "package://arm/../../secret.stl",
    "meshes/link-to-secret.stl",
    "up/secret.stl",
    "../robot-secret.stl",
    "meshes/folder.stl",
    "meshes/link.stl\0.stl",
    "http://localhost/link.stl",
    "file://example.org/link.stl",
    "$(cat meshes/link.stl)",
    "meshes/`id`.stl",
    "C:\\secret.stl",
    "",
    ".",
    "a".repeat(100_000),
  ])("outside of them are not: %j", (name) => {
    expect(readMesh(name)).toBeUndefined();
    if (!name.includes("\0") && name.startsWith("..")) expect(readMesh(join(robot, name))).toBeUndefined();
  });

  it("are read only if they were found before", () => {
    expect(robotFiles(robot, {}).readMesh("meshes/link.stl")).toBeUndefined();
    expect(robotFiles(robot, {}).readMesh(join(place, "secret.stl"))).toBeUndefined();
  });
});

describe("included files", () => {
  const include = (name: string): string => robotFiles(robot, {}).options.readInclude!(name);

  it("are those of the folder", () => {
    expect(include("meshes/link.stl")).toBe("link");
  });

  it.each(["../secret.stl", "up/secret.stl", "meshes/link-to-secret.stl", "none.xml", "\0", "meshes"])(
    "and no others: %j",
    (name) => {
      expect(() => include(name)).toThrow(ModelError);
    },
  );
});

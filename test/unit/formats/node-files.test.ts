import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { ModelError } from "../../../src/errors.ts";
import { formatModel } from "../../../src/formats/model-file.ts";
import { loadModelFile } from "../../../src/formats/node-files.ts";

const folder = mkdtempSync(join(tmpdir(), "castor-"));
afterAll(() => rmSync(folder, { recursive: true }));

function fileOf(name: string, content: string | Uint8Array): string {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
}

describe("loadModelFile", () => {
  test("reads the satellite with a manipulator, with one warning for its waist", () => {
    const model = loadModelFile("scenarios/satellite-manipulator/model.yaml");
    expect(model.bodies.map((b) => [b.name, b.mass, b.hinge.name])).toEqual([
      ["satellite", 200, "satellite"],
      ["waist", 10, "waist"],
      ["upper-arm", 50, "upper-arm"],
      ["forearm", 40, "forearm"],
      ["hand", 30, "hand"],
    ]);
    expect([model.nq, model.nu]).toEqual([11, 10]);
    expect(model.bodies[2]!.hinge.onParent).toEqual({
      p: [0, 0, 0.1],
      R: [
        [-1, 0, 0],
        [0, 0, -1],
        [0, -1, 0],
      ],
    });
    expect(model.frames).toMatchObject([{ name: "tip", body: 4, placement: { p: [0, -0.3, 0] } }]);
    expect(model.warnings).toMatchObject([{ path: "bodies[1].inertia" }]);
  });

  test("skips a byte order mark", () => {
    const text = formatModel(loadModelFile("scenarios/satellite-manipulator/model.yaml"));
    expect(loadModelFile(fileOf("bom.yaml", `\ufeff${text}`)).nu).toBe(10);
  });

  test.each([
    ["no such file", join(folder, "none.yaml"), /none.yaml: 1 problem\n {2}there is no such file/],
    ["a folder", folder, /is not a file/],
    ["a device without end", "/dev/zero", /is not a file/],
    ["not UTF-8", fileOf("latin.yaml", Uint8Array.of(0x6e, 0xe9, 0xff)), /is not UTF-8 text/],
    ["too large", fileOf("large.yaml", Buffer.alloc(16 * 2 ** 20 + 1, 32)), /larger than 16 MiB/],
    ["a path with a null character", "a\0b", /cannot be read/],
  ])("%s", (_, path, message) => {
    expect(() => loadModelFile(path)).toThrow(ModelError);
    expect(() => loadModelFile(path)).toThrow(message);
  });
});

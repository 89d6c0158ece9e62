/** Mesh files with random damage: they give a mesh within the limits or a ModelError, never another error, in bounded time. */
import * as fc from "fast-check";
import { expect, it } from "vitest";
import { ModelError } from "../../src/errors.ts";
import { readMesh } from "../../src/formats/mesh/mesh-file.ts";
import { MOST_TRIANGLES } from "../../src/formats/mesh/triangle-mesh.ts";
import { CUBE_FILES, CUBE_MESH_NAMES, glbBytes, gltfParts, objText, textStl } from "../fixtures/mesh-bytes.ts";

/** Longest time of one small file, ms; a few are typical. It only has to tell a hang from a busy computer. */
const LONGEST_TIME = 5000;
const RUNS = { numRuns: Number(process.env.MESH_CASES ?? 1500) };

function attack(name: string, bytes: Uint8Array): void {
  const start = performance.now();
  try {
    const { positions, triangles } = readMesh(name, (path) => {
      if (path === name) return bytes;
      if (path === "part.bin") return CUBE_FILES["part.bin"]!;
      throw new ModelError(path, [{ path: "", message: "there is no such file" }]);
    });
    expect(triangles.length % 3).toBe(0);
    expect(triangles.length).toBeGreaterThan(0);
    expect(triangles.length).toBeLessThanOrEqual(3 * MOST_TRIANGLES);
    expect(positions.every(Number.isFinite)).toBe(true);
    const vertices = new Set(triangles);
    expect(vertices.size).toBe(positions.length / 3);
    for (const vertex of vertices) expect(vertex).toBeLessThan(positions.length / 3);
  } catch (error) {
    if (!(error instanceof ModelError)) throw error;
    for (const { message, advice } of error.problems) {
      expect(message).not.toBe("");
      expect(advice).toBeTruthy();
      expect(message.length).toBeLessThan(400);
    }
  }
  expect(performance.now() - start).toBeLessThan(LONGEST_TIME);
}

const word = fc.oneof(fc.constantFrom(0, 1, 0x7fffffff, 0x80000000, 0xffffffff, 4_000_000_000, 0x7fc00000), fc.nat(0xffffffff));
const damage = fc.oneof(
  fc.record({ kind: fc.constant("byte"), at: fc.nat(), value: fc.nat(255) }),
  fc.record({ kind: fc.constant("word"), at: fc.nat(), value: word }),
  fc.record({ kind: fc.constant("cut"), at: fc.nat(), value: fc.nat(200) }),
  fc.record({ kind: fc.constant("repeat"), at: fc.nat(), value: fc.nat(2000) }),
);

function damaged(bytes: Uint8Array, { kind, at, value }: { kind: string; at: number; value: number }): Uint8Array {
  const i = at % (bytes.length + 1);
  if (kind === "cut") return Uint8Array.of(...bytes.subarray(0, i), ...bytes.subarray(i + value));
  if (kind === "repeat")
    return Uint8Array.of(
      ...bytes.subarray(0, i),
      ...bytes.subarray(i, i + value),
      ...bytes.subarray(i, i + value),
      ...bytes.subarray(i),
    );
  const changed = bytes.slice();
  const view = new DataView(changed.buffer);
  if (kind === "byte" && i < bytes.length) changed[i] = value;
  if (kind === "word" && i + 4 <= bytes.length) view.setUint32(i - (i % 4), value, true);
  return changed;
}

it("changed, missing and repeated bytes", () => {
  fc.assert(
    fc.property(fc.constantFrom(...CUBE_MESH_NAMES), fc.array(damage, { minLength: 1, maxLength: 4 }), (name, steps) => {
      attack(name, steps.reduce(damaged, CUBE_FILES[name]!));
    }),
    RUNS,
  );
});

it("random bytes after the first ones of each format", () => {
  const starts = ["", "solid x\n", "solid x\nfacet normal ", "v ", "{", '{"asset":{"version":"2.0"},', "glTF\u0002\0\0\0"];
  fc.assert(
    fc.property(
      fc.constantFrom("a.stl", "a.obj", "a.gltf", "a.glb"),
      fc.constantFrom(...starts),
      fc.uint8Array({ maxLength: 300 }),
      (name, start, rest) => attack(name, Uint8Array.of(...new TextEncoder().encode(start), ...rest)),
    ),
    RUNS,
  );
});

const hostileWord = fc.oneof(
  fc.constantFrom(
    "1e999",
    "-0",
    "nan",
    "0x1",
    "1e-320",
    "9".repeat(400),
    "/",
    "1//",
    "\\",
    "#",
    "\0",
    "é",
    "f",
    "v",
    "endsolid",
    "facet",
    "-1",
    "0",
  ),
  fc.double({ noNaN: true }).map(String),
  fc.integer().map(String),
);
it("words of text files in the place of others", () => {
  fc.assert(
    fc.property(
      fc.constantFrom(["a.stl", textStl()] as const, ["a.obj", objText()] as const),
      fc.array(fc.tuple(fc.nat(), hostileWord), { minLength: 1, maxLength: 4 }),
      ([name, text], changes) => {
        const parts = text.split(/(\s+)/);
        for (const [at, value] of changes) parts[at % parts.length] = value;
        attack(name, new TextEncoder().encode(parts.join("")));
      },
    ),
    RUNS,
  );
});

const hostileValue = fc.oneof(
  fc.constantFrom(
    -1,
    0,
    1,
    0.5,
    4e9,
    2 ** 53,
    1e308,
    5121,
    5126,
    3_000_000,
    null,
    true,
    "",
    "x",
    "__proto__",
    "data:;base64,AAAA",
  ),
  fc.integer({ min: -3, max: 20 }),
  fc.constantFrom([], {}, [0, 0], [[]], { length: 4e9 }, [1e308, 1e308, 1e308]),
  fc.jsonValue({ maxDepth: 2 }),
);
const KEYS = [
  "children",
  "scale",
  "rotation",
  "matrix",
  "sparse",
  "byteStride",
  "byteOffset",
  "mode",
  "skin",
  "weights",
  "normalized",
  "uri",
];

/** All places of a document: the object or list, and the key in it. */
function placesOf(value: unknown): readonly (readonly [Record<string, unknown>, string])[] {
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => [[value as Record<string, unknown>, key] as const, ...placesOf(inner)]);
}

it("values of glTF files in the place of others", () => {
  fc.assert(
    fc.property(
      fc.array(fc.tuple(fc.nat(), hostileValue, fc.option(fc.constantFrom(...KEYS))), { minLength: 1, maxLength: 4 }),
      fc.boolean(),
      (changes, asGlb) => {
        const { json, buffer } = gltfParts();
        if (!asGlb) json.buffers[0]!.uri = "part.bin";
        for (const [at, drawn, newKey] of changes) {
          const value = structuredClone(drawn); // the document is changed, drawn values are shared
          const places = placesOf(json);
          const [owner, key] = places[at % places.length]!;
          const target = owner[key];
          if (newKey === null || typeof target !== "object" || target === null) owner[key] = value;
          else (target as Record<string, unknown>)[newKey] = value;
        }
        attack(asGlb ? "a.glb" : "a.gltf", asGlb ? glbBytes(json, buffer) : new TextEncoder().encode(JSON.stringify(json)));
      },
    ),
    RUNS,
  );
});

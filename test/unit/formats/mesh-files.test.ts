/** Mesh files: the same cuboid in every format, the features of each format, and messages for invalid files. */
import { describe, expect, it } from "vitest";
import { ArgumentError, ModelError } from "../../../src/errors.ts";
import { readMesh } from "../../../src/formats/mesh/mesh-file.ts";
import type { TriangleMesh } from "../../../src/formats/mesh/triangle-mesh.ts";
import {
  binaryStl,
  CUBE_CORNERS,
  CUBE_FILES,
  CUBE_MESH_NAMES,
  type GltfJson,
  glbBytes,
  gltfBytes,
  gltfParts,
  type Json,
  objText,
  textStl,
} from "../../fixtures/mesh-bytes.ts";

const encode = (text: string): Uint8Array => new TextEncoder().encode(text);
const reader =
  (files: Readonly<Record<string, Uint8Array>>) =>
  (path: string): Uint8Array => {
    if (Object.hasOwn(files, path)) return files[path]!;
    throw new ModelError(path, [{ path: "", message: "there is no such file" }]);
  };
const read = (name: string, bytes: Uint8Array | string): TriangleMesh =>
  readMesh(name, reader({ [name]: typeof bytes === "string" ? encode(bytes) : bytes }));

const verticesOf = ({ positions }: TriangleMesh): number[][] =>
  Array.from({ length: positions.length / 3 }, (_, i) => [...positions.subarray(3 * i, 3 * i + 3)]);
const sorted = (points: readonly (readonly number[])[]): (readonly number[])[] =>
  points.toSorted((a, b) => a[0]! - b[0]! || a[1]! - b[1]! || a[2]! - b[2]!);

/** Volume inside of the triangles, by the divergence theorem. It is negative if they are clockwise. */
function volumeOf({ positions, triangles }: TriangleMesh): number {
  let six = 0;
  const at = (k: number): [number, number, number] => {
    const i = 3 * triangles[k]!;
    return [positions[i]!, positions[i + 1]!, positions[i + 2]!];
  };
  for (let k = 0; k < triangles.length; k += 3) {
    const [ax, ay, az] = at(k);
    const [bx, by, bz] = at(k + 1);
    const [cx, cy, cz] = at(k + 2);
    six += ax * (by * cz - bz * cy) + ay * (bz * cx - bx * cz) + az * (bx * cy - by * cx);
  }
  return six / 6;
}
const CUBE_VOLUME = 0.75 * 1.75 * 1.875;

const problemOf = (make: () => unknown): string => {
  try {
    make();
  } catch (error) {
    if (!(error instanceof ModelError)) throw error;
    const [{ path, line, message, value, advice }] = error.problems as unknown as [ModelError["problems"][number]];
    return `${error.source}:${line ?? path}: ${message}, got ${value}. ${advice}`;
  }
  return "nothing was thrown";
};

describe("a cuboid", () => {
  it.each(CUBE_MESH_NAMES)("%s has its 8 corners and 12 triangles outward", (name) => {
    const mesh = readMesh(name, reader(CUBE_FILES));
    expect(sorted(verticesOf(mesh))).toEqual(sorted(CUBE_CORNERS));
    expect(mesh.triangles.length).toBe(36);
    expect(volumeOf(mesh)).toBe(CUBE_VOLUME);
  });

  it("a file of another kind is refused by its name, without reading it", () => {
    const unread = (): never => {
      throw new Error("was read");
    };
    expect(problemOf(() => readMesh("part.step", unread))).toBe(
      "part.step:: is not a mesh file, got undefined. The name must end with .stl, .obj, .gltf, .glb",
    );
  });
});

it("a function that does not return bytes is a wrong argument", () => {
  expect(() => readMesh("a.stl", () => "solid" as never)).toThrow(ArgumentError);
  expect(() => readMesh("part.gltf", (path) => (path === "part.gltf" ? CUBE_FILES[path]! : (undefined as never)))).toThrow(
    "readFile: must be a function that returns a Uint8Array, got undefined",
  );
});

describe("STL", () => {
  it("a binary file may begin with solid, also with words of a text file", () => {
    for (const header of ["solid part", "solid facet normal 0 0 1", "solid x\nfacet normal 0 0 1\nouter loop"])
      expect(volumeOf(read("a.stl", binaryStl(header)))).toBe(CUBE_VOLUME);
  });

  it("text may have capitals, other line ends, several solids, no name, and normals that are not numbers", () => {
    const changed = textStl()
      .toUpperCase()
      .replace("SOLID A PART", "SOLID")
      .replaceAll("\n", "\r\n")
      .replace("0 0 0", "nan nan nan");
    expect(volumeOf(read("a.stl", changed))).toBe(CUBE_VOLUME);
    const twice = read("a.stl", textStl() + textStl());
    expect([twice.positions.length, twice.triangles.length]).toEqual([24, 72]);
    expect(volumeOf(read("a.stl", `solid a\n${textStl().slice(13).replaceAll(/\s+/g, " ")}`))).toBe(CUBE_VOLUME);
  });

  const oneTriangle = (vertex: string): string =>
    `solid\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\n${vertex}\nendloop\nendfacet\nendsolid\n`;
  it.each([
    [
      "a header that claims 4e9 triangles",
      binaryStl("part", 4e9),
      /says 4000000000 triangles, which are 200000000084 bytes, but the file has 684 bytes/,
    ],
    ["100 bytes with such a header", binaryStl("part", 4e9).subarray(0, 100), /says 4000000000 triangles.*has 100 bytes/],
    ["a truncated binary file that begins with solid", binaryStl("solid part").subarray(0, 400), /says 12 triangles/],
    ["no triangles", binaryStl("part", 0).subarray(0, 84), /has no triangles/],
    ["nothing", new Uint8Array(0), /not an STL file: it has 0 bytes/],
    ["truncated text", textStl().slice(0, 300), /:12: |without endsolid/],
    ["text that ends between triangles", textStl().replace(/endsolid.*/, ""), /ends without endsolid.*truncated/],
    ["a word instead of a number", oneTriangle("vertex 1 one 0"), /a\.stl:6: a coordinate must be a finite number, got "one"/],
    ["a number that is too large", oneTriangle("vertex 1 1e999 0"), /a\.stl:6: .*got "1e999"/],
    ["hexadecimal", oneTriangle("vertex 1 0x10 0"), /a\.stl:6: .*got "0x10"/],
    ["two coordinates", oneTriangle("vertex 1 1"), /a\.stl:7: a coordinate must be.*got "endloop"/],
    ["four corners", oneTriangle("vertex 1 1 0\nvertex 0 1 0"), /a\.stl:7: endloop expected, got "vertex"/],
    ["another word", oneTriangle("vertex 1 1 0").replace("endsolid", "end"), /a\.stl:9: facet expected, or endsolid, got "end"/],
    ["text after the end", `${textStl()}more`, /solid expected, got "more"/],
  ])("refuses %s", (_, bytes, message) => {
    expect(problemOf(() => read("a.stl", bytes))).toMatch(message);
  });

  it("names the triangle of a coordinate that is not finite", () => {
    const bytes = binaryStl();
    new DataView(bytes.buffer).setFloat32(84 + 50 * 3 + 12, Number.NaN, true);
    expect(problemOf(() => read("a.stl", bytes))).toMatch(/a coordinate of triangle 4 is NaN/);
  });

  it("refuses more than a million triangles before it allocates", () => {
    const bytes = new Uint8Array(84 + 50 * 1_000_001);
    new DataView(bytes.buffer).setUint32(80, 1_000_001, true);
    expect(problemOf(() => read("a.stl", bytes))).toMatch(/has 1000001 triangles or more, at most 1000000 are read.*Simplify/);
  });

  it("refuses more than 100 MiB", () => {
    const large = new Uint8Array(100 * 2 ** 20 + 1);
    expect(problemOf(() => read("a.stl", large))).toMatch(/has 104857601 bytes, at most 100 MiB/);
  });
});

describe("OBJ", () => {
  const vertices = "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\n";
  it.each([
    [
      "texture and normal",
      objText().replaceAll(/(\d)(?=[ \n])/g, (digit, _, at, text: string) =>
        text.lastIndexOf("\nf", at) > text.lastIndexOf("\nv", at) ? `${digit}/7/9` : digit,
      ),
    ],
    ["a normal only", objText().replace("f 1 5 7 3", "f 1//1 5//1 7//-1 3//2")],
    ["negative numbers", objText().replace("f 1 5 7 3", "f -8 -4 -2 -6")],
    ["continued lines", objText().replace("f 1 5 7 3", "f 1 \\\n 5 7 \\ \r\n 3")],
    [
      "comments and colours",
      objText().replace("v -0.25 -0.75 0.125", "v -0.25 -0.75 0.125 1 0 0 # red").replace("f 1 5 7 3", "f 1 5 7 3 # side"),
    ],
    ["faces before vertices", objText().replace(/((?:v .*\n)+)((?:f .*\n)+)/, "$2$1")],
    [
      "vertices that no face uses",
      objText()
        .replace("o part", "v 9 9 9\no part")
        .replaceAll(/^f .*/gm, (face) => face.replaceAll(/\d+/g, (n) => String(Number(n) + 1))),
    ],
  ])("%s", (_, text) => {
    const mesh = read("a.obj", text);
    expect(sorted(verticesOf(mesh))).toEqual(sorted(CUBE_CORNERS));
    expect(volumeOf(mesh)).toBe(CUBE_VOLUME);
  });

  it("a polygon becomes a fan of triangles, and other statements are ignored", () => {
    const { triangles } = read("a.obj", `${vertices}vt 0 0\nvn 0 0 1\ng a\ns off\nusemtl x\nl 1 2\np 1\nf 1 2 3 4\n`);
    expect([...triangles]).toEqual([0, 1, 2, 0, 2, 3]);
  });

  it.each([
    ["a vertex that does not exist", `${vertices}f 1 2 5\nf 1 2 3\n`, /a\.obj:5: there are only 4 vertices, got 5/],
    ["vertex 0", `${vertices}f 0 1 2\n`, /a\.obj:5: a corner must be.*from -1 to -4.*got "0"/],
    ["a negative number before the first", `${vertices}f -5 -1 -2\n`, /got "-5"/],
    ["a fraction", `${vertices}f 1.5 2 3\n`, /got "1\.5"/],
    ["a long number", `${vertices}f 1 2 4294967297\n`, /got "4294967297"/],
    ["two corners", `${vertices}f 1 2\n`, /a\.obj:5: a face needs at least 3 vertices, got 2/],
    ["two coordinates", "v 1 2\n", /a\.obj:1: a coordinate must be.*got nothing/],
    ["a word", "v 1 2 inf\n", /a\.obj:1: a coordinate.*got "inf"/],
    ["another file", "call other.obj\n", /a\.obj:1: other files are not read, got "call"/],
    ["a command", `${vertices}csh rm -rf /\n`, /a\.obj:5: commands are never executed, got "csh"/],
    ["a surface", "surf 0 1 0 1 1 2 3\n", /free-form surface is not read/],
    ["another format", "ply\nformat ascii 1.0\n", /a\.obj:1: is not a statement of an OBJ file, got "ply"/],
    ["a statement with the name of an object's method", "constructor 1\n", /is not a statement/],
    ["a continued last line", `${vertices}f 1 2 3 \\`, /a\.obj:5: the last line ends with \\/],
    ["points without faces", vertices, /has no triangles/],
    ["nothing", "", /has no triangles/],
    ["a line without end", `v ${"1".repeat(1_000_001)}`, /a line has more than 1000000 characters/],
  ])("refuses %s", (_, text, message) => {
    expect(problemOf(() => read("a.obj", text))).toMatch(message);
  });
});

/** A glTF file of the cuboid with changes of its JSON. */
const glb = (change: (json: GltfJson, buffer: Uint8Array) => void, more = 0): Uint8Array => {
  const { json, buffer } = gltfParts();
  const larger = new Uint8Array(buffer.length + more);
  larger.set(buffer);
  json.buffers[0]!.byteLength = larger.length;
  change(json, larger);
  return glbBytes(json as Json, larger);
};
const viewOf = (buffer: Uint8Array): DataView => new DataView(buffer.buffer);
const withNodes = (nodes: Json[], first = [0]): Uint8Array =>
  glb((json) => {
    json.nodes = nodes;
    json.scenes = [{ nodes: first }];
  });
const pointsOf = (bytes: Uint8Array): (readonly number[])[] => sorted(verticesOf(read("a.glb", bytes)));
const moved = (map: (p: readonly number[]) => number[]): (readonly number[])[] => sorted(CUBE_CORNERS.map(map));
const closeTo = (actual: readonly (readonly number[])[], expected: readonly (readonly number[])[]): void => {
  expect(actual.length).toBe(expected.length);
  for (const [i, p] of actual.entries()) for (const [k, x] of p.entries()) expect(x).toBeCloseTo(expected[i]![k]!, 12);
};

describe("glTF nodes", () => {
  it("translation, rotation and scale act in this order from the right", () => {
    const half = Math.SQRT1_2; // a quarter turn about z: x becomes y
    const node = { mesh: 0, translation: [10, 20, 30], rotation: [0, 0, half, half], scale: [2, 3, 4] };
    closeTo(
      pointsOf(withNodes([node])),
      moved(([x, y, z]) => [10 - 3 * y!, 20 + 2 * x!, 30 + 4 * z!]),
    );
  });

  it("a general rotation turns about its axis", () => {
    // Rodrigues' formula for 1 rad about (1, 2, 2) / 3.
    const [axis, angle] = [[1 / 3, 2 / 3, 2 / 3], 1];
    const rotation = [...axis.map((x) => x * Math.sin(angle / 2)), Math.cos(angle / 2)];
    const turned = (p: readonly number[]): number[] => {
      const dot = axis.reduce((sum, x, i) => sum + x * p[i]!, 0);
      const cross = axis.map((_, i) => axis[(i + 1) % 3]! * p[(i + 2) % 3]! - axis[(i + 2) % 3]! * p[(i + 1) % 3]!);
      return p.map((x, i) => x * Math.cos(angle) + cross[i]! * Math.sin(angle) + axis[i]! * dot * (1 - Math.cos(angle)));
    };
    closeTo(pointsOf(withNodes([{ mesh: 0, rotation }])), moved(turned));
  });

  it("a matrix is in columns, and children move with their parents", () => {
    const matrix = [0, 1, 0, 0, 0, 0, 1, 0, 1, 0, 0, 0, 5, 6, 7, 1]; // x to y, y to z, z to x
    const nodes = [
      { children: [1], translation: [100, 0, 0] },
      { children: [2], scale: [2, 2, 2] },
      { mesh: 0, matrix },
    ];
    closeTo(
      pointsOf(withNodes(nodes)),
      moved(([x, y, z]) => [100 + 2 * (z! + 5), 2 * (x! + 6), 2 * (y! + 7)]),
    );
  });

  it("a mirrored mesh keeps its triangles outward", () => {
    expect(volumeOf(read("a.glb", withNodes([{ mesh: 0, scale: [-1, 1, 1] }])))).toBe(CUBE_VOLUME);
  });

  it("copies of a mesh, and nodes outside of the scene", () => {
    const nodes = [{ mesh: 0 }, { mesh: 0, translation: [10, 0, 0] }, { mesh: 0, translation: [20, 0, 0] }];
    const mesh = read("a.glb", withNodes(nodes, [0, 1]));
    expect([mesh.positions.length, mesh.triangles.length]).toEqual([48, 72]);
    expect(Math.max(...mesh.positions)).toBe(10.5);
  });

  it("the default scene, the first scene, or all nodes without parent", () => {
    const nodes = [
      { mesh: 0, children: [1] },
      { mesh: 0, translation: [10, 0, 0] },
    ];
    const widest = (scenes: unknown, scene?: number): number =>
      Math.max(
        ...read(
          "a.glb",
          glb((json) => Object.assign(json, { nodes, scenes, scene })),
        ).positions,
      );
    expect(widest([{ nodes: [1] }, { nodes: [0] }], 1)).toBe(10.5);
    expect(widest([{ nodes: [0] }])).toBe(10.5);
    expect(widest(undefined)).toBe(10.5);
  });

  it.each([
    [
      "a cycle",
      [{ children: [1] }, { children: [0], mesh: 0 }],
      /nodes\[1\]\.children\[0\]: this node is reached twice.*without cycles, got 0/,
    ],
    ["a node that is its own child", [{ children: [0], mesh: 0 }], /nodes\[0\]\.children\[0\]: this node is reached twice/],
    ["two parents", [{ children: [1, 2] }, { children: [2] }, { mesh: 0 }], /reached twice/],
    ["a child that does not exist", [{ children: [7] }], /nodes\[0\]\.children\[0\]: there are only 1 nodes, got 7/],
    ["a mesh that does not exist", [{ mesh: -1 }], /nodes\[0\]\.mesh: must be a whole number from 0, got -1/],
    ["a skin", [{ mesh: 0, skin: 0 }], /nodes\[0\]\.skin: .*skin is not read/],
    ["morph targets", [{ mesh: 0, weights: [0, 0.5] }], /nodes\[0\]\.weights\[1\]: .*morph targets is not read, got 0\.5/],
    ["a matrix and a translation", [{ mesh: 0, matrix: [], translation: [0, 0, 0] }], /nodes\[0\]: has a matrix and also/],
    ["a short matrix", [{ mesh: 0, matrix: [1, 2] }], /nodes\[0\]\.matrix: must be a list of 16 finite numbers/],
    ["a projection", [{ mesh: 0, matrix: [1, 0, 0, 1, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1] }], /last row/],
    ["a rotation that is no quaternion", [{ mesh: 0, rotation: [0, 0, 0, 2] }], /rotation: must be a quaternion of norm 1/],
    [
      "a transform that overflows",
      [
        { children: [1], scale: [1e200, 1, 1] },
        { mesh: 0, scale: [1e200, 1, 1] },
      ],
      /coordinate of triangle 1 is -Infinity/,
    ],
    ["a node that is no object", [3], /nodes\[0\]: must be an object, got 3/],
    ["no mesh", [{}], /has no triangles/],
  ])("refuses %s", (_, nodes, message) => {
    expect(problemOf(() => read("a.glb", withNodes(nodes as Json[])))).toMatch(message);
  });

  it("refuses a cycle without scenes", () => {
    const bytes = glb((json) =>
      Object.assign(json, { nodes: [{ children: [1] }, { children: [0] }], scenes: undefined, scene: undefined }),
    );
    expect(problemOf(() => read("a.glb", bytes))).toMatch(/nodes: every node has a parent/);
  });
});

describe("glTF accessors", () => {
  it("byteStride: elements between other data", () => {
    const bytes = glb((json, buffer) => {
      for (const [i, p] of CUBE_CORNERS.entries())
        for (const [k, x] of [7, ...p, 9].entries()) viewOf(buffer).setFloat32(168 + 20 * i + 4 * k, x, true);
      json.bufferViews.push({ buffer: 0, byteOffset: 168, byteLength: 160, byteStride: 20 });
      Object.assign(json.accessors[0]!, { bufferView: 2, byteOffset: 4 });
    }, 160);
    expect(pointsOf(bytes)).toEqual(sorted(CUBE_CORNERS));
  });

  it.each([
    [5120, 1, 127, "setInt8"],
    [5121, 1, 255, "setUint8"],
    [5122, 2, 32767, "setInt16"],
    [5123, 2, 65535, "setUint16"],
  ] as const)("normalized and plain integers of type %i", (componentType, size, largest, set) => {
    const least = set.startsWith("setInt") ? -largest - 1 : 0;
    const written = Array.from({ length: 8 }, (_, i) => [0, 1, 2].map((k) => (i & (1 << k) ? largest : least)));
    const make = (normalized: boolean): Uint8Array =>
      glb((json, buffer) => {
        for (const [i, x] of written.flat().entries()) viewOf(buffer)[set](i * size, x, true);
        Object.assign(json.accessors[0]!, { componentType, normalized });
        json.extensionsRequired = ["KHR_mesh_quantization"];
      });
    expect(pointsOf(make(false))).toEqual(sorted(written));
    // The least value is -1 too [glTF 2.0, section 3.11].
    expect(pointsOf(make(true))).toEqual(sorted(written.map((p) => p.map((x) => (x === largest ? 1 : least === 0 ? 0 : -1)))));
  });

  it.each([
    ["8-bit", 5121, "setUint8", 1],
    ["16-bit", 5123, "setUint16", 2],
    ["32-bit", 5125, "setUint32", 4],
  ] as const)("%s indices", (_, componentType, set, size) => {
    const { json, buffer } = gltfParts();
    const indices = Array.from({ length: 36 }, (_x, i) => viewOf(buffer).getUint16(96 + 2 * i, true));
    const bytes = glb((changed, larger) => {
      for (const [i, x] of indices.entries()) viewOf(larger)[set](96 + size * i, x, true);
      Object.assign(changed.accessors[1]!, { componentType });
      changed.bufferViews[1]!.byteLength = 36 * size;
    }, 72);
    expect(json.accessors).toBeDefined();
    expect(volumeOf(read("a.glb", bytes))).toBe(CUBE_VOLUME);
  });

  it("sparse accessors: single elements, also of an accessor without a buffer", () => {
    const sparse = (isOfNothing: boolean): Uint8Array =>
      glb((json, buffer) => {
        viewOf(buffer).setUint8(168, 2);
        viewOf(buffer).setUint8(169, 5);
        for (const [i, x] of [11, 12, 13, 21, 22, 23].entries()) viewOf(buffer).setFloat32(172 + 4 * i, x, true);
        json.bufferViews.push({ buffer: 0, byteOffset: 168, byteLength: 2 }, { buffer: 0, byteOffset: 172, byteLength: 24 });
        json.accessors[0]!.sparse = { count: 2, indices: { bufferView: 2, componentType: 5121 }, values: { bufferView: 3 } };
        if (isOfNothing) json.accessors[0]!.bufferView = undefined;
      }, 28);
    const replaced = CUBE_CORNERS.with(2, [11, 12, 13]).with(5, [21, 22, 23]);
    expect(pointsOf(sparse(false))).toEqual(sorted(replaced));
    expect(pointsOf(sparse(true))).toEqual([
      [0, 0, 0],
      [11, 12, 13],
      [21, 22, 23],
    ]);
  });

  it("triangles without indices, strips and fans", () => {
    const square = [
      [0, 0],
      [1, 0],
      [0, 1],
      [1, 1],
    ];
    const make = (mode: number | undefined, order: readonly number[]): TriangleMesh =>
      read(
        "a.glb",
        glb((json, buffer) => {
          for (const [k, i] of order.entries())
            for (const [c, x] of [...square[i]!, 0].entries()) viewOf(buffer).setFloat32(12 * k + 4 * c, x, true);
          json.meshes[0]!.primitives = [
            { attributes: { POSITION: 0 }, mode },
            { attributes: { POSITION: 0 }, mode: 0 },
            { attributes: { POSITION: 0 }, mode: 3 },
            { attributes: { NORMAL: 0 } },
          ];
          json.accessors[0]!.count = order.length;
        }),
      );
    /** Corners of the triangles; the numbers are those in `square`. */
    const trianglesOf = ({ positions, triangles }: TriangleMesh): number[] =>
      Array.from(triangles, (i) => positions[3 * i]! + 2 * positions[3 * i + 1]!);
    expect(trianglesOf(make(undefined, [0, 1, 3, 0, 3, 2]))).toEqual([0, 1, 3, 0, 3, 2]);
    expect(trianglesOf(make(5, [0, 1, 2, 3]))).toEqual([0, 1, 2, 1, 3, 2]);
    expect(trianglesOf(make(6, [0, 1, 3, 2]))).toEqual([1, 3, 0, 3, 2, 0]);
  });

  it.each([
    [
      "an accessor beyond its view",
      (json) => (json.accessors[0]!.count = 9),
      /accessors\[0\]: needs 108 bytes of bufferViews\[0\], which has 96 bytes/,
    ],
    ["4e9 elements", (json) => (json.accessors[0]!.count = 4e9), /has 4000000000 vertices or more, at most 3000000/],
    [
      "4e9 elements without a view",
      (json) => (json.accessors[0] = { componentType: 5126, count: 4e9, type: "VEC3" }),
      /has 4000000000 vertices/,
    ],
    [
      "a count that is no number",
      (json) => (json.accessors[0]!.count = "8"),
      /accessors\[0\]\.count: must be a whole number from 1, got "8"/,
    ],
    [
      "a negative offset",
      (json) => (json.accessors[0]!.byteOffset = -4),
      /accessors\[0\]\.byteOffset: must be a whole number from 0, got -4/,
    ],
    ["a huge offset", (json) => (json.accessors[0]!.byteOffset = 2 ** 53 - 1), /accessors\[0\]: needs/],
    [
      "a view beyond its buffer",
      (json) => (json.bufferViews[1]!.byteLength = 73),
      /bufferViews\[1\]: ends at byte 169 of a buffer of 168 bytes/,
    ],
    [
      "a buffer beyond its data",
      (json) => (json.buffers[0]!.byteLength = 1e12),
      /buffers\[0\]\.byteLength: the buffer has only 168 bytes, got 1000000000000/,
    ],
    [
      "a stride below an element",
      (json) => (json.bufferViews[0]!.byteStride = 8),
      /bufferViews\[0\]\.byteStride: an element has 12 bytes, got 8/,
    ],
    [
      "an index of a vertex that does not exist",
      (_, buffer) => buffer.fill(255, 96, 98),
      /indices: index 0 is 65535, but there are only 8 positions/,
    ],
    ["positions of another type", (json) => (json.accessors[0]!.type = "VEC4"), /accessors\[0\]\.type: must be VEC3, got "VEC4"/],
    [
      "indices that are floats",
      (json) => (json.accessors[1]!.componentType = 5126),
      /componentType: must be 5121, 5123, 5125, got 5126/,
    ],
    ["normalized floats", (json) => (json.accessors[0]!.normalized = true), /normalized: only components of 8 and 16 bits/],
    ["a part of a triangle", (json) => (json.accessors[1]!.count = 35), /primitives\[0\]: has 35 corners in mode 4/],
    ["a mode that does not exist", (json) => (json.meshes[0]!.primitives[0]!.mode = 7), /mode: must be 0 to 6, got 7/],
    [
      "a buffer without data",
      (json) => {
        json.buffers.push({ byteLength: 4 });
        json.bufferViews[0]!.buffer = 1;
      },
      /buffers\[1\]\.uri: a buffer needs/,
    ],
    [
      "sparse elements in wrong order",
      (json) =>
        (json.accessors[0]!.sparse = { count: 2, indices: { bufferView: 0, componentType: 5121 }, values: { bufferView: 0 } }),
      /sparse\.indices: index [01] is \d+: indices must increase/,
    ],
    [
      "more sparse elements than elements",
      (json) => (json.accessors[0]!.sparse = { count: 9 }),
      /sparse\.count: the accessor has only 8 elements, got 9/,
    ],
    ["a mesh that is no object", (json) => (json.meshes = ["x" as never]), /meshes\[0\]: must be an object/],
    ["lists that are no lists", (json) => (json.accessors = { 0: {} } as never), /accessors: must be a list/],
    ["version 1", (json) => (json.asset.version = "1.0"), /asset\.version: only glTF 2\.0 is read, got "1\.0"/],
    ["a later version", (json) => (json.asset.minVersion = "2.1"), /asset\.minVersion: only glTF 2\.0/],
    ["no version", (json) => (json.asset = undefined as never), /asset\.version/],
    [
      "Draco",
      (json) => (json.extensionsRequired = ["KHR_draco_mesh_compression"]),
      /extensionsRequired\[0\]: this extension is required, but not read, got "KHR_draco_mesh_compression"/,
    ],
    [
      "meshopt",
      (json) => (json.extensionsRequired = ["KHR_materials_unlit", "EXT_meshopt_compression"]),
      /extensionsRequired\[1\].*"EXT_meshopt_compression".*without compression/,
    ],
    [
      "instances",
      (json) => (json.extensionsUsed = ["EXT_mesh_gpu_instancing"]),
      /extensionsUsed\[0\]: repeated meshes are not read/,
    ],
  ] as readonly [string, (json: GltfJson, buffer: Uint8Array) => unknown, RegExp][])("refuses %s", (_, change, message) => {
    expect(
      problemOf(() =>
        read(
          "a.glb",
          glb((json, buffer) => void change(json, buffer)),
        ),
      ),
    ).toMatch(message);
  });

  it("refuses copies of copies that would be too many", () => {
    const many = glb((json) => {
      json.nodes = Array.from({ length: 99_999 }, () => ({ mesh: 0 }));
      json.scenes = [{ nodes: json.nodes.map((_: unknown, i: number) => i) }];
    });
    expect(problemOf(() => read("a.glb", many))).toMatch(/has 1000008 triangles or more/);
    const parts = glb((json) => {
      json.nodes = Array.from({ length: 1000 }, () => ({ mesh: 0 }));
      json.scenes = [{ nodes: json.nodes.map((_: unknown, i: number) => i) }];
      json.meshes[0]!.primitives = Array.from({ length: 1000 }, () => ({ attributes: {}, mode: 0 }));
    });
    expect(problemOf(() => read("a.glb", parts))).toMatch(/primitives\[0\]: is part 100001, at most 100000/);
  });
});

describe("glTF files", () => {
  const { json, buffer } = gltfParts();
  const readWith = (bytes: Uint8Array, files: Readonly<Record<string, Uint8Array>> = {}): TriangleMesh =>
    readMesh("parts/a.gltf", reader({ "parts/a.gltf": bytes, ...files }));

  it("buffers are read from the folder of the file, by their decoded names", () => {
    const mesh = readWith(gltfBytes(json, buffer, "sub/my%20data.bin"), { "parts/sub/my data.bin": buffer });
    expect(volumeOf(mesh)).toBe(CUBE_VOLUME);
  });

  it.each([
    [
      "a missing buffer",
      "none.bin",
      /buffers\[0\]\.uri: the buffer cannot be read: there is no such file, got "none\.bin".*beside the file/,
    ],
    ["an address", "https://example.org/a.bin", /uri: must be a path relative to the file/],
    ["an absolute path", "/etc/passwd", /uri: must be a path relative/],
    ["a wrong name", "%E0%A4%A.bin", /uri: is not a valid path/],
    ["data that is not base64", "data:application/octet-stream,abc", /uri: data in the file must be base64/],
    ["damaged data", "data:;base64,@@@@", /uri: data in the file must be base64/],
    ["a path out of the folder", "../../a.bin", /uri: must be a path relative to the file, in its folder/],
    ["an absolute path in disguise", "%2Fetc%2Fpasswd", /uri: must be a path relative/],
    ["short data", "data:;base64,AAAA", /byteLength: the buffer has only 3 bytes, got 168/],
  ])("refuses %s", (_, uri, message) => {
    expect(problemOf(() => readWith(gltfBytes(json, buffer, uri)))).toMatch(message);
  });

  it("refuses files that together are too large", () => {
    const large = new Uint8Array(100 * 2 ** 20);
    expect(problemOf(() => readWith(gltfBytes(json, buffer, "a.bin"), { "parts/a.bin": large }))).toMatch(/at most 100 MiB/);
  });

  it.each([
    ["text that is not JSON", encode("{"), /is not glTF: its JSON cannot be read/],
    ["bytes that are not text", Uint8Array.of(255, 254, 0), /is not glTF: its JSON cannot be read/],
    ["a list", encode("[]"), /its JSON is not an object/],
    ["null", encode("null"), /its JSON is not an object/],
    ["deep lists", encode("[".repeat(1e6)), /its JSON cannot be read/],
    ["nothing", new Uint8Array(0), /its JSON cannot be read/],
  ])("refuses %s", (_, bytes, message) => {
    expect(problemOf(() => read("a.gltf", bytes))).toMatch(message);
  });

  const changed = (offset: number, value: number): Uint8Array => {
    const bytes = glbBytes(json, buffer);
    new DataView(bytes.buffer).setUint32(offset, value, true);
    return bytes;
  };
  it.each([
    ["version 1", changed(4, 1), /is glTF version 1/],
    ["another length", changed(8, 4e9), /its header says 4000000000 bytes/],
    ["a chunk beyond the file", changed(12, 4e9), /the chunk at byte 12 ends beyond the file/],
    ["a first chunk that is not JSON", changed(16, 7), /first chunk is not JSON/],
    ["a header only", glbBytes(json, buffer).subarray(0, 12), /has only 12 bytes/],
  ])("refuses a .glb file with %s", (_, bytes, message) => {
    expect(problemOf(() => read("a.glb", bytes))).toMatch(message);
  });

  it("bytes may be a view of a larger array", () => {
    for (const [name, bytes] of Object.entries(CUBE_FILES)) {
      if (!/^(binary|part\.glb)/.test(name)) continue;
      const larger = new Uint8Array(bytes.length + 11).fill(7);
      larger.set(bytes, 5);
      expect(volumeOf(read(name, larger.subarray(5, 5 + bytes.length)))).toBe(CUBE_VOLUME);
    }
  });
});

/** Reads Wavefront OBJ files: vertices and polygons. Nothing that a file names is opened, and nothing in it is executed. */
import { quoted, readNumber, textLines } from "./mesh-text.ts";
import { checkTriangleCount, checkVertexCount, meshError, type TriangleMesh, weldCorners } from "./triangle-mesh.ts";

/** Statements without effect on triangles: other data of vertices, groups, appearance, points and lines, free-form attributes. */
const IGNORED = new Set(
  (
    "vt vn vp g o s mg l p usemtl mtllib usemap maplib bevel c_interp d_interp lod shadow_obj trace_obj ctech stech " +
    "cstype deg bmat step parm trim hole scrv sp end con curv curv2"
  ).split(" "),
);

/** Statements that are refused: other surfaces, other files, commands. */
const REFUSED: Readonly<Record<string, readonly [string, string]>> = {
  surf: ["a free-form surface is not read", "Export the part as triangles"],
  call: ["other files are not read", "Write one file"],
  csh: ["commands are never executed", "Remove the line"],
};

/** @throws ModelError with the problem of the file and what to do. */
export function readObj(bytes: Uint8Array, file: string): TriangleMesh {
  const vertices: number[] = [];
  const triangles: number[] = [];
  let highest = { vertex: -1, line: 0 };
  for (const { line, words } of textLines(bytes, file, { continuation: "\\", comment: "#" })) {
    const [keyword = "", ...values] = words;
    if (keyword === "v") {
      // A weight or a colour may follow.
      for (let i = 0; i < 3; i++) vertices.push(readNumber(values[i], file, line));
      checkVertexCount(vertices.length / 3, file, line);
    } else if (keyword === "f" || keyword === "fo") {
      const polygon = values.map((value) => vertexOf(value, vertices.length / 3, file, line));
      if (polygon.length < 3)
        throw meshError(file, "a face needs at least 3 vertices", "Correct the file, or export it again", {
          line,
          value: String(polygon.length),
        });
      for (const vertex of polygon) if (vertex > highest.vertex) highest = { vertex, line };
      for (let i = 2; i < polygon.length; i++) triangles.push(polygon[0]!, polygon[i - 1]!, polygon[i]!);
      checkTriangleCount(triangles.length / 3, file, line);
    } else if (!IGNORED.has(keyword)) {
      const [message, advice] = Object.hasOwn(REFUSED, keyword)
        ? REFUSED[keyword]!
        : ["is not a statement of an OBJ file", "Correct the file, or export it again as OBJ"];
      throw meshError(file, message, advice, { line, value: quoted(keyword) });
    }
  }
  // Faces may stand before their vertices.
  if (highest.vertex >= vertices.length / 3)
    throw meshError(file, `there are only ${vertices.length / 3} vertices`, "Correct the file, or export it again", {
      line: highest.line,
      value: String(highest.vertex + 1),
    });
  const corners = new Float64Array(3 * triangles.length);
  for (const [k, vertex] of triangles.entries()) for (let i = 0; i < 3; i++) corners[3 * k + i] = vertices[3 * vertex + i]!;
  return weldCorners(corners, file);
}

/** Vertex, counted from 0, of a corner v, v/vt, v//vn or v/vt/vn. Numbers count from 1; negative ones from the last vertex before the line. */
function vertexOf(corner: string, before: number, file: string, line: number): number {
  const number = /^(-?\d{1,9})(?:\/(?:-?\d+)?){0,2}$/.exec(corner)?.[1];
  const vertex = number === undefined ? Number.NaN : Number(number) > 0 ? Number(number) - 1 : before + Number(number);
  if (number !== undefined && Number(number) !== 0 && vertex >= 0) return vertex;
  throw meshError(
    file,
    `a corner must be the number of a vertex from 1 or, counted from the last, from -1 to -${before}, e.g. 3, 3/1 or 3//2`,
    "Correct the file, or export it again",
    { line, value: quoted(corner) },
  );
}

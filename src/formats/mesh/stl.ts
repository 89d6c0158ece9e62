/** Reads STL files: triangles without common vertices, binary or as text. */
import { quoted, readNumber, textLines } from "./mesh-text.ts";
import { checkTriangleCount, DAMAGED, meshError, type TriangleMesh, weldCorners } from "./triangle-mesh.ts";

const HEADER_BYTES = 80;
const TRIANGLE_BYTES = 50;
const FIRST_TRIANGLE = HEADER_BYTES + 4;

/** @throws ModelError with the problem of the file and what to do. */
export function readStl(bytes: Uint8Array, file: string): TriangleMesh {
  return weldCorners(isText(bytes) ? textCorners(bytes, file) : binaryCorners(bytes, file), file);
}

/**
 * Binary files may begin with "solid" too. Text cannot have the size that the number of triangles of a binary file demands: four characters as
 * number are at least 0x09090909, which is 7.5 GB of triangles.
 */
function isText(bytes: Uint8Array): boolean {
  if (bytes.length === sizeInHeader(bytes)) return false;
  const start = new TextDecoder("latin1").decode(bytes.subarray(0, 4096));
  return /^\s*solid\b[^\0]*?\b(facet|endsolid)\b/i.test(start);
}

const viewOf = (bytes: Uint8Array): DataView => new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
const trianglesInHeader = (bytes: Uint8Array): number => viewOf(bytes).getUint32(HEADER_BYTES, true);

/** Size of a binary file according to its header; undefined for a file without one. */
const sizeInHeader = (bytes: Uint8Array): number | undefined =>
  bytes.length < FIRST_TRIANGLE ? undefined : FIRST_TRIANGLE + TRIANGLE_BYTES * trianglesInHeader(bytes);

function binaryCorners(bytes: Uint8Array, file: string): Float64Array {
  const size = sizeInHeader(bytes);
  if (size === undefined)
    throw meshError(
      file,
      `is not an STL file: it has ${bytes.length} bytes, and is no text that begins with "solid"`,
      "Export it again as STL",
    );
  const count = trianglesInHeader(bytes);
  if (bytes.length !== size)
    throw meshError(
      file,
      `its header says ${count} triangles, which are ${size} bytes, but the file has ${bytes.length} bytes`,
      "The file is truncated or damaged, or is not an STL file: export it again",
    );
  checkTriangleCount(count, file);
  const view = viewOf(bytes);
  const corners = new Float64Array(9 * count);
  // A triangle is its normal, three corners, and 2 bytes of attributes.
  for (let k = 0; k < count; k++)
    for (let i = 0; i < 9; i++) corners[9 * k + i] = view.getFloat32(FIRST_TRIANGLE + TRIANGLE_BYTES * k + 4 * (3 + i), true);
  return corners;
}

/** Words of a triangle in text. Numbers of the normal (n) are not used: they are often wrong. */
const FACET = "facet normal n n n outer loop vertex x y z vertex x y z vertex x y z endloop endfacet".split(" ");
const isCoordinate = (expected: string): boolean => expected === "x" || expected === "y" || expected === "z";

function textCorners(bytes: Uint8Array, file: string): Float64Array {
  const corners: number[] = [];
  let inSolid = false;
  let inFacet = 0;
  for (const { line, words } of textLines(bytes, file))
    for (const word of words) {
      const keyword = word.toLowerCase();
      if (inFacet === 0 && keyword === (inSolid ? "endsolid" : "solid")) {
        inSolid = !inSolid;
        break; // the rest of the line is a name
      }
      const expected = FACET[inFacet]!;
      if (inSolid && isCoordinate(expected)) corners.push(readNumber(word, file, line));
      else if (!inSolid || (expected !== "n" && expected !== keyword))
        throw meshError(
          file,
          `${inSolid ? expected : "solid"} expected${inSolid && inFacet === 0 ? ", or endsolid" : ""}`,
          "Correct the file, or export it again",
          { line, value: quoted(word) },
        );
      inFacet = (inFacet + 1) % FACET.length;
      if (inFacet === 0) checkTriangleCount(corners.length / 9, file, line);
    }
  if (inSolid) throw meshError(file, "ends without endsolid", DAMAGED);
  return Float64Array.from(corners);
}

/** Shapes as triangles for the player: few enough for a page, and without holes. */
import { type BodyShape, shapeInstances } from "../../model/body-shape.ts";
import { MATERIALS } from "../../model/surface/materials.ts";
import type { NumericVec3 } from "../../spatial/vec3.ts";
import type { MeshTriangles } from "../pictures/shape-faces.ts";
import { type KnownSurfaces, pointOnBody } from "./known-surfaces.ts";
import { packBytes } from "./pack-numbers.ts";
import type { ReplayMesh } from "./replay-format.ts";

/** Triangles of one colour. Three indices of points per triangle. */
export interface ColouredTriangles {
  readonly colour: string;
  readonly points: ArrayLike<number>;
  readonly triangles: ArrayLike<number>;
}

/** Shapes that move together, with the colour of those that have none. */
export interface ShapeGroup {
  readonly shapes: readonly BodyShape[];
  readonly colour: string;
}

/** Most triangles of all shapes, and as many of all mesh files. */
const MAX_TRIANGLES = 14_000;
/** Facets of a whole turn, finest first; a smaller shape has fewer. */
const SIDES = [32, 24, 18, 14, 10, 8];
const [FEWEST_SIDES, SMALL] = [6, 0.08];
/** Cells along the longest edge of a mesh file whose points are joined, finest first. */
const CELLS = [512, 256, 160, 100, 64, 40, 24, 12];

/** The meshes of each group. */
export function replayMeshes(
  groups: readonly ShapeGroup[],
  size: number,
  meshOf: (file: string) => MeshTriangles | undefined,
  surfaces: KnownSurfaces,
): readonly (readonly ReplayMesh[])[] {
  const parts = groups.map(({ shapes, colour }) => shapes.flatMap(shapeInstances).map((shape) => ({ shape, colour })));
  const solids = parts.flat().filter(({ shape }) => shape.kind !== "mesh");
  const radii = new Map(solids.map(({ shape }) => [shape, surfaces.boundsRadius(shape)]));
  const files = parts.flat().flatMap(({ shape }) => (shape.kind === "mesh" ? [meshOf(shape.file)] : []));
  const inFiles = files.reduce((sum, mesh) => sum + (mesh?.triangles.length ?? 0) / 3, 0);
  const at = (level: number): Map<BodyShape, readonly ColouredTriangles[]> =>
    new Map(
      solids.map(({ shape, colour }) => {
        const sides = radii.get(shape)! < SMALL * size ? Math.max(FEWEST_SIDES, SIDES[level]! / 2) : SIDES[level]!;
        return [shape, colouredSurface(surfaces, shape, colour, Math.round(sides))];
      }),
    );
  let level = 0;
  let drawn = at(level);
  while (countOf([...drawn.values()].flat()) > MAX_TRIANGLES && level + 1 < SIDES.length) drawn = at(++level);
  dropSmallest(drawn, radii);
  return parts.map((shapes) => {
    const all = shapes.flatMap(({ shape, colour }): readonly ColouredTriangles[] => {
      if (shape.kind !== "mesh") return drawn.get(shape) ?? [];
      const mesh = meshOf(shape.file);
      if (mesh === undefined) return [];
      const share = inFiles > MAX_TRIANGLES ? MAX_TRIANGLES * (mesh.triangles.length / 3 / inFiles) : 1 / 0;
      return [{ colour: colourOf(shape, colour), ...placed(shape, scaled(simplified(mesh, share), shape.scale)) }];
    });
    const colours = [...new Set(all.map(({ colour }) => colour))];
    return colours.map((colour) => packMesh(all.filter((part) => part.colour === colour)));
  });
}

const countOf = (parts: readonly ColouredTriangles[]): number =>
  parts.reduce((sum, { triangles }) => sum + triangles.length / 3, 0);

/** Leaves out the smallest shapes if there are too many triangles nevertheless. */
function dropSmallest(drawn: Map<BodyShape, readonly ColouredTriangles[]>, radii: ReadonlyMap<BodyShape, number>): void {
  let excess = countOf([...drawn.values()].flat()) - MAX_TRIANGLES;
  for (const [shape] of [...radii].sort((a, b) => a[1] - b[1])) {
    if (excess <= 0) return;
    excess -= countOf(drawn.get(shape)!);
    drawn.delete(shape);
  }
}

const colourOf = ({ colour, material = "paint" }: BodyShape, ofBody: string): string => colour ?? MATERIALS[material] ?? ofBody;

/** The surface in axes of the body. Rounded edges are too small for the player. */
function colouredSurface(surfaces: KnownSurfaces, shape: BodyShape, ofBody: string, sides: number): readonly ColouredTriangles[] {
  return surfaces.withoutRim(shape, sides).map(({ positions, triangles, material }) => ({
    colour: material === undefined ? colourOf(shape, ofBody) : (MATERIALS[material] ?? ofBody),
    ...placed(shape, { points: positions, triangles }),
  }));
}

type IndexedTriangles = Omit<ColouredTriangles, "colour">;

function placed({ placement }: BodyShape, { points, triangles }: IndexedTriangles): IndexedTriangles {
  const moved = new Float64Array(points.length);
  for (let i = 0; i < points.length; i += 3) {
    const [x, y, z] = pointOnBody(placement, points[i]!, points[i + 1]!, points[i + 2]!);
    moved[i] = x;
    moved[i + 1] = y;
    moved[i + 2] = z;
  }
  return { points: moved, triangles };
}

/** A mirrored mesh has its corners in the reverse order, so that they stay counterclockwise. */
function scaled({ points, triangles }: IndexedTriangles, scale: NumericVec3): IndexedTriangles {
  const isMirrored = scale[0] * scale[1] * scale[2] < 0;
  const corners = Array.from(triangles);
  for (let i = 0; isMirrored && i < corners.length; i += 3) [corners[i + 1], corners[i + 2]] = [corners[i + 2]!, corners[i + 1]!];
  return { points: Array.from(points, (x, i) => x * scale[(i % 3) as 0]), triangles: corners };
}

/** Joins the points in each cell of a grid, and leaves out triangles that become lines. */
function simplified({ positions, triangles }: MeshTriangles, most: number): IndexedTriangles {
  if (triangles.length / 3 <= most) return { points: positions, triangles };
  let [low, high] = [1 / 0, -1 / 0];
  for (const x of positions) [low, high] = [Math.min(low, x), Math.max(high, x)];
  let corners: number[] = [];
  for (const cells of CELLS) {
    const cell = (high - low || 1) / cells;
    const first = new Map<number, number>();
    const standIn = new Uint32Array(positions.length / 3);
    for (let i = 0; i < standIn.length; i++) {
      const [x, y, z] = [0, 1, 2].map((k) => Math.floor((positions[3 * i + k]! - low) / cell)) as [number, number, number];
      const key = (x * (cells + 1) + y) * (cells + 1) + z;
      standIn[i] = first.get(key) ?? i;
      first.set(key, standIn[i]!);
    }
    corners = [];
    for (let i = 0; i < triangles.length; i += 3) {
      const [a, b, c] = [standIn[triangles[i]!]!, standIn[triangles[i + 1]!]!, standIn[triangles[i + 2]!]!];
      if (a !== b && b !== c && c !== a) corners.push(a, b, c);
    }
    if (corners.length / 3 <= most) break;
  }
  return { points: positions, triangles: corners };
}

const LARGEST = 32_767;

/** Points as whole numbers of a unit; equal ones are stored once. IndexedTriangles whose corners coincide are left out. */
export function packMesh(parts: readonly ColouredTriangles[]): ReplayMesh {
  let reach = 0;
  for (const { points } of parts) for (let i = 0; i < points.length; i++) reach = Math.max(reach, Math.abs(points[i]!));
  const unit = reach / LARGEST || 1;
  const indexByKey = new Map<number, number>();
  const points: number[] = [];
  const triangles: number[] = [];
  const indexOf = (source: ArrayLike<number>, i: number): number => {
    const x = Math.round(source[3 * i]! / unit);
    const y = Math.round(source[3 * i + 1]! / unit);
    const z = Math.round(source[3 * i + 2]! / unit);
    const key = ((x + LARGEST) * 65_536 + y + LARGEST) * 65_536 + z + LARGEST;
    const index = indexByKey.get(key) ?? points.push(x, y, z) / 3 - 1;
    indexByKey.set(key, index);
    return index;
  };
  for (const part of parts)
    for (let i = 0; i < part.triangles.length; i += 3) {
      const a = indexOf(part.points, part.triangles[i]!);
      const b = indexOf(part.points, part.triangles[i + 1]!);
      const c = indexOf(part.points, part.triangles[i + 2]!);
      if (a !== b && b !== c && c !== a) triangles.push(a, b, c);
    }
  return {
    colour: parts[0]?.colour ?? "#808080",
    unit,
    points: packBytes(Int16Array.from(points)),
    triangles: packBytes(Uint16Array.from(triangles)),
  };
}

/** Faces of the shapes of bodies, for solid pictures: flat polygons, counterclockwise seen from outside. */
import type { BodyShape } from "../../model/body-shape.ts";
import { shapeSurface } from "../../model/surface/shape-surface.ts";
import { apply } from "../../spatial/rotation.ts";
import type { NumericVec3 } from "../../spatial/vec3.ts";
import { plus } from "../../spatial/vec3.ts";

export type Polygon = readonly NumericVec3[];

/** Triangles of a mesh file, in its units and axes. */
export interface MeshTriangles {
  readonly positions: Float64Array;
  readonly triangles: Uint32Array;
}

/** Sides of round shapes. */
const SIDES = 20;
/** Sides of rings, bars and surfaces of revolution, of which a body may have hundreds. */
const SMALL_SIDES = 12;
/** Rings of a half ball. */
const RINGS = 4;

/** Faces in body axes. @param meshOf triangles of a mesh file; undefined if it was not read */
export function shapeFaces(shape: BodyShape, meshOf: (file: string) => MeshTriangles | undefined): readonly Polygon[] {
  const { R, p } = shape.placement;
  return ownFaces(shape, meshOf).map((face) => face.map((point) => plus(p, apply(R, point)) as NumericVec3));
}

function ownFaces(shape: BodyShape, meshOf: (file: string) => MeshTriangles | undefined): readonly Polygon[] {
  switch (shape.kind) {
    case "box":
      return boxFaces(shape.size);
    case "sphere":
      return profileFaces(arc(shape.radius, 0, -1, 1));
    case "ellipsoid":
      return profileFaces(arc(0.5, 0, -1, 1)).map((face) =>
        face.map((point) => point.map((c, i) => c * shape.size[i]!) as unknown as NumericVec3),
      );
    case "cylinder":
      return profileFaces([
        [0, -shape.length / 2],
        [shape.radius, -shape.length / 2],
        [shape.radius, shape.length / 2],
        [0, shape.length / 2],
      ]);
    case "capsule":
      return profileFaces([...arc(shape.radius, -shape.length / 2, -1, 0), ...arc(shape.radius, shape.length / 2, 0, 1)]);
    case "mesh": {
      const mesh = meshOf(shape.file);
      return mesh === undefined ? [] : meshFaces(mesh, shape.scale);
    }
    default:
      return shapeSurface(withoutRim(shape), SMALL_SIDES).flatMap((surface) => meshFaces(surface, [1, 1, 1]));
  }
}

/** Rounded edges are too small for these pictures. */
const withoutRim = (shape: BodyShape): BodyShape => ("rim" in shape ? { ...shape, rim: 0 } : shape);

const BOX_CORNERS = [
  [0, 4, 6, 2],
  [1, 3, 7, 5],
  [0, 1, 5, 4],
  [2, 6, 7, 3],
  [0, 2, 3, 1],
  [4, 5, 7, 6],
];

function boxFaces(size: NumericVec3): readonly Polygon[] {
  const corner = (i: number): NumericVec3 =>
    [0, 1, 2].map((k) => ((i >> k) & 1 ? 0.5 : -0.5) * size[k]!) as unknown as NumericVec3;
  return BOX_CORNERS.map((corners) => corners.map(corner));
}

/** A point (radius, z) of the outline of a body of revolution. */
type ProfilePoint = readonly [number, number];

/** Points of an arc about z = `centre`, from the latitude `from` to `to` in quarter turns. */
function arc(radius: number, centre: number, from: number, to: number): readonly ProfilePoint[] {
  const steps = RINGS * (to - from);
  return Array.from({ length: steps + 1 }, (_, i) => {
    const latitude = (Math.PI / 2) * (from + ((to - from) * i) / steps);
    return [radius * Math.cos(latitude), centre + radius * Math.sin(latitude)] as const;
  });
}

/** Faces of a body of revolution about z, whose outline rises along z. */
function profileFaces(profile: readonly ProfilePoint[]): readonly Polygon[] {
  const at = ([radius, z]: ProfilePoint, side: number): NumericVec3 => {
    const angle = (2 * Math.PI * side) / SIDES;
    return [radius * Math.cos(angle), radius * Math.sin(angle), z];
  };
  return profile.slice(1).flatMap((upper, i) => {
    const lower = profile[i]!;
    return Array.from({ length: SIDES }, (_, side) => [
      at(lower, side),
      at(lower, side + 1),
      at(upper, side + 1),
      at(upper, side),
    ]);
  });
}

/** A mirrored mesh has its corners in the reverse order, so that they stay counterclockwise. */
interface Triangles {
  readonly positions: ArrayLike<number>;
  readonly triangles: ArrayLike<number>;
}

function meshFaces({ positions, triangles }: Triangles, scale: NumericVec3): readonly Polygon[] {
  const corner = (k: number): NumericVec3 =>
    [0, 1, 2].map((i) => scale[i]! * positions[3 * triangles[k]! + i]!) as unknown as NumericVec3;
  const [second, third] = scale[0] * scale[1] * scale[2] < 0 ? [2, 1] : [1, 2];
  return Array.from({ length: triangles.length / 3 }, (_, i) => [corner(3 * i), corner(3 * i + second), corner(3 * i + third)]);
}

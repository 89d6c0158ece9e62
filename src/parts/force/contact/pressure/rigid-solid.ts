/**
 * Rigid solids: what is pressed into an elastic solid. A solid is a union of convex pieces that do not overlap, bounded by planar faces. Faces
 * between two pieces are left out. Curved surfaces have many narrow faces.
 */

import { type Point3, type Polytope, polytope } from "../../../../math/convex/polytope.ts";
import { cosine, sine } from "../../../../math/elementary/sincos.ts";

export interface RigidSolid {
  /** Corners, three numbers each, in axes of the body. */
  readonly corners: Float64Array;
  /** Corners of face j: faceCorners[faceStart[j]] to faceCorners[faceStart[j + 1] - 1], counterclockwise seen from outside. */
  readonly faceStart: Int32Array;
  readonly faceCorners: Int32Array;
  /** Outward normal and offset of each face, four numbers: n·x = offset. */
  readonly facePlanes: Float64Array;
  /**
   * Planes of the convex pieces, as those of faces. Piece i has the planes pieceStart[i] to pieceStart[i + 1] - 1. The same array as `facePlanes` if
   * the solid is convex.
   */
  readonly pieceStart: Int32Array;
  readonly piecePlanes: Float64Array;
  /** The largest number of corners of a face. */
  readonly largestFace: number;
}

/** Position and axes (columns of R, given by rows) in axes of the body. */
export interface SolidPlace {
  readonly at: Point3;
  readonly R: readonly (readonly number[])[];
}

export const placePoint = ({ at, R }: SolidPlace, p: Point3): Point3 =>
  [0, 1, 2].map((i) => at[i]! + R[i]![0]! * p[0] + R[i]![1]! * p[1] + R[i]![2]! * p[2]) as unknown as Point3;

/** A polytope at a place of its body. */
export const placePolytope = ({ corners, faces }: Polytope, place: SolidPlace): Polytope =>
  polytope(
    corners.map((corner) => placePoint(place, corner)),
    faces,
  );

/** The union of polytopes. `inner` tells whether a face of a piece lies between pieces. */
export function rigidSolid(
  pieces: readonly Polytope[],
  inner: (piece: number, face: number) => boolean = () => false,
): RigidSolid {
  const corners = pieces.flatMap((piece) => piece.corners);
  const faces: number[][] = [];
  const planes: number[] = [];
  let first = 0;
  for (const [i, piece] of pieces.entries()) {
    for (const [j, face] of piece.faces.entries()) {
      if (inner(i, j)) continue;
      faces.push(face.map((corner) => first + corner));
      planes.push(...piece.planes[j]!.normal, piece.planes[j]!.offset);
    }
    first += piece.corners.length;
  }
  const starts = (sizes: readonly number[]): Int32Array => {
    const sums = [0];
    for (const size of sizes) sums.push(sums.at(-1)! + size);
    return Int32Array.from(sums);
  };
  const facePlanes = Float64Array.from(planes);
  const piecePlanes = pieces.flatMap((piece) => piece.planes.flatMap(({ normal, offset }) => [...normal, offset]));
  return {
    corners: Float64Array.from(corners.flat()),
    faceStart: starts(faces.map((face) => face.length)),
    faceCorners: Int32Array.from(faces.flat()),
    facePlanes,
    pieceStart: starts(pieces.map((piece) => piece.planes.length)),
    piecePlanes: pieces.length === 1 ? facePlanes : Float64Array.from(piecePlanes),
    largestFace: Math.max(...faces.map((face) => face.length)),
  };
}

/**
 * A solid of revolution about z as a polytope with n sides: a cylinder, a cone, or the frustum of one. Its radius is such that sections have the
 * area of the circle.
 */
export function revolvedPolytope(radius: number, z0: number, tip: number, z1: number, n: number): Polytope {
  const angle = (2 * Math.PI) / n;
  const scale = Math.sqrt(angle / sine(angle));
  const ring = (r: number, z: number): Point3[] =>
    r === 0
      ? [[0, 0, z]]
      : Array.from({ length: n }, (_, k): Point3 => [scale * r * cosine(k * angle), scale * r * sine(k * angle), z]);
  const [low, high] = [ring(radius, z0), ring(tip, z1)];
  const lowIndex = (k: number): number => (low.length === 1 ? 0 : k % n);
  const highIndex = (k: number): number => low.length + (high.length === 1 ? 0 : k % n);
  const sides = Array.from({ length: n }, (_, k) => [...new Set([lowIndex(k), lowIndex(k + 1), highIndex(k + 1), highIndex(k)])]);
  const all = (index: (k: number) => number): number[] => Array.from({ length: n }, (_, k) => index(k));
  return polytope(
    [...low, ...high],
    [...sides, ...(low.length > 1 ? [all(lowIndex).reverse()] : []), ...(high.length > 1 ? [all(highIndex)] : [])],
  );
}

/** A sector of a solid of revolution whose section is a convex quadrilateral (ρ, z), counterclockwise in the plane of ρ and z. */
function sectorPolytope(profile: readonly (readonly [number, number])[], scale: number, from: number, to: number): Polytope {
  const corner = ([r, z]: readonly [number, number], angle: number): Point3 => [
    scale * r * cosine(angle),
    scale * r * sine(angle),
    z,
  ];
  const m = profile.length;
  const corners = [...profile.map((p) => corner(p, from)), ...profile.map((p) => corner(p, to))];
  const index = [...Array(m).keys()];
  return polytope(corners, [
    index.slice(),
    index.map((k) => m + k).reverse(),
    ...index.map((k) => [k, m + k, m + ((k + 1) % m), (k + 1) % m]),
  ]);
}

/** A ring or funnel: the solid of revolution of a convex section that does not reach the axis, in n sectors. */
export function ringSolid(profile: readonly (readonly [number, number])[], n: number, place: SolidPlace): RigidSolid {
  const angle = (2 * Math.PI) / n;
  const scale = Math.sqrt(angle / sine(angle));
  const pieces = Array.from({ length: n }, (_, k) =>
    placePolytope(sectorPolytope(profile, scale, k * angle, (k + 1) * angle), place),
  );
  return rigidSolid(pieces, (_, face) => face < 2);
}

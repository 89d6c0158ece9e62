/** A rigid solid in axes of the elastic one: its corners and planes at a pose. Nothing here allocates after the construction. */
import type { RigidSolid } from "./rigid-solid.ts";

/** What gives a rigid solid: the solid itself, or for the unbounded ones (planes, the ground) the part of it that is near. */
export interface RigidSource {
  readonly mostCorners: number;
  readonly mostFaces: number;
  readonly mostPlanes: number;
  readonly mostPieces: number;
  readonly largestFace: number;
  readonly largestPiece: number;
  /**
   * The solid near the origin of the elastic body, which is at X (a pose as in patch-finder.ts) in axes of the body of the rigid solid, moved by
   * `shift` in these axes. Undefined if nothing is near.
   */
  near(X: Float64Array, shift: Float64Array): RigidSolid | undefined;
}

export const boundedSource = (solid: RigidSolid): RigidSource => ({
  mostCorners: solid.corners.length / 3,
  mostFaces: solid.facePlanes.length / 4,
  mostPlanes: solid.piecePlanes.length / 4,
  mostPieces: solid.pieceStart.length - 1,
  largestFace: solid.largestFace,
  largestPiece: largestPieceOf(solid),
  near: (_, shift) => {
    shift[0] = shift[1] = shift[2] = 0;
    return solid;
  },
});

export const largestPieceOf = ({ pieceStart }: RigidSolid): number =>
  Math.max(...pieceStart.slice(1).map((end, i) => end - pieceStart[i]!));

/** A point nearer than this, m, to the plane between two pieces is in both: rounding must not put it between them. */
const SEAM = 1e-12;

export class PlacedSolid {
  corners: Float64Array;
  cornerCount = 0;
  faceCount = 0;
  faceStart: Int32Array;
  faceCorners: Int32Array;
  facePlanes: Float64Array;
  pieceCount = 0;
  pieceStart: Int32Array;
  piecePlanes: Float64Array;
  readonly #source: RigidSource;
  readonly #shift = new Float64Array(3);

  constructor(source: RigidSource) {
    this.#source = source;
    this.corners = new Float64Array(3 * source.mostCorners);
    this.facePlanes = new Float64Array(4 * source.mostFaces);
    this.piecePlanes = new Float64Array(4 * source.mostPlanes);
    this.faceStart = this.faceCorners = this.pieceStart = new Int32Array(0);
  }

  /** Places the solid: X is the pose of the elastic body in axes of the rigid one. Returns false if it is not near. */
  place(X: Float64Array): boolean {
    const shift = this.#shift;
    const solid = this.#source.near(X, shift);
    if (solid === undefined) return false;
    const { corners, facePlanes } = this;
    const px = X[9]! - shift[0]!;
    const py = X[10]! - shift[1]!;
    const pz = X[11]! - shift[2]!;
    const from = solid.corners;
    this.cornerCount = from.length / 3;
    for (let i = 0; i < from.length; i += 3) {
      const x = from[i]! - px;
      const y = from[i + 1]! - py;
      const z = from[i + 2]! - pz;
      corners[i] = X[0]! * x + X[3]! * y + X[6]! * z;
      corners[i + 1] = X[1]! * x + X[4]! * y + X[7]! * z;
      corners[i + 2] = X[2]! * x + X[5]! * y + X[8]! * z;
    }
    placePlanes(solid.facePlanes, X, px, py, pz, facePlanes);
    if (solid.piecePlanes === solid.facePlanes) this.piecePlanes = facePlanes;
    else placePlanes(solid.piecePlanes, X, px, py, pz, this.piecePlanes);
    this.faceCount = solid.facePlanes.length / 4;
    this.faceStart = solid.faceStart;
    this.faceCorners = solid.faceCorners;
    this.pieceStart = solid.pieceStart;
    this.pieceCount = solid.pieceStart.length - 1;
    return true;
  }

  /** True if face j has corners on both sides of the plane at a height z. */
  crossesHeight(j: number, z: number): boolean {
    const { corners, faceStart, faceCorners } = this;
    let isBelow = false;
    let isAbove = false;
    for (let i = faceStart[j]!; i < faceStart[j + 1]!; i++)
      if (corners[3 * faceCorners[i]! + 2]! > z) isAbove = true;
      else isBelow = true;
    return isBelow && isAbove;
  }

  /** True if a point is inside. */
  contains(x: number, y: number, z: number): boolean {
    const { pieceCount, pieceStart, piecePlanes: p } = this;
    const seam = pieceCount > 1 ? SEAM : 0;
    for (let i = 0; i < pieceCount; i++) {
      let isInside = true;
      for (let k = 4 * pieceStart[i]!; k < 4 * pieceStart[i + 1]! && isInside; k += 4)
        isInside = p[k]! * x + p[k + 1]! * y + p[k + 2]! * z < p[k + 3]! + seam;
      if (isInside) return true;
    }
    return false;
  }
}

function placePlanes(from: Float64Array, X: Float64Array, px: number, py: number, pz: number, to: Float64Array): void {
  for (let i = 0; i < from.length; i += 4) {
    const x = from[i]!;
    const y = from[i + 1]!;
    const z = from[i + 2]!;
    to[i] = X[0]! * x + X[3]! * y + X[6]! * z;
    to[i + 1] = X[1]! * x + X[4]! * y + X[7]! * z;
    to[i + 2] = X[2]! * x + X[5]! * y + X[8]! * z;
    to[i + 3] = from[i + 3]! - (x * px + y * py + z * pz);
  }
}

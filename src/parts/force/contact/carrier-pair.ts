/**
 * All contact candidates between two carriers (frames, or the world), with lower bounds of their gaps. A gap stays valid until the carriers
 * have moved by as much relative to each other: no point of a ball of radius r about c moves farther, seen from the other body, than
 * |X c - X' c| + |R - R'| r.
 */
import { boundingBall } from "./bounding-ball.ts";
import type { ContactCandidate } from "./pair-kinds.ts";

/** Numbers of a frame: R by rows, p, ω, v. */
export const PER_FRAME = 18;
/** The first of them are the pose. */
export const POSE_NUMBERS = 12;
export const IDENTITY = [1, 0, 0, 0, 1, 0, 0, 0, 1] as const;
const WORLD = Float64Array.from([...IDENTITY, 0, 0, 0]);

/** Relative and absolute margin of motions for rounding. */
const ROUNDING_MARGIN = 1e-9;

/** A candidate with the carriers of its parts: 0 is the world, k the k-th frame of the element. */
export interface CarriedCandidate extends ContactCandidate {
  readonly firstCarrier: number;
  readonly secondCarrier: number;
}

export class CarrierPair {
  readonly firstCarrier: number;
  readonly secondCarrier: number;
  /** Indices of the candidates. */
  readonly candidates: Int32Array;
  /** Pose of the first carrier relative to the second at the last `updatePose`. */
  readonly X = new Float64Array(POSE_NUMBERS);
  /** The pose for which the gaps hold, the gap of each candidate, and the smallest of them. */
  readonly gapPose = new Float64Array(POSE_NUMBERS);
  readonly gaps: Float64Array;
  smallestGap = 0;
  /** A ball around all first parts: centre and radius. */
  readonly #ball: Float64Array;

  constructor(all: readonly CarriedCandidate[], candidates: readonly number[]) {
    const { firstCarrier, secondCarrier } = all[candidates[0]!]!;
    const ball = boundingBall([...new Set(candidates.map((m) => all[m]!.first))]);
    this.firstCarrier = firstCarrier;
    this.secondCarrier = secondCarrier;
    this.candidates = Int32Array.from(candidates);
    this.gaps = new Float64Array(candidates.length);
    this.#ball = Float64Array.from([...ball.centre, ball.reach]);
  }

  /** Computes X from the frames of a snapshot. */
  updatePose(frames: Float64Array): void {
    const { firstCarrier, secondCarrier } = this;
    const A = firstCarrier === 0 ? WORLD : frames;
    const B = secondCarrier === 0 ? WORLD : frames;
    const a = firstCarrier === 0 ? 0 : PER_FRAME * (firstCarrier - 1);
    const b = secondCarrier === 0 ? 0 : PER_FRAME * (secondCarrier - 1);
    writeRelativePose(A, a, B, b, this.X);
  }

  /** Upper bound of the motion of any first part on the second body since the gaps were computed. */
  motionBound(): number {
    const { X, gapPose } = this;
    const ball = this.#ball;
    const cx = ball[0]!;
    const cy = ball[1]!;
    const cz = ball[2]!;
    let rotation = 0;
    let translation = 0;
    for (let i = 0; i < 3; i++) {
      const rx = X[3 * i]! - gapPose[3 * i]!;
      const ry = X[3 * i + 1]! - gapPose[3 * i + 1]!;
      const rz = X[3 * i + 2]! - gapPose[3 * i + 2]!;
      const p = rx * cx + ry * cy + rz * cz + X[9 + i]! - gapPose[9 + i]!;
      rotation += rx * rx + ry * ry + rz * rz;
      translation += p * p;
    }
    return (Math.sqrt(translation) + Math.sqrt(rotation) * ball[3]!) * (1 + ROUNDING_MARGIN) + ROUNDING_MARGIN;
  }
}

/** Writes the pose of the frame that begins at `a` in A, relative to the one that begins at `b` in B. */
export function writeRelativePose(A: Float64Array, a: number, B: Float64Array, b: number, X: Float64Array): void {
  const px = A[a + 9]! - B[b + 9]!;
  const py = A[a + 10]! - B[b + 10]!;
  const pz = A[a + 11]! - B[b + 11]!;
  for (let i = 0; i < 3; i++) {
    const bx = B[b + i]!;
    const by = B[b + 3 + i]!;
    const bz = B[b + 6 + i]!;
    X[3 * i] = bx * A[a]! + by * A[a + 3]! + bz * A[a + 6]!;
    X[3 * i + 1] = bx * A[a + 1]! + by * A[a + 4]! + bz * A[a + 7]!;
    X[3 * i + 2] = bx * A[a + 2]! + by * A[a + 5]! + bz * A[a + 8]!;
    X[9 + i] = bx * px + by * py + bz * pz;
  }
}

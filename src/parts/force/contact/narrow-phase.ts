/** Result of the narrow phase, and vectors in flat arrays for it. Nothing here allocates. */

/** Numbers of a hit: depth, unit normal (direction of the force on the first body), point. */
export const HIT_SIZE = 7;

/**
 * Tests whether two parts touch. `X` is the pose of the first body in axes of the second: R by rows (9), p (3); the hit is in axes of the
 * second. If the depth is not positive, the parts do not touch and the rest of the hit is undefined. Then -depth is a lower bound of their
 * gap: they do not touch either as long as no point of the first has moved farther than that. It is 0 if unknown, and no bound if `uneven`.
 */
export type NarrowPhase = (first: Float64Array, second: Float64Array, X: Float64Array, hit: Float64Array) => void;

export interface ContactPart {
  readonly data: Float64Array;
  /** Centre and radius of a sphere around everything that can be touched; the radius is infinite for unbounded parts. */
  readonly centre: readonly [number, number, number];
  readonly reach: number;
  /** Narrow phase of other parts against this one, if it depends on more than `data`. */
  readonly narrow?: NarrowPhase;
  /** Other points of the part may be nearer than the one under a ball, so its distance is not a bound for the whole part. */
  readonly uneven?: true;
  /** A ball: rotations about its centre do not move it. */
  readonly round?: true;
  /** Radius of its narrowest hollow, m, if the part is not convex. Undefined: it is convex. */
  readonly hollow?: number;
  /** Largest change of its gap per distance moved, if it is not 1. */
  readonly steepness?: number;
  /** Normal of a plane through `centre` behind which the whole part lies, if there is one. */
  readonly front?: readonly [number, number, number];
}

/** out[o...] = R v + p for the point v that begins at `first` in a. */
export function transformPoint(X: Float64Array, a: Float64Array, first: number, out: Float64Array, o: number): void {
  const x = a[first]!;
  const y = a[first + 1]!;
  const z = a[first + 2]!;
  out[o] = X[0]! * x + X[1]! * y + X[2]! * z + X[9]!;
  out[o + 1] = X[3]! * x + X[4]! * y + X[5]! * z + X[10]!;
  out[o + 2] = X[6]! * x + X[7]! * y + X[8]! * z + X[11]!;
}

/** out[o...] = R v for the direction v that begins at `first` in a. */
export function rotateVector(X: Float64Array, a: Float64Array, first: number, out: Float64Array, o: number): void {
  const x = a[first]!;
  const y = a[first + 1]!;
  const z = a[first + 2]!;
  out[o] = X[0]! * x + X[1]! * y + X[2]! * z;
  out[o + 1] = X[3]! * x + X[4]! * y + X[5]! * z;
  out[o + 2] = X[6]! * x + X[7]! * y + X[8]! * z;
}

/** What the narrow phase finds, and vectors in flat arrays for it: nothing here allocates. */

/** Numbers of a hit: depth, unit normal (the way of the force on the first body), point. */
export const HIT_SIZE = 7;

/**
 * Whether and how two parts touch. `X` places the first body in axes of the second: R by rows (9), p (3); the hit is in axes of the
 * second. No depth above zero: they do not touch, and the rest of the hit means nothing; then they are at least -depth apart, which is to say
 * that they do not touch either wherever no point of the first has moved farther than that (0 where that is not known; and not if `uneven`).
 */
export type NarrowPhase = (first: Float64Array, second: Float64Array, X: Float64Array, hit: Float64Array) => void;

export interface ContactPart {
  readonly data: Float64Array;
  /** A sphere around all of it that can be touched; Infinity where it has no end. */
  readonly centre: readonly [number, number, number];
  readonly reach: number;
  /** How others meet it, where that depends on more than numbers. */
  readonly narrow?: NarrowPhase;
  /** Beside the nearest place it may be higher, so that a distance from it is not one from all of it. */
  readonly uneven?: true;
  /** All of it lies behind this plane through `centre`, if given. */
  readonly front?: readonly [number, number, number];
}

/** out[o...] = R v + p for the point v at `at` of a. */
export function transformPoint(X: Float64Array, a: Float64Array, at: number, out: Float64Array, o: number): void {
  const x = a[at]!;
  const y = a[at + 1]!;
  const z = a[at + 2]!;
  out[o] = X[0]! * x + X[1]! * y + X[2]! * z + X[9]!;
  out[o + 1] = X[3]! * x + X[4]! * y + X[5]! * z + X[10]!;
  out[o + 2] = X[6]! * x + X[7]! * y + X[8]! * z + X[11]!;
}

/** out[o...] = R v for the direction v at `at` of a. */
export function rotateVector(X: Float64Array, a: Float64Array, at: number, out: Float64Array, o: number): void {
  const x = a[at]!;
  const y = a[at + 1]!;
  const z = a[at + 2]!;
  out[o] = X[0]! * x + X[1]! * y + X[2]! * z;
  out[o + 1] = X[3]! * x + X[4]! * y + X[5]! * z;
  out[o + 2] = X[6]! * x + X[7]! * y + X[8]! * z;
}

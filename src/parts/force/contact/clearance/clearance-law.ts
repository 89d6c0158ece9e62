/** Shortest distances of pairs of bodies at the frames of a snapshot. Nothing here allocates per call. */
import type { Point3 } from "../../../../math/convex/polytope.ts";
import type { Model } from "../../../../model/model.ts";
import { IDENTITY, PER_FRAME, POSE_NUMBERS, writeRelativePose } from "../carrier-pair.ts";
import { bodyName, bodyOf, type ClearancePair } from "./clearance-pairs.ts";
import { ShapeDistance } from "./shape-distance.ts";

/** Channels of a pair of bodies besides the distance: nearest points on the first and on the second, world axes. */
export const POINT_CHANNELS = [".ax", ".ay", ".az", ".bx", ".by", ".bz"] as const;

/** Numbers of a pair of bodies among the channels. */
const PER_GROUP = 1 + POINT_CHANNELS.length;

/** All pairs of shapes of two bodies. */
export interface PairOfBodies {
  readonly name: string;
  readonly pairs: readonly { readonly pair: ClearancePair; readonly isReversed: boolean }[];
}

export function groupByBodies(pairs: readonly ClearancePair[], model: Model): readonly PairOfBodies[] {
  const groups: { name: string; bodies: readonly [number, number]; pairs: { pair: ClearancePair; isReversed: boolean }[] }[] = [];
  for (const pair of pairs) {
    const [a, b] = [bodyOf(model, pair.shapeA), bodyOf(model, pair.shapeB)];
    let group = groups.find(({ bodies: [i, j] }) => (i === a && j === b) || (i === b && j === a));
    if (!group) {
      // A plane is always the second shape, but names follow the order of the file.
      const [first, second] = pair.isSwapped ? [pair.shapeB, pair.shapeA] : [pair.shapeA, pair.shapeB];
      const name = `${bodyName(model, first)}-${bodyName(model, second)}`;
      group = { name, bodies: pair.isSwapped ? [b, a] : [a, b], pairs: [] };
      groups.push(group);
    }
    group.pairs.push({ pair, isReversed: group.bodies[0] !== a });
  }
  return groups;
}

/** Names of the frames that carry shapes. */
export const framesOf = (pairs: readonly ClearancePair[]): readonly string[] =>
  [...new Set(pairs.flatMap(({ shapeA, shapeB }) => [shapeA.on, shapeB.on]))].filter((on) => on !== undefined);

interface PlacedPair {
  readonly pair: ClearancePair;
  readonly isReversed: boolean;
  /** First numbers of their frames after those of the world. */
  readonly frameA: number;
  readonly frameB: number;
}

export class ClearanceLaw {
  readonly #groups: readonly (readonly PlacedPair[])[];
  readonly #distance = new ShapeDistance();
  readonly #X = new Float64Array(POSE_NUMBERS);
  /** The world, then the frames. */
  readonly #frames: Float64Array;

  constructor(groups: readonly PairOfBodies[], frames: readonly string[]) {
    const offsetOf = (on: string | undefined): number => (on === undefined ? 0 : PER_FRAME * (1 + frames.indexOf(on)));
    this.#groups = groups.map(({ pairs }) =>
      pairs.map(({ pair, isReversed }) => ({
        ...{ pair, isReversed },
        frameA: offsetOf(pair.shapeA.on),
        frameB: offsetOf(pair.shapeB.on),
      })),
    );
    this.#frames = new Float64Array(PER_FRAME * (1 + frames.length));
    this.#frames.set(IDENTITY);
  }

  /** Writes the smallest distance; then for each pair of bodies its distance and the nearest points. */
  write(frames: Float64Array, out: Float64Array): void {
    this.#frames.set(frames, PER_FRAME);
    out[0] = Number.POSITIVE_INFINITY;
    for (let g = 0; g < this.#groups.length; g++) {
      const first = 1 + PER_GROUP * g;
      out[first] = Number.POSITIVE_INFINITY;
      const group = this.#groups[g]!;
      for (let k = 0; k < group.length; k++) this.#measure(group[k]!, out, first);
      if (out[first]! < out[0]!) out[0] = out[first]!;
    }
  }

  /** Replaces the values of a pair of bodies if these shapes are nearer. */
  #measure({ pair: { a, b }, isReversed, frameA, frameB }: PlacedPair, out: Float64Array, first: number): void {
    const X = this.#X;
    const F = this.#frames;
    writeRelativePose(F, frameA, F, frameB, X);
    if (gapOfBalls(a.centre, a.reach, b.centre, b.reach, X) > out[first]!) return;
    const distance = this.#distance.measure(a, b, X);
    if (!(distance < out[first]!)) return;
    out[first] = distance;
    const { nearestA, nearestB } = this.#distance;
    toWorld(F, frameB, nearestA, out, first + (isReversed ? 4 : 1));
    toWorld(F, frameB, nearestB, out, first + (isReversed ? 1 : 4));
  }
}

/** Lower bound of the distance of shapes from the balls around them; -Infinity for unbounded shapes. */
export function gapOfBalls(a: Point3, reachA: number, b: Point3, reachB: number, X: Float64Array): number {
  let square = 0;
  for (let i = 0; i < 3; i++) {
    const d = X[3 * i]! * a[0] + X[3 * i + 1]! * a[1] + X[3 * i + 2]! * a[2] + X[9 + i]! - b[i]!;
    square += d * d;
  }
  return Math.sqrt(square) - reachA - reachB;
}

/** Writes the world coordinates of a point of the frame that begins at f. */
function toWorld(F: Float64Array, f: number, p: Float64Array, out: Float64Array, o: number): void {
  for (let i = 0; i < 3; i++)
    out[o + i] = F[f + 3 * i]! * p[0]! + F[f + 3 * i + 1]! * p[1]! + F[f + 3 * i + 2]! * p[2]! + F[f + 9 + i]!;
}

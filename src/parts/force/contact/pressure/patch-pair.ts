/** Pairs of solids of the pressure law: which one is elastic, the finder of their patch, their gap, and numbers for the law. */

import { gapSteepness } from "../../../../ground/terrain.ts";
import type { ConvexBody } from "../../../../math/convex/convex-body.ts";
import { ConvexDistance } from "../../../../math/convex/convex-distance.ts";
import type { Point3 } from "../../../../math/convex/polytope.ts";
import { power } from "../../../../math/elementary/power.ts";
import type { ContactPart, NarrowPhase } from "../narrow-phase.ts";
import { ballGround } from "../points/solids.ts";
import type { ContactShape } from "../shape.ts";
import type { ContactShapeKind } from "../shape-kinds.ts";
import { LinePressure } from "./line-pressure.ts";
import { GroundSource } from "./near-solids.ts";
import type { PatchFinder } from "./patch-finder.ts";
import { PatchOutline } from "./patch-outline.ts";
import { PatchStore } from "./patch-store.ts";
import { PolytopePressure } from "./polytope-pressure.ts";
import { RoundPressure } from "./round-pressure.ts";
import { type PressureSolid, solidOf } from "./solid.ts";

export interface PatchPair {
  readonly finder: PatchFinder;
  /** True if the elastic solid is the second shape. */
  readonly swapped: boolean;
  /** Bounds of the elastic and the rigid solid. */
  readonly elastic: ContactPart;
  readonly rigid: ContactPart;
  /** Depth, or minus the gap, for the search of first touches. */
  readonly narrow: NarrowPhase;
  readonly gap: "known" | "unknown";
  /** Area of the elastic solid, V^(2/3), and its depth H: a face of this area has the stiffness modulus × area / H. */
  readonly area: number;
  /** Outline of the patch, for pictures. */
  outline(): PatchOutline;
}

const NO_DATA = new Float64Array(0);

/** Gaps below this, m, are left to the finder of patches, which decides whether solids touch. */
const TOUCHING = 1e-10;

/** Order in which solids are elastic: round ones first, solids with holes and unbounded ones never. */
const rankOf = ({ kind, inner, thickness }: ContactShape): number => {
  if (kind === "sphere") return 0;
  if (kind === "capsule") return 1;
  if (kind === "cylinder" || (kind === "disc" && inner === 0)) return 2;
  if (kind === "box" || kind === "hull" || (kind === "cone" && thickness === undefined)) return 3;
  return RIGID;
};
const RIGID = 4;

/** Kinds that are solids. */
export const SOLID_KINDS: readonly ContactShapeKind[] = [
  "sphere",
  "capsule",
  "cylinder",
  "disc",
  "cone",
  "box",
  "hull",
  "plane",
  "ground",
];

/** True if two shapes have a contact patch. Of two solids, one must be convex and bounded. */
export const havePatch = (a: ContactShape, b: ContactShape): boolean =>
  SOLID_KINDS.includes(a.kind) && SOLID_KINDS.includes(b.kind) && Math.min(rankOf(a), rankOf(b)) < RIGID;

/** Makes the pairs of an element. Equal shapes on different bodies share everything. */
export class PatchPairs {
  readonly #keys = new Map<ContactShape, string>();
  readonly #solids = new Map<string, PressureSolid>();
  readonly #pairs = new Map<string, PatchPair>();

  /** The pair of two shapes that have a patch. */
  of(a: ContactShape, b: ContactShape): PatchPair {
    const key = `${this.#keyOf(a)} ${this.#keyOf(b)}`;
    const pair = this.#pairs.get(key) ?? this.#create(a, b);
    this.#pairs.set(key, pair);
    return pair;
  }

  #create(a: ContactShape, b: ContactShape): PatchPair {
    const [x, y] = [this.#solidOf(a), this.#solidOf(b)];
    const difference = rankOf(a) - rankOf(b);
    // Of two equal kinds the smaller one is elastic.
    const swapped = difference > 0 || (difference === 0 && sizeOf(x) > sizeOf(y));
    return swapped ? patchPair(y, x, a, true) : patchPair(x, y, b, false);
  }

  #solidOf(shape: ContactShape): PressureSolid {
    const key = this.#keyOf(shape);
    const solid = this.#solids.get(key) ?? solidOf(shape)!;
    this.#solids.set(key, solid);
    return solid;
  }

  #keyOf(shape: ContactShape): string {
    const { label: _label, on: _on, terrain: _terrain, ...geometry } = shape;
    const key = this.#keys.get(shape) ?? JSON.stringify(geometry);
    this.#keys.set(shape, key);
    return key;
  }
}

const sizeOf = ({ line, volume }: PressureSolid): number => line?.radius ?? volume;

function patchPair(elastic: PressureSolid, rigid: PressureSolid, rigidShape: ContactShape, swapped: boolean): PatchPair {
  const { finder, ground } = finderOf(elastic, rigid);
  const terrain = ground === undefined ? undefined : rigidShape.terrain;
  const elasticPart: ContactPart = { data: Float64Array.from([...elastic.ball.centre, elastic.ball.reach]), ...elastic.ball };
  const narrow = narrowOf(elastic, rigid, finder, terrain && ballGround(terrain), elasticPart.data);
  return {
    finder,
    swapped,
    elastic: elasticPart,
    rigid: {
      data: NO_DATA,
      ...rigid.ball,
      ...(rigid.plane && { front: rigid.plane.normal }),
      ...(terrain && { uneven: true, steepness: gapSteepness(terrain) }),
    },
    narrow,
    gap: rigid.plane || rigid.rigidBody || rigid.line ? "known" : "unknown",
    area: power(elastic.volume, 2 / 3),
    outline: () => new PatchOutline(finder, elastic, rigid.line ? undefined : rigid.rigid!(elastic.ball)),
  };
}

function finderOf(
  elastic: PressureSolid,
  rigid: PressureSolid,
): { readonly finder: PatchFinder; readonly ground?: GroundSource } {
  if (elastic.line && rigid.line) return { finder: new LinePressure(elastic.line, rigid.line) };
  const source = rigid.rigid!(elastic.ball);
  const inner = elastic.round ? new RoundPressure(elastic.round, source) : new PolytopePressure(elastic.polytope!, source);
  if (!(source instanceof GroundSource)) return { finder: inner };
  // Where the ground is unknown, the run must not continue as if there were no ground.
  const find = (X: Float64Array, out: PatchStore): number => {
    const depth = inner.find(X, out);
    return source.isUnknown ? Number.POSITIVE_INFINITY : depth;
  };
  const { depth, form, energyShares } = inner as PatchFinder;
  return { finder: { depth, form, ...(energyShares && { energyShares }), find }, ground: source };
}

/** For the search of first touches: gaps by the distance of convex bodies, and the finder where they are zero. */
function narrowOf(
  elastic: PressureSolid,
  rigid: PressureSolid,
  finder: PatchFinder,
  groundGap: NarrowPhase | undefined,
  ball: Float64Array,
): NarrowPhase {
  const store = new PatchStore(64);
  const distances = new ConvexDistance();
  const body = elastic.elasticBody!;
  const other = rigid.line ? rigid.elasticBody : rigid.rigidBody;
  return (_first, second, X, hit) => {
    let gap = 0;
    if (rigid.plane) gap = planeGap(body, rigid.plane.at, rigid.plane.normal, X);
    else if (other) gap = distances.distance(body, other, X);
    else if (groundGap) {
      groundGap(ball, second, X, hit);
      gap = -hit[0]!;
    }
    if (gap > TOUCHING) {
      hit[0] = -gap;
      return;
    }
    store.clear();
    const depth = finder.find(X, store);
    hit[0] = depth > 0 ? depth : -Math.max(0, gap);
  };
}

const POINT = new Float64Array(3);

/** Distance of a convex body, placed by X, in front of a plane; negative if it crosses the plane. */
function planeGap(body: ConvexBody, at: Point3, n: Point3, X: Float64Array): number {
  const x = X[0]! * n[0] + X[3]! * n[1] + X[6]! * n[2];
  const y = X[1]! * n[0] + X[4]! * n[1] + X[7]! * n[2];
  const z = X[2]! * n[0] + X[5]! * n[1] + X[8]! * n[2];
  body.support(-x, -y, -z, POINT);
  const height = (X[9]! - at[0]) * n[0] + (X[10]! - at[1]) * n[1] + (X[11]! - at[2]) * n[2];
  return height + x * POINT[0]! + y * POINT[1]! + z * POINT[2]! - body.radius;
}

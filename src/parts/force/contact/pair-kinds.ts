/**
 * Kinds of shapes that can touch each other at points, and their narrow phases. Adding a pair is adding its line here. No pair
 * here misses a touch, except boxes and capsules on uneven ground, which have contact patches as all other pairs of solids.
 */
import { FLAT } from "../../../ground/terrain.ts";
import {
  ballsOf,
  boxOf,
  circleOf,
  coneOf,
  cylinderOf,
  discOf,
  edgeOf,
  groundOf,
  lineOf,
  petalOf,
  planeOf,
  rimOf,
} from "./contact-parts.ts";
import type { ContactPart, NarrowPhase } from "./narrow-phase.ts";
import { edgeEdge } from "./points/edge-edge.ts";
import { edgeRim } from "./points/edge-rim.ts";
import { ballBall, ballLine, ballRim, lineLine } from "./points/lines.ts";
import { ballBox, ballGround, ballPlane, ballRevolved } from "./points/solids.ts";
import { havePatch, type PatchPair, PatchPairs } from "./pressure/patch-pair.ts";
import type { ContactShape } from "./shape.ts";
import { CONTACT_SHAPE_KINDS, type ContactShapeKind } from "./shape-kinds.ts";

interface ShapePairKind {
  readonly of: readonly [ContactShapeKind, ContactShapeKind];
  /** True if the normal is the gradient of the depth: the elastic work is then stored and given back. */
  readonly conservative: boolean;
  first(shape: ContactShape): readonly ContactPart[];
  second(shape: ContactShape): ContactPart;
  /** Narrow phase, unless the second part has its own. */
  readonly narrow: NarrowPhase;
  /** Its narrow phase does not give the distance of parts that do not touch. */
  readonly gap?: "unknown";
}

const SOLIDS: readonly [ContactShapeKind, (shape: ContactShape) => ContactPart, NarrowPhase][] = [
  ["plane", planeOf, ballPlane],
  ["disc", discOf, ballRevolved],
  ["cone", coneOf, ballRevolved],
  ["box", boxOf, ballBox],
];

const asList =
  (part: (shape: ContactShape) => ContactPart) =>
  (shape: ContactShape): readonly ContactPart[] => [part(shape)];

/** Caches the parts of a shape, so that each shape has them once. */
function cachePerShape<T>(make: (shape: ContactShape) => T): (shape: ContactShape) => T {
  const cache = new WeakMap<ContactShape, T & object>();
  return (shape) => {
    const part = cache.get(shape) ?? (make(shape) as T & object);
    cache.set(shape, part);
    return part;
  };
}

const DECLARED_PAIR_KINDS: readonly ShapePairKind[] = [
  ...SOLIDS.flatMap(([solid, second, narrow]): ShapePairKind[] =>
    (["point", "sphere"] as const).map((kind) => ({
      of: [kind, solid],
      conservative: true,
      first: ballsOf,
      second,
      narrow,
    })),
  ),
  { of: ["point", "cylinder"], conservative: true, first: ballsOf, second: cylinderOf, narrow: ballRevolved },
  ...(["capsule", "box"] as const).map(
    (kind): ShapePairKind => ({ of: [kind, "plane"], conservative: true, first: ballsOf, second: planeOf, narrow: ballPlane }),
  ),
  // Each end of a capsule and each corner of a box separately, as against planes and solids.
  ...(["point", "sphere", "capsule", "box"] as const).map(
    (kind): ShapePairKind => ({
      of: [kind, "ground"],
      conservative: false,
      first: ballsOf,
      second: groundOf,
      narrow: ballGround(FLAT),
    }),
  ),
  {
    of: ["sphere", "sphere"],
    conservative: true,
    first: ballsOf,
    second: (s) => ballsOf(s)[0]!,
    narrow: ballBall,
  },
  {
    of: ["sphere", "point"],
    conservative: true,
    first: ballsOf,
    second: (s) => ballsOf(s)[0]!,
    narrow: ballBall,
  },
  ...(["capsule", "edge"] as const).flatMap((kind): ShapePairKind[] => [
    {
      of: ["sphere", kind],
      conservative: true,
      first: ballsOf,
      second: lineOf,
      narrow: ballLine,
    },
    {
      of: ["capsule", kind],
      conservative: true,
      first: asList(lineOf),
      second: lineOf,
      narrow: lineLine,
    },
  ]),
  {
    of: ["sphere", "rim"],
    conservative: true,
    first: ballsOf,
    second: circleOf,
    narrow: ballRim,
  },
  {
    of: ["edge", "edge"],
    conservative: false,
    first: asList(edgeOf),
    second: edgeOf,
    narrow: edgeEdge,
    gap: "unknown",
  },
  {
    of: ["edge", "rim"],
    conservative: false,
    first: asList(petalOf),
    second: rimOf,
    narrow: edgeRim,
    gap: "unknown",
  },
];

export const PAIR_KINDS: readonly ShapePairKind[] = DECLARED_PAIR_KINDS.map((kind) => ({
  ...kind,
  first: cachePerShape(kind.first),
  second: cachePerShape(kind.second),
}));

/** A pair of parts of two shapes that can touch, at one point or by one patch. */
export interface ContactCandidate {
  readonly first: ContactPart;
  readonly second: ContactPart;
  readonly narrow: NarrowPhase;
  readonly conservative: boolean;
  readonly gap: "known" | "unknown";
  /** True if the parts are exchanged: `first` belongs to the second shape. */
  readonly swapped: boolean;
  /** The pair of solids, if they touch by a patch: the first part is elastic, the second rigid. */
  readonly patch?: PatchPair;
}

/** Law of the depth: at points, or for patches of solids. */
export type DepthLaw = "linear" | "hertz" | "pressure";

const pairKindOf = (
  a: ContactShape,
  b: ContactShape,
): { readonly kind: ShapePairKind; readonly swapped: boolean } | undefined => {
  const forward = PAIR_KINDS.find(({ of }) => of[0] === a.kind && of[1] === b.kind);
  const backward = PAIR_KINDS.find(({ of }) => of[0] === b.kind && of[1] === a.kind);
  return forward ? { kind: forward, swapped: false } : backward && { kind: backward, swapped: true };
};

/** Corners and ends miss what the ground has between them. */
const missesRidges = (a: ContactShape, b: ContactShape): boolean =>
  b.kind === "ground" && !b.terrain.planar && (a.kind === "box" || a.kind === "capsule");

/** How two shapes touch: at points, if that is complete and the law is not that of pressure; otherwise by a patch; or not at all. */
export function touchOf(a: ContactShape, b: ContactShape, law: DepthLaw): "at points" | "by a patch" | undefined {
  if (law !== "pressure" && pairKindOf(a, b) && !(missesRidges(a, b) || missesRidges(b, a))) return "at points";
  return havePatch(a, b) ? "by a patch" : undefined;
}

/** All candidates of two shapes; undefined if their kinds cannot touch. */
export function contactCandidates(
  a: ContactShape,
  b: ContactShape,
  law: DepthLaw = "linear",
  patches = new PatchPairs(),
): readonly ContactCandidate[] | undefined {
  const touch = touchOf(a, b, law);
  if (touch === undefined) return undefined;
  if (touch === "by a patch") {
    const patch = patches.of(a, b);
    const { elastic: first, rigid: second, narrow, gap, swapped } = patch;
    return [{ first, second, narrow, conservative: true, gap, swapped, patch }];
  }
  const { kind, swapped } = pairKindOf(a, b)!;
  const [x, y] = swapped ? [b, a] : [a, b];
  const { narrow, conservative, gap = "known" } = kind;
  return kind.first(x).map((first) => {
    const second = kind.second(y);
    return { first, second, narrow: second.narrow ?? narrow, conservative, gap, swapped };
  });
}

/** Kinds that a shape can touch by a law, for messages. */
export const partnerKinds = (shape: ContactShape, law: DepthLaw): readonly ContactShapeKind[] =>
  CONTACT_SHAPE_KINDS.filter((kind) => touchOf(shape, { ...shape, kind, inner: 0, thickness: undefined }, law) !== undefined);

/** Kinds of shapes that can touch each other, and their narrow phases. Adding a pair is adding its line here. */
import { FLAT } from "../../../ground/terrain.ts";
import { ballsOf, boxOf, circleOf, coneOf, discOf, edgeOf, groundOf, lineOf, petalOf, planeOf, rimOf } from "./contact-parts.ts";
import { edgeEdge } from "./edge-edge.ts";
import { edgeRim } from "./edge-rim.ts";
import { ballBall, ballLine, ballRim, lineLine } from "./lines.ts";
import type { ContactPart, NarrowPhase } from "./narrow-phase.ts";
import type { ContactShape } from "./shape.ts";
import type { ContactShapeKind } from "./shape-kinds.ts";
import { ballBox, ballGround, ballPlane, ballRevolved, lineBox } from "./solids.ts";

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
    (["point", "sphere", "box"] as const).map((kind) => ({
      of: [kind, solid],
      conservative: true,
      first: ballsOf,
      second,
      narrow,
    })),
  ),
  { of: ["capsule", "box"], conservative: true, first: asList(lineOf), second: boxOf, narrow: lineBox },
  {
    of: ["capsule", "plane"],
    conservative: true,
    first: ballsOf,
    second: planeOf,
    narrow: ballPlane,
  },
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

/** A pair of parts of two shapes that can touch at one point. */
export interface ContactCandidate {
  readonly first: ContactPart;
  readonly second: ContactPart;
  readonly narrow: NarrowPhase;
  readonly conservative: boolean;
  readonly gap: "known" | "unknown";
  /** True if the parts are exchanged: `first` belongs to the second shape. */
  readonly swapped: boolean;
}

/** All candidates of two shapes; undefined if their kinds cannot touch. Of two boxes, the corners of both are tested. */
export function contactCandidates(a: ContactShape, b: ContactShape): readonly ContactCandidate[] | undefined {
  const forward = PAIR_KINDS.find(({ of }) => of[0] === a.kind && of[1] === b.kind);
  const backward = PAIR_KINDS.find(({ of }) => of[0] === b.kind && of[1] === a.kind);
  if (!forward && !backward) return undefined;
  const meet = (pair: ShapePairKind, x: ContactShape, y: ContactShape, swapped: boolean): ContactCandidate[] =>
    pair.first(x).map((first) => {
      const second = pair.second(y);
      const { narrow, conservative, gap = "known" } = pair;
      return { first, second, narrow: second.narrow ?? narrow, conservative, gap, swapped };
    });
  const bothWays = a.kind === "box" && b.kind === "box";
  return [
    ...(forward ? meet(forward, a, b, false) : []),
    ...(backward && (!forward || bothWays) ? meet(backward, b, a, true) : []),
  ];
}

/** Kinds that a shape of this kind can touch, for messages. */
export const partnerKinds = (kind: ContactShapeKind): readonly ContactShapeKind[] => [
  ...new Set(PAIR_KINDS.flatMap(({ of }) => (of[0] === kind ? [of[1]] : of[1] === kind ? [of[0]] : []))),
];

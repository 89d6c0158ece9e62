/** Which shapes can touch which, and by what: adding a pair is adding its line here. */
import { FLAT } from "../../../ground/terrain.ts";
import { edgeEdge } from "./edge-edge.ts";
import { edgeRim } from "./edge-rim.ts";
import type { Narrow, Part } from "./hit.ts";
import { ballBall, ballLine, ballRim, lineLine } from "./lines.ts";
import { ballsOf, boxOf, circleOf, coneOf, discOf, edgeOf, groundOf, lineOf, petalOf, planeOf, rimOf } from "./parts.ts";
import type { Shape } from "./shape.ts";
import type { ShapeKind } from "./shape-kinds.ts";
import { ballBox, ballGround, ballPlane, ballTurned, lineBox } from "./solids.ts";

interface PairKind {
  readonly of: readonly [ShapeKind, ShapeKind];
  /** The normal is the slope of the depth: what is pressed in is stored, and given back. */
  readonly conservative: boolean;
  first(shape: Shape): readonly Part[];
  second(shape: Shape): Part;
  /** How parts meet, if the second part does not know better. */
  readonly narrow: Narrow;
}

const SOLIDS: readonly [ShapeKind, (shape: Shape) => Part, Narrow][] = [
  ["plane", planeOf, ballPlane],
  ["disc", discOf, ballTurned],
  ["cone", coneOf, ballTurned],
  ["box", boxOf, ballBox],
];

const one =
  (part: (shape: Shape) => Part) =>
  (shape: Shape): readonly Part[] => [part(shape)];

/** The same part for the same shape, however many it meets. */
function once<T>(make: (shape: Shape) => T): (shape: Shape) => T {
  const made = new WeakMap<Shape, T & object>();
  return (shape) => {
    const part = made.get(shape) ?? (make(shape) as T & object);
    made.set(shape, part);
    return part;
  };
}

const KINDS: readonly PairKind[] = [
  ...SOLIDS.flatMap(([solid, second, narrow]): PairKind[] =>
    (["point", "sphere", "box"] as const).map((kind) => ({
      of: [kind, solid],
      conservative: true,
      first: ballsOf,
      second,
      narrow,
    })),
  ),
  { of: ["capsule", "box"], conservative: true, first: one(lineOf), second: boxOf, narrow: lineBox },
  {
    of: ["capsule", "plane"],
    conservative: true,
    first: ballsOf,
    second: planeOf,
    narrow: ballPlane,
  },
  // Each end of a capsule and each corner of a box by itself, as against planes and solids.
  ...(["point", "sphere", "capsule", "box"] as const).map(
    (kind): PairKind => ({
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
  ...(["capsule", "edge"] as const).flatMap((kind): PairKind[] => [
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
      first: one(lineOf),
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
    first: one(edgeOf),
    second: edgeOf,
    narrow: edgeEdge,
  },
  {
    of: ["edge", "rim"],
    conservative: false,
    first: one(petalOf),
    second: rimOf,
    narrow: edgeRim,
  },
];

export const PAIRS: readonly PairKind[] = KINDS.map((kind) => ({ ...kind, first: once(kind.first), second: once(kind.second) }));

/** One place where two shapes can touch. `sign` is that of the force on the first shape of the pair. */
export interface Meeting {
  readonly first: Part;
  readonly second: Part;
  readonly narrow: Narrow;
  readonly conservative: boolean;
  /** The parts have changed places: `first` belongs to the second shape. */
  readonly swapped: boolean;
}

/** All places where two shapes can touch; undefined if there is no such pair. Boxes meet with the corners of both. */
export function meetingsOf(a: Shape, b: Shape): readonly Meeting[] | undefined {
  const forward = PAIRS.find(({ of }) => of[0] === a.kind && of[1] === b.kind);
  const backward = PAIRS.find(({ of }) => of[0] === b.kind && of[1] === a.kind);
  if (!forward && !backward) return undefined;
  const meet = (pair: PairKind, x: Shape, y: Shape, swapped: boolean): Meeting[] =>
    pair.first(x).map((first) => {
      const second = pair.second(y);
      return { first, second, narrow: second.narrow ?? pair.narrow, conservative: pair.conservative, swapped };
    });
  const bothWays = a.kind === "box" && b.kind === "box";
  return [
    ...(forward ? meet(forward, a, b, false) : []),
    ...(backward && (!forward || bothWays) ? meet(backward, b, a, true) : []),
  ];
}

/** What a shape of this kind can touch, for messages. */
export const partnersOf = (kind: ShapeKind): readonly ShapeKind[] => [
  ...new Set(PAIRS.flatMap(({ of }) => (of[0] === kind ? [of[1]] : of[1] === kind ? [of[0]] : []))),
];

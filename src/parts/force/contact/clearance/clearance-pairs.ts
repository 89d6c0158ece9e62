/** Pairs of convex shapes on different bodies whose distance is measured. */
import { frameOf, type Model } from "../../../../model/model.ts";
import type { NoteProblem } from "../../../../sim/system/create-checked.ts";
import type { ContactShape } from "../shape.ts";
import { describeShape } from "../shape-pairs.ts";
import { type ConvexShape, convexShapeOf } from "./convex-shapes.ts";

/** A pair of shapes. A half-space is never `a`: then both are swapped. */
export interface ClearancePair {
  readonly isSwapped: boolean;
  readonly a: ConvexShape;
  readonly b: ConvexShape;
  readonly shapeA: ContactShape;
  readonly shapeB: ContactShape;
}

const MOST_PAIRS = 10_000;

/** Index of the body that carries a shape; -1 is the world. */
export const bodyOf = (model: Model, { on }: ContactShape): number => (on === undefined ? -1 : frameOf(model, on).body);

export const bodyName = (model: Model, shape: ContactShape): string => model.bodies[bodyOf(model, shape)]?.name ?? "world";

/**
 * Each of `shapes` with each of `against`. Without `against`, the shapes with each other, except those on the same body and those on bodies
 * that a hinge joins: such bodies always meet. Notes problems.
 */
export function clearancePairs(
  shapes: readonly ContactShape[],
  against: readonly ContactShape[],
  model: Model,
  note: NoteProblem,
): readonly ClearancePair[] {
  if (shapes.length === 0) note("shapes", "there are none");
  const convex = new Map([
    ...shapes.map((shape) => [shape, convexOf(shape, "shapes", note)] as const),
    ...against.map((shape) => [shape, convexOf(shape, "against", note)] as const),
  ]);
  const isAmongThemselves = against.length === 0;
  const count = isAmongThemselves ? (shapes.length * (shapes.length - 1)) / 2 : shapes.length * against.length;
  if (count > MOST_PAIRS) {
    note("shapes", `at most ${MOST_PAIRS} pairs, these are ${count}`, "Split them into several elements");
    return [];
  }
  const pairs = isAmongThemselves
    ? shapes.flatMap((a, i) => shapes.slice(i + 1).map((b) => [a, b] as const))
    : shapes.flatMap((a) => against.map((b) => [a, b] as const));
  const moving = pairs.filter(([a, b]) => bodyOf(model, a) !== bodyOf(model, b));
  const fixed = pairs.find(([a, b]) => bodyOf(model, a) === bodyOf(model, b));
  if (!isAmongThemselves && fixed)
    note(
      "against",
      `${describeShape(fixed[0])} and ${describeShape(fixed[1])} are on the same body, and never move against each other`,
    );
  const chosen = isAmongThemselves ? moving.filter(([a, b]) => !areJoined(model, a, b)) : moving;
  if (isAmongThemselves && shapes.length > 0 && chosen.length === 0)
    note("shapes", "there must be shapes on two bodies that no hinge joins, or shapes that they are against", "Give against");
  return chosen.flatMap(([a, b]) => {
    const [first, second] = [convex.get(a), convex.get(b)];
    if (!first || !second) return [];
    if (!first.body && !second.body) {
      note("shapes", `${describeShape(a)} and ${describeShape(b)}: two planes have no distance`, "Use a box or a disc for one");
      return [];
    }
    return [
      first.body
        ? { a: first, b: second, shapeA: a, shapeB: b, isSwapped: false }
        : { a: second, b: first, shapeA: b, shapeB: a, isSwapped: true },
    ];
  });
}

function convexOf(shape: ContactShape, key: "shapes" | "against", note: NoteProblem): ConvexShape | undefined {
  const convex = convexShapeOf(shape);
  if (!("why" in convex)) return convex;
  note(key, `${describeShape(shape)} has no clearance: ${convex.why}`, convex.advice);
  return undefined;
}

/** True if a hinge joins the bodies of two shapes, or one of them to the world. */
function areJoined(model: Model, a: ContactShape, b: ContactShape): boolean {
  const [i, j] = [bodyOf(model, a), bodyOf(model, b)];
  const isChild = (child: number, parent: number): boolean => child >= 0 && model.bodies[child]!.parent === parent;
  const floats = (child: number): boolean => child >= 0 && model.bodies[child]!.hinge.nu === 6;
  return (isChild(i, j) && !floats(i)) || (isChild(j, i) && !floats(j));
}

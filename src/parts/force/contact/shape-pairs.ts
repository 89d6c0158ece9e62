/** Pairs of shapes of a contact element that can touch each other. */
import { frameOf, type Model } from "../../../model/model.ts";
import type { NoteProblem } from "../../../sim/system/create-checked.ts";
import { type DepthLaw, partnerKinds, touchOf } from "./pair-kinds.ts";
import type { ContactShape } from "./shape.ts";

const MOST_PAIRS = 100_000;

export interface ShapePair {
  readonly a: ContactShape;
  readonly b: ContactShape;
}

export const describeShape = ({ kind, label, on }: ContactShape): string =>
  `${kind} ${label} ${on === undefined ? "in the world" : `on ${on}`}`;

/** All pairs of shapes on different bodies. Without `against`, the shapes are paired with each other. Notes pairs that cannot touch. */
export function shapePairs(
  shapes: readonly ContactShape[],
  against: readonly ContactShape[],
  order: "all" | "in order",
  law: DepthLaw,
  model: Model,
  note: NoteProblem,
): readonly ShapePair[] {
  const isAmongThemselves = against.length === 0;
  if (order === "in order" && shapes.length !== against.length) {
    note("pairs", `in order there must be as many shapes as there are against, not ${shapes.length} and ${against.length}`);
    return [];
  }
  if (shapes.length === 0) note("shapes", "there are none");
  const count = isAmongThemselves
    ? (shapes.length * (shapes.length - 1)) / 2
    : order === "all"
      ? shapes.length * against.length
      : shapes.length;
  if (count > MOST_PAIRS) {
    note("shapes", `at most ${MOST_PAIRS} pairs, these are ${count}`, "Split them into several elements");
    return [];
  }
  const pairs = isAmongThemselves
    ? shapes.flatMap((a, i) => shapes.slice(i + 1).map((b): ShapePair => ({ a, b })))
    : order === "all"
      ? shapes.flatMap((a) => against.map((b): ShapePair => ({ a, b })))
      : shapes.map((a, i): ShapePair => ({ a, b: against[i]! }));
  const bodyOf = ({ on }: ContactShape): number => (on === undefined ? -1 : frameOf(model, on).body);
  const movingPairs = pairs.filter(({ a, b }) => bodyOf(a) !== bodyOf(b));
  const fixedPair = pairs.find(({ a, b }) => bodyOf(a) === bodyOf(b));
  if (!isAmongThemselves && fixedPair)
    note(
      "against",
      `${describeShape(fixedPair.a)} and ${describeShape(fixedPair.b)} are on the same body, and never move against each other`,
    );
  else if (isAmongThemselves && shapes.length > 0 && movingPairs.length === 0)
    note("shapes", "there must be shapes on two bodies, or shapes that they are against", "Give against");
  checkKinds(movingPairs, isAmongThemselves ? "shapes" : "against", law, note);
  return movingPairs;
}

/** Notes each combination of kinds that cannot touch, once. */
function checkKinds(pairs: readonly ShapePair[], key: "shapes" | "against", law: DepthLaw, note: NoteProblem): void {
  const checkedKinds = new Set<string>();
  for (const { a, b } of pairs) {
    // Discs with a hole and cones with a wall are rigid only.
    const kinds = [a, b].map((shape) => `${shape.kind} ${shape.inner > 0} ${shape.thickness !== undefined}`).join();
    if (checkedKinds.has(kinds)) continue;
    checkedKinds.add(kinds);
    if (touchOf(a, b, law) === undefined) {
      const partners = (shape: ContactShape): string => `${shape.kind} with ${partnerKinds(shape, law).join(", ") || "nothing"}`;
      const advice = `There are pairs of ${partners(a)}${a.kind === b.kind ? "" : `; of ${partners(b)}`}`;
      const by = law === "pressure" ? " by the law of pressure" : "";
      note(key, `no pair of ${describeShape(a)} and ${describeShape(b)}: ${a.kind} with ${b.kind} is not supported${by}`, advice);
    } else if (a.kind === "edge" && b.kind === "edge" && !a.out && !b.out)
      note(
        "shapes",
        `${describeShape(a)} and ${describeShape(b)}: of two edges, one must give its outside direction`,
        "Give out",
      );
  }
}

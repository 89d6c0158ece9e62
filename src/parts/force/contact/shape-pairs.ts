/** Pairs of shapes of a contact element that can touch each other. */
import { didYouMean } from "../../../declare/names.ts";
import type { Parameters, ParameterValues } from "../../../declare/parameters.ts";
import { frameOf, type Model } from "../../../model/model.ts";
import type { NoteProblem } from "../../../sim/system/create-checked.ts";
import { type DepthLaw, partnerKinds, touchOf } from "./pair-kinds.ts";
import type { ContactShape } from "./shape.ts";

const MOST_PAIRS = 100_000;

/** Names of shapes, or of the bodies and frames that carry them. */
export const APART = {
  these: {
    type: "texts",
    noun: "name of a shape or body",
    about: "Names of shapes, or of bodies and frames with all their shapes.",
  },
  those: {
    type: "texts",
    noun: "name of a shape or body",
    optional: true,
    about: "Names likewise: `these` do not touch `those`. Without them, `these` do not touch each other.",
  },
} as const satisfies Parameters;

/** Shapes that do not touch each other. A name with a problem is undefined. */
export type Apart = ParameterValues<typeof APART>;

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
  { pairs: order, apart }: { readonly pairs: "all" | "in order"; readonly apart: readonly Apart[] },
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
  const bodies = new Map([...shapes, ...against].map(({ on }) => [on, on === undefined ? -1 : frameOf(model, on).body]));
  const bodyOf = ({ on }: ContactShape): number => bodies.get(on)!;
  const group = rigidGroups(model);
  const groupOf = (shape: ContactShape): number => group[bodyOf(shape)] ?? -1;
  const isApart = apartTest(apart, [...shapes, ...against], model, note);
  const movingPairs = pairs.filter(({ a, b }) => groupOf(a) !== groupOf(b) && !isApart(a, b));
  const fixedPair = pairs.find(({ a, b }) => bodyOf(a) === bodyOf(b));
  if (!isAmongThemselves && fixedPair)
    note(
      "against",
      `${describeShape(fixedPair.a)} and ${describeShape(fixedPair.b)} are on the same body, and never move against each other`,
    );
  else if (isAmongThemselves && shapes.length > 0 && movingPairs.length === 0)
    note("shapes", "there must be shapes on two bodies, or shapes that they are against", "Give against");
  else if (shapes.length > 0 && movingPairs.length === 0)
    note("against", "no pair remains: all are on bodies that are fixed to each other, or apart", "Name other shapes");
  checkKinds(movingPairs, isAmongThemselves ? "shapes" : "against", law, note);
  return movingPairs;
}

/** Number of the first body of the rigid group of each body; -1 for bodies that are fixed to the world. */
function rigidGroups(model: Model): readonly number[] {
  const group: number[] = [];
  for (const { hinge, parent, index } of model.bodies) group.push(hinge.nu > 0 ? index : (group[parent] ?? -1));
  return group;
}

/** True for pairs of shapes that `apart` names. Notes names of nothing. */
function apartTest(
  apart: readonly Apart[],
  shapes: readonly ContactShape[],
  model: Model,
  note: NoteProblem,
): (a: ContactShape, b: ContactShape) => boolean {
  const byName = new Map<string, Set<ContactShape>>();
  const add = (name: string, shape: ContactShape): void => {
    const set = byName.get(name) ?? new Set();
    byName.set(name, set.add(shape));
  };
  for (const shape of shapes) {
    add(shape.label, shape);
    if (shape.on === undefined) continue;
    add(shape.on, shape);
    add(model.bodies[frameOf(model, shape.on).body]!.name, shape);
  }
  const known = new Set([...model.bodies.map(({ name }) => name), ...model.frames.map(({ name }) => name)]);
  const setOf = (names: Apart["these"] | undefined, path: string): ReadonlySet<ContactShape> => {
    const found = new Set<ContactShape>();
    for (const name of names ?? []) {
      if (name === undefined) continue;
      for (const shape of byName.get(name) ?? []) found.add(shape);
      if (!byName.has(name) && !known.has(name))
        note(path, `no shape or body has the name ${JSON.stringify(name)}`, didYouMean(name, [...byName.keys(), ...known]));
    }
    return found;
  };
  const partners = new Map<ContactShape, Set<ContactShape>>();
  for (const [i, { these, those }] of apart.entries()) {
    const first = setOf(these, `apart[${i}].these`);
    const second = those === undefined ? first : setOf(those, `apart[${i}].those`);
    for (const a of first)
      for (const b of second) {
        partners.set(a, (partners.get(a) ?? new Set()).add(b));
        partners.set(b, (partners.get(b) ?? new Set()).add(a));
      }
  }
  return (a, b) => partners.get(a)?.has(b) === true;
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

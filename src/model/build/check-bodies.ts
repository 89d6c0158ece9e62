/** Checks of the parsed bodies against each other: names, parents, and hinges without inertia. */
import { claimName, nameAdvice } from "../../declare/names.ts";
import { childPath } from "../../declare/plain-data.ts";
import { type Problem, valueText } from "../../errors.ts";
import type { Loop } from "../loop.ts";
import type { BodyDraft } from "./body-draft.ts";
import { sumOverSubtrees, WORLD } from "./body-order.ts";

/** Index of a body in the model, and indices of its first coordinate and speed. */
export interface BodyLayout {
  readonly index: number;
  readonly q: number;
  readonly u: number;
}

/**
 * Reports names that are used twice. Bodies and frames share one set of names, hinges have their own: states and results are keyed by
 * them. Returns all names with the path of their first use.
 */
export function checkNames(drafts: readonly BodyDraft[], problems: Problem[]): ReadonlyMap<string, string> {
  const bodiesAndFrames = new Map<string, string>();
  const hinges = new Map<string, string>();
  const claim = (usedNames: Map<string, string>, name: string, path: string): boolean =>
    claimName(usedNames, name, path, problems);
  for (const draft of drafts) {
    const { path, name, hinge, frames } = draft;
    const isNew = claim(bodiesAndFrames, name, `${path}.name`);
    for (const frame of frames) claim(bodiesAndFrames, frame.name, frame.path);
    if (hinge && (isNew || hinge.name !== name)) claim(hinges, hinge.name, `${path}.hinge.name`);
  }
  return new Map([...hinges, ...bodiesAndFrames]);
}

/** Index of the parent of each body; the world if it is unknown. */
export function readParents(
  drafts: readonly BodyDraft[],
  isBroken: (name: string) => boolean,
  problems: Problem[],
): readonly number[] {
  const indices = new Map<string, number>();
  for (const [i, draft] of drafts.entries()) if (draft.name !== "" && !indices.has(draft.name)) indices.set(draft.name, i);
  return drafts.map((draft) => {
    const parent = draft.parentName;
    if (parent === undefined || parent === "world") return WORLD;
    const index = indices.get(parent);
    if (index !== undefined) return index;
    const path = childPath(draft.path, "parent");
    if (!isBroken(parent))
      problems.push({
        path,
        message: "no body has this name",
        value: valueText(parent),
        ...nameAdvice(parent, indices.keys(), problems),
      });
    return WORLD;
  });
}

export function reportCycle(cycle: readonly number[], drafts: readonly BodyDraft[], problems: Problem[]): void {
  const names = cycle.slice(0, 10).map((i) => drafts[i]!.name);
  const shownCycle = [...names, ...(cycle.length > 10 ? [`${cycle.length - 10} more`] : []), names[0]].join(" -> ");
  const path = childPath(drafts[cycle[0]!]!.path, "parent");
  problems.push({
    path,
    message: `the parents form a cycle: ${shownCycle}`,
    advice: "Give one of them another parent, or the world",
  });
}

/** A hinge that moves no inertia would accelerate without limit. It needs mass, a loop that drives it, or an armature. */
export function checkMassless(
  drafts: readonly BodyDraft[],
  parents: readonly number[],
  order: readonly number[],
  layout: readonly BodyLayout[],
  loops: readonly Loop[],
  problems: Problem[],
): void {
  const bodiesInLoops = new Set(loops.flatMap((l) => (l.type === "frames" ? [l.from.body, l.to.body] : [])));
  const coupledSpeeds = new Set(loops.flatMap((l) => (l.type === "coordinates" ? l.terms.map((term) => term.u) : [])));
  const isCoupled = (u: number, nu: number): boolean =>
    Array.from({ length: nu }, (_, k) => u + k).some((k) => coupledSpeeds.has(k));
  const inertiaOrLoop = drafts.map((draft, i) => {
    const { index, u } = layout[i]!;
    return bodiesInLoops.has(index) || isCoupled(u, draft.hinge?.nu ?? 0) ? 1 : (draft.mass ?? Number.NaN);
  });
  const subtreeSums = sumOverSubtrees(inertiaOrLoop, parents, order);
  for (const i of order) {
    const draft = drafts[i]!;
    if (!draft.hinge || draft.hinge.nu === 0 || subtreeSums[i] !== 0) continue;
    if (draft.hinge.elements.every((element) => (element.armature ?? 0) > 0)) continue;
    problems.push({
      path: childPath(draft.path, "mass"),
      message: "the hinge moves no mass",
      value: "0",
      advice: "Give mass to this body or to one that it carries, or hold it by a loop",
    });
  }
}

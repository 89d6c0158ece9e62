/** Creates a model from a description: completed, checked, parents first, frozen. All problems are reported at once. */

import { readTitle } from "../../declare/names.ts";
import { childPath, readArray, readFields, readRecord } from "../../declare/plain-data.ts";
import { ModelError, type Problem } from "../../errors.ts";
import type { ModelDescription } from "../description.ts";
import { expandElasticBodies } from "../elastic/expand-elastic-bodies.ts";
import { readSprings } from "../elastic/springs.ts";
import { readGravity } from "../gravity.ts";
import type { ModelNames } from "../loops/loop-kind.ts";
import { checkLoopSolutions } from "../loops/loop-solution.ts";
import type { Body, Frame, Hinge, Model } from "../model.ts";
import { parentsFirst, WORLD } from "./body-order.ts";
import { type BodyLayout, checkMassless, checkNames, readParents, reportCycle } from "./check-bodies.ts";
import { type BodyDraft, readBody } from "./parse-body.ts";
import { readLoops } from "./parse-loops.ts";

export const MAX_BODIES = 10_000;
/** @throws ModelError with every problem of the description. */
export function createModel(description: ModelDescription): Model {
  const problems: Problem[] = [];
  const warnings: Problem[] = [];
  let source = "model";
  let model: Model | undefined;
  let options: ErrorOptions | undefined;
  try {
    const title = (description as ModelDescription | undefined)?.name;
    if (typeof title === "string" && title !== "") source = title.slice(0, 100);
    model = readModel(description, problems, warnings);
  } catch (error) {
    // Only access to a hostile object can throw here: a getter, a revoked proxy.
    problems.push({ path: "", message: "cannot be read" });
    options = { cause: error };
  }
  if (model === undefined || problems.length > 0) throw new ModelError(source, problems, options);
  return deepFreeze(model);
}

function readModel(description: unknown, problems: Problem[], warnings: Problem[]): Model | undefined {
  const fields = readRecord(description, "", problems);
  if (fields === undefined) return undefined;
  const items = readArray(fields.bodies, "bodies", "a list of bodies", problems) ?? [];
  if (items.length > MAX_BODIES) {
    problems.push({ path: "bodies", message: `at most ${MAX_BODIES} bodies, this has ${items.length}` });
    return undefined;
  }
  if (items.length === 0 && problems.length === 0) problems.push({ path: "bodies", message: "a model needs at least one body" });
  readFields(description, "", ["name", "gravity", "bodies", "loops", "springs"], problems);
  const name = readTitle(fields.name, "name", problems);
  const gravity = readGravity(fields.gravity, problems);
  const expanded = expandElasticBodies(Array.from(items), fields.loops, problems);
  if (expanded.bodies.length > MAX_BODIES) {
    problems.push({
      path: "bodies",
      message: `at most ${MAX_BODIES} bodies, with elastic bodies expanded this has ${expanded.bodies.length}`,
    });
    return undefined;
  }
  const drafts = expanded.bodies.map(({ value, path }) => readBody(value, path, problems, warnings));
  const names = checkNames(drafts, problems);
  const parents = readParents(drafts, problems);
  const { order, cycles } = parentsFirst(parents);
  for (const cycle of cycles) reportCycle(cycle, drafts, problems);
  const layout = layOutBodies(drafts, order);
  const modelNames = namesOfDrafts(drafts, layout);
  const { paths, ...loops } =
    expanded.loops === undefined
      ? { loops: [], openLoops: [], paths: new Map<string, string>() }
      : readLoops(expanded.loops, modelNames, names, problems);
  checkMassless(drafts, parents, order, layout, loops.loops, problems);
  const writtenSprings =
    fields.springs === undefined ? [] : (readArray(fields.springs, "springs", "a list of springs", problems) ?? []);
  const springs = readSprings(
    [...writtenSprings.map((value, i) => ({ value, path: childPath("springs", i) })), ...expanded.springs],
    modelNames.hinges,
    problems,
  );
  const smallTurnsBody = drafts.find((d) => d?.hinge?.elements.some((e) => e.small));
  if (smallTurnsBody && loops.loops.length + loops.openLoops.length > 0)
    problems.push({
      path: childPath(smallTurnsBody.path, "hinge"),
      message: "small turns do not conserve lengths, so a model with them cannot have loops",
      advice: "Leave rotations: small out, or the loops",
    });
  if (problems.length > 0 || gravity === undefined) return undefined;
  const model = {
    name,
    gravity,
    ...assemble(drafts as Complete<BodyDraft>[], parents, order, layout),
    ...loops,
    springs,
    warnings,
  };
  checkLoopSolutions(model, paths, problems);
  return model;
}

type Complete<T> = { readonly [K in keyof T]: Exclude<T[K], undefined> };

/** The layout of each draft. Drafts whose ancestors form a cycle come last; they are used for checks only. */
function layOutBodies(drafts: readonly (BodyDraft | undefined)[], order: readonly number[]): readonly BodyLayout[] {
  const layouts: BodyLayout[] = [];
  let q = 0;
  let u = 0;
  for (const [index, draft] of order.entries()) {
    layouts[draft] = { index, q, u };
    q += drafts[draft]?.hinge?.nq ?? 0;
    u += drafts[draft]?.hinge?.nu ?? 0;
  }
  return drafts.map((_, draft) => layouts[draft] ?? { index: drafts.length + draft, q, u });
}

/** The bodies, frames and hinges that loops may refer to. If a name is used twice (which is reported), it means the first one. */
function namesOfDrafts(drafts: readonly (BodyDraft | undefined)[], layout: readonly BodyLayout[]): ModelNames {
  const bodies = new Map<string, number>();
  const frames = new Map<string, Frame>();
  const hinges = new Map<string, Hinge | undefined>();
  for (const [i, draft] of drafts.entries()) {
    if (draft === undefined) continue;
    const { index, q, u } = layout[i]!;
    if (!bodies.has(draft.name)) bodies.set(draft.name, index);
    if (!hinges.has(draft.hingeName)) hinges.set(draft.hingeName, draft.hinge && { ...draft.hinge, q, u });
    for (const { name, placement } of draft.frames) if (!frames.has(name)) frames.set(name, { name, body: index, placement });
  }
  return { bodies, frames, hinges };
}

/** Bodies and frames in their final order. */
function assemble(
  drafts: readonly Complete<BodyDraft>[],
  parents: readonly number[],
  order: readonly number[],
  layout: readonly BodyLayout[],
): Pick<Model, "bodies" | "frames" | "nq" | "nu"> {
  const frames: Frame[] = [];
  const bodies = order.map((draft): Body => {
    const { name, mass, com, inertia, hinge, frames: ownFrames, shapes } = drafts[draft]!;
    const { index, q, u } = layout[draft]!;
    for (const { name, placement } of ownFrames) frames.push({ name, body: index, placement });
    return {
      name,
      index,
      parent: layout[parents[draft]!]?.index ?? WORLD,
      mass,
      com,
      inertia,
      hinge: { ...hinge, q, u },
      shapes,
    };
  });
  const count = (which: "nq" | "nu"): number => bodies.reduce((sum, { hinge }) => sum + hinge[which], 0);
  return { bodies, frames, nq: count("nq"), nu: count("nu") };
}

/** Freezes a value and everything in it. Frozen parts are skipped: models share parts. */
export function deepFreeze<T>(value: T): T {
  if (typeof value !== "object" || value === null || Object.isFrozen(value)) return value;
  Object.freeze(value);
  for (const member of Object.values(value)) deepFreeze(member);
  return value;
}

/** Creates a model from a description: completed, checked, parents first, frozen. All problems are reported at once. */

import { claimName, nameAdvice, readName, readTitle } from "../../declare/names.ts";
import { childPath, type Fields, readArray, readFields, readRecord, readVec3 } from "../../declare/plain-data.ts";
import { ModelError, type Problem, valueText } from "../../errors.ts";
import { ZERO3 } from "../../spatial/vec3.ts";
import type { BodyShape } from "../body-shape.ts";
import type { ModelDescription } from "../description.ts";
import { expandElasticBodies } from "../elastic/expand-elastic-bodies.ts";
import { readSprings } from "../elastic/springs.ts";
import { readGravity } from "../gravity.ts";
import type { Loop } from "../loop.ts";
import type { ModelNames } from "../loops/loop-kind.ts";
import { checkLoopSolutions } from "../loops/loop-solution.ts";
import type { Body, Frame, Hinge, Model, Placement } from "../model.ts";
import { parentsFirst, sumOverSubtrees, WORLD } from "./body-order.ts";
import { type HingeDraft, readHinge } from "./parse-hinge.ts";
import { readInertia, readMass } from "./parse-inertia.ts";
import { readLoops } from "./parse-loops.ts";
import { readPlacementObject } from "./parse-placement.ts";
import { readShapes } from "./parse-shapes.ts";

export const MAX_BODIES = 10_000;
export const MAX_FRAMES = 1_000;

type FrameDraft = Omit<Frame, "body"> & { readonly path: string };

/** A parsed body; members with a problem are `undefined`. */
interface BodyDraft {
  readonly path: string;
  readonly name: string;
  readonly parentName: unknown;
  readonly mass: number | undefined;
  readonly com: Body["com"] | undefined;
  readonly inertia: Body["inertia"] | undefined;
  readonly hinge: HingeDraft | undefined;
  /** Name of the hinge, even if the hinge has a problem. */
  readonly hingeName: string;
  readonly frames: readonly FrameDraft[];
  readonly shapes: readonly BodyShape[];
}

/** @throws ModelError with every problem of the description. */
export function createModel(description: ModelDescription): Model {
  const problems: Problem[] = [];
  const warnings: Problem[] = [];
  let source = "model";
  let model: Model | undefined;
  let options: ErrorOptions | undefined;
  try {
    const given = (description as ModelDescription | undefined)?.name;
    if (typeof given === "string" && given !== "") source = given.slice(0, 100);
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
  const written = expandElasticBodies(Array.from(items), fields.loops, problems);
  if (written.bodies.length > MAX_BODIES) {
    problems.push({
      path: "bodies",
      message: `at most ${MAX_BODIES} bodies, elastic ones written out this has ${written.bodies.length}`,
    });
    return undefined;
  }
  const drafts = written.bodies.map(({ value, path }) => readBody(value, path, problems, warnings));
  const names = checkNames(drafts, problems);
  const parents = readParents(drafts, problems);
  const { order, cycles } = parentsFirst(parents);
  for (const cycle of cycles) reportCycle(cycle, drafts, problems);
  const layout = layOutBodies(drafts, order);
  const places = namesOfDrafts(drafts, layout);
  const { paths, ...loops } =
    written.loops === undefined
      ? { loops: [], openLoops: [], paths: new Map<string, string>() }
      : readLoops(written.loops, places, names, problems);
  checkMassless(drafts, parents, order, layout, loops.loops, problems);
  const own = fields.springs === undefined ? [] : (readArray(fields.springs, "springs", "a list of springs", problems) ?? []);
  const springs = readSprings(
    [...own.map((value, i) => ({ value, path: childPath("springs", i) })), ...written.springs],
    places.hinges,
    problems,
  );
  const small = drafts.find((d) => d?.hinge?.elements.some((e) => e.small));
  if (small && loops.loops.length + loops.openLoops.length > 0)
    problems.push({
      path: childPath(small.path, "hinge"),
      message: "turns taken as small do not keep lengths, so loops cannot be closed over them",
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

const BODY_KEYS = ["name", "parent", "mass", "com", "inertia", "hinge", "frames", "shapes"];

function readBody(value: unknown, path: string, problems: Problem[], warnings: Problem[]): BodyDraft | undefined {
  const fields = readFields(value, path, BODY_KEYS, problems);
  if (fields === undefined) return undefined;
  const at = (key: string): string => childPath(path, key);
  const name = readName(fields.name, at("name"), problems);
  return {
    path,
    name,
    parentName: fields.parent,
    mass: readMass(fields.mass, fields.inertia, at("mass"), problems),
    com: fields.com === undefined ? ZERO3 : readVec3(fields.com, at("com"), problems),
    inertia: readInertia(fields.inertia, at("inertia"), problems, warnings),
    hinge: readHinge(fields.hinge, at("hinge"), name, problems),
    hingeName: givenName(fields.hinge) ?? name,
    frames: fields.frames === undefined ? [] : readFrames(fields.frames, at("frames"), problems),
    shapes: fields.shapes === undefined ? [] : readShapes(fields.shapes, at("shapes"), problems),
  };
}

function givenName(value: unknown): string | undefined {
  const name = typeof value === "object" && value !== null ? (value as Fields).name : undefined;
  return typeof name === "string" ? name : undefined;
}

function readFrames(value: unknown, path: string, problems: Problem[]): readonly FrameDraft[] {
  const frames = readRecord(value, path, problems);
  if (frames === undefined) return [];
  const names = Object.keys(frames);
  if (names.length > MAX_FRAMES) {
    problems.push({ path, message: `at most ${MAX_FRAMES} frames on a body, this has ${names.length}` });
    return [];
  }
  return names.map((key) => {
    const at = childPath(path, key);
    const name = readName(key, at, problems);
    const placement: Placement = readPlacementObject(frames[key], at, problems);
    return { name, placement, path: at };
  });
}

/**
 * Reports names that are used twice. Bodies and frames share one set of names, hinges have their own: states and results are keyed by
 * them. Returns all names with the path of their first use.
 */
function checkNames(drafts: readonly (BodyDraft | undefined)[], problems: Problem[]): ReadonlyMap<string, string> {
  const bodiesAndFrames = new Map<string, string>();
  const hinges = new Map<string, string>();
  const claim = (taken: Map<string, string>, name: string, path: string): boolean => claimName(taken, name, path, problems);
  for (const draft of drafts) {
    if (draft === undefined) continue;
    const { path, name, hinge, frames } = draft;
    const isNew = claim(bodiesAndFrames, name, `${path}.name`);
    for (const frame of frames) claim(bodiesAndFrames, frame.name, frame.path);
    if (hinge && (isNew || hinge.name !== name)) claim(hinges, hinge.name, `${path}.hinge.name`);
  }
  return new Map([...hinges, ...bodiesAndFrames]);
}

/** Index of the parent of each body; the world if it is unknown. */
function readParents(drafts: readonly (BodyDraft | undefined)[], problems: Problem[]): readonly number[] {
  const indices = new Map<string, number>();
  for (const [i, draft] of drafts.entries())
    if (draft && draft.name !== "" && !indices.has(draft.name)) indices.set(draft.name, i);
  return drafts.map((draft) => {
    const parent = draft?.parentName;
    if (draft === undefined || parent === undefined || parent === "world") return WORLD;
    const index = typeof parent === "string" ? indices.get(parent) : undefined;
    if (index !== undefined) return index;
    const path = childPath(draft.path, "parent");
    const message = typeof parent === "string" ? "no body has this name" : "must be the name of a body";
    problems.push({ path, message, value: valueText(parent), ...nameAdvice(parent, indices.keys(), problems) });
    return WORLD;
  });
}

function reportCycle(cycle: readonly number[], drafts: readonly (BodyDraft | undefined)[], problems: Problem[]): void {
  const names = cycle.slice(0, 10).map((i) => drafts[i]!.name);
  const shownCycle = [...names, ...(cycle.length > 10 ? [`${cycle.length - 10} more`] : []), names[0]].join(" -> ");
  const path = childPath(drafts[cycle[0]!]!.path, "parent");
  problems.push({
    path,
    message: `the parents form a cycle: ${shownCycle}`,
    advice: "One of them must hang on the world or on another body",
  });
}

/** A hinge that moves no inertia would accelerate without limit. It needs mass, a loop that drives it, or an armature. */
function checkMassless(
  drafts: readonly (BodyDraft | undefined)[],
  parents: readonly number[],
  order: readonly number[],
  layout: readonly BodyLayout[],
  loops: readonly Loop[],
  problems: Problem[],
): void {
  const held = new Set(loops.flatMap((l) => (l.type === "frames" ? [l.from.body, l.to.body] : [])));
  const coupled = new Set(loops.flatMap((l) => (l.type === "coordinates" ? l.terms.map((term) => term.u) : [])));
  const isCoupled = (u: number, nu: number): boolean => Array.from({ length: nu }, (_, k) => u + k).some((k) => coupled.has(k));
  const resisting = drafts.map((draft, i) => {
    const { index, u } = layout[i]!;
    return held.has(index) || isCoupled(u, draft?.hinge?.nu ?? 0) ? 1 : (draft?.mass ?? Number.NaN);
  });
  const sums = sumOverSubtrees(resisting, parents, order);
  for (const i of order) {
    const draft = drafts[i];
    if (!draft?.hinge || draft.hinge.nu === 0 || sums[i] !== 0) continue;
    if (draft.hinge.elements.every((element) => (element.armature ?? 0) > 0)) continue;
    problems.push({
      path: childPath(draft.path, "mass"),
      message: "the hinge moves nothing that has mass",
      value: "0",
      advice: "Give mass to this body or to one that it carries, or hold it by a loop",
    });
  }
}

type Complete<T> = { readonly [K in keyof T]: Exclude<T[K], undefined> };

/** Index of a body in the model, and indices of its first coordinate and speed. */
interface BodyLayout {
  readonly index: number;
  readonly q: number;
  readonly u: number;
}

/** The layout of each draft. Drafts whose ancestors form a cycle come last; they are used for checks only. */
function layOutBodies(drafts: readonly (BodyDraft | undefined)[], order: readonly number[]): readonly BodyLayout[] {
  const places: BodyLayout[] = [];
  let q = 0;
  let u = 0;
  for (const [index, draft] of order.entries()) {
    places[draft] = { index, q, u };
    q += drafts[draft]?.hinge?.nq ?? 0;
    u += drafts[draft]?.hinge?.nu ?? 0;
  }
  return drafts.map((_, draft) => places[draft] ?? { index: drafts.length + draft, q, u });
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
  const bodies = order.map((from): Body => {
    const { name, mass, com, inertia, hinge, frames: own, shapes } = drafts[from]!;
    const { index, q, u } = layout[from]!;
    for (const { name, placement } of own) frames.push({ name, body: index, placement });
    return { name, index, parent: layout[parents[from]!]?.index ?? WORLD, mass, com, inertia, hinge: { ...hinge, q, u }, shapes };
  });
  const count = (which: "nq" | "nu"): number => bodies.reduce((sum, { hinge }) => sum + hinge[which], 0);
  return { bodies, frames, nq: count("nq"), nu: count("nu") };
}

/** Freezes a value and everything in it. Frozen parts are skipped: models share parts. */
export function deepFreeze<T>(value: T): T {
  if (typeof value !== "object" || value === null || Object.isFrozen(value)) return value;
  Object.freeze(value);
  for (const part of Object.values(value)) deepFreeze(part);
  return value;
}

/** Reads the description of a model: the declaration of its sections, and the model that they mean. */

import type { ItemsParameter } from "../../declare/declarations.ts";
import type { Parameters } from "../../declare/parameters.ts";
import { NO_NAMES, type ParseContext, readWritten } from "../../declare/parse-parameters.ts";
import { countedItems } from "../../declare/parse-structures.ts";
import { childPath, readFields } from "../../declare/plain-data.ts";
import type { Problem } from "../../errors.ts";
import type { BodyDescription, ShapeDescription } from "../description.ts";
import type { ExpandedBodies, WrittenBody } from "../elastic/expand-elastic-bodies.ts";
import type { SpringsEntry, springsOf } from "../elastic/springs.ts";
import { GRAVITY, type GravityName, gravityVector } from "../gravity.ts";
import type { Loop } from "../loop.ts";
import type { ModelNames } from "../loops/loop-kind.ts";
import { checkLoopSolutions } from "../loops/loop-solution.ts";
import type { Body, Frame, Hinge, Model } from "../model.ts";
import { type BodyDraft, type BodyEntry, bodyDraft, RIGID_BODY } from "./body-draft.ts";
import { parentsFirst, WORLD } from "./body-order.ts";
import { type BodyLayout, checkMassless, checkNames, readParents, reportCycle } from "./check-bodies.ts";
import { MAX_BODIES } from "./limits.ts";
import { LOOP_LIST, readLoops } from "./loops.ts";
import { SHAPE_LIST, shapesOf } from "./shapes.ts";

/** The sections of a model of rigid bodies. */
export const RIGID_MODEL = {
  name: { type: "text", title: true, about: "Title of the model." },
  gravity: GRAVITY,
  bodies: {
    type: "items",
    noun: "body",
    nouns: "bodies",
    least: 1,
    most: MAX_BODIES,
    about: "The bodies, in any order.",
    of: RIGID_BODY,
  },
  loops: LOOP_LIST,
  shapes: { ...SHAPE_LIST, owner: "on the world", about: "Shapes fixed to the world, such as a foundation, for drawings." },
} as const satisfies Parameters;

/**
 * How elastic bodies are read, and replaced by links with springs. It is a value that the caller passes, so that a page without elastic bodies
 * does not contain their code.
 */
export interface ElasticBodies {
  /** The sections of a model that may have elastic bodies. */
  readonly sections: Parameters & { readonly bodies: ItemsParameter };
  readonly expand: (bodies: readonly WrittenBody[], problems: Problem[], warnings: Problem[]) => ExpandedBodies;
  readonly springsOf: typeof springsOf;
}

/** What is known of a model, also if it has problems: the names that other sections may refer to. */
export interface ModelOutline {
  /** Undefined if not even the bodies could be read. */
  readonly bodies?: readonly { readonly name: string; readonly hinge: Hinge | undefined; readonly hingeName: string }[];
  readonly frames: readonly string[];
  readonly loops: readonly string[];
  /** True for a name that cannot be judged, because its body has a problem of its own. */
  readonly isBroken: (name: string) => boolean;
}

/** The outline of a model of which nothing is known. */
export const UNKNOWN_MODEL: ModelOutline = { frames: [], loops: [], isBroken: () => true };

/** Reads the description. The model is undefined after a problem. */
export function readModel(
  description: unknown,
  problems: Problem[],
  context: ParseContext,
  elastic?: ElasticBodies,
): { readonly model?: Model; readonly outline: ModelOutline } {
  const sections: ElasticBodies["sections"] = elastic?.sections ?? RIGID_MODEL;
  const fields = readFields(description, "", Object.keys(sections), problems);
  if (fields === undefined) return { outline: UNKNOWN_MODEL };
  const section = (key: string): unknown =>
    fields[key] === undefined && (sections[key] === undefined || "optional" in sections[key])
      ? undefined
      : readWritten(sections[key]!, fields[key], NO_NAMES, problems, { ...context, path: key });
  const warnings: Problem[] = [];
  const name = section("name") as string;
  const gravity = section("gravity") as Model["gravity"] | GravityName | undefined;
  const shapes = shapesOf(section("shapes") as readonly (ShapeDescription | undefined)[] | undefined);
  const written = readBodies(sections.bodies, fields.bodies, problems, context);
  if (written === undefined) return { outline: UNKNOWN_MODEL };
  const { bodies: entries, springs: ofRods, onLink, brokenRods } = (elastic?.expand ?? rigidBodies)(written, problems, warnings);
  if (entries.length > MAX_BODIES) {
    const message = `at most ${MAX_BODIES} bodies, with elastic bodies expanded this has ${entries.length}`;
    problems.push({ path: "bodies", message });
    return { outline: UNKNOWN_MODEL };
  }
  const drafts = entries.map((entry) => bodyDraft(entry, problems, warnings));
  const hasNameless = drafts.some((draft) => draft.name === "");
  const isBroken = (n: string): boolean => hasNameless || brokenRods.some((rod) => n === rod || n.startsWith(`${rod}-`));
  const names = checkNames(drafts, problems);
  const parents = readParents(drafts, isBroken, problems);
  const { order, cycles } = parentsFirst(parents);
  for (const cycle of cycles) reportCycle(cycle, drafts, problems);
  const layout = layOutBodies(drafts, order);
  const modelNames = { ...namesOfDrafts(drafts, layout), onLink, isBroken };
  const {
    paths,
    names: loopNames,
    ...loops
  } = fields.loops === undefined ? NO_LOOPS : readLoops(fields.loops, modelNames, names, problems, context);
  checkMassless(drafts, parents, order, layout, loops.loops, problems);
  const writtenSprings = ((section("springs") ?? []) as readonly SpringsEntry["value"][]).map(
    (value, i): SpringsEntry => ({ value, path: childPath("springs", i) }),
  );
  const springs =
    elastic === undefined ? [] : elastic.springsOf([...writtenSprings, ...ofRods], modelNames.hinges, isBroken, problems);
  checkSmallTurns(drafts, loops.loops.length + loops.openLoops.length, problems);
  const outline = outlineOf(drafts, modelNames, loopNames);
  if (problems.length > 0) return { outline };
  const model = {
    name,
    gravity: gravityVector(gravity),
    ...assemble(drafts as Complete<BodyDraft>[], parents, order, layout),
    ...loops,
    springs,
    shapes,
    warnings,
  };
  checkLoopSolutions(model, paths, problems);
  return { model, outline };
}

/** Bodies of which none is elastic. */
const rigidBodies = (bodies: readonly WrittenBody[]): ExpandedBodies => ({
  bodies: bodies as readonly BodyEntry[],
  springs: [],
  onLink: () => undefined,
  brokenRods: [],
});

const NO_LOOPS = {
  loops: [] as readonly Loop[],
  openLoops: [] as readonly Loop[],
  paths: new Map<string, string>(),
  names: [] as readonly string[],
};

/** The bodies as far as they can be read. Returns undefined if there is no list. */
function readBodies(
  declaration: ItemsParameter,
  written: unknown,
  problems: Problem[],
  context: ParseContext,
): readonly WrittenBody[] | undefined {
  const items = countedItems(declaration, written, "bodies", problems);
  return (
    items &&
    Array.from(items, (item, i): WrittenBody => {
      const path = childPath("bodies", i);
      const before = problems.length;
      const body = readWritten(declaration.of, item, NO_NAMES, problems, { ...context, path }) as
        | Partial<BodyDescription>
        | undefined;
      const ownProblems = problems.slice(before);
      const hingePath = childPath(path, "hinge");
      const hasHinge = body?.hinge?.kind !== undefined && !ownProblems.some((p) => p.path.startsWith(hingePath));
      return { value: body ?? {}, path, hasHinge, isSound: body !== undefined && ownProblems.length === 0 };
    })
  );
}

type Complete<T> = { readonly [K in keyof T]: Exclude<T[K], undefined> };

function checkSmallTurns(drafts: readonly BodyDraft[], loopCount: number, problems: Problem[]): void {
  const smallTurnsBody = drafts.find((d) => d.hinge?.elements.some((e) => e.small));
  if (smallTurnsBody && loopCount > 0)
    problems.push({
      path: childPath(smallTurnsBody.path, "hinge"),
      message: "small turns do not conserve lengths, so a model with them cannot have loops",
      advice: "Leave rotations: small out, or the loops",
    });
}
/** The layout of each draft. Drafts whose ancestors form a cycle come last; they are used for checks only. */
function layOutBodies(drafts: readonly BodyDraft[], order: readonly number[]): readonly BodyLayout[] {
  const layouts: BodyLayout[] = [];
  let q = 0;
  let u = 0;
  for (const [index, draft] of order.entries()) {
    layouts[draft] = { index, q, u };
    q += drafts[draft]!.hinge?.nq ?? 0;
    u += drafts[draft]!.hinge?.nu ?? 0;
  }
  return drafts.map((_, draft) => layouts[draft] ?? { index: drafts.length + draft, q, u });
}

/** The bodies, frames and hinges that loops may refer to. If a name is used twice (which is reported), it means the first one. */
function namesOfDrafts(
  drafts: readonly BodyDraft[],
  layout: readonly BodyLayout[],
): Pick<ModelNames, "bodies" | "frames" | "hinges"> {
  const bodies = new Map<string, number>();
  const frames = new Map<string, Frame>();
  const hinges = new Map<string, Hinge | undefined>();
  for (const [i, draft] of drafts.entries()) {
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

/** What other sections may refer to. */
function outlineOf(
  drafts: readonly BodyDraft[],
  { hinges, frames, isBroken }: ModelNames,
  loops: readonly string[],
): ModelOutline {
  return {
    bodies: drafts.map(({ name, hingeName }) => ({ name, hingeName, hinge: hinges.get(hingeName) as Hinge | undefined })),
    frames: [...drafts.map(({ name }) => name), ...frames.keys()],
    loops,
    isBroken: (name) => isBroken(name) || (hinges.has(name) && hinges.get(name) === undefined),
  };
}

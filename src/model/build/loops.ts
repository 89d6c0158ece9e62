/** The loops of a model: their declaration, and the loops that a description means. */

import { claimName } from "../../declare/names.ts";
import type { NoteRule, Parameter } from "../../declare/parameters.ts";
import { NO_NAMES, type ParseContext, readWritten } from "../../declare/parse-parameters.ts";
import { childPath, type Fields } from "../../declare/plain-data.ts";
import type { Problem } from "../../errors.ts";
import { readCoordinate } from "../coordinate.ts";
import type { EngagementDescription } from "../description.ts";
import { hingeKinds } from "../hinges/index.ts";
import type { Engagement, Loop } from "../loop.ts";
import { loopKinds } from "../loops/index.ts";
import type { ModelNames } from "../loops/loop-kind.ts";
import { DEPENDENT, solutionOf, solutionRule } from "../loops/loop-solution.ts";

const MAX_LOOPS = 10_000;

export const ENGAGEMENT_MODES = ["as-found", "as-declared"] as const satisfies readonly Engagement["engages"][];
/** Default tolerance of a loop that engages as declared, m or rad. */
export const DEFAULT_ENGAGEMENT_TOLERANCE = 1e-6;

export const LOOP_LIST = {
  type: "items",
  noun: "loop",
  nouns: "loops",
  most: MAX_LOOPS,
  optional: true,
  about: "Constraints in addition to the tree: hinges that close loops, and others.",
  of: {
    type: "kinds",
    noun: "loop",
    about: "A hinge that closes a loop of the tree, or another constraint: its kind, and what it joins.",
    kinds: loopKinds,
    refusal: (kind) =>
      Object.hasOwn(hingeKinds(), kind) ? { message: `a ${kind} hinge blocks nothing`, advice: "Leave the loop out" } : undefined,
    common: {
      name: { type: "name", setting: "never", about: "Name of the loop, unique among bodies, frames, hinges and loops." },
      engaged: {
        type: "boolean",
        default: true,
        setting: "written",
        about: "With false, the loop is open until an event engages it.",
      },
      engages: {
        type: "choice",
        of: ENGAGEMENT_MODES,
        refusal: "must be as-found or as-declared",
        default: ENGAGEMENT_MODES[0],
        setting: "written",
        about: "Placement when the loop is engaged: that of the bodies at that time, or as declared here.",
      },
      tolerance: {
        type: "number",
        unit: "",
        above: 0,
        default: DEFAULT_ENGAGEMENT_TOLERANCE,
        setting: "written",
        about: "Largest deviation at engagement as declared, m or rad; the run ends if it is larger.",
      },
      dependent: DEPENDENT,
    },
    rule: engagementRule,
  },
} as const satisfies Parameter;

function engagementRule(values: EngagementDescription, note: NoteRule): void {
  solutionRule(values, note);
  if (values.tolerance !== undefined && (values.engages ?? ENGAGEMENT_MODES[0]) === "as-found")
    note("tolerance", "a loop that engages as found cannot miss", "Leave it out, or write engages: as-declared");
}

interface ReadLoops {
  readonly loops: readonly Loop[];
  readonly openLoops: readonly Loop[];
  /** Path of each loop in the description, by name. */
  readonly paths: ReadonlyMap<string, string>;
  /** Names of all loops, also of those with a problem. */
  readonly names: readonly string[];
}

/** The engaged and the open loops, without those that have a problem. `names` are the names of bodies, frames and hinges, with their paths. */
export function readLoops(
  written: unknown,
  modelNames: ModelNames,
  names: ReadonlyMap<string, string>,
  problems: Problem[],
  context: ParseContext,
): ReadLoops {
  const known = {
    ...NO_NAMES,
    coordinate: (value: unknown, path: string, noted: Problem[]) => readCoordinate(value, path, modelNames, noted),
  };
  const items = (readWritten(LOOP_LIST, written, known, problems, { ...context, path: "loops" }) ?? []) as readonly (
    | Fields
    | undefined
  )[];
  const usedNames = new Map(names);
  const created = items.flatMap((values, i) => {
    const path = childPath("loops", i);
    const loop = values && createLoop(values, path, modelNames, usedNames, problems);
    return loop ? [{ loop, isOpen: values.engaged === false, path }] : [];
  });
  return {
    loops: created.filter((c) => !c.isOpen).map((c) => c.loop),
    openLoops: created.filter((c) => c.isOpen).map((c) => c.loop),
    paths: new Map(created.map((c) => [c.loop.name, c.path])),
    names: items.flatMap((values) => (typeof values?.name === "string" ? [values.name] : [])),
  };
}

function createLoop(
  values: Fields,
  path: string,
  modelNames: ModelNames,
  usedNames: Map<string, string>,
  problems: Problem[],
): Loop | undefined {
  const { name = "", engages = ENGAGEMENT_MODES[0], tolerance = DEFAULT_ENGAGEMENT_TOLERANCE } = values;
  claimName(usedNames, name as string, childPath(path, "name"), problems);
  const kind = loopKinds()[values.kind as string];
  if (kind === undefined) return undefined;
  const solution = solutionOf(values as never, path, modelNames, problems);
  const ofKind = kind.create(values, path, modelNames, problems);
  return ofKind && ({ name, kind: kind.name, engages, tolerance, ...solution, ...ofKind } as Loop);
}

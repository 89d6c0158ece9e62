/**
 * The declared solution of a loop for its dependents: the chain in closed form of its dependent branch, or its dependent
 * coordinates. The declaration is checked against the finished model. `partition` determines the parts that are not declared.
 */

import type { CoordinateReference, NoteRule, Parameter } from "../../declare/parameters.ts";
import { childPath } from "../../declare/plain-data.ts";
import { type Problem, valueText } from "../../errors.ts";
import { commonBody, pathTo } from "../chains/branch.ts";
import { CHAINS, chainOf, fitChain } from "../chains/index.ts";
import { readCoordinate } from "../coordinate.ts";
import { type ChainName, type FrameLoop, type Loop, type LoopSolution, rowCount } from "../loop.ts";
import { hingeCoordinateNames, type Model } from "../model.ts";
import type { ModelNames } from "./loop-kind.ts";

/** The chain in closed form of the dependent branch of a loop between frames. */
export const CHAIN = {
  type: "choice",
  of: Object.keys(CHAINS),
  refusal: "no such chain",
  optional: true,
  setting: "written",
  about: "Closed-form chain of its dependent branch; detected if not given.",
} as const satisfies Parameter;

/** Dependent coordinates of a loop: names of hinges or of single freedoms. */
export const DEPENDENT = {
  type: "items",
  noun: "coordinate",
  nouns: "hinges or coordinates",
  optional: true,
  setting: "written",
  about: "Dependent coordinates of this loop, for the formulations partition and minimal; chosen automatically if not given.",
  of: { type: "reference", to: "hinge", about: "A hinge, or one freedom of a hinge." },
} as const satisfies Parameter;

export function solutionRule(
  { chain, dependent }: { readonly chain?: unknown; readonly dependent?: unknown },
  note: NoteRule,
): void {
  if (chain !== undefined && dependent !== undefined)
    note("dependent", "the coordinates of the chain are the dependents", "Leave out chain or dependent");
}

/** The declared solution, with the names resolved. */
export function solutionOf(
  { chain, dependent }: { readonly chain?: ChainName; readonly dependent?: readonly (string | undefined)[] },
  path: string,
  modelNames: ModelNames,
  problems: Problem[],
): LoopSolution {
  const dependentPath = childPath(path, "dependent");
  return {
    ...(chain !== undefined && { chain }),
    ...(dependent && {
      dependent: dependent.flatMap((name, i) => readDependent(name, childPath(dependentPath, i), modelNames, problems)),
    }),
  };
}

type CoordinateIndices = Pick<CoordinateReference, "q" | "u">;

/** One coordinate, or all single coordinates of a hinge. */
function readDependent(
  name: string | undefined,
  path: string,
  modelNames: ModelNames,
  problems: Problem[],
): readonly CoordinateIndices[] {
  if (name === undefined) return [];
  const hinge = modelNames.hinges.get(name);
  if (hinge && hinge.elements.length > 1 && hinge.elements.every((e) => e.screw))
    return hinge.elements.map((_, k) => ({ q: hinge.q + k, u: hinge.u + k }));
  const coordinate = readCoordinate(name, path, modelNames, problems);
  return coordinate ? [{ q: coordinate.q, u: coordinate.u }] : [];
}

/** Checks the declared solutions of all loops against their model. */
export function checkLoopSolutions(
  model: Pick<Model, "bodies" | "loops" | "openLoops">,
  pathOf: ReadonlyMap<string, string>,
  problems: Problem[],
): void {
  const loopOfCoordinate = new Map<number, string>();
  for (const loop of [...model.loops, ...model.openLoops]) {
    const path = pathOf.get(loop.name) ?? "loops";
    if (loop.type === "frames" && loop.chain !== undefined)
      checkChain(model, loop, loop.chain, childPath(path, "chain"), problems);
    if (loop.dependent !== undefined)
      checkDependents(model, loop, loop.dependent, childPath(path, "dependent"), loopOfCoordinate, problems);
  }
}

function checkChain(model: Pick<Model, "bodies">, loop: FrameLoop, chain: ChainName, path: string, problems: Problem[]): void {
  const reasons = (["M", "F"] as const).map((end) => ({ end, chain: fitChain(model, loop, end, CHAINS[chain]) }));
  if (reasons.some((r) => typeof r.chain !== "string")) return;
  const why = reasons.map(
    ({ end, chain }) => `the branch to ${nameOf(model, end === "M" ? loop.to.body : loop.from.body)}: ${chain}`,
  );
  const fittingChain = chainOf(model, loop, "M") ?? chainOf(model, loop, "F");
  const advice = fittingChain
    ? `It is a chain ${fittingChain.kind}`
    : "Leave it out: the coordinates are then found by Newton's method, which needs no special geometry";
  problems.push({
    path,
    message: `neither branch of the loop is a chain ${chain}; ${why.join("; ")}`,
    value: valueText(chain),
    advice,
  });
}

const nameOf = ({ bodies }: Pick<Model, "bodies">, body: number): string => bodies[body]?.name ?? "world";

function checkDependents(
  model: Pick<Model, "bodies">,
  loop: Loop,
  dependents: readonly CoordinateIndices[],
  path: string,
  loopOfCoordinate: Map<number, string>,
  problems: Problem[],
): void {
  const names = namesByCoordinate(model);
  const loopCoordinates = coordinatesOf(model, loop);
  const most = rowCount(loop);
  if (dependents.length > most)
    problems.push({
      path,
      message: `${dependents.length} dependents for ${most} equations`,
      advice: `Name at most ${most}; the others stay independent`,
    });
  for (const { q } of dependents) {
    const name = names.get(q)!;
    if (!loopCoordinates.has(q)) {
      const containedNames = [...loopCoordinates].map((k) => names.get(k)!);
      const advice =
        containedNames.length > 0
          ? `The loop contains ${containedNames.slice(0, 12).join(", ")}`
          : "The loop contains no single coordinate";
      problems.push({
        path,
        message: `the loop does not contain this coordinate, so it cannot follow from it`,
        value: valueText(name),
        advice,
      });
    }
    const first = loopOfCoordinate.get(q);
    if (first !== undefined && first !== loop.name)
      problems.push({
        path,
        message: `the loops cannot be ordered: the coordinate is dependent in loop ${first} already`,
        value: valueText(name),
        advice: "Each coordinate follows from one loop: take it out of one of the two",
      });
    loopOfCoordinate.set(q, loop.name);
  }
}

/** Coordinates of single turns and slides in the closure of a loop. */
function coordinatesOf(model: Pick<Model, "bodies">, loop: Loop): ReadonlySet<number> {
  if (loop.type !== "frames") return new Set(loop.terms.map((t) => t.q));
  const root = commonBody(model, loop.from.body, loop.to.body);
  const coordinates = new Set<number>();
  for (const end of [loop.to.body, loop.from.body])
    for (const { hinge } of pathTo(model, root, end)) {
      let { q } = hinge;
      for (const element of hinge.elements) {
        if (element.screw) coordinates.add(q);
        q += element.nq;
      }
    }
  return coordinates;
}

/** The names of single coordinates by their index in q. */
export function namesByCoordinate({ bodies }: Pick<Model, "bodies">): ReadonlyMap<number, string> {
  const names = new Map<number, string>();
  for (const { hinge } of bodies)
    for (const [i, name] of hingeCoordinateNames(hinge, "q").entries()) names.set(hinge.q + i, name);
  return names;
}

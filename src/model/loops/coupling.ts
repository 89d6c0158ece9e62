import { childPath, readArray, readFields, readNumber } from "../../declare/plain-data.ts";
import { type Problem, valueText } from "../../errors.ts";
import { readCoordinate } from "../coordinate.ts";
import type { CoordinateLoop } from "../loop.ts";
import type { LoopKind, ModelNames } from "./loop-kind.ts";
import { NO_MOTION } from "./prescribed.ts";

export const MAX_TERMS = 1_000;

export const coupling: LoopKind = {
  name: "coupling",
  about: "A gear, a differential: the sum of `factor` times coordinate over all `terms` stays at `offset`.",
  measuredAtEngagement: "offset",
  required: ["terms"],
  optional: ["offset"],
  read: (fields, path, modelNames, problems) => {
    const before = problems.length;
    const offset = fields.offset === undefined ? 0 : readNumber(fields.offset, childPath(path, "offset"), problems);
    const terms = readTerms(fields.terms, childPath(path, "terms"), modelNames, problems);
    if (offset === undefined || problems.length > before) return undefined;
    return {
      type: "coordinates",
      parameters: { terms: terms.map(({ hinge, factor }) => ({ hinge, factor })), ...(offset !== 0 && { offset }) },
      terms: terms.map(({ q, u, factor }) => ({ q, u, factor })),
      motion: { ...NO_MOTION, offset },
    };
  },
};

type Term = CoordinateLoop["terms"][number] & { readonly hinge: string };

function readTerms(value: unknown, path: string, modelNames: ModelNames, problems: Problem[]): readonly Term[] {
  const items = readArray(value, path, "a list of terms", problems);
  if (items === undefined) return [];
  if (items.length === 0) problems.push({ path, message: "a coupling needs at least one term" });
  if (items.length > MAX_TERMS) {
    problems.push({ path, message: `at most ${MAX_TERMS} terms, this has ${items.length}` });
    return [];
  }
  const terms: Term[] = [];
  const firstOf = new Map<number, string>();
  for (const [i, item] of Array.from(items).entries()) {
    const termPath = childPath(path, i);
    const term = readTerm(item, termPath, modelNames, problems);
    if (term === undefined) continue;
    const first = firstOf.get(term.q);
    if (first === undefined) {
      firstOf.set(term.q, termPath);
      terms.push(term);
    } else {
      const advice = `It is already in ${first}; add the factors`;
      problems.push({
        path: childPath(termPath, "hinge"),
        message: "the coordinate is listed twice",
        value: valueText(term.hinge),
        advice,
      });
    }
  }
  return terms;
}

function readTerm(item: unknown, path: string, modelNames: ModelNames, problems: Problem[]): Term | undefined {
  const fields = readFields(item, path, ["hinge", "factor"], problems);
  if (fields === undefined) return undefined;
  const coordinate = readCoordinate(fields.hinge, childPath(path, "hinge"), modelNames, problems);
  const factor = readNumber(fields.factor, childPath(path, "factor"), problems);
  if (factor === 0)
    problems.push({ path: childPath(path, "factor"), message: "must not be zero", value: "0", advice: "Leave the term out" });
  return coordinate && factor !== undefined ? { ...coordinate, factor, hinge: fields.hinge as string } : undefined;
}

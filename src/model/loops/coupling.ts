import type { CoordinateReference, ValueProblem } from "../../declare/parameters.ts";
import { childPath } from "../../declare/plain-data.ts";
import { type Problem, valueText } from "../../errors.ts";
import type { LoopKind } from "./loop-kind.ts";
import { COORDINATE, NO_MOTION } from "./prescribed.ts";

const MAX_TERMS = 1_000;

const factorProblem = (factor: number): ValueProblem | undefined =>
  factor === 0 ? { message: "must not be zero", advice: "Leave the term out" } : undefined;

export const coupling: LoopKind = {
  name: "coupling",
  about: "A gear, a differential: the sum of `factor` times coordinate over all `terms` stays at `offset`.",
  measuredAtEngagement: "offset",
  parameters: {
    terms: {
      type: "items",
      noun: "term",
      nouns: "terms",
      least: 1,
      most: MAX_TERMS,
      about: "Coupled coordinates, each once.",
      of: {
        type: "object",
        id: "term",
        about: "A coordinate and its factor.",
        of: {
          hinge: COORDINATE,
          factor: { type: "number", unit: "", about: "Factor of the coordinate; not zero.", check: factorProblem },
        },
      },
    },
    offset: { type: "number", unit: "", default: 0, about: "Constant value of the sum, in the units of the terms." },
  },
  create: (values, path, _modelNames, problems) => {
    const terms = (values.terms ?? []) as readonly (Partial<Term> | undefined)[];
    checkRepeatedTerms(terms, childPath(path, "terms"), problems);
    if (!terms.every(isComplete)) return undefined;
    const offset = (values.offset ?? 0) as number;
    return {
      type: "coordinates",
      parameters: { terms: terms.map(({ hinge, factor }) => ({ hinge: hinge.name, factor })), ...(offset !== 0 && { offset }) },
      terms: terms.map(({ hinge: { q, u }, factor }) => ({ q, u, factor })),
      motion: { ...NO_MOTION, offset },
    };
  },
};

interface Term {
  readonly hinge: CoordinateReference;
  readonly factor: number;
}

const isComplete = (term: Partial<Term> | undefined): term is Term => term?.hinge !== undefined && term.factor !== undefined;

function checkRepeatedTerms(terms: readonly (Partial<Term> | undefined)[], path: string, problems: Problem[]): void {
  const firstOf = new Map<number, string>();
  for (const [i, term] of terms.entries()) {
    if (term?.hinge === undefined) continue;
    const { q, name } = term.hinge;
    const first = firstOf.get(q);
    if (first === undefined) firstOf.set(q, childPath(path, i));
    else
      problems.push({
        path: childPath(childPath(path, i), "hinge"),
        message: "the coordinate is listed twice",
        value: valueText(name),
        advice: `It is already in ${first}; add the factors`,
      });
  }
}

/**
 * Correlated dispersions: the normal scores z = Φ⁻¹(u) of several dispersions get a given correlation matrix, z' = L z with L Lᵀ = C. Each keeps its
 * own distribution (a Gaussian copula). For normal distributions C is their correlation matrix itself.
 */

import { didYouMean } from "../../declare/names.ts";
import type { Parameter, ParameterValues } from "../../declare/parameters.ts";
import { childPath } from "../../declare/plain-data.ts";
import { type Problem, valueText } from "../../errors.ts";
import { normalCdf, normalQuantile } from "../random/normal.ts";

const MAX_CORRELATIONS = 100;

export const CORRELATIONS = {
  type: "items",
  noun: "correlation",
  nouns: "correlations",
  most: MAX_CORRELATIONS,
  optional: true,
  about: "Correlations between dispersions of one number each; each dispersion keeps its own distribution.",
  of: {
    type: "object",
    id: "correlation",
    about: "A group of correlated dispersions.",
    of: {
      between: { type: "references", to: "dispersion", about: "Names of the dispersions, at least two." },
      matrix: {
        type: "matrix",
        unit: "",
        free: true,
        about: "Correlation matrix of the normal scores, in the order of the names; for normal distributions that of the values.",
      },
    },
  },
} as const satisfies Parameter;

type WrittenCorrelation = Partial<ParameterValues<(typeof CORRELATIONS)["of"]["of"]>>;

/** A dispersion as a correlation sees it. */
export interface CorrelatedDispersion {
  readonly name: string;
  /** Index of its first random number among those of a case, and their count. */
  readonly start: number;
  readonly dimensions: number;
}

/** Changes the random numbers of a case in place. */
export type Correlate = (u: Float64Array) => void;

/** Rows may differ from a factorisation by rounding; a pivot below this is zero. */
const ROUNDING = 1e-12;

/** @param refused names of dispersions with problems: these are reported already */
export function readCorrelations(
  written: readonly (WrittenCorrelation | undefined)[],
  dispersions: readonly CorrelatedDispersion[],
  refused: readonly string[],
  problems: Problem[],
): readonly Correlate[] {
  const taken = new Set<string>();
  return written.flatMap((correlation, i) => {
    if (correlation?.between === undefined || correlation.matrix === undefined) return [];
    const path = childPath("correlations", i);
    const note = (key: string, message: string, value: unknown, advice?: string): void =>
      void problems.push({
        path: childPath(path, key),
        message,
        value: valueText(value),
        ...(advice !== undefined && { advice }),
      });
    const { between, matrix } = correlation;
    const before = problems.length;
    const members = between.map((name) => dispersions.find((d) => d.name === name));
    for (const [k, name] of between.entries()) {
      const member = members[k];
      if (refused.includes(name!)) return [];
      if (member === undefined)
        note(
          "between",
          "there is no such dispersion",
          name,
          didYouMean(
            name,
            dispersions.map((d) => d.name),
          ),
        );
      else if (member.dimensions !== 1) note("between", "a dispersion of several numbers cannot be correlated", name);
      else if (taken.has(name!))
        note("between", "the dispersion is correlated already", name, "Write all of its correlations in one matrix");
      taken.add(name!);
    }
    if (between.length < 2) note("between", "needs at least two dispersions", between);
    const reason = matrixProblem(matrix, between.length);
    if (reason !== undefined) note("matrix", reason, matrix);
    const L = reason === undefined ? choleskyFactor(matrix) : undefined;
    if (reason === undefined && L === undefined)
      note(
        "matrix",
        "is not positive semidefinite: no variables have these correlations",
        matrix,
        "Make the correlations smaller",
      );
    if (problems.length > before || L === undefined) return [];
    const starts = members.map((member) => member!.start);
    return [(u) => correlateScores(u, starts, L)];
  });
}

function matrixProblem(C: readonly (readonly number[])[], n: number): string | undefined {
  if (C.length !== n || C.some((row) => row.length !== n)) return `must have ${n} rows of ${n} numbers`;
  for (let i = 0; i < n; i++) {
    if (C[i]![i] !== 1) return "must have ones on its diagonal";
    for (let j = 0; j < i; j++) {
      if (C[i]![j] !== C[j]![i]) return `is not symmetric at row ${i + 1}, column ${j + 1}`;
      if (!(Math.abs(C[i]![j]!) <= 1)) return "must have correlations between -1 and 1";
    }
  }
  return undefined;
}

/** L with L Lᵀ = C; undefined if C has a negative eigenvalue. A zero pivot is allowed: full correlation. */
function choleskyFactor(C: readonly (readonly number[])[]): readonly (readonly number[])[] | undefined {
  const L: number[][] = [];
  for (const [i, row] of C.entries()) {
    const entries: number[] = [];
    L.push(entries);
    for (let j = 0; j <= i; j++) {
      const rest = row[j]! - entries.slice(0, j).reduce((sum, l, k) => sum + l * L[j]![k]!, 0);
      if (j === i) {
        if (rest < -ROUNDING) return undefined;
        entries.push(Math.sqrt(Math.max(0, rest)));
      } else if (L[j]![j]! * L[j]![j]! > ROUNDING) entries.push(rest / L[j]![j]!);
      else if (Math.abs(rest) > Math.sqrt(ROUNDING)) return undefined;
      else entries.push(0);
    }
  }
  return L;
}

/** Largest fraction below 1: draws need numbers in (0, 1). */
const BELOW_ONE = 1 - Number.EPSILON / 2;

function correlateScores(u: Float64Array, starts: readonly number[], L: readonly (readonly number[])[]): void {
  const z = starts.map((start) => normalQuantile(u[start]!));
  for (const [i, start] of starts.entries()) {
    const score = L[i]!.reduce((sum, l, k) => sum + l * z[k]!, 0);
    if (i > 0) u[start] = Math.min(BELOW_ONE, Math.max(Number.MIN_VALUE, normalCdf(score)));
  }
}

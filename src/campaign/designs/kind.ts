/** A design: which random numbers in (0, 1) each case of a campaign gets. One file for each kind. */
import type { DeclaredKind, Parameters, ParameterValues } from "../../declare/parameters.ts";
import type { Override } from "../../scenario/override.ts";
import type { Cell, Column } from "../dispersions/kind.ts";
import { RandomStream } from "../random/philox.ts";

/** The random numbers of one dispersion. */
export interface RandomBlock {
  readonly name: string;
  /** Index of the first number among those of a case. */
  readonly start: number;
  readonly dimensions: number;
  levels?(count: number): readonly number[];
}

export interface DesignContext {
  readonly seed: number;
  readonly blocks: readonly RandomBlock[];
  /** Text of a file next to the campaign. @throws ModelError */
  readText(path: string): string;
  problem(key: string, message: string, advice?: string): void;
}

/** Settings that a design gives to a case directly, as a list does. */
export interface ListedSettings {
  readonly columns: readonly Column[];
  case(index: number): { readonly overrides: readonly Override[]; readonly cells: readonly Cell[] };
}

export interface Design {
  readonly kind: string;
  /** Number of cases. */
  readonly cases: number;
  /** True if the first n cases are a valid design for every n, so that a rule may stop the campaign. */
  readonly canStop: boolean;
  /** Writes the random numbers of a case, each in (0, 1) or at its ends on a grid. */
  numbers(index: number, u: Float64Array): void;
  readonly listed?: ListedSettings;
  /** For Sobol indices: number of rows of each sample matrix and names of the blocks. */
  readonly sensitivity?: { readonly rows: number; readonly names: readonly string[] };
}

export interface DesignKind<D extends Parameters = Parameters> extends DeclaredKind {
  readonly name: string;
  readonly parameters: D;
  create(values: ParameterValues<D>, context: DesignContext): Design | undefined;
}

/** Returns the kind; TypeScript infers the types of its parameters. */
export const designKind = <const D extends Parameters>(kind: DesignKind<D>): DesignKind => kind as never;

export const MAX_CASES = 1_000_000_000;

export const CASES = {
  cases: {
    type: "number",
    unit: "",
    whole: true,
    least: 1,
    most: MAX_CASES,
    about: "Number of cases; with a stopping rule the largest number.",
  },
} as const satisfies Parameters;

/** Purposes of random numbers, which keep the numbers of different designs apart. */
export const PURPOSE = { value: 0, secondValue: 1, jitter: 2, permutation: 16 } as const;

export const streamsOf = ({ seed, blocks }: DesignContext): readonly RandomStream[] =>
  blocks.map(({ name }) => new RandomStream(seed, name));

/** Independent random numbers of a case; `only`: of one block. */
export function independentNumbers(context: DesignContext, purpose: number = PURPOSE.value) {
  const streams = streamsOf(context);
  return (index: number, u: Float64Array, only?: number): void => {
    for (const [b, { start, dimensions }] of context.blocks.entries())
      if (only === undefined || only === b)
        for (let d = 0; d < dimensions; d++) u[start + d] = streams[b]!.uniform(index, d, purpose);
  };
}

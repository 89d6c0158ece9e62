/**
 * Interface of the attack generators in this folder. Each module has a default export: a function that turns a seed into a case. The short form
 * (test/attacks/cases.test.ts) runs the first seeds of each; `npm run attack` runs any number of them. Files without a default export are helpers.
 */

/** What came out of a case: the right result, a CastorError with its message, or a wrong result with what is wrong. */
export type Outcome = "right" | { readonly refused: string } | { readonly wrong: string };

/** One attack. It must be the same for the same seed on every computer. */
export interface AttackCase {
  /** What is attacked, with the numbers that tell it from other cases. */
  readonly description: string;
  /** An exception that leaves it counts as wrong, also a CastorError. */
  run(): Outcome | Promise<Outcome>;
}

/** Draws the case of a seed. Any whole number from 0 to 2^32 - 1 is a seed. */
export type CaseGenerator = (seed: number) => AttackCase;

/** A module of this folder. */
export interface CaseModule {
  readonly default: CaseGenerator;
  /** True if the input is mostly invalid, so that refusals are no failure. Otherwise at most 1 % of the cases may be refused. */
  readonly expectsRefusals?: boolean;
  /** Number of cases in the short form; default 20. They should take a few seconds together. */
  readonly shortCases?: number;
}

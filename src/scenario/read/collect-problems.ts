/** Collects the problems of several parts in one list. */
import { ModelError, type Problem } from "../../errors.ts";

/** The result of `make`. If it throws a ModelError, its problems are added to the list and the result is undefined. */
export function collectProblems<T>(problems: Problem[], make: () => T): T | undefined {
  try {
    return make();
  } catch (error) {
    if (!(error instanceof ModelError)) throw error;
    problems.push(...error.problems);
    return undefined;
  }
}

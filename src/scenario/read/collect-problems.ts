/** Problems of parts into one list. */
import { ModelError, type Problem } from "../../errors.ts";

/** What is made, or undefined with its problems noted. */
export function collectProblems<T>(problems: Problem[], make: () => T): T | undefined {
  try {
    return make();
  } catch (error) {
    if (!(error instanceof ModelError)) throw error;
    problems.push(...error.problems);
    return undefined;
  }
}

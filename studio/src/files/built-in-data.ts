/** What is built beside the page as a script, data.js: a page that was opened from a file may fetch nothing. */
import type { BuiltInScenario } from "./scenario-sources.ts";

interface BuiltInData {
  readonly scenarios: readonly BuiltInScenario[];
  /** Sections of docs/validation.md by the scenario that they run; see studio/validation-tables.ts. */
  readonly validation: Readonly<Record<string, string>>;
}

export function builtInData(): BuiltInData {
  const { castorData } = globalThis as { readonly castorData?: BuiltInData };
  if (castorData === undefined) throw new Error("the built-in scenarios cannot be loaded: data.js is missing beside the page");
  return castorData;
}

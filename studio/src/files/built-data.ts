/** What is built beside the page as a script, data.js: a page that was opened from a file may fetch nothing. */
import type { BuiltIn } from "./scenario-sources.ts";

interface Data {
  readonly scenarios: readonly BuiltIn[];
  /** Sections of docs/validation.md by the scenario that they run; see studio/validation-tables.ts. */
  readonly validation: Readonly<Record<string, string>>;
}

export function givenData(): Data {
  const { castorData } = globalThis as { readonly castorData?: Data };
  if (castorData === undefined) throw new Error("the built-in scenarios cannot be loaded: data.js is missing beside the page");
  return castorData;
}

/** Data of the built-in scenarios. The build writes them as a script, data.js, because a page that was opened from a file may not fetch data. */
import { StudioError } from "../state/studio-error.ts";
import type { BuiltInScenario } from "./scenario-sources.ts";

interface BuiltInData {
  readonly scenarios: readonly BuiltInScenario[];
  /** Sections of docs/validation.md, by scenario; see studio/validation-tables.ts. */
  readonly validation: Readonly<Record<string, string>>;
  /** Names of the files in `pictures/`. */
  readonly pictures: readonly string[];
}

export function builtInData(): BuiltInData {
  const { castorData } = globalThis as { readonly castorData?: BuiltInData };
  if (castorData === undefined)
    throw new StudioError("the built-in scenarios cannot be loaded: data.js is missing next to index.html");
  return castorData;
}

/** Names that an import had to change. */
import type { XmlElement } from "../xml/xml-element.ts";
import type { ImportNotes } from "./import-notes.ts";

const MOST_LISTED = 5;

/** Says which names were changed, because Castor's names have no . / [ ]. */
export function noteRenamed(changed: readonly (readonly [string, string])[], root: XmlElement, notes: ImportNotes): void {
  if (changed.length === 0) return;
  const listed = changed
    .slice(0, MOST_LISTED)
    .map(([from, to]) => `${JSON.stringify(from.slice(0, 40))} is ${JSON.stringify(to.slice(0, 40))}`);
  const more = changed.length > MOST_LISTED ? ` and ${changed.length - MOST_LISTED} more` : "";
  notes.warn(root, "names", `some names were changed: ${listed.join(", ")}${more}`, {
    advice: "Names must be unique, and have none of . / [ ]",
  });
}

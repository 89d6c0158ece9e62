/** The sections of docs/validation.md, grouped by the scenario that each section runs. `npm run validation` writes the page; a test checks it. */

export function validationTables(page: string): Readonly<Record<string, string>> {
  const tables: Record<string, string> = {};
  for (const section of page.split(/^(?=## )/m).slice(1)) {
    const name = /Scenario: \[([^\]]+)\]/.exec(section)?.[1];
    if (name === undefined) throw new Error(`docs/validation.md: a section names no scenario: ${section.slice(0, 60)}`);
    const text = section.replace(/ Scenario: \[[^\]]+\]\([^)]*\)\./, "").replace(/^#/gm, "##");
    tables[name] = (tables[name] ?? "") + text;
  }
  return tables;
}

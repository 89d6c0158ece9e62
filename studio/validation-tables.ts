/**
 * The sections of docs/validation.md, grouped by the scenario that each section runs. Sections without a scenario, such as comparisons of models of
 * other tools, are left out. `npm run validation` writes the page; a test checks it.
 */

export function validationTables(page: string): Readonly<Record<string, string>> {
  const tables: Record<string, string> = {};
  for (const section of page.split(/^(?=## )/m).slice(1)) {
    const name = /Scenario: \[([^\]]+)\]/.exec(section)?.[1];
    if (name === undefined) continue;
    const text = section.replace(/ Scenario: \[[^\]]+\]\([^)]*\)\./, "").replace(/^#/gm, "##");
    tables[name] = (tables[name] ?? "") + text;
  }
  return tables;
}

/** `castor validate`: published and independent values against ours. */

import { loadScenarioFile } from "../../scenario/node-files.ts";
import { errorOf, type LoadBuiltIn, passes, type Validated, type ValidationRow } from "../../validation/validation.ts";
import { VALIDATIONS } from "../../validation/validations.ts";
import { CommandError, defineCommand } from "../command.ts";
import { EXIT } from "../failure.ts";
import { shortestPath } from "../files/model-argument.ts";
import { packagePath } from "../files/package-files.ts";
import { BUILT_IN_MODELS } from "../files/scenario-argument.ts";
import { writeFileAtomically } from "../files/write-file.ts";
import { toJson } from "../text/json.ts";
import { createProgress } from "../text/progress-bar.ts";
import type { Style } from "../text/terminal.ts";
import { exponentialText, formatTable } from "../text/text-table.ts";
import { mostDifferent, numberLike, validationPage } from "../text/validation-page.ts";

export const validateCommand = defineCommand({
  name: "validate",
  about: "published and independent values against ours",
  args: {
    filter: { type: "positional", required: false, description: "only those whose name or title contains this" },
    page: { type: "string", valueHint: "FILE", description: "write the table as a Markdown page" },
    json: { type: "boolean", description: "every number, for programs" },
  },
  details: [
    "Everything is computed anew, from the built-in scenarios.",
    "",
    `Exit code: 0 if every value is within its tolerance, ${EXIT.failure} if one is not.`,
  ].join("\n"),
  examples: [
    { command: "castor validate", about: "all of them" },
    { command: "castor validate tr-942 --json", about: "those of one report, for a program" },
  ],
  async run(args, terminal) {
    const chosen = VALIDATIONS.filter((v) => `${v.name} ${v.title}`.toLowerCase().includes((args.filter ?? "").toLowerCase()));
    if (chosen.length === 0)
      throw new CommandError(
        `no validation contains ${JSON.stringify(args.filter)}. There are: ${VALIDATIONS.map((v) => v.name).join(", ")}`,
      );
    const progress = createProgress(terminal);
    const done: Validated[] = [];
    for (const [i, validation] of chosen.entries()) {
      progress.show(i / chosen.length, validation.title);
      done.push({ validation, tables: await validation.tables(loadBuiltIn) });
    }
    progress.done();
    if (args.page !== undefined) writeFileAtomically(args.page, validationPage(done));
    const rows = done.flatMap(({ tables }) => tables.flatMap((t) => t.rows));
    const failed = rows.filter((row) => !passes(row)).length;
    const { style } = terminal;
    if (args.json) terminal.print(toJson(validationJson(done)));
    else {
      for (const validated of done) terminal.print(validationText(validated, style));
      const verdict =
        failed === 0
          ? style.good(`✓ all ${rows.length} within tolerance`)
          : style.bad(`✗ ${failed} of ${rows.length} out of tolerance`);
      terminal.print(verdict);
    }
    return failed === 0 ? 0 : EXIT.failure;
  },
});

const loadBuiltIn: LoadBuiltIn = (name, overrides = []) =>
  loadScenarioFile(shortestPath(packagePath(`scenarios/${name}/scenario.yaml`)), BUILT_IN_MODELS, overrides);

function validationText({ validation, tables }: Validated, style: Style): string {
  const sections = tables.flatMap(({ title, rows }) => ["", style.bold(`  ${title}`), ...rowLines(rows, style)]);
  return [style.bold(validation.title), style.dim(validation.source), ...sections, ""].join("\n");
}

/** Of a quantity of several numbers, the one that differs most is shown. */
function rowLines(rows: readonly ValidationRow[], style: Style): string[] {
  const shown = rows.map(mostDifferent);
  const lines = formatTable(
    [
      { head: "", cells: rows.map((row) => (passes(row) ? "✓" : "✗")) },
      { head: "quantity", cells: rows.map((row) => row.quantity) },
      {
        head: "published",
        cells: shown.map(({ published }, i) => numberLike(published, published, rows[i]!.tolerance)),
        align: "point",
      },
      {
        head: "ours",
        cells: shown.map(({ ours, published }, i) => numberLike(ours, published, rows[i]!.tolerance)),
        align: "point",
      },
      { head: "", cells: rows.map((row) => row.unit) },
      { head: "error", cells: rows.map((row) => exponentialText(errorOf(row), 2)), align: "right" },
      { head: "tolerance", cells: rows.map((row) => String(row.tolerance)), align: "right" },
    ],
    style,
  );
  return lines.map((line, i) => (i > 0 && !passes(rows[i - 1]!) ? style.bad(line) : line));
}

const validationJson = (done: readonly Validated[]): object => ({
  passed: done.every(({ tables }) => tables.every((t) => t.rows.every(passes))),
  validations: done.map(({ validation: { name, title, source, scenario }, tables }) => ({
    name,
    title,
    source,
    scenario,
    tables: tables.map(({ title, rows }) => ({
      title,
      rows: rows.map((row) => ({ ...row, error: errorOf(row), pass: passes(row) })),
    })),
  })),
});

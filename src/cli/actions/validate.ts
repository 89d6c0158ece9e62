/** `castor validate`: compares values of Castor with papers, closed forms, independent programs and other tools. */

import { loadScenarioFile } from "../../scenario/node-files.ts";
import { registerPrintedForms } from "../../validation/register.ts";
import { errorOf, type LoadBuiltIn, passes, type Validated, type ValidationTable } from "../../validation/validation.ts";
import { VALIDATIONS } from "../../validation/validations.ts";
import { type Action, CommandError } from "../command.ts";
import type { validateCommand } from "../commands/validate.ts";
import { EXIT } from "../exit-codes.ts";
import { shortestPath } from "../files/chosen-file.ts";
import { packagePath } from "../files/package-files.ts";
import { BUILT_IN_MODELS } from "../files/scenario-argument.ts";
import { writeFileAtomically } from "../files/write-file.ts";
import { toJson } from "../text/json.ts";
import { createProgress } from "../text/progress-bar.ts";
import type { Style } from "../text/terminal.ts";
import { exponentialText, formatTable } from "../text/text-table.ts";
import { mostDifferent, numberLike, validationPage } from "../text/validation-page.ts";

export const run: Action<typeof validateCommand> = async (args, terminal) => {
  registerPrintedForms();
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
};

const loadBuiltIn: LoadBuiltIn = (name, overrides = []) =>
  loadScenarioFile(shortestPath(packagePath(`scenarios/${name}/scenario.yaml`)), BUILT_IN_MODELS, overrides);

function validationText({ validation, tables }: Validated, style: Style): string {
  const sections = tables.flatMap((table) => ["", style.bold(`  ${table.title}`), ...rowLines(table, style)]);
  const remark = validation.remark === undefined ? [] : [style.dim(validation.remark)];
  return [style.bold(validation.title), style.dim(validation.source), ...remark, ...sections, ""].join("\n");
}

/** A quantity of several numbers is shown by the number that differs most. */
function rowLines({ rows, origin }: ValidationTable, style: Style): string[] {
  const shown = rows.map(mostDifferent);
  const lines = formatTable(
    [
      { head: "", cells: rows.map((row) => (passes(row) ? "✓" : "✗")) },
      { head: "quantity", cells: rows.map((row) => row.quantity) },
      {
        head: "expected",
        cells: shown.map(({ expected }, i) => numberLike(expected, expected, rows[i]!.tolerance)),
        align: "point",
      },
      {
        head: "ours",
        cells: shown.map(({ ours, expected }, i) => numberLike(ours, expected, rows[i]!.tolerance)),
        align: "point",
      },
      { head: "", cells: rows.map((row) => row.unit) },
      { head: "error", cells: rows.map((row) => exponentialText(errorOf(row), 2)), align: "right" },
      { head: "tolerance", cells: rows.map((row) => String(row.tolerance)), align: "right" },
      { head: "from", cells: rows.map((row) => row.origin ?? origin) },
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
    tables: tables.map(({ title, origin, rows }) => ({
      title,
      rows: rows.map((row) => ({ ...row, origin: row.origin ?? origin, error: errorOf(row), pass: passes(row) })),
    })),
  })),
});

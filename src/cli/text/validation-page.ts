/** The page docs/validation.md, from the results of `castor validate`. */
import type { Validated, ValidationRow, ValidationTable } from "../../validation/validation.ts";
import { errorOf, passes, VALIDATION_ORIGINS } from "../../validation/validation.ts";
import { exponentialText } from "./text-table.ts";

/** The page. Errors far below the tolerance are rounded up to a power of ten: their digits mean nothing. */
export function validationPage(done: readonly Validated[]): string {
  const sections = done.flatMap(({ validation, tables }) => [
    `## ${validation.title}`,
    "",
    `Source: ${validation.source}.${scenarioLink(validation)}`,
    "",
    ...(validation.remark === undefined ? [] : [validation.remark, ""]),
    ...tables.flatMap((table) => [`### ${table.title}`, "", ...tableLines(table), ""]),
  ]);
  return [
    "# Validation",
    "",
    "Values of Castor beside values from papers, closed forms, independent programs and other tools. `castor validate` computes them",
    "anew, and `npm run validation` writes this page; a test keeps it current. The column `from` is the origin of the expected value.",
    "A quantity with several numbers is shown by the number that differs most.",
    "",
    ...sections,
  ]
    .join("\n")
    .replace(/\n+$/, "\n");
}

const scenarioLink = ({ scenario }: Validated["validation"]): string =>
  scenario === undefined ? "" : ` Scenario: [${scenario}](../scenarios/${scenario}/README.md).`;

function tableLines({ rows, origin }: ValidationTable): string[] {
  const cells = rows.map((row) => {
    const { expected, ours } = mostDifferent(row);
    return [
      row.quantity,
      numberLike(expected, expected, row.tolerance),
      VALIDATION_ORIGINS[row.origin ?? origin],
      numberLike(ours, expected, row.tolerance),
      row.unit,
      errorText(row),
      String(row.tolerance),
      passes(row) ? "yes" : "**no**",
    ];
  });
  return [
    ["quantity", "expected", "from", "ours", "unit", "error", "tolerance", "pass"],
    ["---", "--:", "---", "--:", "---", "--:", "--:", "---"],
    ...cells,
  ].map((line) => `| ${line.join(" | ")} |`);
}

/** The number of a row that is furthest off. */
export function mostDifferent({ expected, ours }: ValidationRow): { readonly expected: number; readonly ours: number } {
  let worst = 0;
  for (const [i, value] of expected.entries())
    if (!(Math.abs(value - ours[i]!) <= Math.abs(expected[worst]! - ours[worst]!))) worst = i;
  return { expected: expected[worst]!, ours: ours[worst]! };
}

/** Errors below this part of the tolerance are shown as a bound. */
const FAR_BELOW = 0.01;

function errorText(row: ValidationRow): string {
  const error = errorOf(row);
  return error < FAR_BELOW * row.tolerance ? powerAbove(error) : exponentialText(error, 2);
}

/** A number with the decimals of the expected value, at most two more than the tolerance has. Zero is shown as a bound. */
export function numberLike(value: number, expected: number, tolerance: number): string {
  if (expected === 0) return value === 0 ? "0" : powerAbove(Math.abs(value));
  const printed = /\.(\d+)$/.exec(String(expected))?.[1] ?? "";
  const telling = 2 - Math.floor(Math.log10(tolerance));
  return value.toFixed(printed === "" ? telling : Math.min(printed.length, telling));
}

/** < 1e-13 for 3.2e-14. */
const powerAbove = (error: number): string => (error === 0 ? "0" : `< 1e${Math.floor(Math.log10(error)) + 1}`);

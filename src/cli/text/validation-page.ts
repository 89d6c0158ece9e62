/** The page docs/validation.md, from what `castor validate` computes. */
import { errorOf, passes, type Validated, type ValidationRow } from "../../validation/validation.ts";
import { exponentialText } from "./text-table.ts";

/** The page. Errors far below the tolerance are rounded up to a power of ten: their digits mean nothing. */
export function validationPage(done: readonly Validated[]): string {
  const sections = done.flatMap(({ validation, tables }) => [
    `## ${validation.title}`,
    "",
    `Source: ${validation.source}. Scenario: [${validation.scenario}](../scenarios/${validation.scenario}/README.md).`,
    "",
    ...tables.flatMap(({ title, rows }) => [`### ${title}`, "", ...tableLines(rows), ""]),
  ]);
  return [
    "# Validation",
    "",
    "Published and independent values against ours, computed anew by `castor validate`. This page is written by",
    "`npm run validation`; a test keeps it current. Of a quantity with several numbers, the table shows the one that differs most.",
    "",
    ...sections,
  ]
    .join("\n")
    .replace(/\n+$/, "\n");
}

function tableLines(rows: readonly ValidationRow[]): string[] {
  const cells = rows.map((row) => {
    const { published, ours } = mostDifferent(row);
    return [
      row.quantity,
      numberLike(published, published, row.tolerance),
      numberLike(ours, published, row.tolerance),
      row.unit,
      errorText(row),
      String(row.tolerance),
      passes(row) ? "yes" : "**no**",
    ];
  });
  return [
    ["quantity", "published", "ours", "unit", "error", "tolerance", "pass"],
    ["---", "--:", "--:", "---", "--:", "--:", "---"],
    ...cells,
  ].map((line) => `| ${line.join(" | ")} |`);
}

/** The number of a row that is furthest off. */
export function mostDifferent({ published, ours }: ValidationRow): { readonly published: number; readonly ours: number } {
  let worst = 0;
  for (const [i, value] of published.entries())
    if (!(Math.abs(value - ours[i]!) <= Math.abs(published[worst]! - ours[worst]!))) worst = i;
  return { published: published[worst]!, ours: ours[worst]! };
}

/** Errors below this part of the tolerance are shown as a bound. */
const FAR_BELOW = 0.01;

function errorText(row: ValidationRow): string {
  const error = errorOf(row);
  return error < FAR_BELOW * row.tolerance ? powerAbove(error) : exponentialText(error, 2);
}

/** A number with the decimals of what was published, but not many more than the tolerance; what should be zero as a bound. */
export function numberLike(value: number, published: number, tolerance: number): string {
  if (published === 0) return value === 0 ? "0" : powerAbove(Math.abs(value));
  const printed = /\.(\d+)$/.exec(String(published))?.[1] ?? "";
  const telling = 2 - Math.floor(Math.log10(tolerance));
  return value.toFixed(printed === "" ? telling : Math.min(printed.length, telling));
}

/** < 1e-13 for 3.2e-14. */
const powerAbove = (error: number): string => (error === 0 ? "0" : `< 1e${Math.floor(Math.log10(error)) + 1}`);

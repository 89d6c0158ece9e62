/** `castor validate` as a user has it. The whole table is computed once and serves every test of this file. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { VALIDATION_ORIGINS } from "../../src/validation/validation.ts";
import { castor, workFolder } from "../fixtures/installed.ts";

interface Row {
  readonly quantity: string;
  readonly origin: string;
  readonly expected: readonly number[];
  readonly ours: readonly number[];
  readonly error: number;
  readonly tolerance: number;
  readonly pass: boolean;
}

interface Validated {
  readonly name: string;
  readonly tables: readonly { readonly title: string; readonly rows: readonly Row[] }[];
}

let folder: string;
let table: { readonly passed: boolean; readonly validations: readonly Validated[] };

beforeAll(() => {
  folder = workFolder();
  const { status, stdout, stderr } = castor(folder, ["validate", "--page", "validation.md", "--json"]);
  expect([status, stderr]).toEqual([0, ""]);
  table = JSON.parse(stdout);
}, 600_000);

/** The cells of the tables of a page, line by line. */
const cellsOf = (page: string): string[][] =>
  page
    .split("\n")
    .filter((line) => line.startsWith("| ") && !line.startsWith("| ---"))
    .map((line) => line.split("|").map((cell) => cell.trim()));

describe("castor validate", () => {
  it("has every value within its tolerance", () => {
    expect(table.passed).toBe(true);
    expect(table.validations.length).toBeGreaterThan(20);
    for (const { name, tables } of table.validations)
      for (const { title, rows } of tables) {
        expect(rows.length, `${name}, ${title}`).toBeGreaterThan(0);
        for (const { quantity, origin, expected, ours, error, tolerance, pass } of rows) {
          const row = `${name}, ${title}: ${quantity}`;
          expect(Object.keys(VALIDATION_ORIGINS), row).toContain(origin);
          expect(error, row).toBe(Math.max(...expected.map((p, i) => Math.abs(p - ours[i]!))));
          expect(error, row).toBeLessThanOrEqual(tolerance);
          expect(pass, row).toBe(true);
        }
      }
  });

  it("keeps docs/validation.md current", () => {
    const [fresh, kept] = [readFileSync(join(folder, "validation.md"), "utf8"), readFileSync("docs/validation.md", "utf8")];
    // The cells `ours` and `error` depend on rounding.
    const withoutResults = (cells: readonly string[]): string[] => cells.filter((_, i) => i !== 4 && i !== 6);
    expect(cellsOf(kept).map(withoutResults), "npm run validation writes it anew").toEqual(cellsOf(fresh).map(withoutResults));
    expect(kept.replace(/^\|.*\n/gm, "")).toBe(fresh.replace(/^\|.*\n/gm, ""));
  });

  it("contains the printed angles of example 1 of TR-942", () => {
    const example = table.validations.find(({ name }) => name === "tr-942-example-1")!;
    const rows = example.tables.flatMap((t) => t.rows);
    expect(rows.filter((r) => r.quantity.startsWith("θ"))).toHaveLength(8);
  });

  it("prints chosen tables and the verdict", () => {
    const { status, stdout, stderr } = castor(folder, ["validate", "block-on-incline"]);
    expect([status, stderr]).toEqual([0, ""]);
    expect(stdout).toMatch(/^✓ all 2 within tolerance$/m);
  });

  it("lists the names if none matches", () => {
    const { status, stderr } = castor(folder, ["validate", "perpetuum"]);
    expect([status, stderr]).toEqual([1, expect.stringContaining("There are: tr-942-example-1, ")]);
  });
});

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { castor, workFolder } from "../fixtures/installed.ts";

let folder: string;
beforeAll(() => {
  folder = workFolder();
});

interface Row {
  readonly quantity: string;
  readonly published: readonly number[];
  readonly ours: readonly number[];
  readonly error: number;
  readonly tolerance: number;
  readonly pass: boolean;
}

/** The cells of a page's tables, line by line; the third and fifth cells, which rounding may change, as numbers. */
const cellsOf = (page: string): string[][] =>
  page
    .split("\n")
    .filter((line) => line.startsWith("| ") && !line.startsWith("| ---"))
    .map((line) => line.split("|").map((cell) => cell.trim()));

describe("castor validate", () => {
  it("has every published value within its tolerance, and keeps docs/validation.md current", () => {
    const { status, stdout, stderr } = castor(folder, ["validate", "--page", "validation.md"]);
    expect([status, stderr]).toEqual([0, ""]);
    expect(stdout).toMatch(/^✓ all \d+ within tolerance$/m);
    const [fresh, kept] = [readFileSync(join(folder, "validation.md"), "utf8"), readFileSync("docs/validation.md", "utf8")];
    const same = (cells: readonly string[]): string[] => cells.filter((_, i) => i !== 3 && i !== 5);
    expect(cellsOf(kept).map(same), "npm run validation writes it anew").toEqual(cellsOf(fresh).map(same));
    expect(kept.replace(/^\|.*\n/gm, "")).toBe(fresh.replace(/^\|.*\n/gm, ""));
  }, 600_000);

  it("of example 1 of TR-942, for programs", () => {
    const result = JSON.parse(castor(folder, ["validate", "tr-942-example-1", "--json"]).stdout);
    expect(result.passed).toBe(true);
    const rows: Row[] = result.validations[0].tables.flatMap((t: { rows: Row[] }) => t.rows);
    expect(result.validations.map((v: { name: string }) => v.name)).toEqual(["tr-942-example-1"]);
    expect(rows.filter((r) => r.quantity.startsWith("θ"))).toHaveLength(8);
    for (const { published, ours, error, tolerance, pass } of rows) {
      expect(error).toBe(Math.max(...published.map((p, i) => Math.abs(p - ours[i]!))));
      expect(pass).toBe(error <= tolerance);
    }
  });

  it("says what there is to validate", () => {
    const { status, stderr } = castor(folder, ["validate", "perpetuum"]);
    expect([status, stderr]).toEqual([1, expect.stringContaining("There are: tr-942-example-1, ")]);
  });
});

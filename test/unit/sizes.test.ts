/** Limits of size, and one meaning for each type name. Exceptions stand with their reason in docs/architecture.md, section "Sizes". */
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const MAX_FILES = 20;
const MAX_FILE_LINES = 300;
const MAX_FUNCTION_LINES = 100;

const files = ["src", "studio", "bench"].flatMap((folder) =>
  readdirSync(join(ROOT, folder), { recursive: true, encoding: "utf8" })
    .map((path) => `${folder}/${path.replaceAll("\\", "/")}`)
    .filter((path) => path.endsWith(".ts")),
);
const linesByFile = new Map(files.map((path) => [path, readFileSync(join(ROOT, path), "utf8").trimEnd().split("\n")]));

/** Rows `| file or folder | what | lines | reason |` of the section. */
function exceptions(): ReadonlySet<string> {
  const page = readFileSync(join(ROOT, "docs/architecture.md"), "utf8");
  const section = /^## Sizes\n([\s\S]*?)(?=^## |$(?![\s\S]))/m.exec(page)?.[1] ?? "";
  const rows = section.split("\n").filter((line) => line.startsWith("|"));
  const cells = rows.slice(2).map((row) => row.split("|").map((cell) => cell.trim().replaceAll("`", "")));
  for (const [, path, , , reason] of cells) expect(reason, `the reason for ${path}`).toMatch(/\w+ \w+/);
  return new Set(cells.map(([, path, what]) => `${path}: ${what}`));
}

const excepted = exceptions();

/** Functions, arrow functions and methods with more lines than allowed. A function ends at the closing brace with its own indentation. */
function longFunctions(path: string, lines: readonly string[]): string[] {
  const START =
    /^(\s*)(?:export )?(?:async )?(?:function\*? (\w+)|(?:const|let) (\w+) = .*=> \{$|(?:static |private |get |set |async )*(#?\w+)\([^;]*\)(?::[^;{]*)? \{$)/;
  return lines.flatMap((line, i) => {
    const match = START.exec(line);
    if (match === null || /^\s*(if|for|while|switch|catch|return)\b/.test(line)) return [];
    const length = lines.slice(i + 1).findIndex((next) => next.startsWith(`${match[1]}}`)) + 1;
    return length > MAX_FUNCTION_LINES ? [`${path}: ${match[2] ?? match[3] ?? match[4]}`] : [];
  });
}

describe("sizes", () => {
  it(`folders have at most ${MAX_FILES} source files`, () => {
    const counts = new Map<string, number>();
    for (const path of files) counts.set(dirname(path), (counts.get(dirname(path)) ?? 0) + 1);
    const long = [...counts].filter(([, count]) => count > MAX_FILES).map(([folder]) => `${folder}: folder`);
    expect(long.filter((entry) => !excepted.has(entry))).toEqual([]);
  });

  it(`files have at most ${MAX_FILE_LINES} lines`, () => {
    const long = [...linesByFile].filter(([, lines]) => lines.length > MAX_FILE_LINES).map(([path]) => `${path}: file`);
    expect(long.filter((entry) => !excepted.has(entry))).toEqual([]);
  });

  it(`functions have at most ${MAX_FUNCTION_LINES} lines`, () => {
    const long = [...linesByFile].flatMap(([path, lines]) => longFunctions(path, lines));
    expect(long.filter((entry) => !excepted.has(entry))).toEqual([]);
  });

  it("no exception is listed that is not needed", () => {
    const long = [
      ...[...linesByFile].filter(([, lines]) => lines.length > MAX_FILE_LINES).map(([path]) => `${path}: file`),
      ...[...linesByFile].flatMap(([path, lines]) => longFunctions(path, lines)),
      ...[...new Set(files.map((path) => dirname(path)))]
        .filter((folder) => files.filter((path) => dirname(path) === folder).length > MAX_FILES)
        .map((folder) => `${folder}: folder`),
    ];
    expect([...excepted].filter((entry) => !long.includes(entry))).toEqual([]);
  });
});

describe("names", () => {
  it("a type name is declared in one file only", () => {
    const declaredIn = new Map<string, Set<string>>();
    for (const [path, lines] of linesByFile)
      for (const line of lines) {
        const name = /^(?:export )?(?:declare )?(?:interface|type|class|abstract class) ([A-Z]\w*)\b(?!,)/.exec(line)?.[1];
        if (name !== undefined) declaredIn.set(name, (declaredIn.get(name) ?? new Set()).add(path));
      }
    const ambiguous = [...declaredIn]
      .filter(([, paths]) => paths.size > 1)
      .map(([name, paths]) => `${name}: ${[...paths].join(", ")}`);
    expect(ambiguous).toEqual([]);
  });
});

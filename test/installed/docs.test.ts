/**
 * The documentation, executed. Every `ts` block of README and docs is a program: it is type-checked against the installed package and
 * run. Every `sh` block that starts with castor is run. A block with a title is a file for the blocks after it; a `text` block shows
 * what the block before it prints, to the letter. Examples are programs too, and end with what they print.
 */
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { unitsOf } from "../../src/declare/units.ts";
import { HINGES } from "../../src/model/hinges/index.ts";
import { installedFolder, TSC, workFolder } from "../fixtures/installed.ts";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const listed = (folder: string, ending: string): string[] =>
  readdirSync(join(ROOT, folder))
    .filter((name) => name.endsWith(ending))
    .sort()
    .map((name) => join(folder, name));

const PAGES = ["README.md", ...listed("docs", ".md")];
const EXAMPLES = listed("examples", ".ts");
/** Files that examples read. */
const EXAMPLE_FILES = listed("examples", ".yaml");
const DRAWINGS = listed("docs", ".ts");

interface Block {
  readonly language: string;
  readonly title: string | undefined;
  readonly content: string;
  /** Line of the page on which it begins. */
  readonly line: number;
}

function blocksOf(page: string): Block[] {
  const text = readFileSync(join(ROOT, page), "utf8");
  return Array.from(text.matchAll(/^```(\w*)(?: title="([^"]+)")?.*\n([\s\S]*?)^```$/gm), (match) => ({
    language: match[1]!,
    title: match[2],
    content: match[3]!,
    line: text.slice(0, match.index).split("\n").length,
  }));
}

/** Where the parts of a page, or the examples, are written to and run. */
const WORK = workFolder();
const folderOf = (page: string): string => join(WORK, basename(page).replace(".", "-"));
const programOf = (page: string, { line }: Block): string => join(folderOf(page), `line-${line}.ts`);
const isCommand = ({ language, content }: Block): boolean => language === "sh" && /^(npx )?castor /.test(content);

function write(path: string, content: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, content);
}

const OPTIONS = {
  target: "ES2022",
  module: "NodeNext",
  types: ["node"],
  strict: true,
  noUncheckedIndexedAccess: true,
  exactOptionalPropertyTypes: true,
};

function compileAll(): string {
  write(join(WORK, "package.json"), '{ "type": "module" }\n');
  write(join(WORK, "tsconfig.json"), JSON.stringify({ compilerOptions: OPTIONS, include: ["**/*.ts"] }));
  for (const page of PAGES)
    for (const block of blocksOf(page)) if (block.language === "ts") write(programOf(page, block), block.content);
  for (const path of [...EXAMPLES, ...EXAMPLE_FILES, ...DRAWINGS])
    write(join(WORK, path), readFileSync(join(ROOT, path), "utf8"));
  return spawnSync(TSC, ["-p", WORK], { cwd: WORK, encoding: "utf8" }).stdout;
}

const complaints = compileAll();

function run(command: string, words: readonly string[], folder: string): string {
  mkdirSync(folder, { recursive: true });
  const PATH = `${join(installedFolder(), "node_modules/.bin")}:${process.env.PATH}`;
  const { status, stdout, stderr } = spawnSync(command, words, { cwd: folder, encoding: "utf8", env: { ...process.env, PATH } });
  expect(status, stderr || stdout).toBe(0);
  return stdout;
}

const runProgram = (path: string, folder: string): string => run(process.execPath, [path.replace(/\.ts$/, ".js")], folder);

it("programs of the documentation are well typed", () => {
  expect(complaints).toBe("");
});

describe.each(PAGES)("%s", (page) => {
  const blocks = blocksOf(page);
  for (const [i, block] of blocks.entries()) {
    const next = blocks[i + 1];
    const folder = folderOf(page);
    const check = (printed: string): void => {
      if (next?.language === "text") expect(printed.trimEnd()).toBe(next.content.trimEnd());
    };
    if (block.title !== undefined)
      it(`line ${block.line}: ${block.title}`, () => write(join(folder, block.title!), block.content));
    if (block.language === "ts") it(`line ${block.line}: program`, () => check(runProgram(programOf(page, block), folder)));
    if (isCommand(block))
      it(`line ${block.line}: command`, () => check(run("bash", ["-euo", "pipefail", "-c", block.content], folder)));
  }

  it("its links lead somewhere", () => {
    const text = readFileSync(join(ROOT, page), "utf8").replace(/^```[\s\S]*?^```$/gm, "");
    const targets = Array.from(
      text.matchAll(/\]\(([^)#\s]+)[^)]*\)|\bsrc(?:set)?="([^"]+)"/g),
      ([, link, image]) => (link ?? image)!,
    );
    const local = targets.filter((target) => !/^[a-z]+:/.test(target));
    expect(local.filter((target) => !existsSync(join(ROOT, dirname(page), target)))).toEqual([]);
  });
});

describe.each(EXAMPLES)("%s", (path) => {
  it("prints what it says", () => {
    const shown = /\/\* prints\n([\s\S]*?)\*\/\s*$/.exec(readFileSync(join(ROOT, path), "utf8"))?.[1];
    expect(runProgram(join(WORK, path), join(WORK, "examples")).trimEnd()).toBe(shown?.trimEnd());
  });
});

describe.each(DRAWINGS)("%s", (path) => {
  it("draws the picture beside it (update: npx vitest run test/installed/docs.test.ts --update)", async () => {
    const drawn = runProgram(join(WORK, path), join(WORK, "docs"));
    await expect(drawn).toMatchFileSnapshot(join(ROOT, path.replace(/\.ts$/, ".svg")));
  });
});

describe("what pages say of the code", () => {
  const page = (name: string): string => readFileSync(join(ROOT, "docs", name), "utf8").replace(/ +/g, " "); // tables are padded

  it("model-format.md explains every key of the schema, every kind of hinge, every unit", () => {
    const schema = JSON.parse(readFileSync(join(ROOT, "schema/model.schema.json"), "utf8")) as object;
    const text = page("model-format.md");
    expect([...keysOf(schema)].filter((key) => !text.includes(`\`${key}\``) && !text.includes(`.${key}\``))).toEqual([]);
    for (const { name, about } of Object.values(HINGES)) expect(text).toContain(`| \`${name}\` | ${about} |`);
    for (const unit of ["m", "rad", "kg", "kg m^2", "m/s^2", "m/rad", "rad/s", "m/s", "N", "N m"] as const)
      expect(text).toContain(
        `| ${unitsOf(unit)
          .map((u) => `\`${u}\``)
          .join(", ")} |`,
      );
  });

  it("README lists every command", () => {
    const commands = Array.from(run("castor", ["--help"], WORK).matchAll(/^ {2}([a-z]+) {2,}\S/gm), ([, name]) => name);
    expect(commands.length).toBeGreaterThan(2);
    const text = readFileSync(join(ROOT, "README.md"), "utf8");
    expect(commands.filter((name) => !text.includes(`| \`castor ${name}`))).toEqual([]);
  });

  it("commands.md explains every key of --json", () => {
    const results = [
      ["eval", "satellite-manipulator", "--json"],
      ["compile", "satellite-manipulator", "-o", "a.wasm", "--json"],
      ["compile", "satellite-manipulator", "--target", "c", "-o", "a.c", "--json"],
      ["run", "block-on-incline", "--json"],
      ["verify", "block-on-incline", "--json"],
      ["validate", "block-on-incline", "--json"],
    ].map((words) => JSON.parse(run("castor", words, WORK)) as Tree);
    const names = new Set([
      "satellite",
      "waist",
      "upper-arm",
      "forearm",
      "hand",
      "tip",
      "articulated",
      "kane",
      "matrix",
      "x",
      "y",
      "scratch",
    ]);
    const text = page("commands.md");
    const keys = new Set(results.flatMap((result) => [...namesIn(result)]));
    expect([...keys].filter((key) => !names.has(key) && !key.includes(".") && !text.includes(`\`${key}\``))).toEqual([]);
  });
});

type Tree = { readonly [key: string]: unknown };

/** Every key of every object in a value. */
function* namesIn(value: unknown): Generator<string> {
  if (typeof value !== "object" || value === null) return;
  for (const [key, part] of Object.entries(value)) {
    if (!Array.isArray(value)) yield key;
    yield* namesIn(part);
  }
}

/** Every property that a schema allows. */
function keysOf(schema: unknown): Set<string> {
  const keys = new Set<string>();
  const visit = (part: unknown): void => {
    if (typeof part !== "object" || part === null) return;
    const { properties } = part as { properties?: object };
    for (const key of Object.keys(properties ?? {})) keys.add(key);
    for (const inner of Object.values(part)) visit(inner);
  };
  visit(schema);
  return keys;
}

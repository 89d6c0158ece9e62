/** Rules for errors: users get a CastorError with a documented code; RangeError and TypeError are left to the engine. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import * as errors from "../../src/errors.ts";
import * as castor from "../../src/index.ts";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const files = ["src", "studio/src"].flatMap((folder) =>
  readdirSync(join(ROOT, folder), { recursive: true, encoding: "utf8" })
    .filter((path) => path.endsWith(".ts"))
    .map((path) => `${folder}/${path.replaceAll("\\", "/")}`),
);
const textByFile = new Map(files.map((path) => [path, readFileSync(join(ROOT, path), "utf8")]));

/** Lines of the sources that match, as `file: line`. */
const linesWith = (pattern: RegExp, isChecked: (path: string) => boolean = () => true): string[] =>
  [...textByFile].flatMap(([path, text]) =>
    isChecked(path)
      ? text
          .split("\n")
          .filter((line) => pattern.test(line))
          .map((line) => `${path}: ${line.trim()}`)
      : [],
  );

interface ErrorClass {
  readonly name: string;
  readonly code: string;
}

/** The classes of errors with a code, wherever they are declared. */
const declared: readonly ErrorClass[] = [...textByFile.values()].flatMap((text) =>
  Array.from(text.matchAll(/class (\w+) extends CastorError \{([\s\S]*?)^\}/gm), ([, name, body]) => ({
    name: name!,
    code: /readonly code = "([^"]*)"/.exec(body!)?.[1] ?? "",
  })),
);

describe("the sources", () => {
  it("neither throw nor interpret errors of the engine", () => {
    expect(linesWith(/\bnew (RangeError|TypeError|SyntaxError|ReferenceError|EvalError)\(/)).toEqual([]);
    expect(linesWith(/\binstanceof (RangeError|TypeError|ReferenceError|EvalError)\b/)).toEqual([]);
    expect(linesWith(/["'`](RangeError|TypeError)["'`]/)).toEqual([]);
  });

  it("throw a plain Error only where a user cannot cause it: in solvers, code generation, and for failures that were received", () => {
    const isInternal = /^(src\/(math|kernel)\/|studio\/src\/worker\/)/;
    expect(linesWith(/\bnew Error\(/, (path) => !isInternal.test(path))).toEqual([]);
  });

  it("derive no exported class from Error, except the base class", () => {
    expect(linesWith(/^export .*class \w+ extends Error\b/)).toEqual([
      "src/errors.ts: export abstract class CastorError extends Error {",
    ]);
  });
});

describe("codes", () => {
  const page = readFileSync(join(ROOT, "docs/errors.md"), "utf8");

  it("are in kebab case, and unique", () => {
    expect(declared.length).toBeGreaterThan(12);
    for (const { name, code } of declared) expect(code, name).toMatch(/^[a-z]+(-[a-z]+)*$/);
    expect(new Set(declared.map(({ code }) => code)).size).toBe(declared.length);
  });

  it("are documented with their class, its cause and what to do; classes that users of the library meet have an example message", () => {
    const rows = page.split("\n").map((line) => line.split("|").map((cell) => cell.trim()));
    for (const { name, code } of declared) {
      const [, , , cause, advice] = rows.find((row) => row[1] === `\`${code}\`` && row[2] === `\`${name}\``) ?? [];
      expect(cause, name).toMatch(/\w+ \w+/);
      expect(advice, name).toMatch(/\w+/);
      const example = rows.find((row) => row.length === 4 && row[1] === `\`${code}\``);
      if (name in errors) expect(example, name).toBeDefined();
    }
    const documented = Array.from(page.matchAll(/^\| `[a-z-]+` +\| `(\w+Error)`/gm), ([, name]) => name!);
    expect(documented.sort()).toEqual(declared.map(({ name }) => name).sort());
  });
});

describe("exported errors", () => {
  const classes = (names: object): [string, { prototype: Error }][] =>
    Object.entries(names).filter(([, value]) => typeof value === "function" && value.prototype instanceof Error);

  it("derive from CastorError, and their name is that of the class", () => {
    for (const [name, { prototype }] of [...classes(errors), ...classes(castor)]) {
      expect(prototype === castor.CastorError.prototype || prototype instanceof castor.CastorError, name).toBe(true);
    }
    for (const { name } of declared.filter((d) => d.name in errors)) expect(Object.keys(castor)).toContain(name);
  });

  it("an argument error names the argument, and keeps the reason for callers that know the argument by another name", () => {
    const error = new castor.ArgumentError("options.duration", "must be positive, got -1");
    expect(error).toMatchObject({
      name: "ArgumentError",
      code: "argument",
      argument: "options.duration",
      reason: "must be positive, got -1",
      message: "options.duration: must be positive, got -1",
    });
    expect(error).toBeInstanceOf(Error);
  });
});

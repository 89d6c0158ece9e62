/** The public surface as a text file: whatever changes it is a difference in review. `npm run api` writes it anew. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { describe, expect, it } from "vitest";
import { installedFolder } from "../fixtures/installed.ts";

/** Exported names and their declarations, without comments. */
type Surface = ReadonlyMap<string, string>;

/** What a declaration file exports, followed through its re-exports. */
function surfaceOf(path: string): Surface {
  const surface = new Map<string, string>();
  const imported = new Map<string, string>();
  const at = (specifier: string): Surface => surfaceOf(join(path, "..", specifier.replace(/\.[jt]s$/, ".d.ts")));
  for (const statement of statementsOf(readFileSync(path, "utf8"))) {
    const from = /\bfrom "([^"]+)"/.exec(statement)?.[1];
    const listed = namesIn(statement);
    const namespace = /^export \* as (\w+) from/.exec(statement)?.[1];
    if (statement.startsWith("import ")) for (const { alias } of listed) imported.set(alias, from!);
    else if (!statement.startsWith("export ")) continue;
    else if (/^export (type )?\{/.test(statement))
      for (const { original, alias } of listed) surface.set(alias, at(from ?? imported.get(original)!).get(original)!);
    else if (namespace !== undefined) for (const [name, text] of at(from!)) surface.set(`${namespace}.${name}`, text);
    else if (from !== undefined) for (const [name, text] of at(from)) surface.set(name, text);
    else {
      const declaration = statement.replace(/^export (declare )?/, "");
      const name = /^(?:abstract )?(?:interface|type|class|function|const|let|enum) (\w+)/.exec(declaration)![1]!;
      surface.set(name, surface.has(name) ? `${surface.get(name)}\n${declaration}` : declaration);
    }
  }
  return surface;
}

/** The names between the braces of an import or export: `{ a, type B, c as d }`. */
function namesIn(statement: string): { readonly original: string; readonly alias: string }[] {
  const list = /^(?:import|export) (?:type )?\{([^}]*)\}/.exec(statement)?.[1] ?? "";
  const parts = list.split(",").map((part) => part.trim().replace(/^type /, ""));
  return parts.filter(Boolean).map((part) => {
    const [original, alias] = part.split(" as ") as [string, string?];
    return { original, alias: alias ?? original };
  });
}

/** The statements of a declaration file: each ends with a semicolon, or the brace of its body, outside of all brackets. */
function statementsOf(text: string): string[] {
  const plain = text.replace(/\/\*[\s\S]*?\*\//g, "").replace(/^\s*#private;$/gm, "");
  const statements: string[] = [];
  let depth = 0;
  let start = 0;
  for (let i = 0; i < plain.length; i++) {
    const c = plain[i]!;
    if (c === '"') i = plain.indexOf('"', i + 1);
    else if ("({[".includes(c)) depth++;
    else if (")}]".includes(c)) depth--;
    const head = plain.slice(start, i + 1).trimStart();
    const endsBody =
      c === "}" && /^export (declare )?(abstract )?(interface|class|enum)\b|^(declare )?(interface|class)\b/.test(head);
    if (depth > 0 || (c !== ";" && !endsBody)) continue;
    statements.push(head.replace(/\n\s*\n/g, "\n").replace(/[ \t]+$/gm, ""));
    start = i + 1;
  }
  return statements;
}

const HOME = join(installedFolder(), "node_modules/castor");
const { exports } = JSON.parse(readFileSync(join(HOME, "package.json"), "utf8")) as {
  exports: Record<string, { types: string; default: string } | string>;
};

/** Name under which programs import an entry point, its declarations, and its module. */
const ENTRIES = Object.entries(exports).flatMap(([subpath, target]) =>
  typeof target === "string"
    ? []
    : [{ name: `castor${subpath.slice(1)}`, surface: surfaceOf(join(HOME, target.types)), module: join(HOME, target.default) }],
);
const ROOT = ENTRIES.find(({ name }) => name === "castor")!;
const SUBPATHS = ENTRIES.filter((entry) => entry !== ROOT);

describe("the public surface", () => {
  it("is the one under review", async () => {
    const namesOf = (surface: Surface): string[] =>
      [...surface.keys()].sort((a, b) => (a.toLowerCase() < b.toLowerCase() ? -1 : 1));
    const text = [
      "The public surface of Castor, written by `npm run api` from the declarations. Do not edit.",
      `# castor: names of the subpaths and of errors, for most programs\n${namesOf(ROOT.surface).join("\n")}`,
      ...SUBPATHS.flatMap(({ name, surface }) => [
        `# ${name}`,
        ...namesOf(surface).map((key) => `## ${key}\n${surface.get(key)!}`),
      ]),
    ];
    await expect(
      `${text.join("\n\n")}\n`,
      "docs/api.txt is not up to date: run `npm run api` and review the difference",
    ).toMatchFileSnapshot("../../docs/api.txt");
  });

  it.each(ENTRIES)("$name has every value that the module has, and nothing else", async ({ surface, module }) => {
    const isValue = (text: string): boolean => !/^(interface|type)\b/.test(text);
    const declared = [...surface].filter(([, text]) => isValue(text)).map(([name]) => name.split(".")[0]!);
    const values = Object.keys((await import(/* @vite-ignore */ pathToFileURL(module).href)) as object);
    expect([...new Set(declared)].sort()).toEqual(values.sort());
  });
});

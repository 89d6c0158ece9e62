/** The public surface as a text file: whatever changes it is a difference in review. `npm run api` writes it anew. */
import { readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { pathToFileURL } from "node:url";
import { describe, expect, it } from "vitest";
import { type Declared, type Surface, surfaceOf } from "../fixtures/declarations.ts";
import { installedFolder } from "../fixtures/installed.ts";

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
const keyOf = ({ file, name }: { readonly file: string; readonly name: string }): string => `${file}#${name}`;

/** A declaration on the page. Registries and other tables of data are named by their keys. */
function shown({ text, about }: Declared): string {
  const registry = /^const \w+: (?:Readonly<)?(?:\w+Kind<)?\{\n/.test(text) && text.length > 400;
  const keys = Array.from(text.matchAll(/^ {4}(?:readonly )?("[^"]+"|\w+)\??:/gm), ([, key]) => key);
  const body = registry ? `${/^const \w+/.exec(text)![0]}: { ${keys.join(", ")} };` : text;
  return about === "" ? body : `// ${about}\n${body}`;
}

describe("the public surface", () => {
  it("is the one under review", async () => {
    const namesOf = (surface: Surface): string[] =>
      [...surface.keys()].sort((a, b) => (a.toLowerCase() < b.toLowerCase() ? -1 : 1));
    const inSubpath = new Set(SUBPATHS.flatMap(({ surface }) => [...surface.values()].map(keyOf)));
    const onlyInRoot = namesOf(ROOT.surface).filter((name) => !inSubpath.has(keyOf(ROOT.surface.get(name)!)));
    const listing = (surface: Surface, names = namesOf(surface)): string[] =>
      names.map((name) => `## ${name}\n${shown(surface.get(name)!)}`);
    const text = [
      "The public surface of Castor, written by `npm run api` from the declarations. Do not edit.",
      `# castor\nNames of the subpaths that most programs use: ${namesOf(ROOT.surface)
        .filter((name) => !onlyInRoot.includes(name) && !name.includes("."))
        .join(", ")}; the namespace programs; and:`,
      ...listing(ROOT.surface, onlyInRoot),
      ...SUBPATHS.flatMap(({ name, surface }) => [`# ${name}`, ...listing(surface)]),
    ];
    await expect(
      `${text.join("\n\n")}\n`,
      "docs/api.txt is not up to date: run `npm run api` and review the difference",
    ).toMatchFileSnapshot("../../docs/api.txt");
  });

  it.each(ENTRIES)("$name has every value that the module has, and nothing else", async ({ surface, module }) => {
    const isValue = ({ text }: Declared): boolean => !/^(interface|type)\b/.test(text);
    const declared = [...surface].filter(([, d]) => isValue(d)).map(([name]) => name.split(".")[0]!);
    const values = Object.keys((await import(/* @vite-ignore */ pathToFileURL(module).href)) as object);
    expect([...new Set(declared)].sort()).toEqual(values.sort());
  });

  it("exports every type that an exported declaration names", () => {
    const exported = new Set(ENTRIES.flatMap(({ surface }) => [...surface.values()].map(keyOf)));
    const missing = new Set<string>();
    for (const { name: entry, surface } of ENTRIES)
      for (const [name, { references }] of surface)
        for (const to of references)
          if (!exported.has(keyOf(to)))
            missing.add(`${relative(join(HOME, "dist"), to.file)} ${to.name} (named by ${entry} ${name})`);
    expect([...missing].sort()).toEqual([]);
  });
});

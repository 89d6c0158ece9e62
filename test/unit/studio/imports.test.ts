/** Imports of the studio. */
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";

describe("the studio's sources", () => {
  it("import the library only by its public names", () => {
    const folder = fileURLToPath(new URL("../../../studio/src/", import.meta.url));
    const files = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".ts"));
    const imports = files.flatMap((name) =>
      Array.from(readFileSync(join(folder, name), "utf8").matchAll(/(?:from|import)\s*\(?\s*"([^"]+)"/g), ([, to]) =>
        to!.startsWith(".") ? relative(folder, join(folder, dirname(name), to!)) : to!,
      ),
    );
    const outside = new Set(
      imports.filter((to) => !files.includes(to) && !/^three(\/addons\/|$)/.test(to) && !to.endsWith(".css")),
    );
    const { exports } = JSON.parse(readFileSync(new URL("../../../package.json", import.meta.url), "utf8")) as {
      exports: object;
    };
    const publicNames = Object.keys(exports).map((subpath) => `castor${subpath.slice(1)}`);
    expect([...outside].filter((to) => !publicNames.includes(to))).toEqual(["uplot"]);
    expect(imports.length).toBeGreaterThan(100);
  });
});

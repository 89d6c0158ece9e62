/** The formulations agree because they are right, not because they share code: their imports are read from the sources. */
import { readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const SRC = fileURLToPath(new URL("../../src", import.meta.url));

const importsOf = (file: string): string[] =>
  [...readFileSync(join(SRC, file), "utf8").matchAll(/from "(\.[^"]+)"/g)].map(([, path]) =>
    relative(SRC, join(SRC, dirname(file), path!)),
  );

/** All files of dynamics/ that a formulation is made of, itself included. */
function modulesOf(file: string, found = new Set<string>()): Set<string> {
  if (found.has(file)) return found;
  found.add(file);
  for (const next of importsOf(file)) if (next.startsWith("dynamics/")) modulesOf(next, found);
  return found;
}

const KANE = modulesOf("dynamics/kane.ts");
const MATRIX = modulesOf("dynamics/matrix-method.ts");
const ARTICULATED = modulesOf("dynamics/articulated.ts");

test("no two formulations share a module of dynamics/ but the interface", () => {
  for (const [a, b] of [[KANE, MATRIX], [KANE, ARTICULATED], [MATRIX, ARTICULATED]] as const) // biome-ignore format: pairs
    expect([...a].filter((file) => b.has(file))).toEqual(["dynamics/formulation.ts"]);
});

test("Kane's method and the matrix method use 3-vectors and rotations, and nothing of the spatial recursion", () => {
  const allowed = /^(dynamics|model|math)\/|^kernel\/(scalar|program|kernel|differentiate)\.ts$|^spatial\/(vec3|rotation)\.ts$/;
  for (const file of [...KANE, ...MATRIX]) for (const path of importsOf(file)) expect(path, file).toMatch(allowed);
});

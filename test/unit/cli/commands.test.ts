/** Declarations of commands: they repeat names of the library, so that help loads nothing of it. */
import { readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { verifyCommand } from "../../../src/cli/commands/verify.ts";
import { QUANTITIES } from "../../../src/cli/compile/quantities.ts";
import { QUANTITY_NAMES } from "../../../src/cli/compile/quantity-names.ts";
import { FORMULATION_NAMES, INTEGRATOR_NAMES } from "../../../src/cli/options.ts";
import { FORMULATIONS } from "../../../src/dynamics/formulations.ts";
import { VERIFY_TOLERANCE } from "../../../src/scenario/verify.ts";
import { INTEGRATORS } from "../../../src/sim/integrators/index.ts";

const SRC = fileURLToPath(new URL("../../../src/", import.meta.url));
/** Imports of values: not `import type`, and not `import()`. */
const VALUE_IMPORT = /^import (?!type )[^;]*?from "(\.[^"]+)"/gm;

/** All files that are loaded with a file. */
function loadedWith(path: string, found = new Set<string>()): ReadonlySet<string> {
  if (found.has(path)) return found;
  found.add(path);
  for (const [, to] of readFileSync(path, "utf8").matchAll(VALUE_IMPORT)) loadedWith(join(dirname(path), to!), found);
  return found;
}

describe("declarations of commands", () => {
  it("have the names of the library, in its order", () => {
    expect(FORMULATION_NAMES).toEqual(Object.keys(FORMULATIONS));
    expect(INTEGRATOR_NAMES).toEqual(Object.keys(INTEGRATORS));
    expect(QUANTITY_NAMES).toEqual(Object.keys(QUANTITIES));
    expect(Number(verifyCommand.args.tolerance.default)).toBe(VERIFY_TOLERANCE);
  });

  it("load nothing of the library: help is fast", () => {
    const library = [...loadedWith(join(SRC, "cli/main.ts"))]
      .map((path) => relative(SRC, path).replaceAll("\\", "/"))
      .filter((path) => !path.startsWith("cli/"))
      .sort();
    expect(library).toEqual(["arguments.ts", "declare/names.ts", "errors.ts", "report/numbers.ts", "report/write-error.ts"]);
  });
});

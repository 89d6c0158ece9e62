/** The lint rule that keeps functions of the engine out of the core (tools/same-bits.grit). */
import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));

/** Errors that `biome lint` reports with the settings of the project, by file, for files that contain these texts. */
function lint(files: Readonly<Record<string, string>>): Record<string, string[]> {
  const folder = mkdtempSync(join(tmpdir(), "castor-lint-"));
  try {
    for (const name of ["biome.json", ".gitignore", "tools/same-bits.grit"]) cpSync(join(ROOT, name), join(folder, name));
    for (const [name, text] of Object.entries(files)) {
      mkdirSync(join(folder, dirname(name)), { recursive: true });
      writeFileSync(join(folder, name), text);
    }
    const biome = join(ROOT, "node_modules/.bin/biome");
    const { stdout } = spawnSync(biome, ["lint", "--reporter=json", "--max-diagnostics=none", "."], {
      cwd: folder,
      encoding: "utf8",
    });
    const { diagnostics } = JSON.parse(stdout) as { diagnostics: Diagnostic[] };
    const errors: Record<string, string[]> = Object.fromEntries(Object.keys(files).map((name) => [name, []]));
    for (const { severity, message, location } of diagnostics) if (severity === "error") errors[location.path]!.push(message);
    return errors;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

interface Diagnostic {
  readonly severity: string;
  readonly message: string;
  readonly location: { readonly path: string };
}

const REFUSED = [
  ["Math.sin(x)", "Engines compute Math.sin differently. Use sine, cosine or tangent of src/math/elementary/sincos.ts."],
  ["[x].map(Math.exp)", "Math.exp"],
  ["Math.hypot(x, 1)", "hypotenuse or euclideanNorm"],
  ["Math.log10(x)", "logarithm"],
  ["Math.cbrt(x)", "cubeRoot"],
  ["Math.atan2(x, 1)", "arctangent"],
  ["Math.random()", "a generator with a seed"],
  ["x ** 2", "Engines round ** differently."],
  ["{\n  let y = x;\n  y **= 2;\n  return y;\n}", "Engines round **= differently."],
  ["Math", "Write Math.name"],
  ['Math["tan"](x)', "Write Math.name"],
] as const;

describe("the lint rule", () => {
  const source = (expression: string): string => `export const f = (x: number) => ${expression};\n`;
  const exact = "Math.sqrt(x) + Math.abs(x) * Math.PI + Math.max(x, Math.fround(x))";
  const reported = lint({
    ...Object.fromEntries(REFUSED.map(([expression], i) => [`src/parts/force/case-${i}.ts`, source(expression)])),
    "src/math/exact.ts": source(exact),
    "src/report/text.ts": source("Math.log10(x) ** 2"),
    "src/cli/text.ts": source("Math.log10(x) ** 2"),
  });

  it.each(REFUSED.map(([expression, message], i) => ({ expression, message, i })))("refuses $expression", ({ message, i }) => {
    expect(reported[`src/parts/force/case-${i}.ts`]).toEqual([expect.stringContaining(message)]);
  });

  it("allows operations that every engine rounds alike, and everything outside of the core", () => {
    expect([reported["src/math/exact.ts"], reported["src/report/text.ts"], reported["src/cli/text.ts"]]).toEqual([[], [], []]);
  });
});

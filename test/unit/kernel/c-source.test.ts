/** C source of random programs, compiled and run, against the interpreter; and sources of programs with hostile names. */
import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, describe, expect, test } from "vitest";
import { cName, cSource } from "../../../src/kernel/emit/c-source.ts";
import { interpret } from "../../../src/kernel/emit/interpret.ts";
import { type Program, sizeOf, trace } from "../../../src/kernel/trace/program.ts";
import * as S from "../../../src/kernel/trace/scalar.ts";
import { inputValues, programOf, recipes } from "../../fixtures/random-program.ts";

const hasCompiler = spawnSync("cc", ["--version"]).status === 0;
const STRICT = ["-std=c99", "-Wall", "-Wextra", "-Wconversion", "-pedantic", "-Werror", "-O2"];
const folder = mkdtempSync(join(tmpdir(), "castor-c-"));
afterAll(() => rmSync(folder, { recursive: true }));

interface Case {
  readonly program: Program;
  readonly x: readonly number[];
  readonly chunkSize: number;
}

/** The outputs of all cases, from one executable. */
function runInC(cases: readonly Case[]): Float64Array[] {
  const main = ["#include <stdio.h>"];
  const calls: string[] = [];
  const files = cases.map(({ program, x, chunkSize }, k) => {
    const file = join(folder, `case${k}.c`);
    const renamed = { ...program, name: `case ${k}` };
    writeFileSync(file, cSource(renamed, { chunkSize }));
    const size = Math.max(1, sizeOf(program.outputs));
    main.push(`void ${cName(renamed)}(const double *x, double *y);`);
    main.push(`static const double x${k}[] = {${x.map((v) => (Object.is(v, -0) ? "-0.0" : v)).join(", ") || "0"}};`);
    calls.push(
      `  { double y[${size}] = {0}; ${cName(renamed)}(x${k}, y); fwrite(y, sizeof(double), ${sizeOf(program.outputs)}, stdout); }`,
    );
    return file;
  });
  const mainFile = join(folder, "main.c");
  writeFileSync(mainFile, [...main, "int main(void) {", ...calls, "  return 0;", "}", ""].join("\n"));
  const executable = join(folder, "run");
  execFileSync("cc", [...STRICT, ...files, mainFile, "-lm", "-o", executable]);
  const bytes = execFileSync(executable);
  const all = new Float64Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength));
  let at = 0;
  return cases.map(({ program }) => {
    const y = all.slice(at, at + sizeOf(program.outputs));
    at += sizeOf(program.outputs);
    return y;
  });
}

function interpreted({ program, x }: Case): Float64Array {
  const y = new Float64Array(sizeOf(program.outputs));
  interpret(program, Float64Array.from(x), y);
  return y;
}

const program = (inputs: number, body: (x: readonly S.Scalar[]) => readonly S.Scalar[]): Program =>
  trace("case", { x: inputs }, ({ x }) => ({ y: body(x) }));

describe.skipIf(!hasCompiler)(`C99${hasCompiler ? "" : " (skipped: this machine has no cc)"}`, () => {
  test("random programs compile without a warning and agree with the interpreter", { timeout: 20_000 }, () => {
    const sampled = fc.sample(
      recipes(80).chain((recipe) => fc.tuple(fc.constant(recipe), inputValues(recipe.inputs), fc.constantFrom(2, 17, 300))),
      { numRuns: 30, seed: 7 },
    );
    const cases = sampled.map(([recipe, x, chunkSize]) => ({ ...programOf(recipe), x, chunkSize }));
    runInC(cases).forEach((y, k) => {
      const expected = interpreted(cases[k]!);
      y.forEach((value, i) => {
        const allowed = cases[k]!.tolerance[i]!;
        if (allowed === 0) expect(value).toBe(expected[i]);
        else expect(Math.abs(value - expected[i]!)).toBeLessThanOrEqual(allowed);
      });
    });
  });

  test("numbers, special values and unusual sizes are exact", () => {
    const numbers = [0.1, 1 / 3, -1e300, 5e-324, 2 ** 53, 1e21, 123456789012345680000, Math.PI, 1.7976931348623157e308];
    const minMax = (a: number, b: number): Case => ({
      program: program(2, ([p, q]) => [S.min(p!, q!), S.max(p!, q!), S.select(p!, q!, 7)]),
      x: [a, b],
      chunkSize: 300,
    });
    const cases: Case[] = [
      { program: program(1, () => numbers), x: [0], chunkSize: 300 },
      { program: program(3, (x) => [x[2]!, x[0]!, x[0]!]), x: [1, 2, 3], chunkSize: 1 },
      { program: program(1, () => []), x: [0], chunkSize: 300 },
      { program: program(0, () => [3]), x: [], chunkSize: 300 },
      minMax(0, -0),
      minMax(-0, 0),
      minMax(2, -3),
      minMax(-3, 2),
    ];
    runInC(cases).forEach((y, k) => {
      expect(y).toEqual(interpreted(cases[k]!));
    });
  });
});

/** Sums of products that depend on each other: three operations for each of `count` values. */
function longProgram(count: number): Program {
  return program(3, ([a, b, c]) => {
    const values = [a!, b!, c!];
    for (let k = 0; values.length < count; k++)
      values.push(S.sub(S.mul(values.at(-1)!, values.at(-3)!), S.mul(0.4 + 1e-4 * k, values[k]!)));
    return values.slice(-5).map((v) => S.sin(v));
  });
}

describe("versions of long programs for processors with AVX", () => {
  const x = [0.3, 0.7, -0.2];
  const programs = { short: longProgram(100), oneFunction: longProgram(700), severalFunctions: longProgram(1500) };

  test("exist above 1500 operations", () => {
    const [short, one, several] = Object.values(programs).map((p) => cSource(p));
    expect(short).not.toContain("VERSIONS");
    expect(one).toMatch(/^VERSIONS static void chunk0/m);
    expect(several).toMatch(/^VERSIONS SEPARATE static void chunk1/m);
  });

  test.skipIf(!hasCompiler)("compile without a warning and have the same bits", () => {
    const cases = Object.values(programs).map((p): Case => ({ program: p, x, chunkSize: 2000 }));
    const divided: Case = { program: programs.severalFunctions, x, chunkSize: 300 };
    for (const [k, y] of runInC([...cases, divided]).entries()) {
      expect(y.every(Number.isFinite)).toBe(true);
      expect(y).toEqual(interpreted([...cases, divided][k]!));
    }
  });
});

describe.skipIf(!hasCompiler)("sine and cosine in C", () => {
  const angles = [0, -0, 0.3, -0.785, 1, 2, -3, 4, 5.5, -7, 1e3, -12345.678, 999999.9, 1e-300, Math.PI / 2];

  test("have the bits of the other targets, alone and in pairs", () => {
    const one = program(angles.length, (x) => x.flatMap((a) => [S.sin(a), S.cos(a)]));
    const alone = program(1, ([a]) => [S.sin(S.cos(S.sin(a!)))]);
    const cases: Case[] = [
      { program: one, x: angles, chunkSize: 300 },
      ...angles.map((x) => ({ program: alone, x: [x], chunkSize: 300 })),
    ];
    runInC(cases).forEach((y, k) => {
      expect(y).toEqual(interpreted(cases[k]!));
    });
  });

  test("are those of the C library above 1e6 rad, also beside a small angle", () => {
    const pair = program(2, ([a, b]) => [S.sin(a!), S.cos(a!), S.sin(b!), S.cos(b!)]);
    const large: Case = { program: pair, x: [1.25e7, 0.5], chunkSize: 300 };
    const [y] = runInC([large]);
    const expected = interpreted(large);
    for (const [i, value] of y!.entries()) expect(Math.abs(value - expected[i]!)).toBeLessThanOrEqual(i < 2 ? 2 ** -52 : 0);
  });
});

test("long programs are divided into functions that compilers do not join", () => {
  const long = program(2, (x) => {
    let sum = x[0]!;
    for (let i = 0; i < 40; i++) sum = S.add(S.mul(sum, x[1]!), S.sin(sum));
    return [sum];
  });
  expect(cSource(long, { chunkSize: 10 }).match(/^SEPARATE static void chunk\d+/gm)!.length).toBeGreaterThan(3);
  expect(cSource(long)).not.toContain("SEPARATE");
});

test("the name of a program occurs only in a comment and as an identifier", () => {
  const hostile = "x */ int evil(void) { return 1; } /* \\\n#define y 2 ??/\u2028";
  const p = trace(hostile, { [hostile]: 1 }, (x) => ({ "*/ evil": [S.neg(x[hostile]![0]!)] }));
  expect(cName(p)).toMatch(/^castor_[A-Za-z0-9_]+$/);
  const source = cSource(p);
  const withoutComments = source.replace(/\/\*.*?\*\//gs, "");
  expect(withoutComments.split(cName(p)).join("NAME")).toBe(
    "\n#include <math.h>\n\nstatic void chunk0(const double *restrict x, double *restrict y) {\n  const double v0 = x[0];\n  y[0] = -v0;\n}\n\n" +
      "void NAME(const double *x, double *y);\nvoid NAME(const double *x, double *y) {\n  chunk0(x, y);\n}\n",
  );
  expect(cName({ ...p, name: "" })).toBe("castor_kernel");
  expect(cName({ ...p, name: "int" })).toBe("castor_int");
});

test("the source documents the layout of x and y", () => {
  const p = trace("pendulum", { q: 1, u: 2 }, ({ q, u }) => ({ udot: [S.mul(q[0]!, u[1]!)] }));
  expect(cSource(p)).toBe(`/*
 * pendulum: y = f(x). x and y must not overlap.
 *   x[0] q
 *   x[1..2] u
 *   y[0] udot
 */
#include <math.h>

static void chunk0(const double *restrict x, double *restrict y) {
  const double v0 = x[0];
  const double v2 = x[2];
  y[0] = v0 * v2;
}

void castor_pendulum(const double *x, double *y);
void castor_pendulum(const double *x, double *y) {
  chunk0(x, y);
}
`);
});

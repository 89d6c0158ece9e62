/** The dynamics kernels give the same numbers on every target: interpreter, JavaScript, WebAssembly, f64x2, C. */
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import * as programs from "../../src/dynamics/programs.ts";
import { cName, cSource } from "../../src/kernel/emit/c-source.ts";
import { compile } from "../../src/kernel/run/kernel.ts";
import { type Program, sizeOf } from "../../src/kernel/trace/program.ts";
import { createModel } from "../../src/model/build/create-model.ts";
import type { Model } from "../../src/model/model.ts";
import { randomModel, randomState } from "../fixtures/models/random-model.ts";

/** All targets run the same graph; only sin and cos may differ, by an ulp. */
const SAME = 1e-13;

function inputOf(model: Model, program: Program, seed: number): Float64Array {
  const { q, u, tau } = randomState(model, seed);
  const parts: Record<string, Float64Array> = { q, u, tau, udot: tau };
  return Float64Array.from(Object.keys(program.inputs).flatMap((key) => [...parts[key]!]));
}

function run(program: Program, x: Float64Array, target: "interpret" | "js" | "wasm"): Float64Array {
  const y = new Float64Array(sizeOf(program.outputs));
  compile(program, { target }).run(x, y);
  return y;
}

function pair(program: Program, a: Float64Array, b: Float64Array): [Float64Array, Float64Array] {
  const kernel = compile(program, { lanes: 2 });
  for (let i = 0; i < a.length; i++) {
    kernel.x[2 * i] = a[i]!;
    kernel.x[2 * i + 1] = b[i]!;
  }
  kernel.evaluate();
  const lane = (k: 0 | 1) => Float64Array.from({ length: kernel.y.length / 2 }, (_, i) => kernel.y[2 * i + k]!);
  return [lane(0), lane(1)];
}

function expectSame(a: Float64Array, b: Float64Array, tolerance: number, what: string): void {
  const scale = Math.max(1e-300, ...a.map(Math.abs));
  const worst = Math.max(0, ...a.map((v, i) => Math.abs(v - b[i]!)));
  expect(worst / scale, what).toBeLessThan(tolerance);
}

const programsOf = (model: Model): Program[] => [
  programs.forwardDynamics(model),
  programs.inverseDynamics(model),
  programs.massMatrix(model),
  programs.frameKinematics(model, [model.bodies.at(-1)!.name]),
  programs.momentumAndEnergy(model),
  programs.hingeWrenches(model),
];

test("interpret = js = wasm = f64x2 on the 300 random trees: forward dynamics, and every program on each sixth", () => {
  for (let seed = 0; seed < 300; seed++) {
    const model = createModel(randomModel(seed));
    for (const program of seed % 6 ? [programs.forwardDynamics(model)] : programsOf(model)) {
      const x = inputOf(model, program, seed);
      const other = inputOf(model, program, seed + 7);
      const oracle = run(program, x, "interpret");
      const what = `${program.name}, seed ${seed}`;
      expectSame(oracle, run(program, x, "js"), SAME, `${what}, js`);
      expectSame(oracle, run(program, x, "wasm"), SAME, `${what}, wasm`);
      const [first, second] = pair(program, x, other);
      expectSame(oracle, first, SAME, `${what}, f64x2 lane 0`);
      expectSame(run(program, other, "interpret"), second, SAME, `${what}, f64x2 lane 1`);
    }
  }
});

test("= C compiled with the system compiler", () => {
  const folder = mkdtempSync(join(tmpdir(), "castor-c-"));
  try {
    for (const seed of [2000, 2001, 2002]) {
      const model = createModel(randomModel(seed, { freedoms: 6 + (seed % 7) }));
      const program = programs.forwardDynamics(model);
      const x = inputOf(model, program, seed);
      const ny = sizeOf(program.outputs);
      const main = `#include <stdio.h>
int main(void) {
  double x[${x.length}], y[${ny}];
  FILE *in = fopen("x.bin", "rb"), *out = fopen("y.bin", "wb");
  if (!in || !out || fread(x, sizeof(double), ${x.length}, in) != ${x.length}) return 1;
  ${cName(program)}(x, y);
  if (fwrite(y, sizeof(double), ${ny}, out) != ${ny}) return 1;
  fclose(in); fclose(out);
  return 0;
}
`;
      writeFileSync(join(folder, "kernel.c"), cSource(program) + main);
      writeFileSync(join(folder, "x.bin"), new Uint8Array(x.buffer));
      const flags = ["-std=c99", "-Wall", "-Wextra", "-Werror", "-O2", "-o", "kernel", "kernel.c", "-lm"];
      execFileSync("cc", flags, { cwd: folder, stdio: "pipe" });
      execFileSync("./kernel", { cwd: folder });
      const bytes = readFileSync(join(folder, "y.bin"));
      const y = new Float64Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length));
      expectSame(run(program, x, "interpret"), y, SAME, `C, seed ${seed}`);
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
});

/** castor compile: the code in every language, called as the command describes, gives the results of the interpreter. */
import { spawnSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { type Model, programs } from "castor";
import { parseModel } from "castor/formats";
import { interpret } from "castor/kernel";
import { beforeAll, describe, expect, it } from "vitest";
import { castor, workFolder } from "../fixtures/installed.ts";
import { uniform } from "../fixtures/models/random-model.ts";

/** No target reorders operations; only sine, cosine and fused operations of the C compiler may differ in the last digits. */
const TOLERANCE = 1e-13;

interface Part {
  readonly name: string;
  readonly start: number;
  readonly size: number;
  readonly elements: readonly string[];
}

interface Report {
  readonly file: string;
  readonly bytes: number;
  readonly ops: number;
  readonly trig: number;
  readonly lanes: number;
  readonly inputs: readonly Part[];
  readonly outputs: readonly Part[];
  readonly call: {
    readonly function?: string;
    readonly memory?: { readonly x: number; readonly y: number; readonly scratch: number; readonly bytes: number };
  };
}

const MODEL = readFileSync(new URL("../../scenarios/satellite-manipulator/model.yaml", import.meta.url), "utf8");
const model: Model = parseModel(MODEL);
const OPTIONS = { wrenches: ["tip"], parameters: ["hand.mass", "hand.com.x"] };
const program = programs.forwardDynamics(model, OPTIONS);

/** Random inputs; the mass must be positive. */
function inputs(seed: number): Float64Array {
  const next = uniform(seed);
  const x = Float64Array.from({ length: 11 + 10 + 10 + 6 + 2 }, () => 2 * next() - 1);
  x[37] = 20 + 10 * next();
  return x;
}

function expected(x: Float64Array): Float64Array {
  const y = new Float64Array(10);
  interpret(program, x, y);
  return y;
}

function expectSame(actual: ArrayLike<number>, wanted: ArrayLike<number>): void {
  const scale = Math.max(...Array.from(wanted, Math.abs));
  expect(actual.length).toBe(wanted.length);
  for (let i = 0; i < wanted.length; i++) expect(Math.abs(actual[i]! - wanted[i]!) / scale, `y[${i}]`).toBeLessThan(TOLERANCE);
}

let folder: string;
beforeAll(() => {
  folder = workFolder();
  writeFileSync(join(folder, "model.yaml"), MODEL);
});

function compiled(...words: string[]): Report {
  const { status, stdout, stderr } = castor(folder, ["compile", "model.yaml", ...words, "--json"]);
  expect([status, stderr]).toEqual([0, ""]);
  return JSON.parse(stdout) as Report;
}

const FORWARD = ["--wrenches", "tip", "--parameters", "hand.mass,hand.com.x"];

describe("compile", () => {
  it("to wasm, instantiated by hand", async () => {
    const { call, bytes, lanes } = compiled(...FORWARD, "-o", "fd.wasm");
    const file = readFileSync(join(folder, "fd.wasm"));
    expect([file.length, lanes]).toEqual([bytes, 1]);
    const { x, y, scratch, bytes: needed } = call.memory!;
    const memory = new WebAssembly.Memory({ initial: Math.ceil(needed / 65536) });
    const { instance } = await WebAssembly.instantiate(file, { castor: { memory }, math: { sin: Math.sin, cos: Math.cos } });
    const evaluate = instance.exports.evaluate as (x: number, y: number, scratch: number) => void;
    new Float64Array(memory.buffer, x, 39).set(inputs(1));
    evaluate(x, y, scratch);
    expectSame(new Float64Array(memory.buffer, y, 10), expected(inputs(1)));
  });

  it("to wasm with two states per call", async () => {
    const { call, lanes } = compiled(...FORWARD, "--lanes", "2", "-o", "fd2.wasm");
    expect(lanes).toBe(2);
    const { x, y, scratch, bytes: needed } = call.memory!;
    const memory = new WebAssembly.Memory({ initial: Math.ceil(needed / 65536) });
    const imports = { castor: { memory }, math: { sin: Math.sin, cos: Math.cos } };
    const { instance } = await WebAssembly.instantiate(readFileSync(join(folder, "fd2.wasm")), imports);
    const states = [inputs(2), inputs(3)];
    const both = new Float64Array(memory.buffer, x, 2 * 39);
    for (const [k, state] of states.entries()) for (const [i, v] of state.entries()) both[2 * i + k] = v;
    (instance.exports.evaluate as (x: number, y: number, scratch: number) => void)(x, y, scratch);
    const out = new Float64Array(memory.buffer, y, 2 * 10);
    for (const [k, state] of states.entries())
      expectSame(
        out.filter((_, i) => i % 2 === k),
        expected(state),
      );
  });

  it("to js, imported as a module", async () => {
    compiled(...FORWARD, "-o", "fd.mjs");
    const { evaluate } = (await import(pathToFileURL(join(folder, "fd.mjs")).href)) as {
      evaluate: (x: Float64Array, y: Float64Array) => void;
    };
    const y = new Float64Array(10);
    evaluate(inputs(4), y);
    expectSame(y, expected(inputs(4)));
  });

  it("to c, compiled without warnings", () => {
    const { call, inputs: parts } = compiled(...FORWARD, "--target", "c", "-o", "fd.c");
    const x = inputs(5);
    writeFileSync(
      join(folder, "main.c"),
      `#include <stdio.h>
void ${call.function}(const double *x, double *y);
int main(void) {
  const double x[] = { ${[...x].join(", ")} };
  double y[10];
  ${call.function}(x, y);
  for (int i = 0; i < 10; i++) printf("%.17g\\n", y[i]);
  return 0;
}
`,
    );
    const flags = ["-std=c99", "-Wall", "-Wextra", "-Werror", "-O2", "-ffp-contract=off"];
    const built = spawnSync("cc", [...flags, "main.c", "fd.c", "-lm", "-o", "fd"], { cwd: folder, encoding: "utf8" });
    expect(built.stderr).toBe("");
    const run = spawnSync(join(folder, "fd"), { encoding: "utf8" });
    expectSame(run.stdout.trim().split("\n").map(Number), expected(x));
    expect(parts.map(({ name, start, size }) => [name, start, size])).toEqual([
      ["q", 0, 11],
      ["u", 11, 10],
      ["tau", 21, 10],
      ["w", 31, 6],
      ["parameters", 37, 2],
    ]);
  });

  const QUANTITIES = {
    "forward-dynamics": { q: 11, u: 10, tau: 10, out: { udot: 10 } },
    "inverse-dynamics": { q: 11, u: 10, udot: 10, out: { tau: 10 } },
    "bias-force": { q: 11, u: 10, out: { bias: 10 } },
    "mass-matrix": { q: 11, out: { mass: 100 } },
    "frame-kinematics": { q: 11, u: 10, out: { pose: 12, jacobian: 60, bias: 6 } },
    "body-poses": { q: 11, out: { pose: 60 } },
    "momentum-energy": { q: 11, u: 10, out: { momentum: 6, energy: 2, centre: 3 } },
    "free-flying": {
      ...{ q: 11, u: 10 },
      out: {
        ...{ Hs: 36, Hm: 24, Hphi: 16, c: 10, Js: 36, Jm: 24, Jb: 24, ab: 6, baseDrift: 6, Hstar: 16, Cstar: 4 },
        ...{ Jstar: 24, drift: 6, bias: 6, pose: 12, velocity: 6, momentum: 6, spin: 3 },
      },
    },
    "hinge-wrenches": { q: 11, u: 10, udot: 10, out: { wrenches: 30 } },
    "coordinate-rates": { q: 11, u: 10, out: { qdot: 11 } },
  };

  it.each(Object.entries(QUANTITIES))("prints the layout of %s", (quantity, { out, ...into }) => {
    const report = compiled("--quantity", quantity, "-o", "any.wasm");
    const sizes = (parts: readonly Part[]): object => Object.fromEntries(parts.map(({ name, size }) => [name, size]));
    expect(sizes(report.inputs)).toEqual(into);
    expect(sizes(report.outputs)).toEqual(out);
    for (const part of [...report.inputs, ...report.outputs]) {
      expect(part.elements).toHaveLength(part.size);
      expect(new Set(part.elements).size).toBe(part.size);
    }
  });

  it("compiles machines with loops by partition, with the savings by zeros; forward dynamics warns that it ignores loops", () => {
    const words = ["compile", "docking-ring-6-legs", "--quantity", "partitioned-dynamics", "-o", "ring.wasm"];
    const report = JSON.parse(castor(folder, [...words, "--json"]).stdout) as {
      reduction: { eliminated: number; kept: number };
      outputs: readonly Part[];
    };
    expect(report.reduction.kept / report.reduction.eliminated).toBeGreaterThan(2.5);
    expect(report.outputs.map(({ name, size }) => [name, size])).toEqual([
      ["udot", 30],
      ["lambda", 18],
      ["pivot", 1],
    ]);
    expect(report.outputs[1]!.elements).toHaveLength(18);
    const open = castor(folder, ["compile", "docking-ring-6-legs", "-o", "tree.wasm"]);
    expect(open.stdout).toMatch(/^this quantity ignores the loops of the model \(6\): use --quantity partitioned-dynamics$/m);
    const none = castor(folder, ["compile", "model.yaml", "--quantity", "partitioned-dynamics", "-o", "none.wasm"]);
    expect([none.status, none.stderr]).toEqual([1, expect.stringMatching(/has no loops: use --quantity forward-dynamics/)]);
  });

  it("has forces of actuated hinges only, if these are given", () => {
    const { inputs: parts } = compiled("--actuated", "waist", "--actuated", "hand", "-o", "few.wasm");
    expect(parts.find(({ name }) => name === "tau")?.elements).toEqual(["waist", "hand"]);
  });

  it("describes how to call the code", () => {
    const { stdout, status } = castor(folder, ["compile", "model.yaml", "-o", "words.c"]);
    expect(status).toBe(0);
    expect(stdout).toMatch(/^\d+ operations, 8 sines and cosines, [\d.]+ kB$/m);
    expect(stdout).toContain("x[11..20]  u: satellite.wx, satellite.wy, satellite.wz, ..., hand");
    expect(stdout).toContain("void castor_satellite_with_a_four_link_manipulator_forward_dynamics(const double *x, double *y);");
    expect(castor(folder, ["compile", "model.yaml", "-o", "words.wasm"]).stdout).toContain("castor.memory, math.sin, math.cos");
  });

  it("leaves no files if it cannot write", () => {
    for (const place of ["no/such/folder/x.c", ".", "model.yaml/x.c"]) {
      const { status, stderr } = castor(folder, ["compile", "model.yaml", "--target", "c", "-o", place]);
      expect(status).toBe(1);
      expect(stderr).toMatch(/^castor: cannot write .*: (its folder does not exist|it is a folder|a part of its path is a file)/);
    }
    expect(readdirSync(folder).filter((name) => name.endsWith(".tmp"))).toEqual([]);
    expect(existsSync(join(folder, "no"))).toBe(false);
  });
});

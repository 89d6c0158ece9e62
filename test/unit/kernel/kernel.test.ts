import { describe, expect, test } from "vitest";
import { compile, compileAsync, wasmModule } from "../../../src/kernel/run/compile.ts";
import { jsSource, KernelMemory, type Target } from "../../../src/kernel/run/kernel.ts";
import { costOf, trace } from "../../../src/kernel/trace/program.ts";
import * as S from "../../../src/kernel/trace/scalar.ts";

const TARGETS: readonly Target[] = ["wasm", "js", "interpret"];

const program = trace("circle", { angle: 1, radius: 1 }, ({ angle: [a], radius: [r] }) => ({
  point: [S.mul(r!, S.cos(a!)), S.mul(r!, S.sin(a!))],
  area: [S.mul(Math.PI, S.square(r!))],
}));

describe.each(TARGETS)("target %s", (target) => {
  test("a kernel has the properties of its program", () => {
    const kernel = compile(program, { target });
    expect(kernel).toMatchObject({
      name: "circle",
      target,
      lanes: 1,
      inputs: { angle: 1, radius: 1 },
      outputs: { point: 2, area: 1 },
    });
    expect(kernel.ops).toBe(4);
    expect(kernel.x.length).toBe(2);
    expect(kernel.y.length).toBe(3);
  });

  test("evaluate uses the arrays of the kernel, run uses those of the caller", () => {
    const kernel = compile(program, { target });
    kernel.x.set([0, 2]);
    kernel.evaluate();
    expect([...kernel.y]).toEqual([2, 0, Math.PI * 4]);
    const y = new Float64Array(3);
    kernel.run(Float64Array.of(0, 3), y);
    expect([...y]).toEqual([3, 0, Math.PI * 9]);
  });

  test("two states are interleaved", async () => {
    const kernel = await compileAsync(program, { target, lanes: 2 });
    expect(kernel.lanes).toBe(2);
    const y = new Float64Array(6);
    kernel.run(Float64Array.of(0, 0, 2, 3), y);
    expect([...y]).toEqual([2, 3, 0, 0, Math.PI * 4, Math.PI * 9]);
  });

  test("arrays of wrong length are rejected by name", () => {
    const kernel = compile(program, { target });
    expect(() => kernel.run(new Float64Array(3), new Float64Array(3))).toThrow("kernel circle: x has 3 numbers, expected 2");
    expect(() => kernel.run(new Float64Array(2), new Float64Array(2))).toThrow("kernel circle: y has 2 numbers, expected 3");
  });
});

describe("kernels that share a memory", () => {
  test("do not affect each other", () => {
    const memory = new KernelMemory();
    const kernels = [1, 2, 3].map((k) => {
      const p = trace(`k${k}`, { x: 3 }, ({ x }) => ({ y: x.map((v, i) => S.add(S.mul(k, v), S.mul(v, x[(i + 1) % 3]!))) }));
      return compile(p, { memory, chunkSize: 1 });
    });
    for (const [i, kernel] of kernels.entries()) kernel.x.set([i, i + 1, i + 2]);
    for (const kernel of kernels) kernel.evaluate();
    kernels.forEach((kernel, i) => {
      const x = [i, i + 1, i + 2];
      expect([...kernel.x]).toEqual(x);
      expect([...kernel.y]).toEqual(x.map((v, j) => (i + 1) * v + v * x[(j + 1) % 3]!));
    });
    expect(new Set(kernels.map((kernel) => kernel.x.buffer)).size).toBe(1);
  });

  test("keep their values and return new views when the memory grows", () => {
    const memory = new KernelMemory();
    const kernel = compile(program, { memory });
    const before = kernel.x;
    before.set([0, 5]);
    memory.allocate(10 * 65536);
    expect(before.length).toBe(0); // growth detaches old views
    expect([...kernel.x]).toEqual([0, 5]);
    kernel.evaluate();
    expect(kernel.y[0]).toBe(5);
    const y = new Float64Array(3);
    kernel.run(Float64Array.of(0, 6), y);
    expect(y[0]).toBe(6);
  });

  test("a separate memory has exactly the needed size and never grows", () => {
    const n = 20_000; // 3 pages of inputs, 3 of outputs
    const kernel = compile(trace("copy", { x: n }, ({ x }) => ({ y: x })));
    kernel.x.forEach((_, i) => {
      kernel.x[i] = i;
    });
    kernel.evaluate();
    expect(kernel.y[n - 1]).toBe(n - 1);
  });
});

describe("emitted code", () => {
  test("evaluates at any address", () => {
    const memory = new WebAssembly.Memory({ initial: 1 });
    const module = new WebAssembly.Module(wasmModule(program, { chunkSize: 2 }).bytes);
    const { exports } = new WebAssembly.Instance(module, { castor: { memory }, math: { sin: Math.sin, cos: Math.cos } });
    const evaluate = exports.evaluate as (x: number, y: number, scratch: number) => void;
    const doubles = new Float64Array(memory.buffer);
    doubles.set([0, 7], 100);
    evaluate(8 * 100, 8 * 3, 8 * 200);
    expect([...doubles.slice(3, 6)]).toEqual([7, 0, Math.PI * 49]);
  });

  test("writes only its outputs and its scratch memory", () => {
    const wide = trace("wide", { x: 1 }, ({ x }) => {
      const roots = Array.from({ length: 20 }, (_, k) => S.sqrt(S.add(x[0]!, k)));
      return { y: [S.sum([...roots, ...roots.toReversed().map((r) => S.mul(r, r))])] };
    });
    for (const lanes of [1, 2] as const) {
      const { bytes, scratchBytes } = wasmModule(wide, { lanes, chunkSize: 5, registers: 4 });
      expect(scratchBytes).toBeGreaterThan(8 * lanes * 10);
      const memory = new WebAssembly.Memory({ initial: 1 });
      const imports = { castor: { memory }, math: { sin: Math.sin, cos: Math.cos } };
      const evaluate = new WebAssembly.Instance(new WebAssembly.Module(bytes), imports).exports.evaluate as (
        ...addresses: number[]
      ) => void;
      const before = new Float64Array(memory.buffer).fill(1);
      evaluate(0, 64, 1024);
      const changed = [...before.keys()].filter((i) => before[i] !== 1);
      const isOwn = (i: number): boolean =>
        (8 * i >= 64 && 8 * i < 64 + 8 * lanes) || (8 * i >= 1024 && 8 * i < 1024 + scratchBytes);
      expect(changed.filter((i) => !isOwn(i))).toEqual([]);
      expect(changed.length).toBeGreaterThan(lanes);
    }
  });

  test("has the same bytes every time", () => {
    expect(wasmModule(program)).toEqual(wasmModule(program));
  });

  test("is a valid JavaScript module for any name", async () => {
    const source = jsSource({ ...program, name: "circle\n*/ throw new Error('injected') //\u2028throw 1" });
    const { evaluate } = await import(`data:text/javascript,${encodeURIComponent(source)}`);
    const y = new Float64Array(3);
    evaluate(Float64Array.of(0, 2), y);
    expect([...y]).toEqual([2, 0, Math.PI * 4]);
  });
});

test("operation counts: signs are free, sines are counted separately, common subexpressions once", () => {
  const p = trace("count", { x: 2 }, ({ x: [a, b] }) => {
    const product = S.mul(a!, b!);
    return { y: [S.neg(product), S.add(product, S.sin(a!)), S.sub(S.mul(b!, a!), S.sqrt(S.abs(b!))), S.mul(1, S.add(0, a!))] };
  });
  expect(costOf(p)).toEqual({ ops: 5, trig: 1 });
});

test("a program of 25 000 operations is emitted and compiled", () => {
  const p = trace("large", { x: 8 }, ({ x }) => {
    let row: readonly S.Scalar[] = x;
    for (let k = 0; k < 1600; k++)
      row = row.map((v, i) => S.add(S.mul(0.5 + i / 64, v), S.mul(row[(i + 1) % 8]!, (k % 7) / 16 - 0.2)));
    return { y: row };
  });
  expect(costOf(p).ops).toBeGreaterThan(25_000);
  const x = Float64Array.from({ length: 8 }, (_, i) => i - 3.5);
  const [wasm, js, oracle] = TARGETS.map((target) => {
    const y = new Float64Array(8);
    compile(p, { target }).run(x, y);
    return y;
  });
  expect(wasm).toEqual(oracle);
  expect(js).toEqual(oracle);
});

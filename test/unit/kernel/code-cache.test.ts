/** Cached code belongs to the form of a program and runs with the constants of each program. */
import { afterEach, describe, expect, it, vi } from "vitest";
import { interpret } from "../../../src/kernel/emit/interpret.ts";
import { emitWasm } from "../../../src/kernel/emit/wasm/emit-program.ts";
import { CodeCache } from "../../../src/kernel/run/code-cache.ts";
import { compile } from "../../../src/kernel/run/kernel.ts";
import { type Program, trace } from "../../../src/kernel/trace/program.ts";
import { add, cos, mul, mulByUnsharedConstant, type Scalar, sin, sub } from "../../../src/kernel/trace/scalar.ts";

/** A program with one term per number. */
const program = (name: string, numbers: readonly number[]): Program =>
  trace(name, { x: 2 }, ({ x }) => {
    let sum: Scalar = 0;
    for (const number of numbers) sum = add(mul(number, sin(add(x[0]!, sum))), mul(sum, cos(x[1]!)));
    return { y: [sum, sub(sum, x[1]!), numbers[0]!] };
  });

function expectRight(of: Program, lanes: 1 | 2 = 1): void {
  const x = Float64Array.of(0.3, -1.7);
  const expected = new Float64Array(of.results.length);
  interpret(of, x, expected);
  const kernel = compile(of, { lanes });
  for (let i = 0; i < x.length * lanes; i++) kernel.x[i] = x[Math.floor(i / lanes)]!;
  kernel.evaluate();
  for (let lane = 0; lane < lanes; lane++)
    expect(Array.from(expected, (_, i) => kernel.y[i * lanes + lane]!)).toEqual([...expected]);
}

/** Sizes of the modules that are compiled while `action` runs. */
function compiledBy(action: () => void): number[] {
  const sizes: number[] = [];
  const Module = WebAssembly.Module;
  const watched = class extends Module {
    constructor(bytes: BufferSource) {
      super(bytes);
      sizes.push(bytes.byteLength);
    }
  };
  vi.stubGlobal("WebAssembly", Object.create(WebAssembly, { Module: { value: watched } }));
  action();
  vi.unstubAllGlobals();
  return sizes;
}

afterEach(() => vi.unstubAllGlobals());

describe("cached code", () => {
  it.each([1, 2] as const)("runs with the constants of the program, %i states at a time", (lanes) => {
    const cache = new CodeCache(1e6);
    const codes = [
      [1.25, -3.5, 7.75],
      [1.25, -3.5, 7.75],
      [2.25, -1e-9, 4.5],
      [2.25, 2.25, 4.5], // two equal constants are one node: another form
      [1, 0.1, 0.2], // a factor of one is folded
      [1.25, -3.5, 7.75],
    ].map((numbers) => {
      const one = program("one", numbers);
      expectRight(one, lanes);
      return cache.codeOf(one, { lanes });
    });
    expect(codes.map((of) => codes.findIndex(({ code }) => code === of.code))).toEqual([0, 0, 0, 3, 4, 0]);
    expect([...codes[2]!.numbers]).toEqual([2.25, 1e-9, 4.5]); // signs are separate operations
  });

  it("keeps the constants of sine and cosine, even if the program has equal ones", () => {
    const source = emitWasm(program("any", [3.25]));
    const view = new DataView(source.bytes.buffer);
    const ofSine = Array.from({ length: source.bytes.length - 8 }, (_, i) => view.getFloat64(i, true)).filter(
      (v) => Math.abs(v) > 1e-12 && Math.abs(v) < 1e12 && v !== 3.25,
    );
    expect(ofSine.length).toBeGreaterThan(5);
    for (const number of ofSine) {
      expectRight(program("as sine", [number, 5.5]));
      expectRight(program("other", [9.125, 5.5]));
    }
  });

  it("is one module per form", () => {
    const [first, again, other] = [[0.75, 4] as const, [0.75, 4] as const, [0.25, 3] as const].map((n) =>
      compile(program("a", n)),
    );
    expect(again!.code!.module).toBe(first!.code!.module);
    expect(other!.code!.module).toBe(first!.code!.module);
    for (const kernel of [first!, again!, other!]) {
      kernel.x.set([1, 2]);
      kernel.evaluate();
    }
    expect([...again!.y]).toEqual([...first!.y]);
    expect(other!.y[2]).toBe(0.25);
    again!.x.set([0, 0]);
    expect([...first!.x]).toEqual([1, 2]); // memory is not shared
    const product = (of: 0 | 1): Program => trace("p", { x: 2 }, ({ x }) => ({ y: [mul(0.75, x[of]!)] }));
    const [left, right] = [compile(product(0)), compile(product(1))];
    for (const kernel of [left, right]) {
      kernel.x.set([4, 8]);
      kernel.evaluate();
    }
    expect([left.y[0], right.y[0]]).toEqual([3, 6]);
  });

  it("is not compiled again for other constants; two states per call need a helper module", () => {
    for (const lanes of [1, 2] as const) compile(program("before", [6.5, 7.25, 9.75]), { lanes });
    expect(compiledBy(() => expectRight(program("after", [1.5, 7.75, 0.25]), 1))).toEqual([]);
    const ofPairs = compiledBy(() => expectRight(program("after", [1.5, 7.75, 0.25]), 2));
    expect(ofPairs.length).toBe(1);
    expect(ofPairs[0]).toBeLessThan(150);
    expect(compiledBy(() => compile(program("another form", [1.5, 7.75, 0.25, 8.5]))).length).toBe(1);
  });

  it("does not depend on unshared constants, even if they are one, zero or equal", () => {
    const watched = (weights: readonly number[]): Program =>
      trace("weights", { x: 2 }, ({ x }) => ({
        y: [
          weights.reduce(
            (sum: Scalar, w, i) => add(sum, mulByUnsharedConstant(mul(x[i % 2]!, add(x[0]!, i + 2)), w)),
            mul(3, x[1]!),
          ),
        ],
      }));
    const cache = new CodeCache(1e6);
    const programs = [
      [2, 3, 4, 5],
      [2, 2, 2, 2],
      [1, 0, -1, 3],
      [3, 3, 4, 2.5],
    ].map(watched);
    expect(new Set(programs.map((one) => cache.codeOf(one).code)).size).toBe(1);
    for (const one of programs) expectRight(one);
    expect(() => watched([Number.NaN])).toThrow("must be finite");
  });

  it("contains the constants if there are more than a module can import", () => {
    const many = (first: number): Program =>
      trace("many", { x: 2 }, ({ x }) => ({
        y: Array.from({ length: 100_100 }, (_, i) => first + i / 3).concat(mul(2, x[0]!) as never),
      }));
    const cache = new CodeCache(1e8);
    const [one, other] = [cache.codeOf(many(0.5)), cache.codeOf(many(0.75))];
    expect(one.code).not.toBe(other.code);
    expect(cache.codeOf(many(0.5)).code).toBe(one.code);
    expectRight(many(0.75));
  });

  it("is removed when the cache is full, least recently used first", () => {
    const cache = new CodeCache(8e3);
    const [small, other] = [program("small", [6.5]), program("other", [6.5, 2.5])];
    const { code } = cache.codeOf(small);
    expect(cache.codeOf(small).code).toBe(code);
    cache.codeOf(other);
    expect(cache.codeOf(small).code).toBe(code);
    const large = program(
      "large",
      Array.from({ length: 100 }, (_, k) => 2 + k / 7),
    );
    cache.codeOf(large);
    expect(cache.codeOf(small).code).not.toBe(code);
    expect(emitWasm(large).bytes.length).toBeGreaterThan(5e3);
  });
});

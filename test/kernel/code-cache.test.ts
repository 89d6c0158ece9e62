/** Code that is kept between compilations is that of the program, whatever was compiled before. */
import { describe, expect, it } from "vitest";
import { CodeCache } from "../../src/kernel/code-cache.ts";
import { emitWasm } from "../../src/kernel/emit-wasm.ts";
import { interpret } from "../../src/kernel/interpret.ts";
import { compile } from "../../src/kernel/kernel.ts";
import { type Program, trace } from "../../src/kernel/program.ts";
import { add, cos, mul, type Scalar, sin, sub } from "../../src/kernel/scalar.ts";

/** A sum that is as long as there are numbers. */
const program = (name: string, numbers: readonly number[]): Program =>
  trace(name, { x: 2 }, ({ x }) => {
    let sum: Scalar = 0;
    for (const number of numbers) sum = add(mul(number, sin(add(x[0]!, sum))), mul(sum, cos(x[1]!)));
    return { y: [sum, sub(sum, x[1]!), numbers[0]!] };
  });

function expectRight(of: Program, lanes: 1 | 2 = 1): void {
  const x = Float64Array.of(0.3, -1.7);
  const expected = new Float64Array(3);
  interpret(of, x, expected);
  const kernel = compile(of, { lanes });
  for (let i = 0; i < x.length * lanes; i++) kernel.x[i] = x[Math.floor(i / lanes)]!;
  kernel.evaluate();
  expect(Array.from({ length: 3 }, (_, i) => kernel.y[i * lanes]!)).toEqual([...expected]);
}

describe("code that is kept", () => {
  it.each([1, 2] as const)("has the numbers of the program, %i at a time", (lanes) => {
    const cache = new CodeCache(1e6);
    for (const numbers of [
      [1.25, -3.5, 7.75],
      [1.25, -3.5, 7.75],
      [2.25, 1e-9, 4.5],
      [2.25, 2.25, 4.5], // two of the same are one node: another form
      [1, 0.1, 0.2], // ones vanish
      [1.25, -3.5, 7.75],
    ]) {
      const one = program("one", numbers);
      expect([...cache.codeOf(one, { lanes }).bytes]).toEqual([...emitWasm(one, { lanes }).bytes]);
      expectRight(one, lanes);
    }
  });

  it("keeps the numbers of sine and cosine, also where the program has the same", () => {
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

  it("is compiled once for the same numbers, and belongs to one form only", () => {
    const [first, again] = [compile(program("a", [0.75, 4])), compile(program("b", [0.75, 4]))];
    expect(again.code!.module).toBe(first.code!.module);
    expect([again.name, again.ops]).toEqual(["b", first.ops]);
    again.x.set([1, 2]);
    again.evaluate();
    expect([...first.x]).toEqual([0, 0]); // memory is not shared
    const product = (of: 0 | 1): Program => trace("p", { x: 2 }, ({ x }) => ({ y: [mul(0.75, x[of]!)] }));
    const [left, right] = [compile(product(0)), compile(product(1))];
    for (const kernel of [left, right]) {
      kernel.x.set([4, 8]);
      kernel.evaluate();
    }
    expect([left.y[0], right.y[0]]).toEqual([3, 6]);
  });

  it("is given up where there is too much of it", () => {
    const cache = new CodeCache(8e3);
    const [small, other] = [program("small", [6.5]), program("other", [6.5, 2.5])];
    const code = cache.codeOf(small);
    expect(cache.codeOf(small)).toBe(code);
    cache.codeOf(other);
    expect(cache.codeOf(small)).toBe(code);
    const large = program(
      "large",
      Array.from({ length: 100 }, (_, k) => 2 + k / 7),
    );
    cache.codeOf(large);
    expect(cache.codeOf(small)).not.toBe(code);
    expect(emitWasm(large).bytes.length).toBeGreaterThan(5e3);
  });
});

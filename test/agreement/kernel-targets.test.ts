/** Every target computes what the interpreter computes, on random programs and on the shapes that broke emitters before. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { interpret } from "../../src/kernel/emit/interpret.ts";
import { compile } from "../../src/kernel/run/compile.ts";
import type { CompileOptions } from "../../src/kernel/run/kernel.ts";
import { KernelMemory } from "../../src/kernel/run/memory.ts";
import { type Program, sizeOf, trace } from "../../src/kernel/trace/program.ts";
import * as S from "../../src/kernel/trace/scalar.ts";
import { inputValues, programOf, recipes } from "../fixtures/random-program.ts";

const CHUNK_SIZES = [1, 3, 17, 300];

function evaluated(program: Program, x: readonly number[], options: CompileOptions): Float64Array {
  const kernel = compile(program, options);
  kernel.x.set(x);
  kernel.evaluate();
  return kernel.y.slice();
}

function interpreted(program: Program, x: readonly number[]): Float64Array {
  const y = new Float64Array(sizeOf(program.outputs));
  interpret(program, Float64Array.from(x), y);
  return y;
}

const interleaved = (a: readonly number[], b: readonly number[]): number[] => a.flatMap((v, i) => [v, b[i]!]);

/** Every target and chunk size against the interpreter, on two states. */
function expectAgreement(program: Program, xa: readonly number[], xb: readonly number[]): void {
  const oracle = [interpreted(program, xa), interpreted(program, xb)];
  const memory = new KernelMemory();
  expect(evaluated(program, xa, { rolled: true })).toEqual(oracle[0]);
  const rolledPair = evaluated(program, interleaved(xa, xb), { rolled: true, lanes: 2 });
  expect(rolledPair).toEqual(Float64Array.from(interleaved([...oracle[0]!], [...oracle[1]!])));
  for (const chunkSize of CHUNK_SIZES) {
    const js = evaluated(program, xa, { target: "js", chunkSize });
    expect(js).toEqual(oracle[0]);
    const wasm = [xa, xb].map((x) => evaluated(program, x, { chunkSize, memory }));
    wasm.forEach((y, k) => {
      y.forEach((value, i) => {
        expect(value).toBe(oracle[k]![i]!);
      });
    });
    for (const registers of [0, 1, 5]) expect(evaluated(program, xa, { chunkSize, memory, registers })).toEqual(wasm[0]);
    const both = evaluated(program, interleaved(xa, xb), { chunkSize, memory, lanes: 2 });
    expect(both).toEqual(Float64Array.from(interleaved([...wasm[0]!], [...wasm[1]!])));
  }
}

const program = (inputs: number, body: (x: readonly S.Scalar[]) => readonly S.Scalar[]): Program =>
  trace("case", { x: inputs }, ({ x }) => ({ y: body(x) }));

describe("interpret = js = wasm = both lanes of f64x2", () => {
  test("on random programs", () => {
    const cases = recipes(60).chain((recipe) =>
      fc.tuple(fc.constant(recipe), inputValues(recipe.inputs), inputValues(recipe.inputs)),
    );
    fc.assert(
      fc.property(cases, ([recipe, xa, xb]) => {
        expectAgreement(programOf(recipe).program, xa, xb);
      }),
      { numRuns: 150 },
    );
  });

  test("on long programs, with the chunk size that is used in earnest", () => {
    fc.assert(
      fc.property(recipes(2500), inputValues(6), (recipe, x) => {
        const { program } = programOf({ ...recipe, inputs: 6 });
        expect(evaluated(program, x, {})).toEqual(interpreted(program, x));
        expect(evaluated(program, x, { rolled: true })).toEqual(interpreted(program, x));
      }),
      { numRuns: 20 },
    );
  });

  test("where outputs are constants, inputs, repeated, or used further on", () => {
    const cases: Record<string, Program> = {
      constants: program(1, () => [1, -2.5, 0, 1e-300]),
      inputs: program(3, (x) => [x[2]!, x[0]!, x[0]!, x[1]!]),
      nothing: program(2, () => []),
      repeated: program(2, (x) => [S.add(x[0]!, x[1]!), 3, S.add(x[1]!, x[0]!)]),
      "used further on": program(2, (x) => {
        const product = S.mul(x[0]!, x[1]!);
        return [product, S.sqrt(S.abs(product)), S.add(product, 1), product, S.neg(product)];
      }),
      "a sine that is an output, a cosine that is used": program(2, (x) => [S.sin(x[0]!), S.mul(x[1]!, S.cos(x[0]!))]),
      "only a cosine": program(1, (x) => [S.cos(x[0]!)]),
    };
    for (const p of Object.values(cases)) {
      const n = sizeOf(p.inputs);
      expectAgreement(p, [1.25, -0.5, 3].slice(0, n), [-7, 0.125, -0].slice(0, n));
    }
  });

  test("where outputs, scratch and locals are used again and again", () => {
    // Each round reads values of the first round, so that early values cross every chunk while others die at once.
    const p = program(4, (x) => {
      const early = x.map((v, i) => S.mul(v, S.add(v, i + 1)));
      const outputs = [...early];
      let last = early;
      for (let round = 0; round < 40; round++) {
        last = last.map((v, i) => S.sub(S.mul(0.5, v), S.mul(early[(i + round) % 4]!, S.div(last[(i + 1) % 4]!, 3 + round))));
        outputs.push(last[round % 4]!);
      }
      return outputs;
    });
    expectAgreement(p, [0.1, 0.2, 0.3, 0.4], [-1, 0.7, -0.2, 2]);
  });

  test("for NaN, infinities and zeros of both signs, in every operation", () => {
    const p = program(3, ([a, b, c]) => [
      S.add(a!, b!),
      S.sub(a!, b!),
      S.mul(a!, b!),
      S.div(a!, b!),
      S.neg(a!),
      S.sqrt(a!),
      S.abs(a!),
      S.min(a!, b!),
      S.max(a!, b!),
      S.select(a!, b!, c!),
      S.select(S.sub(a!, b!), S.min(a!, c!), S.max(b!, c!)),
    ]);
    const special = [Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, 0, -0, 1, -1, 5e-324];
    const memory = new KernelMemory();
    const one = compile(p, { memory });
    const two = compile(p, { memory, lanes: 2 });
    for (const a of special) {
      for (const b of special) {
        const [xa, xb] = [
          [a, b, 2],
          [b, a, -3],
        ] as const;
        const expected = [interpreted(p, xa), interpreted(p, xb)] as const;
        one.x.set(xa);
        one.evaluate();
        expect(one.y).toEqual(expected[0]);
        two.x.set(interleaved(xa, xb));
        two.evaluate();
        expect(two.y).toEqual(Float64Array.from(interleaved([...expected[0]], [...expected[1]])));
      }
    }
  });
});

/** Kernels: compiled programs y = f(x) on flat arrays of doubles. */

import { checkOptions, checkVector, refuseArgument } from "../../arguments.ts";
import { ArgumentError } from "../../errors.ts";
import { interpret } from "../emit/interpret.ts";
import { jsDeclarations } from "../emit/js-source.ts";
import type { ModuleExtension } from "../emit/wasm/emit-program.ts";
import { costOf, type NamedSizes, offsetsOf, type Program, sizeOf } from "../trace/program.ts";
import { CODE_CACHE, type FormCode } from "./code-cache.ts";
import { arrayAsImports, constantImports, instantiateEvaluate, type KernelCode, kernelCode } from "./kernel-code.ts";
import { KernelMemory } from "./memory.ts";

export { cName, cSource } from "../emit/c-source.ts";
export { jsSource } from "../emit/js-source.ts";
export type { WasmKernel } from "../emit/wasm/emit-program.ts";
export type { EvaluateFunction, KernelCode } from "./kernel-code.ts";
export { instantiateEvaluate, instantiateExports } from "./kernel-code.ts";
export { KernelMemory } from "./memory.ts";

export type Target = "wasm" | "js" | "interpret";

export interface Kernel<I extends NamedSizes = NamedSizes, O extends NamedSizes = NamedSizes> {
  readonly name: string;
  readonly inputs: I;
  readonly outputs: O;
  readonly target: Target;
  /** States per call. With 2, element i of state k is x[2 i + k], and y likewise. */
  readonly lanes: 1 | 2;
  /** Number of operations of one call, as in `costOf`. */
  readonly ops: number;
  /** Views of the inputs by name, e.g. `kernel.in.q.set(q)`. With a shared memory, read a view again after the memory may have grown. */
  readonly in: NamedViews<I>;
  /** Views of the outputs by name, e.g. `kernel.out.mass`. `evaluate` overwrites them; `slice()` copies one. */
  readonly out: NamedViews<O>;
  /** Input array of the kernel: all inputs in order. With a shared memory, read this property again after the memory may have grown. */
  readonly x: Float64Array;
  /** Output array of the kernel. The same rule applies. */
  readonly y: Float64Array;
  /** Code of a "wasm" kernel with one lane, for step loops that instantiate it on another memory (see `instantiateEvaluate`). */
  readonly code?: KernelCode;
  /** y = f(x). Allocates nothing. */
  evaluate(): void;
  /** Copies in, evaluates, copies out. */
  run(x: Float64Array, y: Float64Array): void;
  /** Evaluates at these inputs and returns copies of the outputs. Every input must be given. Allocates. */
  evaluateAt(inputs: NamedValues<I>): NamedViews<O>;
}

/** An array for each name. Optional inputs of a program are optional here. */
export type NamedViews<S extends NamedSizes> = { readonly [K in keyof S]: Float64Array };
export type NamedValues<S extends NamedSizes> = { readonly [K in keyof S]: ArrayLike<number> };

export interface CompileOptions {
  /** Default "wasm". "js" needs `new Function`, which a strict content security policy blocks. */
  readonly target?: Target;
  readonly lanes?: 1 | 2;
  /** Memory that several kernels share ("wasm" only). Default: a separate memory, which never grows. */
  readonly memory?: KernelMemory;
  /** Nodes per emitted function. Default: the fastest in measurements. */
  readonly chunkSize?: number;
  /** Maximum number of values in registers of an emitted function ("wasm" only). Default: the fastest in measurements. */
  readonly registers?: number;
  /**
   * Emits steps that do the same with other numbers once, and calls them ("wasm" only): less code, with the same results. Default: for large
   * programs with many such steps. Then `chunkSize` and `registers` have no effect.
   */
  readonly rolled?: boolean;
}

/** Compiles synchronously. On the main thread of a browser, modules above 4 KB need `compileAsync`. */
export function compile<I extends NamedSizes, O extends NamedSizes>(
  program: Program<I, O>,
  options: CompileOptions = {},
): Kernel<I, O> {
  if ((options.target ?? "wasm") !== "wasm") return compilePortable(program, options);
  const { code, numbers } = CODE_CACHE.codeOf(program, options);
  code.module ??= new WebAssembly.Module(code.bytes);
  return instantiate(program, options, code, code.module, numbers);
}

const PAIR_OPTIONS = { lanes: 2, rolled: false } as const;

/** Two programs in one kernel, one per lane; undefined if their forms differ, so that they differ in more than values of constants. */
export function compilePair<P extends Program>(first: P, second: P): Kernel<P["inputs"], P["outputs"]> | undefined {
  const [a, b] = [first, second].map((program) => CODE_CACHE.codeOf(program, PAIR_OPTIONS));
  if (a!.code !== b!.code) return undefined;
  a!.code.module ??= new WebAssembly.Module(a!.code.bytes);
  return instantiate(first, PAIR_OPTIONS, a!.code, a!.code.module, a!.numbers, b!.numbers);
}

export async function compileAsync<I extends NamedSizes, O extends NamedSizes>(
  program: Program<I, O>,
  options: CompileOptions = {},
): Promise<Kernel<I, O>> {
  if ((options.target ?? "wasm") !== "wasm") return compilePortable(program, options);
  const { code, numbers } = CODE_CACHE.codeOf(program, options);
  code.module ??= await WebAssembly.compile(code.bytes);
  return instantiate(program, options, code, code.module, numbers);
}

/** Code of a program with an extension of its module, for `instantiateExports`. */
export function compileExtended(program: Program, extension: ModuleExtension): KernelCode {
  const { code, numbers } = CODE_CACHE.codeOf(program, {}, extension);
  code.module ??= new WebAssembly.Module(code.bytes);
  return kernelCode(program, code, code.module, numbers, arrayAsImports);
}

/** @param secondNumbers the constants of the second lane */
function instantiate<I extends NamedSizes, O extends NamedSizes>(
  program: Program<I, O>,
  options: CompileOptions,
  form: FormCode,
  module: WebAssembly.Module,
  numbers: Float64Array,
  secondNumbers = numbers,
): Kernel<I, O> {
  const lanes = options.lanes ?? 1;
  const nx = lanes * sizeOf(program.inputs);
  const ny = lanes * sizeOf(program.outputs);
  const memory =
    options.memory ?? new KernelMemory(KernelMemory.bytesFor(8 * nx, 8 * ny, form.scratchBytes, form.table?.size ?? 0));
  const xAddress = memory.allocate(8 * nx);
  const yAddress = memory.allocate(8 * ny);
  const scratchAddress = memory.allocate(form.scratchBytes);
  const code = kernelCode(program, form, module, numbers, (values) => constantImports(values, lanes, memory, secondNumbers));
  const evaluate = instantiateEvaluate(memory, code);
  let x = memory.doubles(xAddress, nx);
  let y = memory.doubles(yAddress, ny);
  const refreshViews = (): void => {
    if (x.length === nx && y.length === ny) return; // growth leaves views of length 0; reading memory.buffer is slow
    x = memory.doubles(xAddress, nx);
    y = memory.doubles(yAddress, ny);
  };
  return createKernel(program, "wasm", lanes, form.ops, {
    x: () => {
      refreshViews();
      return x;
    },
    y: () => {
      refreshViews();
      return y;
    },
    evaluate: () => evaluate(xAddress, yAddress, scratchAddress),
    ...(lanes === 1 && { code }),
  });
}

/** Kernel for the targets "js" and "interpret", on ordinary arrays. Two states are computed one after the other. */
function compilePortable<I extends NamedSizes, O extends NamedSizes>(
  program: Program<I, O>,
  options: CompileOptions,
): Kernel<I, O> {
  const lanes = options.lanes ?? 1;
  const target = options.target === "js" ? "js" : "interpret";
  const evaluateOne: (x: Float64Array, y: Float64Array) => void =
    target === "js"
      ? new Function(`${jsDeclarations(program, options)}return evaluate;`)()
      : (x: Float64Array, y: Float64Array) => interpret(program, x, y);
  const x = new Float64Array(lanes * sizeOf(program.inputs));
  const y = new Float64Array(lanes * sizeOf(program.outputs));
  const lane = { x: new Float64Array(x.length / lanes), y: new Float64Array(y.length / lanes) };
  const evaluateAll = (): void => {
    for (let k = 0; k < lanes; k++) {
      for (let i = 0; i < lane.x.length; i++) lane.x[i] = x[lanes * i + k]!;
      evaluateOne(lane.x, lane.y);
      for (let i = 0; i < lane.y.length; i++) y[lanes * i + k] = lane.y[i]!;
    }
  };
  return createKernel(program, target, lanes, costOf(program).ops, {
    x: () => x,
    y: () => y,
    evaluate: lanes === 1 ? () => evaluateOne(x, y) : evaluateAll,
  });
}

interface KernelImplementation {
  readonly x: () => Float64Array;
  readonly y: () => Float64Array;
  readonly evaluate: () => void;
  readonly code?: KernelCode;
}

function createKernel<I extends NamedSizes, O extends NamedSizes>(
  program: Program<I, O>,
  target: Target,
  lanes: 1 | 2,
  ops: number,
  implementation: KernelImplementation,
): Kernel<I, O> {
  const { name, inputs, outputs } = program;
  const check = (array: string, values: Float64Array, expected: number): void => {
    if (!(values instanceof Float64Array)) refuseArgument(array, `a Float64Array of ${expected} numbers`, values);
    const { length } = values;
    if (length === expected) return;
    throw new ArgumentError(
      array,
      `kernel ${name}: ${array} has ${length} numbers, expected ${expected}${lanes === 2 ? " (two states)" : ""}`,
    );
  };
  const views = { in: namedViews(inputs, lanes, implementation.x), out: namedViews(outputs, lanes, implementation.y) };
  return {
    name,
    inputs,
    outputs,
    target,
    lanes,
    ops,
    ...views,
    get x() {
      return implementation.x();
    },
    get y() {
      return implementation.y();
    },
    ...(implementation.code && { code: implementation.code }),
    evaluate: implementation.evaluate,
    run(x, y) {
      const input = implementation.x();
      check("x", x, input.length);
      check("y", y, implementation.y().length);
      input.set(x);
      implementation.evaluate();
      y.set(implementation.y());
    },
    evaluateAt(values) {
      checkOptions("inputs", values, Object.keys(inputs));
      for (const key of Object.keys(inputs)) {
        const view = views.in[key]!;
        checkVector(`inputs.${key}`, values[key], view.length, lanes === 2 ? "two states" : "");
        view.set(values[key]!);
      }
      implementation.evaluate();
      const results = Object.keys(outputs).map((key) => [key, views.out[key]!.slice()] as const);
      return Object.fromEntries(results) as NamedViews<O>;
    },
  };
}

/** Views of parts of an array by name. A view is made when it is first read, and again after growth of the memory has detached it. */
function namedViews<S extends NamedSizes>(sizes: S, lanes: 1 | 2, array: () => Float64Array): NamedViews<S> {
  const views: Record<string, Float64Array> = {};
  const starts = offsetsOf(sizes);
  for (const name of Object.keys(sizes)) {
    const start = lanes * starts[name]!;
    const length = lanes * sizes[name]!;
    let view: Float64Array | undefined;
    const get = (): Float64Array => {
      if (view === undefined || view.length !== length) view = array().subarray(start, start + length);
      return view;
    };
    Object.defineProperty(views, name, { get, enumerable: true });
  }
  return views as NamedViews<S>;
}

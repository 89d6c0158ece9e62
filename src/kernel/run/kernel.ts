/** Compiled programs: y = f(x) on flat arrays of doubles. */

import { interpret } from "../emit/interpret.ts";
import { jsDeclarations } from "../emit/js-source.ts";
import { emitWasm, type ModuleExtension, type WasmKernel } from "../emit/wasm/emit-program.ts";
import { V128 } from "../emit/wasm/instructions.ts";
import { CONSTANTS_MODULE, WasmModule } from "../emit/wasm/module.ts";
import { costOf, type NamedSizes, type Program, sizeOf } from "../trace/program.ts";
import { CodeCache, type FormCode } from "./code-cache.ts";
import { KernelMemory } from "./memory.ts";

export { cName, cSource } from "../emit/c-source.ts";
export { jsSource } from "../emit/js-source.ts";
export type { WasmKernel } from "../emit/wasm/emit-program.ts";
export { KernelMemory } from "./memory.ts";

export type Target = "wasm" | "js" | "interpret";

export interface Kernel<I extends NamedSizes = NamedSizes, O extends NamedSizes = NamedSizes> {
  readonly name: string;
  readonly inputs: I;
  readonly outputs: O;
  readonly target: Target;
  /** States per call. With 2, element i of state k stands at x[2 i + k], and y the same. */
  readonly lanes: 1 | 2;
  /** Operations of one call, as `costOf` counts them. */
  readonly ops: number;
  /** The input array of the kernel itself. For "wasm" with a shared memory: ask again after the memory may have grown. */
  readonly x: Float64Array;
  /** The output array of the kernel itself; the same holds. */
  readonly y: Float64Array;
  /** What a "wasm" kernel runs, for loops that call it in a memory of their own (see `evaluateIn`). */
  readonly code?: KernelCode;
  /** y = f(x). Allocates nothing. */
  evaluate(): void;
  /** Copies in, evaluates, copies out. */
  run(x: Float64Array, y: Float64Array): void;
}

/** Compiled code: `evaluate(x, y, scratch)` of byte addresses. The three pieces must not overlap. */
export interface KernelCode {
  /** That of all programs of the same form. */
  readonly module: WebAssembly.Module;
  /** The numbers of the program, by which it differs from them: the module imports them from `numbers`. */
  readonly numbers: WebAssembly.ModuleImports;
  /** Bytes of scratch memory that a call needs. */
  readonly scratchBytes: number;
}

export interface CompileOptions {
  /** Default "wasm". "js" needs `new Function`, which a strict content security policy blocks. */
  readonly target?: Target;
  readonly lanes?: 1 | 2;
  /** Memory that the kernel shares with others ("wasm" only). Default: a memory of its own, which never grows. */
  readonly memory?: KernelMemory;
  /** Nodes per emitted function. Default: what measured fastest. */
  readonly chunkSize?: number;
  /** Values that an emitted function keeps at a time ("wasm" only). Default: what measured fastest. */
  readonly registers?: number;
}

/** Of all that is compiled here: a machine that is simulated again is not compiled again. */
const CODE_CACHE = new CodeCache(32e6);

/** Compiles at once. On the main thread of a browser, modules above 4 KB need `compileAsync`. */
export function compile<I extends NamedSizes, O extends NamedSizes>(
  program: Program<I, O>,
  options: CompileOptions = {},
): Kernel<I, O> {
  if ((options.target ?? "wasm") !== "wasm") return compilePortable(program, options);
  const { code, numbers } = CODE_CACHE.codeOf(program, options);
  code.module ??= new WebAssembly.Module(code.bytes);
  return instantiate(program, options, code, code.module, numbers);
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

/** Code of a program with more around it, for `exportsIn`. */
export function compileExtended(program: Program, around: ModuleExtension): KernelCode {
  const { code, numbers } = CODE_CACHE.codeOf(program, {}, around);
  code.module ??= new WebAssembly.Module(code.bytes);
  return { module: code.module, numbers: arrayAsImports(numbers), scratchBytes: code.scratchBytes };
}

/**
 * The WebAssembly module of a program, for other hosts: exports evaluate(x, y, scratch), byte addresses in the memory that it imports as
 * castor.memory, beside math.sin and math.cos. The three pieces must not overlap.
 */
export const wasmModule = (program: Program, options: Omit<CompileOptions, "target" | "memory"> = {}): WasmKernel =>
  emitWasm(program, options);

export type EvaluateFunction = (x: number, y: number, scratch: number) => void;

/** What code exports, on a memory. */
export const instantiateExports = (memory: KernelMemory, { module, numbers }: KernelCode): WebAssembly.Exports => {
  const imports = { castor: { memory: memory.memory }, math: { sin: Math.sin, cos: Math.cos }, [CONSTANTS_MODULE]: numbers };
  return new WebAssembly.Instance(module, imports).exports;
};

/** The function of a kernel's code on a memory. */
export const instantiateEvaluate = (memory: KernelMemory, code: KernelCode): EvaluateFunction =>
  instantiateExports(memory, code).evaluate as EvaluateFunction;

/** Numbers as a module imports them: plain ones, or in both lanes. These JavaScript cannot make: a module without code exports them. */
function constantImports(numbers: Float64Array, lanes: 1 | 2, memory: KernelMemory): WebAssembly.ModuleImports {
  if (lanes === 1) return arrayAsImports(numbers);
  const module = new WasmModule([]);
  for (const [i, value] of numbers.entries()) module.exportConstant(String(i), module.constantGlobal(V128, value));
  const imports = { castor: { memory: memory.memory } };
  return new WebAssembly.Instance(new WebAssembly.Module(module.bytes()), imports).exports as WebAssembly.ModuleImports;
}

/** An array has properties 0, 1, ..., and that is what is imported. */
const arrayAsImports = (numbers: Float64Array): WebAssembly.ModuleImports => numbers as unknown as WebAssembly.ModuleImports;

function instantiate<I extends NamedSizes, O extends NamedSizes>(
  program: Program<I, O>,
  options: CompileOptions,
  { scratchBytes, ops }: FormCode,
  module: WebAssembly.Module,
  numbers: Float64Array,
): Kernel<I, O> {
  const lanes = options.lanes ?? 1;
  const nx = lanes * sizeOf(program.inputs);
  const ny = lanes * sizeOf(program.outputs);
  const memory = options.memory ?? new KernelMemory(KernelMemory.bytesFor(8 * nx, 8 * ny, scratchBytes));
  const xAt = memory.allocate(8 * nx);
  const yAt = memory.allocate(8 * ny);
  const scratchAt = memory.allocate(scratchBytes);
  const code = { module, numbers: constantImports(numbers, lanes, memory), scratchBytes };
  const evaluate = instantiateEvaluate(memory, code);
  let x = memory.doubles(xAt, nx);
  let y = memory.doubles(yAt, ny);
  const fresh = (): void => {
    if (x.length === nx && y.length === ny) return; // growth leaves views of length 0; asking the memory for its buffer is slow
    x = memory.doubles(xAt, nx);
    y = memory.doubles(yAt, ny);
  };
  return createKernel(program, "wasm", lanes, ops, {
    x: () => {
      fresh();
      return x;
    },
    y: () => {
      fresh();
      return y;
    },
    evaluate: () => evaluate(xAt, yAt, scratchAt),
    ...(lanes === 1 && { code }),
  });
}

/** The targets that work on ordinary arrays; two states are computed one after the other. */
function compilePortable<I extends NamedSizes, O extends NamedSizes>(
  program: Program<I, O>,
  options: CompileOptions,
): Kernel<I, O> {
  const lanes = options.lanes ?? 1;
  const target = options.target === "js" ? "js" : "interpret";
  const one: (x: Float64Array, y: Float64Array) => void =
    target === "js"
      ? new Function(`${jsDeclarations(program, options)}return evaluate;`)()
      : (x: Float64Array, y: Float64Array) => interpret(program, x, y);
  const x = new Float64Array(lanes * sizeOf(program.inputs));
  const y = new Float64Array(lanes * sizeOf(program.outputs));
  const lane = { x: new Float64Array(x.length / lanes), y: new Float64Array(y.length / lanes) };
  const both = (): void => {
    for (let k = 0; k < lanes; k++) {
      for (let i = 0; i < lane.x.length; i++) lane.x[i] = x[lanes * i + k]!;
      one(lane.x, lane.y);
      for (let i = 0; i < lane.y.length; i++) y[lanes * i + k] = lane.y[i]!;
    }
  };
  return createKernel(program, target, lanes, costOf(program).ops, {
    x: () => x,
    y: () => y,
    evaluate: lanes === 1 ? () => one(x, y) : both,
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
  parts: KernelImplementation,
): Kernel<I, O> {
  const { name, inputs, outputs } = program;
  const check = (what: string, given: number, expected: number): void => {
    if (given === expected) return;
    throw new RangeError(
      `kernel ${name}: ${what} has ${given} numbers, expected ${expected}${lanes === 2 ? " (two states)" : ""}`,
    );
  };
  return {
    name,
    inputs,
    outputs,
    target,
    lanes,
    ops,
    get x() {
      return parts.x();
    },
    get y() {
      return parts.y();
    },
    ...(parts.code && { code: parts.code }),
    evaluate: parts.evaluate,
    run(x, y) {
      const own = parts.x();
      check("x", x.length, own.length);
      check("y", y.length, parts.y().length);
      own.set(x);
      parts.evaluate();
      y.set(parts.y());
    },
  };
}

/** Compiled code of a program, and its instances on memories. */
import { cosine, sine } from "../../math/elementary/sincos.ts";
import { CONSTANTS_MODULE, WasmModule } from "../emit/wasm/module.ts";
import type { Program } from "../trace/program.ts";
import type { FormCode } from "./code-cache.ts";
import type { KernelMemory } from "./memory.ts";

/** Compiled code: `evaluate(x, y, scratch)` with byte addresses. The three regions must not overlap. */
export interface KernelCode {
  /** Module of all programs with the same form. */
  readonly module: WebAssembly.Module;
  /** Values of the constants of this program, which the module imports. */
  readonly numbers: WebAssembly.ModuleImports;
  /** The program, for `pairedCode`. */
  readonly program: Program;
  /** Bytes of scratch memory that a call needs. */
  readonly scratchBytes: number;
  /** Data of a rolled program, which each instance has in its memory. */
  readonly table?: Uint8Array;
}

export type EvaluateFunction = (x: number, y: number, scratch: number) => void;

/** Code of a program with its numbers: in the table of a rolled program, or as imports. */
export function kernelCode(
  program: Program,
  { scratchBytes, table }: FormCode,
  module: WebAssembly.Module,
  numbers: Float64Array,
  asImports: (numbers: Float64Array) => WebAssembly.ModuleImports,
): KernelCode {
  return table
    ? { program, module, numbers: {}, scratchBytes, table: table.withNumbers(numbers) }
    : { program, module, numbers: asImports(numbers), scratchBytes };
}

/** Instantiates code on a memory, which grows if the code has a table. Returns the exports. */
export const instantiateExports = (memory: KernelMemory, code: KernelCode): WebAssembly.Exports => {
  const numbers = code.table ? [memory.store(code.table)] : code.numbers;
  const imports = { castor: { memory: memory.memory }, math: { sin: sine, cos: cosine }, [CONSTANTS_MODULE]: numbers };
  return new WebAssembly.Instance(code.module, imports as WebAssembly.Imports).exports;
};

/** Instantiates code on a memory. Returns the function `evaluate`. */
export const instantiateEvaluate = (memory: KernelMemory, code: KernelCode): EvaluateFunction =>
  instantiateExports(memory, code).evaluate as EvaluateFunction;

/**
 * Constants in the form that a module imports. v128 constants cannot be created from JavaScript, so a helper module exports them, with the value of
 * each lane.
 */
export function constantImports(
  numbers: Float64Array,
  lanes: 1 | 2,
  memory: KernelMemory,
  second = numbers,
): WebAssembly.ModuleImports {
  if (lanes === 1) return arrayAsImports(numbers);
  const module = new WasmModule([]);
  for (const [i, value] of numbers.entries()) module.exportConstant(String(i), module.pairGlobal(value, second[i]!));
  const imports = { castor: { memory: memory.memory } };
  return new WebAssembly.Instance(new WebAssembly.Module(module.bytes()), imports).exports as WebAssembly.ModuleImports;
}

/** An array has the properties 0, 1, ..., which are the names of the imports. */
export const arrayAsImports = (numbers: Float64Array): WebAssembly.ModuleImports =>
  numbers as unknown as WebAssembly.ModuleImports;

/** Compilation by users: arguments are checked, and large programs are rolled. */
import { checkCount, checkMembers, checkName, checkOptions, refuseArgument } from "../../arguments.ts";
import { emitWasm, type WasmKernel } from "../emit/wasm/emit-program.ts";
import { emitRolled } from "../emit/wasm/emit-rolled.ts";
import { rolledIfFaster, rollProgram } from "../schedule/rolled-program.ts";
import type { NamedSizes, Program } from "../trace/program.ts";
import { useRolling } from "./code-cache.ts";
import { type CompileOptions, compile as compileKernel, compileAsync as compileKernelAsync, type Kernel } from "./kernel.ts";
import { KernelMemory } from "./memory.ts";

/** Allows that large programs are rolled: see schedule/rolled-program.ts. Pages for small machines do without that code. */
export const allowRolling = (): void => useRolling({ always: rollProgram, ifFaster: rolledIfFaster, emit: emitRolled });

/** @throws ArgumentError for a wrong program or option */
function checkCompilation(program: Program, options: CompileOptions): void {
  checkMembers("program", program, ["inputs", "outputs", "graph", "results"], "a Program, from trace or programs");
  checkOptions("options", options, ["target", "lanes", "memory", "chunkSize", "registers", "rolled"]);
  const { target, lanes, memory } = options;
  if (target !== undefined) checkName("options.target", target, ["wasm", "js", "interpret"], "target");
  if (lanes !== undefined && lanes !== 1 && lanes !== 2) refuseArgument("options.lanes", "1 or 2", lanes);
  if (memory !== undefined && !(memory instanceof KernelMemory)) refuseArgument("options.memory", "a KernelMemory", memory);
  if (options.chunkSize !== undefined) checkCount("options.chunkSize", options.chunkSize, 1);
  if (options.rolled !== undefined && typeof options.rolled !== "boolean")
    refuseArgument("options.rolled", "true or false", options.rolled);
  if (options.registers !== undefined) checkCount("options.registers", options.registers);
}

/** Compiles synchronously. On the main thread of a browser, modules above 4 KB need `compileAsync`. */
export function compile<I extends NamedSizes, O extends NamedSizes>(
  program: Program<I, O>,
  options: CompileOptions = {},
): Kernel<I, O> {
  checkCompilation(program, options);
  allowRolling();
  return compileKernel(program, options);
}

export async function compileAsync<I extends NamedSizes, O extends NamedSizes>(
  program: Program<I, O>,
  options: CompileOptions = {},
): Promise<Kernel<I, O>> {
  checkCompilation(program, options);
  allowRolling();
  return compileKernelAsync(program, options);
}

/**
 * WebAssembly module of a program for other hosts. It exports evaluate(x, y, scratch) with byte addresses, and imports castor.memory,
 * math.sin and math.cos. The three regions must not overlap.
 */
export function wasmModule(program: Program, options: Omit<CompileOptions, "target" | "memory" | "rolled"> = {}): WasmKernel {
  checkCompilation(program, options);
  return emitWasm(program, options);
}

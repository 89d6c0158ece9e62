/** Code with two lanes for two programs of the same form, each with the values of its own constants in its lane. */
import { CODE_CACHE } from "./code-cache.ts";
import { constantImports, type KernelCode } from "./kernel-code.ts";
import { KernelMemory } from "./memory.ts";

/** Code with two lanes, by the module of one. */
const PAIRED = new WeakMap<WebAssembly.Module, Pick<KernelCode, "module" | "scratchBytes">>();

/** Undefined if the forms of the programs differ, or if they are rolled. Both are code with one lane. */
export function pairedCode(a: KernelCode, b: KernelCode): KernelCode | undefined {
  if (a.module !== b.module || a.table || b.table) return undefined;
  let paired = PAIRED.get(a.module);
  if (paired === undefined) {
    const { code } = CODE_CACHE.codeOf(a.program, { lanes: 2, rolled: false });
    code.module ??= new WebAssembly.Module(code.bytes);
    paired = { module: code.module, scratchBytes: code.scratchBytes };
    PAIRED.set(a.module, paired);
  }
  const [first, second] = [a.numbers as unknown as Float64Array, b.numbers as unknown as Float64Array];
  const numbers = constantImports(first, 2, new KernelMemory(), second);
  return { ...paired, program: a.program, numbers };
}

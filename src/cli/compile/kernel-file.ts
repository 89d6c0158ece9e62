/** Code files of a program in each language, and how to call the code. */
import { cName, cSource } from "../../kernel/emit/c-source.ts";
import { jsSource } from "../../kernel/emit/js-source.ts";
import { emitWasm } from "../../kernel/emit/wasm/emit-program.ts";
import { type Program, sizeOf } from "../../kernel/trace/program.ts";

export type CodeTarget = "wasm" | "js" | "c";

/** How to call the code; the keys depend on the target. */
export type CallDescription = Readonly<Record<string, unknown>> & { readonly lines: readonly string[] };

export interface KernelFile {
  readonly content: string | Uint8Array;
  readonly call: CallDescription;
}

export const KERNEL_WRITERS: Readonly<Record<CodeTarget, (program: Program, lanes: 1 | 2) => KernelFile>> = {
  wasm: wasmFile,
  js: (program) => ({
    content: jsSource(program),
    call: {
      export: "evaluate",
      lines: ['import { evaluate } from "../FILE"', "evaluate(x, y)   x, y: Float64Array; not reentrant"],
    },
  }),
  c: (program) => ({
    content: cSource(program),
    call: {
      function: cName(program),
      lines: [`void ${cName(program)}(const double *x, double *y);`, "C99, link with -lm; x and y must not overlap"],
    },
  }),
};

/** Alignment of the arrays in the WebAssembly memory, in bytes: one cache line. */
const ALIGNMENT = 64;

function wasmFile(program: Program, lanes: 1 | 2): KernelFile {
  const { bytes, scratchBytes } = emitWasm(program, { lanes });
  const alignedSize = (size: number): number => Math.ceil(size / ALIGNMENT) * ALIGNMENT;
  const y = alignedSize(8 * lanes * sizeOf(program.inputs));
  const scratch = y + alignedSize(8 * lanes * sizeOf(program.outputs));
  const memory = { x: 0, y, scratch, bytes: scratch + scratchBytes };
  return {
    content: bytes,
    call: {
      export: "evaluate",
      imports: ["castor.memory", "math.sin", "math.cos"],
      memory,
      lines: [
        "imports  castor.memory, math.sin, math.cos",
        `exports  evaluate(x, y, scratch), byte addresses in castor.memory`,
        `memory   e.g. x at 0, y at ${y}, scratch at ${scratch}; ${memory.bytes} bytes in all`,
        ...(lanes === 2 ? ["lanes    element i of state k is at index 2 i + k"] : []),
      ],
    },
  };
}

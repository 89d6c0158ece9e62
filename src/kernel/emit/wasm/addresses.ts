/** Addresses in memory relative to pointers, such as the parameters of a kernel function. */
import { I32, type ValueType, WASM, type WasmCode } from "./instructions.ts";

/** Types of the parameters of every kernel function: byte addresses of x, y and scratch. */
export const KERNEL_PARAMETERS: readonly ValueType[] = [I32, I32, I32];
export const X_POINTER = 0;
export const Y_POINTER = 1;
export const SCRATCH_POINTER = 2;

export interface WasmAddress {
  /** Index of the local that holds the base address. */
  readonly pointer: number;
  /** In bytes. */
  readonly offset: number;
  /** True if a single double is there, for all lanes. */
  readonly isNumber?: boolean;
}

/** Parameters and result of a function, and where it finds the inputs, outputs and scratch values of its program. */
export interface FunctionLayout {
  readonly parameters: readonly ValueType[];
  readonly results: readonly ValueType[];
  input(position: number): WasmAddress;
  output(position: number): WasmAddress;
  scratch(slot: number): WasmAddress;
  /** Pointers besides the parameters. */
  pointers(eachAccess: (access: (address: WasmAddress) => void) => void): PointerWindows;
  /** Pushes the results. */
  pushResults(code: WasmCode): void;
}

/** Layout of a function (x, y, scratch). */
export const kernelLayout = (bytes: number): FunctionLayout => ({
  parameters: KERNEL_PARAMETERS,
  results: [],
  input: (position) => ({ pointer: X_POINTER, offset: position * bytes }),
  output: (position) => ({ pointer: Y_POINTER, offset: position * bytes }),
  scratch: (slot) => ({ pointer: SCRATCH_POINTER, offset: slot * bytes }),
  pointers: pointerWindows,
  pushResults: () => {},
});

/** x86 encodes offsets up to 127 in one byte, larger ones in four. */
const SHORT_OFFSET_RANGE = 128;
/** Minimum number of accesses for which an extra pointer makes the code shorter. */
const WINDOW_MIN_ACCESSES = 4;

export interface PointerWindows {
  /** Types of the locals for the extra pointers; they follow the parameters. */
  readonly locals: readonly ValueType[];
  readonly firstFreeLocal: number;
  /** Emits code that computes the extra pointers. */
  emitPointers(code: WasmCode): void;
  /** The same address relative to the nearest pointer. */
  rebase(address: WasmAddress): WasmAddress;
}

/**
 * Extra pointers into the regions that a function accesses most. The speed of large kernels is limited by reading their code from the
 * second-level cache: shorter loads and stores make them 4 % faster, and integer registers are unused anyway.
 */
function pointerWindows(eachAccess: (access: (address: WasmAddress) => void) => void): PointerWindows {
  const key = (pointer: number, offset: number): number =>
    Math.floor(offset / SHORT_OFFSET_RANGE) * KERNEL_PARAMETERS.length + pointer;
  const counts = new Map<number, number>();
  eachAccess(({ pointer, offset }) => {
    if (offset < SHORT_OFFSET_RANGE) return;
    const window = key(pointer, offset);
    counts.set(window, (counts.get(window) ?? 0) + 1);
  });
  const windows = [...counts].filter(([, count]) => count >= WINDOW_MIN_ACCESSES).map(([k]) => k);
  const localOf = new Map(windows.map((k, i) => [k, KERNEL_PARAMETERS.length + i]));
  return {
    locals: windows.map(() => I32),
    firstFreeLocal: KERNEL_PARAMETERS.length + windows.length,
    emitPointers: (code) => {
      for (const k of windows) {
        const pointer = k % KERNEL_PARAMETERS.length;
        code
          .get(pointer)
          .i32(((k - pointer) / KERNEL_PARAMETERS.length) * SHORT_OFFSET_RANGE)
          .op(WASM.i32Add)
          .set(localOf.get(k)!);
      }
    },
    rebase: (address) => {
      const local = localOf.get(key(address.pointer, address.offset));
      return local === undefined ? address : { pointer: local, offset: address.offset % SHORT_OFFSET_RANGE };
    },
  };
}

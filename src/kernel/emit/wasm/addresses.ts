/** Places in memory relative to the pointers that a kernel function is given. */
import { I32, type ValueType, WASM, type WasmCode } from "./instructions.ts";

/** Parameters of every kernel function: byte addresses of x, y and scratch. */
export const KERNEL_PARAMETERS: readonly ValueType[] = [I32, I32, I32];
export const X_POINTER = 0;
export const Y_POINTER = 1;
export const SCRATCH_POINTER = 2;

export interface WasmAddress {
  /** The local that holds the address. */
  readonly pointer: number;
  readonly offset: number;
}

/** x86 encodes offsets up to 127 in one byte, larger ones in four. */
const SHORT_OFFSET_RANGE = 128;
/** From this many accesses on, a pointer of its own makes the code shorter. */
const WINDOW_MIN_ACCESSES = 4;

export interface PointerWindows {
  /** Types of the locals that follow the parameters, and the index after them. */
  readonly locals: readonly ValueType[];
  readonly firstFreeLocal: number;
  /** Computes the extra pointers. */
  emitPointers(code: WasmCode): void;
  /** The same place relative to the best pointer. */
  rebase(place: WasmAddress): WasmAddress;
}

/**
 * Extra pointers into the regions that a function accesses most. Large kernels run at the speed at which their code comes
 * from the second-level cache: shorter loads and stores are worth 4 %, and integer registers are idle anyway.
 */
export function pointerWindows(accesses: readonly WasmAddress[]): PointerWindows {
  const key = ({ pointer, offset }: WasmAddress): number =>
    Math.floor(offset / SHORT_OFFSET_RANGE) * KERNEL_PARAMETERS.length + pointer;
  const counts = new Map<number, number>();
  for (const place of accesses) if (place.offset >= SHORT_OFFSET_RANGE) counts.set(key(place), (counts.get(key(place)) ?? 0) + 1);
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
    rebase: (place) => {
      const local = localOf.get(key(place));
      return local === undefined ? place : { pointer: local, offset: place.offset % SHORT_OFFSET_RANGE };
    },
  };
}

/** Places in memory relative to the pointers that a kernel function is given. */
import { type Code, I32, type ValueType, WASM } from "./instructions.ts";

/** Parameters of every kernel function: byte addresses of x, y and scratch. */
export const POINTERS: readonly ValueType[] = [I32, I32, I32];
export const X = 0;
export const Y = 1;
export const SCRATCH = 2;

export interface Place {
  /** The local that holds the address. */
  readonly pointer: number;
  readonly offset: number;
}

/** x86 encodes offsets up to 127 in one byte, larger ones in four. */
const REACH = 128;
/** From this many accesses on, a pointer of its own makes the code shorter. */
const WORTH = 4;

export interface Windows {
  /** Types of the locals that follow the parameters, and the index after them. */
  readonly locals: readonly ValueType[];
  readonly end: number;
  /** Computes the extra pointers. */
  open(code: Code): void;
  /** The same place relative to the best pointer. */
  at(place: Place): Place;
}

/**
 * Extra pointers into the regions that a function accesses most. Large kernels run at the speed at which their code comes
 * from the second-level cache: shorter loads and stores are worth 4 %, and integer registers are idle anyway.
 */
export function windowsFor(accesses: readonly Place[]): Windows {
  const key = ({ pointer, offset }: Place): number => Math.floor(offset / REACH) * POINTERS.length + pointer;
  const counts = new Map<number, number>();
  for (const place of accesses) if (place.offset >= REACH) counts.set(key(place), (counts.get(key(place)) ?? 0) + 1);
  const windows = [...counts].filter(([, count]) => count >= WORTH).map(([k]) => k);
  const localOf = new Map(windows.map((k, i) => [k, POINTERS.length + i]));
  return {
    locals: windows.map(() => I32),
    end: POINTERS.length + windows.length,
    open: (code) => {
      for (const k of windows) {
        const pointer = k % POINTERS.length;
        code
          .get(pointer)
          .i32(((k - pointer) / POINTERS.length) * REACH)
          .op(WASM.i32Add)
          .set(localOf.get(k)!);
      }
    },
    at: (place) => {
      const local = localOf.get(key(place));
      return local === undefined ? place : { pointer: local, offset: place.offset % REACH };
    },
  };
}

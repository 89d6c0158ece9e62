/** Memory that kernels share. */
import { checkLeast } from "../../arguments.ts";

const PAGE = 65536;
const ALIGNMENT = 64; // a cache line; f64x2 needs 16

/** A WebAssembly memory for several kernels and the step loops that call them, with an allocator that never frees. */
export class KernelMemory {
  readonly memory: WebAssembly.Memory;
  #top = 0;

  /** @param bytes initial size. The memory grows on demand, which makes all earlier views unusable */
  constructor(bytes = PAGE) {
    checkLeast("bytes", bytes, 0);
    this.memory = new WebAssembly.Memory({ initial: Math.max(1, Math.ceil(bytes / PAGE)) });
  }

  /** Allocates a region. Returns its byte address. */
  allocate(bytes: number): number {
    const address = this.#top;
    this.#top = address + Math.ceil(bytes / ALIGNMENT) * ALIGNMENT;
    const missing = this.#top - this.memory.buffer.byteLength;
    if (missing > 0) this.memory.grow(Math.ceil(missing / PAGE));
    return address;
  }

  /** Stores bytes in a new region. Returns its address. */
  store(bytes: Uint8Array): number {
    const address = this.allocate(bytes.length);
    new Uint8Array(this.memory.buffer, address, bytes.length).set(bytes);
    return address;
  }

  /** View of `length` doubles at an address; valid until the memory grows. */
  doubles(address: number, length: number): Float64Array {
    return new Float64Array(this.memory.buffer, address, length);
  }

  /** Total number of bytes that `allocate` uses for regions of these sizes. */
  static bytesFor(...sizes: readonly number[]): number {
    return sizes.reduce((sum, bytes) => sum + Math.ceil(bytes / ALIGNMENT) * ALIGNMENT, 0);
  }
}

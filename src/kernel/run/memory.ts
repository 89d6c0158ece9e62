/** One WebAssembly memory for several kernels (and the step loops that call them), handed out piece by piece. */

const PAGE = 65536;
const ALIGNMENT = 64; // a cache line, and more than f64x2 asks for

export class KernelMemory {
  readonly memory: WebAssembly.Memory;
  #top = 0;

  /** Space for `bytes` from the start; it grows on demand, but growing makes every view of before unusable. */
  constructor(bytes = PAGE) {
    this.memory = new WebAssembly.Memory({ initial: Math.max(1, Math.ceil(bytes / PAGE)) });
  }

  /** The byte address of a new piece. Pieces are never given back. */
  allocate(bytes: number): number {
    const address = this.#top;
    this.#top = address + Math.ceil(bytes / ALIGNMENT) * ALIGNMENT;
    const missing = this.#top - this.memory.buffer.byteLength;
    if (missing > 0) this.memory.grow(Math.ceil(missing / PAGE));
    return address;
  }

  /** `length` doubles at an address: valid until the next growth. */
  doubles(address: number, length: number): Float64Array {
    return new Float64Array(this.memory.buffer, address, length);
  }

  /** Bytes that `allocate` takes for pieces of these sizes. */
  static bytesFor(...pieces: readonly number[]): number {
    return pieces.reduce((sum, bytes) => sum + Math.ceil(bytes / ALIGNMENT) * ALIGNMENT, 0);
  }
}

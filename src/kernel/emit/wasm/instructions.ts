/** The WebAssembly instructions that numeric code needs, and their encoding. */

/** Value types. */
export const I32 = 0x7f;
export const I64 = 0x7e;
export const F64 = 0x7c;
export const V128 = 0x7b;
export type ValueType = typeof I32 | typeof I64 | typeof F64 | typeof V128;

/** Opcodes. Those above SIMD are encoded as the prefix 0xfd followed by the remainder. */
const SIMD = 0x10000;
export const WASM = {
  if: 0x04,
  end: 0x0b,
  return: 0x0f,
  drop: 0x1a,
  select: 0x1b,
  i64And: 0x83,
  i64Xor: 0x85,
  i64Shl: 0x86,
  i64Add: 0x7c,
  i64Sub: 0x7d,
  i32Add: 0x6a,
  i32Sub: 0x6b,
  i32GeS: 0x4e,
  i32And: 0x71,
  i32LtU: 0x49,
  i32Eqz: 0x45,
  i32Eq: 0x46,
  i64FromBits: 0xbd,
  f64FromBits: 0xbf,
  f64FromU32: 0xb8,
  f64Eq: 0x61,
  f64Lt: 0x63,
  f64Gt: 0x64,
  f64Ge: 0x66,
  f64Abs: 0x99,
  f64Neg: 0x9a,
  f64Sqrt: 0x9f,
  f64Add: 0xa0,
  f64Sub: 0xa1,
  f64Mul: 0xa2,
  f64Div: 0xa3,
  f64Min: 0xa4,
  f64Max: 0xa5,
  v128And: SIMD + 78,
  v128Xor: SIMD + 81,
  v128BitSelect: SIMD + 82,
  f64x2Splat: SIMD + 20,
  i64x2AllTrue: SIMD + 195,
  i64x2Shl: SIMD + 203,
  i64x2Add: SIMD + 206,
  i64x2Sub: SIMD + 209,
  f64x2Lt: SIMD + 73,
  f64x2Ge: SIMD + 76,
  f64x2Abs: SIMD + 236,
  f64x2Neg: SIMD + 237,
  f64x2Sqrt: SIMD + 239,
  f64x2Add: SIMD + 240,
  f64x2Sub: SIMD + 241,
  f64x2Mul: SIMD + 242,
  f64x2Div: SIMD + 243,
  f64x2Min: SIMD + 244,
  f64x2Max: SIMD + 245,
} as const;

const VOID_BLOCK = 0x40;

/** Growing array of bytes with methods that append encoded instructions. Methods return the object, so that calls can be chained. */
export class WasmCode {
  #bytes = new Uint8Array(256);
  #length = 0;

  get length(): number {
    return this.#length;
  }

  get bytes(): Uint8Array<ArrayBuffer> {
    return this.#bytes.subarray(0, this.#length);
  }

  byte(value: number): this {
    if (this.#length === this.#bytes.length) this.#reserve(1);
    this.#bytes[this.#length++] = value;
    return this;
  }

  append(bytes: ArrayLike<number>): this {
    this.#reserve(bytes.length);
    this.#bytes.set(bytes, this.#length);
    this.#length += bytes.length;
    return this;
  }

  /** Unsigned LEB128. */
  u32(value: number): this {
    let rest = value;
    while (rest >= 0x80) {
      this.byte((rest & 0x7f) | 0x80);
      rest = Math.floor(rest / 128);
    }
    return this.byte(rest);
  }

  /** Signed LEB128. */
  signed(value: bigint): this {
    let rest = value;
    for (;;) {
      const low = Number(rest & 0x7fn);
      rest >>= 7n;
      if ((rest === 0n && !(low & 0x40)) || (rest === -1n && low & 0x40)) return this.byte(low);
      this.byte(low | 0x80);
    }
  }

  text(value: string): this {
    const bytes = new TextEncoder().encode(value);
    return this.u32(bytes.length).append(bytes);
  }

  op(instruction: number): this {
    return instruction < SIMD ? this.byte(instruction) : this.byte(0xfd).u32(instruction - SIMD);
  }

  get(local: number): this {
    return this.byte(0x20).u32(local);
  }

  global(index: number): this {
    return this.byte(0x23).u32(index);
  }

  set(local: number): this {
    return this.byte(0x21).u32(local);
  }

  tee(local: number): this {
    return this.byte(0x22).u32(local);
  }

  call(func: number): this {
    return this.byte(0x10).u32(func);
  }

  /** Calls a function of table 0. Stack: arguments, index in the table. */
  callIndirect(type: number): this {
    return this.byte(0x11).u32(type).u32(0);
  }

  i32(value: number): this {
    return this.byte(0x41).signed(BigInt(value | 0));
  }

  i64(value: bigint): this {
    return this.byte(0x42).signed(value);
  }

  f64(value: number): this {
    return this.byte(0x44).double(value);
  }

  /** A v128 constant, by default with the same double in both lanes. */
  f64x2(value: number, second = value): this {
    return this.op(SIMD + 12)
      .double(value)
      .double(second);
  }

  /** A v128 constant with the same 64 bits in both lanes. */
  i64x2(value: bigint): this {
    const bytes = new Uint8Array(new BigInt64Array([value, value]).buffer); // WebAssembly is little-endian, and so are all hosts in use
    return this.op(SIMD + 12).append(bytes);
  }

  extractLane(lane: 0 | 1): this {
    return this.op(SIMD + 33).byte(lane);
  }

  replaceLane(lane: 0 | 1): this {
    return this.op(SIMD + 34).byte(lane);
  }

  i32Load(offset: number): this {
    return this.byte(0x28).byte(2).u32(offset);
  }

  f64Load(offset: number): this {
    return this.byte(0x2b).byte(3).u32(offset);
  }

  f64Store(offset: number): this {
    return this.byte(0x39).byte(3).u32(offset);
  }

  v128Load(offset: number): this {
    return this.op(SIMD + 0)
      .byte(4)
      .u32(offset);
  }

  /** Loads one double into both lanes. */
  v128LoadSplat(offset: number): this {
    return this.op(SIMD + 10)
      .byte(3)
      .u32(offset);
  }

  v128Store(offset: number): this {
    return this.op(SIMD + 11)
      .byte(4)
      .u32(offset);
  }

  /** Begins a block that runs if the i32 on the stack is not zero; `op(WASM.end)` ends it. */
  beginIf(): this {
    return this.byte(WASM.if).byte(VOID_BLOCK);
  }

  /** Begins a loop; `repeatIf` at the same depth jumps back to its start, and `op(WASM.end)` ends it. */
  beginLoop(): this {
    return this.byte(0x03).byte(VOID_BLOCK);
  }

  /** Jumps to the start of the innermost loop if the i32 on the stack is not zero. */
  repeatIf(): this {
    return this.byte(0x0d).u32(0);
  }

  /** Copies bytes. Stack: destination, source, number of bytes. */
  memoryCopy(): this {
    return this.append([0xfc, 0x0a, 0, 0]);
  }

  double(value: number): this {
    this.#reserve(8);
    new DataView(this.#bytes.buffer).setFloat64(this.#length, value, true);
    this.#length += 8;
    return this;
  }

  #reserve(count: number): void {
    if (this.#length + count <= this.#bytes.length) return;
    const grown = new Uint8Array(Math.max(2 * this.#bytes.length, this.#length + count));
    grown.set(this.#bytes);
    this.#bytes = grown;
  }
}

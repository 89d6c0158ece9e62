/** The WebAssembly binary format, as much of it as straight-line numeric code needs. No toolchain, no text format. */

/** Value types. */
export const I32 = 0x7f;
export const I64 = 0x7e;
export const F64 = 0x7c;
export const V128 = 0x7b;
export type ValueType = typeof I32 | typeof I64 | typeof F64 | typeof V128;

/** Instructions of one byte; those above 0xff stand for the SIMD prefix 0xfd followed by the lower bits. */
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
  i32Eqz: 0x45,
  i64FromBits: 0xbd,
  f64FromBits: 0xbf,
  f64Lt: 0x63,
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

/** A growing array of bytes with the encodings of the format. Methods return the writer, so that code reads as a sequence. */
export class Code {
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

  i32(value: number): this {
    return this.byte(0x41).signed(BigInt(value | 0));
  }

  i64(value: bigint): this {
    return this.byte(0x42).signed(value);
  }

  f64(value: number): this {
    return this.byte(0x44).double(value);
  }

  /** Both lanes the same. */
  f64x2(value: number): this {
    return this.op(SIMD + 12)
      .double(value)
      .double(value);
  }

  /** Both lanes the same 64 bits. */
  i64x2(value: bigint): this {
    const bytes = new Uint8Array(new BigInt64Array([value, value]).buffer); // every host of WebAssembly in use is little-endian
    return this.op(SIMD + 12).append(bytes);
  }

  extractLane(lane: 0 | 1): this {
    return this.op(SIMD + 33).byte(lane);
  }

  replaceLane(lane: 0 | 1): this {
    return this.op(SIMD + 34).byte(lane);
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

  v128Store(offset: number): this {
    return this.op(SIMD + 11)
      .byte(4)
      .u32(offset);
  }

  /** Opens a block that runs if the i32 on the stack is not zero; `op(WASM.end)` closes it. */
  when(): this {
    return this.byte(WASM.if).byte(VOID_BLOCK);
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

export interface FunctionImport {
  readonly module: string;
  readonly name: string;
  readonly params: readonly ValueType[];
  readonly results: readonly ValueType[];
}

/** A module under construction: one imported memory ("castor", "memory"), imported functions, then its own functions. */
export class WasmModule {
  readonly #types: string[] = [];
  readonly #typeCode = new Code();
  readonly #imports: { readonly from: FunctionImport; readonly type: number }[];
  readonly #functions: { readonly type: number; readonly body: Code }[] = [];
  readonly #constants = { [F64]: new Map<number, number>(), [V128]: new Map<number, number>() };
  readonly #globals = new Code();
  readonly #exports: { readonly name: string; readonly index: number }[] = [];

  constructor(imports: readonly FunctionImport[]) {
    this.#imports = imports.map((from) => ({ from, type: this.#type(from.params, from.results) }));
  }

  /** Adds a function whose code leaves its results on the stack; `locals` come after the parameters. Returns its index. */
  add(params: readonly ValueType[], results: readonly ValueType[], locals: readonly ValueType[], code: Code): number {
    const groups: { count: number; type: ValueType }[] = [];
    for (const type of locals) {
      const last = groups.at(-1);
      if (last?.type === type) last.count++;
      else groups.push({ count: 1, type });
    }
    const body = new Code().u32(groups.length);
    for (const { count, type } of groups) body.u32(count).byte(type);
    body.append(code.bytes).op(WASM.end);
    this.#functions.push({ type: this.#type(params, results), body });
    return this.#imports.length + this.#functions.length - 1;
  }

  /** The index of an immutable global of this value, in both lanes for v128. Zeros of either sign count as the same. */
  constant(type: typeof F64 | typeof V128, value: number): number {
    const known = this.#constants[type].get(value);
    if (known !== undefined) return known;
    const index = this.#constantCount;
    this.#constants[type].set(value, index);
    this.#globals.byte(type).byte(0);
    (type === F64 ? this.#globals.f64(value) : this.#globals.f64x2(value)).op(WASM.end);
    return index;
  }

  get #constantCount(): number {
    return this.#constants[F64].size + this.#constants[V128].size;
  }

  export(name: string, index: number): void {
    this.#exports.push({ name, index });
  }

  bytes(): Uint8Array<ArrayBuffer> {
    const out = new Code().append([0x00, 0x61, 0x73, 0x6d, 1, 0, 0, 0]); // "\0asm", version 1
    const section = (id: number, count: number, content: Code): void => {
      const counted = new Code().u32(count).append(content.bytes);
      out.byte(id).u32(counted.length).append(counted.bytes);
    };
    section(1, this.#types.length, this.#typeCode);
    const imports = new Code().text("castor").text("memory").byte(2).byte(0).u32(1); // a memory of at least one page
    for (const { from, type } of this.#imports) imports.text(from.module).text(from.name).byte(0).u32(type);
    section(2, 1 + this.#imports.length, imports);
    const declarations = new Code();
    for (const { type } of this.#functions) declarations.u32(type);
    section(3, this.#functions.length, declarations);
    section(6, this.#constantCount, this.#globals);
    const exports = new Code();
    for (const { name, index } of this.#exports) exports.text(name).byte(0).u32(index);
    section(7, this.#exports.length, exports);
    const bodies = new Code();
    for (const { body } of this.#functions) bodies.u32(body.length).append(body.bytes);
    section(10, this.#functions.length, bodies);
    return out.bytes;
  }

  #type(params: readonly ValueType[], results: readonly ValueType[]): number {
    const key = `${params.join(" ")} > ${results.join(" ")}`;
    const known = this.#types.indexOf(key);
    if (known >= 0) return known;
    this.#typeCode.byte(0x60).u32(params.length).append(params).u32(results.length).append(results);
    return this.#types.push(key) - 1;
  }
}

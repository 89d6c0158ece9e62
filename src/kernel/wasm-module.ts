/** The binary format of WebAssembly modules: no toolchain, no text format. */
import { Code, F64, V128, type ValueType, WASM } from "./wasm-code.ts";

export interface FunctionImport {
  readonly module: string;
  readonly name: string;
  readonly params: readonly ValueType[];
  readonly results: readonly ValueType[];
}

/** A number of the code: eight bytes, little end first, at each of these places. */
export interface ConstantPlace {
  readonly value: number;
  readonly at: readonly number[];
}

/** A module under construction: one imported memory ("castor", "memory"), imported functions, then its own functions. */
export class WasmModule {
  readonly #types: string[] = [];
  readonly #typeCode = new Code();
  readonly #imports: { readonly from: FunctionImport; readonly type: number }[];
  readonly #functions: { readonly type: number; readonly body: Code }[] = [];
  readonly #constants = { [F64]: new Map<number, number>(), [V128]: new Map<number, number>() };
  readonly #globals = new Code();
  /** Of each constant: where the number stands among the globals, once for each lane. */
  readonly #places: (readonly number[])[] = [];
  #afterGlobals = 0;
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
    const index = this.constantCount;
    this.#constants[type].set(value, index);
    this.#globals.byte(type).byte(0);
    (type === F64 ? this.#globals.f64(value) : this.#globals.f64x2(value)).op(WASM.end);
    const last = this.#globals.length - 9; // eight bytes, and the end
    this.#places.push(type === F64 ? [last] : [last - 8, last]);
    return index;
  }

  get constantCount(): number {
    return this.#places.length;
  }

  /** Constants from an index on, and at which bytes of the module (below) their numbers stand. */
  constantsFrom(first: number, bytes: Uint8Array): ConstantPlace[] {
    const start = bytes.length - this.#afterGlobals - this.#globals.length;
    return Object.values(this.#constants).flatMap((known) =>
      [...known]
        .filter(([, index]) => index >= first)
        .map(([value, index]) => ({ value, at: this.#places[index]!.map((place) => start + place) })),
    );
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
    section(6, this.constantCount, this.#globals);
    const globalsEnd = out.length;
    const exports = new Code();
    for (const { name, index } of this.#exports) exports.text(name).byte(0).u32(index);
    section(7, this.#exports.length, exports);
    const bodies = new Code();
    for (const { body } of this.#functions) bodies.u32(body.length).append(body.bytes);
    section(10, this.#functions.length, bodies);
    this.#afterGlobals = out.length - globalsEnd;
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

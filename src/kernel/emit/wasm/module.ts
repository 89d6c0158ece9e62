/** Writes the binary format of WebAssembly modules directly, without a toolchain. */
import { F64, type I32, V128, type ValueType, WASM, WasmCode } from "./instructions.ts";

export interface FunctionImport {
  readonly module: string;
  readonly name: string;
  readonly params: readonly ValueType[];
  readonly results: readonly ValueType[];
}

const [FUNCTION, MEMORY, GLOBAL] = [0, 2, 3]; // kinds of imports and exports
const IMMUTABLE = 0;

const FUNCTION_REFERENCE = 0x70;

/** Constants that the host passes at instantiation, as the imports 0, 1, ... of `CONSTANTS_MODULE`. */
export interface ImportedConstants {
  readonly type: typeof F64 | typeof V128 | typeof I32;
  readonly count: number;
}

/** Name of the module that the constants are imported from. */
export const CONSTANTS_MODULE = "numbers";

/**
 * A module under construction: one imported memory ("castor", "memory"), imported functions and constants, then its own functions and
 * constants.
 */
export class WasmModule {
  readonly #types: string[] = [];
  readonly #typeCode = new WasmCode();
  readonly #imports: { readonly source: FunctionImport; readonly type: number }[];
  readonly #functions: { readonly type: number; readonly body: WasmCode }[] = [];
  readonly #importedConstants: ImportedConstants;
  readonly #constants = { [F64]: new Map<number, number>(), [V128]: new Map<number, number>() };
  readonly #globals = new WasmCode();
  #globalCount = 0;
  /** Contents of table 0, for indirect calls. */
  functionTable: readonly number[] = [];
  readonly #exports: { readonly name: string; readonly kind: number; readonly index: number }[] = [];

  /** @param constants become the immutable globals 0, 1, ...: engines treat them like constants of the module itself */
  constructor(imports: readonly FunctionImport[], constants: ImportedConstants = { type: F64, count: 0 }) {
    this.#importedConstants = constants;
    this.#imports = imports.map((source) => ({ source, type: this.typeIndex(source.params, source.results) }));
  }

  /** Adds a function whose code leaves its results on the stack; `locals` are numbered after the parameters. Returns its index. */
  addFunction(params: readonly ValueType[], results: readonly ValueType[], locals: readonly ValueType[], code: WasmCode): number {
    const groups: { count: number; type: ValueType }[] = [];
    for (const type of locals) {
      const last = groups.at(-1);
      if (last?.type === type) last.count++;
      else groups.push({ count: 1, type });
    }
    const body = new WasmCode().u32(groups.length);
    for (const { count, type } of groups) body.u32(count).byte(type);
    body.append(code.bytes).op(WASM.end);
    this.#functions.push({ type: this.typeIndex(params, results), body });
    return this.#imports.length + this.#functions.length - 1;
  }

  /** Index of an immutable global with this value, in both lanes for v128. -0 and +0 are the same constant. */
  constantGlobal(type: typeof F64 | typeof V128, value: number): number {
    const existing = this.#constants[type].get(value);
    if (existing !== undefined) return existing;
    const index = this.#importedConstants.count + this.#globalCount++;
    this.#constants[type].set(value, index);
    this.#globals.byte(type).byte(IMMUTABLE);
    (type === F64 ? this.#globals.f64(value) : this.#globals.f64x2(value)).op(WASM.end);
    return index;
  }

  /** Index of an immutable v128 global with a value in each lane. */
  pairGlobal(first: number, second: number): number {
    if (first === second) return this.constantGlobal(V128, first);
    this.#globals.byte(V128).byte(IMMUTABLE);
    this.#globals.f64x2(first, second).op(WASM.end);
    return this.#importedConstants.count + this.#globalCount++;
  }

  exportFunction(name: string, index: number): void {
    this.#exports.push({ name, kind: FUNCTION, index });
  }

  exportConstant(name: string, index: number): void {
    this.#exports.push({ name, kind: GLOBAL, index });
  }

  bytes(): Uint8Array<ArrayBuffer> {
    const out = new WasmCode().append([0x00, 0x61, 0x73, 0x6d, 1, 0, 0, 0]); // "\0asm", version 1
    const section = (id: number, count: number, content: WasmCode): void => {
      const body = new WasmCode().u32(count).append(content.bytes);
      out.byte(id).u32(body.length).append(body.bytes);
    };
    section(1, this.#types.length, this.#typeCode);
    const imports = new WasmCode().text("castor").text("memory").byte(MEMORY).byte(0).u32(1); // a memory of at least one page
    for (const { source, type } of this.#imports) imports.text(source.module).text(source.name).byte(FUNCTION).u32(type);
    for (let i = 0; i < this.#importedConstants.count; i++)
      imports.text(CONSTANTS_MODULE).text(String(i)).byte(GLOBAL).byte(this.#importedConstants.type).byte(IMMUTABLE);
    section(2, 1 + this.#imports.length + this.#importedConstants.count, imports);
    const declarations = new WasmCode();
    for (const { type } of this.#functions) declarations.u32(type);
    section(3, this.#functions.length, declarations);
    const table = this.functionTable;
    if (table.length > 0) section(4, 1, new WasmCode().byte(FUNCTION_REFERENCE).byte(0).u32(table.length));
    section(6, this.#globalCount, this.#globals);
    const exports = new WasmCode();
    for (const { name, kind, index } of this.#exports) exports.text(name).byte(kind).u32(index);
    section(7, this.#exports.length, exports);
    if (table.length > 0) {
      const elements = new WasmCode().u32(0).i32(0).op(WASM.end).u32(table.length); // in table 0, from index 0
      for (const index of table) elements.u32(index);
      section(9, 1, elements);
    }
    const bodies = new WasmCode();
    for (const { body } of this.#functions) bodies.u32(body.length).append(body.bytes);
    section(10, this.#functions.length, bodies);
    return out.bytes;
  }

  /** Index of a function type, which is added if it is new. */
  typeIndex(params: readonly ValueType[], results: readonly ValueType[]): number {
    const key = `${params.join(" ")} > ${results.join(" ")}`;
    const existing = this.#types.indexOf(key);
    if (existing >= 0) return existing;
    this.#typeCode.byte(0x60).u32(params.length).append(params).u32(results.length).append(results);
    return this.#types.push(key) - 1;
  }
}

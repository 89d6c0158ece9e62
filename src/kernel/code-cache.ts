/**
 * Code of programs, kept from one compilation to the next. Numbers are globals of a module and nothing else in it depends on them, so a
 * program that is like an earlier one but for its numbers, as after a change of a mass, takes that one's bytes with other numbers in them:
 * it is neither ordered nor emitted again. With the same numbers it takes the compiled module. The oldest are given up.
 */
import { emitPatchable, type WasmKernel, type WasmOptions } from "./emit-wasm.ts";
import { ARITY, OPS } from "./graph.ts";
import { costOf, type Program, reachable } from "./program.ts";

/** The code of a program. */
export interface ProgramCode extends WasmKernel {
  /** As `costOf` counts them. */
  readonly ops: number;
  /** Compiled already, if it is. */
  module: WebAssembly.Module | undefined;
}

interface Entry {
  readonly form: Int32Array;
  readonly numbers: Float64Array;
  readonly code: ProgramCode;
  /** For each number where it stands in the bytes; undefined: it is not to be changed. */
  readonly places: readonly (readonly number[] | undefined)[];
}

const bytesOf = ({ form, numbers, code }: Entry): number => form.byteLength + numbers.byteLength + code.bytes.byteLength;

export class CodeCache {
  readonly #most: number;
  readonly #kept = new Map<string, Entry>();
  #bytes = 0;

  /** @param most bytes of code and forms that are kept; compiled modules are a few times as large as their bytes */
  constructor(most: number) {
    this.#most = most;
  }

  codeOf(program: Program, options: WasmOptions = {}): ProgramCode {
    const { form, numbers } = formOf(program, options);
    const key = keyOf(form);
    const known = this.#kept.get(key);
    const found = known && equal(known.form, form) ? withNumbers(known, numbers) : undefined;
    const entry = found ?? emitted(program, options, form, numbers);
    if (known) this.#forget(key, known);
    this.#kept.set(key, entry); // the last
    this.#bytes += bytesOf(entry);
    for (const [oldest, old] of this.#kept) {
      if (this.#bytes <= this.#most) break;
      this.#forget(oldest, old);
    }
    return entry.code;
  }

  #forget(key: string, entry: Entry): void {
    this.#kept.delete(key);
    this.#bytes -= bytesOf(entry);
  }
}

/** All of a program but its numbers, and these; nodes are counted as far as they are needed. */
function formOf(program: Program, options: WasmOptions): { form: Int32Array; numbers: Float64Array } {
  const { graph, results } = program;
  const nodes = reachable(program);
  const place = new Int32Array(graph.size);
  const form = new Int32Array(4 * nodes.length + results.length + 4);
  const numbers: number[] = [];
  let at = 0;
  for (const [i, id] of nodes.entries()) {
    place[id] = i;
    const op = graph.opOf(id);
    form[at] = OPS.indexOf(op);
    if (op === "input") form[at + 1] = graph.valueOf(id);
    else if (op === "const") numbers.push(graph.valueOf(id));
    else for (let k = 0; k < ARITY[op]; k++) form[at + 1 + k] = place[graph.arg(id, k as 0 | 1 | 2)]!;
    at += 4;
  }
  for (const id of results) form[at++] = place[id]!;
  form.set([nodes.length, options.lanes ?? 1, options.chunkSize ?? -1, options.registers ?? -1], at);
  return { form, numbers: Float64Array.from(numbers) };
}

/** Two sums of 32 bits and the length; forms are compared all the same. */
function keyOf(form: Int32Array): string {
  let [a, b] = [0x811c9dc5, 0];
  for (let i = 0; i < form.length; i++) {
    a = Math.imul(a ^ form[i]!, 0x01000193);
    b = (Math.imul(b, 31) + form[i]!) | 0;
  }
  return `${form.length} ${a} ${b}`;
}

function equal(a: Int32Array | Float64Array, b: Int32Array | Float64Array): boolean {
  if (a.length !== b.length) return false;
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return false;
  return true;
}

function emitted(program: Program, options: WasmOptions, form: Int32Array, numbers: Float64Array): Entry {
  const { bytes, scratchBytes, constants } = emitPatchable(program, options);
  const places = new Map(constants.map(({ value, at }) => [value, at]));
  const code = { bytes, scratchBytes, ops: costOf(program).ops, module: undefined };
  return { form, numbers, code, places: Array.from(numbers, (value) => places.get(value)) };
}

/** The same code with other numbers; undefined where one of them cannot be changed. */
function withNumbers(entry: Entry, numbers: Float64Array): Entry | undefined {
  if (equal(entry.numbers, numbers)) return entry;
  const bytes = entry.code.bytes.slice();
  const view = new DataView(bytes.buffer);
  for (const [i, value] of numbers.entries()) {
    if (value === entry.numbers[i]) continue;
    const places = entry.places[i];
    if (places === undefined) return undefined;
    for (const place of places) view.setFloat64(place, value, true);
  }
  return { ...entry, numbers, code: { ...entry.code, bytes, module: undefined } };
}

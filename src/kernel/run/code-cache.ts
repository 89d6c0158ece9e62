/**
 * Code of programs, kept from one compilation to the next. A module imports its numbers and nothing else in it depends on them, so a program
 * that is like an earlier one but for its numbers, as after a change of a mass, has the module of that one: it is neither ordered, emitted nor
 * compiled again, and the engine has optimised it already. The oldest are given up.
 */
import { arraysEqual } from "../../math/linear/array-equal.ts";
import { emitForm, type ModuleExtension, type WasmKernel, type WasmOptions } from "../emit/wasm/emit-program.ts";
import { ARITY_BY_CODE, OPS } from "../trace/graph.ts";
import { costOf, type Program, reachableNodes } from "../trace/program.ts";

/** The code of all programs of a form. */
export interface FormCode extends WasmKernel {
  /** As `costOf` counts them. */
  readonly ops: number;
  /** Compiled already, if it is. */
  module: WebAssembly.Module | undefined;
}

/** The code of a program: that of its form, and the numbers that it imports. */
export interface ProgramCode {
  readonly code: FormCode;
  readonly numbers: Float64Array;
}

/** Engines admit 100,000 imports. Programs of more numbers than this have their own, so that each is a form of its own. */
const MAX_IMPORTED_CONSTANTS = 90_000;

interface CodeCacheEntry {
  readonly form: Int32Array;
  readonly code: FormCode;
}

const entryBytes = ({ form, code }: CodeCacheEntry): number => form.byteLength + code.bytes.byteLength;

export class CodeCache {
  readonly #most: number;
  readonly #kept = new Map<string, CodeCacheEntry>();
  #bytes = 0;

  /** @param most bytes of code and forms that are kept; compiled modules are a few times as large as their bytes */
  constructor(most: number) {
    this.#most = most;
  }

  /** @param around more code of the module (see emit-program.ts) */
  codeOf(program: Program, options: WasmOptions = {}, around?: ModuleExtension): ProgramCode {
    const { form, numbers, isOwn } = formOf(program, options, around);
    const key = hashKey(form);
    const known = this.#kept.get(key);
    const entry = known && arraysEqual(known.form, form) ? known : { form, code: emitFormCode(program, isOwn, options, around) };
    if (known) this.#forget(key, known);
    this.#kept.set(key, entry); // the last
    this.#bytes += entryBytes(entry);
    for (const [oldest, old] of this.#kept) {
      if (this.#bytes <= this.#most) break;
      this.#forget(oldest, old);
    }
    return { code: entry.code, numbers };
  }

  #forget(key: string, entry: CodeCacheEntry): void {
    this.#kept.delete(key);
    this.#bytes -= entryBytes(entry);
  }
}

function emitFormCode(program: Program, isOwn: boolean, options: WasmOptions, around?: ModuleExtension): FormCode {
  const constants = isOwn ? [] : reachableNodes(program).filter((id) => program.graph.opOf(id) === "const");
  const places = new Map(constants.map((id, i) => [id, i]));
  return { ...emitForm(program, places, options, around), ops: costOf(program).ops, module: undefined };
}

/** All of a program but its numbers, and these; nodes are counted as far as they are needed. */
function formOf(program: Program, options: WasmOptions, around?: ModuleExtension) {
  const { graph, results } = program;
  const nodes = reachableNodes(program);
  const place = new Int32Array(graph.size);
  const form = new Int32Array(4 * nodes.length + results.length);
  const numbers: number[] = [];
  let at = 0;
  for (let i = 0; i < nodes.length; i++) {
    const id = nodes[i]!;
    const code = graph.codeOf(id);
    place[id] = i;
    form[at] = code;
    if (code === INPUT) form[at + 1] = graph.valueOf(id);
    else if (code === CONST) numbers.push(graph.valueOf(id));
    else for (let k = 0; k < ARITY_BY_CODE[code]!; k++) form[at + 1 + k] = place[graph.arg(id, k as 0 | 1 | 2)]!;
    at += 4;
  }
  for (const id of results) form[at++] = place[id]!;
  const settings = [nodes.length, options.lanes ?? 1, options.chunkSize ?? -1, options.registers ?? -1];
  const others = Int32Array.from([...settings, ...Array.from(around?.key ?? "", (c) => c.charCodeAt(0))]);
  const given = Float64Array.from(numbers);
  const isOwn = given.length > MAX_IMPORTED_CONSTANTS;
  return {
    form: isOwn ? concatenate(form, others, new Int32Array(given.buffer)) : concatenate(form, others),
    numbers: isOwn ? new Float64Array(0) : given,
    /** The numbers are part of the form. */
    isOwn,
  };
}

const [CONST, INPUT] = [OPS.indexOf("const"), OPS.indexOf("input")];

function concatenate(...parts: readonly Int32Array[]): Int32Array {
  const all = new Int32Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}

/** Two sums of 32 bits and the length; forms are compared all the same. */
function hashKey(form: Int32Array): string {
  let [a, b] = [0x811c9dc5, 0];
  for (let i = 0; i < form.length; i++) {
    a = Math.imul(a ^ form[i]!, 0x01000193);
    b = (Math.imul(b, 31) + form[i]!) | 0;
  }
  return `${form.length} ${a} ${b}`;
}

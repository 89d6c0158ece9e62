/**
 * LRU cache of compiled code by the form of a program. The form is the program without the values of its constants. A module imports these
 * values, so programs that differ only in them, for example after a change of a mass, share one module. It is not scheduled, emitted or
 * compiled again, and the engine has optimised it already.
 */
import { arraysEqual } from "../../math/linear/array-equal.ts";
import { EXPORT_EVALUATE, emitForm, type ModuleExtension, type WasmKernel, type WasmOptions } from "../emit/wasm/emit-program.ts";
import type { CallTable, emitRolled } from "../emit/wasm/emit-rolled.ts";
import type { RolledProgram, rolledIfFaster, rollProgram } from "../schedule/rolled-program.ts";
import { ARITY_BY_CODE, OPS } from "../trace/graph.ts";
import { type Cost, costOf, type Program, reachableNodes } from "../trace/program.ts";

export interface FormOptions extends WasmOptions {
  /** Whether the program is rolled. Default: if that is faster. */
  readonly rolled?: boolean;
}

/** The code that rolls programs. It is a value, so that pages for small machines do not contain it. */
export interface Rolling {
  readonly always: typeof rollProgram;
  readonly ifFaster: typeof rolledIfFaster;
  readonly emit: typeof emitRolled;
}

let rolling: Rolling | undefined;

/** From now on large programs are rolled. Results do not depend on this, only their cost does. */
export const useRolling = (given: Rolling): void => {
  rolling = given;
};

/** Code of all programs with the same form. */
export interface FormCode extends WasmKernel {
  /** Number of operations as in `costOf`. */
  readonly ops: number;
  /** Calls of a rolled program. */
  readonly table?: CallTable;
  /** Compiled module; undefined before the first compilation. */
  module: WebAssembly.Module | undefined;
}

/** Code of a program: that of its form, and the values of the constants that it imports. */
export interface ProgramCode {
  readonly code: FormCode;
  /** Values that the module imports or, of a rolled program, the values of its constants. */
  readonly numbers: Float64Array;
}

/** Engines allow 100,000 imports. The constants of a program with more than this are part of its code and of its form. */
const MAX_IMPORTED_CONSTANTS = 90_000;

const NO_IMPORTS: ReadonlyMap<number, number> = new Map();
const NO_NUMBERS = new Float64Array(0);

interface CodeCacheEntry {
  readonly form: Int32Array;
  readonly code: FormCode;
}

const entryBytes = ({ form, code }: CodeCacheEntry): number => form.byteLength + code.bytes.byteLength + (code.table?.size ?? 0);

export class CodeCache {
  readonly #maxBytes: number;
  readonly #entries = new Map<string, CodeCacheEntry>();
  #bytes = 0;

  /** @param maxBytes capacity in bytes of code and forms; compiled modules take a few times as much memory */
  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** The code of a program, emitted if no program of its form is in the cache. */
  codeOf(program: Program, options: FormOptions = {}, extension?: ModuleExtension): ProgramCode {
    const { form, numbers, areConstantsInForm } = formOf(program, options, extension);
    const key = hashKey(form);
    const cached = this.#entries.get(key);
    const entry =
      cached && arraysEqual(cached.form, form)
        ? cached
        : { form, code: emitFormCode(program, areConstantsInForm, options, extension) };
    if (cached) this.#remove(key, cached);
    this.#entries.set(key, entry); // most recently used
    this.#bytes += entryBytes(entry);
    for (const [oldestKey, oldest] of this.#entries) {
      if (this.#bytes <= this.#maxBytes) break;
      this.#remove(oldestKey, oldest);
    }
    return { code: entry.code, numbers: areConstantsInForm && !entry.code.table ? NO_NUMBERS : numbers };
  }

  #remove(key: string, entry: CodeCacheEntry): void {
    this.#entries.delete(key);
    this.#bytes -= entryBytes(entry);
  }
}

function emitFormCode(
  program: Program,
  areConstantsInForm: boolean,
  options: FormOptions,
  extension?: ModuleExtension,
): FormCode {
  const cost = costOf(program);
  const constants = reachableNodes(program).filter((id) => program.graph.codeOf(id) === CONST);
  const indices = new Map(Array.from(constants, (id, i) => [id, i]));
  const rolled = rolledForm(program, cost, options);
  const kernel = rolled
    ? rolling!.emit(rolled, indices, options.lanes ?? 1, extension ?? EXPORT_EVALUATE)
    : emitForm(program, areConstantsInForm ? NO_IMPORTS : indices, options, extension);
  return { ...kernel, ops: cost.ops, module: undefined };
}

function rolledForm(program: Program, cost: Cost, { rolled, chunkSize, registers }: FormOptions): RolledProgram | undefined {
  if (rolled) return rolling!.always(program);
  const isStraight = rolled === false || chunkSize !== undefined || registers !== undefined;
  return isStraight ? undefined : rolling?.ifFaster(program, cost);
}

/** The form of a program as integers, and the values of its constants. Only nodes that the results depend on are included. */
function formOf(program: Program, options: FormOptions, extension?: ModuleExtension) {
  const { graph, results } = program;
  const nodes = reachableNodes(program);
  const position = new Int32Array(graph.size);
  const form = new Int32Array(4 * nodes.length + results.length);
  const numbers: number[] = [];
  let length = 0;
  for (let i = 0; i < nodes.length; i++) {
    const id = nodes[i]!;
    const code = graph.codeOf(id);
    position[id] = i;
    form[length] = code;
    if (code === INPUT) form[length + 1] = graph.valueOf(id);
    else if (code === CONST) numbers.push(graph.valueOf(id));
    else for (let k = 0; k < ARITY_BY_CODE[code]!; k++) form[length + 1 + k] = position[graph.arg(id, k as 0 | 1 | 2)]!;
    length += 4;
  }
  for (const id of results) form[length++] = position[id]!;
  const settings = [
    nodes.length,
    options.lanes ?? 1,
    options.chunkSize ?? -1,
    options.registers ?? -1,
    Number(options.rolled ?? -1),
  ];
  const optionCodes = Int32Array.from([...settings, ...Array.from(extension?.key ?? "", (c) => c.charCodeAt(0))]);
  const values = Float64Array.from(numbers);
  const areConstantsInForm = values.length > MAX_IMPORTED_CONSTANTS;
  return {
    form: areConstantsInForm ? concatenate(form, optionCodes, new Int32Array(values.buffer)) : concatenate(form, optionCodes),
    numbers: values,
    /** True if the values of the constants are part of the form. */
    areConstantsInForm,
  };
}

const [CONST, INPUT] = [OPS.indexOf("const"), OPS.indexOf("input")];

function concatenate(...parts: readonly Int32Array[]): Int32Array {
  const result = new Int32Array(parts.reduce((sum, part) => sum + part.length, 0));
  let length = 0;
  for (const part of parts) {
    result.set(part, length);
    length += part.length;
  }
  return result;
}

/** Hash of a form: two sums of 32 bits and the length. The forms of a hit are compared in full. */
function hashKey(form: Int32Array): string {
  let [a, b] = [0x811c9dc5, 0];
  for (let i = 0; i < form.length; i++) {
    a = Math.imul(a ^ form[i]!, 0x01000193);
    b = (Math.imul(b, 31) + form[i]!) | 0;
  }
  return `${form.length} ${a} ${b}`;
}

/** The cache of this thread: a model that is simulated again is not compiled again. */
export const CODE_CACHE = new CodeCache(32e6);

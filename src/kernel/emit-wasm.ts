/**
 * A program as WebAssembly: straight-line code, one function per chunk, values in locals. Every function takes the byte
 * addresses of x, y and scratch in the memory of the module, so that a step loop in the same module can call the kernel
 * anywhere. x, y and scratch must not overlap: outputs are stored as soon as they are known.
 */
import { ARITY } from "./graph.ts";
import type { Program } from "./program.ts";
import { type Chunk, type Schedule, type ScheduleOptions, schedule } from "./schedule.ts";
import { isArithmetic, type LaneCode, type Lanes, laneCode, POINTERS } from "./wasm-lanes.ts";
import { Code, WasmModule } from "./wasm-module.ts";
import { addSincos, MATH_IMPORTS } from "./wasm-sincos.ts";

const [X, Y, SCRATCH] = [0, 1, 2] as const;

export interface WasmOptions extends ScheduleOptions {
  /** States that are computed at once. With 2, element i of state k stands at x[2 i + k], and y the same. Default 1. */
  readonly lanes?: Lanes;
}

export interface WasmKernel {
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** Bytes of scratch memory that a call needs. */
  readonly scratchBytes: number;
}

/** A module with the function `evaluate(x, y, scratch)` of addresses; it imports castor.memory, math.sin and math.cos. */
export function emitWasm(program: Program, options: WasmOptions = {}): WasmKernel {
  const module = new WasmModule(MATH_IMPORTS);
  const { index, scratchBytes } = addKernel(module, program, options);
  module.export("evaluate", index);
  return { bytes: module.bytes(), scratchBytes };
}

/** Adds the functions of a program to a module made with MATH_IMPORTS; the one at `index` evaluates it. */
export function addKernel(
  module: WasmModule,
  program: Program,
  options: WasmOptions = {},
): { index: number; scratchBytes: number } {
  const lanes = options.lanes ?? 1;
  const lane = laneCode(lanes);
  const plan = schedule(program, options);
  const trig = plan.chunks.some(({ steps }) => steps.some((id) => isTrig(program, id)));
  const sincos = trig ? addSincos(module, lanes) : -1;
  const chunks = plan.chunks.map((chunk) => addChunk(module, program, plan, chunk, lane, sincos));
  const scratchBytes = plan.slots * lane.bytes;
  if (chunks.length === 1) return { index: chunks[0]!, scratchBytes };
  const all = new Code();
  for (const chunk of chunks) all.get(X).get(Y).get(SCRATCH).call(chunk);
  return { index: module.add(POINTERS, [], [], all), scratchBytes };
}

const isTrig = (program: Program, id: number): boolean => {
  const op = program.graph.opOf(id);
  return op === "sin" || op === "cos";
};

/** Locals of one chunk: a local is free again after the last use of its value. */
class Locals {
  readonly #of = new Map<number, number>();
  readonly #usesLeft: Map<number, number>;
  readonly #free: number[] = [];
  readonly #first: number;
  #count = 0;

  constructor(uses: ReadonlyMap<number, number>, first: number) {
    this.#usesLeft = new Map(uses);
    this.#first = first;
  }

  get count(): number {
    return this.#count;
  }

  usesLeft(id: number): number {
    return this.#usesLeft.get(id) ?? 0;
  }

  /** A local for a value that has just been computed or loaded. */
  bind(id: number): number {
    const local = this.#free.pop() ?? this.#first + this.#count++;
    this.#of.set(id, local);
    return local;
  }

  /** Counts one use; the local of the value, if it has one. */
  use(id: number): number | undefined {
    const left = this.usesLeft(id) - 1;
    this.#usesLeft.set(id, left);
    const local = this.#of.get(id);
    if (left === 0) this.release(id);
    return local;
  }

  release(id: number): void {
    const local = this.#of.get(id);
    if (local === undefined) return;
    this.#of.delete(id);
    this.#free.push(local);
  }
}

function addChunk(module: WasmModule, program: Program, plan: Schedule, chunk: Chunk, lane: LaneCode, sincos: number): number {
  const { graph } = program;
  const code = new Code();
  const locals = new Locals(chunk.uses, POINTERS.length);

  /** Puts a value on the stack. */
  function value(id: number): void {
    if (graph.opOf(id) === "const") lane.constant(code, graph.valueOf(id));
    else if (plan.inlined[id]) expression(id);
    else {
      const local = locals.use(id);
      if (local !== undefined) code.get(local);
      else {
        load(id);
        if (locals.usesLeft(id) > 0) code.tee(locals.bind(id));
      }
    }
  }

  /** Puts an input or a value of an earlier chunk on the stack. */
  function load(id: number): void {
    if (graph.opOf(id) === "input") lane.load(code.get(X), graph.valueOf(id) * lane.bytes);
    else lane.load(code.get(SCRATCH), plan.slot[id]! * lane.bytes);
  }

  function expression(id: number): void {
    const op = graph.opOf(id);
    if (op === "select") {
      value(graph.arg(id, 1));
      value(graph.arg(id, 2));
      value(graph.arg(id, 0));
      lane.select(code);
    } else if (isArithmetic(op)) {
      value(graph.arg(id, 0));
      if (ARITY[op] === 2) value(graph.arg(id, 1));
      code.op(lane.ops[op]);
    } else throw new Error(`no expression for ${graph.describe(id)}`);
  }

  /** Where the value of a step goes besides its local: address parameter and offset of each place. */
  function placesOf(id: number): { base: number; offset: number }[] {
    const places = (plan.outputs.get(id) ?? []).map((i) => ({ base: Y as number, offset: i * lane.bytes }));
    if (plan.slot[id]! >= 0) places.push({ base: SCRATCH, offset: plan.slot[id]! * lane.bytes });
    return places;
  }

  function storeLocal(id: number, local: number): void {
    for (const { base, offset } of placesOf(id)) lane.store(code.get(base).get(local), offset);
    if (locals.usesLeft(id) === 0) locals.release(id);
  }

  function sineAndCosine(id: number): void {
    value(graph.arg(id, 0));
    code.call(sincos);
    const sine = graph.opOf(id) === "sin" ? id : -1;
    const cosine = sine < 0 ? id : plan.twin[id]!;
    const cosineLocal = locals.bind(cosine);
    const sineLocal = locals.bind(sine);
    code.set(cosineLocal).set(sineLocal);
    storeLocal(cosine, cosineLocal);
    storeLocal(sine, sineLocal);
  }

  /** An output that is an input or a constant. */
  function copy(id: number): void {
    for (const { base, offset } of placesOf(id)) {
      code.get(base);
      if (graph.opOf(id) === "const") lane.constant(code, graph.valueOf(id));
      else load(id);
      lane.store(code, offset);
    }
  }

  function compute(id: number): void {
    const places = placesOf(id);
    if (locals.usesLeft(id) === 0 && places.length === 1) {
      code.get(places[0]!.base);
      expression(id);
      lane.store(code, places[0]!.offset);
    } else {
      expression(id);
      const local = locals.bind(id);
      code.set(local);
      storeLocal(id, local);
    }
  }

  for (const id of chunk.steps) {
    if (ARITY[graph.opOf(id)] === 0) copy(id);
    else if (isTrig(program, id)) sineAndCosine(id);
    else compute(id);
  }
  return module.add(
    POINTERS,
    [],
    Array.from({ length: locals.count }, () => lane.type),
    code,
  );
}

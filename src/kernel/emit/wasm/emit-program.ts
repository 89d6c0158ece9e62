/**
 * A program as WebAssembly: straight-line code, one function per chunk, values in locals. Every function takes the byte
 * addresses of x, y and scratch in the memory of the module, so that a step loop in the same module can call the kernel
 * anywhere. x, y and scratch must not overlap: outputs are stored as soon as they are known. Modules use the fixed-width
 * SIMD of WebAssembly, which every engine has since 2023.
 */

import {
  type Chunk,
  eachOperand,
  isLargeProgram,
  type ProgramSchedule,
  type ScheduleOptions,
  scheduleProgram,
} from "../../schedule/schedule.ts";
import { ARITY } from "../../trace/graph.ts";
import type { Program } from "../../trace/program.ts";
import { KERNEL_PARAMETERS, pointerWindows, SCRATCH_POINTER, type WasmAddress, X_POINTER, Y_POINTER } from "./addresses.ts";
import { F64, V128, WASM, WasmCode } from "./instructions.ts";
import { isArithmetic, type LaneCode, type Lanes, laneCode } from "./lanes.ts";
import { LocalAllocator } from "./local-allocator.ts";
import { WasmModule } from "./module.ts";
import { addSincos, MATH_IMPORTS, type SincosFunctions } from "./sincos.ts";

export interface WasmOptions extends ScheduleOptions {
  /** States that are computed at once. With 2, element i of state k stands at x[2 i + k], and y the same. Default 1. */
  readonly lanes?: Lanes;
}

/**
 * For large programs: V8 has 15 registers for values and needs some for what it computes meanwhile; given few values at a time it
 * does well with longer functions. Measured: 5 to 30 % faster where code would not fit into the first-level cache, 4 % slower where it does.
 */
const LARGE_PROGRAM_OPTIONS: ScheduleOptions = { registers: 10, chunkSize: 400 };

export interface WasmKernel {
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** Bytes of scratch memory that a call needs. */
  readonly scratchBytes: number;
}

/** A module with the function `evaluate(x, y, scratch)` of addresses; it imports castor.memory, math.sin and math.cos. */
export const emitWasm = (program: Program, options: WasmOptions = {}): WasmKernel => emitForm(program, new Map(), options);

/** More code around that of a program, in the same module. */
export interface ModuleExtension {
  /** Tells it from what else is around the same program. */
  readonly key: string;
  /** Adds it to the module, and exports what shall be called. */
  add(module: WasmModule, kernel: KernelFunction): void;
}

const EXPORT_EVALUATE: ModuleExtension = { key: "", add: (module, { index }) => module.exportFunction("evaluate", index) };

/**
 * The same without the numbers of the program, which it imports: numbers.0, numbers.1, ... are the constants of `places`. So it is the module of
 * all programs of the same form. Constants that have no place are the module's own.
 *
 * @param places of nodes that are constants
 */
export function emitForm(
  program: Program,
  places: ReadonlyMap<number, number>,
  options: WasmOptions = {},
  around = EXPORT_EVALUATE,
): WasmKernel {
  const module = new WasmModule(MATH_IMPORTS, { type: options.lanes === 2 ? V128 : F64, count: places.size });
  const kernel = addKernel(module, program, places, options);
  around.add(module, kernel);
  return { bytes: module.bytes(), scratchBytes: kernel.scratchBytes };
}

export interface KernelFunction {
  /** The function that evaluates the program. */
  readonly index: number;
  readonly scratchBytes: number;
}

/** Adds the functions of a program to a module made with MATH_IMPORTS. */
function addKernel(
  module: WasmModule,
  program: Program,
  places: ReadonlyMap<number, number>,
  options: WasmOptions,
): KernelFunction {
  const lanes = options.lanes ?? 1;
  const lane = laneCode(module, lanes);
  const plan = scheduleProgram(program, isLargeProgram(program) ? { ...LARGE_PROGRAM_OPTIONS, ...options } : options);
  const sincos = plan.chunks.some(({ steps }) => steps.some((id) => isTrig(program, id))) ? addSincos(module) : undefined;
  const constant = (code: WasmCode, id: number): void => {
    const place = places.get(id);
    if (place === undefined) lane.constant(code, program.graph.valueOf(id));
    else code.global(place);
  };
  const chunks = plan.chunks.map((chunk) => addChunk(module, program, plan, chunk, lane, constant, sincos));
  const scratchBytes = plan.scratchSlotCount * lane.bytes;
  if (chunks.length === 1) return { index: chunks[0]!, scratchBytes };
  const all = new WasmCode();
  for (const chunk of chunks) all.get(X_POINTER).get(Y_POINTER).get(SCRATCH_POINTER).call(chunk);
  return { index: module.addFunction(KERNEL_PARAMETERS, [], [], all), scratchBytes };
}

const isTrig = (program: Program, id: number): boolean => {
  const op = program.graph.opOf(id);
  return op === "sin" || op === "cos";
};

/** @param constant pushes the number of a node */
function addChunk(
  module: WasmModule,
  program: Program,
  plan: ProgramSchedule,
  chunk: Chunk,
  lane: LaneCode,
  constant: (code: WasmCode, id: number) => void,
  sincos?: SincosFunctions,
): number {
  const { graph } = program;
  const code = new WasmCode();
  const windows = pointerWindows(accessesOf());
  windows.emitPointers(code);
  const [sines, cosines] = [windows.firstFreeLocal, windows.firstFreeLocal + 1]; // two angles at once
  const locals = new LocalAllocator(chunk.uses, windows.firstFreeLocal + 2);

  /** The places in memory that the chunk reads and writes. */
  function accessesOf(): WasmAddress[] {
    const places: WasmAddress[] = [];
    for (const id of chunk.uses.keys()) {
      if (graph.opOf(id) === "input" || plan.scratchSlot[id]! >= 0) places.push(homeOf(id));
    }
    for (const id of chunk.steps) places.push(...destinationsOf(id), ...destinationsOf(plan.sincosPartner[id]!));
    return places;
  }

  /** Where an input or a value of an earlier chunk stands. */
  function homeOf(id: number): WasmAddress {
    if (graph.opOf(id) === "input") return { pointer: X_POINTER, offset: graph.valueOf(id) * lane.bytes };
    if (plan.scratchSlot[id]! < 0) throw new Error(`${graph.describe(id)} is read before it is computed`);
    return { pointer: SCRATCH_POINTER, offset: plan.scratchSlot[id]! * lane.bytes };
  }

  /** Where the value of a step goes besides its local. */
  function destinationsOf(id: number): WasmAddress[] {
    const places: WasmAddress[] = (plan.outputs.get(id) ?? []).map((i) => ({ pointer: Y_POINTER, offset: i * lane.bytes }));
    if (plan.scratchSlot[id]! >= 0) places.push({ pointer: SCRATCH_POINTER, offset: plan.scratchSlot[id]! * lane.bytes });
    return places;
  }

  function load(place: WasmAddress): void {
    const { pointer, offset } = windows.rebase(place);
    lane.load(code.get(pointer), offset);
  }

  function store(place: WasmAddress, pushValue: () => void): void {
    const { pointer, offset } = windows.rebase(place);
    code.get(pointer);
    pushValue();
    lane.store(code, offset);
  }

  /** Pushes a value, from where it is. What has to be loaded stays in a local if it is needed again. */
  function value(id: number): void {
    if (graph.opOf(id) === "const") constant(code, id);
    else if (plan.isInlined[id]) expression(id);
    else named(id);
  }

  function named(id: number): void {
    const local = locals.use(id);
    if (local !== undefined) code.get(local);
    else {
      load(homeOf(id));
      if (locals.usesLeft(id) > 0) code.tee(locals.bind(id));
    }
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

  /** Takes the value of a node from the stack to its local and wherever else it goes. */
  function keep(id: number): void {
    const destinations = destinationsOf(id);
    const used = locals.usesLeft(id) > 0;
    if (!used && destinations.length === 0) {
      code.op(WASM.drop);
      return;
    }
    const local = locals.bind(id);
    code.set(local);
    for (const place of destinations) store(place, () => code.get(local));
    if (!used) locals.release(id);
  }

  function compute(id: number): void {
    const destinations = destinationsOf(id);
    if (locals.usesLeft(id) === 0 && destinations.length === 1) store(destinations[0]!, () => expression(id));
    else {
      expression(id);
      keep(id);
    }
  }

  /** An output that is an input or a constant. */
  function copy(id: number): void {
    const push = (): void => (graph.opOf(id) === "const" ? constant(code, id) : load(homeOf(id)));
    for (const place of destinationsOf(id)) store(place, push);
  }

  const sineOf = (id: number): number => (graph.opOf(id) === "sin" ? id : -1);
  const cosineOf = (id: number): number => (graph.opOf(id) === "cos" ? id : plan.sincosPartner[id]!);

  function trig(id: number): void {
    value(graph.arg(id, 0));
    code.call(lane.bytes === 8 ? sincos!.one : sincos!.two);
    keep(cosineOf(id));
    keep(sineOf(id));
  }

  /** Two angles of one state in the two lanes: nearly twice as fast as one after the other, and the same bits. */
  function trigOfTwo(a: number, b: number): void {
    value(graph.arg(a, 0));
    code.op(WASM.f64x2Splat);
    value(graph.arg(b, 0));
    code.replaceLane(1).call(sincos!.two).set(cosines).set(sines);
    for (const [id, lane] of [
      [a, 0],
      [b, 1],
    ] as const) {
      code.get(sines).extractLane(lane);
      keep(sineOf(id));
      code.get(cosines).extractLane(lane);
      keep(cosineOf(id));
    }
  }

  /** Whether a step can be computed beside the sine or cosine before it. */
  function pairsWith(a: number, b: number | undefined): b is number {
    if (lane.bytes !== 8 || b === undefined || !isTrig(program, b)) return false;
    let independent = true;
    eachOperand(graph, plan.isInlined, b, (operand) => {
      if (operand === sineOf(a) || operand === cosineOf(a)) independent = false;
    });
    return independent;
  }

  for (let i = 0; i < chunk.steps.length; i++) {
    const id = chunk.steps[i]!;
    const next = chunk.steps[i + 1];
    for (const value of chunk.droppedBefore[i]!) locals.release(value);
    if (ARITY[graph.opOf(id)] === 0) copy(id);
    else if (!isTrig(program, id)) compute(id);
    else if (pairsWith(id, next)) {
      for (const value of chunk.droppedBefore[++i]!) locals.release(value);
      trigOfTwo(id, next);
    } else trig(id);
  }
  const values = Array.from({ length: locals.count }, () => lane.type);
  return module.addFunction(KERNEL_PARAMETERS, [], [...windows.locals, V128, V128, ...values], code);
}

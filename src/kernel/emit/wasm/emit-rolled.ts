/**
 * A rolled program as a WebAssembly module: one function per routine, and a loop over a table of calls. The host puts the table into the
 * memory of the module and passes its address. A record of the table is: index of the routine, addresses of the bases relative to x, y
 * or scratch (i32 each), padding, numbers (f64). A routine returns the address of the next record.
 */
import type { RolledProgram, Routine, RoutineCall } from "../../schedule/rolled-program.ts";
import { type ProgramSchedule, scheduleProgram, type TargetScheduleOptions } from "../../schedule/schedule.ts";
import type { FunctionLayout, WasmAddress } from "./addresses.ts";
import { KERNEL_PARAMETERS, SCRATCH_POINTER, X_POINTER, Y_POINTER } from "./addresses.ts";
import { addChunk, isTrig } from "./chunk-emitter.ts";
import type { KernelFunction, ModuleExtension, WasmKernel } from "./emit-program.ts";
import { I32, type ValueType, WASM, WasmCode } from "./instructions.ts";
import { type Lanes, laneCode } from "./lanes.ts";
import { WasmModule } from "./module.ts";
import { addSincos, MATH_IMPORTS } from "./sincos.ts";

/** Data that a rolled program reads. */
export interface CallTable {
  /** In bytes. */
  readonly size: number;
  /** The table with the numbers of a program, given the values of its constants. */
  withNumbers(values: Float64Array): Uint8Array;
}

export interface RolledKernel extends WasmKernel {
  readonly table: CallTable;
}

const ROUTINE_PARAMETERS: readonly ValueType[] = [...KERNEL_PARAMETERS, I32];
const RECORD_POINTER = KERNEL_PARAMETERS.length;
const FIRST_BASE_POINTER = ROUTINE_PARAMETERS.length;
const POINTER_OF_REGION = { x: X_POINTER, y: Y_POINTER, frames: SCRATCH_POINTER } as const;
const TABLE_ADDRESS = 0; // the only import besides functions and memory

/** A routine is one function; few values are alive at a time, as in small programs. */
const ROUTINE_OPTIONS: TargetScheduleOptions = { registers: 12, window: 16, chunkSize: Number.POSITIVE_INFINITY };

/** @param constantIndices index of each constant node among the numbers that the host writes into the table */
export function emitRolled(
  rolled: RolledProgram,
  constantIndices: ReadonlyMap<number, number>,
  lanes: Lanes,
  extension: ModuleExtension,
): RolledKernel {
  const module = new WasmModule(MATH_IMPORTS, { type: I32, count: 1 });
  const lane = laneCode(module, lanes);
  const schedules = rolled.routines.map(({ program }) => scheduleProgram(program, ROUTINE_OPTIONS));
  const hasTrig = rolled.routines.some(({ program }) => hasTrigNodes(program.graph));
  const sincos = hasTrig ? addSincos(module) : undefined;
  const spilledBytes = lane.bytes * Math.max(0, ...schedules.map(({ scratchSlotCount }) => scratchSlotCount));
  const functions = rolled.routines.map((routine, r) => {
    const { graph } = routine.program;
    const layout = routineLayout(routine, lane.bytes);
    const pushConstant = (): never => {
      throw new Error("the numbers of a routine are inputs");
    };
    return addChunk({ module, graph, schedule: schedules[r]!, lane, layout, sincos, pushConstant }, onlyChunk(schedules[r]!));
  });
  module.functionTable = functions;
  const table = callTable(rolled, constantIndices, lane.bytes, spilledBytes);
  const kernel: KernelFunction = {
    index: module.addFunction(KERNEL_PARAMETERS, [], [I32, I32], callLoop(module, table.size)),
    scratchBytes: spilledBytes + lane.bytes * rolled.frameValues,
  };
  extension.add(module, kernel);
  return { bytes: module.bytes(), scratchBytes: kernel.scratchBytes, table };
}

const hasTrigNodes = (graph: Routine["program"]["graph"]): boolean =>
  Array.from({ length: graph.size }, (_, id) => id).some((id) => isTrig(graph, id));

function onlyChunk({ chunks }: ProgramSchedule): ProgramSchedule["chunks"][number] {
  if (chunks.length !== 1) throw new Error(`a routine has ${chunks.length} chunks`);
  return chunks[0]!;
}

/** Bytes of a record before its numbers. */
const headBytes = ({ bases }: Routine): number => 8 * Math.ceil((4 + 4 * bases.length) / 8);
const recordBytes = (routine: Routine): number => headBytes(routine) + 8 * (routine.program.inputs.numbers ?? 0);

function routineLayout(routine: Routine, bytes: number): FunctionLayout {
  const { bases, sources, destinations } = routine;
  const place = ({ base, offset }: Routine["sources"][number]): WasmAddress => ({
    pointer: FIRST_BASE_POINTER + base,
    offset: offset * bytes,
  });
  return {
    parameters: ROUTINE_PARAMETERS,
    results: [I32],
    input: (position) =>
      position < sources.length
        ? place(sources[position]!)
        : { pointer: RECORD_POINTER, offset: headBytes(routine) + 8 * (position - sources.length), isNumber: true },
    output: (position) => place(destinations[position]!),
    scratch: (slot) => ({ pointer: SCRATCH_POINTER, offset: slot * bytes }),
    pointers: () => ({
      locals: bases.map(() => I32),
      firstFreeLocal: FIRST_BASE_POINTER + bases.length,
      emitPointers: (code) => {
        for (const [b, region] of bases.entries())
          code
            .get(POINTER_OF_REGION[region])
            .get(RECORD_POINTER)
            .i32Load(4 + 4 * b)
            .op(WASM.i32Add)
            .set(FIRST_BASE_POINTER + b);
      },
      rebase: (address) => address,
    }),
    pushResults: (code) => void code.get(RECORD_POINTER).i32(recordBytes(routine)).op(WASM.i32Add),
  };
}

/** Calls the routine of each record. */
function callLoop(module: WasmModule, tableBytes: number): WasmCode {
  const [record, end] = [KERNEL_PARAMETERS.length, KERNEL_PARAMETERS.length + 1];
  const code = new WasmCode();
  if (tableBytes === 0) return code;
  code.global(TABLE_ADDRESS).tee(record).i32(tableBytes).op(WASM.i32Add).set(end).beginLoop();
  code.get(X_POINTER).get(Y_POINTER).get(SCRATCH_POINTER).get(record);
  code
    .get(record)
    .i32Load(0)
    .callIndirect(module.typeIndex(ROUTINE_PARAMETERS, [I32]))
    .tee(record);
  return code.get(end).op(WASM.i32LtU).repeatIf().op(WASM.end);
}

function callTable(
  { routines, calls }: RolledProgram,
  constantIndices: ReadonlyMap<number, number>,
  bytes: number,
  frameStart: number,
): CallTable {
  const indexOf = new Map(routines.map((routine, r) => [routine, r]));
  const size = calls.reduce((sum, { routine }) => sum + recordBytes(routine), 0);
  const view = new DataView(new ArrayBuffer(size));
  const numbers: { readonly address: number; readonly constant: number }[] = [];
  let record = 0;
  const address = ({ routine, bases }: RoutineCall, b: number): number =>
    bases[b]! * bytes + (routine.bases[b] === "frames" ? frameStart : 0);
  for (const call of calls) {
    const { routine } = call;
    view.setInt32(record, indexOf.get(routine)!, true);
    for (let b = 0; b < routine.bases.length; b++) view.setInt32(record + 4 + 4 * b, address(call, b), true);
    for (const [k, id] of call.numbers.entries())
      numbers.push({ address: record + headBytes(routine) + 8 * k, constant: constantIndices.get(id)! });
    record += recordBytes(routine);
  }
  return {
    size,
    withNumbers(values) {
      const filled = view.buffer.slice(0);
      const doubles = new DataView(filled);
      for (const { address, constant } of numbers) doubles.setFloat64(address, values[constant]!, true);
      return new Uint8Array(filled);
    },
  };
}

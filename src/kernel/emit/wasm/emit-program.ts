/**
 * A program as a WebAssembly module, one function per chunk. Every function takes the byte addresses of x, y and scratch in the memory of
 * the module, so that a step loop in the same module can call the kernel on any addresses. x, y and scratch must not overlap, because
 * outputs are stored as soon as they are computed. Modules use fixed-width SIMD, which every engine supports since 2023.
 */
import { isLargeProgram, type ScheduleOptions, scheduleProgram, type TargetScheduleOptions } from "../../schedule/schedule.ts";
import type { Program } from "../../trace/program.ts";
import { KERNEL_PARAMETERS, kernelLayout, SCRATCH_POINTER, X_POINTER, Y_POINTER } from "./addresses.ts";
import { addChunk, type ChunkContext, isTrig } from "./chunk-emitter.ts";
import { F64, V128, WasmCode } from "./instructions.ts";
import { type Lanes, laneCode } from "./lanes.ts";
import { WasmModule } from "./module.ts";
import { addSincos, MATH_IMPORTS } from "./sincos.ts";

export interface WasmOptions extends ScheduleOptions {
  /** States per call. With 2, element i of state k is x[2 i + k], and y likewise. Default 1. */
  readonly lanes?: Lanes;
}

/**
 * V8 has 15 floating-point registers and needs some of them for intermediate results and constants. Values beyond these are kept in the scratch
 * memory, where the schedule puts them: V8 would spill them to the stack, whose place in a process varies. Stores and loads of two lanes
 * are slow there if they cross cache lines, so one process in several had a slow batch form. With few live values V8 also compiles longer
 * functions well. Measured with 4 to 100 hinges: inverse dynamics 0.76 to 0.95 of the time without a limit, forward dynamics 0.88 to 1.
 */
const SMALL_PROGRAM_OPTIONS: TargetScheduleOptions = { registers: 12, chunkSize: 2000, window: 16 };
const LARGE_PROGRAM_OPTIONS: TargetScheduleOptions = { registers: 10, chunkSize: 400 };
const TWO_LANE_REGISTERS = 10;

function scheduleOptions(program: Program, { lanes, chunkSize, registers }: WasmOptions): TargetScheduleOptions {
  const chosen = isLargeProgram(program) ? LARGE_PROGRAM_OPTIONS : SMALL_PROGRAM_OPTIONS;
  return {
    ...chosen,
    ...(lanes === 2 && { registers: TWO_LANE_REGISTERS }),
    ...(chunkSize !== undefined && { chunkSize }),
    ...(registers !== undefined && { registers }),
  };
}

export interface WasmKernel {
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** Bytes of scratch memory that a call needs. */
  readonly scratchBytes: number;
}

/** A module that exports `evaluate(x, y, scratch)`, with byte addresses. It imports castor.memory, math.sin and math.cos. */
export const emitWasm = (program: Program, options: WasmOptions = {}): WasmKernel => emitForm(program, new Map(), options);

/** Extends the module of a program by further functions. */
export interface ModuleExtension {
  /** Cache key: distinguishes extensions of one program. */
  readonly key: string;
  /** Adds functions to the module and exports those that the host calls. */
  add(module: WasmModule, kernel: KernelFunction): void;
}

export const EXPORT_EVALUATE: ModuleExtension = { key: "", add: (module, { index }) => module.exportFunction("evaluate", index) };

/**
 * Emits the module of all programs with the same form: constants are imported as numbers.0, numbers.1, ... instead of being part of the
 * code.
 *
 * @param importIndices index of the import of each constant node; other constants are part of the module
 */
export function emitForm(
  program: Program,
  importIndices: ReadonlyMap<number, number>,
  options: WasmOptions = {},
  extension = EXPORT_EVALUATE,
): WasmKernel {
  const module = new WasmModule(MATH_IMPORTS, { type: options.lanes === 2 ? V128 : F64, count: importIndices.size });
  const kernel = addKernel(module, program, importIndices, options);
  extension.add(module, kernel);
  return { bytes: module.bytes(), scratchBytes: kernel.scratchBytes };
}

export interface KernelFunction {
  /** Index of the function that evaluates the program. */
  readonly index: number;
  readonly scratchBytes: number;
}

/** Adds the functions of a program to a module that has the imports MATH_IMPORTS. */
function addKernel(
  module: WasmModule,
  program: Program,
  importIndices: ReadonlyMap<number, number>,
  options: WasmOptions,
): KernelFunction {
  const { graph } = program;
  const lane = laneCode(module, options.lanes ?? 1);
  const schedule = scheduleProgram(program, scheduleOptions(program, options));
  const hasTrig = schedule.chunks.some(({ steps }) => steps.some((id) => isTrig(graph, id)));
  const context: ChunkContext = {
    module,
    graph,
    schedule,
    lane,
    layout: kernelLayout(lane.bytes),
    sincos: hasTrig ? addSincos(module) : undefined,
    pushConstant(code, id) {
      const index = importIndices.get(id);
      if (index === undefined) lane.constant(code, graph.valueOf(id));
      else code.global(index);
    },
  };
  const chunks = schedule.chunks.map((chunk) => addChunk(context, chunk));
  const scratchBytes = schedule.scratchSlotCount * lane.bytes;
  if (chunks.length === 1) return { index: chunks[0]!, scratchBytes };
  const calls = new WasmCode();
  for (const chunk of chunks) calls.get(X_POINTER).get(Y_POINTER).get(SCRATCH_POINTER).call(chunk);
  return { index: module.addFunction(KERNEL_PARAMETERS, [], [], calls), scratchBytes };
}

/** Kernels: programs traced from functions over `Scalar`, compiled to WebAssembly, JavaScript or C. */

export { cName, cSource } from "./emit/c-source.ts";
export { interpret } from "./emit/interpret.ts";
export { jsSource } from "./emit/js-source.ts";
export { compile, compileAsync, wasmModule } from "./run/compile.ts";
export type { CompileOptions, Kernel, KernelCode, NamedValues, NamedViews, Target, WasmKernel } from "./run/kernel.ts";
export { KernelMemory } from "./run/memory.ts";
export * as scalar from "./scalar.ts";
export type { ScheduleOptions } from "./schedule/schedule.ts";
export { jacobian } from "./trace/differentiate.ts";
export type { Op } from "./trace/graph.ts";
export { Expr, Graph } from "./trace/graph.ts";
export {
  type Cost,
  costOf,
  type NamedSizes,
  offsetsOf,
  type Program,
  sizeOf,
  type TraceOptions,
  trace,
} from "./trace/program.ts";
export type { Scalar } from "./trace/scalar.ts";

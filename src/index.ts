/** Castor: multibody dynamics for space robots. This file is the whole public surface. */

export { FORMULATIONS } from "./dynamics/all.ts";
// Dynamics: three formulations behind one interface, and each quantity of a model as a program to compile.
export { articulated } from "./dynamics/articulated.ts";
export type { DeriveOptions, Equations, Formulation, FormulationName } from "./dynamics/formulation.ts";
export { kane } from "./dynamics/kane.ts";
export { matrix } from "./dynamics/matrix-method.ts";
export * as programs from "./dynamics/programs.ts";
// Files.
export { formatModel, parseModel } from "./formats/model-file.ts";
export { type InitialState, parseState, type Wrench } from "./formats/state-file.ts";
// Kernels.
export { cName, cSource } from "./kernel/emit-c.ts";
export { jsSource } from "./kernel/emit-js.ts";
export { interpret } from "./kernel/interpret.ts";
export { type CompileOptions, compile, compileAsync, type Kernel, type Target, wasmBytes } from "./kernel/kernel.ts";
export { KernelMemory } from "./kernel/memory.ts";
export { type Cost, costOf, offsetsOf, type Program, type Shape, sizeOf, trace } from "./kernel/program.ts";
export type { Scalar } from "./kernel/scalar.ts";
// Models.
export { buildModel, type ModelBuilder } from "./model/builder.ts";
export { createModel } from "./model/create.ts";
export { describeModel } from "./model/describe.ts";
export type * from "./model/description.ts";
export { describeProblem, ModelError, type Problem, SingularError } from "./model/errors.ts";
export {
  type Body,
  coordinateNames,
  type Frame,
  frameOf,
  type Hinge,
  homeOf,
  type Model,
  type Placement,
} from "./model/model.ts";
export { parametersOf, parameterValue, setParameters } from "./model/parameters.ts";
export { FrameMismatch } from "./spatial/pose.ts";

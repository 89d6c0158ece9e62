/** Dynamics: five formulations behind one interface, and each quantity of a model as a program to compile. */

export { articulated } from "./articulated.ts";
export type { Dependents, DeriveOptions, Equations, Formulation, FormulationName, LoopRank } from "./formulation.ts";
export type { LoopedModel } from "./formulations.ts";
export { FORMULATIONS, formulationsFor } from "./formulations.ts";
export { type FreeFlyer, freeFlyer } from "./free-flying/free-flyer.ts";
export { type Robot, robotOf } from "./free-flying/robot.ts";
export { kane } from "./kane/kane.ts";
export { matrix } from "./matrix/matrix-method.ts";
export { minimal } from "./partition/minimal.ts";
export { partition } from "./partition/partition.ts";
export type { BlockLine, LoopLine } from "./partition/partition-report.ts";
export { type PartitionReport, type PartitionState, partitionReport } from "./partition/partition-report.ts";
export type { PartitionKernelOptions, ReductionCost } from "./partition/partitioned-dynamics.ts";
export { partitionedDynamics, reductionCost } from "./partition/partitioned-dynamics.ts";
export * as programs from "./programs.ts";
export type { Names } from "./trace-model.ts";
export { impulseJump, type SpeedJump } from "./tree/impulse.ts";
export type { AppliedImpulse } from "./tree/impulse-wrench.ts";

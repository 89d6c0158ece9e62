/** Castor: multibody dynamics for space robots. The most used names; the subpaths castor/model, castor/sim, ... have all of them (docs/api.txt). */

// castor/model: machines

export { createModel } from "./model/build/create-model.ts";
export { buildElasticModel, buildModel, type ModelBuilder } from "./model/build/model-builder.ts";
export type { BodyDescription, HingeDescription, ModelDescription } from "./model/description.ts";
export { type Body, coordinateNames, type Frame, frameOf, type Hinge, homeOf, type Model } from "./model/model.ts";

// castor/dynamics: formulations behind one interface, and each quantity of a model as a program to compile

export { articulated } from "./dynamics/articulated.ts";
export type { Equations, Formulation, FormulationName } from "./dynamics/formulation.ts";
export { FORMULATIONS } from "./dynamics/formulations.ts";
export { freeFlyer } from "./dynamics/free-flying/free-flyer.ts";
export * as programs from "./dynamics/programs.ts";

// castor/sim, castor/force, castor/control: a system of model, parts and formulation, and its motion

export type { Channel, Log } from "./log/log.ts";
export { createController } from "./parts/control/controllers.ts";
export { createForce } from "./parts/force/forces.ts";
export { customForce } from "./parts/force/loads/custom.ts";
export { createSystem, createTreeSystem } from "./sim/create-system.ts";
export { INTEGRATORS, type IntegratorName } from "./sim/integrators/index.ts";
export type { Controller } from "./sim/run/controller.ts";
export { type SimulateOptions, simulate } from "./sim/run/simulate.ts";
export { Simulation, type SimulationRun } from "./sim/run/simulation.ts";
export type { State } from "./sim/state.ts";
export type { ForceElement } from "./sim/system/force-element.ts";
export type { System, SystemOptions } from "./sim/system/system.ts";

// castor/analysis, castor/plan: quantities at a state, small motions, equilibrium; motions as functions of time

export { equilibriumOf } from "./analysis/equilibrium.ts";
export { type Evaluation, evaluate } from "./analysis/evaluate.ts";
export { type Linearisation, linearise } from "./analysis/linearise.ts";
export { type Mode, modesOf } from "./analysis/modes/modes.ts";
export { sCurve, trapezoid } from "./plan/speed-profiles.ts";

// castor/kernel: traced programs and compiled kernels

export { compile, compileAsync } from "./kernel/run/compile.ts";
export type { Kernel } from "./kernel/run/kernel.ts";
export { type Program, trace } from "./kernel/trace/program.ts";
export type { Scalar } from "./kernel/trace/scalar.ts";

// Errors: every class has a stable code (docs/errors.md). Files need parsers: castor/formats and castor/scenario.

export * from "./errors.ts";

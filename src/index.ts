/** Castor: multibody dynamics for space robots. This file is the whole public surface. */

// Errors: every class has a stable code, see docs/errors.md

export {
  ArgumentError,
  AuditError,
  CastorError,
  ChatterError,
  DivergenceError,
  describeProblem,
  EngagementError,
  FormatError,
  FrameError,
  ModelError,
  type Problem,
  SingularError,
  StepError,
  TraceError,
  UnreachableError,
} from "./errors.ts";

// Models

export { matchesSearch } from "./declare/search-words.ts";
export type { BodyShape, ShapeGeometry } from "./model/body-shape.ts";
export { createModel } from "./model/build/create-model.ts";
export { describeModel } from "./model/build/describe-model.ts";
export { buildModel, type ModelBuilder } from "./model/build/model-builder.ts";
export type * from "./model/description.ts";
export { equivalentShape } from "./model/equivalent-shape.ts";
export type { Body, Frame, Hinge, Model, Placement } from "./model/model.ts";
export { coordinateNames, frameOf, homeOf } from "./model/model.ts";
export { parametersOf, parameterValue, setParameters } from "./model/parameters.ts";
export type { NumericVec3 } from "./spatial/vec3.ts";

// Files of models and states

export { factorTo, isSiUnit, unitsOf } from "./declare/units.ts";
export { type FileKind, kindOfFile } from "./formats/file-kind.ts";
export { formatModel, parseModel } from "./formats/model-file.ts";
export { type InitialState, parseState, type Wrench } from "./formats/state-file.ts";

// Files of logs

export { csvLog, parseCsvLog } from "./formats/log-csv.ts";
export { jsonLog, parseJsonLog } from "./formats/log-json.ts";

// Dynamics: formulations behind one interface, and each quantity of a model as a program to compile

export { articulated } from "./dynamics/articulated.ts";
export type { DeriveOptions, Equations, Formulation, FormulationName, LoopRank } from "./dynamics/formulation.ts";
export { FORMULATIONS, formulationsFor } from "./dynamics/formulations.ts";
export { type FreeFlyer, freeFlyer } from "./dynamics/free-flying/free-flyer.ts";
export { type Robot, robotOf } from "./dynamics/free-flying/robot.ts";
export { kane } from "./dynamics/kane/kane.ts";
export { matrix } from "./dynamics/matrix/matrix-method.ts";
export { partition } from "./dynamics/partition/partition.ts";
export { type PartitionReport, type PartitionState, partitionReport } from "./dynamics/partition/partition-report.ts";
export type { PartitionKernelOptions, ReductionCost } from "./dynamics/partition/partitioned-dynamics.ts";
export { partitionedDynamics, reductionCost } from "./dynamics/partition/partitioned-dynamics.ts";
export * as programs from "./dynamics/programs.ts";
export { type AppliedImpulse, impulseJump, type SpeedJump } from "./dynamics/tree/impulse.ts";

// Motion: a system of model, forces and formulation, run through time

export type { Channel, GrowingLog, Log, SampleBlock } from "./log/log.ts";
export { CONTROLLERS, createController } from "./parts/control/index.ts";
export { type Manipulability, manipulabilityOf, reactionNullSpaceOf } from "./parts/control/tasks/manipulability.ts";
export type { PosePart, Task } from "./parts/control/tasks/read-tasks.ts";
export { type Move, movesReference, plannedReference, type Reference } from "./parts/control/tasks/reference.ts";
export { type TaskStack, taskStack } from "./parts/control/tasks/task-stack.ts";
export { registerTorqueOptimum, type TorqueOptimum, type TorqueOptimumFactory } from "./parts/control/tasks/torque-optimum.ts";
export { withCmgs, withReactionWheels } from "./parts/force/devices/reaction-wheels.ts";
export { createForce, FORCES } from "./parts/force/index.ts";
export { customForce } from "./parts/force/loads/custom.ts";
export type { DiscreteState } from "./sim/events/discrete-state.ts";
export { changeLoops, type Impulse, type LoopChange, type LoopImpulse } from "./sim/events/engagement.ts";
export type { Actions, PlannedEvent, TimelineEntry } from "./sim/events/event-plan.ts";
export { INTEGRATORS, type IntegratorName } from "./sim/integrators/index.ts";
export type {
  DerivativeCode,
  InitialValueProblem,
  Integrator,
  IntegratorOptions,
  Stepper,
} from "./sim/integrators/integrator.ts";
export type { AuditRow, AuditTolerances } from "./sim/record/audit.ts";
export { drawnForces } from "./sim/record/drawn-forces.ts";
export { carriedLoads, type Load, loopLoads } from "./sim/record/frame-loads.ts";
export { Replay } from "./sim/record/replay.ts";
export type { Controller, Intent } from "./sim/run/controller.ts";
export type { TimedIntent } from "./sim/run/controller-runner.ts";
export { type SimulationOptions, simulate } from "./sim/run/simulate.ts";
export type { SimulationRun } from "./sim/run/simulation.ts";
export { type Assembly, assemble } from "./sim/system/assembly.ts";
export type { DrawnForce, ForceElement } from "./sim/system/force-element.ts";
export type { Observation } from "./sim/system/observer.ts";
export { createSystem, type System, type SystemOptions } from "./sim/system/system.ts";

// Analysis: small motions about a state, rest under loads

export { type Driving, drivingOf } from "./analysis/driving.ts";
export { type FrequencyResponseOptions, type FrequencyResponsePoint, frequencyResponse } from "./analysis/frequency-response.ts";
export type { DampingOptions, IdentifiedDamping, MeasuredRatio } from "./analysis/identification/damping.ts";
export { identifyDamping } from "./analysis/identification/damping.ts";
export { type Decay, fitDecay, fitDecays } from "./analysis/identification/decay.ts";
export { type GridOptions, gridSearch } from "./analysis/identification/grid-search.ts";
export { type IdentifiedRod, type IdentifyOptions, identify, type Measurement } from "./analysis/identification/identify.ts";
export type { RodData } from "./analysis/identification/rod-model.ts";
export { type Linearisation, type LineariseOptions, linearise } from "./analysis/linearise.ts";
export { type ModalAnalysis, type ModalOptions, modalAnalysis, modalRemarks } from "./analysis/modes/modal-analysis.ts";
export { type Mode, type ModesOptions, modesOf } from "./analysis/modes/modes.ts";
export { complianceOf, type Equilibrium, equilibriumOf, type LoadDirection } from "./analysis/statics.ts";
export { type SteadyMotion, steadyMotion } from "./analysis/steady-motion.ts";

// Plans: motions as functions of time, and how fast they may be; ways over ground

export { aStar, type PlannedPath } from "./plan/a-star.ts";
export { DStarLite } from "./plan/d-star-lite.ts";
export { type Exploration, Explorer } from "./plan/explorer.ts";
export { throughKnots } from "./plan/knots.ts";
export { type PathLoadsOptions, pathLoads } from "./plan/path-loads.ts";
export { poseSpline } from "./plan/pose-spline.ts";
export { type Reorientation, type ReorientOptions, reorient } from "./plan/reorient.ts";
export { sCurve, trapezoid } from "./plan/speed-profiles.ts";
export { straightLine } from "./plan/straight-line.ts";
export { type PathLoads, timeOptimal } from "./plan/time-optimal.ts";
export { slowingFor } from "./plan/time-scaling.ts";
export { inSequence, slowDown, type Trajectory } from "./plan/trajectory.ts";
export { type CostGrid, type TravelModel, TravelTime } from "./plan/travel-time.ts";
export { type TraversabilityMap, traversabilityOf } from "./plan/traversability.ts";

// The ground: surfaces, maps, soils, a wheel on a bench

export { readMap } from "./formats/map-file.ts";
export type { MapFiles } from "./formats/map-frame.ts";
export { gridOf, type HeightGrid, heightmap } from "./ground/heightmap.ts";
export { craters, type Roughness, rocks, roughness, type Scatter } from "./ground/procedural.ts";
export { heightGridFromRaster, type MapProblem, type MapWindow, type Raster } from "./ground/raster.ts";
export { crater, ledge, mound, ridge } from "./ground/shapes.ts";
export { SOILS, type Soil, type SoilPreset, type SoilProblem, soilProblems, soilWarnings } from "./ground/soil.ts";
export { FLAT, heightAt, placeTerrain, plane, sumOf, type Terrain } from "./ground/terrain.ts";
export { forcesAtSlip, sinkageUnder, steadyPull } from "./ground/wheel-bench.ts";
export { type WheelForces, WheelOnSoil, type WheelShape } from "./ground/wheel-soil.ts";

// Scenarios: a model and everything that is chosen about its motion, from a file

export type { NamedText, ScenarioFiles } from "./scenario/files.ts";
export { formatScenario } from "./scenario/format.ts";
export { describeScenario, type LoadOptions, loadScenario } from "./scenario/load.ts";
export { openScenario, withMaps } from "./scenario/open.ts";
export { formatOverride, formatValue, type Override, parseOverride } from "./scenario/override.ts";
export type { Condition } from "./scenario/read/condition.ts";
export { type PreparedScenario, prepareScenario, type RunOptions, runScenario, type ScenarioRun } from "./scenario/run.ts";
export { saveScenario } from "./scenario/save.ts";
export type { Scenario, ScenarioPlot } from "./scenario/scenario.ts";
export type { Setting, SettingEntry } from "./scenario/settings/setting.ts";
export { settingsOf } from "./scenario/settings/settings.ts";
export { type ChannelDifference, type Verification, type VerifyOptions, verifyScenario } from "./scenario/verify.ts";

// Kernels

export { cName, cSource } from "./kernel/emit/c-source.ts";
export { interpret } from "./kernel/emit/interpret.ts";
export { jsSource } from "./kernel/emit/js-source.ts";
export type { CompileOptions, Kernel, KernelCode, Target, WasmKernel } from "./kernel/run/kernel.ts";
export { compile, compileAsync, wasmModule } from "./kernel/run/kernel.ts";
export { KernelMemory } from "./kernel/run/memory.ts";
export { type Cost, costOf, type NamedSizes, offsetsOf, type Program, sizeOf, trace } from "./kernel/trace/program.ts";
export type { Scalar } from "./kernel/trace/scalar.ts";

// Numerics of their own use

export { type QuadraticProgram, type QuadraticProgramOutcome, quadraticProgram } from "./math/optimise/quadratic-program.ts";

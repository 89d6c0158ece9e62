/** Analysis: quantities at a state, small motions about it, rest under loads, identification from measurements. */

export { type QuadraticProgram, type QuadraticProgramOutcome, quadraticProgram } from "../math/optimise/quadratic-program.ts";
export type { DrivingOptions, WheelExtreme } from "./driving.ts";
export { type Driving, drivingOf, drivingPeaks } from "./driving.ts";
export { type Equilibrium, equilibriumOf } from "./equilibrium.ts";
export type {
  EvaluateOptions,
  Evaluation,
  EvaluationState,
  FrameResults,
} from "./evaluate.ts";
export { evaluate } from "./evaluate.ts";
export type { Agreement, FormulationDifference } from "./evaluation/agreement.ts";
export type { DynamicsTerms } from "./evaluation/dynamics-terms.ts";
export type { FormulationResults } from "./evaluation/formulation-results.ts";
export type { ClosedFreeFlying, FreeFlyingEvaluation, Matrix } from "./evaluation/free-flying-results.ts";
export type { LoopEvaluation } from "./evaluation/loop-evaluation.ts";
export { type FrequencyResponseOptions, type FrequencyResponsePoint, frequencyResponse } from "./frequency-response.ts";
export type { CurveFit, FittedCurve, FoundUnknown } from "./identification/curve-problem.ts";
export type { DampingOptions, IdentifiedDamping, MeasuredRatio } from "./identification/damping.ts";
export { identifyDamping } from "./identification/damping.ts";
export { type Decay, fitDecay, fitDecays } from "./identification/decay.ts";
export type { GridResult } from "./identification/grid-search.ts";
export { type GridOptions, gridSearch } from "./identification/grid-search.ts";
export { type IdentifiedFreedom, type IdentifiedRod, type IdentifyOptions, identify } from "./identification/identify.ts";
export type { Measurement, MeasurementRow } from "./identification/measurement.ts";
export type { RodData, RodFreedom, StaticKind } from "./identification/rod-model.ts";
export { STATIC_KINDS } from "./identification/rod-model.ts";
export { type InternalStates, type Linearisation, type LineariseOptions, linearise } from "./linearise.ts";
export { type ModalAnalysis, type ModalOptions, modalAnalysis, modalRemarks } from "./modes/modal-analysis.ts";
export { type Mode, type ModesOptions, modesOf } from "./modes/modes.ts";
export { complianceOf, type LoadDirection } from "./statics.ts";
export type { SteadyOptions } from "./steady-motion.ts";
export { type SteadyMotion, steadyMotion } from "./steady-motion.ts";
export type { StuckInterval } from "./stuck-intervals.ts";

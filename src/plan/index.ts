/** Plans: motions as functions of time, how fast they may be, and ways over ground. */

export type { PathLoads } from "./grid-step.ts";
export { aStar, type PlannedPath } from "./ground-paths/a-star.ts";
export { DStarLite } from "./ground-paths/d-star-lite.ts";
export { Explorer } from "./ground-paths/explorer.ts";
export type { Exploration } from "./ground-paths/survey.ts";
export { type CostGrid, type TravelModel, TravelTime } from "./ground-paths/travel-time.ts";
export type { TraversabilityLimits } from "./ground-paths/traversability.ts";
export { type TraversabilityMap, traversabilityOf } from "./ground-paths/traversability.ts";
export { throughKnots } from "./knots.ts";
export { type PathLoadsOptions, pathLoads } from "./path-loads.ts";
export type { PoseNumbers } from "./pose.ts";
export { poseSpline } from "./pose-spline.ts";
export { type Reorientation, type ReorientOptions, reorient } from "./reorient.ts";
export type { JerkLimits, SpeedLimits } from "./speed-profiles.ts";
export { sCurve, trapezoid } from "./speed-profiles.ts";
export type { LineLimits } from "./straight-line.ts";
export { straightLine } from "./straight-line.ts";
export type { TimeOptimalOptions } from "./time-optimal.ts";
export { timeOptimal } from "./time-optimal.ts";
export type { LoadSamples, Slowing } from "./time-scaling.ts";
export { slowingFor } from "./time-scaling.ts";
export { inSequence, slowDown, type Trajectory } from "./trajectory.ts";

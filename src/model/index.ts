/** Models: bodies, hinges, loops and frames of a machine, from plain descriptions. */

export type {
  DeclaredKind,
  EitherParameter,
  Group,
  ItemsParameter,
  KindsParameter,
  ListParameter,
  NoteRule,
  ObjectParameter,
  RecordParameter,
} from "../declare/declarations.ts";
export type { Freedom } from "../declare/freedom.ts";
export type {
  CoordinateReference,
  Omissible,
  SimpleValues,
  SimpleWritten,
  Table,
  ValueOf,
  WrittenOf,
} from "../declare/parameters.ts";
export type { QuantityReader } from "../declare/parse-structures.ts";
export type { Fields } from "../declare/plain-data.ts";
export type {
  ArrayParameter,
  AxisParameter,
  BooleanParameter,
  ChoiceParameter,
  ChoicesParameter,
  CoordinateParameter,
  DeclarationBase,
  DirectionParameter,
  FileParameter,
  FrameParameter,
  FreedomParameter,
  FreedomsParameter,
  MatrixParameter,
  NameParameter,
  NumberParameter,
  NumbersParameter,
  QuantityParameter,
  Range,
  ReferenceParameter,
  ReferencesParameter,
  SeriesParameter,
  TableParameter,
  TextParameter,
  TextsParameter,
  TrajectoryParameter,
  Unit,
  ValueProblem,
  VectorParameter,
} from "../declare/value-declarations.ts";
export type { Axis, AxisName } from "../spatial/axis.ts";
export type { Mat3, NumericMat3, Quaternion } from "../spatial/rotation.ts";
export * as rotation from "../spatial/rotation.ts";
export type { NumericVec3, Vec3 } from "../spatial/vec3.ts";
export * as vec3 from "../spatial/vec3.ts";
export { type BodyShape, type ShapeCopies, type ShapeGeometry, shapeInstances } from "./body-shape.ts";
export { createModel } from "./build/create-model.ts";
export { describeModel } from "./build/describe-model.ts";
export { buildElasticModel, buildModel, type ModelBuilder } from "./build/model-builder.ts";
export { checkCoordinates, checkSpeeds } from "./check-state.ts";
export type * from "./description.ts";
export type { ShapeFields } from "./description.ts";
export type { Springs } from "./elastic/springs.ts";
export { equivalentShape } from "./equivalent-shape.ts";
export type { GravityName } from "./gravity.ts";
export { GRAVITIES } from "./gravity.ts";
export type { HingeElement, HingeKind, PartialVelocity } from "./hinge.ts";
export { ballElement, freeElement, hingeKind, screwElement, slideElement, turnElement } from "./hinge.ts";
export type { FreedomName, Rotations } from "./hinges/general.ts";
export { FREEDOM_NAMES, ROTATIONS } from "./hinges/general.ts";
export { HINGES, type HingeKindName, registerHinge } from "./hinges/index.ts";
export type {
  Attachment,
  ChainName,
  CoordinateLoop,
  Engagement,
  FrameLoop,
  Loop,
  LoopRow,
  LoopSolution,
  Prescription,
} from "./loop.ts";
export type { Body, Frame, Hinge, Model, Placement } from "./model.ts";
export { coordinateNames, frameOf, homeOf } from "./model.ts";
export { parametersOf, parameterValue, setParameters } from "./parameters.ts";
export { MATERIALS, type MaterialName } from "./surface/materials.ts";
export type { Point2 } from "./surface/polygon.ts";
export { type SurfacePart, shapeBounds, shapeSurface } from "./surface/shape-surface.ts";
export type { Surface } from "./surface/surface.ts";
export type { Wrench } from "./wrench.ts";

/** Models: bodies, hinges, loops and frames of a machine, from plain descriptions. */

export type { Freedom } from "../declare/freedom.ts";
export type { Axis, AxisName } from "../spatial/axis.ts";
export type { Mat3, NumericMat3, Quaternion } from "../spatial/rotation.ts";
export * as rotation from "../spatial/rotation.ts";
export type { NumericVec3, Vec3 } from "../spatial/vec3.ts";
export * as vec3 from "../spatial/vec3.ts";
export type { BodyShape, ShapeGeometry } from "./body-shape.ts";
export { createModel } from "./build/create-model.ts";
export { describeModel } from "./build/describe-model.ts";
export { buildModel, type ModelBuilder } from "./build/model-builder.ts";
export { checkCoordinates, checkSpeeds } from "./check-state.ts";
export type * from "./description.ts";
export { equivalentShape } from "./equivalent-shape.ts";
export type { HingeElement, HingeKind, PartialVelocity } from "./hinge.ts";
export { ballElement, freeElement, hingeKind, screwElement, slideElement, turnElement } from "./hinge.ts";
export { HINGES, type HingeKindName, registerHinge } from "./hinges/index.ts";
export type { Body, Frame, Hinge, Model, Placement } from "./model.ts";
export { coordinateNames, frameOf, homeOf } from "./model.ts";
export { parametersOf, parameterValue, setParameters } from "./parameters.ts";
export type { Wrench } from "./wrench.ts";

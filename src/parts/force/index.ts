/** Force elements: springs, drives, loads, friction, contact, wheels on ground, devices; and kinds of your own. */

export type { Parameter, Parameters, ParameterValues, WrittenParameters } from "../../declare/parameters.ts";
export type { ParseContext } from "../../declare/parse-parameters.ts";
export type { NoteProblem } from "../../sim/system/create-checked.ts";
export type * from "../../sim/system/force-element.ts";
export type { PartDescription } from "../part-description.ts";
export type { DescriptionWithDevices, MotorDescription } from "./devices/reaction-wheels.ts";
export { CMG, REACTION_WHEEL, withCmgs, withReactionWheels } from "./devices/reaction-wheels.ts";
export { actuator } from "./drives/actuator.ts";
export { servo } from "./drives/servo.ts";
export { createForce, FORCES, type ForceDescription, type ForceKindName, registerForce } from "./forces.ts";
export { type ForceDeclaration, type ForceKind, forceKind } from "./kind.ts";
export { type CustomElement, customForce } from "./loads/custom.ts";

/** Every kind of force element, by name. Adding a kind is adding its file and its line here. */

import { didYouMean } from "../../declare/names.ts";
import type { Parameters } from "../../declare/parameters.ts";
import type { ParseContext } from "../../declare/parse-parameters.ts";
import { childPath } from "../../declare/plain-data.ts";
import { registerKind } from "../../declare/register-kind.ts";
import { ModelError, valueText } from "../../errors.ts";
import type { Model } from "../../model/model.ts";
import type { ForceElement } from "../../sim/system/force-element.ts";
import { checkedDescription, type PartDescription } from "../part-description.ts";
import { clearance } from "./contact/clearance/clearance.ts";
import { contact } from "./contact/contact.ts";
import { latch } from "./devices/latch.ts";
import { thruster } from "./devices/thruster.ts";
import { actuator } from "./drives/actuator.ts";
import { differential } from "./drives/differential.ts";
import { legActuator } from "./drives/leg-actuator.ts";
import { motors } from "./drives/motors.ts";
import { servo } from "./drives/servo.ts";
import { drag } from "./environment/drag.ts";
import { gravityGradient } from "./environment/gravity-gradient.ts";
import { magneticTorque } from "./environment/magnetic-torque.ts";
import { pointGravity } from "./environment/point-gravity.ts";
import { solarPressure } from "./environment/solar-pressure.ts";
import { friction } from "./friction/friction.ts";
import { wheelOnGround } from "./ground-wheels/wheel-on-ground.ts";
import { wheelOnSoil } from "./ground-wheels/wheel-on-soil.ts";
import type { ForceKind } from "./kind.ts";
import { constantWrench } from "./loads/constant-wrench.ts";
import { generalisedForce } from "./loads/generalised-force.ts";
import { wrenchTable } from "./loads/wrench-table.ts";
import { bushing } from "./springs/bushing.ts";
import { frameSpring } from "./springs/frame-spring.ts";
import { hingeSpring } from "./springs/hinge-spring.ts";
import { hingeStop } from "./springs/hinge-stop.ts";
import { hingeTable } from "./springs/hinge-table.ts";

export const FORCES = {
  "hinge-spring": hingeSpring,
  "hinge-table": hingeTable,
  "frame-spring": frameSpring,
  bushing,
  friction,
  stop: hingeStop,
  actuator,
  motors,
  servo,
  "leg-actuator": legActuator,
  differential,
  latch,
  thruster,
  "constant-wrench": constantWrench,
  "wrench-table": wrenchTable,
  "generalised-force": generalisedForce,
  "gravity-gradient": gravityGradient,
  "point-gravity": pointGravity,
  drag,
  "solar-pressure": solarPressure,
  "magnetic-torque": magneticTorque,
  contact,
  clearance,
  "wheel-on-ground": wheelOnGround,
  "wheel-on-soil": wheelOnSoil,
} as const;

export type ForceKindName = keyof typeof FORCES;

/** A force element as a program describes it: its kind, its name, and the parameters of the kind. */
export type ForceDescription = {
  readonly [K in ForceKindName]: PartDescription<K, (typeof FORCES)[K]["parameters"]>;
}[ForceKindName];

/** `createForce(model, { kind: "hinge-spring", name: "spring", hinge: "elbow", stiffness: 3 })`. @throws ModelError with every problem. */
export function createForce(model: Model, description: ForceDescription, surroundings: ParseContext = {}): ForceElement {
  const { kind, name, ...parameters } = checkedDescription(description);
  return readForce(kind, name, parameters, model, surroundings);
}

/**
 * Adds a kind of force element, declared with `forceKind`. Scenario files can then name it. A program creates one by `kind.create`.
 * @throws ArgumentError if the name is taken
 */
export const registerForce = <D extends Parameters>(kind: ForceKind<D>): ForceKind<D> =>
  registerKind(FORCES, kind, "kind of force element");

/** Creates a force element from its kind and its parameters as a file describes them. @throws ModelError with every problem. */
export function readForce(
  kind: unknown,
  name: string,
  parameters: unknown,
  model: Model,
  reading: ParseContext = {},
): ForceElement {
  if (typeof kind === "string" && Object.hasOwn(FORCES, kind))
    return (FORCES[kind as ForceKindName] as ForceKind<Record<never, never>>).create(name, parameters as object, model, reading);
  const path = childPath(reading.path ?? name, "kind");
  const advice = didYouMean(kind, Object.keys(FORCES));
  throw new ModelError(model.name, [{ path, message: "no such kind of force element", value: valueText(kind), advice }]);
}

/** Every kind of force element, by name. Adding a kind is adding its file and its line here. */

import { didYouMean } from "../declare/names.ts";
import type { Reading } from "../declare/parse-parameters.ts";
import { childPath } from "../declare/plain-data.ts";
import { ModelError, shown } from "../errors.ts";
import type { Model } from "../model/model.ts";
import type { ForceElement } from "../sim/system/force-element.ts";
import { actuator } from "./actuator.ts";
import { bushing } from "./bushing.ts";
import { constantWrench } from "./constant-wrench.ts";
import { contact } from "./contact.ts";
import { differential } from "./differential.ts";
import { frameSpring } from "./frame-spring.ts";
import { friction } from "./friction.ts";
import { generalisedForce } from "./generalised-force.ts";
import { gravityGradient } from "./gravity-gradient.ts";
import { hingeSpring } from "./hinge-spring.ts";
import { hingeTable } from "./hinge-table.ts";
import type { ForceKind } from "./kind.ts";
import { latch } from "./latch.ts";
import { legActuator } from "./leg-actuator.ts";
import { motors } from "./motors.ts";
import { servo } from "./servo.ts";
import { stop } from "./stop.ts";
import { thruster } from "./thruster.ts";
import { wheelOnGround } from "./wheel-on-ground.ts";
import { wheelOnSoil } from "./wheel-on-soil.ts";

export const FORCES = {
  "hinge-spring": hingeSpring,
  "hinge-table": hingeTable,
  "frame-spring": frameSpring,
  bushing,
  friction,
  stop,
  actuator,
  motors,
  servo,
  "leg-actuator": legActuator,
  differential,
  latch,
  thruster,
  "constant-wrench": constantWrench,
  "generalised-force": generalisedForce,
  "gravity-gradient": gravityGradient,
  contact,
  "wheel-on-ground": wheelOnGround,
  "wheel-on-soil": wheelOnSoil,
} as const;

export type ForceKindName = keyof typeof FORCES;

/** The element that a file describes: its kind by name, its parameters as read. @throws ModelError with every problem. */
export function createForce(kind: unknown, name: string, parameters: unknown, model: Model, reading: Reading = {}): ForceElement {
  if (typeof kind === "string" && Object.hasOwn(FORCES, kind))
    return (FORCES[kind as ForceKindName] as ForceKind<Record<never, never>>).create(name, parameters as object, model, reading);
  const path = childPath(reading.path ?? name, "kind");
  const advice = didYouMean(kind, Object.keys(FORCES));
  throw new ModelError(model.name, [{ path, message: "no such kind of force element", value: shown(kind), advice }]);
}

/** Every kind of controller, by name. Adding a kind is adding its file and its line here. */

import { didYouMean } from "../../declare/names.ts";
import type { Parameters } from "../../declare/parameters.ts";
import { NO_NAMES, type ParseContext, readParameters } from "../../declare/parse-parameters.ts";
import { childPath } from "../../declare/plain-data.ts";
import { registerKind } from "../../declare/register-kind.ts";
import { ModelError, valueText } from "../../errors.ts";
import type { Model } from "../../model/model.ts";
import type { Controller } from "../../sim/run/controller.ts";
import { createChecked } from "../../sim/system/create-checked.ts";
import { checkedDescription, type PartDescription } from "../part-description.ts";
import { reactionNullSpace } from "./attitude/reaction-null-space.ts";
import { reorientByArms } from "./attitude/reorient-by-arms.ts";
import { wheelDesaturation } from "./attitude/wheel-desaturation.ts";
import { legControl } from "./docking/leg-control.ts";
import { computedTorque } from "./hinge/computed-torque.ts";
import { hingePd } from "./hinge/hinge-pd.ts";
import type { ControllerKind } from "./kind.ts";
import { limitedTasks } from "./limits/limited-tasks.ts";
import { LINK, type LinkDescription, withLink } from "./link/with-link.ts";
import { leastPower } from "./power/least-power.ts";
import { drive } from "./rover/drive.ts";
import { followPath } from "./rover/follow-path.ts";
import { navigateToGoal } from "./rover/navigate-to-goal.ts";
import { steerByWayPoints } from "./rover/steer-by-way-points.ts";
import { leastTorque } from "./tasks/least-torque.ts";
import { resolvedAcceleration } from "./tasks/resolved-acceleration.ts";
import { resolvedRate } from "./tasks/resolved-rate.ts";
import { singularityRobust } from "./tasks/singularity-robust.ts";
import { type AssumedBody, withAssumedModel } from "./with-assumed-model.ts";
import { withPayload } from "./with-payload.ts";

export const CONTROLLERS = {
  "hinge-pd": hingePd,
  "computed-torque": computedTorque,
  "resolved-rate": resolvedRate,
  "resolved-acceleration": resolvedAcceleration,
  "least-torque": leastTorque,
  "least-power": leastPower,
  "limited-tasks": limitedTasks,
  "singularity-robust": singularityRobust,
  "reaction-null-space": reactionNullSpace,
  "reorient-by-arms": reorientByArms,
  "wheel-desaturation": wheelDesaturation,
  "leg-control": legControl,
  drive,
  "follow-path": followPath,
  guide: navigateToGoal,
  operator: steerByWayPoints,
} as const;

/** Description of the parameter `carrying`, which controllers of every kind have. */
export const CARRYING_ABOUT =
  "A weld of the model that holds a payload. While it holds, the law treats the payload as part of the robot, at its relative pose when the controller is switched on.";

export type ControllerKindName = keyof typeof CONTROLLERS;

/** A controller as a program describes it: its kind, its name, and the parameters of the kind. */
export type ControllerDescription = {
  readonly [K in ControllerKindName]: PartDescription<K, (typeof CONTROLLERS)[K]["parameters"]> & {
    /** A weld of the model that holds a payload, which the law treats as part of the robot. */
    readonly carrying?: string;
    /** Numbers that the law computes with instead of those of the model. */
    readonly assumes?: readonly AssumedBody[];
    /** A link between the vehicle and a ground station, at which the law is then. */
    readonly link?: LinkDescription;
  };
}[ControllerKindName];

/** `createController(model, { kind: "hinge-pd", name: "hold", ... })`. @throws ModelError with every problem. */
export function createController(model: Model, description: ControllerDescription, surroundings: ParseContext = {}): Controller {
  const { kind, name, ...parameters } = checkedDescription(description);
  return readController(kind, name, parameters, model, surroundings);
}

/**
 * Adds a kind of controller, declared with `controllerKind`. Scenario files can then name it. A program creates one by `kind.create`.
 * @throws ArgumentError if the name is taken
 */
export const registerController = <D extends Parameters>(kind: ControllerKind<D>): ControllerKind<D> =>
  registerKind(CONTROLLERS, kind, "kind of controller");

/** Creates a controller from its kind and its parameters as a file describes them. @throws ModelError with every problem. */
export function readController(
  kind: unknown,
  name: string,
  parameters: unknown,
  model: Model,
  reading: ParseContext = {},
): Controller {
  if (typeof kind === "string" && Object.hasOwn(CONTROLLERS, kind)) {
    const { create } = CONTROLLERS[kind as ControllerKindName] as ControllerKind<Record<never, never>>;
    const { link, ...others } = Object(parameters) as { readonly link?: unknown };
    if (link === undefined) return readUnlinked(create, name, parameters, model, reading);
    return readLinked(() => readUnlinked(create, name, others, model, reading), link, name, model, reading);
  }
  const path = childPath(reading.path ?? name, "kind");
  const advice = didYouMean(kind, Object.keys(CONTROLLERS));
  throw new ModelError(model.name, [{ path, message: "no such kind of controller", value: valueText(kind), advice }]);
}

/** Creates a controller without link; `assumes` are the numbers that its law computes with. */
function readUnlinked(
  create: ControllerKind<Record<never, never>>["create"],
  name: string,
  parameters: unknown,
  model: Model,
  reading: ParseContext,
): Controller {
  const { assumes, ...rest } = Object(parameters) as { readonly assumes?: unknown };
  if (assumes === undefined) return readWithPayload(create, name, parameters, model, reading);
  return withAssumedModel(model, name, assumes, reading, (assumed) => readWithPayload(create, name, rest, assumed, reading));
}

/** Creates a controller for the model that its law computes with; `carrying` is the weld of its payload. */
function readWithPayload(
  create: ControllerKind<Record<never, never>>["create"],
  name: string,
  parameters: unknown,
  model: Model,
  reading: ParseContext,
): Controller {
  const { carrying: loop, ...rest } = Object(parameters) as { readonly carrying?: unknown };
  if (loop === undefined) return create(name, parameters as object, model, reading);
  const path = childPath(reading.path ?? name, "carrying");
  return withPayload(model, loop, path, (augmented) => create(name, rest, augmented, reading));
}

/** Puts a link in front of a controller. The problems of both are reported together. */
function readLinked(create: () => Controller, link: unknown, name: string, model: Model, reading: ParseContext): Controller {
  const linkReading = { ...reading, path: childPath(reading.path ?? name, "link") };
  try {
    const controller = create();
    return createChecked(LINK, name, link, model, linkReading, (settings, note) => withLink(controller, settings, model, note));
  } catch (error) {
    if (!(error instanceof ModelError)) throw error;
    const problems = [...error.problems];
    if (!problems.some(({ path }) => path.startsWith(linkReading.path)))
      readParameters(LINK, link, NO_NAMES, problems, linkReading);
    throw new ModelError(model.name, problems);
  }
}

/** Forces and controllers by name. Each has a kind, and the parameters that its kind declares. */

import { MAX_PARTS } from "../../declare/limits.ts";
import { didYouMean, readName } from "../../declare/names.ts";
import type { ParseContext, QuantityReader } from "../../declare/parse-parameters.ts";
import { childPath, type Fields, readRecord } from "../../declare/plain-data.ts";
import { angleWarning, readQuantityInUnit } from "../../declare/units.ts";
import { type Problem, valueText } from "../../errors.ts";
import type { Model } from "../../model/model.ts";
import { CONTROLLERS, readController } from "../../parts/control/controllers.ts";
import { FORCES, readForce } from "../../parts/force/forces.ts";
import { allLoops } from "../../sim/events/engagement.ts";
import { heldInputNames, layoutOf } from "../../sim/system/layout.ts";
import type { Scenario } from "../scenario.ts";
import { collectProblems } from "./collect-problems.ts";
import type { EquippedModel } from "./devices.ts";
import { checkStepCount } from "./timing.ts";

/** First parts of channel names of the system. Forces and controllers cannot have these names, because their channels would collide. */
const RESERVED_NAMES: readonly string[] = [
  "t",
  "q",
  "u",
  "tau",
  "energy",
  "momentum",
  "centre",
  "held",
  "z",
  "frame",
  "acceleration",
  "reaction",
  "load",
  "loop",
];

type ForcesAndControllers = Pick<Scenario, "forces" | "controllers">;

/** Reads forces and controllers. Returns undefined after a problem. */
export function readForcesAndControllers(
  fields: Fields,
  { model, motors }: EquippedModel,
  duration: number | undefined,
  surroundings: ParseContext,
  problems: Problem[],
): ForcesAndControllers | undefined {
  const before = problems.length;
  const namedForces = readPartsByName(fields.forces, "forces", FORCES, model, surroundings, problems, readForce);
  for (const { name } of motors)
    if (namedForces.some((force) => force.name === name))
      problems.push({
        path: childPath("forces", name),
        message: "this name is used by the motor of a device",
        value: valueText(name),
      });
  for (const { name } of model.springs)
    if (namedForces.some((force) => force.name === name))
      problems.push({
        path: childPath("forces", name),
        message: "this name is used by an elastic body",
        value: valueText(name),
        advice: "The springs of this body have channels with this name. Choose another name",
      });
  const forces = [...motors.map(({ kind, name, parameters }) => readForce(kind, name, parameters, model)), ...namedForces];
  const controllers = readPartsByName(
    fields.controllers,
    "controllers",
    CONTROLLERS,
    model,
    surroundings,
    problems,
    readController,
  );
  for (const { name, period } of controllers)
    if (duration !== undefined && period > 0) checkStepCount(duration, period, `controllers.${name}.period`, "updates", problems);
  if (problems.length > before) return undefined;
  checkCommands({ forces, controllers }, model, problems);
  return problems.length > before ? undefined : { forces, controllers };
}

type CreatePart<T> = (kind: unknown, name: string, parameters: unknown, model: Model, reading: ParseContext) => T;

function readPartsByName<T>(
  value: unknown,
  path: string,
  kinds: object,
  model: Model,
  surroundings: ParseContext,
  problems: Problem[],
  create: CreatePart<T>,
): readonly T[] {
  const entries = Object.entries(value === undefined ? {} : (readRecord(value, path, problems) ?? {}));
  if (entries.length > MAX_PARTS) {
    problems.push({ path, message: `at most ${MAX_PARTS} ${path}, this has ${entries.length}` });
    return [];
  }
  const quantity: QuantityReader = (written, unit, at, found) => {
    const warning = angleWarning(written, unit, at);
    if (warning) surroundings.warn?.(warning);
    return readQuantityInUnit(written, unit, at, found);
  };
  return entries.flatMap(([name, part]) => {
    const partPath = childPath(path, name);
    const fields = readRecord(part, partPath, problems);
    if (!isPartName(name, partPath, problems) || fields === undefined) return [];
    const { kind: _, ...parameters } = fields;
    const kind = partKind(fields.kind, kinds, path, partPath, problems);
    if (kind === undefined) return [];
    const newPart = collectProblems(problems, () =>
      create(kind, name, parameters, model, { ...surroundings, path: partPath, quantity }),
    );
    return newPart === undefined ? [] : [newPart];
  });
}

/** True if a force or a controller may have this name. */
export function isPartName(name: string, path: string, problems: Problem[]): boolean {
  if (readName(name, path, problems) === "") return false;
  if (!RESERVED_NAMES.includes(name)) return true;
  problems.push({
    path,
    message: "this name is reserved for channels of the system",
    value: valueText(name),
    advice: "Choose another name",
  });
  return false;
}

/** The kind of a force or controller, or undefined after a problem. */
export function partKind(value: unknown, kinds: object, section: string, path: string, problems: Problem[]): string | undefined {
  if (typeof value === "string" && Object.hasOwn(kinds, value)) return value;
  const what = section === "forces" ? "force element" : "controller";
  problems.push({
    path: childPath(path, "kind"),
    message: value === undefined ? "is missing" : `no such kind of ${what}`,
    ...(value !== undefined && { value: valueText(value) }),
    advice: didYouMean(value, Object.keys(kinds)),
  });
  return undefined;
}

/** Checks that the commanded inputs exist. */
function checkCommands({ forces, controllers }: ForcesAndControllers, model: Model, problems: Problem[]): void {
  const known = [...heldInputNames(layoutOf(model, forces)), ...allLoops(model).map((loop) => `${loop.name}.engaged`)];
  for (const { name, commands } of controllers)
    for (const command of commands) {
      const path = childPath("controllers", name);
      if (known.includes(command)) continue;
      const advice = known.length === 0 ? "Add an actuator to the forces" : didYouMean(command, known);
      problems.push({ path, message: "commands an input that no force has", value: valueText(command), advice });
    }
}

/** Checks that no two controllers command the same input, unless an event switches one of them. */
export function checkSharedCommands(controllers: Scenario["controllers"], events: Scenario["events"], problems: Problem[]): void {
  const switchedControllers = new Set(events.flatMap(({ actions }) => [...(actions.enable ?? []), ...(actions.disable ?? [])]));
  const commandedBy = new Map<string, string>();
  for (const { name, commands } of controllers)
    for (const command of commands) {
      const other = commandedBy.get(command);
      if (other !== undefined && !switchedControllers.has(other) && !switchedControllers.has(name))
        problems.push({
          path: childPath("controllers", name),
          message: `commands the same input as ${other}`,
          value: valueText(command),
        });
      commandedBy.set(command, name);
    }
}

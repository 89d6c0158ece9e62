/** Forces and controllers, by name: each of a kind, with the parameters that its kind declares. */

import { MAX_PARTS } from "../../declare/limits.ts";
import { didYouMean, readName } from "../../declare/names.ts";
import type { ParseContext } from "../../declare/parse-parameters.ts";
import { childPath, type Fields, readRecord } from "../../declare/plain-data.ts";
import { readQuantityInUnit } from "../../declare/units.ts";
import { type Problem, valueText } from "../../errors.ts";
import type { Model } from "../../model/model.ts";
import { CONTROLLERS, createController } from "../../parts/control/index.ts";
import { createForce, FORCES } from "../../parts/force/index.ts";
import { allLoops } from "../../sim/events/engagement.ts";
import { heldInputNames } from "../../sim/run/controller-runner.ts";
import { layoutOf } from "../../sim/system/layout.ts";
import type { Scenario } from "../scenario.ts";
import { collectProblems } from "./collect-problems.ts";
import type { EquippedModel } from "./devices.ts";
import { checkStepCount } from "./timing.ts";

/** Beginnings of the names of channels: a force of this name would have channels of the same names. */
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

/** Undefined after a problem. */
export function readForcesAndControllers(
  fields: Fields,
  { model, motors }: EquippedModel,
  duration: number | undefined,
  surroundings: ParseContext,
  problems: Problem[],
): ForcesAndControllers | undefined {
  const before = problems.length;
  const named = readPartsByName(fields.forces, "forces", Object.keys(FORCES), model, surroundings, problems, createForce);
  for (const { name } of motors)
    if (named.some((force) => force.name === name))
      problems.push({
        path: childPath("forces", name),
        message: "the name is taken by the motor of a device",
        value: valueText(name),
      });
  for (const { name } of model.springs)
    if (named.some((force) => force.name === name))
      problems.push({
        path: childPath("forces", name),
        message: "the name is taken by an elastic body",
        value: valueText(name),
        advice: "Its springs have channels of this name: choose another",
      });
  const forces = [...motors.map(({ kind, name, parameters }) => createForce(kind, name, parameters, model)), ...named];
  const controllers = readPartsByName(
    fields.controllers,
    "controllers",
    Object.keys(CONTROLLERS),
    model,
    surroundings,
    problems,
    createController,
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
  kinds: readonly string[],
  model: Model,
  surroundings: ParseContext,
  problems: Problem[],
  create: CreatePart<T>,
): readonly T[] {
  const entries = Object.entries(value === undefined ? {} : (readRecord(value, path, problems) ?? {}));
  if (entries.length > MAX_PARTS) {
    problems.push({ path, message: `at most ${MAX_PARTS}, this has ${entries.length}` });
    return [];
  }
  return entries.flatMap(([name, part]) => {
    const at = childPath(path, name);
    const fields = readRecord(part, at, problems);
    if (!isNameFree(name, at, problems) || fields === undefined) return [];
    const { kind, ...parameters } = fields;
    if (kind === undefined) {
      problems.push({ path: childPath(at, "kind"), message: "is missing", advice: didYouMean(undefined, kinds) });
      return [];
    }
    const made = collectProblems(problems, () =>
      create(kind, name, parameters, model, { ...surroundings, path: at, quantity: readQuantityInUnit }),
    );
    return made === undefined ? [] : [made];
  });
}

function isNameFree(name: string, path: string, problems: Problem[]): boolean {
  if (readName(name, path, problems) === "") return false;
  if (!RESERVED_NAMES.includes(name)) return true;
  problems.push({
    path,
    message: "the name is taken by channels of the system",
    value: valueText(name),
    advice: "Choose another",
  });
  return false;
}

/** Controllers command inputs that are there. */
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

/** No two controllers command the same, but where events switch one of them. */
export function checkSharedCommands(controllers: Scenario["controllers"], events: Scenario["events"], problems: Problem[]): void {
  const switched = new Set(events.flatMap(({ actions }) => [...(actions.enable ?? []), ...(actions.disable ?? [])]));
  const commanded = new Map<string, string>();
  for (const { name, commands } of controllers)
    for (const command of commands) {
      const other = commanded.get(command);
      if (other !== undefined && !switched.has(other) && !switched.has(name))
        problems.push({
          path: childPath("controllers", name),
          message: `commands what ${other} commands already`,
          value: valueText(command),
        });
      commanded.set(command, name);
    }
}

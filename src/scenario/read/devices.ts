/** Devices of a scenario: bodies that are added to the model together with their motors. */

import { didYouMean } from "../../declare/names.ts";
import type { Parameters, WrittenParameters } from "../../declare/parameters.ts";
import type { ParseContext } from "../../declare/parse-parameters.ts";
import { childPath, readRecord } from "../../declare/plain-data.ts";
import { readQuantityInUnit } from "../../declare/units.ts";
import { type Problem, valueText } from "../../errors.ts";
import { cachedPerOwner, contentKey } from "../../kernel/run/program-cache.ts";
import { createModelWith, deepFreeze } from "../../model/build/create-model.ts";
import type { ModelDescription } from "../../model/description.ts";
import type { Model } from "../../model/model.ts";
import type { DescriptionWithDevices } from "../../parts/force/devices/reaction-wheels.ts";
import { CMG, REACTION_WHEEL, withCmgs, withReactionWheels } from "../../parts/force/devices/reaction-wheels.ts";
import { collectProblems } from "./collect-problems.ts";

interface DeviceKind {
  readonly about: string;
  readonly parameters: Parameters;
  equip(description: ModelDescription, devices: readonly never[], reading: ParseContext): DescriptionWithDevices;
}

const { name: _wheelName, ...wheelParameters } = REACTION_WHEEL;
const { name: _gyroName, ...gyroParameters } = CMG;

/** Every kind of device, by name. The name of a device is its key in the file. */
export const DEVICES = {
  "reaction-wheel": {
    about: "A wheel NAME on a revolute hinge NAME, driven by an actuator NAME-motor.",
    parameters: wheelParameters,
    equip: (description, wheels: readonly WrittenParameters<typeof REACTION_WHEEL>[], reading) =>
      withReactionWheels(description, wheels, reading),
  },
  cmg: {
    about:
      "A control moment gyro: a gimbal NAME driven by an actuator NAME-motor, with a wheel NAME-wheel whose speed is held by a servo NAME-spin.",
    parameters: gyroParameters,
    equip: (description, gyros: readonly WrittenParameters<typeof CMG>[], reading) => withCmgs(description, gyros, reading),
  },
} as const satisfies Readonly<Record<string, DeviceKind>>;

export const MAX_DEVICES = 100;

/** The model with its devices, their motors, and the initial speeds of their wheels by hinge. */
export interface EquippedModel {
  readonly model: Model;
  readonly motors: DescriptionWithDevices["forces"];
  readonly speeds: DescriptionWithDevices["speeds"];
}

/** Reads the devices and adds them to the model. Returns undefined after a problem. */
export function readDevices(
  value: unknown,
  model: Model,
  description: ModelDescription,
  problems: Problem[],
): EquippedModel | undefined {
  const entries = Object.entries(value === undefined ? {} : (readRecord(value, "devices", problems) ?? {}));
  if (entries.length > MAX_DEVICES)
    problems.push({ path: "devices", message: `at most ${MAX_DEVICES} devices, this has ${entries.length}` });
  const before = problems.length;
  let equipped: DescriptionWithDevices = { description, forces: [], speeds: {} };
  for (const [name, device] of entries.slice(0, MAX_DEVICES)) {
    const next = addDevice(name, device, equipped.description, problems);
    if (next !== undefined)
      equipped = {
        description: next.description,
        forces: [...equipped.forces, ...next.forces],
        speeds: { ...equipped.speeds, ...next.speeds },
      };
  }
  if (problems.length > before) return undefined;
  if (entries.length === 0) return { model, motors: [], speeds: {} };
  return cachedPerOwner(model, contentKey(["devices", value]), () => buildEquippedModel(model, equipped));
}

function buildEquippedModel(model: Model, equipped: DescriptionWithDevices): EquippedModel {
  const modelWithDevices = createModelWith({ quantity: readQuantityInUnit }, equipped.description);
  const ofDevices = modelWithDevices.warnings.filter(
    ({ path }) => Number(/^bodies\[(\d+)\]/.exec(path)?.[1]) >= model.bodies.length,
  );
  const warnings = [...model.warnings, ...ofDevices.map((w) => ({ ...w, path: "devices" }))];
  return { model: deepFreeze({ ...modelWithDevices, warnings }), motors: equipped.forces, speeds: equipped.speeds };
}

function addDevice(
  name: string,
  value: unknown,
  description: ModelDescription,
  problems: Problem[],
): DescriptionWithDevices | undefined {
  const path = childPath("devices", name);
  const fields = readRecord(value, path, problems);
  if (fields === undefined) return undefined;
  const { kind, ...parameters } = fields;
  if (typeof kind !== "string" || !Object.hasOwn(DEVICES, kind)) {
    problems.push({
      path: childPath(path, "kind"),
      message: kind === undefined ? "is missing" : "no such kind of device",
      ...(kind !== undefined && { value: valueText(kind) }),
      advice: didYouMean(kind, Object.keys(DEVICES)),
    });
    return undefined;
  }
  const { equip }: DeviceKind = DEVICES[kind as keyof typeof DEVICES];
  const deviceProblems: Problem[] = [];
  const equipped = collectProblems(deviceProblems, () =>
    equip(description, [{ ...parameters, name } as never], { quantity: readQuantityInUnit }),
  );
  // Each device is read as a list of one item, and its bodies are the last of the model.
  const inDevice = (p: Problem): string => {
    const rest = /^devices(?:\[0\])?(.*)$/.exec(p.path)?.[1];
    return rest === undefined ? path : path + rest;
  };
  problems.push(...deviceProblems.map((p) => ({ ...p, path: inDevice(p) })));
  return equipped;
}

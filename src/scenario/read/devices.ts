/** Devices of a scenario: bodies that are added to the model together with the motors that drive them. */

import { didYouMean } from "../../declare/names.ts";
import type { Parameters, Written } from "../../declare/parameters.ts";
import type { Reading } from "../../declare/parse-parameters.ts";
import { childPath, readRecord } from "../../declare/plain-data.ts";
import { readQuantityIn } from "../../declare/units.ts";
import { type Problem, shown } from "../../errors.ts";
import { contentKey, remembered } from "../../kernel/run/program-cache.ts";
import { createModel, deepFreeze } from "../../model/build/create-model.ts";
import type { ModelDescription } from "../../model/description.ts";
import type { Model } from "../../model/model.ts";
import { CMG, type Equipped, REACTION_WHEEL, withCmgs, withReactionWheels } from "../../parts/force/devices/reaction-wheels.ts";
import { collecting } from "./collect-problems.ts";

interface DeviceKind {
  readonly about: string;
  readonly parameters: Parameters;
  equip(description: ModelDescription, devices: readonly never[], reading: Reading): Equipped;
}

const { name: _wheelName, ...wheelParameters } = REACTION_WHEEL;
const { name: _gyroName, ...gyroParameters } = CMG;

/** Every kind of device, by name. Its own name is the key that it stands under. */
export const DEVICES = {
  "reaction-wheel": {
    about: "A wheel NAME on a revolute hinge NAME, driven by an actuator NAME-motor.",
    parameters: wheelParameters,
    equip: (description, wheels: readonly Written<typeof REACTION_WHEEL>[], reading) =>
      withReactionWheels(description, wheels, reading),
  },
  cmg: {
    about:
      "A control moment gyro: a gimbal NAME driven by an actuator NAME-motor, and on it a wheel NAME-wheel whose speed a servo NAME-spin holds.",
    parameters: gyroParameters,
    equip: (description, gyros: readonly Written<typeof CMG>[], reading) => withCmgs(description, gyros, reading),
  },
} as const satisfies Readonly<Record<string, DeviceKind>>;

const MOST_DEVICES = 100;

/** The model with its devices, their motors, and how fast their wheels turn at the start. */
export interface EquippedModel {
  readonly model: Model;
  readonly motors: Equipped["forces"];
  readonly speeds: Equipped["speeds"];
}

export function readDevices(
  value: unknown,
  model: Model,
  description: ModelDescription,
  problems: Problem[],
): EquippedModel | undefined {
  const entries = Object.entries(value === undefined ? {} : (readRecord(value, "devices", problems) ?? {}));
  if (entries.length > MOST_DEVICES)
    problems.push({ path: "devices", message: `at most ${MOST_DEVICES} devices, this has ${entries.length}` });
  const before = problems.length;
  let equipped: Equipped = { description, forces: [], speeds: {} };
  for (const [name, device] of entries.slice(0, MOST_DEVICES)) {
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
  return remembered(model, contentKey(["devices", value]), () => withDevices(model, equipped));
}

function withDevices(model: Model, equipped: Equipped): EquippedModel {
  const extended = createModel(equipped.description);
  const ofDevices = extended.warnings.filter(({ path }) => Number(/^bodies\[(\d+)\]/.exec(path)?.[1]) >= model.bodies.length);
  const warnings = [...model.warnings, ...ofDevices.map((w) => ({ ...w, path: "devices" }))];
  return { model: deepFreeze({ ...extended, warnings }), motors: equipped.forces, speeds: equipped.speeds };
}

function addDevice(name: string, value: unknown, description: ModelDescription, problems: Problem[]): Equipped | undefined {
  const path = childPath("devices", name);
  const fields = readRecord(value, path, problems);
  if (fields === undefined) return undefined;
  const { kind, ...parameters } = fields;
  if (typeof kind !== "string" || !Object.hasOwn(DEVICES, kind)) {
    problems.push({
      path: childPath(path, "kind"),
      message: kind === undefined ? "is missing" : "no such kind of device",
      ...(kind !== undefined && { value: shown(kind) }),
      advice: didYouMean(kind, Object.keys(DEVICES)),
    });
    return undefined;
  }
  const { equip }: DeviceKind = DEVICES[kind as keyof typeof DEVICES];
  const found: Problem[] = [];
  const made = collecting(found, () => equip(description, [{ ...parameters, name } as never], { quantity: readQuantityIn }));
  // Each device is read as the only one of a list, and becomes the last bodies of the model.
  const inDevice = (p: Problem): string => {
    const rest = /^devices(?:\[0\])?(.*)$/.exec(p.path)?.[1];
    return rest === undefined ? path : path + rest;
  };
  problems.push(...found.map((p) => ({ ...p, path: inDevice(p) })));
  return made;
}

/** Settings of the model: gravity, bodies, hinges, frames and loops. */

import { childPath, type Fields } from "../../declare/plain-data.ts";
import { unitOfKey } from "../../declare/units.ts";
import { MOTION_UNITS } from "../../formats/model-file.ts";
import { HINGES, type HingeKindName } from "../../model/hinges/index.ts";
import { LOOPS, type LoopKindName } from "../../model/loops/index.ts";
import { keysOfLoopKind } from "../../model/loops/loop-kind.ts";
import { coordinateNames, type Model } from "../../model/model.ts";
import { fieldsOf } from "../fields-of.ts";
import type { Scenario } from "../scenario.ts";
import { itemPath } from "./parameter-settings.ts";
import type { Setting, SettingEntry } from "./setting.ts";

/** One part of the model in the file, and its settings. */
class ModelPart {
  readonly path: string;
  readonly group: readonly string[];
  readonly fields: Fields;

  constructor(path: string, group: readonly string[], value: unknown) {
    this.path = path;
    this.group = group;
    this.fields = fieldsOf(value);
  }

  inner(key: string, label = key): ModelPart {
    return new ModelPart(childPath(this.path, key), [...this.group, label], this.fields[key]);
  }

  setting(
    key: string,
    about: string,
    shape: Pick<Setting, "type" | "entries" | "least" | "above" | "choices">,
    usual?: unknown,
  ): Setting {
    const given = this.fields[key];
    const path = childPath(this.path, key);
    return {
      path,
      group: this.group,
      label: key,
      about,
      value: given ?? usual,
      written: given !== undefined,
      optional: usual !== undefined,
      ...shape,
    };
  }
}

const singleEntry = (unit: string): readonly SettingEntry[] => [{ label: "", unit }];
const labelledEntries = (labels: string, unit: string): readonly SettingEntry[] =>
  labels.split(" ").map((label) => ({ label, unit }));
const vectorShape = (unit: string): Pick<Setting, "type" | "entries"> => ({
  type: "numbers",
  entries: labelledEntries("x y z", unit),
});

export function modelSettings({ document, model: machine }: Pick<Scenario, "document" | "model">): readonly Setting[] {
  const model = new ModelPart("model", ["model"], document.model);
  const units = coordinateUnits(machine);
  const list = (key: "bodies" | "loops"): readonly ModelPart[] =>
    ((model.fields[key] ?? []) as readonly Fields[]).map(
      (item, i) => new ModelPart(itemPath(document, `model.${key}`, item, i), [key, item.name as string], item),
    );
  return [
    gravitySetting(model, machine),
    ...list("bodies").flatMap(bodySettings),
    ...list("loops").flatMap((loop) => loopSettings(loop, units)),
  ];
}

/** Gravity by the name of a world is shown as numbers, so that each of them can be changed. */
function gravitySetting(model: ModelPart, { gravity }: Model): Setting {
  const setting = model.setting("gravity", "Uniform gravity in world axes.", vectorShape("m/s^2"), [0, 0, 0]);
  return typeof setting.value === "string" ? { ...setting, value: gravity } : setting;
}

function bodySettings(body: ModelPart): readonly Setting[] {
  const hinge = body.inner("hinge");
  const kind = HINGES[hinge.fields.kind as HingeKindName];
  const frames = body.inner("frames");
  const rigid =
    body.fields.elastic === undefined
      ? [
          body.setting("mass", "Mass.", { type: "number", entries: singleEntry("kg"), least: 0 }),
          body.setting("com", "Mass centre in the body frame.", vectorShape("m"), [0, 0, 0]),
          body.setting("inertia", "Inertia about the mass centre in body axes.", inertiaShape(body.fields.inertia)),
        ]
      : [];
  return [
    ...rigid,
    ...otherSettings(body, HANDLED_BODY_KEYS),
    ...kindSettings(hinge, Object.keys(kind.defaults)),
    ...otherSettings(hinge, HANDLED_HINGE_KEYS),
    ...placementSettings(hinge, "Hinge frame on the parent"),
    ...placementSettings(hinge.inner("onBody", "on body"), "Hinge frame on this body"),
    ...Object.keys(frames.fields).flatMap((name) => placementSettings(frames.inner(name), "Frame on its body")),
  ];
}

/** Keys that have their own settings, or that are names or appearance. */
const HANDLED_BODY_KEYS = ["name", "parent", "mass", "com", "inertia", "hinge", "frames", "shapes"];
const HANDLED_HINGE_KEYS = ["name", "kind", "axis", "pitch", "freedoms", "at", "rotation", "dh", "onBody"];
const HANDLED_LOOP_KEYS = [
  "name",
  "kind",
  "axis",
  "pitch",
  "freedoms",
  "length",
  "terms",
  "offset",
  "motion",
  "from",
  "to",
  "hinge",
];

/** Settings of all other keys in the file: numbers with the unit of their key, objects key by key. */
function otherSettings(part: ModelPart, known: readonly string[], isElastic = false): readonly Setting[] {
  return Object.entries(part.fields).flatMap(([key, value]): readonly Setting[] => {
    if (known.includes(key)) return [];
    if (typeof value === "object" && value !== null && !Array.isArray(value))
      return otherSettings(part.inner(key), [], isElastic || key === "elastic");
    const isNumber = typeof value === "number" || (typeof value === "string" && /^\s*[+-]?\.?\d/.test(value));
    const shape = isNumber
      ? ({ type: "number", entries: singleEntry(unitOfKey(key, isElastic) ?? "") } as const)
      : ({ type: typeof value === "boolean" ? "boolean" : "data" } as const);
    return [part.setting(key, "", shape)];
  });
}

function inertiaShape(value: unknown): Pick<Setting, "type" | "entries"> {
  const isMatrix = Array.isArray(value) && Array.isArray(value[0]);
  if (!Array.isArray(value) || isMatrix) return { type: "data" };
  return { type: "numbers", entries: labelledEntries("xx yy zz xy xz yz", "kg m^2").slice(0, value.length) };
}

/** Parameters of a hinge kind, or of a loop of the same kind. */
function kindSettings(part: ModelPart, keys: readonly string[]): readonly Setting[] {
  return [
    ...(keys.includes("axis")
      ? [part.setting("axis", "Axis in the hinge frame: x, y, z or three numbers.", { type: "data" }, "z")]
      : []),
    ...(keys.includes("pitch")
      ? [part.setting("pitch", "Advance of the screw per angle.", { type: "number", entries: singleEntry("m/rad") }, 0)]
      : []),
    ...(keys.includes("freedoms") ? [part.setting("freedoms", "Free motions of the hinge.", { type: "data" }, [])] : []),
  ];
}

/** Position, and rotation in the form of the file: quaternion, matrix, or roll, pitch and yaw (default). */
function placementSettings(part: ModelPart, about: string): readonly Setting[] {
  if (part.fields.dh !== undefined) {
    const row = part.inner("dh", "Denavit-Hartenberg");
    const unit = { alpha: "rad", a: "m", d: "m", theta: "rad" };
    return Object.entries(unit).map(([key, u]) => row.setting(key, DH_ABOUT, { type: "number", entries: singleEntry(u) }, 0));
  }
  const rotation = part.inner("rotation");
  const angles = { type: "numbers", entries: labelledEntries("roll pitch yaw", "rad") } as const;
  const rotationSetting =
    rotation.fields.quaternion !== undefined
      ? rotation.setting("quaternion", `${about}: rotation as a unit quaternion.`, {
          type: "numbers",
          entries: labelledEntries("w x y z", ""),
        })
      : rotation.fields.matrix !== undefined
        ? rotation.setting("matrix", `${about}: rotation matrix, three rows.`, { type: "data" })
        : rotation.setting("rpy", `${about}: rotation about the fixed axes x, y, z.`, angles, [0, 0, 0]);
  return [part.setting("at", `${about}: position.`, vectorShape("m"), [0, 0, 0]), { ...rotationSetting, group: part.group }];
}

const coordinateUnits = (model: Model): ReadonlyMap<string, string> => {
  const units = model.bodies.flatMap(({ hinge }) => hinge.elements.flatMap((e) => e.units.q));
  return new Map(coordinateNames(model).q.map((name, i) => [name, units[i]!]));
};

function loopSettings(loop: ModelPart, coordinates: ReadonlyMap<string, string>): readonly Setting[] {
  const keys = keysOfLoopKind(LOOPS[loop.fields.kind as LoopKindName]);
  const ends = ["from", "to"].filter((key) => keys.includes(key)).map((key) => loop.inner(key));
  const motion = loop.inner("motion");
  return [
    ...kindSettings(loop, keys),
    ...otherSettings(loop, HANDLED_LOOP_KEYS),
    ...(keys.includes("length")
      ? [loop.setting("length", "Length of the rod.", { type: "number", entries: singleEntry("m"), above: 0 })]
      : []),
    ...(keys.includes("terms") ? [loop.setting("terms", "Coupled coordinates and their factors.", { type: "data" })] : []),
    ...(keys.includes("offset")
      ? [
          loop.setting(
            "offset",
            "Constant value of the sum, in the units of the terms.",
            { type: "number", entries: singleEntry("") },
            0,
          ),
        ]
      : []),
    ...(keys.includes("motion")
      ? Object.entries(MOTION_UNITS[coordinates.get(loop.fields.hinge as string) === "m" ? "m" : "rad"]).map(([key, unit]) =>
          motion.setting(key, MOTION_ABOUT, { type: "number", entries: singleEntry(unit) }, 0),
        )
      : []),
    ...ends.filter((end) => end.fields.frame === undefined).flatMap((end) => placementSettings(end, "Attachment of the loop")),
  ];
}

const DH_ABOUT = "Modified Denavit-Hartenberg convention: Rx(alpha) Tx(a) Tz(d) Rz(theta).";
const MOTION_ABOUT = "offset + rate t + amplitude sin(frequency t + phase).";

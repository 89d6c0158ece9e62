/** Keyframes of MJCF as named states, and the reference position as the start. */
import { apply, fromQuaternion, type Quaternion, toQuaternion } from "../../spatial/rotation.ts";
import type { Vec3 } from "../../spatial/vec3.ts";
import { XmlAttributes } from "../robot/attributes.ts";
import type { ImportNotes } from "../robot/import-notes.ts";
import type { NamedState } from "../robot/imported-model.ts";
import { Namer } from "../robot/safe-names.ts";
import { childrenOf, type XmlElement } from "../xml/xml-element.ts";
import type { PlacedJoint } from "./bodies.ts";

const SIZES = { free: [7, 6], ball: [4, 3], hinge: [1, 1], slide: [1, 1] } as const;
const MOST_NUMBERS = 100_000;

type Values = Record<string, number | readonly number[]>;

/** Coordinates in the reference position; zeros are left out. */
export function referenceState(joints: readonly PlacedJoint[]): NamedState["q"] {
  const q: Values = {};
  for (const { type, hinge, ref, pose } of joints) {
    if (type === "free") q[hinge] = [...toQuaternion(pose.R), ...pose.p];
    else if (ref !== 0 && type !== "ball") q[hinge] = ref;
  }
  return q;
}

export function readKeyframes(
  root: XmlElement,
  joints: readonly PlacedJoint[],
  notes: ImportNotes,
): Readonly<Record<string, NamedState>> {
  const states: Record<string, NamedState> = {};
  const names = new Namer();
  for (const [i, element] of childrenOf(root, "keyframe")
    .flatMap((keyframe) => childrenOf(keyframe, "key"))
    .entries()) {
    const attributes = new XmlAttributes(element, "key", notes);
    const name = names.claim(attributes.text("name"), `key-${i + 1}`);
    for (const key of ["act", "mpos", "mquat"])
      if (attributes.has(key)) notes.unsupported(element, `keyframe ${key}`, "it is not part of the state");
    if (attributes.has("ctrl"))
      notes.unsupported(
        element,
        "keyframe ctrl",
        "commands of actuators start at zero, or at the end of their range nearest to it",
      );
    const state = stateOf(attributes, joints);
    if (state !== undefined) states[name] = state;
  }
  return states;
}

function stateOf(attributes: XmlAttributes, joints: readonly PlacedJoint[]): NamedState | undefined {
  const total = (k: 0 | 1): number => joints.reduce((sum, { type }) => sum + SIZES[type][k], 0);
  const read = (name: string, count: number): readonly number[] | undefined => {
    const values = attributes.numbers(name, 1, MOST_NUMBERS);
    if (values !== undefined && values.length !== count) attributes.problem(name, `needs ${count} numbers, has ${values.length}`);
    return values?.length === count ? values : undefined;
  };
  const [qpos, qvel] = [read("qpos", total(0)), read("qvel", total(1))];
  const q: Values = { ...referenceState(joints) };
  const u: Values = {};
  let [position, speed] = [0, 0];
  for (const { type, hinge } of joints) {
    const [nq, nv] = SIZES[type];
    const coordinates = qpos?.slice(position, position + nq);
    const speeds = qvel?.slice(speed, speed + nv);
    if (coordinates !== undefined)
      q[hinge] =
        type === "free"
          ? [...unit(coordinates.slice(3)), ...coordinates.slice(0, 3)]
          : nq === 4
            ? unit(coordinates)
            : coordinates[0]!;
    if (speeds?.some((value) => value !== 0)) u[hinge] = speedsOf(type, speeds, q[hinge]);
    position += nq;
    speed += nv;
  }
  return { q, ...(Object.keys(u).length > 0 && { u }) };
}

function unit(quaternion: readonly number[]): readonly number[] {
  const norm = Math.hypot(...quaternion);
  return norm === 0 ? [1, 0, 0, 0] : quaternion.map((c) => c / norm);
}

/** MuJoCo's angular velocities are in axes of the body, Castor's in those of the carrier. Linear velocity is last in Castor. */
function speedsOf(
  type: PlacedJoint["type"],
  speeds: readonly number[],
  coordinates: number | readonly number[] | undefined,
): number | readonly number[] {
  if (type === "hinge" || type === "slide") return speeds[0]!;
  const quaternion = (Array.isArray(coordinates) ? coordinates.slice(0, 4) : [1, 0, 0, 0]) as unknown as Quaternion<number>;
  const angular = apply(fromQuaternion(quaternion), speeds.slice(-3) as unknown as Vec3<number>) as readonly number[];
  return type === "ball" ? angular : [...angular, ...speeds.slice(0, 3)];
}

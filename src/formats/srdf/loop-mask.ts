/** Loops between frames as `loop_constraint` of SRDF. */
import type { FrameLoop } from "../../model/loop.ts";
import type { Placement } from "../../model/model.ts";
import { type Axis, axisVector } from "../../spatial/axis.ts";
import { IDENTITY } from "../../spatial/rotation.ts";
import { ZERO3 } from "../../spatial/vec3.ts";
import { axisRotation } from "../robot/axis-rotation.ts";

/** Components that the loop blocks, with its axis along z. */
const MASKS: Readonly<Record<string, string>> = {
  fixed: "x y z roll pitch yaw",
  spherical: "x y z",
  revolute: "x y z roll pitch",
  prismatic: "x y roll pitch yaw",
  cylindrical: "x y roll pitch",
  planar: "z roll pitch",
  "point-on-line": "x y",
  "point-on-plane": "z",
};

const COMPONENTS = { x: "x", y: "y", z: "z", rx: "roll", ry: "pitch", rz: "yaw" } as const;

export interface MaskedLoop {
  readonly mask: string;
  /** Turns the frames of the loop so that its axis is z. */
  readonly turn: Placement;
}

/** Undefined if a mask cannot express the loop. */
export function maskOf({ kind, parameters }: FrameLoop): MaskedLoop | undefined {
  if (kind === "general") {
    const freedoms = parameters.freedoms as readonly (keyof typeof COMPONENTS)[];
    const blocked = (Object.keys(COMPONENTS) as (keyof typeof COMPONENTS)[]).filter((freedom) => !freedoms.includes(freedom));
    return { mask: blocked.map((freedom) => COMPONENTS[freedom]).join(" "), turn: { R: IDENTITY, p: ZERO3 } };
  }
  if (!Object.hasOwn(MASKS, kind)) return undefined;
  const axis = axisVector((parameters.axis as Axis | undefined) ?? "z");
  return { mask: MASKS[kind]!, turn: { R: axis[2] === 1 ? IDENTITY : axisRotation(axis), p: ZERO3 } };
}

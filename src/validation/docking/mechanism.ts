/**
 * Mechanisms in the form of the docking study: bodies on hinges of elementary motions, and loops. A hinge with several motions becomes one
 * hinge, or with `elementary` one body per motion, so that the speeds are those of the study.
 */

import type {
  BodyDescription,
  HingeDescription,
  LoopDescription,
  ModelDescription,
  ShapeDescription,
} from "../../model/description.ts";
import type { NumericMat3 } from "../../spatial/rotation.ts";
import { transpose } from "../../spatial/rotation.ts";
import type { NumericVec3 } from "../../spatial/vec3.ts";
import { cross, minus, plus, scale } from "../../spatial/vec3.ts";

export type ElementaryMotion = "Px" | "Py" | "Pz" | "Rx" | "Ry" | "Rz";

/** A body in the form of the paper: its hinge frame on the parent, then elementary motions in order, each in the axes after the previous ones. */
export interface MechanismPart {
  readonly name: string;
  readonly parent?: string;
  readonly at?: NumericVec3;
  /** Axes of the hinge frame, as columns. */
  readonly axes?: NumericMat3;
  readonly motions: "free" | readonly ElementaryMotion[];
  readonly mass: number;
  readonly com: NumericVec3;
  readonly inertia: readonly number[] | NumericMat3;
  /** Armature of the first motion. */
  readonly armature?: number;
  readonly frames?: BodyDescription["frames"];
  readonly shapes?: readonly ShapeDescription[];
}

export interface Mechanism {
  readonly name: string;
  readonly gravity?: NumericVec3;
  readonly parts: readonly MechanismPart[];
  readonly loops: readonly LoopDescription[];
}

export type Hinges = "joined" | "elementary";

/** The model description of a mechanism. With elementary hinges, only the last body of a hinge has mass. */
export function describeMechanism({ name, gravity, parts, loops }: Mechanism, hinges: Hinges = "joined"): ModelDescription {
  return {
    name,
    ...(gravity && { gravity }),
    bodies: parts.flatMap((part) =>
      hinges === "joined" || part.motions === "free" ? [joined(part)] : elementary(part, part.motions),
    ),
    loops,
  };
}

const own = ({ name, mass, com, inertia, frames, shapes }: MechanismPart): Omit<BodyDescription, "hinge"> => ({
  name,
  mass,
  com,
  inertia,
  ...(frames && { frames }),
  ...(shapes && { shapes }),
});

const placed = ({ at, axes }: MechanismPart): Pick<HingeDescription, "at" | "rotation"> => ({
  ...(at && { at }),
  ...(axes && { rotation: { matrix: axes } }),
});

const KIND = { P: "prismatic", R: "revolute" } as const;
const single = (motion: ElementaryMotion): Pick<HingeDescription, "kind" | "axis"> => ({
  kind: KIND[motion[0] as "P" | "R"],
  axis: motion[1] as "x" | "y" | "z",
});

function elementary(part: MechanismPart, motions: readonly ElementaryMotion[]): BodyDescription[] {
  const stepName = (i: number): string => `${part.name}'${i + 1}`;
  return motions.map((motion, i): BodyDescription => {
    const parent = i === 0 ? part.parent : stepName(i - 1);
    const hinge = {
      ...single(motion),
      ...(i === 0 && placed(part)),
      ...(i === 0 && part.armature !== undefined && { armature: part.armature }),
    };
    const body = i + 1 === motions.length ? own(part) : { name: stepName(i), mass: 0, inertia: "none" as const };
    return { ...body, ...(parent !== undefined && { parent }), hinge };
  });
}

function joined(part: MechanismPart): BodyDescription {
  const { parent, motions, armature } = part;
  const hinge = { ...hingeOf(motions, part), ...(armature !== undefined && { armature }) };
  return { ...own(part), ...(parent !== undefined && { parent }), hinge };
}

/** z, y and -x as axes: a universal hinge turns about the first, then the second. */
export const Z_THEN_Y: NumericMat3 = [
  [0, 0, -1],
  [0, 1, 0],
  [1, 0, 0],
];

/** The hinge with the motions of a list. Its speeds may differ from those of the study. */
function hingeOf(motions: MechanismPart["motions"], part: MechanismPart): HingeDescription {
  const list = motions === "free" ? motions : motions.join(" ");
  switch (list) {
    case "free":
    case "Px Py Pz Rz Ry Rx":
      return { kind: "free", ...placed(part) };
    case "Px Py Rz":
      return { kind: "planar", ...placed(part) };
    case "Ry Rz":
      return { kind: "general", freedoms: ["ry", "rz"], ...placed(part) };
    case "Px Rx":
      return { kind: "general", freedoms: ["x", "rx"], ...placed(part) };
    case "Rz Ry": {
      const matrix = part.axes ? product(part.axes, Z_THEN_Y) : Z_THEN_Y;
      return {
        kind: "universal",
        ...(part.at && { at: part.at }),
        rotation: { matrix },
        onBody: { rotation: { matrix: Z_THEN_Y } },
      };
    }
    default:
      return { ...single((motions as readonly ElementaryMotion[])[0]!), ...placed(part) };
  }
}

const product = (A: NumericMat3, B: NumericMat3): NumericMat3 =>
  A.map((row) => [0, 1, 2].map((j) => row.reduce((sum, a, k) => sum + a * B[k]![j]!, 0))) as unknown as NumericMat3;

/** Axes of a frame from its x and y, which are perpendicular unit vectors. */
export const axesOf = (x: NumericVec3, y: NumericVec3): NumericMat3 =>
  transpose([x, y, cross(x, y)] as unknown as NumericMat3) as NumericMat3;
export const unit = (v: NumericVec3): NumericVec3 => scale(1 / Math.hypot(...v), v) as NumericVec3;
export const less = (a: NumericVec3, b: NumericVec3): NumericVec3 => minus(a, b) as NumericVec3;
export const sum = (a: NumericVec3, b: NumericVec3): NumericVec3 => plus(a, b) as NumericVec3;
export const X: NumericVec3 = [1, 0, 0];

/** A pin of a planar loop: two in-plane components. */
export const pin = (
  name: string,
  from: { readonly body: string; readonly at: NumericVec3; readonly rotation?: { readonly matrix: NumericMat3 } },
  to: { readonly body: string; readonly at: NumericVec3 },
): LoopDescription => ({ name, kind: "point-on-line", axis: "z", from, to });

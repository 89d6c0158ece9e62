import { type AxisName, axisVector } from "../../spatial/axis.ts";
import { ballElement, type HingeElement, hingeKind, slideElement, smallTurnsElement, turnElement } from "../hinge.ts";

export const FREEDOM_NAMES = ["x", "y", "z", "rx", "ry", "rz"] as const;
export type FreedomName = (typeof FREEDOM_NAMES)[number];

/** "exact" rotations, or "small" ones (see smallTurnsElement). */
export const ROTATIONS = ["exact", "small"] as const;
export type Rotations = (typeof ROTATIONS)[number];

/** Exact or small rotations of a hinge or of the joints of an elastic body. */
export const ROTATIONS_PARAMETER = {
  type: "choice",
  of: ROTATIONS,
  refusal: "must be exact or small",
  default: "exact",
  setting: "written",
  about: "With small, the rotation matrix is 1 + φ̃, which is not orthogonal; for comparison with papers.",
} as const;

export const general = hingeKind({
  name: "general",
  about:
    "The hinge of TR-942: any set of translations x, y, z along the axes of F, then any set of rotations rx, ry, rz, x before y before z, " +
    "each about its axis as the previous rotations have left it. All three rotations together are a ball (quaternion), which is never singular.",
  parameters: {
    freedoms: { type: "choices", set: true, of: FREEDOM_NAMES, noun: "freedom", default: [], about: "Free motions." },
    rotations: ROTATIONS_PARAMETER,
  },
  asLoop: { without: ["rotations"] }, // loops are always exact
  elements: ({ freedoms, rotations }) => {
    const axesOf = (names: readonly FreedomName[]): AxisName[] =>
      names.filter((f) => freedoms.includes(f)).map((f) => f.at(-1) as AxisName);
    const slides: HingeElement[] = axesOf(["x", "y", "z"]).map((a) => slideElement(axisVector(a)));
    const turns = axesOf(["rx", "ry", "rz"]);
    if (rotations === "small" && turns.length > 0) return [...slides, smallTurnsElement(turns)];
    return [...slides, ...(turns.length === 3 ? [ballElement] : turns.map((a) => turnElement(axisVector(a))))];
  },
});

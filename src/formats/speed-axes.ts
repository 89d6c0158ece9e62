/** Axes in which a state gives the speeds of free and ball hinges, so that values of another program go in as they are. */
import type { Parameter } from "../declare/parameters.ts";
import { NO_NAMES, readValue } from "../declare/parse-parameters.ts";
import type { Problem } from "../errors.ts";
import type { Hinge, Model } from "../model/model.ts";
import { apply, compose, IDENTITY, type Mat3, transpose } from "../spatial/rotation.ts";
import type { Vec3 } from "../spatial/vec3.ts";

const AXES = ["hinge", "body", "parent", "world"] as const;
type SpeedAxes = (typeof AXES)[number];

const ABOUT =
  "hinge: the hinge frame on the carrier; body: the body; parent: the carrier; world: the inertial axes. " +
  "Only the axes of the components differ: speeds are relative to the carrier in all of them.";

const choice = (what: string) =>
  ({
    type: "choice",
    of: AXES,
    refusal: `must be ${AXES.join(", ")}`,
    default: "hinge",
    about: `Axes of ${what}. ${ABOUT}`,
  }) as const;

/** The section `axes` of a state. */
export const SPEED_AXES = {
  type: "either",
  optional: true,
  about: "Axes of the speeds in `u` of free and ball hinges; those of the hinge if not given.",
  forms: `${AXES.join(", ")}, or angular and linear`,
  of: [
    choice("all speeds"),
    {
      type: "object",
      about: "Axes of angular and of linear speeds, where they differ.",
      of: { angular: choice("angular speeds"), linear: choice("linear speeds of free hinges") },
    },
  ],
} as const satisfies Parameter;

/** Converts the speeds of the named hinges from the axes of the section to those of their hinge frames, at the coordinates q. */
export function convertSpeedAxes(
  section: unknown,
  path: string,
  model: Model,
  { q, u }: { readonly q: Float64Array; readonly u: Float64Array },
  isGiven: (hinge: string) => boolean,
  problems: Problem[],
): void {
  if (section === undefined) return;
  const before = problems.length;
  const value = readValue(SPEED_AXES, section, NO_NAMES, problems, { path }) as
    | SpeedAxes
    | { readonly angular?: SpeedAxes; readonly linear?: SpeedAxes }
    | undefined;
  if (value === undefined || problems.length > before) return;
  const { angular = "hinge", linear = "hinge" } = typeof value === "string" ? { angular: value, linear: value } : value;
  const rotations: Mat3<number>[] = [];
  for (const { hinge, parent, index } of model.bodies) {
    const R_FM = hingeRotation(hinge, q);
    const R_WP = rotations[parent] ?? IDENTITY;
    const R_FB = compose(R_FM, transpose(hinge.onBody.R)) as Mat3<number>;
    const R_WF = compose(R_WP, hinge.onParent.R) as Mat3<number>;
    rotations[index] = compose(R_WF, R_FB) as Mat3<number>;
    if (!isGiven(hinge.name)) continue;
    /** R_FA for the axes A. */
    const toHinge: Readonly<Record<SpeedAxes, Mat3<number>>> = {
      hinge: IDENTITY,
      body: R_FB,
      parent: transpose(hinge.onParent.R),
      world: transpose(R_WF),
    };
    let first = hinge.u;
    for (const { quaternion, nu } of hinge.elements) {
      if (quaternion !== undefined) turn(u, first, toHinge[angular]);
      if (quaternion !== undefined && nu === 6) turn(u, first + 3, toHinge[linear]);
      first += nu;
    }
  }
}

function turn(u: Float64Array, first: number, R: Mat3<number>): void {
  if (R === IDENTITY) return;
  u.set(apply(R, Array.from(u.subarray(first, first + 3)) as unknown as Vec3<number>) as readonly number[], first);
}

/** R_FM */
function hingeRotation({ elements, q: start }: Hinge, q: Float64Array): Mat3<number> {
  let R: Mat3<number> = IDENTITY;
  let first = start;
  for (const { nq, pose } of elements) {
    R = compose(R, pose(Array.from(q.subarray(first, first + nq))).R) as Mat3<number>;
    first += nq;
  }
  return R;
}

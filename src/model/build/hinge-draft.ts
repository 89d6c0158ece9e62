/** The hinge of a body: its declaration, and the hinge that a description means. */

import type { Parameter, ValueProblem } from "../../declare/parameters.ts";
import { defaultsOf } from "../../declare/parse-parameters.ts";
import { childPath, type Fields } from "../../declare/plain-data.ts";
import { type Problem, valueText } from "../../errors.ts";
import { type Axis, axisVector } from "../../spatial/axis.ts";
import { snapRotation } from "../../spatial/rotation.ts";
import type { Vec3 } from "../../spatial/vec3.ts";
import type { HingeDescription } from "../description.ts";
import type { HingeElement } from "../hinge.ts";
import { hingeKinds } from "../hinges/index.ts";
import type { Hinge } from "../model.ts";
import { AT_ORIGIN, PLACED_FRAME, PLACEMENT, placementOf } from "./placement.ts";

/** A hinge without its indices in q and u. */
export type HingeDraft = Omit<Hinge, "q" | "u">;

const ARMATURE_FORMS = "a number, or one for each freedom";

/** The hinge that joins a body to its parent. */
export const HINGE = {
  type: "kinds",
  noun: "hinge",
  about: "Hinge that joins the body to its parent: its kind, and its placement on the parent (at, rotation).",
  kinds: hingeKinds,
  common: {
    name: {
      type: "name",
      optional: true,
      setting: "never",
      about: "Name of the hinge, unique among hinges; that of its body if not given.",
    },
    armature: {
      type: "either",
      optional: true,
      setting: "written",
      forms: ARMATURE_FORMS,
      about:
        "Inertia of the drive's rotor as seen at the hinge, kg m^2 for a turn, kg for a slide; a list if there are several freedoms.",
      of: [
        { type: "number", unit: "", about: "Inertia at the hinge." },
        { type: "series", unit: "", about: "Inertia at each freedom." },
      ],
      check: armatureProblem,
    },
    ...PLACEMENT,
    onBody: {
      ...PLACED_FRAME,
      optional: true,
      label: "on body",
      about: "Placement of the hinge on this body; at the origin of its frame if not given.",
    },
  },
} as const satisfies Parameter;

const numbersOf = (armature: number | readonly number[]): readonly number[] =>
  typeof armature === "number" ? [armature] : armature;

function armatureProblem(armature: number | readonly number[]): ValueProblem | undefined {
  if (numbersOf(armature).every((n) => n >= 0)) return undefined;
  return { message: "must not be negative", advice: "Gear ratio squared × inertia of the rotor" };
}

/** The hinge that a description without problems means. Returns undefined if its armature does not fit. */
export function hingeDraft(
  { name, kind, armature, at, rotation, dh, onBody, ...written }: HingeDescription,
  bodyName: string,
  path: string,
  problems: Problem[],
): HingeDraft | undefined {
  const parameters = written as Fields;
  const chain = elementsOfHinge(kind, parameters);
  const count = (which: "nq" | "nu"): number => chain.reduce((sum, e) => sum + e[which], 0);
  const common = {
    onParent: placementOf({ ...(at && { at }), ...(rotation && { rotation }), ...(dh && { dh }) }),
    onBody: onBody === undefined ? AT_ORIGIN : placementOf(onBody),
    nq: count("nq"),
    nu: count("nu"),
  };
  if (armature === undefined) return { name: name ?? bodyName, kind, parameters, elements: chain, ...common };
  const numbers = fittingArmature(armature, chain, childPath(path, "armature"), problems);
  if (numbers === undefined) return undefined;
  const elements = chain.map((element, i): HingeElement => ({ ...element, armature: numbers[i]! }));
  return { name: name ?? bodyName, kind, parameters: { ...parameters, armature }, elements, ...common };
}

/** Inertia of the rotors: one number for a hinge of one freedom, else one for each. Every freedom must be a single turn or slide. */
function fittingArmature(
  armature: number | readonly number[],
  chain: readonly HingeElement[],
  path: string,
  problems: Problem[],
): readonly number[] | undefined {
  const note = (message: string, advice?: string): undefined => {
    problems.push({ path, message, value: valueText(armature), ...(advice !== undefined && { advice }) });
  };
  if (chain.length === 0 || chain.some((e) => e.screw === undefined))
    return note("only a hinge whose freedoms are single turns or slides can have an armature", "Leave it out");
  const numbers = numbersOf(armature);
  if (numbers.length === chain.length) return numbers;
  return note(
    typeof armature === "number"
      ? `must have a number for each of ${chain.length} freedoms`
      : `must have ${chain.length} numbers, has ${numbers.length}`,
  );
}

/** The elements of a kind with the given parameters. */
export function elementsOfHinge(kind: string, givenParameters: Fields): readonly HingeElement[] {
  const { parameters, elements } = hingeKinds()[kind]!;
  const axis = givenParameters.axis as Axis | undefined;
  return elements({ ...defaultsOf(parameters), ...givenParameters, ...(axis !== undefined && { axis: snappedAxis(axis) }) });
}

/** The unit vector of an axis. Components near zero (1e-17 in converted files) become exact zeros, so that they fold in kernels. */
export function snappedAxis(axis: Axis): Vec3<number> {
  const unit = axisVector(axis);
  return snapRotation([unit, unit, unit])[0];
}

/** A rigid body of a description: its declaration, and the body that it means. */

import type { NoteRule, Parameter } from "../../declare/parameters.ts";
import { childPath } from "../../declare/plain-data.ts";
import type { Problem } from "../../errors.ts";
import { ZERO3 } from "../../spatial/vec3.ts";
import type { BodyShape } from "../body-shape.ts";
import type { BodyDescription, HingeDescription, PlacementDescription, ShapeDescription } from "../description.ts";
import type { Body, Frame } from "../model.ts";
import { HINGE, type HingeDraft, hingeDraft } from "./hinge-draft.ts";
import { INERTIA, inertiaOf } from "./inertia.ts";
import { PLACED_FRAME, placementOf } from "./placement.ts";
import { SHAPE_LIST, shapesOf } from "./shapes.ts";

const MAX_FRAMES = 1_000;

/** Keys that rigid and elastic bodies have in common. */
export const BODY_PLACE = {
  name: { type: "name", setting: "never", about: "Name of the body, unique among bodies and frames." },
  parent: {
    type: "reference",
    to: "body",
    optional: true,
    setting: "never",
    about: "Name of the body that carries this one; the inertial world if not given.",
  },
} as const;

export const FRAMES = {
  type: "record",
  of: PLACED_FRAME,
  nouns: "frames on a body",
  most: MAX_FRAMES,
  named: true,
  optional: true,
  about: "Named frames on the body, such as hands, sensors and mounts.",
} as const satisfies Parameter;

export const RIGID_BODY = {
  type: "object",
  id: "body",
  about: "A rigid body and the hinge that joins it to its parent.",
  of: {
    ...BODY_PLACE,
    mass: { type: "number", unit: "kg", least: 0, about: "Mass; 0 only for a body without inertia that carries others." },
    com: { type: "vector", unit: "m", default: [0, 0, 0], about: "Mass centre in the body frame." },
    inertia: INERTIA,
    hinge: HINGE,
    frames: FRAMES,
    shapes: SHAPE_LIST,
  },
  rule: massRule,
} as const satisfies Parameter;

function massRule({ mass, inertia }: Partial<BodyDescription>, note: NoteRule): void {
  if (mass === 0 && inertia !== undefined && inertia !== "none")
    note("mass", "a body with inertia must have mass", 'For a massless body write inertia: "none"');
}

/** A rigid body as far as it could be read, and its path in the file. */
export interface BodyEntry {
  readonly value: Partial<BodyDescription>;
  readonly path: string;
  /** False if the hinge has a problem. Its name is known all the same. */
  readonly hasHinge: boolean;
}

type FrameDraft = Omit<Frame, "body"> & { readonly path: string };

/** A body of the model to be; members with a problem are `undefined`. */
export interface BodyDraft {
  readonly path: string;
  readonly name: string;
  readonly parentName: string | undefined;
  readonly mass: number | undefined;
  readonly com: Body["com"];
  readonly inertia: Body["inertia"] | undefined;
  readonly hinge: HingeDraft | undefined;
  /** Name of the hinge, even if the hinge has a problem. */
  readonly hingeName: string;
  readonly frames: readonly FrameDraft[];
  readonly shapes: readonly BodyShape[];
}

export function bodyDraft({ value, path, hasHinge }: BodyEntry, problems: Problem[], warnings: Problem[]): BodyDraft {
  const { name = "", parent, mass, com = ZERO3, inertia, hinge, frames = {} } = value;
  const memberPath = (key: string): string => childPath(path, key);
  return {
    path,
    name,
    parentName: parent,
    mass: mass === 0 && inertia !== "none" ? undefined : mass, // reported by the rule
    com: com as Body["com"],
    inertia: inertia === undefined ? undefined : inertiaOf(inertia, memberPath("inertia"), warnings),
    hinge: hasHinge ? hingeDraft(hinge as HingeDescription, name, memberPath("hinge"), problems) : undefined,
    hingeName: hinge?.name ?? name,
    frames: Object.entries(frames).map(([frame, placement]: [string, PlacementDescription | undefined]) => ({
      name: frame,
      placement: placementOf(placement ?? {}),
      path: childPath(memberPath("frames"), frame),
    })),
    shapes: shapesOf(value.shapes as readonly (ShapeDescription | undefined)[] | undefined),
  };
}

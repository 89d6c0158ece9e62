/** Schemas of all kinds of hinges. */
import { z } from "zod";
import { FREEDOM_NAMES, ROTATIONS } from "../../model/hinges/general.ts";
import { HINGES, type HingeKindName } from "../../model/hinges/index.ts";
import { placement, placementFields } from "./placement.ts";
import { armature, listOf, name, pitch } from "./quantities.ts";

/** Every parameter that some kind of hinge takes. */
export const hingeParameters = {
  axis: z
    .union([z.enum(["x", "y", "z"]), listOf(3, z.number())])
    .meta({ id: "axis", description: "Axis in the hinge frame, by name or by components of any length; z if not given." }),
  pitch: pitch.describe("How far the screw advances with its angle; 0 if not given."),
  freedoms: z.array(z.enum(FREEDOM_NAMES)).max(FREEDOM_NAMES.length).describe("Which motions are free; none if not given."),
  rotations: z
    .enum(ROTATIONS)
    .describe(
      "small: the matrix of the turns is 1 + φ̃, which is not orthogonal; for comparison with papers. exact if not given.",
    ),
};

/** Kinds whose freedoms are turns and slides one by one: only these can have a drive with a rotor each. */
const hasSeparateFreedoms = (kind: HingeKindName): boolean => kind !== "fixed" && kind !== "spherical" && kind !== "free";

/** One kind of hinge with the parameters that its defaults declare. */
function hingeOfKind(kind: HingeKindName) {
  const taken = Object.entries(hingeParameters).filter(([key]) => Object.hasOwn(HINGES[kind].defaults, key));
  return z
    .strictObject({
      kind: z.literal(kind).describe(HINGES[kind].about),
      name: name.optional().describe("Name of the hinge; that of its body if not given."),
      ...Object.fromEntries(taken.map(([key, schema]) => [key, schema.optional()])),
      ...(hasSeparateFreedoms(kind) && {
        armature: z
          .union([armature, z.array(armature).max(6)])
          .optional()
          .describe(
            "Inertia of the drive's rotor as the hinge feels it, kg m^2 of a turn, kg of a slide; a list where there are several freedoms.",
          ),
      }),
      ...placementFields,
      onBody: placement.optional().describe("Where the hinge sits on this body; at the origin of its frame if not given."),
    })
    .meta({ id: `${kind}-hinge`, description: HINGES[kind].about });
}

export const hinge = z
  .union((Object.keys(HINGES) as HingeKindName[]).map(hingeOfKind))
  .describe("How the body is joined to its parent: the kind of hinge, and where it sits on the parent (at, rotation).");

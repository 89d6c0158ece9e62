/** Schemas of all kinds of hinges. */
import { z } from "zod";
import { FREEDOM_NAMES, ROTATIONS } from "../../model/hinges/general.ts";
import { HINGES, type HingeKindName } from "../../model/hinges/index.ts";
import { placement, placementFields } from "./placement.ts";
import { armature, listOf, name, pitch } from "./quantities.ts";

/** All parameters of hinges; each kind has some of them. */
export const hingeParameters = {
  axis: z
    .union([z.enum(["x", "y", "z"]), listOf(3, z.number())])
    .meta({ id: "axis", description: "Axis in the hinge frame, by name or by components of any length; z if not given." }),
  pitch: pitch.describe("Advance of the screw per angle; 0 if not given."),
  freedoms: z.array(z.enum(FREEDOM_NAMES)).max(FREEDOM_NAMES.length).describe("Free motions; none if not given."),
  rotations: z
    .enum(ROTATIONS)
    .describe(
      "With small, the rotation matrix is 1 + φ̃, which is not orthogonal; for comparison with papers. exact if not given.",
    ),
};

/** True if the freedoms of a kind are separate turns and slides: only these can have drives with rotors. */
const hasSeparateFreedoms = (kind: HingeKindName): boolean => kind !== "fixed" && kind !== "spherical" && kind !== "free";

/** Schema of a kind of hinge, with the parameters for which it has defaults. */
function hingeOfKind(kind: HingeKindName) {
  const acceptedParameters = Object.entries(hingeParameters).filter(([key]) => Object.hasOwn(HINGES[kind].defaults, key));
  return z
    .strictObject({
      kind: z.literal(kind).describe(HINGES[kind].about),
      name: name.optional().describe("Name of the hinge; that of its body if not given."),
      ...Object.fromEntries(acceptedParameters.map(([key, schema]) => [key, schema.optional()])),
      ...(hasSeparateFreedoms(kind) && {
        armature: z
          .union([armature, z.array(armature).max(6)])
          .optional()
          .describe(
            "Inertia of the drive's rotor as seen at the hinge, kg m^2 for a turn, kg for a slide; a list if there are several freedoms.",
          ),
      }),
      ...placementFields,
      onBody: placement.optional().describe("Placement of the hinge on this body; at the origin of its frame if not given."),
    })
    .meta({ id: `${kind}-hinge`, description: HINGES[kind].about });
}

export const hinge = z
  .union((Object.keys(HINGES) as HingeKindName[]).map(hingeOfKind))
  .describe("Hinge that joins the body to its parent: its kind, and its placement on the parent (at, rotation).");

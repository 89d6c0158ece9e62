/** Schemas of rotations and placements of frames. */
import { z } from "zod";
import { angle, length, listOf } from "./quantities.ts";

export const rotation = z
  .union([
    z.strictObject({ quaternion: listOf(4, z.number()).describe("[w, x, y, z] of norm 1.") }),
    z.strictObject({
      matrix: listOf(3, listOf(3, z.number())).describe(
        "Three rows; the columns are the axes of the placed frame in its carrier.",
      ),
    }),
    z.strictObject({ rpy: listOf(3, angle).describe("Roll, pitch, yaw about the fixed axes: R = Rz(yaw) Ry(pitch) Rx(roll).") }),
  ])
  .meta({
    id: "rotation",
    description:
      "Orientation, given in one of three ways: the map from components in the placed frame to components in its carrier.",
  });

export const placementFields = {
  at: listOf(3, length).optional().describe("Position of the origin in axes of the carrier; zero if not given."),
  rotation: rotation.optional(),
  dh: z
    .strictObject({ alpha: angle.optional(), a: length.optional(), d: length.optional(), theta: angle.optional() })
    .optional()
    .describe(
      "Instead of at and rotation: a Denavit-Hartenberg row in the modified convention, Rx(alpha) Tx(a) Tz(d) Rz(theta).",
    ),
};

export const placement = z
  .strictObject(placementFields)
  .meta({ id: "placement", description: "Placement of a frame on its carrier; at its origin and parallel if not given." });

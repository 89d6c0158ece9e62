/** Schemas of all kinds of loops. */
import { z } from "zod";
import { DEFAULT_ENGAGEMENT_TOLERANCE, ENGAGEMENT_MODES } from "../../model/build/parse-loops.ts";
import { CHAINS } from "../../model/chains/index.ts";
import type { ChainName } from "../../model/loop.ts";
import { MAX_TERMS } from "../../model/loops/coupling.ts";
import { LOOPS } from "../../model/loops/index.ts";
import type { LoopKind } from "../../model/loops/loop-kind.ts";
import { hingeParameters } from "./hinges.ts";
import { placementFields } from "./placement.ts";
import { angle, coordinate, coordinateRate, length, name, pitch, turningSpeed } from "./quantities.ts";

const attachment = z
  .union([
    z.strictObject({ body: z.string().describe('Name of the body that carries the frame, or "world".'), ...placementFields }),
    z.strictObject({ frame: z.string().describe("Name of a frame of the model.") }),
  ])
  .meta({ id: "attachment", description: "A frame that a loop joins: placed on a body, or a named frame of the model." });

const coordinateName = z.string().describe('Name of a hinge of one freedom, or of one freedom of a hinge as "hinge.part".');

const term = z
  .strictObject({ hinge: coordinateName, factor: z.number().describe("Factor of the coordinate; not zero.") })
  .meta({ id: "term", description: "A coordinate and its factor." });

const motion = z
  .strictObject({
    offset: coordinate.optional().describe("Value at t = 0 without oscillation; 0 if not given."),
    rate: coordinateRate.optional().describe("Constant speed; 0 if not given."),
    amplitude: coordinate.optional().describe("Amplitude of the oscillation; 0 if not given."),
    frequency: turningSpeed.optional().describe("Angular frequency of the oscillation; 0 if not given."),
    phase: angle.optional().describe("Phase of the oscillation; 0 if not given."),
  })
  .meta({ id: "motion", description: "offset + rate t + amplitude sin(frequency t + phase)." });

/** All fields of loops; each kind has some of them. */
const loopFields: Readonly<Record<string, z.ZodType>> = {
  ...hingeParameters,
  pitch: pitch.describe("Advance of the screw per angle; not zero."),
  length: length.describe("Length of the rod; positive."),
  from: attachment.describe("Frame F on one body."),
  to: attachment.describe("Frame M on another body."),
  terms: z.array(term).min(1).max(MAX_TERMS).describe("Coupled coordinates, each once."),
  offset: z.number().describe("Constant value of the sum, in the units of the terms; 0 if not given."),
  hinge: coordinateName,
  motion,
};

function loopOfKind({ name: kind, about, required, optional }: LoopKind) {
  return z
    .strictObject({
      name: name.describe("Name of the loop, unique among bodies, frames, hinges and loops."),
      kind: z.literal(kind).describe(about),
      ...Object.fromEntries(required.map((key) => [key, loopFields[key]!])),
      ...Object.fromEntries(optional.map((key) => [key, loopFields[key]!.optional()])),
      engaged: z.boolean().optional().describe("With false, the loop is open until an event engages it; true if not given."),
      engages: z
        .enum(ENGAGEMENT_MODES)
        .optional()
        .describe(
          "Placement when the loop is engaged: that of the bodies at that time, or as declared here; as-found if not given.",
        ),
      tolerance: z
        .number()
        .positive()
        .optional()
        .describe(`Largest deviation at engagement as declared, m or rad; ${DEFAULT_ENGAGEMENT_TOLERANCE} if not given.`),
      ...(required.includes("from") && {
        chain: z
          .enum(Object.keys(CHAINS) as [ChainName, ...ChainName[]])
          .optional()
          .describe("Closed-form chain of its dependent branch; detected if not given."),
      }),
      dependent: z
        .array(z.string())
        .optional()
        .describe(
          "Dependent coordinates of this loop, for the formulations partition and minimal; chosen automatically if not given.",
        ),
    })
    .meta({ id: `${kind}-loop`, description: about });
}

export const loop = z
  .union(Object.values(LOOPS).map(loopOfKind))
  .describe("A hinge that closes a loop of the tree, or another constraint: its kind, and what it joins.");

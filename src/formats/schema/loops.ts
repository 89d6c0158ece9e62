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
    z.strictObject({ body: z.string().describe('Name of the body that carries it, or "world".'), ...placementFields }),
    z.strictObject({ frame: z.string().describe("Name of a frame of the model.") }),
  ])
  .meta({ id: "attachment", description: "A frame that a loop joins: placed on a body, or a named frame of the model." });

const coordinateName = z.string().describe('Name of a hinge of one freedom, or of one freedom of a hinge as "hinge.part".');

const term = z
  .strictObject({ hinge: coordinateName, factor: z.number().describe("What the coordinate is multiplied with; not zero.") })
  .meta({ id: "term", description: "A coordinate and its factor." });

const motion = z
  .strictObject({
    offset: coordinate.optional().describe("Value at the beginning; 0 if not given."),
    rate: coordinateRate.optional().describe("Steady speed; 0 if not given."),
    amplitude: coordinate.optional().describe("Of the oscillation; 0 if not given."),
    frequency: turningSpeed.optional().describe("Of the oscillation, as angle over time; 0 if not given."),
    phase: angle.optional().describe("Of the oscillation; 0 if not given."),
  })
  .meta({ id: "motion", description: "offset + rate t + amplitude sin(frequency t + phase)." });

/** Every field that some kind of loop takes. */
const loopFields: Readonly<Record<string, z.ZodType>> = {
  ...hingeParameters,
  pitch: pitch.describe("How far the screw advances with its angle; not zero."),
  length: length.describe("Length of the rod; positive."),
  from: attachment.describe("Frame F, on one body."),
  to: attachment.describe("Frame M, on another body."),
  terms: z.array(term).min(1).max(MAX_TERMS).describe("The coordinates that are coupled, each once."),
  offset: z.number().describe("What the sum stays at, in the units of the terms; 0 if not given."),
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
      engaged: z.boolean().optional().describe("false: open until an event of a run engages it; true if not given."),
      engages: z
        .enum(ENGAGEMENT_MODES)
        .optional()
        .describe("Where the bodies are found when it is engaged, or as declared here; as-found if not given."),
      tolerance: z
        .number()
        .positive()
        .optional()
        .describe(`As declared, it may miss by so much, m or rad; ${DEFAULT_ENGAGEMENT_TOLERANCE} if not given.`),
      ...(required.includes("from") && {
        chain: z
          .enum(Object.keys(CHAINS) as [ChainName, ...ChainName[]])
          .optional()
          .describe("The chain in closed form that its dependent branch is; found if not given."),
      }),
      dependent: z
        .array(z.string())
        .optional()
        .describe(
          "Coordinates that follow from the others by this loop, for partition and minimal; chosen by them if not given.",
        ),
    })
    .meta({ id: `${kind}-loop`, description: about });
}

export const loop = z
  .union(Object.values(LOOPS).map(loopOfKind))
  .describe("A hinge that is not in the tree, or another constraint: the kind, and what it joins.");

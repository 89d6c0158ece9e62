/**
 * The schema of model files. Editors check and explain files with the JSON Schema made of it (schema/model.schema.json). `parseModel` does
 * not use it: `createModel` checks every description, wherever it comes from.
 */
import { z } from "zod";
import { MAX_BODIES } from "../../model/build/create-model.ts";
import { MAX_LOOPS } from "../../model/build/parse-loops.ts";
import { GRAVITIES } from "../../model/gravity.ts";
import { FORMAT_VERSION } from "../document.ts";
import { body } from "./bodies.ts";
import { elasticBody, springs } from "./elastic-bodies.ts";
import { loop } from "./loops.ts";
import { acceleration, listOf } from "./quantities.ts";

export const modelFileSchema = z
  .strictObject({
    $schema: z.string().optional().describe("Schema for editors."),
    castor: z.literal(FORMAT_VERSION).optional().describe("Version of the format."),
    name: z.string().min(1).max(100).describe("Title of the model."),
    gravity: z
      .union([listOf(3, acceleration), z.enum(Object.keys(GRAVITIES) as [string, ...string[]])])
      .optional()
      .describe("Uniform gravity in world axes, or the name of a celestial body, along -z; none if not given."),
    bodies: z
      .array(z.union([body, elasticBody]))
      .min(1)
      .max(MAX_BODIES)
      .describe("The bodies, in any order."),
    loops: z
      .array(loop)
      .max(MAX_LOOPS)
      .optional()
      .describe("Constraints in addition to the tree: hinges that close loops, and others."),
    springs: z.array(springs).optional().describe("Springs of elastic bodies that are given as links."),
  })
  .describe("A Castor model: rigid bodies joined in a tree by hinges, and loops. Numbers are in SI units and radians.");

/** The JSON Schema of model files, as text. */
export function modelJsonSchema(): string {
  const schema = z.toJSONSchema(modelFileSchema, { io: "input", target: "draft-7" });
  return `${JSON.stringify({ title: "Castor model", ...schema }, null, 2)}\n`;
}

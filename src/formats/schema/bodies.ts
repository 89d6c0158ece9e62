/** Schemas of rigid bodies and their shapes. */
import { z } from "zod";
import type { ShapeKindName } from "../../model/body-shape.ts";
import { MAX_SHAPES, SHAPES } from "../../model/build/parse-shapes.ts";
import { hinge } from "./hinges.ts";
import { placement, placementFields } from "./placement.ts";
import { length, listOf, mass, moment, name } from "./quantities.ts";

const inertia = z
  .union([z.literal("none"), listOf(3, moment), listOf(6, moment), listOf(3, listOf(3, moment))])
  .describe(
    'About the mass centre in body axes: [xx, yy, zz], [xx, yy, zz, xy, xz, yz] (entries of the tensor), a 3x3 matrix, or "none".',
  );

/** All fields of shapes; each kind has some of them. */
const shapeFields: Readonly<Record<string, z.ZodType>> = {
  size: listOf(3, length).describe("Edges along x, y and z; positive."),
  radius: length.describe("Radius; positive."),
  length: length.describe("Length along z; positive."),
  file: z.string().max(300).describe("A mesh (.stl, .glb, .gltf) in the folder of the model or below."),
  scale: z.number().optional().describe("Metres per unit of the file; 1 if not given."),
};

function shapeOfKind(kind: ShapeKindName) {
  const { about, fields } = SHAPES[kind];
  return z
    .strictObject({
      kind: z.literal(kind).describe(about),
      ...Object.fromEntries(Object.keys(fields).map((key) => [key, shapeFields[key]!])),
      ...placementFields,
      colour: z
        .string()
        .regex(/^#[\da-fA-F]{6}$/)
        .optional()
        .describe("Colour as #rrggbb."),
    })
    .meta({ id: `${kind}-shape`, description: about });
}

const shape = z
  .union((Object.keys(SHAPES) as ShapeKindName[]).map(shapeOfKind))
  .describe("Shape of the body for drawings, about the middle of the shape.");

export const body = z
  .strictObject({
    name: name.describe("Name of the body, unique among bodies and frames."),
    parent: z.string().optional().describe("Name of the body that carries this one; the inertial world if not given."),
    mass: mass.describe("Mass; 0 only for a body without inertia that carries others."),
    com: listOf(3, length).optional().describe("Mass centre in the body frame; its origin if not given."),
    inertia,
    hinge,
    frames: z.record(name, placement).optional().describe("Named frames on the body, such as hands, sensors and mounts."),
    shapes: z.array(shape).max(MAX_SHAPES).optional().describe("Shapes for drawings; they do not affect the motion."),
  })
  .meta({ id: "body", description: "A rigid body and the hinge that joins it to its parent." });

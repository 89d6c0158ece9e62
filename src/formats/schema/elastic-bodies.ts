/** Schemas of elastic bodies and of the springs of which they consist. */
import { z } from "zod";
import { DEFAULT_JOINTS, MAX_JOINTS } from "../../model/elastic/joints.ts";
import { JOINT_FREEDOMS, MATERIALS } from "../../model/elastic/rod.ts";
import { SECTIONS, type SectionKind } from "../../model/elastic/section.ts";
import { hinge, hingeParameters } from "./hinges.ts";
import { placement } from "./placement.ts";
import { length, mass, name, oneOrSeveral, pressure, quantity } from "./quantities.ts";

const material = z
  .union([
    z.enum(Object.keys(MATERIALS) as [string, ...string[]]),
    z.strictObject({
      youngs: pressure.describe("Young's modulus."),
      shear: pressure.optional().describe("Shear modulus; from Poisson's ratio if not given."),
      poisson: z.number().optional().describe("Poisson's ratio; 0.3 if not given."),
      density: quantity("density", "kg/m^3"),
    }),
  ])
  .meta({ id: "material", description: "Material of an elastic body: by name, or by its properties." });

const sectionNumbers: Readonly<Record<string, z.ZodType>> = {
  area: quantity("area", "m^2"),
  Iy: quantity("second-moment", "m^4").describe("Second moment about y, the integral of z squared."),
  Iz: quantity("second-moment-z", "m^4").describe("Second moment about z, the integral of y squared."),
  torsion: quantity("torsion-constant", "m^4").describe("Torsion constant; no twist if not given."),
};

const section = z
  .union(
    (Object.keys(SECTIONS) as SectionKind[]).map((kind) => {
      const { required, optional, about }: { required: readonly string[]; optional: readonly string[]; about: string } =
        SECTIONS[kind];
      const field = (key: string): z.ZodType => sectionNumbers[key] ?? length;
      return z.strictObject({
        kind: z.literal(kind).describe(about),
        ...Object.fromEntries(required.map((key) => [key, field(key)])),
        ...Object.fromEntries(optional.map((key) => [key, field(key).optional()])),
      });
    }),
  )
  .meta({ id: "section", description: "A cross-section in the axes y and z of the body." });

const elastic = z
  .strictObject({
    length: length.describe("Length along x of the body, from its origin."),
    material: material.optional(),
    section: section.optional().describe("Cross-section; at the root if there is another one at the tip."),
    tipSection: section
      .optional()
      .describe("Cross-section at the tip, of the same kind; all dimensions change linearly in between."),
    mass: mass.optional().describe("Total mass."),
    massPerLength: quantity("mass-per-length", "kg/m").optional(),
    bendingStiffness: oneOrSeveral(quantity("bending-stiffness", "N m^2")).optional().describe("EI, or EI about y and about z."),
    torsionStiffness: quantity("torsion-stiffness", "N m^2").optional().describe("GJ."),
    axialStiffness: quantity("axial-stiffness", "N").optional().describe("EA."),
    polarInertia: quantity("polar-inertia", "kg m").optional().describe("Inertia of the sections about x, per length."),
    measured: z
      .union([
        z.strictObject({ frequency: quantity("frequency", "Hz").describe("First natural frequency of the clamped body.") }),
        z.strictObject({
          compliance: quantity("compliance", "m/N").describe("Deflection of the tip of the clamped body under a force."),
        }),
      ])
      .optional()
      .describe("A measurement from which the stiffness of the uniform body follows."),
    joints: z
      .union([
        z.number().int().min(1).max(MAX_JOINTS),
        z
          .array(
            z.strictObject({
              at: length.describe("Distance from the root."),
              stiffness: oneOrSeveral(quantity("joint-stiffness", "N m/rad")).describe("One number for each freedom."),
              damping: oneOrSeveral(z.number()).optional().describe("One number for each freedom; 0 if not given."),
            }),
          )
          .max(MAX_JOINTS),
      ])
      .optional()
      .describe(`Number of joints, ${DEFAULT_JOINTS} if not given; or the joints themselves.`),
    freedoms: z
      .array(z.enum(JOINT_FREEDOMS))
      .optional()
      .describe(
        "Freedoms of the joints: stretch x, twist rx, bending ry and rz. If not given, twist and bending with known stiffness.",
      ),
    rotations: hingeParameters.rotations.optional(),
    damping: z
      .union([
        z.number(),
        z.strictObject({ ratio: z.number() }),
        z.strictObject({ decrement: z.number() }),
        z.strictObject({ time: quantity("time", "s") }),
        z.strictObject({ ratios: z.array(z.number()) }),
      ])
      .optional()
      .describe(
        "Damping ratio of the first clamped mode, or its logarithmic decrement; stiffness times a time; or exact ratios of all modes.",
      ),
  })
  .meta({ id: "elastic", description: "A straight elastic body along x, modelled as rigid links with springs between them." });

export const elasticBody = z
  .strictObject({
    name: name.describe("Name of the body, unique among bodies and frames; its links are NAME, NAME-2, NAME-3, ..."),
    parent: z.string().optional().describe("Name of the body that carries this one; the inertial world if not given."),
    elastic,
    hinge,
    frames: z.record(name, placement).optional().describe("Named frames along the body."),
  })
  .meta({ id: "elastic-body", description: "An elastic body and the hinge that joins its root to its parent." });

export const springs = z
  .strictObject({
    name: name.describe("Name of the springs, unique among them."),
    joints: z
      .array(
        z.strictObject({
          hinge: z.string().describe("Name of a hinge."),
          stiffness: z.array(z.number()).optional().describe("One number for each speed of the hinge, in SI units."),
          damping: z.array(z.number()).optional().describe("One number for each speed of the hinge, in SI units."),
        }),
      )
      .describe("Hinges with springs and dampers."),
    coupling: z.array(z.array(z.number())).optional().describe("Damping between the speeds of all joints in their order."),
  })
  .meta({ id: "springs", description: "Springs and dampers in hinges, of which elastic bodies consist." });

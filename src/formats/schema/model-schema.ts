/**
 * The shape of a model file as a schema. Editors check and explain files with the JSON Schema made of it
 * (schema/model.schema.json). `parseModel` does not need it: `createModel` checks every description, wherever it comes from.
 */
import { z } from "zod";
import { quantityPattern, type SiUnit, unitsOf } from "../../declare/units.ts";
import type { ShapeKindName } from "../../model/body-shape.ts";
import { MAX_BODIES } from "../../model/build/create-model.ts";
import { DEFAULT_ENGAGEMENT_TOLERANCE, ENGAGEMENT_MODES, MAX_LOOPS } from "../../model/build/parse-loops.ts";
import { MAX_SHAPES, SHAPES } from "../../model/build/parse-shapes.ts";
import { CHAINS } from "../../model/chains/index.ts";
import { DEFAULT_JOINTS, MAX_JOINTS } from "../../model/elastic/joints.ts";
import { JOINT_FREEDOMS, MATERIALS } from "../../model/elastic/rod.ts";
import { SECTIONS, type SectionKind } from "../../model/elastic/section.ts";
import { GRAVITIES } from "../../model/gravity.ts";
import { FREEDOM_NAMES, ROTATIONS } from "../../model/hinges/general.ts";
import { HINGES, type HingeKindName } from "../../model/hinges/index.ts";
import type { ChainName } from "../../model/loop.ts";
import { MAX_TERMS } from "../../model/loops/coupling.ts";
import { LOOPS } from "../../model/loops/index.ts";
import type { LoopKind } from "../../model/loops/loop-kind.ts";
import { FORMAT_VERSION } from "../document.ts";

function quantity(id: string, ...units: readonly SiUnit[]) {
  const texts = units.map((unit) => z.string().regex(new RegExp(quantityPattern(unit))));
  const description = `A number in ${units.join(" or ")}, or text with a unit: ${units.flatMap(unitsOf).join(", ")}.`;
  return z.union([z.number(), ...texts]).meta({ id, description });
}

const mass = quantity("mass", "kg");
const length = quantity("length", "m");
const angle = quantity("angle", "rad");
const acceleration = quantity("acceleration", "m/s^2");
const moment = quantity("inertia-entry", "kg m^2");
const pitch = quantity("pitch", "m/rad");
const armature = z.number().min(0);
const pressure = quantity("pressure", "Pa");
const turningSpeed = quantity("turning-speed", "rad/s");
const coordinate = quantity("coordinate", "rad", "m");
const coordinateRate = quantity("coordinate-rate", "rad/s", "m/s");

const listOf = <T extends z.ZodType>(count: number, item: T) => z.array(item).length(count);

const name = z
  .string()
  .min(1)
  .max(100)
  .regex(/^[^./[\]]*$/);

const rotation = z
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

const placementFields = {
  at: listOf(3, length).optional().describe("Position of the origin in axes of the carrier; its origin if not given."),
  rotation: rotation.optional(),
  dh: z
    .strictObject({ alpha: angle.optional(), a: length.optional(), d: length.optional(), theta: angle.optional() })
    .optional()
    .describe(
      "Instead of at and rotation: a Denavit-Hartenberg row in the modified convention, Rx(alpha) Tx(a) Tz(d) Rz(theta).",
    ),
};

const placement = z
  .strictObject(placementFields)
  .meta({ id: "placement", description: "Where a frame sits on its carrier; at its origin and parallel if not given." });

/** Every parameter that some kind of hinge takes. */
const hingeParameters = {
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

const hinge = z
  .union((Object.keys(HINGES) as HingeKindName[]).map(hingeOfKind))
  .describe("How the body is joined to its parent: the kind of hinge, and where it sits on the parent (at, rotation).");

const inertia = z
  .union([z.literal("none"), listOf(3, moment), listOf(6, moment), listOf(3, listOf(3, moment))])
  .describe(
    'About the mass centre in body axes: [xx, yy, zz], [xx, yy, zz, xy, xz, yz] (entries of the tensor), a 3x3 matrix, or "none".',
  );

/** Every field that some kind of shape takes. */
const shapeFields: Readonly<Record<string, z.ZodType>> = {
  size: listOf(3, length).describe("Edges along x, y and z; positive."),
  radius: length.describe("Positive."),
  length: length.describe("Along z; positive."),
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
        .describe("As #rrggbb."),
    })
    .meta({ id: `${kind}-shape`, description: about });
}

const shape = z
  .union((Object.keys(SHAPES) as ShapeKindName[]).map(shapeOfKind))
  .describe("What the body looks like, about the middle of the shape.");

const body = z
  .strictObject({
    name: name.describe("Name of the body, unique among bodies and frames."),
    parent: z.string().optional().describe("Name of the body that carries this one; the inertial world if not given."),
    mass: mass.describe("Mass; 0 only for a body without inertia that carries others."),
    com: listOf(3, length).optional().describe("Mass centre in the body frame; its origin if not given."),
    inertia,
    hinge,
    frames: z.record(name, placement).optional().describe("Points of interest on the body, by name: hands, sensors, mounts."),
    shapes: z.array(shape).max(MAX_SHAPES).optional().describe("What it looks like; nothing of the motion depends on it."),
  })
  .meta({ id: "body", description: "A rigid body and the hinge that joins it to its parent." });

const material = z
  .union([
    z.enum(Object.keys(MATERIALS) as [string, ...string[]]),
    z.strictObject({
      youngs: pressure.describe("Young's modulus."),
      shear: pressure.optional().describe("Shear modulus; by Poisson's ratio if not given."),
      poisson: z.number().optional().describe("Poisson's ratio; 0.3 if not given."),
      density: quantity("density", "kg/m^3"),
    }),
  ])
  .meta({ id: "material", description: "What an elastic body is made of: by name, or by its numbers." });

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

const oneOrSeveral = <T extends z.ZodType>(item: T) => z.union([item, z.array(item)]);

const elastic = z
  .strictObject({
    length: length.describe("Length along x of the body, from its origin."),
    material: material.optional(),
    section: section.optional().describe("Section, at the root if there is another at the tip."),
    tipSection: section.optional().describe("Section at the tip, of the same kind: every number changes evenly on the way."),
    mass: mass.optional().describe("Mass in all."),
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
      .describe("A measurement that the uniform body is to have."),
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
      .describe("Stretch x, twist rx, bending ry and rz; twist and bending, as far as their stiffness is known, if not given."),
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
        "Damping ratio of the first clamped mode, or its logarithmic decrement; stiffness times a time; or ratios mode by mode, exactly.",
      ),
  })
  .meta({ id: "elastic", description: "A straight elastic body along x. It moves as rigid links with springs between them." });

const elasticBody = z
  .strictObject({
    name: name.describe("Name of the body, unique among bodies and frames; its links are NAME, NAME-2, NAME-3, ..."),
    parent: z.string().optional().describe("Name of the body that carries this one; the inertial world if not given."),
    elastic,
    hinge,
    frames: z.record(name, placement).optional().describe("Points of interest along the body, by name."),
  })
  .meta({ id: "elastic-body", description: "An elastic body and the hinge that joins its root to its parent." });

const springs = z
  .strictObject({
    name: name.describe("Name of the springs, unique among them."),
    joints: z
      .array(
        z.strictObject({
          hinge: z.string().describe("Name of a hinge."),
          stiffness: z.array(z.number()).optional().describe("One number for each speed of the hinge, SI."),
          damping: z.array(z.number()).optional().describe("One number for each speed of the hinge, SI."),
        }),
      )
      .describe("Hinges with springs and dampers in them."),
    coupling: z.array(z.array(z.number())).optional().describe("Damping between the speeds of all joints in their order."),
  })
  .meta({ id: "springs", description: "Springs in hinges, of which elastic bodies are made." });

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

const loop = z
  .union(Object.values(LOOPS).map(loopOfKind))
  .describe("A hinge that is not in the tree, or another constraint: the kind, and what it joins.");

export const modelFileSchema = z
  .strictObject({
    $schema: z.string().optional().describe("For editors."),
    castor: z.literal(FORMAT_VERSION).optional().describe("Version of the format."),
    name: z.string().min(1).max(100).describe("Title of the model."),
    gravity: z
      .union([listOf(3, acceleration), z.enum(Object.keys(GRAVITIES) as [string, ...string[]])])
      .optional()
      .describe("Uniform gravity in world axes, or that of a world by name, along -z; none if not given."),
    bodies: z
      .array(z.union([body, elasticBody]))
      .min(1)
      .max(MAX_BODIES)
      .describe("The bodies, in any order."),
    loops: z
      .array(loop)
      .max(MAX_LOOPS)
      .optional()
      .describe("What joins bodies besides the tree: hinges that close loops, and more."),
    springs: z.array(springs).optional().describe("Springs of elastic bodies that are written out."),
  })
  .describe("A Castor model: rigid bodies joined in a tree by hinges, and loops. Numbers are in SI units and radians.");

/** The JSON Schema of model files, as text. */
export function modelJsonSchema(): string {
  const schema = z.toJSONSchema(modelFileSchema, { io: "input", target: "draft-7" });
  return `${JSON.stringify({ title: "Castor model", ...schema }, null, 2)}\n`;
}

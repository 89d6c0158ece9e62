/** The declaration of an elastic body. */

import type { Parameter, ValueProblem } from "../../declare/parameters.ts";
import { BODY_PLACE, FRAMES } from "../build/body-draft.ts";
import { HINGE } from "../build/hinge-draft.ts";
import { ROTATIONS_PARAMETER } from "../hinges/general.ts";
import { DEFAULT_JOINTS, MAX_JOINTS } from "./joints.ts";
import { DEFAULT_POISSON, JOINT_FREEDOMS, MATERIALS, stiffnessRule } from "./rod.ts";
import { SECTIONS } from "./section.ts";

const positive = (unit: string, about: string) => ({ type: "number", unit, above: 0, about }) as const;
const optional = (unit: string, about: string) => ({ ...positive(unit, about), optional: true }) as const;

const MATERIAL = {
  type: "either",
  id: "material",
  optional: true,
  about: "Material of an elastic body: by name, or by its properties.",
  forms: `${Object.keys(MATERIALS).join(", ")}, or an object with youngs and density`,
  of: [
    { type: "choice", of: Object.keys(MATERIALS), refusal: "no such material", about: "A common material." },
    {
      type: "object",
      about: "Properties of a material.",
      of: {
        youngs: positive("Pa", "Young's modulus."),
        shear: optional("Pa", "Shear modulus; from Poisson's ratio if not given."),
        poisson: { type: "number", unit: "", above: -1, most: 0.5, default: DEFAULT_POISSON, about: "Poisson's ratio." },
        density: positive("kg/m^3", "Density."),
      },
    },
  ],
} as const satisfies Parameter;

const SECTION = {
  type: "kinds",
  id: "section",
  noun: "section",
  optional: true,
  about: "Cross-section in the axes y and z of the body; at the root if there is another one at the tip.",
  kinds: () => SECTIONS,
  common: {},
} as const satisfies Parameter;

const JOINTS = {
  type: "either",
  default: DEFAULT_JOINTS as never,
  about: "Number of joints; or the joints themselves.",
  forms: `a whole number from 1 to ${MAX_JOINTS}, or a list of joints`,
  of: [
    { type: "number", unit: "", whole: true, least: 1, most: MAX_JOINTS, about: "Number of joints." },
    {
      type: "items",
      noun: "joint",
      nouns: "joints",
      least: 1,
      most: MAX_JOINTS,
      about: "The joints from the root to the tip.",
      of: {
        type: "object",
        about: "A joint.",
        of: {
          at: { type: "number", unit: "m", about: "Distance from the root." },
          cut: {
            type: "number",
            unit: "m",
            optional: true,
            about:
              "Distance from the root at which the mass is divided between the links before and behind the joint; at if not given.",
          },
          stiffness: {
            type: "either",
            about: "One number for each freedom.",
            forms: "a number, or one for each freedom",
            of: [
              positive("N m/rad", "Stiffness."),
              { type: "series", unit: "N m/rad", above: 0, about: "Stiffness of each freedom." },
            ],
          },
          damping: {
            type: "either",
            optional: true,
            about: "One number for each freedom; 0 if not given.",
            forms: "a number, or one for each freedom",
            of: [
              { type: "number", unit: "", least: 0, about: "Damping." },
              { type: "series", unit: "", least: 0, about: "Damping of each freedom." },
            ],
          },
        },
      },
    },
  ],
} as const satisfies Parameter;

const ratioProblem = (ratio: number): ValueProblem | undefined =>
  ratio < 1 ? undefined : { message: "must be from 0 to below 1" };

const DAMPING = {
  type: "either",
  optional: true,
  about:
    "Damping ratio of the first clamped mode (the same as ratio), proportional to stiffness; its logarithmic decrement; the time that multiplies the stiffness; or exact ratios of all modes.",
  forms: "a number, or one of ratio, decrement, time, ratios",
  of: [
    { type: "number", unit: "", least: 0, about: "Damping ratio of the first clamped mode.", check: ratioProblem },
    {
      type: "object",
      about: "Damping in one of four ways.",
      exactlyOne: ["ratio", "decrement", "time", "ratios"],
      of: {
        ratio: {
          type: "number",
          unit: "",
          least: 0,
          optional: true,
          about: "Damping ratio of the first clamped mode.",
          check: ratioProblem,
        },
        decrement: { type: "number", unit: "", least: 0, optional: true, about: "Its logarithmic decrement." },
        time: { type: "number", unit: "s", least: 0, optional: true, about: "Damping divided by stiffness." },
        ratios: {
          type: "series",
          unit: "",
          least: 0,
          optional: true,
          about: "Ratio of each mode, realised exactly.",
          check: (ratios: readonly number[]) => ratios.map(ratioProblem).find((problem) => problem !== undefined),
        },
      },
    },
  ],
} as const satisfies Parameter;

const ELASTIC = {
  type: "object",
  id: "elastic",
  setting: "sparse",
  about: "A straight elastic body along x, modelled as rigid links with springs between them.",
  rule: stiffnessRule,
  of: {
    length: positive("m", "Length along x of the body, from its origin."),
    material: MATERIAL,
    section: SECTION,
    tipSection: { ...SECTION, about: "Cross-section at the tip, of the same kind; all dimensions change linearly in between." },
    mass: optional("kg", "Total mass."),
    massPerLength: optional("kg/m", "Mass per length."),
    bendingStiffness: {
      type: "either",
      optional: true,
      about: "EI, or EI about y and about z.",
      forms: "a number, or two: about y and about z",
      of: [
        positive("N m^2", "EI about y and z."),
        { type: "array", unit: "N m^2", parts: ["y", "z"], above: 0, about: "EI about y and about z." },
      ],
    },
    torsionStiffness: optional("N m^2", "GJ."),
    axialStiffness: optional("N", "EA."),
    polarInertia: optional("kg m", "Inertia of the sections about x, per length."),
    measured: {
      type: "object",
      optional: true,
      about: "A measurement from which the stiffness of the uniform body follows. For several measurements use castor identify.",
      exactlyOne: ["frequency", "compliance"],
      of: {
        frequency: optional("Hz", "First natural frequency of the clamped body."),
        compliance: optional("m/N", "Deflection of the tip of the clamped body under a force."),
      },
    },
    joints: JOINTS,
    freedoms: {
      type: "choices",
      set: true,
      of: JOINT_FREEDOMS,
      noun: "freedom",
      optional: true,
      about:
        "Freedoms of the joints: stretch x, twist rx, bending ry and rz. If not given, twist and bending with known stiffness.",
    },
    rotations: ROTATIONS_PARAMETER,
    damping: DAMPING,
  },
} as const satisfies Parameter;

const ofItsOwn = (key: string) => ({
  message: `an elastic body has no ${key} of its own: it follows from its sections`,
  advice: "Put what it carries on it as bodies with fixed hinges",
});

export const ELASTIC_BODY = {
  type: "object",
  id: "elastic-body",
  marker: "elastic",
  about: "An elastic body and the hinge that joins its root to its parent.",
  foreign: { mass: ofItsOwn("mass"), com: ofItsOwn("com"), inertia: ofItsOwn("inertia") },
  of: {
    ...BODY_PLACE,
    name: {
      ...BODY_PLACE.name,
      about: "Name of the body, unique among bodies and frames; its links are NAME, NAME-2, NAME-3, ...",
    },
    elastic: ELASTIC,
    hinge: HINGE,
    frames: { ...FRAMES, about: "Named frames along the body." },
  },
} as const satisfies Parameter;

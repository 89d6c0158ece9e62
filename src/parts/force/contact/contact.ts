/** Contact of shapes on bodies or fixed in the world: compliant, with damping and friction. See docs/contact.md. */
import { forceKind } from "../kind.ts";
import { contactElement } from "./contact-element.ts";
import { CONTACT_SHAPE, KEYS_OF_KIND, shapeAsKind } from "./shape-kinds.ts";
import { APART } from "./shape-pairs.ts";

export const contact = forceKind({
  name: "contact",
  about:
    "Contact of shapes with shapes on other bodies or fixed in the world. At depth d the normal force is N = stiffness d (1 + damping ḋ), " +
    "never negative [Hunt and Crossley 1975]; the law of Hertz has d^1.5 instead of d. Friction is -μ N v / √(v² + creep²) against the " +
    "tangential velocity v, or bristles that stick. Solids that touch by faces and edges have a contact patch with the pressure modulus d / H, " +
    "H being the inner radius of one of them, and friction that sticks. Equal and opposite forces act on both bodies at the same point.",
  acts: "between bodies",
  asKind: shapeAsKind,
  parameters: {
    shapes: { type: "list", of: CONTACT_SHAPE, kinds: KEYS_OF_KIND, about: "Shapes that touch others." },
    against: {
      type: "list",
      of: CONTACT_SHAPE,
      kinds: KEYS_OF_KIND,
      default: [],
      about: "Shapes that `shapes` touch; without them, the shapes on different bodies touch each other.",
    },
    pairs: {
      type: "choice",
      of: ["all", "in order"],
      default: "all",
      about:
        "Pairs: each of `shapes` with each of `against`, or the first with the first, the second with the second, and so on.",
    },
    apart: {
      type: "list",
      of: APART,
      default: [],
      about: "Shapes that do not touch each other. Shapes on one body, and on bodies that are fixed to each other, never do.",
    },
    law: {
      type: "choice",
      of: ["linear", "hertz", "pressure"],
      optional: true,
      about:
        "Dependence of the force on depth: d, or d^1.5, at contact points; or pressure on contact patches of solids. Linear if a stiffness is given, " +
        "otherwise pressure. Pairs of solids that points do not describe completely (boxes with boxes, hulls, cylinders) always have patches.",
    },
    stiffness: {
      type: "number",
      unit: "N/m",
      above: 0,
      optional: true,
      about:
        "Stiffness of contact points; by the law of Hertz in N/m^1.5, 4/3 √r E* for a sphere of radius r. Patches without a modulus have the modulus " +
        "4 stiffness H / A with the area A = V^(2/3) of the elastic solid: a cube on a face is as stiff as on four points.",
    },
    modulus: {
      type: "number",
      unit: "Pa",
      above: 0,
      optional: true,
      about:
        "Modulus of the pressure law: the pressure of a patch is modulus × depth / H, with H the inner radius of the elastic solid.",
    },
    damping: {
      type: "number",
      unit: "s/m",
      least: 0,
      default: 0,
      about: "Relative increase of the force per m/s of approach; 1.5 (1 - restitution) / impact speed is a reasonable value.",
    },
    friction: { type: "number", unit: "", least: 0, default: 0, about: "Coefficient of friction μ." },
    creep: {
      type: "number",
      unit: "m/s",
      above: 0,
      default: 0.002,
      about: "Speed below which friction at points decreases to zero, without bristles.",
    },
    bristleBend: {
      type: "number",
      unit: "m",
      least: 0,
      default: 0,
      about:
        "Deflection of bristles at contact points at which they slip: friction sticks with the force μ N bend / bristleBend; zero for none. " +
        "Friction of patches always sticks.",
    },
    bristleTime: {
      type: "number",
      unit: "s",
      least: 0,
      default: 0,
      about: "Time constant of bristle damping: their force is that of bend + bristleTime d(bend)/dt, within μ N.",
    },
    seenFrom: {
      type: "frame",
      optional: true,
      about: "Frame in whose axes, and about whose origin, the sum of all forces is recorded; the world if not given.",
    },
    startDepth: {
      type: "number",
      unit: "m",
      least: 0,
      default: 0,
      about: "Depth that is allowed at the start of a scenario, for shapes that start at rest on others.",
    },
  },
  examples: [
    {
      shapes: [{ kind: "sphere", on: "hand", at: [0.1, 0, 0], radius: 0.05 }],
      against: [{ kind: "plane", on: "hull", at: [0.5, 0, 0], axis: "x" }],
      stiffness: 1e4,
      damping: 0.5,
      friction: 0.4,
    },
    {
      shapes: [
        { kind: "capsule", on: "upper", to: [0.4, 0, 0], radius: 0.05 },
        { kind: "capsule", on: "boom", to: [0.3, 0, 0], radius: 0.04 },
        { kind: "capsule", on: "hand", to: [0.2, 0, 0], radius: 0.03 },
      ],
      law: "hertz",
      stiffness: 1e6,
      damping: 1,
      friction: 0.3,
      bristleBend: 1e-5,
      bristleTime: 0.01,
    },
    {
      shapes: [
        { kind: "box", on: "hand", size: [0.2, 0.3, 0.4] },
        { kind: "cylinder", on: "boom", at: [0.1, 0, 0], axis: "x", radius: 0.2, length: 0.5 },
        {
          kind: "hull",
          on: "upper",
          points: [
            [0, 0, 0],
            [0.3, 0, 0],
            [0, 0.3, 0],
            [0, 0, 0.3],
          ],
        },
        { kind: "plane", at: [0, 0, -0.2] },
      ],
      apart: [{ these: "boom", those: "upper" }],
      law: "pressure",
      modulus: 1e5,
      damping: 1,
      friction: 0.3,
    },
    {
      shapes: [{ kind: "edge", on: "hand", at: [0.2, 0.5, 0], to: [0.4, 0.4, 0], heel: 0.02, copies: 3, around: "x" }],
      against: [{ kind: "rim", on: "dock", axis: "x", radius: 0.5, outer: 0.6 }],
      stiffness: 3e5,
      damping: 3,
      friction: 0.1,
      seenFrom: "dock",
    },
  ],
  element: (_name, values, note, model, { terrain }) => contactElement(values, note, model, terrain),
});

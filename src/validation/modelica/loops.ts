/** Models with closed loops. */
import { createForce } from "../../parts/force/forces.ts";
import type { NumericVec3 } from "../../spatial/vec3.ts";
import * as curves from "./curves.ts";
import type { ModelicaModel } from "./model.ts";
import { bodyBox, bodyCylinder, MODELICA_GRAVITY } from "./parts.ts";

const EXAMPLES = "Modelica.Mechanics.MultiBody.Examples";

/** The default section of a box is a twentieth of its length. */
const BOX: NumericVec3 = [0.7, 0, 0];
const LINE = [0.7, 1.2, 0] as const;
const LINE_LENGTH = Math.hypot(...LINE);
const alongLine = (distance: number): NumericVec3 => LINE.map((c) => (c * distance) / LINE_LENGTH) as unknown as NumericVec3;

const lineForce: ModelicaModel = {
  path: `${EXAMPLES}.Elementary.LineForceWithTwoMasses`,
  curve: curves.lineForceWithTwoMassesCurve,
  tolerance: 1e-4,
  description: {
    gravity: MODELICA_GRAVITY,
    bodies: [
      { name: "box", ...bodyBox(BOX, 0.7 / 20), hinge: { kind: "revolute", at: [0, 0.3, 0] } },
      { name: "lower", mass: 1, com: alongLine(0.2), inertia: "none", hinge: { kind: "revolute", at: [0, -0.9, 0] } },
      {
        name: "upper",
        parent: "lower",
        mass: 1,
        com: alongLine(-0.2),
        inertia: "none",
        hinge: { kind: "prismatic", axis: LINE, at: LINE },
      },
    ],
    loops: [
      { name: "pin", kind: "general", freedoms: ["z", "rx", "ry", "rz"], from: { body: "upper" }, to: { body: "box", at: BOX } },
    ],
  },
  forces: (model) => [createForce(model, { kind: "hinge-spring", name: "damper", hinge: "upper", damping: 3 })],
  variables: ["q.box", "u.box", "q.box", "u.box"],
};

const fourbar1: ModelicaModel = {
  path: `${EXAMPLES}.Loops.Fourbar1`,
  curve: curves.fourbar1Curve,
  tolerance: 2e-3,
  description: {
    gravity: MODELICA_GRAVITY,
    bodies: [
      { name: "b1", ...bodyCylinder([0, 0.5, 0.1], 0.05), hinge: { kind: "revolute", axis: "x" } },
      { name: "b2", ...bodyCylinder([0, 0.2, 0], 0.05), hinge: { kind: "prismatic", axis: "x", at: [1.2, 0, 0] } },
      { name: "cross", parent: "b2", mass: 0, inertia: "none", hinge: { kind: "revolute", axis: "y", at: [0, 0.2, 0] } },
      { name: "b3", parent: "cross", ...bodyCylinder([-1, 0.3, 0.1], 0.05), hinge: { kind: "revolute", axis: "z" } },
    ],
    loops: [
      { name: "joints", kind: "spherical", from: { body: "b1", at: [0, 0.5, 0.1] }, to: { body: "b3", at: [-1, 0.3, 0.1] } },
    ],
  },
  start: { "q.b2": -0.2, "u.b1": 300 * (Math.PI / 180) },
  variables: ["q.b1", "u.b1"],
};

const planarFourbar: ModelicaModel = {
  path: `${EXAMPLES}.Loops.PlanarFourbar`,
  curve: curves.planarFourbarCurve,
  tolerance: 4e-3,
  description: {
    gravity: MODELICA_GRAVITY,
    bodies: [
      { name: "body1", ...bodyBox([0.4, 0, 0], 0.05), hinge: { kind: "revolute" } },
      { name: "body2", parent: "body1", ...bodyBox([0.1, 1.1, 0], 0.05), hinge: { kind: "revolute", at: [0.4, 0, 0] } },
      { name: "body4", ...bodyBox([0.65, 0.1, 0], 0.05), hinge: { kind: "revolute", at: [-0.15, 1, 0] } },
    ],
    loops: [
      {
        ...{ name: "pin", kind: "general", freedoms: ["z", "rx", "ry", "rz"] },
        ...{ from: { body: "body4", at: [0.65, 0.1, 0] }, to: { body: "body2", at: [0.1, 1.1, 0] } },
      },
    ],
  },
  forces: (model) => [createForce(model, { kind: "hinge-spring", name: "damper", hinge: "body1", damping: 0.1 })],
  variables: ["q.body1", "u.body1"],
};

/** Bodies of the library have 0.001 kg m² about each axis unless they give their own. */
const SMALL = 0.001;

const jointSSR: ModelicaModel = {
  path: "ModelicaTest.MultiBody.FourbarVariants.JointSSR",
  curve: curves.jointSSRCurve,
  tolerance: 1e-5,
  description: {
    gravity: MODELICA_GRAVITY,
    bodies: [
      { name: "b2", ...bodyCylinder([0, 0.2, 0], 0.05), hinge: { kind: "prismatic", axis: "x", at: [1, 0, 0] } },
      // The rod between the two balls, with a point mass in its middle: without its free turn about itself.
      { name: "cross", parent: "b2", mass: 0, inertia: "none", hinge: { kind: "revolute", axis: "y", at: [0, 0.2, 0] } },
      {
        name: "rod1",
        parent: "cross",
        mass: 0.1,
        com: [-0.5, 0.15, 0.05],
        inertia: "none",
        hinge: { kind: "revolute", axis: "z" },
      },
      // Body1 in the middle of the rod and body2 at its end: 0.1 kg each.
      {
        ...{ name: "rod2", mass: 0.2, com: [0, 0.375, 0.075], hinge: { kind: "revolute", axis: "x" } },
        inertia: (() => {
          // Two points of 0.1 kg at ±(0, 0.125, 0.025) from the common centre.
          const [y, z, m] = [0.125, 0.025, 0.2];
          return [2 * SMALL + m * (y * y + z * z), 2 * SMALL + m * z * z, 2 * SMALL + m * y * y, 0, 0, -m * y * z];
        })(),
      },
    ],
    loops: [
      { name: "ball", kind: "spherical", from: { body: "rod2", at: [0, 0.5, 0.1] }, to: { body: "rod1", at: [-1, 0.3, 0.1] } },
    ],
  },
  forces: (model) => [createForce(model, { kind: "hinge-spring", name: "damper", hinge: "rod2", damping: 0.5 })],
  start: { "u.b2": -0.2 },
  variables: ["q.b2", "u.b2"],
};

export const MODELICA_LOOPS = [lineForce, fourbar1, planarFourbar, jointSSR];

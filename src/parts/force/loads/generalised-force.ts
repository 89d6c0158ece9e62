/** A constant force in freedoms of hinges. */

import { FREEDOM_UNITS } from "../../../declare/parameters.ts";
import { mul } from "../../../kernel/trace/scalar.ts";
import { forceKind } from "../kind.ts";

export const generalisedForce = forceKind({
  name: "generalised-force",
  about: "Constant torque about rotational freedoms and constant force along sliding freedoms of hinges.",
  acts: "between bodies",
  parameters: {
    hinge: { type: "freedoms", about: "Hinge, freedom of a hinge, or list of them." },
    force: {
      type: "numbers",
      unit: FREEDOM_UNITS.force,
      about: "Force on the body of the hinge; the opposite force acts on the parent.",
    },
  },
  examples: [
    { hinge: "elbow", force: 2 },
    { hinge: ["wrist", "slider"], force: [0.1, 0.2, 0.3, -4] },
  ],
  element: (_name, { hinge: freedoms, force }) => ({
    trace(s, out) {
      for (const [i, { hinge, speedInHinge }] of freedoms.entries()) {
        out.hinge(hinge, speedInHinge, force[i]!);
        out.supplied(mul(force[i]!, s.hinge(hinge).u[speedInHinge]!));
      }
    },
  }),
});

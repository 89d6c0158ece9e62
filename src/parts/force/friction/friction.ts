/** Coulomb, Stribeck and viscous friction in one freedom. Sticking of the dry part is a constraint of the simulation. */

import { FREEDOM_UNITS } from "../../../declare/parameters.ts";
import { mul, neg, square } from "../../../kernel/trace/scalar.ts";
import { forceKind } from "../kind.ts";

export const friction = forceKind({
  name: "friction",
  about:
    "Dry and viscous friction in one freedom. At rest it holds up to `breakaway`; while slipping it is " +
    "coulomb + (breakaway - coulomb) / (1 + (u / stribeckSpeed)²), plus viscous u.",
  acts: "between bodies",
  parameters: {
    hinge: { type: "freedom", about: "Hinge, or freedom of a hinge." },
    coulomb: { type: "number", unit: FREEDOM_UNITS.force, least: 0, default: 0, about: "Dry friction at high slipping speed." },
    breakaway: {
      type: "number",
      unit: FREEDOM_UNITS.force,
      least: 0,
      optional: true,
      about: "Largest friction at rest; coulomb if not given.",
    },
    stribeckSpeed: {
      type: "number",
      unit: FREEDOM_UNITS.speed,
      least: 0,
      default: 0.01,
      about: "Speed at which dry friction is halfway between breakaway and coulomb; with 0 it drops at once.",
    },
    viscous: { type: "number", unit: FREEDOM_UNITS.damping, least: 0, default: 0, about: "Coefficient of viscous friction." },
  },
  examples: [
    { hinge: "elbow", coulomb: 0.5, breakaway: 0.8, stribeckSpeed: 0.02, viscous: 0.1 },
    { hinge: "slider", coulomb: 3 },
  ],
  element(_name, { hinge: { hinge, speedInHinge }, coulomb, breakaway = coulomb, stribeckSpeed, viscous }, note) {
    if (breakaway < coulomb) note("breakaway", `must be at least coulomb, ${coulomb}`);
    const dry = {
      hinge,
      part: speedInHinge,
      breakaway,
      slipForce: (speed: number) => {
        const s = speed / stribeckSpeed;
        return stribeckSpeed === 0 ? coulomb : coulomb + (breakaway - coulomb) / (1 + s * s);
      },
    };
    return {
      ...(breakaway > 0 && { friction: [dry] }),
      ...(viscous > 0 && {
        trace(s, out) {
          const u = s.hinge(hinge).u[speedInHinge]!;
          out.hinge(hinge, speedInHinge, neg(mul(viscous, u)));
          out.dissipated(mul(viscous, square(u)));
        },
      }),
    };
  },
});

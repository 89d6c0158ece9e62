/** Hinge stops with the contact law of Hunt and Crossley: they push back, dissipate energy, and never pull. */

import { FREEDOM_UNITS } from "../../../declare/parameters.ts";
import { unitForFreedom } from "../../../declare/parse-parameters.ts";
import { add, max, mul, type Scalar, square, sub } from "../../../kernel/trace/scalar.ts";
import type { ElementEvent } from "../../../sim/system/force-element.ts";
import { forceKind } from "../kind.ts";

export const hingeStop = forceKind({
  name: "stop",
  about:
    "Stops of one freedom at `lower` and `upper`. At depth d beyond a stop the force is stiffness d (1 + damping ḋ) inwards, " +
    "never outwards [Hunt and Crossley 1975].",
  acts: "between bodies",
  parameters: {
    hinge: { type: "freedom", needs: "coordinate", about: "Hinge, or freedom of a hinge." },
    lower: { type: "number", unit: FREEDOM_UNITS.coordinate, optional: true, about: "Lower limit; none if not given." },
    upper: { type: "number", unit: FREEDOM_UNITS.coordinate, optional: true, about: "Upper limit; none if not given." },
    stiffness: { type: "number", unit: FREEDOM_UNITS.stiffness, above: 0, about: "Stiffness of the stop." },
    damping: {
      type: "number",
      unit: FREEDOM_UNITS.perSpeed,
      least: 0,
      default: 0,
      about:
        "Relative increase of the force per unit of speed towards the stop; 1.5 (1 - restitution) / impact speed is a reasonable value.",
    },
  },
  examples: [
    { hinge: "elbow", lower: -0.4, upper: 0.5, stiffness: 2000, damping: 0.6 },
    { hinge: "slider", upper: 0.1, stiffness: 1e4, damping: 3 },
    { hinge: "shoulder", lower: 0, stiffness: 500 },
  ],
  element(_name, { hinge: freedom, lower, upper, stiffness, damping }, note) {
    if (lower === undefined && upper === undefined) note("upper", "a stop needs at least one limit", "Give lower, upper or both");
    if (lower !== undefined && upper !== undefined && lower >= upper) note("upper", `must be above lower, ${lower}`);
    const { hinge, speedInHinge, coordinateInHinge, q } = freedom;
    // Each side measures the coordinate outwards: q beyond upper, -q beyond -lower.
    const sides = [
      ...(lower === undefined ? [] : [{ name: "lower", outward: -1, limit: lower }]),
      ...(upper === undefined ? [] : [{ name: "upper", outward: 1, limit: upper }]),
    ];
    return {
      events: sides.map(({ name, outward, limit }): ElementEvent => {
        // At the limit itself the stop does not push: it counts as free.
        return { name, value: (s) => outward * (s.q[q!]! - limit) || -Number.MIN_VALUE };
      }),
      trace(s, out) {
        const motion = s.hinge(hinge);
        let total: Scalar = 0;
        for (const { outward, limit } of sides) {
          const depth = max(0, mul(outward, sub(motion.q[coordinateInHinge!]!, limit)));
          const approach = mul(outward, motion.u[speedInHinge]!); // ḋ
          const elastic = mul(stiffness, depth);
          const force = mul(elastic, max(0, add(1, mul(damping, approach))));
          out.potential(mul(stiffness / 2, square(depth)));
          // The power ḋ (force - elastic) ≥ 0 is dissipated, also while the stop is released.
          out.dissipated(mul(approach, sub(force, elastic)));
          total = sub(total, mul(outward, force));
        }
        out.hinge(hinge, speedInHinge, total);
        out.channel("force", unitForFreedom(FREEDOM_UNITS.force, freedom), total);
      },
    };
  },
});

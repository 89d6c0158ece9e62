/** Gravity gradient on a machine in orbit: gravity relative to that at the world's origin. */

import { mul, type Scalar, sub, sum } from "../../../kernel/trace/scalar.ts";
import type { TracedBody } from "../../../sim/system/force-element.ts";
import { apply } from "../../../spatial/rotation.ts";
import { cross, dot, plus, scale, type Vec3 } from "../../../spatial/vec3.ts";
import { forceKind } from "../kind.ts";
import { EARTH_RADIUS } from "./earth.ts";
import { type Attraction, gradientOnBody, gravityNear } from "./gravity-field.ts";
import { keplerOrbit, ORBIT_PARAMETERS } from "./kepler-orbit.ts";

export const gravityGradient = forceKind({
  name: "gravity-gradient",
  about:
    "The world has inertial axes, and its origin follows a Kepler orbit. With o the direction from the attracting body to the origin and " +
    "R the distance, the force -mu m / R³ (r - 3 (r·o) o) acts on each body at its mass centre r, and the torque 3 mu / R³ o × (I o). " +
    "With `exact` the force is the full difference of gravity at r and at the origin. Its power counts as supplied.",
  acts: "from outside",
  parameters: {
    ...ORBIT_PARAMETERS,
    exact: {
      type: "boolean",
      default: false,
      about: "Full difference of gravity, instead of the first order in the distance from the origin.",
    },
  },
  examples: [
    { semiMajorAxis: 7e6 },
    {
      semiMajorAxis: 2.4e7,
      eccentricity: 0.6,
      inclination: 0.9,
      ascendingNode: 0.4,
      argumentOfPerigee: -1.1,
      trueAnomaly: 2,
    },
    { semiMajorAxis: 6.8e6, exact: true },
  ],
  element(_name, values, _note, model) {
    const orbit = keplerOrbit(values);
    const massive = model.bodies.filter((b) => b.mass > 0).map((b) => b.name);
    return {
      frames: massive,
      z0: [values.trueAnomaly],
      sky: { earth: { radius: EARTH_RADIUS, originAt: orbit.positionAt } },
      needsWorldOrigin: "it prescribes the orbit of the world's origin. Use point-gravity: the orbit is that of the mass centre",
      trace(s, out) {
        const anomaly = s.z[0]!;
        const shape = orbit.shape(anomaly);
        out.rate(0, orbit.anomalyRate(shape));
        const o = orbit.direction(anomaly);
        const origin = scale(orbit.radius(shape), o);
        const strength = orbit.gradient(shape);
        const power: Scalar[] = [];
        const load = (body: TracedBody): Pick<Attraction, "force" | "torque"> => {
          const { mass, centre, inertia } = body;
          if (!values.exact)
            return {
              force: scale(mul(mass, strength), tidalVector(centre, o)),
              torque: scale(mul(3, strength), cross(o, apply(inertia, o))),
            };
          const { difference } = gravityNear({ mu: values.mu, j2: 0, radius: 1 }, origin, centre);
          const { force, torque } = gradientOnBody(body, plus(origin, centre), values.mu);
          return { force: plus(scale(mass, difference), force), torque };
        };
        for (const body of s.bodies().filter((b) => massive.includes(b.name))) {
          const { name, toCentre } = body;
          const { v, w } = s.frame(name);
          const { force, torque } = load(body);
          out.wrench(name, plus(torque, cross(toCentre, force)), force);
          power.push(dot(force, plus(v, cross(w, toCentre))), dot(torque, w));
        }
        out.supplied(sum(power));
        out.channel("true-anomaly", "rad", anomaly);
        out.channel("radius", "m", orbit.radius(shape));
      },
    };
  },
});

/** 3 (r·o) o - r */
const tidalVector = (r: Vec3, o: Vec3): Vec3 => {
  const along = mul(3, dot(r, o));
  return [sub(mul(along, o[0]), r[0]), sub(mul(along, o[1]), r[1]), sub(mul(along, o[2]), r[2])];
};

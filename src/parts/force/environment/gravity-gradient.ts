/** Gravity gradient on a machine in orbit: gravity relative to that at the world's origin, to first order. */

import { add, cos, div, mul, type Scalar, sin, square, sub, sum } from "../../../kernel/trace/scalar.ts";
import { cube } from "../../../math/elementary/power.ts";
import { apply, compose, type Mat3, rotationAboutAxis } from "../../../spatial/rotation.ts";
import { cross, dot, minus, plus, scale, UNIT_VECTORS, type Vec3 } from "../../../spatial/vec3.ts";
import { forceKind } from "../kind.ts";

/** Gravitational parameter of the Earth, m³/s² [IERS Conventions 2010]. */
const EARTH_MU = 3.986004418e14;

export const gravityGradient = forceKind({
  name: "gravity-gradient",
  about:
    "The world has inertial axes, and its origin follows a Kepler orbit. With o the direction from the attracting body to the origin and " +
    "R the distance, the force -mu m / R³ (r - 3 (r·o) o) acts on each body at its mass centre r, and the torque 3 mu / R³ o × (I o). " +
    "Its power counts as supplied.",
  acts: "from outside",
  parameters: {
    semiMajorAxis: { type: "number", unit: "m", above: 0, about: "Semi-major axis of the orbit." },
    eccentricity: { type: "number", unit: "", least: 0, most: 0.99, default: 0, about: "Eccentricity; 0 is a circle." },
    inclination: { type: "number", unit: "rad", default: 0, about: "Angle between the orbit and the xy plane of the world." },
    ascendingNode: { type: "number", unit: "rad", default: 0, about: "Angle from x to the ascending node." },
    argumentOfPerigee: { type: "number", unit: "rad", default: 0, about: "Angle from the node to the perigee." },
    trueAnomaly: { type: "number", unit: "rad", default: 0, about: "Angle from the perigee at the start." },
    mu: {
      type: "number",
      unit: "m^3/s^2",
      above: 0,
      default: EARTH_MU,
      about: "Gravitational parameter; the Earth's if not given.",
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
  ],
  element(_name, { semiMajorAxis, eccentricity, inclination, ascendingNode, argumentOfPerigee, trueAnomaly, mu }, _note, model) {
    const parameter = semiMajorAxis * (1 - eccentricity * eccentricity); // p, R = p / (1 + e cos ν)
    const R_WO = [
      rotationAboutAxis(UNIT_VECTORS[2], ascendingNode),
      rotationAboutAxis(UNIT_VECTORS[0], inclination),
      rotationAboutAxis(UNIT_VECTORS[2], argumentOfPerigee),
    ];
    const perifocal = R_WO.reduce((A, B) => compose(A, B)) as Mat3<number>;
    const massive = model.bodies.filter((b) => b.mass > 0).map((b) => b.name);
    return {
      frames: massive,
      z0: [trueAnomaly],
      trace(s, out) {
        const anomaly = s.z[0]!;
        const shape = add(1, mul(eccentricity, cos(anomaly)));
        out.rate(0, mul(Math.sqrt(mu / cube(parameter)), square(shape)));
        const o = apply(perifocal, [cos(anomaly), sin(anomaly), 0]);
        const strength = mul(mu / cube(parameter), mul(shape, square(shape))); // mu / R³
        const power: Scalar[] = [];
        for (const { name, mass, centre, inertia } of s.bodies().filter((b) => massive.includes(b.name))) {
          const { p, v, w } = s.frame(name);
          const toCentre = minus(centre, p);
          const force = scale(mul(mass, strength), tidalVector(centre, o));
          const torque = scale(mul(3, strength), cross(o, apply(inertia, o)));
          out.wrench(name, plus(torque, cross(toCentre, force)), force);
          power.push(dot(force, plus(v, cross(w, toCentre))), dot(torque, w));
        }
        out.supplied(sum(power));
        out.channel("true-anomaly", "rad", anomaly);
        out.channel("radius", "m", div(parameter, shape));
      },
    };
  },
});

/** 3 (r·o) o - r */
const tidalVector = (r: Vec3, o: Vec3): Vec3 => {
  const along = mul(3, dot(r, o));
  return [sub(mul(along, o[0]), r[0]), sub(mul(along, o[1]), r[1]), sub(mul(along, o[2]), r[2])];
};

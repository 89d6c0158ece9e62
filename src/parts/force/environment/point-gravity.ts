/** Gravity of the Earth on every body: point mass and oblateness J2, so that orbits are part of the motion. */

import { add, div, mul, type Scalar, sqrt, square, sub, sum } from "../../../kernel/trace/scalar.ts";
import type { TracedBody } from "../../../sim/system/force-element.ts";
import { cross, dot, minus, negate, plus, scale, sumVectors, UNIT_VECTORS, type Vec3, ZERO3 } from "../../../spatial/vec3.ts";
import { forceKind } from "../kind.ts";
import { EARTH_J2, EARTH_MU, EARTH_RADIUS } from "./earth.ts";
import { earthPosition } from "./earth-position.ts";
import { type Attraction, type GravityField, gradientOnBody, gravityNear } from "./gravity-field.ts";

export const pointGravity = forceKind({
  name: "point-gravity",
  about:
    "Gravity of the Earth on every body, so that its orbit is simulated. With r from the Earth's centre to the mass centre of a body, " +
    "o = r / |r| and s = o·z, the potential is -mu m / r [1 - j2 (radius / r)² (3 s² - 1) / 2], and with `gradient` also " +
    "-mu / (2 r³) (tr I - 3 o·I o) of the body's inertia I, whose torque is 3 mu / r³ o × (I o). The axes of the world are inertial, z is " +
    "the Earth's axis. The semi-major axis and the eccentricity of the channels are those of the Kepler orbit through the state of the " +
    "common mass centre.",
  acts: "from outside",
  parameters: {
    mu: {
      type: "number",
      unit: "m^3/s^2",
      above: 0,
      default: EARTH_MU,
      about: "Gravitational parameter; the Earth's if not given.",
    },
    j2: { type: "number", unit: "", default: EARTH_J2, about: "Oblateness; the Earth's if not given, 0 for a point mass." },
    radius: { type: "number", unit: "m", above: 0, default: EARTH_RADIUS, about: "Equatorial radius that belongs to `j2`." },
    gradient: {
      type: "boolean",
      default: true,
      about: "Include the gravity gradient over each body: its torque, and its force on the mass centre.",
    },
    centre: { type: "vector", unit: "m", default: [0, 0, 0], about: "Centre of the Earth in the world." },
  },
  examples: [
    { centre: [-6.7e6, 3e5, -1e6] },
    { mu: 4.9e12, j2: 2e-4, radius: 1.738e6, gradient: false, centre: [0, 1e6, 1.8e6] },
  ],
  element(_name, { mu, j2, radius, gradient, centre: earthCentre }, note, model) {
    const massive = model.bodies.filter((b) => b.mass > 0).map((b) => b.name);
    if (massive.length === 0) note("", "no body of the model has a mass");
    const earth = earthPosition({ centre: earthCentre, orbit: undefined }, note);
    const field = { mu, j2, radius };
    /** Attraction of a body at r from the Earth's centre, without the field that an origin falls in. */
    const attraction = (body: TracedBody, r: Vec3, origin: Vec3 | undefined): Attraction => {
      const pull = origin ? differentialPull(body, origin, field) : pointMassWithJ2(body, r, field);
      return gradient ? sumOfAttractions(pull, gradientOnBody(body, r, mu)) : pull;
    };
    return {
      frames: massive,
      sky: { earth: { ...earth.sky, radius } },
      startProblems: earth.startProblems(massive, radius),
      trace(s, out) {
        const [potentials, powers, masses]: [Scalar[], Scalar[], Scalar[]] = [[], [], []];
        const [moments, momenta]: [Vec3[], Vec3[]] = [[], []];
        const origin = s.origin && minus(s.origin.position, earthCentre);
        const fromEarth = (p: Vec3): Vec3 => (origin ? plus(origin, p) : minus(p, earthCentre));
        for (const body of s.bodies().filter((b) => massive.includes(b.name))) {
          const { v, w } = s.frame(body.name);
          const { toCentre } = body;
          const velocity = plus(v, cross(w, toCentre));
          const { force, torque, potential } = attraction(body, fromEarth(body.centre), origin);
          out.wrench(body.name, plus(torque, cross(toCentre, force)), force);
          potentials.push(potential);
          powers.push(dot(force, velocity), dot(torque, w));
          masses.push(body.mass);
          moments.push(scale(body.mass, body.centre));
          momenta.push(scale(body.mass, velocity));
        }
        // The potential of a field that changes with the place of the origin is not stored energy.
        if (origin) {
          out.fall(gravityNear(field, origin, ZERO3).acceleration);
          out.supplied(sum(powers));
        } else out.potential(sum(potentials));
        const perMass = div(1, sum(masses));
        const r = fromEarth(scale(perMass, sumVectors(moments)));
        const v = plus(s.origin?.velocity ?? ZERO3, scale(perMass, sumVectors(momenta)));
        const distance = sqrt(dot(r, r));
        out.channel("radius", "m", distance);
        out.channel("semi-major-axis", "m", div(1, sub(div(2, distance), div(dot(v, v), mu))));
        // Laplace-Runge-Lenz vector: e = v × (r × v) / mu - r / |r|
        const e = minus(scale(1 / mu, cross(v, cross(r, v))), scale(div(1, distance), r));
        out.channel("eccentricity", "", sqrt(dot(e, e)));
      },
    };
  },
});

const sumOfAttractions = (a: Attraction, b: Attraction): Attraction => ({
  force: plus(a.force, b.force),
  torque: plus(a.torque, b.torque),
  potential: add(a.potential, b.potential),
});

/** m (g(r) - g(origin)) on a body in mass-centre coordinates. Its potential is not used. */
function differentialPull({ mass, centre }: TracedBody, origin: Vec3, field: GravityField): Attraction {
  return { force: scale(mass, gravityNear(field, origin, centre).difference), torque: ZERO3, potential: 0 };
}

/** F = -mu m / r² [o + (3/2) j2 (a / r)² ((1 - 5 s²) o + 2 s z)] */
function pointMassWithJ2({ mass }: TracedBody, r: Vec3, { mu, j2, radius }: GravityField): Attraction {
  const squared = dot(r, r);
  const distance = sqrt(squared);
  const o = scale(div(1, distance), r);
  const sine = o[2];
  const oblateness = div(j2 * radius * radius, squared);
  const alongR = add(1, mul(mul(1.5, oblateness), sub(1, mul(5, square(sine)))));
  const pull = plus(scale(alongR, o), scale(mul(mul(3, oblateness), sine), UNIT_VECTORS[2]));
  const weight = mul(mu, mass);
  return {
    force: negate(scale(div(weight, squared), pull)),
    torque: ZERO3,
    potential: mul(div(weight, distance), sub(mul(mul(0.5, oblateness), sub(mul(3, square(sine)), 1)), 1)),
  };
}

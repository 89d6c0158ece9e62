/** A Kepler orbit in the axes of the world: its parameters, and position and velocity at a true anomaly. */

import type { Parameters, ParameterValues } from "../../../declare/parameters.ts";
import { add, cos, div, mul, type Scalar, sin, square } from "../../../kernel/trace/scalar.ts";
import { arctangent } from "../../../math/elementary/arctangent.ts";
import { cube } from "../../../math/elementary/power.ts";
import { cosine, sine } from "../../../math/elementary/sincos.ts";
import { apply, compose, type Mat3, rotationAboutAxis } from "../../../spatial/rotation.ts";
import { scale, UNIT_VECTORS, type Vec3 } from "../../../spatial/vec3.ts";
import { EARTH_MU } from "./earth.ts";

export const ORBIT_PARAMETERS = {
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
} as const satisfies Parameters;

export interface KeplerOrbit {
  /** 1 + e cos ν = p / R */
  shape(anomaly: Scalar): Scalar;
  /** ν̇ = √(mu / p³) (1 + e cos ν)² */
  anomalyRate(shape: Scalar): Scalar;
  /** R = p / (1 + e cos ν) */
  radius(shape: Scalar): Scalar;
  /** mu / R³ */
  gradient(shape: Scalar): Scalar;
  /** Unit vector from the attracting body. */
  direction(anomaly: Scalar): Vec3;
  /** Position at a time after the start, m, for pictures: the orbit is a closed form of time. */
  positionAt(t: number): Vec3<number>;
  /** √(mu / p) (-sin ν, e + cos ν, 0) in perifocal axes. */
  velocity(anomaly: Scalar): Vec3;
}

/** Newton steps for Kepler's equation, enough for pictures at every eccentricity. */
const KEPLER_STEPS = 20;

export function keplerOrbit(values: ParameterValues<typeof ORBIT_PARAMETERS>): KeplerOrbit {
  const { semiMajorAxis, eccentricity, inclination, ascendingNode, argumentOfPerigee, mu } = values;
  const parameter = semiMajorAxis * (1 - eccentricity * eccentricity);
  const R_WO = [
    rotationAboutAxis(UNIT_VECTORS[2], ascendingNode),
    rotationAboutAxis(UNIT_VECTORS[0], inclination),
    rotationAboutAxis(UNIT_VECTORS[2], argumentOfPerigee),
  ];
  const perifocal = R_WO.reduce((A, B) => compose(A, B)) as Mat3<number>;
  const meanMotion = Math.sqrt(mu / cube(semiMajorAxis));
  const root = Math.sqrt((1 - eccentricity) / (1 + eccentricity));
  /** E - e sin E at the start, with tan(E / 2) = √((1 - e) / (1 + e)) tan(ν / 2). */
  const startEccentric = 2 * arctangent(root * sine(values.trueAnomaly / 2), cosine(values.trueAnomaly / 2));
  const startMean = startEccentric - eccentricity * sine(startEccentric);
  return {
    positionAt(t) {
      const mean = startMean + meanMotion * t;
      let E = mean;
      for (let k = 0; k < KEPLER_STEPS; k++) E -= (E - eccentricity * sine(E) - mean) / (1 - eccentricity * cosine(E));
      const [x, y] = [
        semiMajorAxis * (cosine(E) - eccentricity),
        semiMajorAxis * Math.sqrt(1 - eccentricity * eccentricity) * sine(E),
      ];
      return apply(perifocal, [x, y, 0]) as Vec3<number>;
    },
    shape: (anomaly) => add(1, mul(eccentricity, cos(anomaly))),
    anomalyRate: (shape) => mul(Math.sqrt(mu / cube(parameter)), square(shape)),
    radius: (shape) => div(parameter, shape),
    gradient: (shape) => mul(mu / cube(parameter), mul(shape, square(shape))),
    direction: (anomaly) => apply(perifocal, [cos(anomaly), sin(anomaly), 0]),
    velocity: (anomaly) =>
      scale(Math.sqrt(mu / parameter), apply(perifocal, [mul(-1, sin(anomaly)), add(eccentricity, cos(anomaly)), 0])),
  };
}

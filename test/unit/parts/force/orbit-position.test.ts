/** The orbit as a function of time, for pictures, against the rate of the anomaly that the forces integrate. */
import { expect, test } from "vitest";
import { keplerOrbit } from "../../../../src/parts/force/environment/kepler-orbit.ts";

const ORBITS = [
  { eccentricity: 0, trueAnomaly: 0 },
  { eccentricity: 0.3, trueAnomaly: 1 },
  { eccentricity: 0.9, trueAnomaly: -2 },
];

test.each(ORBITS)(
  "$eccentricity: the position follows the anomaly, and repeats after a period",
  ({ eccentricity, trueAnomaly }) => {
    const mu = 3.986e14;
    const semiMajorAxis = 9e6;
    const orbit = keplerOrbit({
      semiMajorAxis,
      eccentricity,
      trueAnomaly,
      mu,
      inclination: 0.9,
      ascendingNode: 2,
      argumentOfPerigee: 0.4,
    });
    const rate = (anomaly: number): number => orbit.anomalyRate(orbit.shape(anomaly)) as number;
    const period = 2 * Math.PI * Math.sqrt(semiMajorAxis ** 3 / mu);
    const [steps, h] = [20_000, (0.7 * period) / 20_000];
    let anomaly = trueAnomaly;
    for (let k = 0; k < steps; k++) {
      const a = rate(anomaly);
      const b = rate(anomaly + (h * a) / 2);
      const c = rate(anomaly + (h * b) / 2);
      anomaly += (h * (a + 2 * b + 2 * c + rate(anomaly + h * c))) / 6;
    }
    const r = orbit.radius(orbit.shape(anomaly)) as number;
    const expected = (orbit.direction(anomaly) as readonly number[]).map((x) => r * x);
    for (const [k, x] of orbit.positionAt(0.7 * period).entries())
      expect(Math.abs(x - expected[k]!)).toBeLessThan(1e-6 * semiMajorAxis);
    for (const [k, x] of orbit.positionAt(period).entries())
      expect(Math.abs(x - orbit.positionAt(0)[k]!)).toBeLessThan(1e-6 * semiMajorAxis);
  },
);

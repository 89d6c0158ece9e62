/** Forces of soil on a wheel against the reference table, the regularised points, published numbers and measured wheels. */
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { SOILS, type Soil, soilProblems, soilWarnings } from "../../src/ground/soil.ts";
import { forcesAtSlip, sinkageUnder, steadyPull } from "../../src/ground/wheel-bench.ts";
import { WheelOnSoil } from "../../src/ground/wheel-soil.ts";

const load = (name: string) => JSON.parse(readFileSync(new URL(`../data/${name}`, import.meta.url), "utf8"));
const reference = load("rover.json");
const WHEEL = { radius: 0.09, width: 0.11 };
const LUNAR: Soil = SOILS["lunar-simulant"];
const DEGREE = Math.PI / 180;
const { W, rows } = reference.wheel_table as {
  W: number;
  rows: readonly { beta_deg: number; s: number; h: number; Fx: number; Fy_abs: number; T: number; Fz: number }[];
};

describe("soil under a wheel", () => {
  it("the table of single-wheel forces within 1e-6 N", () => {
    const wheel = new WheelOnSoil(LUNAR, WHEEL, 9.80665);
    for (const row of rows) {
      const h = sinkageUnder(W, wheel, WHEEL, row.s, row.beta_deg * DEGREE);
      expect(Math.abs(h - row.h)).toBeLessThan(1e-12);
      const { fx, fy, fz, torque } = forcesAtSlip(wheel, row.h, row.s, row.beta_deg * DEGREE);
      for (const [got, wanted] of [
        [fx, row.Fx],
        [-fy, row.Fy_abs],
        [fz, row.Fz],
        [torque, row.T],
      ] as const)
        expect(Math.abs(got - wanted), JSON.stringify(row)).toBeLessThan(1e-6);
    }
    expect(rows.length).toBe(84);
  });

  it("low speed, braking, reverse and standstill within 1e-6 N", () => {
    const { g, rows: points } = reference.wheel_regularised_points;
    const wheel = new WheelOnSoil(LUNAR, WHEEL, g);
    for (const p of points) {
      const { fx, fy, fz, torque, mx, mz, slip, beta } = wheel.evaluate(p.h, 0, p.vx, p.vy, p.r_omega);
      const got = [fx, fy, fz, torque, mx, mz, slip, beta];
      const wanted = [p.Fx, p.Fy, p.Fz, p.T, p.Mx, p.Mz, p.s, p.beta];
      for (const [i, value] of wanted.entries())
        expect(Math.abs(got[i]! - value), `${i} of ${JSON.stringify(p)}`).toBeLessThan(1e-6);
    }
  });

  it.each(["1.0", "0.8", "1.4"])("the quadrature is converged for sinkage exponent %s", (n) => {
    const { adaptive } = reference.quadrature_convergence.by_sinkage_exponent[n];
    const wheel = new WheelOnSoil({ ...LUNAR, exponent: Number(n) }, WHEEL, 9.80665);
    const { fx, fy, fz, torque } = forcesAtSlip(wheel, 0.015, 0.3, 15 * DEGREE);
    for (const [got, wanted] of [
      [fx, adaptive.Fx],
      [-fy, adaptive.Fy],
      [fz, adaptive.Fz],
      [torque, adaptive.T],
    ])
      expect(Math.abs(got - wanted)).toBeLessThan(1e-9);
  });

  describe("measured paddled wheel", () => {
    const { data } = load("wheel-soil-measurements.json").wheelB_2005;
    const rmsOf = (errors: readonly number[]): number => Math.sqrt(errors.reduce((sum, e) => sum + e * e, 0) / errors.length);
    const errorsOf = (force: "Fx" | "Fy", grouser: number, most: number): number[] => {
      const wheel = new WheelOnSoil(LUNAR, { ...WHEEL, grouser }, 9.80665);
      return [4, 8, 12, 16].flatMap((beta) =>
        (data[`${force}_beta${beta}`] as readonly (readonly [number, number])[])
          .filter(([s]) => s <= most)
          .map(([s, measured]) => {
            const h = sinkageUnder(64.68, wheel, WHEEL, s, beta * DEGREE);
            const { fx, fy } = forcesAtSlip(wheel, h, s, beta * DEGREE);
            return (force === "Fx" ? fx : -fy) - measured;
          }),
      );
    };

    it.each([0, 0.01])("up to slip 0.6, with nothing fitted, paddles of %s m: rms 2.7 N along, 2.1 N across", (grouser) => {
      expect(errorsOf("Fx", grouser, 0.6).length).toBe(53);
      expect(rmsOf(errorsOf("Fx", grouser, 0.6))).toBeLessThan(2.7);
      expect(rmsOf(errorsOf("Fy", grouser, 0.6))).toBeLessThan(2.1);
    });

    it("at any slip paddles that dig bring the force along from 6.8 N to below 3 N, for any height of 7 to 12 mm below 4 N", () => {
      expect(errorsOf("Fx", 0, 1).length).toBe(82);
      expect(rmsOf(errorsOf("Fx", 0, 1))).toBeGreaterThan(6.5);
      expect(rmsOf(errorsOf("Fx", 0.01, 1))).toBeLessThan(3);
      expect(rmsOf(errorsOf("Fy", 0.01, 1))).toBeLessThan(2.1);
      for (const grouser of [0.007, 0.012]) expect(rmsOf(errorsOf("Fx", grouser, 1))).toBeLessThan(4);
    });

    it("paddles that dig sink as measured within 5 mm rms; without them 14 mm", () => {
      const sinkage = (grouser: number): number => {
        const wheel = new WheelOnSoil(LUNAR, { ...WHEEL, grouser }, 9.80665);
        const at = (s: number): number => sinkageUnder(64.68, wheel, WHEEL, s, 0);
        // The measurement counts from the wheel at rest.
        return rmsOf((data.Zmm_beta0 as readonly (readonly [number, number])[]).map(([s, mm]) => at(s) - at(0) - mm / 1000));
      };
      expect(sinkage(0.01)).toBeLessThan(0.005);
      expect(sinkage(0)).toBeGreaterThan(0.014);
    });
  });

  it("digging comes to rest where as much is filled as is dug, and stops at the wheel's radius", () => {
    const wheel = new WheelOnSoil(LUNAR, { ...WHEEL, grouser: 0.01 }, 9.80665);
    for (const s of [0.05, 0.3, 0.7, 0.9, 0.97]) {
      const dug = wheel.steadyDiggingDepth(s);
      expect(Math.abs(wheel.diggingRate(0.2, 0.05 * (1 - s), 0.05, dug))).toBeLessThan(1e-15);
      if (s < 0.85) expect(dug).toBeCloseTo((0.01 * s) / (1 - s), 15);
      expect(wheel.diggingRate(0.2, 0.05 * (1 - s), 0.05, 0.9 * dug)).toBeGreaterThan(0);
    }
    expect(wheel.steadyDiggingDepth(1)).toBe(0.09);
    expect(wheel.steadyDiggingDepth(-0.5)).toBe(0);
    expect(wheel.diggingRate(0.2, -0.05, -0.02, 0)).toBe(0);
    expect(wheel.diggingRate(0.2, -0.02, -0.05, 0)).toBeGreaterThan(0);
  });

  it("Mizukami's free rolling wheel: slip 0.29 within 0.005, sinkage 0.0238 m within 0.0002 m", () => {
    const { slip, sinkage } = steadyPull(6.5 * 9.81, { ...LUNAR, kx0: 0.025, rear: 0 }, { radius: 0.1, width: 0.1 }, 9.81);
    expect(Math.abs(slip - 0.29)).toBeLessThan(0.005);
    expect(Math.abs(sinkage - 0.0238)).toBeLessThan(0.0002);
    const { computed } = reference.published_checks.mizukami2012;
    expect(slip).toBeCloseTo(computed.slip, 11);
    expect(sinkage).toBeCloseTo(computed.h, 12);
  });

  it("no forces above the ground, finite forces at any depth", () => {
    const wheel = new WheelOnSoil(SOILS["mars-analogue"], WHEEL, 3.71);
    expect(wheel.evaluate(-0.01, -1, 0.05, 0.01, 0.06)).toMatchObject({ fx: 0, fy: 0, fz: 0, torque: 0, mx: 0, mz: 0 });
    for (const h of [1e-300, 1e-9, 0.05, 0.09, 0.2, 10])
      for (const v of [-1, 0, 1e-12, 3]) {
        const forces = wheel.evaluate(h, 0.01, v, -v, 0.3);
        for (const value of Object.values(forces)) expect(Number.isFinite(value)).toBe(true);
      }
  });

  it("says which soil cannot be, and which looks like a slip of units", () => {
    for (const soil of Object.values(SOILS)) {
      expect(soilProblems(soil)).toEqual([]);
      expect(soilWarnings(soil)).toEqual([]);
    }
    expect(soilProblems({ ...LUNAR, friction: 37.2 })[0]).toMatchObject({ parameter: "friction" });
    expect(soilProblems({ ...LUNAR, exponent: 0, kphi: -1 }).map((p) => p.parameter)).toEqual(["kphi", "exponent"]);
    expect(soilWarnings({ ...LUNAR, cohesion: 0.8 })[0]?.advice).toMatch("800");
  });
});

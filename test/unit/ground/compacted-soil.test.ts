/** Loads of wheels on compacted soil for every sinkage exponent: closed law, continuity, and comparison with fresh soil. */
import { describe, expect, it } from "vitest";
import { RutField } from "../../../src/ground/ruts.ts";
import { SOILS, type Soil } from "../../../src/ground/soil.ts";
import { forcesAtSlip } from "../../../src/ground/wheel-bench.ts";
import { WheelOnSoil } from "../../../src/ground/wheel-soil.ts";
import { uniform } from "../../fixtures/models/random-model.ts";

const SHAPE = { radius: 0.09, width: 0.11 };
const PRESETS: readonly (readonly [string, Soil])[] = Object.entries(SOILS);
/** Exponents that no preset has. */
const OTHER_EXPONENTS = [0.3, 0.5, 0.8, 1.7, 2, 2.5].map(
  (exponent) => [`exponent ${exponent}`, { ...SOILS["dry-sand"], exponent }] as const,
);
const ALL_SOILS = [...PRESETS, ...OTHER_EXPONENTS];
/** States of each preset: 10,000 together. */
const STATES = 2500;
const forceNames = ["fx", "fy", "fz", "torque", "mx", "mz"] as const;

const wheelOn = (soil: Soil): WheelOnSoil => new WheelOnSoil(soil, SHAPE, 9.81);

/** The law of repetitive loading, written independently: pressure at a depth z below the undisturbed ground after the depth zu. */
function compactedPressure({ kc, kphi, exponent: n, reload }: Soil, zu: number) {
  const K = kc / SHAPE.width + kphi;
  const pu = K * zu ** n;
  const ku = Math.max(reload * zu, (Math.max(1, n) * pu) / zu);
  const rut = zu - pu / ku;
  const pressure = (z: number): number => (z >= zu ? K * z ** n : Math.max(ku * (z - rut), K * Math.max(0, z - rut) ** n));
  return { rut, ku, pressure };
}

describe.each(ALL_SOILS)("compacted soil: %s", (_, soil) => {
  const wheel = wheelOn(soil);

  it("carries a standing wheel with the sum of the pressures of the law", () => {
    for (const zu of [3e-6, 8e-5, 1e-3, 0.012, 0.03]) {
      const { rut, pressure } = compactedPressure(soil, zu);
      expect(Math.abs(wheel.rutDepth(zu) - rut)).toBeLessThan(1e-15);
      for (const h of [rut + 0.3 * (zu - rut), zu, zu + 1e-4, 1.3 * zu, zu + 0.012]) {
        const half = Math.acos(1 - (h - rut) / SHAPE.radius);
        // Substitution θ = half (1 - s³) makes the ends smooth enough for the midpoint rule.
        const N = 20_000;
        let sum = 0;
        for (let k = 0; k < N; k++) {
          const s = (k + 0.5) / N;
          const theta = half * (1 - s ** 3);
          const z = rut + SHAPE.radius * (Math.cos(theta) - Math.cos(half));
          sum += (pressure(z) * Math.cos(theta) * half * 3 * s * s) / N;
        }
        const carried = 2 * sum * SHAPE.radius * SHAPE.width;
        // The sinkage is rounded to 1e-18 m; at 1e-11 m in the rut this matters.
        const error = Math.abs(wheel.evaluate(h, 0, 0, 0, 0, 0, zu).fz - carried);
        expect(error, `${zu} ${h}`).toBeLessThan(1e-7 * carried + 1e-12);
      }
    }
  });

  it("becomes fresh soil as the earlier depth goes to zero, and does not depend on rounding errors", () => {
    const fresh = { ...wheel.evaluate(0.012, 0, 0.04, 0.01, 0.05) };
    for (let zu = 1e-6; zu > 0; zu *= 1e-3) {
      const now = wheel.evaluate(0.012, 0, 0.04, 0.01, 0.05, 0, zu);
      for (const name of forceNames) expect(Math.abs(now[name] - fresh[name]), `${name} ${zu}`).toBeLessThan(2e5 * zu + 2e-9);
      expect(wheel.rutDepth(zu)).toBeGreaterThanOrEqual(0);
      expect(wheel.rutDepth(zu)).toBeLessThanOrEqual(zu);
    }
  });
});

describe.each(PRESETS)("random states: %s", (name, soil) => {
  const wheel = wheelOn(soil);
  const next = uniform(name.length);
  const states = Array.from({ length: STATES }, (_, k) => ({
    // Below the ground of the rut, in which the wheel stands.
    depth: 0.35 * SHAPE.radius * next(),
    // Every third state has an earlier depth of any order of magnitude.
    before: k % 3 === 0 ? 10 ** (-20 + 19 * next()) : 0.05 * next(),
    slip: k % 10 === 0 ? Math.sign(next() - 0.5) : 2 * next() - 1,
    beta: k % 2 === 0 ? 0 : 1.2 * (next() - 0.5),
  }));
  type State = (typeof states)[number];
  const forcesAt = ({ depth, before, slip, beta }: State) =>
    ({ ...forcesAtSlip(wheel, wheel.rutDepth(before) + depth, slip, beta, 0.05, before) }) as const;

  it("never carries less than fresh soil at the same sinkage, and gives no NaN", () => {
    for (const state of states) {
      const forces = forcesAt(state);
      for (const force of forceNames) expect(forces[force], JSON.stringify(state)).toSatisfy(Number.isFinite);
      const fresh = forcesAt({ ...state, before: 0 });
      expect(forces.fz, JSON.stringify(state)).toBeGreaterThanOrEqual(fresh.fz * (1 - 1e-9));
    }
  });

  it("the load is continuous in sinkage, earlier depth and slip", () => {
    const STEP = 1e-10;
    for (const state of states) {
      const { depth, before, slip, beta } = state;
      const h = wheel.rutDepth(before) + depth;
      const { ku } = compactedPressure(soil, Math.max(before, depth));
      const at = (dh: number, db: number, ds: number): number =>
        forcesAtSlip(wheel, h + dh, Math.max(-1, Math.min(1, slip + ds)), beta, 0.05, before + db).fz;
      const middle = at(0, 0, 0);
      // A change of depth by STEP changes no pressure by more than k_u STEP; the shear at most doubles it.
      const byDepth = 4 * ku * SHAPE.radius * SHAPE.width * STEP + 1e-8;
      const bySlip = 100 * (1 + middle) * STEP + 1e-8;
      for (const [dh, db, ds, most] of [
        [STEP, 0, 0, byDepth],
        [-STEP, 0, 0, byDepth],
        [0, STEP, 0, byDepth],
        [0, -Math.min(before, STEP), 0, byDepth],
        [0, 0, STEP, bySlip],
      ] as const)
        expect(Math.abs(at(dh, db, ds) - middle), `${JSON.stringify(state)} ${dh} ${db} ${ds}`).toBeLessThan(most);
    }
  });
});

describe("cases that were wrong", () => {
  it("mars-analogue after a wheel of 0.08 mm carries what fresh soil carries, less a rim of 0.02 mm", () => {
    const wheel = wheelOn(SOILS["mars-analogue"]);
    const fresh = wheel.evaluate(0.012, 0, 0, 0, 0).fz;
    expect(fresh).toBeCloseTo(16.6136, 4);
    const compacted = wheel.evaluate(0.012, 0, 0, 0, 0, 0, 8e-5).fz;
    expect(Math.abs(compacted / fresh - 1)).toBeLessThan(1e-6);
    expect(compacted).toBeGreaterThan(wheel.evaluate(0.012 - wheel.rutDepth(8e-5), 0, 0, 0, 0).fz);
  });

  it("a soil whose reloading is softer than fresh soil leaves no rut of rounding errors", () => {
    const wheel = wheelOn({ ...SOILS["lunar-simulant"], reload: 1 });
    const fresh = wheel.evaluate(0.012, 0, 0.05, 0, 0.05).fz;
    for (let k = 1; k <= 1000; k++) {
      expect(wheel.rutDepth(k * 1.7e-5)).toBe(0);
      expect(Math.abs(wheel.evaluate(0.012, 0, 0.05, 0, 0.05, 0, k * 1.7e-5).fz - fresh)).toBeLessThan(1e-9 * fresh);
    }
  });

  it("left and right wheels read the same bits, also with edges on the border of a cell", () => {
    const next = uniform(5);
    for (const [y, width, cell] of [
      [0.22, 0.11, 0.02],
      [0.22, 0.12, 0.02],
      [0.3, 0.1, 0.01],
      [0.271, 0.0937, 0.013],
    ] as const) {
      const field = new RutField(cell);
      for (let x = -0.7; x < 0.7; x += 0.037) {
        const [lean, depth] = [0.2 * (next() - 0.5), 0.02 * next()];
        field.recordPass("left", x, y, Math.sin(lean), Math.cos(lean), width, depth);
        field.recordPass("right", x, -y, -Math.sin(lean), Math.cos(lean), width, depth);
      }
      for (let k = 0; k < 500; k++) {
        const [px, py] = [1.6 * (next() - 0.5), y + width * (next() - 0.5)];
        expect(field.depthAt(px, -py)).toBe(field.depthAt(px, py));
      }
    }
  });
});

/** Sums of stresses: WebAssembly against JavaScript, and the number of quadrature points. */
import { afterEach, describe, expect, it, vi } from "vitest";
import { gridHash } from "../../../src/ground/procedural.ts";
import { SOILS } from "../../../src/ground/soil.ts";
import { sumStresses } from "../../../src/ground/stress-sums-js.ts";
import { instantiateStressFunctions, POINT_ARRAYS, STRESS_SLOTS } from "../../../src/ground/stress-sums-wasm.ts";
import { WheelOnSoil } from "../../../src/ground/wheel-soil.ts";
import { gaussLegendre } from "../../../src/math/elementary/gauss-legendre.ts";
import { cosine, sine } from "../../../src/math/elementary/sincos.ts";

const SHAPE = { radius: 0.09, width: 0.11 };
const soil = SOILS["lunar-simulant"];

/** Pseudo-random number between two limits, fixed by a seed. */
const between = (low: number, high: number, k: number, seed: number): number =>
  low + ((high - low) * (1 + gridHash(k, seed, 11))) / 2;

afterEach(() => void vi.unstubAllGlobals());

describe("sums in WebAssembly", () => {
  const { functions, slots } = instantiateStressFunctions()!;
  const count = 10;

  it.each([0, 1, 2, 3, 4, 5])("agree with JavaScript (%i)", (k) => {
    // Displacements of both signs, and exponents from zero to below the range of e^x.
    const steep = [1e-3, 0.1, 3, 40, 2000, 1e6][k]!;
    slots.fill(0);
    slots[STRESS_SLOTS.front] = 0.6;
    slots[STRESS_SLOTS.sinFront] = sine(0.6);
    slots[STRESS_SLOTS.cosFront] = cosine(0.6);
    slots[STRESS_SLOTS.u] = steep;
    slots[STRESS_SLOTS.v] = 1.06 * steep;
    slots[STRESS_SLOTS.cohesion] = 800;
    slots[STRESS_SLOTS.tan] = 0.7;
    slots[STRESS_SLOTS.slope] = -steep;
    slots[STRESS_SLOTS.push] = 30;
    slots[STRESS_SLOTS.d2] = 5e4;
    slots[STRESS_SLOTS.r] = 0.09;
    for (let i = 0; i < count; i++) {
      slots[POINT_ARRAYS.angles + i] = between(-0.6, 0.6, i, k);
      slots[POINT_ARRAYS.weights + i] = between(0, 1e-3, i, k + 20);
      slots[POINT_ARRAYS.pressures + i] = between(0, 2e4, i, k + 40);
    }
    functions.sinesAndCosines(8 * count);
    for (let i = 0; i < count; i++) {
      expect(slots[POINT_ARRAYS.sines + i]).toBe(sine(slots[POINT_ARRAYS.angles + i]!));
      expect(slots[POINT_ARRAYS.cosines + i]).toBe(cosine(slots[POINT_ARRAYS.angles + i]!));
    }
    const expected = slots.slice();
    sumStresses(expected, count, true);
    functions.sumLongitudinal(8 * count);
    const [fx, fz, torque] = slots.subarray(STRESS_SLOTS.fx);
    slots.fill(0, STRESS_SLOTS.fx, STRESS_SLOTS.fx + 6);
    functions.sumAll(8 * count);
    expect(Array.from(slots.subarray(STRESS_SLOTS.fx, STRESS_SLOTS.fx + 3))).toEqual([fx, fz, torque]);
    for (const name of ["fx", "fz", "torque", "fy", "mx", "mz"] as const) {
      expect(slots[STRESS_SLOTS[name]]).not.toBe(0);
      expect(Math.abs(slots[STRESS_SLOTS[name]]! / expected[STRESS_SLOTS[name]]! - 1), name).toBeLessThan(1e-13);
    }
  });
});

describe("a wheel", () => {
  const evaluated = (wheel: WheelOnSoil, k: number) => {
    const rim = between(0.03, 0.3, k, 1);
    const vx = rim * between(-0.1, 1.15, k, 2);
    const vy = k % 3 === 0 ? 0 : between(-0.05, 0.05, k, 3);
    return { ...wheel.evaluate(between(0.002, 0.03, k, 4), 0, vx, vy, rim, 0, k % 4 === 0 ? between(0, 0.02, k, 5) : 0) };
  };

  it("has the same forces without WebAssembly, up to rounding", () => {
    const compiled = new WheelOnSoil(soil, SHAPE, 9.81);
    vi.stubGlobal("WebAssembly", undefined);
    const plain = new WheelOnSoil(soil, SHAPE, 9.81);
    for (let k = 0; k < 300; k++) {
      const [a, b] = [evaluated(compiled, k), evaluated(plain, k)];
      for (const name of ["fx", "fy", "fz", "torque", "mx", "mz"] as const)
        expect(Math.abs(a[name] - b[name]), `${name} of ${k}`).toBeLessThan(1e-12 * (1 + b.fz));
    }
  });

  /** fx by the formulas of the law with many points, divided where pressure and shear are not smooth. */
  function pull(h: number, u: number, v: number): number {
    const { radius: r, width: b } = SHAPE;
    const front = Math.acos(1 - h / r);
    const rear = -Math.acos(1 - (soil.rear * h) / r);
    const middle = (soil.a0 + (soil.a1 * (u - v)) / Math.max(u, v)) * front;
    const j = (theta: number): number => (r / u) * (u * (front - theta) - v * (Math.sin(front) - Math.sin(theta)));
    /** Angle at which the shear changes its sign between two angles, if it does. */
    const turn = (behind: number, ahead: number): number => {
      let [low, high] = [behind, ahead];
      for (let k = 0; k < 100; k++)
        [low, high] = j((low + high) / 2) > 0 === j(ahead) > 0 ? [low, (low + high) / 2] : [(low + high) / 2, high];
      return low;
    };
    const lowest = Math.max(rear, -Math.acos(Math.min(1, u / v)));
    const ends = [rear, ...[turn(rear, lowest), turn(lowest, front / 2), middle].sort((a, c) => a - c), front];
    const { points, weights } = gaussLegendre(40);
    let sum = 0;
    for (let part = 0; part < 4; part++) {
      const [from, to] = [ends[part]!, ends[part + 1]!];
      points.forEach((s, i) => {
        const theta = from + (to - from) * s;
        const mirrored = theta >= middle ? theta : front - ((theta - rear) / (middle - rear)) * (front - middle);
        const sigma = (soil.kc / b + soil.kphi) * r * Math.max(0, Math.cos(mirrored) - Math.cos(front));
        const size = (soil.cohesion + sigma * Math.tan(soil.friction)) * (1 - Math.exp(-Math.abs(j(theta)) / soil.kx0));
        sum += weights[i]! * (to - from) * r * b * (Math.sign(j(theta)) * size * Math.cos(theta) - sigma * Math.sin(theta));
      });
    }
    return sum;
  }

  it.each([
    ["drives", [1, 0.99, 0.9, 0.7, 0.4]],
    ["brakes, so that its shear turns under it, once or twice", [1.04, 1.06, 1.08, 1.1, 1.15]],
  ] as const)("that %s is integrated to 1e-9 of its load", (_, ratios) => {
    const wheel = new WheelOnSoil(soil, SHAPE, 9.81);
    for (const ratio of ratios)
      for (const h of [0.004, 0.012, 0.025])
        for (const u of [0.05, 0.3]) {
          const { fx, fz } = wheel.evaluate(h, 0, ratio * u, 0, u);
          expect(Math.abs(fx - pull(h, u, ratio * u)), `h ${h}, u ${u}, v/u ${ratio}`).toBeLessThan(1e-9 * (1 + fz));
        }
  });
});

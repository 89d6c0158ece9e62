/** Point-mass gravity with J2, drag, solar pressure and magnetic torque against closed forms. */
import { describe, expect, it } from "vitest";
import type { ModelError } from "../../../../src/errors.ts";
import { interpret } from "../../../../src/kernel/emit/interpret.ts";
import { trace } from "../../../../src/kernel/trace/program.ts";
import { createModel } from "../../../../src/model/build/create-model.ts";
import type { Model } from "../../../../src/model/model.ts";
import { drag } from "../../../../src/parts/force/environment/drag.ts";
import { EARTH_J2, EARTH_MU, EARTH_RADIUS, SOLAR_PRESSURE } from "../../../../src/parts/force/environment/earth.ts";
import { exponentialOf } from "../../../../src/parts/force/environment/exponential-of-trace.ts";
import { magneticTorque } from "../../../../src/parts/force/environment/magnetic-torque.ts";
import { pointGravity } from "../../../../src/parts/force/environment/point-gravity.ts";
import { solarPressure } from "../../../../src/parts/force/environment/solar-pressure.ts";
import type { ForceElement } from "../../../../src/sim/system/force-element.ts";
import { type ElementLoads, loadsOf } from "../../../fixtures/element-loads.ts";
import { drift, type Motion, runFor } from "../../../fixtures/force-run.ts";
import { hull } from "../../../fixtures/models/force-machines.ts";

const A = 6.778e6;
const SPEED = Math.sqrt(EARTH_MU / A);
const PERIOD = 2 * Math.PI * Math.sqrt(A ** 3 / EARTH_MU);
const INCLINATION = 0.9;
/** On a circular orbit at its ascending node, which is on the x axis. */
const AT_NODE = {
  q: [1, 0, 0, 0, A, 0, 0],
  u: [0, 0, 0, 0, SPEED * Math.cos(INCLINATION), SPEED * Math.sin(INCLINATION)],
};

/** Coordinates of an orbit pass through zero: an absolute tolerance of 1e-13 m would be far below the rounding of 7e6 m. */
const ORBIT_TOLERANCES = { relativeTolerance: 1e-13, absoluteTolerance: 1e-8 };
const flyFor = (model: Model, elements: readonly ForceElement[], duration: number): Motion =>
  runFor(model, elements, duration, AT_NODE, [], ORBIT_TOLERANCES);

/** Loads at a state of a free body. */
const loadsAt = (
  model: Model,
  element: ForceElement,
  q: readonly number[],
  u: readonly number[] = [],
  z: readonly number[] = [],
): ElementLoads =>
  loadsOf(
    model,
    element,
  )({
    t: 0,
    q: Float64Array.from(q),
    u: Float64Array.from({ length: model.nu }, (_, i) => u[i] ?? 0),
    z: Float64Array.from(z),
    held: new Float64Array(0),
  });

function expectClose(got: ArrayLike<number>, expected: readonly number[], tolerance: number): void {
  const size = Math.max(...expected.map(Math.abs));
  for (const [i, x] of expected.entries()) expect(Math.abs(got[i]! - x) / size, `component ${i}`).toBeLessThan(tolerance);
}

describe("point-gravity", () => {
  const cross = (a: readonly number[], b: readonly number[]): [number, number, number] => [
    a[1]! * b[2]! - a[2]! * b[1]!,
    a[2]! * b[0]! - a[0]! * b[2]!,
    a[0]! * b[1]! - a[1]! * b[0]!,
  ];
  const orbitalMomentum = ({ q, u }: Pick<Motion, "q" | "u">): [number, number, number] => cross(q.slice(4, 7), u.slice(3, 6));

  it("keeps the energy and the polar angular momentum of an inclined orbit to 1e-11", () => {
    const model = hull(1, [1, 2, 2.5]);
    for (const gradient of [false, true]) {
      const start = { ...AT_NODE, u: [0.001, -0.0005, 0.0008, ...AT_NODE.u.slice(3)] };
      const end = runFor(model, [pointGravity.create("g", { gradient }, model)], 10 * PERIOD, start, [], ORBIT_TOLERANCES);
      expect(drift(end.run, "energy")).toBeLessThan(1e-11);
      // The spin is 1e-13 of the orbit's angular momentum.
      const [before, after] = [orbitalMomentum(start)[2], orbitalMomentum(end)[2]];
      expect(Math.abs(after - before) / Math.abs(before)).toBeLessThan(1e-11);
      // J2 turns the plane: the other components do change.
      expect(Math.abs(orbitalMomentum(end)[0])).toBeGreaterThan(1e-3 * Math.abs(before));
    }
  });

  it("turns the node at the first-order rate; the relative difference falls in proportion to J2", () => {
    const model = hull(1, [1, 1, 1]);
    const differences = [1, 0.1, 0.01].map((part) => {
      const j2 = part * EARTH_J2;
      // The node does not move while the orbit crosses the equator, so Kepler's period is accurate enough for one revolution.
      const end = flyFor(model, [pointGravity.create("g", { j2, gradient: false }, model)], PERIOD);
      const [hx, hy] = orbitalMomentum(end);
      const node = Math.atan2(hx, -hy);
      const firstOrder = -3 * Math.PI * j2 * (EARTH_RADIUS / A) ** 2 * Math.cos(INCLINATION);
      return node / firstOrder - 1;
    });
    expect(Math.abs(differences[0]!)).toBeLessThan(0.02);
    expect(differences[0]! / differences[1]!).toBeCloseTo(10, 0);
    expect(differences[1]! / differences[2]!).toBeCloseTo(10, 0);
  });

  it("is the gradient of its potential, which is that of two points for a dumbbell up to fourth order", () => {
    const [half, r] = [50, [4e6, 3e6, 4.5e6]];
    const bar = hull(2, [1e-6, 2 * half ** 2, 2 * half ** 2]);
    const points = createModel({
      name: "points",
      bodies: [
        { name: "rod", mass: 1e-9, inertia: [1e-9, 1e-9, 1e-9], hinge: { kind: "free" } },
        { name: "up", parent: "rod", mass: 1, inertia: "none", hinge: { kind: "fixed", at: [half, 0, 0] } },
        { name: "down", parent: "rod", mass: 1, inertia: "none", hinge: { kind: "fixed", at: [-half, 0, 0] } },
      ],
    });
    const [whole, parts] = [bar, points].map((model) =>
      loadsAt(model, pointGravity.create("g", { j2: 0 }, model), [1, 0, 0, 0, ...r]),
    ) as [ElementLoads, ElementLoads];
    const torque = (loads: ElementLoads): number[] => {
      const total = [0, 0, 0];
      for (let k = 0; 6 * k < loads.wrenches.length; k++) {
        const arm = [9, 10, 11].map((i, axis) => loads.frames[18 * k + i]! - r[axis]!);
        const moment = cross(arm, [...loads.wrenches.subarray(6 * k + 3, 6 * k + 6)]);
        for (const i of [0, 1, 2]) total[i]! += loads.wrenches[6 * k + i]! + moment[i]!;
      }
      return total;
    };
    expect(torque(parts)[0]).toBeCloseTo(0, 8);
    expectClose(torque(whole).slice(1), torque(parts).slice(1), 1e-6);
    expect(whole.potential / parts.potential).toBeCloseTo(1, 9);
  });

  it("refuses a start inside the Earth", () => {
    const model = hull(1, [1, 1, 1]);
    const element = pointGravity.create("g", {}, model);
    const frames = new Float64Array(18);
    const problems = element.startProblems!({ model, t: 0, q: frames, u: frames, z: new Float64Array(0), frames });
    expect(problems).toEqual([
      {
        message: "hull is inside the Earth at the start: 0 km from its centre, the radius is 6378.14 km",
        advice: "Give the initial position relative to the Earth's centre, or the place of the Earth by `centre`",
      },
    ]);
  });
});

describe("drag", () => {
  const model = hull(1, [1, 2, 2.5]);
  const gravity = pointGravity.create("g", { j2: 0, gradient: false }, model);
  const COEFFICIENT = 2.2;
  const AREA = 0.03;
  const SCALE_HEIGHT = 6e4;
  const airDrag = (density: number, scaleHeight?: number, rotationRate = 0): ForceElement =>
    drag.create(
      "d",
      {
        areas: [{ on: "hull", area: AREA }],
        density,
        rotationRate,
        ...(scaleHeight && { scaleHeight, referenceAltitude: A - EARTH_RADIUS }),
      },
      model,
    );
  const energy = ({ q, u }: Pick<Motion, "q" | "u">): number =>
    0.5 * (u[3]! ** 2 + u[4]! ** 2 + u[5]! ** 2) - EARTH_MU / Math.hypot(q[4]!, q[5]!, q[6]!);
  const semiMajorAxis = (state: Pick<Motion, "q" | "u">): number => (-0.5 * EARTH_MU) / energy(state);

  it("takes the energy of its work, with air that rests or turns", () => {
    for (const rate of [0, 7.3e-5]) {
      const end = flyFor(model, [gravity, airDrag(1e-9, SCALE_HEIGHT, rate)], 2 * PERIOD);
      const lost = energy(AT_NODE) - energy(end);
      expect(lost / Math.abs(energy(AT_NODE))).toBeGreaterThan(1e-3);
      expect(Math.abs(lost - (end.dissipated - end.supplied)) / lost).toBeLessThan(1e-9);
      expect(drift(end.run, "energy")).toBeLessThan(1e-11);
      expect(end.supplied === 0).toBe(rate === 0);
    }
  });

  it("decays as the averaged equation says; the relative difference falls with the density", () => {
    for (const scaleHeight of [undefined, SCALE_HEIGHT]) {
      const differences = [1e-9, 1e-10, 1e-11].map((density) => {
        const end = flyFor(model, [gravity, airDrag(density, scaleHeight)], PERIOD);
        const B = COEFFICIENT * AREA;
        // da/dt = -B rho(a) √(mu a), by the midpoint rule.
        let a = A;
        const rate = (a: number): number =>
          -B * density * (scaleHeight ? Math.exp((A - a) / scaleHeight) : 1) * Math.sqrt(EARTH_MU * a);
        const steps = 2000;
        for (let k = 0; k < steps; k++) a += (PERIOD / steps) * rate(a + (PERIOD / steps / 2) * rate(a));
        return (semiMajorAxis(end) - A) / (a - A) - 1;
      });
      expect(Math.abs(differences[0]!)).toBeLessThan(0.05);
      expect(Math.abs(differences[1]! / differences[0]!)).toBeLessThan(0.15);
      expect(Math.abs(differences[2]! / differences[1]!)).toBeLessThan(0.15);
    }
  });

  it("is -½ rho c A cos θ v² along the flow on a plate, with the torque of its place, and nothing from behind", () => {
    const angle = 0.7;
    const plate = (twoSided: boolean): ForceElement =>
      drag.create(
        "d",
        {
          plates: [{ on: "hull", area: 3, at: [0, 2, 0], normal: [Math.cos(angle), 0, Math.sin(angle)], twoSided }],
          density: 0.4,
          rotationRate: 0,
        },
        model,
      );
    const force = -0.5 * 0.4 * COEFFICIENT * 3 * Math.cos(angle) * 25;
    const ahead = [0, 0, 0, 5, 0, 0];
    const back = [0, 0, 0, -5, 0, 0];
    const home = [1, 0, 0, 0, 0, 0, 0];
    expectClose(loadsAt(model, plate(false), home, ahead).wrenches, [0, 0, -2 * force, force, 0, 0], 1e-14);
    expectClose(loadsAt(model, plate(true), home, back).wrenches, [0, 0, 2 * force, -force, 0, 0], 1e-14);
    expect([...loadsAt(model, plate(false), home, back).wrenches].every((x) => x === 0)).toBe(true);
  });

  it("is the same relative to an orbiting origin as relative to the Earth's centre", () => {
    const parameters = { areas: [{ on: "hull", area: AREA }], density: 1e-9, scaleHeight: SCALE_HEIGHT, referenceAltitude: 4e5 };
    const fixed = drag.create("d", parameters, model);
    const orbit = { semiMajorAxis: A, inclination: INCLINATION };
    const moving = drag.create("d", { ...parameters, orbit }, model);
    const offset = [30, -20, 50];
    const position = [A + offset[0]!, offset[1]!, offset[2]!];
    const there = loadsAt(model, fixed, [1, 0, 0, 0, ...position], AT_NODE.u);
    const here = loadsAt(model, moving, [1, 0, 0, 0, ...offset], [], [0]);
    expectClose(here.wrenches, [...there.wrenches], 1e-12);
    expect(here.zdot[0]).toBeCloseTo((2 * Math.PI) / PERIOD, 12);
  });

  it("the traced exponential is exact to 1e-13", () => {
    const program = trace("e", { x: 1 }, ({ x }) => ({ y: [exponentialOf(x[0]!)] }));
    const y = new Float64Array(1);
    for (let x = -60; x <= 60; x += 0.37) {
      interpret(program, Float64Array.of(x), y);
      expect(Math.abs(y[0]! / Math.exp(x) - 1)).toBeLessThan(1e-13);
    }
  });

  it.each([
    [{ density: 1 }, "plates: there is no surface"],
    [
      { density: 1, areas: [{ on: "hull", area: 1 }], referenceAltitude: 3 },
      "referenceAltitude: has no effect without a scale height",
    ],
    [
      { density: 1, areas: [{ on: "hull", area: 1 }], centre: [0, 0, 0], orbit: { semiMajorAxis: 7e6 } },
      "orbit: the Earth is placed twice: by centre and by orbit",
    ],
  ] as const)("refuses %j", (parameters, expected) => {
    expect(messagesOf(() => drag.create("d", parameters as never, model, { path: "" }))).toEqual([expected]);
  });
});

const messagesOf = (create: () => unknown): string[] => {
  try {
    create();
  } catch (error) {
    return (error as ModelError).problems.map(({ path, message }) => `${path.replace(/^d?\./, "")}: ${message}`);
  }
  return [];
};

describe("solar-pressure", () => {
  const model = hull(100, [10, 20, 30]);
  const home = [1, 0, 0, 0, 0, 0, 0];

  it("has the closed-form force and torque on a plate at an angle to 1e-10", () => {
    const [angle, area, specular, diffuse] = [0.6, 4, 0.35, 0.2];
    const n = [Math.cos(angle), Math.sin(angle), 0] as const;
    const at = [0.2, -0.3, 1.5] as const;
    const element = solarPressure.create(
      "s",
      { plates: [{ on: "hull", area, at: [...at], normal: [...n], specular, diffuse }], sun: "x" },
      model,
    );
    const c = Math.cos(angle);
    const strength = SOLAR_PRESSURE * area * c;
    const alongNormal = 2 * (specular * c + diffuse / 3);
    const [fx, fy] = [-strength * (1 - specular + alongNormal * n[0]), -strength * alongNormal * n[1]];
    expectClose(loadsAt(model, element, home).wrenches, [-at[2] * fy, at[2] * fx, at[0] * fy - at[1] * fx, fx, fy, 0], 1e-10);
    expect(SOLAR_PRESSURE).toBeCloseTo(4.54e-6, 8);
  });

  it("pushes a mirror twice as much as a black plate, both sides alike if it has two", () => {
    const forceOf = (specular: number, twoSided: boolean, normal: "x" | [number, number, number]): number[] => {
      const element = solarPressure.create("s", { plates: [{ on: "hull", area: 1, normal, specular, twoSided }] }, model);
      return [...loadsAt(model, element, home).wrenches.subarray(3)];
    };
    expectClose(forceOf(0, false, "x"), [-SOLAR_PRESSURE, 0, 0], 1e-14);
    expectClose(forceOf(1, false, "x"), [-2 * SOLAR_PRESSURE, 0, 0], 1e-14);
    expectClose(forceOf(0.4, true, [-1, 0.5, 0]), forceOf(0.4, true, [1, -0.5, 0]), 1e-14);
    expect(forceOf(0.4, false, [-1, 0.5, 0]).every((f) => f === 0)).toBe(true);
  });

  it("fades at the edge of the Earth's shadow and is zero behind the Earth", () => {
    const element = solarPressure.create("s", { plates: [{ on: "hull", area: 1 }], shadow: true }, model);
    const lit = (...r: number[]): number => loadsAt(model, element, [1, 0, 0, 0, ...r]).channels.lit!;
    expect(lit(A, 0, 0)).toBe(1);
    expect(lit(-A, 0, 0)).toBe(0);
    expect(lit(-3e6, EARTH_RADIUS, 0)).toBeCloseTo(0.5, 9);
    expect(lit(-3e6, 0, EARTH_RADIUS + 11e3)).toBe(1);
    expect(lit(-3e6, 0, EARTH_RADIUS - 11e3)).toBe(0);
  });

  it.each([
    [{ plates: [] }, "plates: there is no plate"],
    [
      { plates: [{ on: "hull", area: 1, specular: 0.7, diffuse: 0.5 }] },
      "plates[0].diffuse: more light is reflected than arrives",
    ],
    [
      { plates: [{ on: "hull", area: 1 }], orbit: { semiMajorAxis: 7e6 } },
      "orbit: has no effect without the shadow of the Earth",
    ],
  ] as const)("refuses %j", (parameters, expected) => {
    expect(messagesOf(() => solarPressure.create("d", parameters as never, model, { path: "" }))).toEqual([expected]);
  });
});

describe("magnetic-torque", () => {
  it("is m × B of the dipole field in closed form to 1e-10, at any latitude and with a tilted dipole", () => {
    const model = hull(100, [10, 20, 30]);
    const [B0, radius, r] = [3e-5, 6.3712e6, 7e6];
    const m = [2, -1, 3] as const;
    for (const latitude of [0, 0.5, -1.1]) {
      const element = magneticTorque.create("m", { frame: "hull", moment: [...m], equatorField: B0, radius }, model);
      const position = [r * Math.cos(latitude), 0, r * Math.sin(latitude)];
      const B = B0 * (radius / r) ** 3;
      // Horizontal to the north B cos λ, downwards 2 B sin λ.
      const [north, down] = [B * Math.cos(latitude), 2 * B * Math.sin(latitude)];
      const bx = -north * Math.sin(latitude) - down * Math.cos(latitude);
      const bz = north * Math.cos(latitude) - down * Math.sin(latitude);
      const loads = loadsAt(model, element, [1, 0, 0, 0, ...position]);
      expectClose(loads.wrenches.subarray(0, 3), [m[1] * bz, m[2] * bx - m[0] * bz, -m[1] * bx], 1e-10);
      expect(loads.channels.field! / (B * Math.sqrt(1 + 3 * Math.sin(latitude) ** 2))).toBeCloseTo(1, 12);
    }
    // Above the pole of the tilted dipole the field is vertical.
    const [tilt, longitude] = [0.3, 1.2];
    const pole = [Math.sin(tilt) * Math.cos(longitude), Math.sin(tilt) * Math.sin(longitude), Math.cos(tilt)];
    const element = magneticTorque.create(
      "m",
      { frame: "hull", moment: [...m], equatorField: B0, radius, tilt, longitude },
      model,
    );
    const loads = loadsAt(model, element, [1, 0, 0, 0, ...pole.map((x) => r * x)]);
    const B = pole.map((x) => -2 * B0 * (radius / r) ** 3 * x) as [number, number, number];
    const torque = [m[1] * B[2] - m[2] * B[1], m[2] * B[0] - m[0] * B[2], m[0] * B[1] - m[1] * B[0]];
    expectClose(loads.wrenches.subarray(0, 3), torque, 1e-10);
  });

  it("a light dipole oscillates about the field like a compass needle", () => {
    const model = hull(100, [2, 2, 2]);
    const element = magneticTorque.create("m", { frame: "hull", moment: [0, 0, 5], centre: [-7e6, 0, 0] }, model);
    const angle = 1e-4;
    const rate = Math.sqrt((5 * 2.98059e-5 * (6371200 / 7e6) ** 3) / 2);
    const t = 3 / rate;
    const end = runFor(model, [element], t, { q: [Math.cos(angle / 2), Math.sin(angle / 2), 0, 0, 0, 0, 0] });
    expect((2 * end.q[1]!) / angle).toBeCloseTo(Math.cos(3), 6);
  });
});

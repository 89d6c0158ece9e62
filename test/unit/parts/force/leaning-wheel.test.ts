/** Wheels that lean and whose lean changes: depth, its rate and the load in closed form. */
import { describe, expect, it } from "vitest";
import { SOILS } from "../../../../src/ground/soil.ts";
import { FLAT, plane, type Terrain } from "../../../../src/ground/terrain.ts";
import { WheelOnSoil } from "../../../../src/ground/wheel-soil.ts";
import { createModel } from "../../../../src/model/build/create-model.ts";
import { readForce } from "../../../../src/parts/force/forces.ts";
import { createSystem } from "../../../../src/sim/create-system.ts";
import { INTEGRATORS } from "../../../../src/sim/integrators/index.ts";
import { simulate } from "../../../../src/sim/run/simulate.ts";
import type { ForceElement } from "../../../../src/sim/system/force-element.ts";
import { uniform } from "../../../fixtures/models/random-model.ts";
import { type AppliedLoads, applyElement } from "../../../fixtures/numeric-loads.ts";

const R = 0.1;
const [MASS, G] = [5, 9.81];
const [STIFFNESS, DAMPING] = [2e4, 5];
const INERTIA = [0.013, 0.025, 0.013] as const;
const model = createModel({
  name: "wheel",
  gravity: [0, 0, -G],
  bodies: [{ name: "wheel", mass: MASS, inertia: [...INERTIA], hinge: { kind: "free" } }],
});

/** The pressure of a rim is a series of ten terms. */
const SERIES_ERROR = 1e-6;

type Vector = readonly [number, number, number];
const dot = (a: Vector, b: Vector): number => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
const cross = (a: Vector, b: Vector): Vector => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
const unit = (a: Vector): Vector => a.map((x) => x / Math.sqrt(dot(a, a))) as unknown as Vector;

/** A wheel at a depth h in a plane of normal n, at random, leaning by any angle up to `most`. */
function randomContact(seed: number, most: number) {
  const next = uniform(seed);
  const [slopeX, slopeY] = [0.8 * (next() - 0.5), 0.8 * (next() - 0.5)];
  const n = unit([-slopeX, -slopeY, 1]);
  const side = unit(cross(n, [next() - 0.5, next() - 0.5, next() - 0.5]));
  const lean = most * (2 * next() - 1);
  const axle = [0, 1, 2].map((i) => Math.cos(lean) * side[i]! + Math.sin(lean) * n[i]!) as unknown as Vector;
  const first = unit(cross(axle, n));
  const h = R * (0.01 + 0.1 * next());
  const centre = n.map((x) => (R * Math.cos(lean) - h) * x) as unknown as Vector; // h = r cos(lean) - n·c
  const w = [0, 1, 2].map(() => 8 * (next() - 0.5)) as unknown as Vector;
  const v = [0, 1, 2].map(() => 0.3 * (next() - 0.5)) as unknown as Vector;
  return { n, axle, first, h, lean, terrain: plane(0, slopeX, slopeY), centre, w, v };
}
type Contact = ReturnType<typeof randomContact>;

/** The frame of the wheel, whose axle is its y axis, as a snapshot has it. */
function framesOf({ first, axle, centre, w, v }: Pick<Contact, "first" | "axle" | "centre" | "w" | "v">): number[] {
  const third = cross(first, axle);
  return [...[0, 1, 2].flatMap((i) => [first[i]!, axle[i]!, third[i]!]), ...centre, ...w, ...v];
}

/** dh/dt = -n·v + r d/dt √(1 - (n·a)²), with da/dt = ω × a. */
const depthRate = ({ n, axle, w, v }: Contact): number =>
  -dot(n, v) - (R * dot(n, axle) * dot(n, cross(w, axle))) / Math.sqrt(1 - dot(n, axle) ** 2);

const wheelOn = (kind: string, terrain: Terrain, parameters: object): ForceElement =>
  readForce(kind, "ground", { wheel: "wheel", axle: "y", radius: R, ...parameters }, model, { terrain });

describe("a wheel whose lean changes", () => {
  it.each(["point", "rim"])("contact: %s gives N = k h (1 + d ḣ) with the rate of the depth of the lowest point", (contact) => {
    for (let seed = 1; seed <= 200; seed++) {
      const state = randomContact(seed, 1.2);
      const { h, lean, terrain } = state;
      const load = STIFFNESS * h * Math.max(0, 1 + DAMPING * depthRate(state));
      const element = wheelOn("wheel-on-ground", terrain, { contact, stiffness: STIFFNESS, damping: DAMPING });
      const { channels } = applyElement(element, model, framesOf(state));
      expect(channels.sinkage, `${seed} lean ${lean}`).toBeCloseTo(h, 12);
      expect(Math.abs(channels.load! - load), `${seed} lean ${lean}`).toBeLessThan(SERIES_ERROR * (1 + load));
    }
  });

  it.each(["point", "rim"])("contact: %s: ḣ is the difference quotient of the depth along a rigid motion", (contact) => {
    const STEP = 1e-6;
    for (let seed = 1; seed <= 50; seed++) {
      const state = randomContact(seed, 0.9);
      const { axle, centre, w, v, terrain } = state;
      const element = wheelOn("wheel-on-ground", terrain, { contact, stiffness: STIFFNESS, damping: 0.1 });
      const { load, sinkage } = applyElement(element, model, framesOf(state)).channels;
      const moved = (dt: number): number => {
        const to = (a: Vector, rate: Vector): Vector => a.map((x, i) => x + dt * rate[i]!) as unknown as Vector;
        const turned = unit(to(axle, cross(w, axle)));
        const first = unit(cross(turned, state.n));
        return applyElement(element, model, framesOf({ ...state, axle: turned, first, centre: to(centre, v) })).channels.sinkage!;
      };
      const rate = (moved(STEP) - moved(-STEP)) / (2 * STEP);
      expect(Math.abs((load! / (STIFFNESS * sinkage!) - 1) / 0.1 - rate), `${seed}`).toBeLessThan(2e-5);
    }
  });

  it("dampedBy: centre takes the normal velocity of the centre", () => {
    for (let seed = 1; seed <= 50; seed++) {
      const state = randomContact(seed, 1);
      const { n, v, h, terrain } = state;
      const load = STIFFNESS * h * Math.max(0, 1 - DAMPING * dot(n, v));
      for (const contact of ["point", "rim"]) {
        const parameters = { contact, stiffness: STIFFNESS, damping: DAMPING, dampedBy: "centre" };
        const { channels } = applyElement(wheelOn("wheel-on-ground", terrain, parameters), model, framesOf(state));
        expect(Math.abs(channels.load! - load)).toBeLessThan(SERIES_ERROR * (1 + load));
      }
    }
  });

  it("a rim has the wrench of the law of one point, with friction", () => {
    for (let seed = 1; seed <= 200; seed++) {
      const state = randomContact(seed, 1.2);
      const [point, rim] = ["point", "rim"].map((contact) =>
        applyElement(wheelOn("wheel-on-ground", state.terrain, { contact }), model, framesOf(state)),
      ) as [AppliedLoads, AppliedLoads];
      const size = 1 + point.channels.load!;
      for (const [i, x] of point.wrenches.entries()) expect(Math.abs(rim.wrenches[i]! - x)).toBeLessThan(SERIES_ERROR * size);
      for (const name of ["load", "pull", "side", "slip"])
        expect(Math.abs(rim.channels[name]! - point.channels[name]!), `${seed} ${name}`).toBeLessThan(SERIES_ERROR * size);
    }
  });

  it("the cases that were wrong: k h at 30 degrees of lean and across a slope of 0.2 rad", () => {
    const h = 0.002;
    for (const [lean, slope] of [
      [Math.PI / 6, 0],
      [0, 0.2],
    ] as const) {
      // The wheel heads along x; the ground rises to its left, and the axle leans in the same plane.
      const n: Vector = [0, -Math.sin(slope), Math.cos(slope)];
      const axle: Vector = [0, Math.cos(lean), Math.sin(lean)];
      const away = R * Math.cos(lean - slope) - h;
      const centre = n.map((x) => away * x) as unknown as Vector;
      const frames = framesOf({ first: [1, 0, 0], axle, centre, w: [0, 0, 0], v: [0, 0, 0] });
      for (const contact of ["point", "rim"]) {
        const element = wheelOn("wheel-on-ground", plane(0, 0, Math.tan(slope)), { contact, stiffness: STIFFNESS });
        expect(applyElement(element, model, frames).channels.load).toBeCloseTo(STIFFNESS * h, 8);
      }
    }
  });

  it("a wide rim that leans is carried by its discs at their depths, 1/6, 4/6 and 1/6 of the stiffness", () => {
    const width = 0.06;
    for (const lean of [0.05, 0.2, 0.5]) {
      const depth = 0.01;
      const axle: Vector = [0, Math.cos(lean), Math.sin(lean)];
      const centre: Vector = [0, 0, R * Math.cos(lean) - depth];
      const element = wheelOn("wheel-on-ground", FLAT, { contact: "rim", width, stiffness: STIFFNESS });
      const frames = framesOf({ first: [1, 0, 0], axle, centre, w: [0, 0, 0], v: [0, 0, 0] });
      const shares = [-0.5, 0, 0.5].map((at, i) => (i === 1 ? 4 / 6 : 1 / 6) * Math.max(0, depth - at * width * Math.sin(lean)));
      const load = STIFFNESS * (shares[0]! + shares[1]! + shares[2]!);
      expect(Math.abs(applyElement(element, model, frames).channels.load! - load)).toBeLessThan(SERIES_ERROR * load);
    }
  });

  it("a rim carries k h also if its centre is in the ground, and if the wheel nearly lies on its side", () => {
    const element = wheelOn("wheel-on-ground", FLAT, { contact: "rim", stiffness: STIFFNESS });
    for (const lean of [0, 0.5, 1.2, 1.5, 1.57])
      for (let share = 0.05; share < 3; share += 0.05) {
        const h = share * R * Math.cos(lean);
        const axle: Vector = [0, Math.cos(lean), Math.sin(lean)];
        const centre: Vector = [0, 0, R * Math.cos(lean) - h];
        const frames = framesOf({ first: [1, 0, 0], axle, centre, w: [0, 0, 0], v: [0, 0, 0] });
        const { load } = applyElement(element, model, frames).channels;
        // Three quarters of the radius deep the ten terms of the series have an error of 1e-3.
        expect(Math.abs(load! / (STIFFNESS * h) - 1), `${lean} ${share}`).toBeLessThan(share <= 0.25 ? SERIES_ERROR : 2e-3);
      }
  });

  it("on soil the damping has the rate of the depth of the lowest point", () => {
    const soil = SOILS["lunar-simulant"];
    const wheel = new WheelOnSoil(soil, { radius: R, width: 0.08 }, G);
    for (let seed = 1; seed <= 100; seed++) {
      const state = randomContact(seed, 1);
      const { n, axle, w, v, h, terrain } = state;
      const ahead = unit(cross(axle, n));
      const left = cross(n, ahead);
      const expected = wheel.evaluate(h, depthRate(state), dot(v, ahead), dot(v, left), R * dot(w, axle)).fz;
      const { channels } = applyElement(wheelOn("wheel-on-soil", terrain, { width: 0.08 }), model, framesOf(state));
      expect(Math.abs(channels.load! - expected), `${seed}`).toBeLessThan(1e-7 * (1 + expected));
    }
  });

  it.each(["point", "rim"])("contact: %s conserves energy while a disc falls, leans and precesses", (contact) => {
    const element = wheelOn("wheel-on-ground", FLAT, { contact, friction: 0, damping: 0 });
    const system = createSystem(model, [element]);
    const half = 0.35 / 2;
    const { log } = simulate(
      system,
      system.start({ q: [Math.cos(half), Math.sin(half), 0, 0, 0, 0, 0.11], u: [0.3, 6, 0.5, 0.2, 0, 0] }),
      {
        duration: 0.25,
        integrator: INTEGRATORS.dop853,
        settings: { relativeTolerance: 1e-10, absoluteTolerance: 1e-12 },
        sample: 0.002,
        channels: ["ground.*", "q.*", "energy.*"],
        tolerances: { energy: 1 },
      },
    );
    const sinkage = log.column("ground.sinkage");
    const [kinetic, potential] = [log.column("energy.kinetic"), log.column("energy.potential")];
    const energies = [...sinkage].map((h, k) => kinetic[k]! + potential[k]! + 0.5 * STIFFNESS * Math.max(0, h) ** 2);
    expect(Math.max(...sinkage)).toBeGreaterThan(2e-3);
    for (const energy of energies) expect(Math.abs(energy - energies[0]!)).toBeLessThan(1e-6 * kinetic[0]!);
  });
});

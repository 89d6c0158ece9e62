/** Wheels that touch the ground anywhere on their rim: planes, steps, stones. */
import { describe, expect, it } from "vitest";
import { gridHash } from "../../../../src/ground/procedural.ts";
import { ledge, mound } from "../../../../src/ground/shapes.ts";
import { FLAT, placeTerrain, plane, sumOf, type Terrain } from "../../../../src/ground/terrain.ts";
import { createModel } from "../../../../src/model/build/create-model.ts";
import type { Model } from "../../../../src/model/model.ts";
import { readForce } from "../../../../src/parts/force/forces.ts";
import { RimContact } from "../../../../src/parts/force/ground-wheels/rim-contact.ts";
import { createSystem } from "../../../../src/sim/create-system.ts";
import { INTEGRATORS } from "../../../../src/sim/integrators/index.ts";
import { simulate } from "../../../../src/sim/run/simulate.ts";
import type { ForceElement } from "../../../../src/sim/system/force-element.ts";

const R = 0.1;
const MASS = 5;
const G = 9.81;
/** A wheel that moves in a vertical plane: x, z and its turn about y. */
const planar: Model = createModel({
  name: "wheel",
  gravity: [0, 0, -G],
  bodies: [{ name: "wheel", mass: MASS, inertia: [0.013, 0.025, 0.013], hinge: { kind: "general", freedoms: ["x", "z", "ry"] } }],
});
const free: Model = createModel({
  name: "wheel",
  gravity: [0, 0, -G],
  bodies: [{ name: "wheel", mass: MASS, inertia: [0.013, 0.025, 0.013], hinge: { kind: "free" } }],
});
const ground = (model: Model, terrain: Terrain, parameters: object): ForceElement =>
  readForce("wheel-on-ground", "ground", { wheel: "wheel", axle: "y", radius: R, ...parameters }, model, { terrain });

describe("a rim on hard ground", () => {
  it("on a plane equals the law of one point, for any slope, heading and motion", () => {
    for (let k = 0; k < 15; k++) {
      const random = (i: number): number => gridHash(k, i, 9);
      // Ground that rises ahead by `slope`; the wheel stands upright on it, rotated about its normal.
      const [slope, turn] = [0.4 * random(1), 3 * random(2)];
      const terrain = plane(0.05, Math.tan(slope), 0);
      const [cs, ss, ct, st] = [Math.cos(-slope / 2), Math.sin(-slope / 2), Math.cos(turn / 2), Math.sin(turn / 2)];
      const far = R * (1 - 0.2 * Math.abs(random(3))); // between just touching and a fifth of the radius deep
      const q = Float64Array.from([cs * ct, ss * st, ss * ct, cs * st, -far * Math.sin(slope), 0, 0.05 + far * Math.cos(slope)]);
      const u = Float64Array.from({ length: 6 }, (_, i) => random(10 + i));
      const rates = (["point", "rim"] as const).map((contact) => {
        const system = createSystem(free, [ground(free, terrain, { contact })]);
        return system.accelerations(system.start({ q, u }));
      });
      const size = Math.max(...rates[0]!.map(Math.abs));
      // The remaining error is the truncated series, (h/r)¹⁰.
      for (let i = 0; i < 6; i++) expect(Math.abs(rates[1]![i]! - rates[0]![i]!)).toBeLessThan(1e-6 * size);
    }
  });

  it("the force is continuous as the wheel reaches a step, leaves the ground and passes the edge", () => {
    const rim = new RimContact(R, 2e4);
    const step = ledge(0.05, 0.01);
    const out = new Float64Array(3);
    const at = (x: number, z: number): Float64Array => {
      out.fill(0);
      rim.visitContacts(Float64Array.from([x, 0, z]), Float64Array.from([0, 1, 0]), step, (_n, _arm, force) => {
        for (let i = 0; i < 3; i++) out[i]! += force[i]!;
      });
      return out.slice();
    };
    const jump = (step: number, z: number, to: number): number => {
      let largest = 0;
      let before = at(-0.12, z);
      for (let x = -0.12 + step; x < to; x += step) {
        const now = at(x, z);
        for (let i = 0; i < 3; i++) largest = Math.max(largest, Math.abs(now[i]! - before[i]!));
        before = now;
      }
      return largest;
    };
    // On the ground against the edge, half up, and onto the top; a centimetre of overlap at most.
    for (const [z, to] of [
      [0.098, -0.075],
      [0.12, -0.06],
      [0.148, 0.05],
    ] as const)
      expect(jump(2e-5, z, to)).toBeLessThan(0.2 * jump(2e-4, z, to));
  });

  it("without friction and damping conserves energy over steps and stones", () => {
    const stones = sumOf([
      placeTerrain(ledge(0.04, 0.02), 0.3, 0, 0),
      placeTerrain(mound(0.05, 0.12), 0.1, 0, 0),
      placeTerrain(mound(-0.04, 0.2), 0.6, 0, 0),
    ]);
    const system = createSystem(planar, [ground(planar, stones, { contact: "rim", friction: 0, damping: 0 })]);
    const y0 = system.start({ q: Float64Array.from([-0.15, 0.35, 0]), u: Float64Array.from([0.9, 0, 3]) });
    const { log } = simulate(system, y0, {
      duration: 2,
      integrator: INTEGRATORS.dop853,
      settings: { relativeTolerance: 1e-9, absoluteTolerance: 1e-11 },
      sample: 0.005,
      channels: ["*"],
      tolerances: { energy: 1 },
    });
    const [z, vx, vz, load, spin] = ["q.wheel.z", "u.wheel.x", "u.wheel.z", "ground.load", "u.wheel.ry"].map((c) =>
      log.column(c),
    );
    const energies: number[] = [];
    let hits = 0;
    for (let k = 0; k < log.length; k++) {
      if (load![k]! > 0 && !(load![k - 1]! > 0)) hits++;
      if (load![k] === 0) energies.push(0.5 * MASS * (vx![k]! ** 2 + vz![k]! ** 2) + MASS * G * z![k]!);
      expect(spin![k]).toBeCloseTo(3, 9); // no torque acts on a frictionless wheel
    }
    expect(hits).toBeGreaterThan(3);
    for (const e of energies) expect(Math.abs(e - energies[0]!)).toBeLessThan(1e-5 * energies[0]!);
  });

  /**
   * A wheel that its own torque drives, with nothing that pushes: the force at the edge must carry the weight alone, so it is vertical, at
   * the angle θ from the radius, cos θ = 1 - H/r. It holds if tan θ <= μ.
   */
  const climbs = (height: number, friction: number): boolean => {
    const step = placeTerrain(ledge(height, 0.004), 0.2, 0, 0);
    const motor: ForceElement = {
      name: "motor",
      kind: "test",
      apply(s, out) {
        const torque = 60 * (0.8 - s.u[2]!);
        out.tau[2]! += torque;
        out.supplied += torque * s.u[2]!;
      },
    };
    const system = createSystem(planar, [
      ground(planar, step, { contact: "rim", friction, creep: 0.01, stiffness: 1e5, damping: 20 }),
      motor,
    ]);
    const y0 = system.start({
      q: Float64Array.from([0.198 - Math.sqrt(2 * R * height - height ** 2), R - 4.9e-4, 0]),
      u: Float64Array.from([0, 0, 0]),
    });
    const { log } = simulate(system, y0, {
      duration: 2.5,
      integrator: INTEGRATORS.rk4,
      settings: { step: 2.5e-4 },
      sample: 0.05,
      channels: ["q.*"],
      tolerances: { energy: 1 },
    });
    return log.column("q.wheel.z").at(-1)! > R + 0.9 * height;
  };

  it.each([
    [0.5, 2],
    [0.25, 1.05],
  ])("climbs a step of %s r with friction %s above the closed form, and not below it", (share, friction) => {
    const needed = Math.tan(Math.acos(1 - share));
    expect(needed).toBeLessThan(friction);
    expect(climbs(share * R, friction)).toBe(true);
    expect(climbs(share * R, 0.85 * needed)).toBe(false);
  });

  it("refuses bristles with a rim, and reports the border of a map", () => {
    expect(() => ground(planar, FLAT, { contact: "rim", bristle: 100 })).toThrow(/bristles need a single contact point/);
  });
});

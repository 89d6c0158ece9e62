/** Desaturation of wheels by thrusters while the wheels hold the attitude. */
import { describe, expect, it } from "vitest";
import { createModel } from "../../../../src/model/build/create-model.ts";
import { homeOf } from "../../../../src/model/model.ts";
import { CONTROLLERS, readController } from "../../../../src/parts/control/controllers.ts";
import { thruster } from "../../../../src/parts/force/devices/thruster.ts";
import { motors } from "../../../../src/parts/force/drives/motors.ts";
import { createSystem } from "../../../../src/sim/create-system.ts";
import { INTEGRATORS } from "../../../../src/sim/integrators/index.ts";
import { simulate } from "../../../../src/sim/run/simulate.ts";

const AXES = ["x", "y", "z"] as const;
const WHEELS = AXES.map((axis) => `wheel-${axis}`);
/** Twelve thrusters in opposite pairs on a box, so that every torque is possible without a net force. */
const JETS = AXES.flatMap((axis, i) =>
  [1, -1].flatMap((side) =>
    [1, -1].map((sign) => ({ name: `${axis}${side > 0 ? "+" : "-"}${sign > 0 ? "+" : "-"}`, i, side, sign })),
  ),
);

/** The base is rotated in its hinge, and its mass centre is not at its origin, so that confused axes or points show. */
const satellite = createModel({
  name: "satellite",
  bodies: [
    {
      name: "base",
      mass: 100,
      com: [0.1, -0.05, 0.2],
      inertia: [20, 25, 30],
      hinge: { kind: "free", rotation: { rpy: [0.3, -0.4, 0.5] }, at: [1, 2, 3] },
      frames: Object.fromEntries(
        JETS.map(({ name, i, side }) => [
          name,
          { at: [0, 0, 0].map((_, k) => (k === (i + 1) % 3 ? side : 0)) as [number, number, number] },
        ]),
      ),
    },
    ...AXES.map((axis) => ({
      name: `wheel-${axis}`,
      parent: "base",
      mass: 2,
      inertia: [0.02, 0.02, 0.02] as const,
      hinge: { kind: "revolute" as const, axis },
    })),
  ],
});
const DIRECTION = (i: number, sign: number): [number, number, number] =>
  [0, 1, 2].map((k) => (k === i ? sign : 0)) as [number, number, number];
const thrusters = JETS.map(({ name, i, sign }) => ({ thruster: name, frame: name, direction: DIRECTION(i, sign), limit: 0.4 }));

describe("desaturation", () => {
  const forces = [
    motors.create("motors", { hinge: WHEELS }, satellite),
    ...JETS.map(({ name, i, sign }) =>
      thruster.create(name, { frame: name, direction: DIRECTION(i, sign), limit: 0.4 }, satellite),
    ),
  ];
  const controllers = [
    readController(
      "resolved-acceleration",
      "attitude",
      { motors: "motors", hinges: WHEELS, tasks: [{ frame: "base", parts: ["rx", "ry", "rz"], kp: 1, kd: 2 }] },
      satellite,
    ),
    readController(
      "wheel-desaturation",
      "dump",
      { period: 0.1, hinges: WHEELS, thrusters, start: 1.5, stop: 0.05, gain: 0.1 },
      satellite,
    ),
  ];
  const system = createSystem(satellite, forces);
  const u = new Float64Array(satellite.nu);
  u.set([100, -60, 80], 6); // 2, -1.2 and 1.6 N m s
  const channels = ["q.*", "u.*", "momentum.*", "dump.*", "held.*"];
  const { log } = simulate(system, system.start({ q: homeOf(satellite), u }), {
    ...{ duration: 80, integrator: INTEGRATORS.rk4, settings: { step: 0.02 }, sample: 0.1 },
    ...{ controllers, channels, tolerances: { energy: 1e-3 } },
  });
  const last = (name: string): number => log.column(name).at(-1)!;

  it("removes the momentum, and stops", () => {
    expect(log.column("dump.firing")[1]).toBe(1);
    expect(last("dump.firing")).toBe(0);
    expect(last("dump.momentum")).toBeLessThan(0.06); // the wheels still absorb the remaining rotation
    // The momentum has left the machine, because thrusters act from outside.
    const total = (k: number): number => Math.hypot(...AXES.map((a) => log.column(`momentum.angular.${a}`)[k]!));
    expect(total(0)).toBeGreaterThan(2.5);
    expect(total(log.length - 1)).toBeLessThan(0.1);
  });

  it("holds the attitude, with thrusts within limits and no net force", () => {
    for (const part of ["qx", "qy", "qz"])
      for (const value of log.column(`q.base.${part}`)) expect(Math.abs(value)).toBeLessThan(0.01);
    for (const { name } of JETS)
      for (const value of log.column(`held.${name}.thrust`)) {
        expect(value).toBeGreaterThanOrEqual(0);
        expect(value).toBeLessThanOrEqual(0.4);
      }
    expect(last("dump.impulse")).toBeGreaterThan(1);
    for (const a of AXES) expect(Math.abs(last(`momentum.linear.${a}`))).toBeLessThan(0.05 * last("dump.impulse"));
  });
});

it("reports problems", () => {
  const create = (more: object) => () =>
    CONTROLLERS["wheel-desaturation"].create(
      "d",
      { hinges: WHEELS, thrusters, start: 1, stop: 0.1, ...more } as never,
      satellite,
    );
  expect(create({})).not.toThrow();
  expect(create({ stop: 2 })).toThrow("d.stop: must be less than start");
  expect(create({ thrusters: [] })).toThrow("at least one thruster");
  expect(create({ hinges: "base.wx" })).toThrow("base.wx is not a hinge of the robot");
});

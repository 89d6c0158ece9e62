import { describe, expect, it } from "vitest";
import { biasForce } from "../../../../src/dynamics/programs.ts";
import { compile } from "../../../../src/kernel/run/kernel.ts";
import { createModel } from "../../../../src/model/build/create-model.ts";
import type { ModelDescription } from "../../../../src/model/description.ts";
import { homeOf, type Model } from "../../../../src/model/model.ts";
import {
  type DescriptionWithDevices,
  withCmgs,
  withReactionWheels,
} from "../../../../src/parts/force/devices/reaction-wheels.ts";
import { readForce } from "../../../../src/parts/force/forces.ts";
import { drift, runFor } from "../../../fixtures/force-run.ts";

const HULL: ModelDescription = {
  name: "hull",
  bodies: [
    {
      name: "hull",
      mass: 100,
      inertia: [20, 30, 40],
      hinge: { kind: "free", name: "base" },
      frames: { bay: { at: [0.2, 0, 0], rotation: { rpy: [0, Math.PI / 2, 0] } } },
    },
  ],
};
const ROTOR = { mass: 2, spinInertia: 0.02, transverseInertia: 0.011 };

const motors = ({ forces }: DescriptionWithDevices, model: Model, more: object = {}) =>
  forces.map((f) => readForce(f.kind, f.name, { ...f.parameters, ...(f.kind === "actuator" && more) }, model));

const startOf = ({ speeds }: DescriptionWithDevices, model: Model): Float64Array => {
  const u = new Float64Array(model.nu);
  for (const { hinge } of model.bodies) u[hinge.u] = speeds[hinge.name] ?? 0;
  return u;
};

describe("reaction wheels", () => {
  it("accelerate the hull by the reaction torque: J ω̇ = -torque, s (ω̇ + Ω̇) = torque", () => {
    const equipped = withReactionWheels(HULL, [{ name: "rw", on: "hull", axis: "z", ...ROTOR, torqueLimit: 0.5 }]);
    const model = createModel(equipped.description);
    expect(model.nu).toBe(7);
    const end = runFor(model, motors(equipped, model, { schedule: [[0, 0.3]] }), 4);
    expect(end.u[2]).toBeCloseTo((-0.3 * 4) / 40, 11);
    expect(end.u[6]).toBeCloseTo((0.3 * 4) / 0.02 + (0.3 * 4) / 40, 8);
    expect(drift(end.run, "energy")).toBeLessThan(1e-10);
  });

  it("four in a pyramid on a tumbling hull conserve momentum and energy", () => {
    const axes = [1, 3, 5, 7].map((k) => [Math.cos((k * Math.PI) / 4), Math.sin((k * Math.PI) / 4), 0.7] as const);
    const wheels = axes.map((axis, i) => ({
      name: `rw${i}`,
      on: "bay",
      at: [0.1 * i, 0.05, 0] as const,
      axis,
      speed: 100 - 60 * i,
      ...ROTOR,
    }));
    const equipped = withReactionWheels(HULL, wheels);
    const model = createModel(equipped.description);
    expect(model.bodies.map((b) => b.mass).reduce((a, b) => a + b)).toBe(108);
    const u = startOf(equipped, model);
    u.set([0.2, -0.1, 0.3]);
    const end = runFor(
      model,
      motors(equipped, model, {
        schedule: [
          [0, 0.1],
          [2, -0.2],
        ],
      }),
      5,
      { u: [...u] },
    );
    expect(drift(end.run, "energy")).toBeLessThan(1e-9);
    expect(drift(end.run, "angular momentum")).toBeLessThan(1e-10);
    expect(drift(end.run, "linear momentum")).toBeLessThan(1e-10);
  });

  it("axis and position are relative to the frame; invalid wheels are refused by name", () => {
    const { description } = withReactionWheels(HULL, [{ name: "rw", on: "bay", at: [0, 0, 0.3], ...ROTOR }]);
    const { onParent } = createModel(description).bodies[1]!.hinge;
    for (const [i, v] of [0.5, 0, 0].entries()) expect(onParent.p[i]).toBeCloseTo(v, 14);
    expect(onParent.R.map((row) => row[2])).toEqual([1, 0, 0]);
    const wrong = (wheel: object) => () => withReactionWheels(HULL, [{ name: "rw", on: "hull", ...ROTOR, ...wheel }]);
    expect(wrong({ mass: -1 })).toThrow(/devices\[0\]\.mass: must be positive, got -1/);
    expect(wrong({ on: "hul" })).toThrow(/Did you mean "hull"/);
    expect(wrong({ spin: 1 })).toThrow(/unknown key/);
    expect(wrong({ name: "hull" })).toThrow(/the name is taken/);
  });
});

describe("control moment gyros", () => {
  const gyro = {
    name: "cmg",
    on: "hull",
    gimbalAxis: "z",
    spinAxis: "x",
    ...ROTOR,
    gimbalMass: 1,
    gimbalInertia: [0.01, 0.01, 0.01],
    speed: 300,
    speedGain: 0.1,
  } as const;

  it("torque the hull by gimbal rate times spin momentum", () => {
    const model = createModel(withCmgs(HULL, [gyro]).description);
    const kernel = compile(biasForce(model));
    const rate = 0.7;
    const u = [0, 0, 0, 0, 0, 0, rate, 300];
    kernel.x.set([...homeOf(model), ...u]);
    kernel.evaluate();
    // Holding the hull at rest takes d/dt of h = s Ω x̂, which the gimbal rotates about z: rate ẑ × h, along y.
    const [tx, ty, tz] = kernel.y;
    expect(tx).toBeCloseTo(0, 12);
    expect(ty).toBeCloseTo(rate * 0.02 * 300, 12);
    expect(tz).toBeCloseTo(0, 12);
  });

  it("conserve momentum and energy while they slew the hull", () => {
    const equipped = withCmgs(HULL, [gyro, { ...gyro, name: "second", gimbalAxis: [0, 1, 0], spinAxis: "z" }]);
    const model = createModel(equipped.description);
    const u = startOf(equipped, model);
    const end = runFor(
      model,
      motors(equipped, model, {
        schedule: [
          [0, 0.02],
          [1, -0.02],
          [2, 0],
        ],
      }),
      3,
      { u: [...u] },
    );
    expect(Math.hypot(end.u[0]!, end.u[1]!, end.u[2]!)).toBeGreaterThan(1e-3);
    expect(drift(end.run, "energy")).toBeLessThan(1e-9);
    expect(drift(end.run, "angular momentum")).toBeLessThan(1e-10);
    expect(() => withCmgs(HULL, [{ ...gyro, spinAxis: "z" }])).toThrow(/right angles/);
  });
});

/** Accelerometers: the specific force, acceleration less gravity, in the axes of a body or frame. */
import { describe, expect, it } from "vitest";
import { createModel } from "../../../src/model/build/create-model.ts";
import type { Model } from "../../../src/model/model.ts";
import { createSystem } from "../../../src/sim/create-system.ts";
import { INTEGRATORS } from "../../../src/sim/integrators/index.ts";
import { simulate } from "../../../src/sim/run/simulate.ts";

const G = 9.81;

/** Channels of a free motion, by name. */
function recorded(model: Model, q: readonly number[], u: readonly number[]): (name: string) => Float64Array {
  const system = createSystem(model, []);
  const state = system.start({ q: Float64Array.from(q), u: Float64Array.from(u) });
  const { log } = simulate(system, state, { duration: 2, sample: 0.01, integrator: INTEGRATORS.dop853, channels: ["*"] });
  return (name) => log.column(name);
}

describe("accelerometers", () => {
  it("on a pendulum: centripetal and tangential parts, and gravity along the rod and across it", () => {
    const pendulum = createModel({
      name: "pendulum",
      gravity: [0, 0, -G],
      bodies: [
        {
          ...{ name: "rod", mass: 2, com: [0, 0, -0.5], inertia: [0.2, 0.2, 0.01] },
          hinge: { kind: "revolute", axis: "y" },
          frames: { tip: { at: [0, 0, -1.2] } },
        },
      ],
    });
    const column = recorded(pendulum, [0.7], [1.5]);
    const [angle, rate] = [column("q.rod"), column("u.rod")];
    const [x, y, z] = ["x", "y", "z"].map((axis) => column(`accelerometer.tip.${axis}`)) as [
      Float64Array,
      Float64Array,
      Float64Array,
    ];
    for (const [k, phi] of angle.entries()) {
      const alpha = (-2 * G * 0.5 * Math.sin(phi)) / (0.2 + 2 * 0.25);
      expect(x[k]).toBeCloseTo(-1.2 * alpha - G * Math.sin(phi), 9);
      expect(y[k]).toBeCloseTo(0, 9);
      expect(z[k]).toBeCloseTo(1.2 * rate[k]! ** 2 + G * Math.cos(phi), 9);
      expect(column("acceleration.tip.x")[k]).toBeCloseTo(-1.2 * alpha, 9);
    }
  });

  it("at rest it shows the reaction to gravity, in free fall nothing, on a tumbling body the centripetal part alone", () => {
    const falling = createModel({
      name: "falling",
      gravity: [0.3, -1, -G],
      bodies: [
        { name: "ball", mass: 3, inertia: [2, 2, 2], hinge: { kind: "free" }, frames: { edge: { at: [0.5, 0, 0] } } },
        { name: "table", mass: 1, inertia: [1, 1, 1], hinge: { kind: "fixed", rotation: { rpy: [Math.PI / 2, 0, 0] } } },
      ],
    });
    const column = recorded(falling, [1, 0, 0, 0, 0, 0, 0], [0, 0, 3, 1, 2, 3]);
    const last = (name: string): number => column(name).at(-1)!;
    for (const axis of ["x", "y", "z"]) expect(last(`accelerometer.ball.${axis}`)).toBeCloseTo(0, 12);
    expect(last("accelerometer.edge.x")).toBeCloseTo(-0.5 * 9, 9);
    expect(last("accelerometer.edge.y")).toBeCloseTo(0, 9);
    // The table is turned by 90 degrees about x: its y axis points up, its z axis along -y of the world.
    expect(last("accelerometer.table.x")).toBeCloseTo(-0.3, 12);
    expect(last("accelerometer.table.y")).toBeCloseTo(G, 12);
    expect(last("accelerometer.table.z")).toBeCloseTo(-1, 12);
    expect(last("acceleration.table.y")).toBe(0);
  });
});

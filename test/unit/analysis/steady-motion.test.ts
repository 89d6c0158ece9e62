/** Steady motions by Newton's method: a conical pendulum in closed form, and the rover on slopes with the reference equilibria. */
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { steadyMotion } from "../../../src/analysis/steady-motion.ts";
import { DivergenceError } from "../../../src/errors.ts";
import { parseModel } from "../../../src/formats/model-file.ts";
import { createModel } from "../../../src/model/build/create-model.ts";
import { describeModel } from "../../../src/model/build/describe-model.ts";
import { readForce } from "../../../src/parts/force/forces.ts";
import { createSystem } from "../../../src/sim/create-system.ts";

const reference = JSON.parse(readFileSync(new URL("../../data/rover.json", import.meta.url), "utf8"));
const rover = parseModel(readFileSync(new URL("../../../scenarios/rover-flat/model.yaml", import.meta.url), "utf8"));
const WHEELS = ["fl", "fr", "rl", "rr"] as const;

describe("steady motions", () => {
  it("a driven turntable holds its pendulum at tan α = ω² r / g", () => {
    const model = createModel({
      name: "conical",
      gravity: [0, 0, -9.81],
      bodies: [
        { name: "table", mass: 1, inertia: [1, 1, 1], hinge: { kind: "revolute", axis: "z" } },
        {
          name: "bob",
          parent: "table",
          mass: 2,
          com: [0, 0, -0.5],
          inertia: "none",
          hinge: { kind: "revolute", axis: "y", at: [0.3, 0, 0] },
        },
      ],
    });
    const drive = readForce("servo", "drive", { hinge: "table", kd: 5, speed: 3 }, model);
    const system = createSystem(model, [drive]);
    const start = system.start({ inputs: { "drive.speed": 3 } });
    const { state, residual } = steadyMotion(system, start, { cyclic: ["table"] });
    const { y } = state;
    const angle = -y[1]!;
    expect(residual).toBeLessThan(1e-10);
    expect(y[2]).toBeCloseTo(3, 9);
    expect(Math.tan(angle)).toBeCloseTo((9 * (0.3 + 0.5 * Math.sin(angle))) / 9.81, 9);
    expect(() => steadyMotion(system, system.start(), { cyclic: ["tabel"] })).toThrow(/no speed named "tabel".*table/s);
  });

  it("a search without end is a divergence, not a singular matrix", () => {
    const model = createModel({
      name: "falling",
      gravity: [0, 0, -9.81],
      bodies: [{ name: "stone", mass: 1, inertia: "none", hinge: { kind: "prismatic", axis: "z" } }],
    });
    const search = () => steadyMotion(createSystem(model, []), createSystem(model, []).start(), { cyclic: ["stone"] });
    expect(search).toThrow(DivergenceError);
    expect(search).toThrow(/no steady motion found from this state after 60 steps: rates of 9\.81e\+0 are left/);
  });

  it.each(
    reference.steady_slope_equilibrium as readonly {
      alpha_deg: number;
      g: number;
      slip: number;
      h_front: number;
      h_rear: number;
    }[],
  )("the rover on a slope of $alpha_deg degrees under $g m/s²: slip within 1e-6", ({ alpha_deg, g, slip, h_front, h_rear }) => {
    const a = (alpha_deg * Math.PI) / 180;
    const model = createModel({ ...describeModel(rover), gravity: [-g * Math.sin(a), 0, -g * Math.cos(a)] });
    const force = (kind: string, name: string, parameters: object) => readForce(kind, name, parameters, model);
    const system = createSystem(model, [
      ...WHEELS.map((w) => force("wheel-on-soil", `soil-${w}`, { wheel: `wheel-${w}`, radius: 0.09, width: 0.11 })),
      ...WHEELS.map((w) => force("servo", `steering-${w}`, { hinge: `steer-${w}`, kp: 200, kd: 10 })),
      ...WHEELS.map((w) => force("servo", `motor-${w}`, { hinge: `wheel-${w}`, kd: 2, ki: 40 })),
      ...["l", "r"].map((s) => force("hinge-spring", `damper-${s}`, { hinge: `rocker-${s}`, damping: 1 })),
    ]);
    const rim = 0.05;
    const start = system.start({ inputs: Object.fromEntries(WHEELS.map((w) => [`motor-${w}.speed`, rim / 0.09])) });
    const y0 = start.y;
    y0[6] = 0.29 - (g > 5 ? 0.018 : 0.006);
    y0[17 + 3] = 0.9 * rim;
    for (let i = 0; i < 4; i++) y0[17 + 12 + i] = rim / 0.09;
    const { state } = steadyMotion(system, start, { cyclic: ["base.vx", "base.vy", ...WHEELS.map((w) => `wheel-${w}`)] });
    const { y } = state;
    expect(y[17 + 12]! * 0.09).toBeCloseTo(rim, 10);
    const found = system.observe(state).channels;
    const channel = (name: string): number => found[system.channels.findIndex((c) => c.name === name)]!;
    expect(Math.abs(channel("soil-fl.slip") - slip)).toBeLessThan(1e-6);
    expect(Math.abs(channel("soil-fl.sinkage") - h_front)).toBeLessThan(1e-7);
    expect(Math.abs(channel("soil-rr.sinkage") - h_rear)).toBeLessThan(1e-7);
  });
});

/** Ruts: the law of compacted soil, the sparse grid, and rovers whose rear wheels roll in the ruts of the front wheels. */
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { RutField } from "../../../src/ground/ruts.ts";
import { SOILS } from "../../../src/ground/soil.ts";
import { sinkageUnder, steadyPull } from "../../../src/ground/wheel-bench.ts";
import { WheelOnSoil } from "../../../src/ground/wheel-soil.ts";
import { createModel } from "../../../src/model/build/create-model.ts";
import { readForce } from "../../../src/parts/force/forces.ts";
import { loadScenario } from "../../../src/scenario/load.ts";
import { diskFiles } from "../../../src/scenario/node-files.ts";
import { runScenario } from "../../../src/scenario/run.ts";
import type { Scenario } from "../../../src/scenario/scenario.ts";
import { createSystem } from "../../../src/sim/create-system.ts";
import { workspaceOf } from "../../fixtures/workspace.ts";

const SOIL = SOILS["lunar-simulant"];
const SHAPE = { radius: 0.09, width: 0.11 };
const LOAD = 64.68;
const G = 9.81;

describe("soil compacted by an earlier wheel", () => {
  const wheel = new WheelOnSoil(SOIL, SHAPE, G);

  it("the rut is the depth reached minus the elastic rebound p_u / k_u", () => {
    for (const before of [0.005, 0.015, 0.03]) {
      const p = (SOIL.kc / SHAPE.width + SOIL.kphi) * before;
      expect(wheel.rutDepth(before)).toBeCloseTo(before - p / (SOIL.reload * before), 14);
    }
    expect(wheel.rutDepth(0)).toBe(0);
    expect(wheel.rutDepth(0.0005)).toBe(0); // the reloading line would be softer than fresh soil: no rut is left
  });

  it("a standing wheel is carried along the reloading line until it is as deep as before, then by fresh soil", () => {
    const before = 0.015;
    const [K, ku] = [SOIL.kc / SHAPE.width + SOIL.kphi, SOIL.reload * before];
    const rut = before - (K * before) / ku;
    /** ∫ p dx over the chord of the wheel in the rut by summation; a standing wheel has no shear. */
    const carried = (h: number): number => {
      const half = Math.acos(1 - (h - rut) / SHAPE.radius);
      const N = 20000;
      let sum = 0;
      for (let k = 0; k < N; k++) {
        const theta = -half + (2 * half * (k + 0.5)) / N;
        const z = rut + SHAPE.radius * (Math.cos(theta) - Math.cos(half));
        sum += Math.min(ku * (z - rut), K * z) * Math.cos(theta);
      }
      return (sum * SHAPE.radius * SHAPE.width * 2 * half) / N;
    };
    for (const h of [rut + 0.0005, before, before + 0.001, before + 0.008]) {
      const { fz } = wheel.evaluate(h, 0, 0, 0, 0, 0, before);
      expect(Math.abs(fz / carried(h) - 1)).toBeLessThan(1e-6);
    }
    expect(wheel.evaluate(rut - 1e-4, 0, 0, 0, 0, 0, before).fz).toBe(0);
  });

  it("a second wheel with the same load sinks only a little deeper, and has less rolling resistance", () => {
    const first = steadyPull(LOAD, SOIL, SHAPE, G);
    const second = steadyPull(LOAD, SOIL, SHAPE, G, 0, first.sinkage);
    const rut = wheel.rutDepth(first.sinkage);
    expect(second.sinkage).toBeGreaterThan(first.sinkage);
    expect(second.sinkage - rut).toBeLessThan(0.6 * first.sinkage);
    // Towed without torque: the resistance is smaller.
    const resistance = (before: number): number => {
      const torqueless = (slip: number) => {
        const h = sinkageUnder(LOAD, wheel, SHAPE, slip, 0, 0.05, before);
        return wheel.evaluate(h, 0, 0.05, 0, (1 + slip) * 0.05, 0, before);
      };
      let [low, high] = [-0.9, 0];
      for (let k = 0; k < 60; k++) {
        const middle = (low + high) / 2;
        if (torqueless(middle).torque < 0) low = middle;
        else high = middle;
      }
      return -torqueless(low).fx;
    };
    expect(resistance(0)).toBeGreaterThan(2);
    expect(resistance(first.sinkage)).toBeLessThan(0.7 * resistance(0));
  });
});

describe("the grid of ruts", () => {
  it("contains the track of a wheel over its width, without gaps, and nothing else", () => {
    const field = new RutField(0.02);
    expect(field.isEmpty).toBe(true);
    for (let x = -1; x <= 1; x += 0.13) expect(field.recordPass("a", x, 0.5 * x, -0.447, 0.894, 0.1, 0.01)).toBe(true);
    for (let x = -0.9; x < 0.85; x += 0.0171) {
      expect(field.depthAt(x, 0.5 * x)).toBeCloseTo(0.01, 7);
      expect(field.depthAt(x - 0.1, 0.5 * x + 0.2)).toBe(0);
    }
    field.recordPass("b", 0, 0, 0, 1, 0.1, 0.004);
    expect(field.depthAt(0, 0)).toBeCloseTo(0.01, 7); // the greatest depth stays
    field.recordPass("b", 0, 0, 0, 1, 0.1, 0.03);
    expect(field.depthAt(0.01, 0.01)).toBeGreaterThan(0.015);
    field.clear();
    expect(field.depthAt(0, 0)).toBe(0);
  });
});

const FOLDER = "scenarios/rover-flat";
const load = (changes: Readonly<Record<string, unknown>>): Scenario =>
  loadScenario(readFileSync(`${FOLDER}/scenario.yaml`, "utf8"), "rover-flat", {
    files: diskFiles(FOLDER, { names: [], path: String }),
    overrides: Object.entries({ plots: [], ...changes }).map(([path, value]) => ({ path, value, from: "test" })),
  });

describe("a rover that leaves tracks", () => {
  it("rear wheels roll in the ruts of the front wheels, sink less and need less torque; repeated runs are identical", async () => {
    const changes = {
      duration: 6,
      sample: 0.5,
      channels: ["ground-*"],
      "integrator.step": 0.001,
      "controllers.driver.speed": [
        [0, 0],
        [0.5, 0.15],
      ],
    };
    const scenario = load({ ...changes, ruts: { cell: "2 cm" } });
    const [bare, one, two] = [await runScenario(load(changes)), await runScenario(scenario), await runScenario(scenario)];
    const last = ({ run }: typeof one, channel: string): number => run.log.column(channel).at(-1)!;
    expect(one.failure).toBeUndefined();
    // 0.15 m/s for 5.5 s: the rear wheels, 0.6 m behind, are in the ruts; the front wheels are on fresh soil.
    expect(last(one, "ground-fl.rut")).toBe(0);
    const rut = last(one, "ground-rl.rut");
    expect(rut).toBeGreaterThan(0.01);
    expect(rut).toBeLessThan(last(one, "ground-fl.sinkage"));
    expect(last(one, "ground-rl.sinkage") - rut).toBeLessThan(0.6 * last(bare, "ground-rl.sinkage"));
    expect(last(one, "ground-rl.torque")).toBeLessThan(last(bare, "ground-rl.torque"));
    expect(one.run.audit.every((row) => row.worst <= row.tolerance)).toBe(true);
    for (const { name } of one.run.log.channels) expect(two.run.log.column(name)).toEqual(one.run.log.column(name));
  });

  it.each(["mars-analogue", "dry-sand"])("drives on %s, left and right alike, from fresh soil into its ruts", async (soil) => {
    const wheels = ["fl", "fr", "rl", "rr"];
    const { run, failure } = await runScenario(
      load({
        duration: 14,
        sample: 0.1,
        channels: ["ground-*"],
        ruts: { cell: 0.02 },
        ...Object.fromEntries(wheels.map((wheel) => [`forces.ground-${wheel}.soil`, soil])),
      }),
    );
    expect(failure).toBeUndefined();
    expect(run.t).toBe(14);
    const column = (wheel: string, channel: string): Float64Array => run.log.column(`ground-${wheel}.${channel}`);
    expect(column("rl", "rut").at(-1)).toBeGreaterThan(0.8 * column("fl", "sinkage").at(-1)!);
    for (const [left, right] of [
      ["fl", "fr"],
      ["rl", "rr"],
    ] as const)
      for (const [k, load] of column(left, "load").entries()) {
        expect(load).toBeGreaterThan(0);
        expect(Math.abs(load - column(right, "load")[k]!)).toBeLessThan(1e-8);
      }
  });

  it("grousers dig in a run as on the bench: their depth is a state, constant in steady slip, and carries no load", () => {
    const model = createModel({
      name: "wheel",
      gravity: [0, 0, -G],
      bodies: [
        { name: "wheel", mass: 6, inertia: [0.013, 0.025, 0.013], hinge: { kind: "general", freedoms: ["x", "z", "ry"] } },
      ],
    });
    const soil = readForce("wheel-on-soil", "soil", { wheel: "wheel", axle: "y", ...SHAPE, grouser: 0.01 }, model);
    const system = createSystem(model, [soil]);
    const slip = 0.6;
    const { y } = system.start({ q: [0, 0.06, 0], u: [0.05 * (1 - slip), 0, 0.05 / 0.09] });
    const workspace = workspaceOf(system);
    const [ydot, dug] = [new Float64Array(y.length), (0.01 * slip) / (1 - slip)];
    const at = (depth: number): { rate: number; load: number; pull: number } => {
      y[6] = depth;
      workspace.problem.derivative(0, y, ydot);
      const seen = workspace.observe(0, y).channels;
      const channel = (name: string): number => seen[system.channels.findIndex((c) => c.name === name)]!;
      expect(channel("soil.dug")).toBe(depth);
      return { rate: ydot[6]!, load: channel("soil.load"), pull: channel("soil.pull") };
    };
    expect(at(0).rate).toBeCloseTo((0.01 * 0.05 * slip) / 0.09, 12);
    expect(Math.abs(at(dug).rate)).toBeLessThan(1e-15);
    const wheel = new WheelOnSoil(SOIL, SHAPE, G);
    const bare = wheel.evaluate(0.03 - dug, 0, 0.05 * (1 - slip), 0, 0.05);
    expect(at(dug).load).toBeCloseTo(bare.fz, 9);
    expect(at(dug).pull).toBeGreaterThan(bare.fx);
  });

  it("only accepted steps leave ruts, and a wheel that rolls back is in its own rut", () => {
    const model = createModel({
      name: "wheel",
      gravity: [0, 0, -G],
      bodies: [
        { name: "wheel", mass: 6, inertia: [0.013, 0.025, 0.013], hinge: { kind: "general", freedoms: ["x", "z", "ry"] } },
      ],
    });
    const soil = readForce("wheel-on-soil", "soil", { wheel: "wheel", axle: "y", ...SHAPE }, model, {
      ruts: () => new RutField(0.02),
    });
    const system = createSystem(model, [soil]);
    const channel = system.channels.findIndex(({ name }) => name === "soil.rut");
    const at = (x: number, speed: number): Float64Array => system.start({ q: [x, 0.075, 0], u: [speed, 0, speed / 0.09] }).y;
    const workspace = workspaceOf(system);
    const rutAt = (x: number, speed: number): number => workspace.observe(0, at(x, speed)).channels[channel]!;
    const ydot = new Float64Array(at(0, 0).length);
    for (let x = -0.5; x < 0.5; x += 0.01) workspace.problem.derivative(0, at(x, 0.05), ydot); // trial evaluations
    expect(rutAt(0, 0.05)).toBe(0);
    for (let x = -0.5; x <= 0; x += 0.005) {
      workspace.accept(0, at(x, 0.05));
      expect(rutAt(x, 0.05)).toBe(0); // fresh soil ahead, its own rut behind
    }
    const rut = rutAt(0, -0.05);
    expect(rut).toBeGreaterThan(0.01);
    expect(rutAt(0, 0)).toBeCloseTo(rut / 2, 2);
    expect(rutAt(-0.3, 0.05)).toBeCloseTo(rut, 9); // another wheel on the same path
    workspace.enter(system.start());
    expect(rutAt(-0.3, 0.05)).toBe(0);
  });
});

/** Rovers in motion and at rest: energy balance, conservation of momentum in free flight, loads of six wheels, rockers on springs. */
import { describe, expect, it } from "vitest";
import { steadyMotion } from "../../src/analysis/steady-motion.ts";
import { createModel } from "../../src/model/build/create-model.ts";
import { describeModel } from "../../src/model/build/describe-model.ts";
import { readForce } from "../../src/parts/force/forces.ts";
import { runScenario } from "../../src/scenario/run.ts";
import type { Scenario } from "../../src/scenario/scenario.ts";
import { createSystem } from "../../src/sim/create-system.ts";
import type { System } from "../../src/sim/system/system.ts";
import { rover } from "../fixtures/models/rovers.ts";

const EVERYTHING = "channels=[q.*,u.*,energy.*,momentum.*]";

const FIXED = "integrator={name: rk4, step: 0.0005}";
const PIT = "terrain={pit: {kind: crater, radius: 0.5, x: 0.85, y: 0.1}}";
const CROSSING = ["state.onGround=base", "controllers.driver.speed=[[0,0],[0.5,0.2]]"];

/** Largest error of the energy balance at any sample, and the total exchanged energy, J. */
async function powerOf(name: string, ...sets: readonly string[]): Promise<{ worst: number; exchanged: number }> {
  const { run } = await runScenario(rover(name, "duration=3", "sample=0.05", EVERYTHING, ...sets));
  const [kinetic, potential, dissipated, supplied] = ["kinetic", "potential", "dissipated", "supplied"].map((part) =>
    run.log.column(`energy.${part}`),
  ) as [Float64Array, Float64Array, Float64Array, Float64Array];
  const balance = (k: number): number => supplied[k]! - dissipated[k]! - kinetic[k]! - potential[k]!;
  let worst = 0;
  for (let k = 0; k < run.log.length; k++) worst = Math.max(worst, Math.abs(balance(k) - balance(0)));
  return { worst, exchanged: Math.abs(supplied.at(-1)!) + dissipated.at(-1)! };
}

describe("energy balance: the work of the motors is gained energy and heat in the soil", () => {
  it.each([
    ["on level soil", "rover-flat", []],
    ["up a slope, rolling back at first", "rover-slope", []],
    ["the same in fixed steps", "rover-slope", [FIXED]],
    ["down a slope, braking", "rover-slope", ["terrain.slope.slope=-12 deg"]],
    ["across a slope, crabbing", "rover-side-slope", ["controllers.driver.authority=[[1,0],[1.5,1]]"]],
    ["the same in fixed steps", "rover-side-slope", [FIXED, "controllers.driver.authority=[[1,0],[1.5,1]]"]],
    ["steering", "rover-steer", ["controllers.driver.front=[[1,0],[2,20 deg]]"]],
    ["on six wheels, on the Moon", "rover-six-wheel", ["model.gravity=moon", "controllers.driver.curvature=[[1,0],[2,0.5]]"]],
    ["with rockers on springs, on Mars", "rover-springs", ["model.gravity=mars", "terrain.bump.x=0.75"]],
    ["over the sharp rim of a crater", "rover-flat", [PIT, ...CROSSING]],
    ["guided among craters and rocks", "rover-traverse", ["duration=25"]],
  ] as const)("%s", async (_what, name, sets) => {
    const { worst, exchanged } = await powerOf(name, ...sets);
    expect(exchanged).toBeGreaterThan(0.2);
    expect(worst / exchanged).toBeLessThan(1e-6);
  });

  it.each([
    ["across 10 degrees", "rover-side-slope", []],
    ["across 10 degrees, in fixed steps", "rover-side-slope", [FIXED]],
    ["across 18 degrees on the Moon", "rover-side-slope", ["terrain.slope.slope=18 deg", "model.gravity=moon"]],
    ["up 15 degrees", "rover-slope", []],
    ["on six wheels, across 8 degrees", "rover-six-wheel", ["terrain={slope: {kind: plane, slope: 8 deg, azimuth: 70 deg}}"]],
  ] as const)("parked %s, where it slides slowly, to 1e-6 J", async (_what, name, sets) => {
    const steering = name === "rover-side-slope" ? ["controllers.driver.authority=[[10,0]]"] : [];
    const { worst } = await powerOf(name, ...sets, ...steering, "controllers.driver.speed=[[0,0]]", "duration=1");
    expect(worst).toBeLessThan(1e-6);
  });
});

it("in free flight no external force acts: momenta are constant while wheels spin up and steer", async () => {
  const sets = ["model.gravity=[0,0,0]", "terrain.plain.height=-100", "state.u.base=[0.3,-0.2,0.4,0.1,0.2,-0.05]"];
  const steered = ["controllers.driver.front=[[0.5,0],[1,30 deg]]", "controllers.driver.speed=[[0,0],[1,0.5]]"];
  const { run } = await runScenario(rover("rover-steer", FIXED, "duration=3", "sample=0.1", EVERYTHING, ...sets, ...steered));
  expect(Math.max(...run.log.column("u.wheel-fl"))).toBeGreaterThan(5);
  for (const kind of ["linear", "angular"])
    for (const axis of ["x", "y", "z"]) {
      const column = run.log.column(`momentum.${kind}.${axis}`);
      expect(Math.max(...column) - Math.min(...column), `${kind} ${axis}`).toBeLessThan(1e-10);
    }
});

/** Equilibrium, found without time integration. */
function atRest(system: System, height: number): (channel: string) => number {
  const start = system.start();
  start.y[6] = height;
  const { state } = steadyMotion(system, start, { cyclic: [] });
  const { y } = state;
  const seen = system.observe(state).channels;
  return (name) => {
    const at = system.channels.findIndex((c) => c.name === name);
    return at >= 0 ? seen[at]! : y[system.model.bodies.find((b) => b.hinge.name === name)!.hinge.q]!;
  };
}

describe("six wheels", () => {
  it.each(["earth", "mars", "moon"])("carry equal loads on level soil, on %s", (world) => {
    const { model, forces }: Scenario = rover("rover-six-wheel", `model.gravity=${world}`, "terrain={plain: {kind: plane}}");
    expect([model.nu, model.loops.length]).toEqual([20, 1]);
    const found = atRest(createSystem(model, forces), 0.32 - 0.005);
    const weight = model.bodies.reduce((m, b) => m + b.mass, 0) * -model.gravity[2];
    for (const wheel of ["fl", "fr", "ml", "mr", "rl", "rr"])
      expect(Math.abs((6 * found(`ground-${wheel}.load`)) / weight - 1), wheel).toBeLessThan(1e-6);
  });

  it("the differential gives the body the mean of both rockers, over a bump on one side", async () => {
    const { run } = await runScenario(
      rover("rover-six-wheel", "duration=4", "sample=0.1", "terrain.left.x=0.98", "controllers.driver.speed=[[0,0],[0.5,0.2]]"),
    );
    const [l, r] = [run.log.column("q.rocker-l"), run.log.column("q.rocker-r")];
    expect(Math.max(...l.map(Math.abs))).toBeGreaterThan(0.05);
    for (let k = 0; k < l.length; k++) expect(Math.abs(l[k]! + r[k]!)).toBeLessThan(1e-12);
    for (const wheel of ["fl", "fr", "ml", "mr", "rl", "rr"])
      expect(Math.min(...run.log.column(`ground-${wheel}.load`)), wheel).toBeGreaterThan(20);
  });
});

it("rockers on springs: a body parked uphill leans back until k (θ + θ) = m g h sin(pitch)", () => {
  const [slope, k] = [0.15, 200];
  const g = 9.81;
  const { model: full } = rover("rover-flat");
  const { loops: _differential, ...description } = describeModel(full);
  const model = createModel({ ...description, gravity: [-g * Math.sin(slope), 0, -g * Math.cos(slope)] });
  const force = (kind: string, name: string, parameters: object) => readForce(kind, name, parameters, model);
  const wheels = ["fl", "fr", "rl", "rr"];
  const system = createSystem(model, [
    ...wheels.map((w) =>
      force("wheel-on-ground", `on-${w}`, { wheel: `wheel-${w}`, radius: 0.09, bristle: 2e4, bristleDamping: 50 }),
    ),
    ...wheels.map((w) => force("servo", `steering-${w}`, { hinge: `steer-${w}`, kp: 200, kd: 10 })),
    ...wheels.map((w) => force("servo", `motor-${w}`, { hinge: `wheel-${w}`, kp: 500, kd: 2 })),
    ...["l", "r"].map((s) => force("hinge-spring", `spring-${s}`, { hinge: `rocker-${s}`, stiffness: k, damping: 1 })),
  ]);
  const start = system.start();
  start.y[6] = 0.285;
  const { y } = steadyMotion(system, start, { cyclic: [] }).state;
  const angle = (name: string): number => y[model.bodies.find((b) => b.name === name)!.hinge.q]!;
  const turned = angle("rocker-l") + angle("rocker-r"); // static friction may share the load unevenly between the sides
  const pitch = slope - 2 * Math.asin(y[2]!); // of the ground plus that of the body: nose up is a rotation about -y
  expect(turned).toBeGreaterThan(0.002);
  expect(k * turned).toBeCloseTo(20 * g * 0.05 * Math.sin(pitch), 9);
});

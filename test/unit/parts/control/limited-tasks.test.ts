/** Tasks within limits in the full dynamics: limits are never exceeded by more than 1e-8, whatever the tasks demand. */
import { describe, expect, it } from "vitest";
import { CONTROLLERS } from "../../../../src/parts/control/controllers.ts";
import { loadScenarioFile } from "../../../../src/scenario/node-files.ts";
import { prepareScenario } from "../../../../src/scenario/prepare.ts";
import { simulate } from "../../../../src/sim/run/simulate.ts";
import { uniform } from "../../../fixtures/models/random-model.ts";
import { DEG, HINGES, ROBOT, run, start, WEIGHTS } from "../../../fixtures/models/two-arm-robot.ts";

/** Tolerance of limits. */
const LIMIT = 1e-8;
const HAND = { frame: "hand", kp: 1, kd: 2, moves: [{ by: [-1.2, 0, 0], duration: 9, rise: 3 }] };
const BASE = { frame: "base", parts: ["rx", "ry", "rz"], kp: 1, kd: 2 };

describe("the robot with two arms", () => {
  it("keeps tight limits of torque, speed, range and wheel momentum, and reports the task errors", () => {
    const wheels = ["wheel-roll", "wheel-pitch", "wheel-yaw"];
    const limits = [
      { hinge: HINGES, weight: WEIGHTS, torque: WEIGHTS.map((w) => 2 * w) },
      { hinge: "stabilizer-disc", speed: 10 },
      { hinge: wheels, momentum: 2 },
      { hinge: "shoulder-pitch", lower: 80 * DEG, upper: 120 * DEG, braking: 0.05 },
      { hinge: "shoulder-yaw", speed: 0.1 },
      { hinge: "elbow", lower: -2.4, upper: -2.2, braking: 0.03 },
    ];
    const log = run("limited-tasks", { period: 0.01, tasks: [HAND, BASE], limits }, { duration: 12, step: 0.01 });
    for (const [i, hinge] of HINGES.entries()) expect(log.largest(`tau.${hinge}`) - 2 * WEIGHTS[i]!).toBeLessThan(LIMIT);
    for (const wheel of wheels) expect(0.1 * log.largest(`u.${wheel}`) - 2).toBeLessThan(LIMIT); // 0.1 kg m² about its axis
    expect(log.largest("u.stabilizer-disc") - 10).toBeLessThan(LIMIT);
    expect(log.largest("u.shoulder-yaw") - 0.1).toBeLessThan(LIMIT);
    expect(Math.max(...log.column("q.shoulder-pitch")) - 120 * DEG).toBeLessThan(LIMIT);
    expect(-2.4 - Math.min(...log.column("q.elbow"))).toBeLessThan(LIMIT);
    // All limits are active: torque of wheels, speed of the disc and of the shoulder, range of the elbow, momentum.
    expect(log.largest("tau.wheel-roll")).toBeGreaterThan(1.99);
    expect(log.largest("u.stabilizer-disc")).toBeGreaterThan(9.99);
    expect(log.largest("u.shoulder-yaw")).toBeGreaterThan(0.0999);
    expect(0.1 * log.largest("u.wheel-roll")).toBeGreaterThan(1.99);
    expect(Math.min(...log.column("q.elbow"))).toBeLessThan(-2.399);
    expect(log.largest("c.off-path")).toBeGreaterThan(0.01);
    expect(log.largest("c.slack")).toBeGreaterThan(0.01);
    expect(log.largest("c.at-limits")).toBeGreaterThan(2);
    expect(log.largest("c.beyond")).toBe(0);
  });

  it("without limits it equals least-torque", () => {
    const tasks = [HAND, BASE];
    const common = { motors: "motors", hinges: HINGES, tasks };
    const [limited, least] = [
      CONTROLLERS["limited-tasks"].create("a", { ...common, limits: [{ hinge: HINGES, weight: WEIGHTS }] } as never, ROBOT),
      CONTROLLERS["least-torque"].create("b", { ...common, weights: WEIGHTS } as never, ROBOT),
    ];
    const at = start();
    const empty = new Float64Array(0);
    const still = { model: ROBOT, t: 0, q: at, u: new Float64Array(ROBOT.nu), z: empty, frames: empty };
    const memories = [limited.start(ROBOT, still), least.start(ROBOT, still)];
    for (let seed = 0; seed < 20; seed++) {
      const next = uniform(seed);
      const q = at.map((x, i) => (i < 7 ? x : x + 0.3 * (next() - 0.5)));
      const u = Float64Array.from({ length: ROBOT.nu }, () => 0.2 * (next() - 0.5));
      const s = { ...still, t: 8 * next(), q, u };
      const [a, b] = [new Float64Array(12), new Float64Array(12)];
      limited.update(s, memories[0], a);
      least.update(s, memories[1], b);
      for (let i = 0; i < 12; i++) expect(Math.abs(a[i]! - b[i]!)).toBeLessThan(1e-8 * Math.max(1, ...b.map(Math.abs)));
    }
  });

  it("gives up tasks of lower priority first", () => {
    const limits = [{ hinge: HINGES, weight: WEIGHTS, torque: WEIGHTS.map((w) => 0.6 * w) }];
    const hard = (priority: number) => ({
      tasks: [
        { ...HAND, priority: 3 - priority },
        { ...BASE, priority },
      ],
      limits,
      period: 0.01,
    });
    const baseFirst = run("limited-tasks", hard(1), { duration: 5, step: 0.01 });
    const handFirst = run("limited-tasks", hard(2), { duration: 5, step: 0.01 });
    expect(baseFirst.largest("c.off-attitude")).toBeLessThan(0.2 * handFirst.largest("c.off-attitude"));
    expect(handFirst.largest("c.off-path")).toBeLessThan(0.2 * baseFirst.largest("c.off-path"));
  });

  it("with excessive speed at the start: torques keep their limits, and speeds return to theirs", () => {
    const u = new Float64Array(ROBOT.nu);
    u[6] = 0.3; // shoulder-yaw
    const limits = [
      { hinge: HINGES, weight: WEIGHTS, torque: WEIGHTS },
      { hinge: "shoulder-yaw", speed: 0.1 },
    ];
    const still = { ...HAND, moves: [] };
    const log = run("limited-tasks", { tasks: [still], limits, period: 0.01 }, { duration: 20, step: 0.01, u });
    for (const [i, hinge] of HINGES.entries()) expect(log.largest(`tau.${hinge}`) - WEIGHTS[i]!).toBeLessThan(LIMIT);
    expect(log.column("c.beyond")[0]).toBeGreaterThan(0);
    expect(log.column("c.reserve")[0]).toBeLessThanOrEqual(0);
    expect(Math.abs(log.column("u.shoulder-yaw").at(-1)!)).toBeLessThan(0.1 + LIMIT);
    expect(log.column("c.beyond").at(-1)).toBe(0);
    expect(log.column("c.reserve").at(-1)).toBeGreaterThan(0);
  });

  it("reports at the start which limits cannot be kept, and by which hinge", () => {
    const tasks = [{ ...HAND, moves: [] }];
    const begin = (u: Float64Array, limits: object[]) => () =>
      run("limited-tasks", { tasks, limits, period: 0.01, unkept: "stop" }, { duration: 0.02, step: 0.01, u });
    const fast = new Float64Array(ROBOT.nu);
    fast[6] = 0.3; // shoulder-yaw
    const weak = { hinge: HINGES, torque: 5 };
    expect(begin(fast, [weak, { hinge: "shoulder-yaw", speed: 0.1 }])).toThrow(
      "c: 1 problem\n  limits: shoulder-yaw moves at 0.3 rad/s, its limit is 0.1. Start slower",
    );
    expect(begin(fast, [weak, { hinge: "elbow", lower: -2, upper: -1, braking: 1 }])).toThrow(
      "limits: elbow is at -2.356 rad, its range ends at -2",
    );
    const spinning = new Float64Array(ROBOT.nu);
    spinning[2] = 0.5; // rad/s of the base: arms of 200 kg pull outward
    expect(begin(spinning, [weak, { hinge: "elbow", speed: 0.2 }])).toThrow(
      /limits: to bring all hinges to rest, [a-z-]+ needs -?[\d.]+, its torque is limited to 5\. Start slower/,
    );
    const strong = { hinge: HINGES, torque: 100 };
    expect(begin(fast, [strong, { hinge: "shoulder-yaw", speed: 0.4 }])).not.toThrow();
  });

  it("as a continuous law", () => {
    const limits = [
      { hinge: HINGES, weight: WEIGHTS },
      { hinge: "stabilizer-disc", speed: 5 },
    ];
    const tasks = [HAND, BASE];
    const log = run("limited-tasks", { period: 0, horizon: 0.2, tasks, limits }, { duration: 4, step: 0.02 });
    expect(log.largest("u.stabilizer-disc") - 5).toBeLessThan(LIMIT);
    expect(log.largest("u.stabilizer-disc")).toBeGreaterThan(4.99);
    expect(Math.min(...log.column("c.reserve"))).toBe(1); // torques without limit
  });

  it("as a continuous law that blends toward braking", () => {
    const out = { ...HAND, moves: [{ by: [3, 3, 1], duration: 12 }] };
    const limits = [
      { hinge: HINGES, torque: 10 },
      { hinge: "elbow", speed: 0.1 },
    ];
    const tasks = [out, { ...BASE, priority: 2 }];
    const log = run("limited-tasks", { period: 0, horizon: 0.1, tasks, limits }, { duration: 6, step: 0.02 });
    expect(Math.min(...log.column("c.reserve"))).toBeLessThan(0.15); // where blending begins
    for (const hinge of HINGES) expect(log.largest(`tau.${hinge}`)).toBeLessThan(10 + LIMIT);
    expect(log.largest("u.elbow") - 0.1).toBeLessThan(LIMIT);
    expect(log.largest("u.elbow")).toBeGreaterThan(0.09);
  });
});

describe("problems", () => {
  const problems = (more: object): string => {
    try {
      CONTROLLERS["limited-tasks"].create("c", { motors: "m", hinges: HINGES, tasks: [BASE], ...more } as never, ROBOT);
    } catch (error) {
      return (error as Error).message;
    }
    return "";
  };
  it("are reported with their paths", () => {
    expect(problems({})).toBe("");
    expect(problems({ period: 0 })).toContain("c.horizon: is needed by a continuous law");
    expect(problems({ horizon: 0.0005 })).toContain("c.horizon: is shorter than the period of 0.001 s");
    expect(problems({ limits: [{ hinge: "elbow", upper: 1 }] })).toContain('the range of elbow needs "braking"');
    expect(problems({ limits: [{ hinge: "elbow", lower: 2, upper: 1, braking: 1 }] })).toContain(
      "the range of elbow is empty: 2 to 1",
    );
    expect(problems({ hinges: ["elbow"], limits: [{ hinge: "shoulder-yaw", speed: 1 }] })).toContain(
      "shoulder-yaw has no motor among hinges: nothing can keep its speed or range",
    );
    expect(problems({ limits: [{ hinge: "elbow", torque: 0 }] })).toContain("limits[0].torque");
    expect(problems({ limits: [{ hinge: "base.x", torque: 1 }] })).toContain("base.x is not a hinge of the robot");
  });
});

it("the scenario multi-arm-limited: the hand arrives late, and no limit is violated", () => {
  const builtIns = { names: ["multi-arm-stabilized"], path: (name: string) => `scenarios/${name}/model.yaml` };
  const { system, start, options } = prepareScenario(loadScenarioFile("scenarios/multi-arm-limited/scenario.yaml", builtIns));
  const { log } = simulate(system, start, options);
  const largest = (name: string): number => log.column(name).reduce((most, x) => Math.max(most, Math.abs(x)), 0);
  expect(largest("arms.off-path")).toBeGreaterThan(0.1);
  expect(log.column("arms.off-path").at(-1)).toBeLessThan(1e-4);
  for (const wheel of ["roll", "pitch", "yaw"]) {
    expect(largest(`tau.wheel-${wheel}`)).toBeLessThan(1 + LIMIT);
    expect(0.1 * largest(`u.wheel-${wheel}`)).toBeLessThan(3 + LIMIT);
  }
  expect(largest("tau.stabilizer-disc")).toBeLessThan(10 + LIMIT);
  expect(largest("u.stabilizer-disc")).toBeLessThan(8 + LIMIT);
  for (const part of ["qx", "qy", "qz"]) expect(largest(`q.base.${part}`)).toBeLessThan(0.01); // the base has the first priority
  expect(largest("arms.beyond")).toBe(0);
});

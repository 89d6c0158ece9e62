/** Compiled laws against the same laws solved level by level: equal up to rounding, also where the kernel hands over to the levels. */
import { readFileSync } from "node:fs";
import { describe, expect, it, vi } from "vitest";
import { SingularError } from "../../../../src/errors.ts";
import { parseModel } from "../../../../src/formats/model-file.ts";
import { homeOf } from "../../../../src/model/model.ts";
import { Coordination } from "../../../../src/parts/control/tasks/coordination.ts";
import { leastTorque } from "../../../../src/parts/control/tasks/least-torque.ts";
import { resolvedAcceleration } from "../../../../src/parts/control/tasks/resolved-acceleration.ts";
import type { Controller } from "../../../../src/sim/run/controller.ts";
import { randomState } from "../../../fixtures/models/random-model.ts";

const robot = parseModel(
  readFileSync(new URL("../../../../scenarios/multi-arm-stabilized/model.yaml", import.meta.url), "utf8"),
  "r",
);
const hinges = robot.bodies.slice(1).map((b) => b.hinge.name);
const WHEELS = ["wheel-roll", "wheel-pitch", "wheel-yaw"];
const ARM = hinges.filter((h) => !WHEELS.includes(h));
const hand = { frame: "hand", kp: 1, kd: 2 };
const base = { frame: "base", parts: ["rx", "ry", "rz"], kp: 1, kd: 2 } as const;
const tasks = [hand, base];
const weights = [30, 30, 30, 5, 5, 5, 10, 10, 10, 1, 1, 1];
const disc = { frame: "stabilizer-disc", parts: ["y", "z"], priority: 2, kd: 1 } as const;
const CONTINUOUS = 0;
const SELDOM = 0.02;

interface LawTorques {
  readonly tau: Float64Array;
  /** Whether the kernel computed them, and not the levels. */
  readonly byKernel: boolean;
}

/** Torques of a started law at given states. */
function torquesBy(law: Controller): (q: Float64Array, u: Float64Array) => LawTorques {
  const [q0, u0] = [homeOf(robot), new Float64Array(robot.nu)];
  const rest = { model: robot, t: 0, z: new Float64Array(0), frames: new Float64Array(0) };
  const memory = law.start(robot, { ...rest, q: q0, u: u0 });
  return (q, u) => {
    const tau = new Float64Array(law.commands.length);
    const levels = vi.spyOn(Coordination.prototype, "solveAccelerations");
    try {
      law.update({ ...rest, q, u }, memory, tau);
      return { tau, byKernel: levels.mock.calls.length === 0 };
    } finally {
      levels.mockRestore();
    }
  };
}

/** A posture away from singular ones, with random deviations of all hinges; and random speeds, including the base. */
function stateOf(seed: number): { q: Float64Array; u: Float64Array } {
  const { q, u } = randomState(robot, seed);
  for (let j = 7; j < q.length; j++) q[j]! = 0.1 * q[j]! + ([0.8, 1.8, -2.3][j - 7] ?? 0);
  return { q, u };
}

const laws = {
  "least torque": [leastTorque, { weights }],
  "held wheels, no hinge left": [leastTorque, { weights, held: WHEELS }],
  "a held wheel": [leastTorque, { weights, held: ["wheel-yaw"] }],
  "hinges without motors": [leastTorque, { hinges: hinges.slice(0, -1), weights: weights.slice(0, -1) }],
  "without motors and held": [leastTorque, { hinges: hinges.filter((h) => h !== "stabilizer-yaw"), held: ["wheel-roll"] }],
  "two priorities": [leastTorque, { weights, tasks: [disc, ...tasks] }],
  "damping toward wheels at rest": [leastTorque, { weights, damping: 0.5, still: WHEELS }],
  "damping toward one wheel at rest": [leastTorque, { weights, damping: 0.7, still: ["wheel-pitch"] }],
  "damping toward the shortest speeds": [leastTorque, { weights, damping: 0.5 }],
  "a task seen from the base": [leastTorque, { weights, tasks: [{ ...hand, relativeTo: "base" }, base] }],
  "resolved acceleration": [resolvedAcceleration, {}],
  "resolved acceleration of few rows": [resolvedAcceleration, { tasks: [base], held: ARM.slice(0, 4) }],
} as const;

describe.each(Object.entries(laws))("%s", (_, [kind, choices]) => {
  const make = (period: number) => kind.create("law", { period, motors: "m", hinges, tasks, ...choices }, robot);

  it("equals the solution by levels", () => {
    const [kernel, levels] = [make(CONTINUOUS), make(SELDOM)].map(torquesBy);
    for (let seed = 0; seed < 20; seed++) {
      const { q, u } = stateOf(seed);
      const [expected, found] = [levels!(q, u), kernel!(q, u)];
      expect([expected.byKernel, found.byKernel]).toEqual([false, true]);
      expectSame(found.tau, expected.tau);
    }
  });
});

function expectSame(found: Float64Array, expected: Float64Array): void {
  const scale = Math.max(...expected.map(Math.abs));
  expect(Math.max(...expected.map((tau, i) => Math.abs(found[i]! - tau)))).toBeLessThan(1e-11 * scale);
}

it.each([
  ["least torque", leastTorque, {}],
  ["damping", leastTorque, { damping: 0.5, still: WHEELS }],
  ["held wheels", leastTorque, { held: WHEELS }],
  ["resolved acceleration", resolvedAcceleration, {}],
] as const)("toward a stretched arm %s hands over to the levels without a jump", (_, kind, more) => {
  const make = (period: number) => kind.create("law", { period, motors: "m", hinges, tasks, ...more }, robot);
  const [kernel, levels] = [make(CONTINUOUS), make(SELDOM)].map(torquesBy);
  const { q, u } = stateOf(7);
  const tried = (law: typeof kernel): LawTorques | undefined => {
    try {
      return law!(q, u);
    } catch (error) {
      expect(error).toBeInstanceOf(SingularError);
      return undefined;
    }
  };
  const decided = { kernel: 0, levels: 0, none: 0 };
  for (let elbow = -1.5; elbow <= 0; elbow += 0.003) {
    q[9] = elbow;
    const [expected, found] = [tried(levels), tried(kernel)];
    expect(found === undefined).toBe(expected === undefined);
    decided[found === undefined ? "none" : found.byKernel ? "kernel" : "levels"]++;
    if (found && expected) expectSame(found.tau, expected.tau);
  }
  for (const count of Object.values(decided)) expect(count).toBeGreaterThan(0);
});

it("is not compiled for more rows than hinges", () => {
  const { q, u } = stateOf(1);
  const crowd = [...tasks, { frame: "elbow", priority: 2 }];
  const law = leastTorque.create("law", { motors: "m", hinges, tasks: crowd }, robot);
  expect(torquesBy(law)(q, u).byKernel).toBe(false);
});

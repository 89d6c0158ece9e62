/** Tasks relative to a drifting target, rendezvous with it, and controllers that include the payload of the robot. */
import { describe, expect, test } from "vitest";
import { FORMULATIONS } from "../../../../src/dynamics/formulations.ts";
import { ModelError } from "../../../../src/errors.ts";
import { createModel } from "../../../../src/model/build/create-model.ts";
import { findWeld, weldPayload } from "../../../../src/model/build/weld-payload.ts";
import type { ModelDescription } from "../../../../src/model/description.ts";
import { homeOf } from "../../../../src/model/model.ts";
import { readController } from "../../../../src/parts/control/controllers.ts";
import { meetReference } from "../../../../src/parts/control/tasks/reference.ts";
import { taskStack } from "../../../../src/parts/control/tasks/task-stack.ts";
import { createSystem } from "../../../../src/sim/create-system.ts";
import { changeLoops } from "../../../../src/sim/events/engagement.ts";
import { IDENTITY } from "../../../../src/spatial/rotation.ts";
import { randomState } from "../../../fixtures/models/random-model.ts";
import { workspaceOf } from "../../../fixtures/workspace.ts";

const link = (name: string, parent: string, axis: "x" | "y" | "z") => ({
  name,
  parent,
  mass: 8,
  com: [0.3, 0.02, -0.01] as const,
  inertia: [0.2, 0.9, 1] as const,
  hinge: { kind: "revolute" as const, axis, at: [0.6, 0, 0] as const },
});

const description: ModelDescription = {
  name: "robot and target",
  bodies: [
    { name: "base", mass: 150, inertia: [30, 40, 50], hinge: { kind: "free" } },
    ...(["z", "y", "x", "z", "y", "x"] as const).map((axis, i) => link(`a${i + 1}`, i === 0 ? "base" : `a${i}`, axis)),
    { name: "target", mass: 60, com: [0.1, 0, 0.05], inertia: [9, 12, 7, 0.5, 0.2, -0.3], hinge: { kind: "free" } },
    {
      name: "flap",
      parent: "target",
      mass: 5,
      com: [0, 0.4, 0],
      inertia: [0.3, 0.1, 0.3],
      hinge: { kind: "revolute", axis: "x" },
    },
  ],
  loops: [
    {
      name: "grasp",
      kind: "fixed",
      from: { body: "a6", at: [0.5, 0, 0], rotation: { rpy: [0.1, 0.2, 0.3] } },
      to: { body: "target", at: [-0.4, 0.1, 0], rotation: { rpy: [0.3, -0.2, 0.5] } },
      engaged: false,
    },
  ],
};
const model = createModel({
  ...description,
  bodies: description.bodies.map((b) => (b.name === "target" ? { ...b, frames: { grip: { at: [-0.4, 0.1, 0] } } } : b)),
});

describe("a task relative to a drifting target", () => {
  test("has rows that are the rates of the relative pose, including the motion of the target", () => {
    const reference = { breaks: [], at: (_t: number, start: Float64Array, out: Float64Array) => out.set(start) };
    const stack = taskStack(model, [
      { frame: "a6", relativeTo: "grip", parts: ["rx", "ry", "rz", "x", "y", "z"], priority: 1, kp: 0, kd: 0, reference },
    ]);
    const { q, u } = randomState(model, 5);
    const start = stack.startPoses(q);
    // Central differences along the free motion of everything: velocity of the relative position, then its acceleration.
    const zero = new Float64Array(model.nu);
    const udot = new Float64Array(model.nu);
    FORMULATIONS.kane.derive(model).accelerations(q, u, zero, new Float64Array(0), udot);
    const system = createSystem(model, []);
    const ydot = new Float64Array(system.layout.ny);
    const { y } = system.start({ q, u });
    workspaceOf(system).problem.derivative(0, y, ydot);
    const h = 1e-4;
    const at = (k: number) => {
      const moved = y.map((v, i) => v + k * h * ydot[i]!);
      stack.evaluate(0, moved.slice(0, model.nq), moved.slice(model.nq, model.nq + model.nu), start);
      return { velocity: stack.velocity.slice(), J: stack.J.slice(), bias: stack.bias.slice(), place: start.slice() };
    };
    const [before, after] = [at(-1), at(1)];
    stack.evaluate(0, q, u, start);
    const { speeds } = stack.robot;
    for (let i = 0; i < 6; i++) {
      let acceleration = stack.bias[i]!;
      for (const [j, k] of speeds.entries()) acceleration += stack.J[i * stack.n + j]! * udot[k]!;
      expect(acceleration).toBeCloseTo((after.velocity[i]! - before.velocity[i]!) / (2 * h), 5);
    }
  });

  test("meets it: from rest at the start to rest at its pose", () => {
    const reference = meetReference(2, [0, 0, 0.1]);
    const start = Float64Array.of(Math.cos(0.4), 0, Math.sin(0.4), 0, 1, 2, 3);
    const [first, last, beyond] = [0, 2, 5].map((t) => {
      const out = new Float64Array(19);
      reference.at(t, start, out);
      return [...out];
    }) as [number[], number[], number[]];
    for (let i = 0; i < 7; i++) expect(first[i]).toBeCloseTo(start[i]!, 14);
    for (const [i, v] of [1, 0, 0, 0, 0, 0, 0.1].entries()) expect(last[i]).toBeCloseTo(v, 14);
    for (const sample of [first, last, beyond]) for (const v of sample.slice(7)) expect(Math.abs(v)).toBeLessThan(1e-13);
    expect(beyond).toEqual(last);
  });
});

describe("a robot that holds its target", () => {
  test("has the same accelerations under hinge torques as the machine with the closed loop", () => {
    const system = createSystem(model, [], { formulation: "kane" });
    const { q, u, tau } = randomState(model, 9);
    const { state } = changeLoops(system, system.start({ q, u }), { engage: ["grasp"] });
    const { y } = state;
    const { loops } = workspaceOf(system, state);
    const speeds = y.slice(model.nq, model.nq + model.nu);
    const forces = tau.map((v, i) => (i >= 6 && i < 12 ? v : 0)); // of the arm only
    const udot = new Float64Array(model.nu);
    loops.current.equations().accelerations(q, speeds, forces, new Float64Array(0), udot);

    const weld = findWeld(model, "grasp", "carrying");
    const found = loops.held.get("grasp") as readonly number[];
    // F was placed at M, so M is at home in F.
    const at = {
      ...weld,
      from: { ...weld.from, placement: { R: [found.slice(0, 3), found.slice(3, 6), found.slice(6, 9)], p: found.slice(9) } },
    };
    const whole = weldPayload(model, at as never, IDENTITY, [0, 0, 0]);
    const [q2, u2, t2] = [whole.q.map((i) => q[i]!), whole.u.map((i) => speeds[i]!), whole.u.map((i) => forces[i]!)];
    const out = new Float64Array(whole.model.nu);
    FORMULATIONS.articulated
      .derive(whole.model)
      .accelerations(Float64Array.from(q2), Float64Array.from(u2), Float64Array.from(t2), new Float64Array(0), out);
    for (const [k, i] of whole.u.entries()) expect(out[k]).toBeCloseTo(udot[i]!, 9);
  });

  test.each([
    ["grip", "no loop has this name"],
    [7, "no loop has this name"],
  ])("a controller cannot carry %s", (loop, message) => {
    const make = () =>
      readController(
        "resolved-acceleration",
        "law",
        { carrying: loop, motors: "motors", hinges: ["a1"], tasks: [{ frame: "a6", parts: ["x"] }] },
        model,
      );
    expect(make).toThrow(ModelError);
    expect(make).toThrow(message);
  });

  test("its controller starts with the present pose", () => {
    const law = readController(
      "resolved-acceleration",
      "law",
      {
        carrying: "grasp",
        motors: "motors",
        hinges: ["a1", "a2", "a3", "a4", "a5", "a6"],
        tasks: [{ frame: "target", relativeTo: "base", kd: 1 }],
      },
      model,
    );
    const snapshot = {
      model,
      t: 0,
      q: homeOf(model),
      u: new Float64Array(model.nu),
      z: new Float64Array(0),
      frames: new Float64Array(0),
    };
    snapshot.q.set([1, 0, 0, 0, 0, 0, 0, 0.3, -0.8, 0.4, 0.9, -1.1, 0.5]); // away from singular postures
    snapshot.q.set([1, 0, 0, 0, 2, 1, 0.5], 13);
    const memory = law.start(model, snapshot);
    const command = new Float64Array(6);
    law.update(snapshot, memory, command);
    for (const v of command) expect(Math.abs(v)).toBeLessThan(1e-9); // nothing moves, and no motion is demanded
  });
});

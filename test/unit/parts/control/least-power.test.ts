/** Least power: below every other way to do the tasks, never above the torque optimum, and equal to it at rest. */
import { describe, expect, test } from "vitest";
import { robotOf } from "../../../../src/dynamics/free-flying/robot.ts";
import type { Model } from "../../../../src/model/model.ts";
import { leastPower } from "../../../../src/parts/control/power/least-power.ts";
import { leastTorque } from "../../../../src/parts/control/tasks/least-torque.ts";
import { resolvedAcceleration } from "../../../../src/parts/control/tasks/resolved-acceleration.ts";
import type { Controller } from "../../../../src/sim/run/controller.ts";
import { randomState, uniform } from "../../../fixtures/models/random-model.ts";
import { randomRobot } from "../../../fixtures/models/random-robot.ts";

function torquesOf(controller: Controller, model: Model, q: Float64Array, u: Float64Array): Float64Array {
  const s = { model, t: 0, q, u, z: new Float64Array(0), frames: new Float64Array(0) };
  const command = new Float64Array(controller.commands.length);
  controller.update(s, controller.start(model, s), command);
  return command;
}

describe.each(Array.from({ length: 25 }, (_, seed) => ({ seed, ...randomRobot(seed, 5 + (seed % 6)) })))(
  "robot $seed",
  ({ model, base, seed }) => {
    const { speeds, names, carries } = robotOf(model, base);
    const next = uniform(seed ^ 0x70e5);
    const weights = names.map(() => Math.exp(4 * next() - 2));
    const hinges = model.bodies.filter((b) => carries[b.index] && b.name !== base && b.hinge.nu > 0).map((b) => b.hinge.name);
    const { q, u } = randomState(model, seed);
    const tasks = [{ frame: base, parts: ["rx", "ry", "rz"] as const, kp: 1, kd: 1 }];
    const common = { base, motors: "m", hinges, tasks, singular: 1e-9 };
    const loss = 0.2 + next();
    const drawn = (tau: ArrayLike<number>, regeneration: boolean): number =>
      speeds.reduce((sum, s, i) => sum + (regeneration ? tau[i]! * u[s]! : Math.max(0, tau[i]! * u[s]!)), 0);
    const heat = (tau: ArrayLike<number>): number => weights.reduce((sum, w, i) => sum + loss * (tau[i]! / w) ** 2, 0);
    const byTorque = torquesOf(leastTorque.create("law", { ...common, weights }, model), model, q, u);
    const shortest = torquesOf(resolvedAcceleration.create("law", common, model), model, q, u);

    test.each([true, false])("regeneration %s", (regeneration) => {
      const law = leastPower.create("law", { ...common, weights, loss, regeneration }, model);
      const tau = torquesOf(law, model, q, u);
      const cost = (t: ArrayLike<number>): number => drawn(t, regeneration) + heat(t);
      const scale = cost(byTorque) + heat(byTorque) + Math.abs(drawn(byTorque, true));
      expect(drawn(tau, regeneration)).toBeLessThanOrEqual(drawn(byTorque, regeneration) + 1e-12 * scale);
      // Both other laws do the same tasks, so all torques on the lines to them do, too.
      for (const other of [byTorque, shortest])
        for (const step of [-1, -0.1, -1e-3, 1e-3, 0.1, 1])
          expect(cost(tau.map((v, i) => v + step * (other[i]! - v)))).toBeGreaterThanOrEqual(cost(tau) - 1e-11 * scale);

      const atRest = torquesOf(law, model, q, new Float64Array(model.nu));
      const torqueAtRest = torquesOf(
        leastTorque.create("law", { ...common, weights }, model),
        model,
        q,
        new Float64Array(model.nu),
      );
      const largest = Math.max(...torqueAtRest.map(Math.abs), 1e-9);
      for (const [i, v] of atRest.entries()) expect(Math.abs(v - torqueAtRest[i]!)).toBeLessThan(1e-8 * largest);
    });
  },
);

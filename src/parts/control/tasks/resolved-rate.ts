/** Resolved rate: hinge speeds that give tasks their velocities, and torques that bring the hinges to these speeds. */
import type { Controller } from "../../../sim/run/controller.ts";
import { controllerKind } from "../kind.ts";
import { COORDINATION_PARAMETERS, Coordination } from "./coordination.ts";
import { TASK_EXAMPLES } from "./task-examples.ts";

interface ResolvedRateMemory {
  /** Poses from which the references begin. */
  readonly start: Float64Array;
}

export const resolvedRate = controllerKind({
  name: "resolved-rate",
  about:
    "For a free-flying robot: hinge speeds w through the generalised Jacobian, J* w = reference speed + gain (pose error) - drift by " +
    "momentum, the shortest such vector where tasks leave hinges free; and torques tau = H* rate (w - u) + C* with which the hinges " +
    "take these speeds. Simpler than resolved-acceleration, and behind by 1 / rate.",
  parameters: {
    ...COORDINATION_PARAMETERS,
    gain: {
      type: "number",
      unit: "1/s",
      least: 0,
      default: 1,
      about: "Gain of the error of pose; kp and kd of tasks are not for this law.",
    },
    rate: {
      type: "number",
      unit: "1/s",
      above: 0,
      default: 20,
      about: "How fast the hinges take the speeds that are asked of them.",
    },
  },
  examples: TASK_EXAMPLES.map(({ tasks, ...example }) => ({
    ...example,
    gain: 2,
    tasks: tasks.map(({ kp: _kp, kd: _kd, ...task }) => task),
  })),
  controller(name, values, note, model): Controller<ResolvedRateMemory> {
    for (const [i, { kp, kd }] of values.tasks.entries())
      if (kp > 0 || kd > 0)
        note(`tasks[${i}].${kp > 0 ? "kp" : "kd"}`, "is not for resolved rate", "Give the controller its gain instead");
    const robot = new Coordination(name, values, note, model);
    const { stack, speedSolver: rates, held } = robot;
    const { n, m } = stack;
    const { speeds } = stack.robot;
    const identity = new Float64Array(n * n);
    for (let i = 0; i < n; i++) identity[i * n + i] = 1;
    const nothing = new Float64Array(n);
    const velocity = new Float64Array(m);
    const phidd = new Float64Array(n);
    return {
      name,
      period: values.period,
      commands: robot.commands,
      breaks: stack.breaks,
      start: (_model, s) => ({ start: robot.start(s.q) }),
      update(s, memory, command) {
        stack.evaluate(s.t, s.q, s.u, memory.start);
        const { poseError: error, referenceVelocity: speed } = stack;
        for (let i = 0; i < m; i++) velocity[i] = speed[i]! + values.gain * error[i]!;
        robot.solveSpeeds(s.t, velocity, held, s.u);
        rates.minimise(identity, nothing, n);
        for (let j = 0; j < n; j++) phidd[j] = values.rate * (rates.x[j]! - s.u[speeds[j]!]!);
        robot.torques(phidd, command);
        return memory;
      },
    };
  },
});

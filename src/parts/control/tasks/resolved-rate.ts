/** Resolved rate: hinge speeds that give tasks their velocities, and torques that drive the hinges to these speeds. */
import type { Controller } from "../../../sim/run/controller.ts";
import { controllerKind } from "../kind.ts";
import { COORDINATION_PARAMETERS, Coordination, type CoordinationMemory } from "./coordination.ts";
import { TASK_EXAMPLES } from "./task-examples.ts";

export const resolvedRate = controllerKind({
  name: "resolved-rate",
  about:
    "For a free-flying robot: hinge speeds w through the generalised Jacobian, J* w = reference speed + gain (pose error) - drift by " +
    "momentum; if tasks leave freedom, the shortest such vector. The torques tau = H* rate (w - u) + C* drive the hinges to these " +
    "speeds. Simpler than resolved-acceleration, with a delay of 1 / rate. While a loop of the robot is engaged, the hinge accelerations " +
    "rate (w - u) keep the loops closed, and hinges without motor move freely.",
  parameters: {
    ...COORDINATION_PARAMETERS,
    gain: {
      type: "number",
      unit: "1/s",
      least: 0,
      default: 1,
      about: "Gain of the pose error. This law does not use kp and kd of tasks.",
    },
    rate: {
      type: "number",
      unit: "1/s",
      above: 0,
      default: 20,
      about: "Rate at which the hinges approach the demanded speeds.",
    },
  },
  examples: TASK_EXAMPLES.map(({ tasks, ...example }) => ({
    ...example,
    gain: 2,
    tasks: tasks.map(({ kp: _kp, kd: _kd, ...task }) => task),
  })),
  controller(name, values, note, model): Controller<CoordinationMemory> {
    for (const [i, { kp, kd }] of values.tasks.entries())
      if (kp > 0 || kd > 0)
        note(`tasks[${i}].${kp > 0 ? "kp" : "kd"}`, "is not used by resolved rate", "Give the controller's gain instead");
    const robot = new Coordination(name, values, note, model);
    const { stack, speedSolver, held } = robot;
    const { n, m } = stack;
    const { speeds } = stack.robot;
    const identity = new Float64Array(n * n);
    for (let i = 0; i < n; i++) identity[i * n + i] = 1;
    const zeros = new Float64Array(n);
    const ones = new Float64Array(n).fill(1);
    const velocity = new Float64Array(m);
    const phidd = new Float64Array(n);
    return {
      name,
      period: values.period,
      commands: robot.commands,
      breaks: stack.breaks,
      start: (_model, s) => robot.start(s),
      update(s, memory, command) {
        if (robot.closed.isNeeded(s)) {
          robot.closed.solveRates(s, memory.start, values, ones);
          robot.closed.writeCommands(command);
          return memory;
        }
        robot.evaluate(s, memory);
        const { poseError, referenceVelocity } = stack;
        for (let i = 0; i < m; i++) velocity[i] = referenceVelocity[i]! + values.gain * poseError[i]!;
        robot.solveSpeeds(s.t, velocity, held, s.u);
        speedSolver.minimise(identity, zeros, n);
        for (let j = 0; j < n; j++) phidd[j] = values.rate * (speedSolver.x[j]! - s.u[speeds[j]!]!);
        robot.torques(phidd, command);
        return memory;
      },
      decode: (data) => robot.decode(data),
    };
  },
});

/** Resolved acceleration: hinge torques that give the tasks their reference accelerations. */
import { lazy } from "../../../kernel/run/lazy.ts";
import type { Controller } from "../../../sim/run/controller.ts";
import { controllerKind } from "../kind.ts";
import { COORDINATION_PARAMETERS, Coordination, type CoordinationMemory } from "./coordination.ts";
import { TASK_EXAMPLES } from "./task-examples.ts";

export const resolvedAcceleration = controllerKind({
  name: "resolved-acceleration",
  about:
    "For a free-flying robot: torques tau = H* a + C* with hinge accelerations a that give the tasks a_ref = reference + kd (speed " +
    "error) + kp (pose error) through the generalised Jacobian, J* a = a_ref - bias. If tasks leave freedom, a is the shortest such " +
    "vector, in rad/s² and m/s². The base is not driven, and momentum need not be zero. Engaged loops of the robot are included; " +
    "where they leave internal loads free, the sum of squared torques is least.",
  parameters: COORDINATION_PARAMETERS,
  examples: TASK_EXAMPLES,
  controller(name, values, note, model): Controller<CoordinationMemory> {
    const robot = new Coordination(name, values, note, model);
    const { stack, accelerationSolver } = robot;
    const { n } = stack;
    const identity = new Float64Array(n * n);
    for (let i = 0; i < n; i++) identity[i * n + i] = 1;
    const zeros = new Float64Array(n);
    const ones = new Float64Array(n).fill(1);
    const regular = lazy(() => ({ law: robot.compileLaw({ least: "acceleration", weights: zeros, damping: 0, still: [] }) }));
    return {
      name,
      period: values.period,
      commands: robot.commands,
      breaks: stack.breaks,
      start: (_model, s) => robot.start(s),
      update(s, memory, command) {
        if (robot.closed.isNeeded(s)) {
          robot.closed.solve(s, memory.start);
          robot.closed.minimiseAccelerations(ones);
          robot.closed.writeCommands(command);
          return memory;
        }
        const { law } = regular();
        robot.evaluate(s, memory);
        if (law?.torques(s.u, command)) return memory;
        robot.solveAccelerations(s.t);
        accelerationSolver.minimise(identity, zeros, n);
        robot.torques(accelerationSolver.x, command);
        return memory;
      },
      decode: (data) => robot.decode(data),
    };
  },
});

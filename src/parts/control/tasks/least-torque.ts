/**
 * Coordination of all hinges with least torque [Yoshida, Kurazume, Umetani 1991, eq. 30]: the accelerations with the least
 * Σ (τ_i / w_i)² among all that do the tasks. The pseudo-inverses of the paper have noise many orders above the solution unless they are
 * truncated by hand. Here the null space N of the tasks is computed, and a small least squares problem remains.
 *
 * The local optimum does not return when the tasks do: speeds in the null space are not damped by anything. With `damping` k they decay
 * toward the speeds φ̇_r with which the same tasks are done with `still` hinges (the wheels) at rest:
 *
 *   φ̈ := φ̈ - k (φ̇ - φ̇_r),   J φ̇_r = J φ̇,  φ̇_r = 0 for still hinges
 *
 * The difference lies in the null space of J, so it does not disturb the tasks. It is projected so that it does not disturb held hinges
 * and hinges without motor either.
 */
import { FREEDOM_UNITS } from "../../../declare/parameters.ts";
import { lazy } from "../../../kernel/run/lazy.ts";
import type { Controller } from "../../../sim/run/controller.ts";
import type { Snapshot } from "../../../sim/system/force-element.ts";
import type { ClosedCoordination } from "../foothold/closed-coordination.ts";
import { checkThrusters, TASK_THRUSTER, THRUSTER_CHANNELS } from "../foothold/task-thrusters.ts";
import { controllerKind } from "../kind.ts";
import { COORDINATION_PARAMETERS, Coordination, type CoordinationMemory, hingeIndices } from "./coordination.ts";
import { TASK_EXAMPLES } from "./task-examples.ts";
import { torqueOptimumFactory } from "./torque-optimum.ts";

export const leastTorque = controllerKind({
  name: "least-torque",
  about:
    "For a free-flying robot: the hinge torques with the least sum of (torque / weight)² among all that give the tasks their " +
    "accelerations (see resolved-acceleration). With damping, speeds that the tasks leave free decay at that rate toward the speeds " +
    "with which the tasks are done with the still hinges at rest, so that repeated motions do not drift. Engaged loops of the robot, such as " +
    "a foothold, are included with what it holds; their internal loads are part of the optimum.",
  parameters: {
    ...COORDINATION_PARAMETERS,
    weights: {
      type: "numbers",
      unit: FREEDOM_UNITS.force,
      above: 0,
      default: 1,
      about: "Torque or force of each hinge that counts as one: large for strong motors. These are not limits.",
    },
    damping: {
      type: "number",
      unit: "1/s",
      least: 0,
      default: 0,
      about: "Rate at which speeds that the tasks leave free decay.",
    },
    thrusters: {
      type: "list",
      of: TASK_THRUSTER,
      default: [],
      about:
        "Thrusters, as declared among the forces, that help with the tasks: without them and without a foothold, momentum fixes the mass " +
        "centre of the robot. Their thrusts stay between zero and their limits. If these prevent the tasks, higher priorities are done first, " +
        "as nearly as possible.",
    },
    still: { type: "freedoms", optional: true, about: "Hinges, such as wheels, that damping brings to rest." },
    method: {
      type: "choice",
      of: ["null-basis", "literal"],
      default: "null-basis",
      about:
        "Method of optimisation: over the null space of the tasks, or `literal` by pseudo-inverses as printed in the paper, for comparison; not with held hinges.",
    },
  },
  examples: TASK_EXAMPLES.map((example) => ({ ...example, weights: 3 })),
  controller(name, values, note, model): Controller<CoordinationMemory> {
    const robot = new Coordination(name, values, note, model, values.thrusters);
    const { stack, accelerationSolver, driven } = robot;
    checkThrusters(values.thrusters, note);
    const { n, m } = stack;
    const { speeds } = stack.robot;
    const still = [...new Set(hingeIndices(stack, values.still ?? [], "still", note))];
    if (values.damping > 0 && !robot.closed.isPossible && n - still.length < (stack.levels[1] ?? m))
      note(
        "still",
        `leaves ${n - still.length} hinges for ${stack.levels[1] ?? m} rows of tasks`,
        "Leave out some of these hinges",
      );
    if (values.method === "literal" && (driven.length < n || robot.held.length > 0 || stack.levels.length > 2))
      note("method", "the literal form needs a motor in every hinge, none held, and one priority");
    const literal = values.method === "literal" ? torqueOptimumFactory("literal")?.(m, n) : undefined;
    if (values.method === "literal" && literal === undefined)
      note(
        "method",
        "the literal form is not loaded",
        "Run it with the command castor, or register it with registerTorqueOptimum",
      );
    const weight = new Float64Array(n);
    for (const [i, j] of driven.entries()) if (j >= 0) weight[j] = 1 / values.weights[i]!;
    const regular = lazy(() => ({
      law: literal ? undefined : robot.compileLaw({ least: "torque", weights: weight, damping: values.damping, still }),
    }));
    const cost = new Float64Array(n * n);
    const bias = new Float64Array(n);
    const phidd = new Float64Array(n);
    const excess = new Float64Array(n);
    const rhs = new Float64Array(m);

    const outputWeight = Float64Array.from([...weight, ...values.thrusters.map((thruster) => 1 / thruster.weight)]);
    const updateClosed = (
      closed: ClosedCoordination,
      s: Snapshot,
      { start, reported }: CoordinationMemory,
      command: Float64Array,
    ): void => {
      closed.solve(s, start);
      closed.minimiseOutputs(outputWeight, s.t);
      if (values.damping > 0) closed.damp(values.damping, s.u, still, outputWeight);
      closed.writeCommands(command);
      if (reported) closed.report(reported);
    };
    const damp = (s: Snapshot): void => {
      if (literal) robot.solveAccelerations(s.t); // for the null space
      robot.solveSpeeds(s.t, stack.velocity, still, s.u);
      for (let j = 0; j < n; j++) excess[j] = s.u[speeds[j]!]! - robot.speedSolver.x[j]!;
      robot.addNullSpaceMotion(-values.damping, excess, phidd);
    };
    return {
      name,
      period: values.period,
      commands: robot.commands,
      breaks: stack.breaks,
      ...(values.thrusters.length > 0 && {
        channels: THRUSTER_CHANNELS,
        report: ({ reported }: CoordinationMemory, out: Float64Array) => out.set(reported!),
      }),
      start: (_model, s) => robot.start(s),
      update(s, memory, command) {
        if (robot.closed.isNeeded(s)) {
          updateClosed(robot.closed, s, memory, command);
          return memory;
        }
        const { law } = regular();
        robot.evaluate(s, memory);
        if (law?.torques(s.u, command)) return memory;
        const { Hstar, Cstar } = stack.values;
        if (literal) {
          for (let i = 0; i < n; i++) {
            for (let j = 0; j < n; j++) cost[i * n + j] = weight[i]! * Hstar[i * n + j]!;
            bias[i] = weight[i]! * Cstar[i]!;
          }
          for (let i = 0; i < m; i++) rhs[i] = stack.referenceAcceleration[i]! - stack.bias[i]!;
          literal(stack.J, rhs, cost, bias, phidd);
        } else {
          robot.solveAccelerations(s.t);
          accelerationSolver.minimise(Hstar, Cstar, n, weight);
          phidd.set(accelerationSolver.x);
        }
        if (values.damping > 0) damp(s);
        robot.torques(phidd, command);
        return memory;
      },
      decode: (data) => robot.decode(data),
    };
  },
});

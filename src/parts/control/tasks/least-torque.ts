/**
 * Coordination of all hinges with least torque [Yoshida, Kurazume, Umetani 1991, eq. 30]: of all accelerations that do the tasks, those
 * with the least Σ (τ_i / w_i)². In place of the pseudo-inverses of the paper, whose noise is many orders above the solution unless
 * they are cut off by hand, the free directions N of the tasks are known, and the rest is a small least squares problem.
 *
 * The local optimum does not return when the tasks do: the null space has speeds of its own, which nothing damps. With `damping` k the
 * speeds that the tasks leave free decay toward those with which they could be done with `still` hinges (the wheels) at rest:
 *
 *   φ̈ := φ̈ - k (φ̇ - φ̇_r),   J φ̇_r = J φ̇,  φ̇_r = 0 for still hinges
 *
 * The difference lies in the null space of J, so tasks do not feel it; of it is taken what held hinges and hinges without motor do not
 * feel either.
 */

import { FREEDOM_UNITS } from "../../../declare/parameters.ts";
import type { Controller } from "../../../sim/run/controller.ts";
import type { Snapshot } from "../../../sim/system/force-element.ts";
import { controllerKind } from "../kind.ts";
import type { CompiledTaskLaw } from "./compiled-task-law.ts";
import { COORDINATION_PARAMETERS, Coordination, hingeIndices } from "./coordination.ts";
import { TASK_EXAMPLES } from "./task-examples.ts";
import { torqueOptimumFactory } from "./torque-optimum.ts";

interface LeastTorqueMemory {
  readonly start: Float64Array;
  readonly regular: CompiledTaskLaw | undefined;
}

export const leastTorque = controllerKind({
  name: "least-torque",
  about:
    "For a free-flying robot: of all hinge torques that give the tasks their accelerations (see resolved-acceleration), those with the " +
    "least sum of (torque / weight)². With damping, speeds that tasks leave free decay at that rate toward those with which the tasks " +
    "could be done with the still hinges at rest, so that repeated motions do not drift.",
  parameters: {
    ...COORDINATION_PARAMETERS,
    weights: {
      type: "numbers",
      unit: FREEDOM_UNITS.force,
      above: 0,
      default: 1,
      about: "Torque or force of each hinge that counts as one: large for strong motors. These are no limits.",
    },
    damping: {
      type: "number",
      unit: "1/s",
      least: 0,
      default: 0,
      about: "Rate at which speeds that the tasks leave free decay.",
    },
    still: { type: "freedoms", optional: true, about: "Hinges, such as wheels, that are at rest in what damping leads to." },
    method: {
      type: "choice",
      of: ["null-basis", "literal"],
      default: "null-basis",
      about:
        "How the optimum is found: over the free directions, or by pseudo-inverses as printed, to compare (without held hinges).",
    },
  },
  examples: TASK_EXAMPLES.map((example) => ({ ...example, weights: 3 })),
  controller(name, values, note, model): Controller<LeastTorqueMemory> {
    const robot = new Coordination(name, values, note, model);
    const { stack, accelerationSolver: levels, driven } = robot;
    const { n, m } = stack;
    const { speeds } = stack.robot;
    const still = [...new Set(hingeIndices(stack, values.still ?? [], "still", note))];
    if (values.damping > 0 && n - still.length < (stack.levels[1] ?? m))
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
    const cost = new Float64Array(n * n);
    const bias = new Float64Array(n);
    const phidd = new Float64Array(n);
    const excess = new Float64Array(n);
    const rhs = new Float64Array(m);

    const damp = (s: Snapshot): void => {
      if (literal) robot.solveAccelerations(s.t); // for the free directions
      robot.solveSpeeds(s.t, stack.velocity, still, s.u);
      for (let j = 0; j < n; j++) excess[j] = s.u[speeds[j]!]! - robot.speedSolver.x[j]!;
      robot.addNullSpaceMotion(-values.damping, excess, phidd);
    };
    return {
      name,
      period: values.period,
      commands: robot.commands,
      breaks: stack.breaks,
      start: (_model, s) => ({
        start: robot.start(s.q),
        regular: literal ? undefined : robot.compileLaw({ least: "torque", weights: weight, damping: values.damping, still }),
      }),
      update(s, memory, command) {
        stack.evaluate(s.t, s.q, s.u, memory.start);
        if (memory.regular?.torques(s.u, command)) return memory;
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
          levels.minimise(Hstar, Cstar, n, weight);
          phidd.set(levels.x);
        }
        if (values.damping > 0) damp(s);
        robot.torques(phidd, command);
        return memory;
      },
    };
  },
});

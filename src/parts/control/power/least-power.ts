/**
 * Coordination of all hinges with least instantaneous power: the torques of least
 *
 *   Σ p(τ_i φ̇_i) + loss Σ (τ_i / w_i)²,   p(P) = P with regeneration, max(0, P) without                             (1)
 *
 * among all that do the tasks. The second term is the heat in the windings. It makes the optimum unique and continuous in the state. Net
 * power alone has no minimum: it is linear in the torques. At the same state the power Σ p of this law is at most that of least-torque
 * with the same weights. If z is the optimum of (1) and z' that of the torque T = Σ (τ_i / w_i)²: P(z) + loss T(z) ≤ P(z') + loss T(z'), and
 * T(z') ≤ T(z), so P(z) ≤ P(z').
 */
import { FREEDOM_UNITS } from "../../../declare/parameters.ts";
import type { HierarchicalLeastSquares } from "../../../math/optimise/hierarchical-least-squares.ts";
import { KinkedLeastSquares } from "../../../math/optimise/kinked-least-squares.ts";
import { totalRowCount } from "../../../model/loop.ts";
import type { Controller } from "../../../sim/run/controller.ts";
import { controllerKind } from "../kind.ts";
import { COORDINATION_PARAMETERS, Coordination, type CoordinationMemory } from "../tasks/coordination.ts";
import { TASK_EXAMPLES } from "../tasks/task-examples.ts";

export const leastPower = controllerKind({
  name: "least-power",
  about:
    "For a free-flying robot: the hinge torques with the least power at each instant among all that give the tasks their accelerations " +
    "(see resolved-acceleration): least sum of torque × speed, or of max(0, torque × speed) without regeneration, plus loss × sum of " +
    "(torque / weight)², the heat in the windings. Its sum of powers is never above that of least-torque with the same weights at the " +
    "same state. Engaged loops of the robot are included.",
  parameters: {
    ...COORDINATION_PARAMETERS,
    weights: {
      type: "numbers",
      unit: FREEDOM_UNITS.force,
      above: 0,
      default: 1,
      about:
        "Torque or force of each hinge at which its motor loses the power `loss`: large for strong motors. These are not limits.",
    },
    loss: {
      type: "number",
      unit: "N m/s",
      above: 0,
      default: 10,
      about: "Power lost as heat in the windings of each motor at the torque of its weight; 1 N m/s is 1 W.",
    },
    regeneration: {
      type: "boolean",
      default: true,
      about: "Whether power that braking motors return counts as a gain; otherwise it counts as zero.",
    },
  },
  examples: TASK_EXAMPLES.map((example) => ({ ...example, weights: 3, regeneration: false })),
  controller(name, values, note, model): Controller<CoordinationMemory> {
    const robot = new Coordination(name, values, note, model);
    const { stack, accelerationSolver, driven } = robot;
    const { n } = stack;
    const count = driven.length;
    const optimum = new KinkedLeastSquares(count, n + totalRowCount([...model.loops, ...model.openLoops]));
    const { B, y, below, above } = optimum;
    /** y_i = factor_i τ_i, so that |y|² is the heat in the windings. */
    const factor = values.weights.map((w) => Math.sqrt(values.loss) / w);
    /** Changes the torques in `command` along the free directions of a solver, whose unknowns give the torques of all hinges by `torqueRows`. */
    const minimise = (
      torqueRows: Float64Array,
      { N, freedom, n: size }: HierarchicalLeastSquares,
      u: Float64Array,
      command: Float64Array,
    ): void => {
      for (let i = 0; i < count; i++) {
        const slope = u[stack.robot.speeds[driven[i]!]!]! / factor[i]!;
        y[i] = factor[i]! * command[i]!;
        above[i] = values.regeneration ? slope : Math.max(0, slope);
        below[i] = values.regeneration ? slope : Math.min(0, slope);
        for (let k = 0; k < freedom; k++) {
          let torque = 0;
          for (let j = 0; j < size; j++) torque += torqueRows[driven[i]! * size + j]! * N[k * size + j]!;
          B[k * count + i] = factor[i]! * torque;
        }
      }
      optimum.solve(freedom);
      for (let i = 0; i < count; i++) command[i] = y[i]! / factor[i]!;
    };
    return {
      name,
      period: values.period,
      commands: robot.commands,
      breaks: stack.breaks,
      start: (_model, s) => robot.start(s),
      update(s, memory, command) {
        const { closed } = robot;
        if (closed.isNeeded(s)) {
          closed.solve(s, memory.start);
          closed.writeCommands(command);
          minimise(closed.tasks.output, closed.tasks.solver, s.u, command);
          return memory;
        }
        robot.evaluate(s, memory);
        robot.solveAccelerations(s.t);
        robot.torques(accelerationSolver.x, command);
        minimise(stack.values.Hstar, accelerationSolver, s.u, command);
        return memory;
      },
      decode: (data) => robot.decode(data),
    };
  },
});

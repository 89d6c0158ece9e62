/** Computed torque: the actuated hinges follow their references as double integrators, independent of the motion of the rest. */
import { biasForce, massMatrix } from "../../../dynamics/programs.ts";
import { SingularError } from "../../../errors.ts";
import { compile } from "../../../kernel/run/kernel.ts";
import { lazy } from "../../../kernel/run/lazy.ts";
import { factorTree, solveTree, treePattern } from "../../../math/linear/tree-ldl.ts";
import type { Controller } from "../../../sim/run/controller.ts";
import { ClosedHinges } from "../foothold/closed-hinges.ts";
import { controllerKind } from "../kind.ts";
import { checkDrivenHinges, commandName, DRIVEN_HINGE, referenceTrajectories } from "./driven-hinges.ts";

export const computedTorque = controllerKind({
  name: "computed-torque",
  about:
    "Torques that give the actuated hinges the acceleration a = d²reference/dt² + kd (d reference/dt - u) + kp (reference - q). " +
    "All other freedoms, such as a floating base, are passive: they are eliminated, which leaves the generalised inertia of the " +
    "actuated ones. Engaged loops are included: where they bind actuated hinges to each other, these come as near to a as the loops permit, " +
    "with the least squared torques. The law does not include other force elements.",
  parameters: {
    period: {
      type: "number",
      unit: "s",
      above: 0,
      default: 0.01,
      about: "Time between updates; the command is held in between.",
    },
    hinges: {
      type: "list",
      about: "The actuated hinges, each with its actuator, gains and reference.",
      of: {
        ...DRIVEN_HINGE,
        kp: {
          type: "number",
          unit: "1/s^2",
          least: 0,
          about: "Position gain: the square of the natural frequency of the control loop.",
        },
        kd: {
          type: "number",
          unit: "1/s",
          least: 0,
          optional: true,
          about: "Speed gain; 2 √kp, critical damping, if not given.",
        },
      },
    },
  },
  examples: [
    {
      period: 0.005,
      hinges: [
        { hinge: "shoulder", actuator: "shoulder-motor", kp: 100, reference: 0.4 },
        {
          hinge: "elbow",
          actuator: "elbow-motor",
          kp: 100,
          kd: 18,
          reference: [
            [0, 0],
            [2, 1.2],
          ],
        },
      ],
    },
  ],
  controller(name, { period, hinges }, note, model): Controller<undefined> {
    checkDrivenHinges(hinges, note);
    const trajectories = referenceTrajectories(hinges);
    const { nq, nu } = model;
    const compiled = lazy(() => ({ mass: compile(massMatrix(model)), bias: compile(biasForce(model)) }));
    const actuatedSpeeds = hinges.map(({ hinge }) => hinge.u);
    const passive = Array.from({ length: nu }, (_, i) => i).filter((i) => !actuatedSpeeds.includes(i));
    const pattern = treePattern(passive.map((_, i) => i - 1));
    const closed = new ClosedHinges(model, actuatedSpeeds);
    const reference = new Float64Array(3);
    /** Accelerations of all speeds: demanded for actuated hinges, predicted for passive ones. */
    const acceleration = new Float64Array(nu);
    /** Packed lower triangle of M_pp, its diagonal, and the right side. */
    const [triangle, diagonal] = [new Float64Array(pattern.size), new Float64Array(passive.length)];
    const rhs = new Float64Array(passive.length);

    /** Accelerations of the passive freedoms: M_pp a_p = -(b_p + M_pa a_a). */
    const predictPassive = (M: Float64Array, b: Float64Array): void => {
      for (let i = 0; i < passive.length; i++) {
        const row = nu * passive[i]!;
        let sum = b[passive[i]!]!;
        for (let k = 0; k < actuatedSpeeds.length; k++) sum += M[row + actuatedSpeeds[k]!]! * acceleration[actuatedSpeeds[k]!]!;
        rhs[i] = -sum;
        for (let j = 0; j <= i; j++) triangle[pattern.start[i]! + j] = M[row + passive[j]!]!;
      }
      if (factorTree(pattern, triangle, diagonal) >= 0)
        throw new SingularError(`${name}: the mass matrix of the passive freedoms is singular`);
      solveTree(pattern, triangle, rhs);
      for (let i = 0; i < passive.length; i++) acceleration[passive[i]!] = rhs[i]!;
    };

    return {
      name,
      period,
      commands: hinges.map(commandName),
      start: () => undefined,
      update(s, memory, command) {
        for (let i = 0; i < hinges.length; i++) {
          const { hinge, kp, kd = 2 * Math.sqrt(kp) } = hinges[i]!;
          trajectories[i]!.at(s.t, reference);
          acceleration[hinge.u] = reference[2]! + kd * (reference[1]! - s.u[hinge.u]!) + kp * (reference[0]! - s.q[hinge.q!]!);
        }
        if (closed.isNeeded(s)) {
          closed.writeTorques(s, acceleration, command);
          return memory;
        }
        const { mass, bias } = compiled();
        mass.x.set(s.q);
        mass.evaluate();
        bias.x.set(s.q);
        bias.x.set(s.u, nq);
        bias.evaluate();
        const M = mass.y;
        const b = bias.y;
        predictPassive(M, b);
        for (let i = 0; i < actuatedSpeeds.length; i++) {
          const row = nu * actuatedSpeeds[i]!;
          let torque = b[actuatedSpeeds[i]!]!;
          for (let j = 0; j < nu; j++) torque += M[row + j]! * acceleration[j]!;
          command[i] = torque;
        }
        return memory;
      },
    };
  },
});

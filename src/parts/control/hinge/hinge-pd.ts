/** Proportional-derivative control of single hinges, with optional gravity compensation. */
import { FREEDOM_UNITS } from "../../../declare/parameters.ts";
import { biasForce } from "../../../dynamics/programs.ts";
import { compile } from "../../../kernel/run/kernel.ts";
import { lazy } from "../../../kernel/run/lazy.ts";
import type { Model } from "../../../model/model.ts";
import type { Controller } from "../../../sim/run/controller.ts";
import { controllerKind } from "../kind.ts";
import { checkDrivenHinges, commandName, DRIVEN_HINGE, referenceTrajectories } from "./driven-hinges.ts";

export const hingePd = controllerKind({
  name: "hinge-pd",
  about:
    "For each hinge separately: torque = kp (reference - q) + kd (d reference/dt - u); with gravityCompensation plus the torque that " +
    "holds the machine against uniform gravity. Commands actuators.",
  parameters: {
    period: {
      type: "number",
      unit: "s",
      above: 0,
      default: 0.01,
      about: "Time between updates; the command is held in between.",
    },
    gravityCompensation: { type: "boolean", default: false, about: "Add the torque that holds the machine against gravity." },
    hinges: {
      type: "list",
      about: "The hinges, each with its actuator, gains and reference.",
      of: {
        ...DRIVEN_HINGE,
        kp: { type: "number", unit: FREEDOM_UNITS.stiffness, least: 0, about: "Position gain." },
        kd: { type: "number", unit: FREEDOM_UNITS.damping, least: 0, about: "Speed gain." },
      },
    },
  },
  examples: [
    {
      period: 0.005,
      gravityCompensation: true,
      hinges: [
        { hinge: "shoulder", actuator: "shoulder-motor", kp: 40, kd: 12, reference: 0.4 },
        {
          hinge: "elbow",
          actuator: "elbow-motor",
          kp: 20,
          kd: 6,
          reference: [
            [0, 0],
            [2, 1.2],
          ],
        },
      ],
    },
  ],
  controller(name, { period, gravityCompensation, hinges }, note, model): Controller<undefined> {
    checkDrivenHinges(hinges, note);
    const trajectories = referenceTrajectories(hinges);
    const holdingTorque = gravityCompensation ? holdingTorques(model) : undefined;
    const reference = new Float64Array(3);
    return {
      name,
      period,
      commands: hinges.map(commandName),
      start: () => undefined,
      update(s, memory, command) {
        const gravityTorque = holdingTorque?.(s.q);
        for (let i = 0; i < hinges.length; i++) {
          const { hinge, kp, kd } = hinges[i]!;
          trajectories[i]!.at(s.t, reference);
          const torque = kp * (reference[0]! - s.q[hinge.q!]!) + kd * (reference[1]! - s.u[hinge.u]!);
          command[i] = torque + (gravityTorque?.[hinge.u] ?? 0);
        }
        return memory;
      },
    };
  },
});

/** Torques that hold the machine at rest: the bias force at zero speed. */
function holdingTorques(model: Model): (q: Float64Array) => Float64Array {
  const kernel = lazy(() => compile(biasForce(model)));
  return (q) => {
    const { x, y, evaluate } = kernel();
    x.fill(0);
    x.set(q);
    evaluate();
    return y;
  };
}

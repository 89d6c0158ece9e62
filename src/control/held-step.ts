/** What a robot does while its torques are held: the speeds at the end of a step, by the midpoint rule. */
import { coordinateRates, forwardDynamics } from "../dynamics/programs.ts";
import type { Robot } from "../dynamics/robot.ts";
import { compile } from "../kernel/kernel.ts";
import type { Model } from "../model/model.ts";

export interface HeldStep {
  /** Writes for each hinge speed how far it ends from φ̇ + T φ̈, the accelerations at the start going on. */
  drift(q: Float64Array, u: Float64Array, tau: Float64Array, accelerations: Float64Array, T: number, out: Float64Array): void;
}

export function heldStep(model: Model, { speeds }: Robot<number>): HeldStep {
  const { nq, nu } = model;
  const dynamics = compile(forwardDynamics(model));
  const rates = compile(coordinateRates(model));
  const accelerate = (tau: Float64Array): Float64Array => {
    for (let j = 0; j < speeds.length; j++) dynamics.x[nq + nu + speeds[j]!] = tau[j]!;
    dynamics.evaluate();
    return dynamics.y;
  };
  return {
    drift(q, u, tau, accelerations, T, out) {
      dynamics.x.fill(0);
      dynamics.x.set(q);
      dynamics.x.set(u, nq);
      const first = accelerate(tau);
      rates.x.set(q);
      rates.x.set(u, nq);
      rates.evaluate();
      for (let i = 0; i < nq; i++) dynamics.x[i] = q[i]! + 0.5 * T * rates.y[i]!;
      for (let i = 0; i < nu; i++) dynamics.x[nq + i] = u[i]! + 0.5 * T * first[i]!;
      const second = accelerate(tau);
      for (let j = 0; j < speeds.length; j++) out[j] = T * (second[speeds[j]!]! - accelerations[j]!);
    },
  };
}

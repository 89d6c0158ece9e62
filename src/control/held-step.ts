/** What a robot does while its torques are held: the speeds at the end of a step, by the classical rule of Runge and Kutta. */
import { coordinateRates, forwardDynamics } from "../dynamics/programs.ts";
import type { Robot } from "../dynamics/robot.ts";
import { compile } from "../kernel/kernel.ts";
import type { Model } from "../model/model.ts";

export interface HeldStep {
  /** Writes for each hinge speed how far it ends from φ̇ + T φ̈, the accelerations at the start going on. */
  drift(q: Float64Array, u: Float64Array, tau: Float64Array, accelerations: Float64Array, T: number, out: Float64Array): void;
}

/** Where the stages are within the step, and what they count in its sum. */
const STAGES = [
  { ahead: 0.5, part: 1 / 6 },
  { ahead: 0.5, part: 1 / 3 },
  { ahead: 1, part: 1 / 3 },
  { ahead: 0, part: 1 / 6 },
] as const;

export function heldStep(model: Model, { speeds }: Robot<number>): HeldStep {
  const { nq, nu } = model;
  const dynamics = compile(forwardDynamics(model));
  const rates = compile(coordinateRates(model));
  const { x, y } = dynamics;
  return {
    drift(q, u, tau, accelerations, T, out) {
      x.fill(0);
      x.set(q);
      x.set(u, nq);
      for (let j = 0; j < speeds.length; j++) {
        x[nq + nu + speeds[j]!] = tau[j]!;
        out[j] = -T * accelerations[j]!;
      }
      for (let stage = 0; stage < 4; stage++) {
        const { ahead, part } = STAGES[stage]!;
        for (let i = 0; i < nq + nu; i++) rates.x[i] = x[i]!;
        rates.evaluate();
        dynamics.evaluate();
        for (let j = 0; j < speeds.length; j++) out[j]! += part * T * y[speeds[j]!]!;
        for (let i = 0; i < nq; i++) x[i] = q[i]! + ahead * T * rates.y[i]!;
        for (let i = 0; i < nu; i++) x[nq + i] = u[i]! + ahead * T * y[i]!;
      }
    },
  };
}

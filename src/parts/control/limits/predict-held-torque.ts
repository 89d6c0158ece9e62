/** What a robot does while its torques are held: speeds within a step and at its end, by the classical rule of Runge and Kutta. */

import type { Robot } from "../../../dynamics/free-flying/robot.ts";
import { coordinateRates, forwardDynamics } from "../../../dynamics/programs.ts";
import { compile } from "../../../kernel/run/kernel.ts";
import type { Model } from "../../../model/model.ts";

/** How far hinge speeds are from φ̇ + t φ̈, the accelerations at the start going on: at the ends of equal parts of the step. */
export interface SpeedDrift {
  /** How many: 2, or more where much happens within the step. */
  nodes: number;
  /** Node by node, n hinge speeds each. */
  readonly values: Float64Array;
}

export interface HeldTorquePredictor {
  predictDrift(
    q: Float64Array,
    u: Float64Array,
    tau: Float64Array,
    accelerations: Float64Array,
    T: number,
    out: SpeedDrift,
  ): void;
}

/** Where the stages are within the step, and what they count in its sum. */
const RUNGE_KUTTA_STAGES = [
  { ahead: 0.5, part: 1 / 6 },
  { ahead: 0.5, part: 1 / 3 },
  { ahead: 1, part: 1 / 3 },
  { ahead: 0, part: 1 / 6 },
] as const;

/** Error of speeds that is tolerated; halving a step divides it by 16. */
const SPEED_TOLERANCE = 1e-9;
const MOST_STEPS = 32;

/** At the end of the step. */
export const finalDrift = ({ nodes, values }: SpeedDrift, j: number, n: number): number => values[(nodes - 1) * n + j]!;

/** Of the coordinate, at the end: the integral of the drift of its speed [Simpson]. */
export function coordinateDrift({ nodes, values }: SpeedDrift, j: number, n: number, T: number): number {
  let sum = 0;
  for (let k = 0; k < nodes; k++) sum += (k === nodes - 1 ? 1 : k % 2 === 0 ? 4 : 2) * values[k * n + j]!;
  return (sum * T) / (3 * nodes);
}

export const zeroDrift = (n: number): SpeedDrift => ({ nodes: 2, values: new Float64Array(MOST_STEPS * n) });

export function heldTorquePredictor(model: Model, { speeds }: Robot<number>): HeldTorquePredictor {
  const { nq, nu } = model;
  const n = speeds.length;
  const dynamics = compile(forwardDynamics(model));
  const rates = compile(coordinateRates(model));
  const { x, y } = dynamics;
  const state = new Float64Array(nq + nu);
  const sum = new Float64Array(nq + nu);
  const [second, last] = [new Float64Array(n), new Float64Array(n)];
  /** How far accelerations of the second and third stage of the last step are apart: far more than its error. */
  let apart = 0;

  function evaluate(): void {
    for (let i = 0; i < nq + nu; i++) rates.x[i] = x[i]!;
    rates.evaluate();
    dynamics.evaluate();
  }

  /** One step of length h from `state`. */
  function step(h: number): void {
    x.set(state);
    sum.set(state);
    for (let stage = 0; stage < 4; stage++) {
      const { ahead, part } = RUNGE_KUTTA_STAGES[stage]!;
      evaluate();
      if (stage === 1) for (let j = 0; j < n; j++) second[j] = y[speeds[j]!]!;
      if (stage === 2) {
        apart = 0;
        for (let j = 0; j < n; j++) apart = Math.max(apart, Math.abs(y[speeds[j]!]! - second[j]!));
      }
      for (let i = 0; i < nq; i++) sum[i]! += part * h * rates.y[i]!;
      for (let i = 0; i < nu; i++) sum[nq + i]! += part * h * y[i]!;
      if (stage === 3) break;
      for (let i = 0; i < nq; i++) x[i] = state[i]! + ahead * h * rates.y[i]!;
      for (let i = 0; i < nu; i++) x[nq + i] = state[nq + i]! + ahead * h * y[i]!;
    }
    state.set(sum);
  }

  /** In so many steps: speeds at the end of each. */
  function integrate(q: Float64Array, u: Float64Array, T: number, steps: number, out: SpeedDrift): void {
    out.nodes = steps;
    state.set(q);
    state.set(u, nq);
    for (let k = 0; k < steps; k++) {
      step(T / steps);
      for (let j = 0; j < n; j++) out.values[k * n + j] = state[nq + speeds[j]!]!;
    }
  }

  return {
    predictDrift(q, u, tau, accelerations, T, out) {
      const { values } = out;
      x.fill(0);
      for (let j = 0; j < n; j++) x[nq + nu + speeds[j]!] = tau[j]!;
      integrate(q, u, T, 1, out);
      if (T * apart < 10 * SPEED_TOLERANCE) {
        x.set(state);
        evaluate();
        out.nodes = 2;
        for (let j = 0; j < n; j++) {
          const end = values[j]!;
          values[j] = 0.5 * (u[speeds[j]!]! + end) + 0.125 * T * (accelerations[j]! - y[speeds[j]!]!); // by accelerations at both ends
          values[n + j] = end;
        }
      } else {
        let error = Number.POSITIVE_INFINITY;
        for (let steps = 2; steps <= MOST_STEPS && error > SPEED_TOLERANCE; steps *= 2) {
          for (let j = 0; j < n; j++) last[j] = values[(out.nodes - 1) * n + j]!;
          integrate(q, u, T, steps, out);
          error = 0;
          for (let j = 0; j < n; j++) error = Math.max(error, Math.abs(values[(steps - 1) * n + j]! - last[j]!) / 15);
        }
      }
      for (let k = 0; k < out.nodes; k++)
        for (let j = 0; j < n; j++) values[k * n + j]! -= u[speeds[j]!]! + (T * (k + 1) * accelerations[j]!) / out.nodes;
    },
  };
}

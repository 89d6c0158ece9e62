/** Predicts hinge speeds of a robot over one step while its torques are held, by the classical Runge-Kutta method. */
import type { Robot } from "../../../dynamics/free-flying/robot.ts";
import { coordinateRates, forwardDynamics } from "../../../dynamics/programs.ts";
import { compile } from "../../../kernel/run/kernel.ts";
import type { Model } from "../../../model/model.ts";

/** Difference of the hinge speeds from φ̇ + t φ̈, with the accelerations φ̈ of the start, at the ends of equal intervals of the step. */
export interface SpeedDrift {
  /** Number of intervals: 2, or more if speeds change strongly within the step. */
  nodes: number;
  /** Node by node, n hinge speeds each. */
  readonly values: Float64Array;
}

export interface HeldTorquePredictor {
  /** Writes the drift of the speeds over a step of length T with torques `tau`, whose accelerations at the start are given. */
  predictDrift(
    q: Float64Array,
    u: Float64Array,
    tau: Float64Array,
    accelerations: Float64Array,
    T: number,
    out: SpeedDrift,
  ): void;
}

/** Time of the next stage as a share of the step, and weight of the stage in the sum. */
const RUNGE_KUTTA_STAGES = [
  { nextStage: 0.5, weight: 1 / 6 },
  { nextStage: 0.5, weight: 1 / 3 },
  { nextStage: 1, weight: 1 / 3 },
  { nextStage: 0, weight: 1 / 6 },
] as const;

/** Tolerated error of the speeds; halving a step divides the error by 16. */
const SPEED_TOLERANCE = 1e-9;
/** Largest number of intervals of a step. */
export const MOST_DRIFT_NODES = 32;

/** Drift of speed j at the end of the step. */
export const finalDrift = ({ nodes, values }: SpeedDrift, j: number, n: number): number => values[(nodes - 1) * n + j]!;

/** Drift of coordinate j at the end of the step: the integral of the drift of its speed, by Simpson's rule. */
export function coordinateDrift({ nodes, values }: SpeedDrift, j: number, n: number, T: number): number {
  let sum = 0;
  for (let k = 0; k < nodes; k++) sum += (k === nodes - 1 ? 1 : k % 2 === 0 ? 4 : 2) * values[k * n + j]!;
  return (sum * T) / (3 * nodes);
}

export const zeroDrift = (n: number): SpeedDrift => ({ nodes: 2, values: new Float64Array(MOST_DRIFT_NODES * n) });

export function heldTorquePredictor(model: Model, { speeds }: Robot<number>): HeldTorquePredictor {
  const { nq, nu } = model;
  const n = speeds.length;
  const dynamics = compile(forwardDynamics(model));
  const rates = compile(coordinateRates(model));
  const { x, y } = dynamics;
  const state = new Float64Array(nq + nu);
  const sum = new Float64Array(nq + nu);
  const [secondStage, previousEnd] = [new Float64Array(n), new Float64Array(n)];
  /** Largest difference between the accelerations of the second and third stage of the last step: an upper estimate of its error. */
  let stageDifference = 0;

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
      const { nextStage, weight } = RUNGE_KUTTA_STAGES[stage]!;
      evaluate();
      if (stage === 1) for (let j = 0; j < n; j++) secondStage[j] = y[speeds[j]!]!;
      if (stage === 2) {
        stageDifference = 0;
        for (let j = 0; j < n; j++) stageDifference = Math.max(stageDifference, Math.abs(y[speeds[j]!]! - secondStage[j]!));
      }
      for (let i = 0; i < nq; i++) sum[i]! += weight * h * rates.y[i]!;
      for (let i = 0; i < nu; i++) sum[nq + i]! += weight * h * y[i]!;
      if (stage === 3) break;
      for (let i = 0; i < nq; i++) x[i] = state[i]! + nextStage * h * rates.y[i]!;
      for (let i = 0; i < nu; i++) x[nq + i] = state[nq + i]! + nextStage * h * y[i]!;
    }
    state.set(sum);
  }

  /** Integrates over T in `steps` steps, and writes the speeds at the end of each. */
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
      if (T * stageDifference < 10 * SPEED_TOLERANCE) {
        x.set(state);
        evaluate();
        out.nodes = 2;
        for (let j = 0; j < n; j++) {
          const end = values[j]!;
          // At the middle, by the Hermite interpolant of speeds and accelerations at both ends.
          values[j] = 0.5 * (u[speeds[j]!]! + end) + 0.125 * T * (accelerations[j]! - y[speeds[j]!]!);
          values[n + j] = end;
        }
      } else {
        let error = Number.POSITIVE_INFINITY;
        for (let steps = 2; steps <= MOST_DRIFT_NODES && error > SPEED_TOLERANCE; steps *= 2) {
          for (let j = 0; j < n; j++) previousEnd[j] = values[(out.nodes - 1) * n + j]!;
          integrate(q, u, T, steps, out);
          error = 0;
          for (let j = 0; j < n; j++) error = Math.max(error, Math.abs(values[(steps - 1) * n + j]! - previousEnd[j]!) / 15);
        }
      }
      for (let k = 0; k < out.nodes; k++)
        for (let j = 0; j < n; j++) values[k * n + j]! -= u[speeds[j]!]! + (T * (k + 1) * accelerations[j]!) / out.nodes;
    },
  };
}

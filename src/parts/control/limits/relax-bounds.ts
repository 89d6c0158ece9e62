/**
 * What limited tasks do in an emergency: no torques within their limits keep the bounds of the accelerations φ̈. The bounds are then moved by
 * as little as the torques demand:
 *
 *   min Σ v_i²   with   lower ≤ φ̈ + v ≤ upper,   τ = H φ̈ + C within its limits
 */
import { type QuadraticProgram, quadraticProgram } from "../../../math/optimise/quadratic-program.ts";

/** Weight of the torques beside the violation of bounds. */
const EMERGENCY_TORQUE_WEIGHT = 1e-8;

interface TorqueLimits {
  readonly C: Float64Array;
  readonly torqueLower: Float64Array;
  readonly torqueUpper: Float64Array;
}

interface BoundedAccelerations extends TorqueLimits {
  readonly H: Float64Array;
  readonly phidd: Float64Array;
  readonly lower: Float64Array;
  readonly upper: Float64Array;
}

/** Writes the bounds of the rows H φ̈ of a program, from row `first` on: the torque limits without C. */
export function writeTorqueRows(
  { torqueLower, torqueUpper, C }: TorqueLimits,
  { lower, upper }: QuadraticProgram,
  first: number,
): void {
  for (let i = 0; i < C.length; i++) {
    lower[first + i] = torqueLower[i]! - C[i]!;
    upper[first + i] = torqueUpper[i]! - C[i]!;
  }
}

export class BoundRelaxation {
  readonly #n: number;
  readonly #program: QuadraticProgram;

  /** @param n number of hinge speeds */
  constructor(n: number) {
    this.#n = n;
    this.#program = quadraticProgram(2 * n, 2 * n);
  }

  /**
   * Moves φ̈ and its bounds. Returns the largest distance by which a bound is moved.
   *
   * @param main the program with the cost of the torques
   */
  relax(tasks: BoundedAccelerations, main: QuadraticProgram): number {
    const { H, phidd, lower, upper } = tasks;
    const n = this.#n;
    const program = this.#program;
    const { G, A, lower: low, upper: high } = program;
    G.fill(0);
    A.fill(0);
    let largest = 0;
    for (let i = 0; i < n; i++) largest = Math.max(largest, main.G[i * n + i]!);
    for (let i = 0; i < n; i++) {
      for (let j = 0; j < n; j++) {
        G[2 * i * n + j] = (EMERGENCY_TORQUE_WEIGHT * main.G[i * n + j]!) / largest;
        A[2 * i * n + j] = H[i * n + j]!;
      }
      program.g[i] = (EMERGENCY_TORQUE_WEIGHT * main.g[i]!) / largest;
      G[(n + i) * (2 * n + 1)] = 1;
      A[(n + i) * 2 * n + i] = 1;
      A[(n + i) * 2 * n + n + i] = 1;
      low[n + i] = lower[i]!;
      high[n + i] = upper[i]!;
    }
    writeTorqueRows(tasks, program, 0);
    program.solve();
    let violation = 0;
    for (let i = 0; i < n; i++) {
      const value = program.x[i]!;
      violation = Math.max(violation, lower[i]! - value, value - upper[i]!);
      lower[i] = Math.min(lower[i]!, value);
      upper[i] = Math.max(upper[i]!, value);
      phidd[i] = value;
    }
    return violation;
  }
}

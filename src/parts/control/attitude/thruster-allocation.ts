/**
 * Thrusts that give a demanded torque about the mass centre with little net force: the quadratic program
 *
 *   min w |B_τ f - τ|² + FORCE_WEIGHT |B_F f|² + THRUST_WEIGHT (|f|² + 2 Σ f)   with   0 ≤ f ≤ limit
 *
 * with w = 1 / (longest arm)². The last term keeps opposite thrusters from firing against each other.
 */
import { quadraticProgram } from "../../../math/optimise/quadratic-program.ts";
import type { Vec3 } from "../../../spatial/vec3.ts";

export interface AllocatedThruster {
  /** Direction of the push in axes of its frame. */
  readonly direction: Vec3<number>;
  /** Largest thrust, N. */
  readonly limit: number;
}

/** Numbers of a frame in a snapshot: R (9), position (3), velocities (6). */
const PER_FRAME = 18;
const FORCE_WEIGHT = 0.1;
const THRUST_WEIGHT = 1e-6;

export class ThrusterAllocation {
  /** Thrusts of the last solution, N. */
  readonly thrusts: Float64Array;
  readonly #thrusters: readonly AllocatedThruster[];
  readonly #program: ReturnType<typeof quadraticProgram>;
  /** Torque (3 rows) and force (3 rows) of each thruster per unit of thrust, in world axes. */
  readonly #B: Float64Array;

  constructor(thrusters: readonly AllocatedThruster[]) {
    const k = thrusters.length;
    this.#thrusters = thrusters;
    this.#program = quadraticProgram(k, 0);
    for (const [i, { limit }] of thrusters.entries()) {
      this.#program.xLower[i] = 0;
      this.#program.xUpper[i] = limit;
    }
    this.#B = new Float64Array(6 * k);
    this.thrusts = new Float64Array(k);
  }

  /**
   * Finds thrusts for a torque about `centre`, with the frames of the thrusters in a snapshot. Returns false if there are none. `atLimit`
   * is the first guess and receives the result, per thruster: 1 at zero, -1 at its limit, 0 in between.
   */
  solve(torque: Float64Array, centre: Float64Array, frames: Float64Array, atLimit: Int8Array): boolean {
    const longest = this.#writeArms(centre, frames);
    this.#writeCost(torque, longest > 0 ? 1 / longest : 1);
    this.#program.side.set(atLimit);
    if (this.#program.solve("warm") !== "optimal") return false;
    atLimit.set(this.#program.side);
    for (let i = 0; i < this.#thrusters.length; i++)
      this.thrusts[i] = Math.min(this.#thrusters[i]!.limit, Math.max(0, this.#program.x[i]!));
    return true;
  }

  /** Writes B. Returns the square of the longest arm. */
  #writeArms(centre: Float64Array, frames: Float64Array): number {
    const k = this.#thrusters.length;
    const B = this.#B;
    let longest = 0;
    for (let i = 0; i < k; i++) {
      const first = PER_FRAME * i;
      const d = this.#thrusters[i]!.direction;
      for (let r = 0; r < 3; r++) {
        const row = first + 3 * r;
        B[(3 + r) * k + i] = frames[row]! * d[0] + frames[row + 1]! * d[1] + frames[row + 2]! * d[2];
      }
      const arm = (axis: number): number => frames[first + 9 + axis]! - centre[axis]!;
      let square = 0;
      for (let r = 0; r < 3; r++) {
        const [s, t] = [(r + 1) % 3, (r + 2) % 3];
        B[r * k + i] = arm(s) * B[(3 + t) * k + i]! - arm(t) * B[(3 + s) * k + i]!;
        square += B[r * k + i]! * B[r * k + i]!;
      }
      longest = Math.max(longest, square);
    }
    return longest;
  }

  #writeCost(torque: Float64Array, torqueWeight: number): void {
    const k = this.#thrusters.length;
    const B = this.#B;
    const { G, g } = this.#program;
    for (let i = 0; i < k; i++) {
      for (let j = 0; j <= i; j++) {
        let sum = i === j ? THRUST_WEIGHT : 0;
        for (let r = 0; r < 6; r++) sum += (r < 3 ? torqueWeight : FORCE_WEIGHT) * B[r * k + i]! * B[r * k + j]!;
        G[i * k + j] = sum;
      }
      let sum = THRUST_WEIGHT;
      for (let r = 0; r < 3; r++) sum -= torqueWeight * B[r * k + i]! * torque[r]!;
      g[i] = sum;
    }
  }
}

/**
 * Hinge angles while a robot does one step and then brakes to rest: over the first step, of length `first`, with given mean accelerations, then
 * with the decelerations of a braking plan, in steps of T. A hinge whose speed is below a T in the last of them takes the whole step to
 * come to rest, because commands are held.
 */

/** Number of steps in which a hinge without a planned deceleration is brought to rest. */
export const SETTLING_STEPS = 4;
/** A last step with less than this share of a T is rounding. */
const ROUNDING = 1e-9;

export class BrakingPath {
  /** Time at which all hinges are at rest. */
  end = 0;
  /** Length of the first step; 0 if braking begins at once. */
  first = 0;
  /** Per hinge: time at which it is at rest. */
  readonly ends: Float64Array;
  readonly #T: number;
  /** Speed at the start, acceleration of the first step, speed after it, and displacement by then. */
  readonly #rates: Float64Array;
  readonly #accelerations: Float64Array;
  readonly #nextRates: Float64Array;
  readonly #stepped: Float64Array;
  /** Signed acceleration while braking, its duration, and the speed that remains for the last step. */
  readonly #braking: Float64Array;
  readonly #steady: Float64Array;
  readonly #rest: Float64Array;

  /** @param n number of hinge speeds; @param T length of a step, s */
  constructor(n: number, T: number) {
    const vector = (): Float64Array => new Float64Array(n);
    this.#T = T;
    [this.#rates, this.#accelerations, this.#nextRates, this.#stepped] = [vector(), vector(), vector(), vector()];
    [this.#braking, this.#steady, this.#rest, this.ends] = [vector(), vector(), vector(), vector()];
  }

  /** @param accelerations of the first step; undefined if braking begins at once */
  set(rates: Float64Array, accelerations: Float64Array | undefined, decelerations: Float64Array): void {
    const T = this.#T;
    const first = accelerations ? T : 0;
    this.first = first;
    this.end = first;
    for (let j = 0; j < rates.length; j++) {
      const acceleration = accelerations ? accelerations[j]! : 0;
      const rate = rates[j]! + first * acceleration;
      const speed = Math.abs(rate);
      const deceleration = decelerations[j]! > 0 ? decelerations[j]! : speed / (SETTLING_STEPS * T);
      const steps = deceleration > 0 ? Math.floor(speed / (deceleration * T) + ROUNDING) : 0;
      const rest = Math.max(0, speed - steps * deceleration * T);
      this.#rates[j] = rates[j]!;
      this.#accelerations[j] = acceleration;
      this.#nextRates[j] = rate;
      this.#stepped[j] = first * (rates[j]! + 0.5 * first * acceleration);
      this.#braking[j] = rate > 0 ? -deceleration : deceleration;
      this.#steady[j] = steps * T;
      this.#rest[j] = rest > ROUNDING * deceleration * T ? (rate > 0 ? rest : -rest) : 0;
      this.ends[j] = first + steps * T + (this.#rest[j] === 0 ? 0 : T);
      this.end = Math.max(this.end, this.ends[j]!);
    }
  }

  /** Displacement of hinge j from the start to time t. */
  displacement(j: number, t: number): number {
    if (t <= this.first) return t * (this.#rates[j]! + 0.5 * t * this.#accelerations[j]!);
    const T = this.#T;
    const steady = this.#steady[j]!;
    const s = Math.min(t - this.first, steady);
    let sum = this.#stepped[j]! + s * (this.#nextRates[j]! + 0.5 * s * this.#braking[j]!);
    const last = Math.min(t - this.first - steady, T);
    if (last > 0) sum += this.#rest[j]! * last * (1 - (0.5 * last) / T);
    return sum;
  }

  /** Upper bound of the speed of hinge j from time t on; within the first step until its end. */
  largestSpeed(j: number, t: number): number {
    if (t < this.first) return Math.max(Math.abs(this.#rates[j]!), Math.abs(this.#nextRates[j]!));
    const s = t - this.first;
    if (s <= this.#steady[j]!) return Math.abs(this.#nextRates[j]! + s * this.#braking[j]!);
    return t < this.ends[j]! ? Math.abs(this.#rest[j]!) : 0;
  }

  /** Upper bound of the acceleration of hinge j from time t on; within the first step until its end. */
  largestAcceleration(j: number, t: number): number {
    if (t < this.first) return Math.abs(this.#accelerations[j]!);
    return t < this.ends[j]! ? Math.abs(this.#braking[j]!) : 0;
  }

  /** Derivative of `displacement` at time t with respect to the acceleration of the first step; the decelerations stay. */
  sensitivity(j: number, t: number): number {
    const { first } = this;
    if (t <= first) return 0.5 * t * t;
    // With a fixed deceleration the hinge brakes longer; without one, in SETTLING_STEPS steps from any speed.
    const settling = this.#nextRates[j] === 0 ? 0.5 * SETTLING_STEPS * this.#T : Number.POSITIVE_INFINITY;
    const braking = this.#nextRates[j] === 0 ? t - first : Math.min(t, this.ends[j]!) - first;
    return first * (0.5 * first + Math.min(settling, braking));
  }
}

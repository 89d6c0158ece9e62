/**
 * Predicts when the loops become singular, from the strength of their weakest equation. The line through the last two strengths gives the time at
 * which the strength vanishes. A change of sign within a step brackets that time.
 */
import type { ClosedLoops } from "../../dynamics/loops/multipliers/closed-loops.ts";
import { type WeakestEquation, type WeakestEquationSample, weakestEquation } from "./weakest-equation.ts";

/** Equations stronger than this part of the largest strength are not near a singular point, even if their sign changes. */
export const STRONG = 0.1;
/** After a failed passage the next one is tried when the distance to the point has shrunk to this part. */
export const NEARER = 0.6;
/**
 * A change of sign of a strong equation is not a singular point if the strength stays above this part of its value, although the distance to the
 * end of that step has shrunk by this factor. Then one equation has only become weaker than another.
 */
const CLOSER = 4;
const AS_STRONG = 0.6;

export class SingularityTracker {
  #nq: number;
  #nu: number;
  /** The engaged loops; they change during a run. */
  #closed: ClosedLoops | undefined;
  #weakest: WeakestEquation | undefined;
  /** Sample at the last accepted state, and the one at the state that was looked at last. */
  #accepted: WeakestEquationSample | undefined;
  #latest: WeakestEquationSample | undefined;
  /** Largest strength so far. */
  #largest = 0;
  /** Time before which a sign is known to change; infinite if there is none. */
  #bracket = Number.POSITIVE_INFINITY;
  /** Distance to the bracket, and strength, when the change of sign was first seen. */
  #bracketDistance = 0;
  #bracketStrength = 0;
  /** Up to this time a strong equation may change its sign: the change has been examined. */
  #examinedUntil = Number.NEGATIVE_INFINITY;
  /** Predicted time of the singular point; NaN if none is expected. */
  predicted = Number.NaN;
  /** Distance to the point at the last failed passage; infinite if none has failed. */
  failedDistance = Number.POSITIVE_INFINITY;

  constructor(nq: number, nu: number) {
    this.#nq = nq;
    this.#nu = nu;
  }

  /** False while no loop is engaged. */
  get isActive(): boolean {
    return this.#weakest !== undefined;
  }

  get closed(): ClosedLoops | undefined {
    return this.#closed;
  }

  get accepted(): WeakestEquationSample | undefined {
    return this.#accepted;
  }

  get latest(): WeakestEquationSample {
    return this.#latest!;
  }

  get largest(): number {
    return this.#largest;
  }

  get isBracketed(): boolean {
    return this.#bracket < Number.POSITIVE_INFINITY;
  }

  get examinedUntil(): number {
    return this.#examinedUntil;
  }

  /** Starts to track other loops. */
  follow(closed: ClosedLoops | undefined): void {
    this.#closed = closed;
    this.#weakest = closed && weakestEquation(closed, this.#nu);
    if (this.#weakest) this.#latest = this.#weakest.newSample();
    this.#accepted = undefined;
    this.#largest = 0;
  }

  /** Samples the weakest equation at a state, starting from the accepted sample. */
  look(t: number, y: Float64Array): void {
    const q = y.subarray(0, this.#nq);
    const latest = this.#latest!;
    if (this.#accepted) this.#weakest!.next(t, q, this.#accepted, latest);
    else this.#weakest!.first(t, q, latest);
    this.#largest = Math.max(this.#largest, Math.abs(latest.strength));
  }

  /** Announces that a look follows at the end of a step from the accepted state. */
  prepareLook(): void {
    this.#weakest!.prepareNext(this.#accepted!);
  }

  /** Accepts the latest sample, and predicts the singular point from the last two strengths. */
  accept(): void {
    const latest = this.#latest!;
    const before = this.#accepted;
    const slope = before ? (latest.strength - before.strength) / (latest.t - before.t) : 0;
    const ahead = -latest.strength / slope;
    const strength = Math.abs(latest.strength);
    const isCloser = CLOSER * (this.#bracket - latest.t) <= this.#bracketDistance;
    if (this.isBracketed && isCloser && strength > Math.max(STRONG * this.#largest, AS_STRONG * this.#bracketStrength))
      this.#examinedUntil = this.#bracket;
    if (!(this.#bracket > latest.t) || this.#examinedUntil === this.#bracket) this.#bracket = Number.POSITIVE_INFINITY;
    this.predicted = ahead >= 0 || this.isBracketed ? Math.min(latest.t + Math.abs(ahead), this.#bracket) : Number.NaN;
    if (!(this.predicted - latest.t < this.failedDistance / NEARER)) this.failedDistance = Number.POSITIVE_INFINITY;
    this.#swap();
  }

  /** Accepts the state behind a singular point that was passed. */
  acceptPassage(): void {
    this.#bracket = this.failedDistance = Number.POSITIVE_INFINITY;
    this.accept();
  }

  /** Accepts a state where the motion restarts. Nothing can be predicted from there. */
  begin(t: number, y: Float64Array): void {
    this.look(t, y);
    this.#swap();
    this.predicted = Number.NaN;
    this.#bracket = this.failedDistance = Number.POSITIVE_INFINITY;
  }

  /** Drops the accepted sample: the next one starts a new series. */
  forget(): void {
    this.#accepted = undefined;
  }

  /** Predicts the point from the accepted and the latest sample, between which it lies (isFlipped) or just behind which it lies. */
  locate(isFlipped: boolean): void {
    const from = this.#accepted!;
    const latest = this.#latest!;
    const after = isFlipped ? -Math.abs(latest.strength) : Math.abs(latest.strength);
    this.predicted = from.t + (Math.abs(from.strength) / (Math.abs(from.strength) - after)) * (latest.t - from.t);
    if (isFlipped) {
      if (!this.isBracketed) {
        this.#bracketDistance = latest.t - from.t;
        this.#bracketStrength = Math.abs(from.strength);
      }
      this.#bracket = latest.t;
    }
    this.failedDistance = Number.POSITIVE_INFINITY;
  }

  /** The latest sample becomes the accepted one; the old one is written next. */
  #swap(): void {
    const free = this.#accepted ?? this.#weakest!.newSample();
    this.#accepted = this.#latest;
    this.#latest = free;
  }
}

/**
 * Predicts when the loops become singular, from the strength of their weakest equation. The line through the last two strengths gives the time at
 * which the strength vanishes. A change of sign within a step brackets that time.
 */
import type { ClosedLoops } from "../../dynamics/loops/multipliers/closed-loops.ts";
import { refuseSaved, savedEntries, takeSaved } from "../../saved-data.ts";
import { FEWER_NODES, OUTERMOST, RELATIVE_NODES, StrengthZero } from "./strength-zero.ts";
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
/**
 * Location of a passage: repetitions, the factor by which the gap between the nodes becomes narrower, the accuracy that ends them (relative
 * to the time and at least to 1 s), and the weight of the distance from the centre of the nodes in the error.
 */
const LOCATIONS = 8;
const NARROWER = 0.7;
const TIME_ACCURACY = 1e-10;
const CENTRED = 1e-3;

export class SingularityTracker {
  #nq: number;
  #nu: number;
  /** The engaged loops; they change during a run. */
  #closed: ClosedLoops | undefined;
  #weakest: WeakestEquation | undefined;
  /** Sample at the last accepted state, and the one at the state that was looked at last. */
  #accepted: WeakestEquationSample | undefined;
  #latest: WeakestEquationSample | undefined;
  readonly #memory = {
    /** Largest strength so far. */
    largest: 0,
    /** Time before which a sign is known to change; infinite if there is none. */
    bracket: Number.POSITIVE_INFINITY,
    /** Distance to the bracket, and strength, when the change of sign was first seen. */
    bracketDistance: 0,
    bracketStrength: 0,
    /** Up to this time a strong equation may change its sign: the change has been examined. */
    examinedUntil: Number.NEGATIVE_INFINITY,
    /** Predicted time of the singular point; NaN if none is expected. */
    predicted: Number.NaN,
    /** Distance to the point at the last failed passage; infinite if none has failed. */
    failedDistance: Number.POSITIVE_INFINITY,
  };

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
    return this.#memory.largest;
  }

  get isBracketed(): boolean {
    return this.#memory.bracket < Number.POSITIVE_INFINITY;
  }

  get examinedUntil(): number {
    return this.#memory.examinedUntil;
  }

  /** Predicted time of the singular point; NaN if none is expected. */
  get predicted(): number {
    return this.#memory.predicted;
  }

  set predicted(t: number) {
    this.#memory.predicted = t;
  }

  /** Distance to the point at the last failed passage; infinite if none has failed. */
  get failedDistance(): number {
    return this.#memory.failedDistance;
  }

  set failedDistance(distance: number) {
    this.#memory.failedDistance = distance;
  }

  /** Starts to track other loops. */
  follow(closed: ClosedLoops | undefined): void {
    this.#closed = closed;
    this.#weakest = closed && weakestEquation(closed, this.#nu);
    if (this.#weakest) this.#latest = this.#weakest.newSample();
    this.#accepted = undefined;
    this.#memory.largest = 0;
  }

  /** Samples the weakest equation at a state, starting from the accepted sample. */
  look(t: number, y: Float64Array): void {
    const q = y.subarray(0, this.#nq);
    const latest = this.#latest!;
    if (this.#accepted) this.#weakest!.next(t, q, this.#accepted, latest);
    else this.#weakest!.first(t, q, latest);
    const strength = Math.abs(latest.strength);
    if (strength < Number.POSITIVE_INFINITY) this.#memory.largest = Math.max(this.#memory.largest, strength);
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
    const isCloser = CLOSER * (this.#memory.bracket - latest.t) <= this.#memory.bracketDistance;
    if (
      this.isBracketed &&
      isCloser &&
      strength > Math.max(STRONG * this.#memory.largest, AS_STRONG * this.#memory.bracketStrength)
    )
      this.#memory.examinedUntil = this.#memory.bracket;
    if (!(this.#memory.bracket > latest.t) || this.#memory.examinedUntil === this.#memory.bracket)
      this.#memory.bracket = Number.POSITIVE_INFINITY;
    this.#memory.predicted =
      ahead >= 0 || this.isBracketed ? Math.min(latest.t + Math.abs(ahead), this.#memory.bracket) : Number.NaN;
    if (!(this.#memory.predicted - latest.t < this.#memory.failedDistance / NEARER))
      this.#memory.failedDistance = Number.POSITIVE_INFINITY;
    this.#swap();
  }

  /** True if the accepted state is that at t, its equations are strong, and no point is bracketed or was tried in vain. */
  isSmoothAt(t: number): boolean {
    const { bracket, failedDistance, largest } = this.#memory;
    const isFree = bracket === Number.POSITIVE_INFINITY && failedDistance === Number.POSITIVE_INFINITY;
    return isFree && this.#accepted?.t === t && Math.abs(this.#accepted.strength) > STRONG * largest;
  }

  /** Other code has accepted states in the same way. Returns the accepted sample, which the caller overwrites. */
  take(largest: number, predicted: number): WeakestEquationSample {
    this.#memory.largest = largest;
    this.#memory.predicted = predicted;
    return this.#accepted!;
  }

  /** Accepts the state behind a singular point that was passed. */
  acceptPassage(): void {
    this.#memory.bracket = this.#memory.failedDistance = Number.POSITIVE_INFINITY;
    this.accept();
  }

  /** Accepts a state where the motion restarts. Nothing can be predicted from there. */
  begin(t: number, y: Float64Array): void {
    this.look(t, y);
    this.#swap();
    this.#memory.predicted = Number.NaN;
    this.#memory.bracket = this.#memory.failedDistance = Number.POSITIVE_INFINITY;
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
    this.#memory.predicted = from.t + (Math.abs(from.strength) / (Math.abs(from.strength) - after)) * (latest.t - from.t);
    if (isFlipped) {
      if (!this.isBracketed) {
        this.#memory.bracketDistance = latest.t - from.t;
        this.#memory.bracketStrength = Math.abs(from.strength);
      }
      this.#memory.bracket = latest.t;
    }
    this.#memory.failedDistance = Number.POSITIVE_INFINITY;
  }

  /**
   * Time between the accepted and the latest sample at which the strength vanishes, located on the motion between them. NaN if it does not
   * vanish: where several equations are weak, another one has become the weakest.
   * @param interpolate writes the state at a time into y
   */
  locatePassage(interpolate: (t: number, y: Float64Array) => void, y: Float64Array): number {
    const [from, to] = [this.#accepted!, this.#latest!];
    const zero = new StrengthZero(this.#closed!, this.#nu);
    const q = y.subarray(0, this.#nq);
    let singular = from.t + ((to.t - from.t) * from.strength) / (from.strength - to.strength);
    let radius = Math.min(singular - from.t, to.t - singular) / OUTERMOST;
    let least = Number.POSITIVE_INFINITY;
    for (let k = 0; k < LOCATIONS && least > TIME_ACCURACY * Math.max(1, Math.abs(to.t)); k++) {
      const nodes = RELATIVE_NODES.map((x) => singular + x * radius);
      for (const [j, t] of nodes.entries()) {
        interpolate(t, y);
        zero.set(j, t, q);
      }
      const located = zero.find(nodes, singular);
      const error = Math.abs(located - zero.find(nodes, singular, FEWER_NODES)) + CENTRED * Math.abs(located - singular);
      if (zero.isVanishing && error < least) [singular, least] = [located, error];
      radius = Math.min(NARROWER * radius, (singular - from.t) / OUTERMOST, (to.t - singular) / OUTERMOST);
    }
    return least < Number.POSITIVE_INFINITY ? singular : Number.NaN;
  }

  save(): unknown {
    return { memory: { ...this.#memory }, accepted: this.#accepted ? structuredClone(this.#accepted) : null };
  }

  /** Continues from saved data. @param closed the loops that are engaged, as at the save; @throws FormatError if the data does not fit. */
  restore(saved: unknown, closed: ClosedLoops | undefined): void {
    const where = "singularity tracker";
    const entries = savedEntries(saved, ["memory", "accepted"], where);
    this.follow(closed);
    takeSaved(this.#memory, entries.memory, `${where}.memory`);
    if (entries.accepted === null) return;
    if (!this.#weakest) throw refuseSaved(`${where}.accepted`, "must be null if no loop is engaged", entries.accepted);
    const accepted = this.#weakest.newSample();
    takeSaved(accepted, entries.accepted, `${where}.accepted`);
    this.#accepted = accepted;
  }

  /** The latest sample becomes the accepted one; the old one is written next. */
  #swap(): void {
    const free = this.#accepted ?? this.#weakest!.newSample();
    this.#accepted = this.#latest;
    this.#latest = free;
  }
}

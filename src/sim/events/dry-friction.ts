/**
 * Dry friction with true sticking. Each friction contact is in one of three modes: slipping forward, slipping backward, sticking. The slip
 * force is known. The sticking forces λ follow from zero acceleration of the stuck freedoms:
 *
 *   u̇ = u̇₀ + W λ,  u̇_stuck = 0,
 *
 * where W holds the accelerations for unit forces in the stuck freedoms. The mode changes at events: a slipping speed reaches zero, or a
 * sticking force reaches the breakaway value. There is no creep, and no regularised law that makes the equations stiff.
 */

import { SingularError } from "../../errors.ts";
import type { FrictionMode } from "../state.ts";
import type { DryFriction } from "../system/force-element.ts";
import type { Layout } from "../system/layout.ts";

/**
 * Relative tolerance at the breakaway limit. The event that locates a breakaway leaves the force at the limit, on either side of it within
 * rounding. If the contact stuck again there, it could never break away, because its margin has changed sign already.
 */
const LIMIT_ROUNDING = 1e-9;

/** A pivot below this part of its diagonal entry is zero: the freedoms of two contacts are one. */
const DEPENDENT_PIVOT = 1e-10;
/** A pivot below this multiple of the rounding in the accelerations is lost in it. */
const LOST_PIVOT = 64 * Number.EPSILON;

/** Index of the contact whose mode just ended, if any. */
export interface FrictionChange {
  readonly cameToRest?: number;
  readonly brokeAway?: number;
}

interface FrictionContact {
  readonly law: DryFriction;
  /** Index of the speed in u. */
  readonly speed: number;
  readonly name: string;
  mode: FrictionMode;
  /** Sticking force of the last evaluation. */
  lambda: number;
}

export class FrictionContacts {
  readonly #contacts: FrictionContact[];
  readonly #nq: number;
  readonly #ny: number;
  readonly #columns: Float64Array[];
  readonly #matrix: Float64Array;
  readonly #rhs: Float64Array;
  readonly #base: Float64Array;
  readonly #stuck: FrictionContact[] = [];
  readonly #smallestPivots: Float64Array;

  constructor(layout: Layout) {
    this.#nq = layout.nq;
    this.#ny = layout.ny;
    this.#contacts = layout.elements.flatMap((element) =>
      (element.friction ?? []).map((law): FrictionContact => {
        const body = layout.model.bodies.find((b) => b.hinge.name === law.hinge)!;
        return { law, speed: body.hinge.u + law.part, name: `${element.name}.${law.hinge}`, mode: 0, lambda: 0 };
      }),
    );
    const n = this.#contacts.length;
    this.#columns = this.#contacts.map(() => new Float64Array(layout.ny));
    this.#matrix = new Float64Array(n * n);
    this.#rhs = new Float64Array(n);
    this.#smallestPivots = new Float64Array(n);
    this.#base = new Float64Array(layout.ny);
  }

  get count(): number {
    return this.#contacts.length;
  }

  nameOf(i: number): string {
    return this.#contacts[i]!.name;
  }

  modeOf(i: number): FrictionMode {
    return this.#contacts[i]!.mode;
  }

  /** The present modes: a copy. */
  get modes(): readonly FrictionMode[] {
    return this.#contacts.map((contact) => contact.mode);
  }

  setModes(modes: readonly FrictionMode[]): void {
    for (const [i, mode] of modes.entries()) this.#contacts[i]!.mode = mode;
  }

  /** Sets each mode from the sign of its speed in y. A contact at rest sticks until its force exceeds the breakaway value. */
  setModesFromSpeeds(y: Float64Array): void {
    for (const c of this.#contacts) c.mode = Math.sign(y[this.#nq + c.speed]!) as FrictionMode;
  }

  /** Adds the forces of slipping contacts to tau. */
  addSlipForces(y: Float64Array, tau: Float64Array): void {
    for (const c of this.#contacts) if (c.mode !== 0) tau[c.speed]! -= c.mode * c.law.slipForce(Math.abs(y[this.#nq + c.speed]!));
  }

  dissipatedPower(y: Float64Array): number {
    let power = 0;
    for (const c of this.#contacts) {
      const speed = y[this.#nq + c.speed]!;
      if (c.mode !== 0) power += c.law.slipForce(Math.abs(speed)) * c.mode * speed;
    }
    return power;
  }

  /**
   * Evaluates ẏ with the sticking forces that keep the stuck freedoms at rest, and adds these forces to tau. ẏ is NaN, so that the step is
   * rejected, if accelerations of a trial stage are so large that the effect of a unit force is lost in their rounding.
   * @throws SingularError if two contacts hold one freedom
   */
  solveSticking(tau: Float64Array, ydot: Float64Array, evaluate: (ydot: Float64Array) => void): void {
    const stuck = this.#stuck;
    stuck.length = 0;
    for (const c of this.#contacts) if (c.mode === 0) stuck.push(c);
    const n = stuck.length;
    if (n === 0) {
      evaluate(ydot);
      return;
    }
    const base = this.#base;
    evaluate(base);
    for (let k = 0; k < n; k++) {
      const speed = stuck[k]!.speed;
      tau[speed]! += 1;
      evaluate(this.#columns[k]!);
      tau[speed]! -= 1;
    }
    for (let i = 0; i < n; i++) {
      const row = this.#nq + stuck[i]!.speed;
      for (let k = 0; k < n; k++) this.#matrix[i * n + k] = this.#columns[k]![row]! - base[row]!;
      this.#rhs[i] = -base[row]!;
    }
    const lost = this.#lostPivot();
    for (let k = 0; k < n; k++) this.#smallestPivots[k] = Math.max(lost, DEPENDENT_PIVOT * Math.abs(this.#matrix[k * n + k]!));
    const failed = solveInPlace(this.#matrix, this.#rhs, n, this.#smallestPivots);
    if (failed >= 0) {
      this.#refuseDependent(failed);
      ydot.fill(Number.NaN);
      return;
    }
    for (let i = 0; i < this.#ny; i++) {
      let value = base[i]!;
      for (let k = 0; k < n; k++) value += this.#rhs[k]! * (this.#columns[k]![i]! - base[i]!);
      ydot[i] = value;
    }
    for (let k = 0; k < n; k++) {
      const c = stuck[k]!;
      c.lambda = this.#rhs[k]!;
      tau[c.speed]! += c.lambda;
      ydot[this.#nq + c.speed] = 0;
    }
  }

  /** Size of a pivot that is lost in the rounding of the accelerations of the stuck freedoms; NaN if these are not finite. */
  #lostPivot(): number {
    let largest = 0;
    for (let i = 0; i < this.#stuck.length; i++) {
      const row = this.#nq + this.#stuck[i]!.speed;
      largest = Math.max(largest, Math.abs(this.#base[row]!));
      for (let k = 0; k < this.#stuck.length; k++) largest = Math.max(largest, Math.abs(this.#columns[k]![row]!));
    }
    return LOST_PIVOT * largest;
  }

  /** @throws SingularError if the sticking force of contact k is not unique although the accelerations are of ordinary size */
  #refuseDependent(k: number): void {
    const { name, speed } = this.#stuck[k]!;
    const row = this.#nq + speed;
    const effect = Math.abs(this.#columns[k]![row]! - this.#base[row]!);
    if (!(this.#smallestPivots[k]! <= DEPENDENT_PIVOT * effect)) return;
    const others = this.#stuck.filter((c) => c.name !== name).map((c) => `"${c.name}"`);
    throw new SingularError(
      `the sticking force of the friction "${name}" is not unique: its freedom is already held by ${others.join(", ") || "another friction of the same name"}. ` +
        "Two friction elements act on one freedom there: replace them by one",
    );
  }

  /**
   * Jacobian of ẏ with the freedoms stuck that were stuck in the last `solveSticking`. Input: the Jacobian J at constant sticking forces.
   * u̇_stuck stays zero, so dλ = -W_ss⁻¹ J_s dy and J := J - W W_ss⁻¹ J_s.
   */
  projectJacobian(J: Float64Array): void {
    const [n, ny] = [this.#stuck.length, this.#ny];
    if (n === 0) return;
    const row = (k: number): number => this.#nq + this.#stuck[k]!.speed;
    const W = (i: number, k: number): number => this.#columns[k]![i]! - this.#base[i]!;
    const x = new Float64Array(n);
    const stuckRows = Float64Array.from({ length: n * ny }, (_, i) => J[row(Math.floor(i / ny)) * ny + (i % ny)]!);
    for (let j = 0; j < ny; j++) {
      for (let i = 0; i < n; i++) {
        for (let k = 0; k < n; k++) this.#matrix[i * n + k] = W(row(i), k);
        x[i] = -stuckRows[i * ny + j]!;
      }
      if (x.every((v) => v === 0)) continue;
      if (solveInPlace(this.#matrix, x, n, this.#smallestPivots) >= 0) x.fill(Number.NaN); // Newton's method then fails, and the step is rejected
      for (let i = 0; i < ny; i++) for (let k = 0; k < n; k++) J[i * ny + j]! += W(i, k) * x[k]!;
    }
  }

  /** Event function of contact i: positive in its mode, zero where the mode ends. The right-hand side must have been evaluated at y. */
  margin(i: number, y: Float64Array): number {
    const c = this.#contacts[i]!;
    return c.mode === 0 ? c.law.breakaway - Math.abs(c.lambda) : c.mode * y[this.#nq + c.speed]!;
  }

  /**
   * Finds consistent modes at a state where some speeds are zero. First, all contacts at rest stick. Then the contact whose force exceeds its
   * breakaway value most is released, to slip against its friction force. A released contact that then accelerates the other way, because
   * others were released after it, sticks again. This repeats until all forces and accelerations are consistent. No contact sticks again
   * twice, so the loop terminates. `evaluate` returns ẏ in the current modes.
   */
  settleModes(y: Float64Array, { cameToRest, brokeAway }: FrictionChange, evaluate: () => Float64Array): void {
    const released: FrictionContact[] = [];
    const stuckAgain = new Set<FrictionContact>();
    for (const [i, c] of this.#contacts.entries()) {
      if (c.mode !== 0 && i !== cameToRest) continue;
      y[this.#nq + c.speed] = 0;
      c.mode = 0;
    }
    for (;;) {
      const ydot = evaluate();
      const reversed = released.find((c) => c.mode * ydot[this.#nq + c.speed]! < 0 && !stuckAgain.has(c));
      if (reversed) {
        stuckAgain.add(reversed);
        released.splice(released.indexOf(reversed), 1);
        reversed.mode = 0;
        continue;
      }
      const exceeding = this.#mostExceeding(brokeAway);
      if (!exceeding) return;
      exceeding.mode = exceeding.lambda > 0 ? -1 : 1;
      released.push(exceeding);
    }
  }

  /** The stuck contact whose force exceeds its breakaway value most, if any. The contact that broke away counts, within rounding. */
  #mostExceeding(brokeAway: number | undefined): FrictionContact | undefined {
    let worst: FrictionContact | undefined;
    let largest = 0;
    for (const [i, c] of this.#contacts.entries()) {
      if (c.mode !== 0) continue;
      const { breakaway } = c.law;
      const excess = Math.abs(c.lambda) - (i === brokeAway ? breakaway * (1 - LIMIT_ROUNDING) : breakaway);
      if (excess > largest) {
        worst = c;
        largest = excess;
      }
    }
    return worst;
  }
}

/**
 * Solves A x = b by elimination with row pivoting; x overwrites b. Returns -1, or the first column whose pivot is not finite or not above its
 * `smallest`.
 */
function solveInPlace(A: Float64Array, b: Float64Array, n: number, smallest: Float64Array): number {
  for (let k = 0; k < n; k++) {
    let pivot = k;
    for (let i = k + 1; i < n; i++) if (Math.abs(A[i * n + k]!) > Math.abs(A[pivot * n + k]!)) pivot = i;
    const size = Math.abs(A[pivot * n + k]!);
    if (!(size > smallest[k]! && size < Number.POSITIVE_INFINITY)) return k;
    if (pivot !== k) {
      for (let j = k; j < n; j++) {
        const swap = A[k * n + j]!;
        A[k * n + j] = A[pivot * n + j]!;
        A[pivot * n + j] = swap;
      }
      const swap = b[k]!;
      b[k] = b[pivot]!;
      b[pivot] = swap;
    }
    for (let i = k + 1; i < n; i++) {
      const f = A[i * n + k]! / A[k * n + k]!;
      for (let j = k; j < n; j++) A[i * n + j]! -= f * A[k * n + j]!;
      b[i]! -= f * b[k]!;
    }
  }
  for (let k = n - 1; k >= 0; k--) {
    for (let j = k + 1; j < n; j++) b[k]! -= A[k * n + j]! * b[j]!;
    b[k]! /= A[k * n + k]!;
  }
  return -1;
}

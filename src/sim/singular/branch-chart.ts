/**
 * Motion on one branch, at and near a configuration in which loops lose equations. There J has a small singular value σ, and u̇ has rounding
 * errors of the order 1/σ³. But on the branch everything is a smooth function of the position, including the limits of J⁺ J and u̇. Therefore
 * positions, speeds and accelerations are interpolated along a path on the branch:
 *
 *   q(s) = projection of q + (s - s₀) d onto the loops, d the direction of the branch, s₀ = n·q - origin the position of the state
 *   x(s₀) = Σ lⱼ(s₀) x(sⱼ),  x(sⱼ) from the equations at q(sⱼ), with the forces r of the state itself
 *
 * s = 0 is the singular point. The nodes sⱼ lie on both sides of it, at distances from `radius` to three times `radius`, where the equations
 * are accurate. The value at the singular point itself is regular, so events, updates and ends may fall there.
 */
import type { ClosedLoops } from "../../dynamics/loops/multipliers/closed-loops.ts";
import { hypotenuse } from "../../math/elementary/hypotenuse.ts";
import { arraysEqual } from "../../math/linear/array-equal.ts";
import { type Model, quaternionStarts } from "../../model/model.ts";
import { takeSaved } from "../../saved-data.ts";
import { lagrangeWeights } from "../integrators/implicit/lagrange.ts";
import { NODE_COUNT, RELATIVE_NODES, StrengthZero } from "./strength-zero.ts";

const COUNT = NODE_COUNT;
/** The chart replaces the equations up to this distance from the singular point, relative to the radius. */
const COVERED = 2;

/** Path along the branch. */
export interface BranchPath {
  /** d, in the space of speeds. */
  readonly direction: Float64Array;
  /** n, with n·q(s) = s + constant to first order. */
  readonly gradient: Float64Array;
  origin: number;
  radius: number;
}

export class BranchChart {
  readonly path: BranchPath;
  readonly closed: ClosedLoops;
  readonly #nq: number;
  readonly #quaternions: readonly number[];
  readonly #zero: StrengthZero;
  readonly #nodes = new Float64Array(COUNT);
  readonly #weights = new Float64Array(COUNT);
  readonly #q: readonly Float64Array[];
  readonly #u: readonly Float64Array[];
  readonly #udot: readonly Float64Array[];
  readonly #power = new Float64Array(COUNT);
  readonly #r: Float64Array;
  /** State of the nodes. */
  readonly #placed: { t: number; readonly q: Float64Array; readonly u: Float64Array };

  constructor(model: Model, closed: ClosedLoops) {
    const { nq, nu } = model;
    const vectors = (length: number): Float64Array[] => Array.from({ length: COUNT }, () => new Float64Array(length));
    this.path = { direction: new Float64Array(nu), gradient: new Float64Array(nq), origin: 0, radius: 0 };
    this.closed = closed;
    this.#nq = nq;
    this.#quaternions = quaternionStarts(model);
    this.#zero = new StrengthZero(closed, nu);
    this.#q = vectors(nq);
    this.#u = vectors(nu);
    this.#udot = vectors(nu);
    this.#r = new Float64Array(nu);
    this.#placed = { t: Number.NaN, q: new Float64Array(nq), u: new Float64Array(nu) };
  }

  /** s of a state: its position on the path, relative to the singular point. */
  position(q: Float64Array): number {
    const { gradient, origin } = this.path;
    let s = -origin;
    for (let i = 0; i < this.#nq; i++) s += gradient[i]! * q[i]!;
    return s;
  }

  /** True if the chart replaces the equations at this state. */
  covers(q: Float64Array): boolean {
    return Math.abs(this.position(q)) <= COVERED * this.path.radius;
  }

  /** Takes over another path. */
  setPath({ direction, gradient, origin, radius }: BranchPath): void {
    this.path.direction.set(direction);
    this.path.gradient.set(gradient);
    this.path.origin = origin;
    this.path.radius = radius;
    this.#placed.t = Number.NaN;
  }

  /** Moves the singular point of the path to a distance from a state. */
  setOrigin(q: Float64Array, distance: number): void {
    this.path.origin += this.position(q) + distance;
    this.#placed.t = Number.NaN;
  }

  /** u̇ on the branch. Returns the power that prescribed motions supply. */
  accelerations(
    t: number,
    q: Float64Array,
    u: Float64Array,
    tau: Float64Array,
    w: Float64Array,
    udot: Float64Array,
    count = COUNT,
  ): number {
    this.closed.forcesAt(t, q, u, tau, w, this.#r);
    this.place(t, q, u);
    for (let j = 0; j < COUNT; j++)
      this.#power[j] = this.closed.accelerationsUnder(t, this.#q[j]!, this.#u[j]!, this.#r, this.#udot[j]!);
    const s = this.position(q);
    this.#combine(s, this.#udot, udot, count);
    let power = 0;
    for (let j = 0; j < COUNT; j++) power += this.#weights[j]! * this.#power[j]!;
    return power;
  }

  /** Moves q and u onto the branch. */
  project(t: number, q: Float64Array, u: Float64Array): void {
    this.place(t, q, u);
    const s = this.position(q);
    this.interpolateSpeeds(s, u);
    this.interpolate(s, q);
  }

  /** Coordinates of the branch at s, from `count` nodes (the outermost are left out first). The nodes must have been placed. */
  interpolate(s: number, q: Float64Array, count = COUNT): void {
    this.#combine(s, this.#q, q, count);
    for (const i of this.#quaternions) {
      const norm = hypotenuse(q[i]!, q[i + 1]!, q[i + 2]!, q[i + 3]!);
      for (let k = i; k < i + 4; k++) q[k]! /= norm;
    }
  }

  /** Speeds of the branch at s that are nearest to those of the placed state. */
  interpolateSpeeds(s: number, u: Float64Array, count = COUNT): void {
    this.#combine(s, this.#u, u, count);
  }

  /** Projects the nodes for a state onto the loops. */
  place(t: number, q: Float64Array, u: Float64Array): void {
    const placed = this.#placed;
    if (placed.t === t && arraysEqual(placed.q, q) && arraysEqual(placed.u, u)) return;
    const s = this.position(q);
    for (let j = 0; j < COUNT; j++) {
      const node = RELATIVE_NODES[j]! * this.path.radius;
      this.#nodes[j] = node;
      this.#q[j]!.set(q);
      this.#u[j]!.fill(0);
      this.closed.advanceCoordinates(this.#q[j]!, this.path.direction, node - s);
      this.closed.project(t, this.#q[j]!, this.#u[j]!, 0);
      this.#u[j]!.set(u); // at the projected position only: further corrections on the way there would add up
      this.closed.project(t, this.#q[j]!, this.#u[j]!);
    }
    placed.t = t;
    placed.q.set(q);
    placed.u.set(u);
  }

  /**
   * s at which the weakest equation vanishes: the zero of its strength, with a sign, that is nearest to the state. NaN if its sign changes
   * nowhere between the nodes.
   */
  singularPosition(t: number, q: Float64Array, u: Float64Array, count = COUNT): number {
    this.place(t, q, u);
    for (let j = 0; j < COUNT; j++) this.#zero.set(j, t, this.#q[j]!);
    return this.#zero.find(this.#nodes, this.position(q), count);
  }

  /** True if the strength that `singularPosition` computed last decreases from both sides toward the singular point. */
  get isVanishing(): boolean {
    return this.#zero.isVanishing;
  }

  save(): unknown {
    return structuredClone(this.path);
  }

  restore(saved: unknown): void {
    takeSaved(this.path, saved, "branch");
    this.#placed.t = Number.NaN;
  }

  /** Interpolates vectors at the nodes to s, from the `count` innermost nodes. */
  #combine(s: number, vectors: readonly Float64Array[], out: Float64Array, count: number): void {
    const first = (COUNT - count) / 2;
    const weights = this.#weights;
    weights.fill(0);
    if (first === 0) lagrangeWeights(this.#nodes, COUNT, s, weights, 0);
    else lagrangeWeights(this.#nodes.subarray(first), count, s, weights, first);
    for (let i = 0; i < out.length; i++) {
      let sum = 0;
      for (let j = first; j < first + count; j++) sum += weights[j]! * vectors[j]![i]!;
      out[i] = sum;
    }
  }
}

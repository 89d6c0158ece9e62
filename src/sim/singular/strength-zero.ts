/**
 * Finds the zero of the strength of the weakest equation along a smooth path through a singular configuration. The strength g of a fixed
 * combination w of the equations, 1/g² = wᵀ (J M⁻¹ Jᵀ)⁻¹ w, is |s| times a smooth function at the distance s from the singular point. With the
 * sign that J⁺ w has, it is smooth itself. So it is interpolated from nodes on both sides, at which it has no rounding errors.
 */
import type { ClosedLoops } from "../../dynamics/loops/multipliers/closed-loops.ts";
import { lagrangeWeights } from "../integrators/implicit/lagrange.ts";
import { type WeakestEquation, type WeakestEquationSample, weakestEquation } from "./weakest-equation.ts";

const BISECTIONS = 60;
/** Largest ratio of the strengths at the innermost and the outermost nodes of a side. It is 1/3 if the strength vanishes between the sides. */
const VANISHING = 0.6;

/** Nodes on both sides of a centre, relative to the radius of the gap between them. */
const DISTANCES = [1, 1.4, 1.8, 2.2, 2.6, 3] as const;
export const RELATIVE_NODES = Float64Array.from([...DISTANCES.map((x) => -x).reverse(), ...DISTANCES]);
export const NODE_COUNT = RELATIVE_NODES.length;
/** Number of nodes of a second interpolation. Its difference from the first is the error. */
export const FEWER_NODES = NODE_COUNT - 2;
export const OUTERMOST = DISTANCES.at(-1)!;

export class StrengthZero {
  readonly #closed: ClosedLoops;
  readonly #weakest: WeakestEquation;
  readonly #first: WeakestEquationSample;
  readonly #pull: Float64Array;
  readonly #before: Float64Array;
  readonly #strengths = new Float64Array(NODE_COUNT);
  readonly #weights = new Float64Array(NODE_COUNT);

  constructor(closed: ClosedLoops, nu: number) {
    this.#closed = closed;
    this.#weakest = weakestEquation(closed, nu);
    this.#first = this.#weakest.newSample();
    this.#pull = new Float64Array(nu + closed.rows);
    this.#before = new Float64Array(nu);
  }

  /** Computes the strength at node j, with coordinates q at time t. The nodes follow each other. */
  set(j: number, t: number, q: Float64Array): void {
    const [before, pull] = [this.#before, this.#pull];
    if (j === 0) this.#weakest.first(t, q, this.#first);
    const strength = this.#closed.weakness(t, q, this.#first.w, pull);
    let cosine = 0;
    for (let i = 0; i < before.length; i++) cosine += pull[i]! * before[i]!;
    const sign = j === 0 ? 1 : Math.sign(this.#strengths[j - 1]!) * (cosine < 0 ? -1 : 1);
    this.#strengths[j] = sign * strength;
    for (let i = 0; i < before.length; i++) before[i] = pull[i]!;
  }

  /**
   * The zero that is nearest to x, from the `count` innermost nodes; NaN if the strength changes its sign nowhere between them. The difference
   * between two counts is the error.
   */
  find(nodes: Float64Array, x: number, count = NODE_COUNT): number {
    const strengths = this.#strengths;
    const first = (NODE_COUNT - count) / 2;
    let nearest = Number.NaN;
    for (let j = first + 1; j < first + count; j++) {
      if (!(strengths[j]! * strengths[j - 1]! < 0)) continue;
      const zero = this.#bisect(nodes.subarray(first, first + count), strengths.subarray(first, first + count), j - first);
      if (!(Math.abs(zero - x) >= Math.abs(nearest - x))) nearest = zero;
    }
    return nearest;
  }

  /** True if the strength decreases from both sides toward the centre. */
  get isVanishing(): boolean {
    const strength = (j: number): number => Math.abs(this.#strengths[j]!);
    const half = NODE_COUNT / 2;
    return Math.max(strength(half - 1) / strength(0), strength(half) / strength(NODE_COUNT - 1)) < VANISHING;
  }

  /** The zero between nodes j - 1 and j. */
  #bisect(nodes: Float64Array, strengths: Float64Array, j: number): number {
    let [a, b] = [nodes[j - 1]!, nodes[j]!];
    const isPositive = strengths[j - 1]! > 0;
    for (let k = 0; k < BISECTIONS; k++) {
      const middle = 0.5 * (a + b);
      lagrangeWeights(nodes, nodes.length, middle, this.#weights, 0);
      let sum = 0;
      for (let i = 0; i < nodes.length; i++) sum += this.#weights[i]! * strengths[i]!;
      if (sum > 0 === isPositive) a = middle;
      else b = middle;
    }
    return 0.5 * (a + b);
  }
}

/**
 * One step over a configuration in which loops lose equations. On a branch of the motion everything is analytic in time, including the
 * accelerations; only the equations that determine them are lost at one point. So the step collocates at Gauss points on both sides of it. Each
 * of these states is projected onto the loops, where the accelerations are those of the branch, and the polynomial leads over the point. Two
 * different numbers of stages must agree, and the end of the polynomial must satisfy the loops. On a path that turns into another branch neither
 * is the case.
 */

import { SingularError } from "../../errors.ts";
import { hypotenuse } from "../../math/elementary/hypotenuse.ts";
import { quaternionStarts } from "../../model/model.ts";
import { checkSavedInteger, savedEntries, takeSaved } from "../../saved-data.ts";
import { type GaussCollocation, gaussCollocation } from "../integrators/implicit/gauss-collocation.ts";
import { isFiniteVector } from "../integrators/stepping/settings.ts";
import type { Workspace } from "../system/workspace.ts";

const STAGES = [6, 7, 8, 9, 10] as const;
const RULES = STAGES.map(gaussCollocation);
const MAX_STAGES = STAGES.at(-1)!;
const MAX_ITERATIONS = 40;
/** The iteration ends when a stage changes by less than this part of the tolerance. */
const CONVERGED = 1e-2;
/** Ratio of successive changes above which the iteration stalls. */
const LEAST_CONTRACTION = 0.9;
/** Changes of a stalled iteration up to this, in units of the tolerance, are rounding of the stages next to the singular point. */
const STALL_TOLERANCE = 100;
/** Largest relative distance between the end of the polynomial and the loops. Beyond it the motion has a kink. */
const END_TOLERANCE = 1e-6;

/** Points inside the step at which the two solutions are compared, and the tolerance there: the polynomial is less exact between its ends. */
const INNER_POINTS = [0.25, 0.5, 0.75] as const;
const INNER_TOLERANCE = 30;
/** Largest residual of the loops inside the step, m or rad, relative to the largest coordinate if that is above 1: samples may fall there. */
const INNER_RESIDUAL = 2e-12;
const RESIDUAL_POINTS = [0.02, 0.08, 0.16, 0.25, 0.35, 0.5, 0.65, 0.75, 0.84, 0.92, 0.98] as const;
/** Tolerance of coordinates and speeds for any integrator: a finer one cannot be reached near a singular point, a coarser one saves nothing. */
const TOLERANCE = { relative: 1e-10, absolute: 1e-11 } as const;

export class SingularPassage {
  readonly #workspace: Workspace;
  readonly #quaternions: readonly number[];
  /** Number of coordinates, and of coordinates and speeds. */
  readonly #nq: number;
  readonly #nx: number;
  /** y at the end, after a successful attempt. */
  readonly y: Float64Array;
  readonly #start: Float64Array;
  readonly #rates: readonly Float64Array[];
  readonly #stages: readonly Float64Array[];
  /** The solution with fewer stages: at the end, and at the inner points. */
  readonly #coarseEnd: Float64Array;
  readonly #coarseInner: readonly Float64Array[];
  readonly #trial: Float64Array;
  readonly #polynomialEnd: Float64Array;
  readonly #weights = new Float64Array(MAX_STAGES);
  #from = 0;
  #size = 0;
  #rule: GaussCollocation = RULES[0]!;
  /** Number of evaluations so far. */
  evaluations = 0;

  constructor(workspace: Workspace) {
    const { nq, nu, ny } = workspace.layout;
    const vectors = (count: number): Float64Array[] => Array.from({ length: count }, () => new Float64Array(ny));
    this.#workspace = workspace;
    this.#quaternions = quaternionStarts(workspace.model);
    this.#nq = nq;
    this.#nx = nq + nu;
    this.y = new Float64Array(ny);
    this.#start = new Float64Array(ny);
    this.#rates = vectors(MAX_STAGES);
    this.#stages = vectors(MAX_STAGES);
    this.#coarseEnd = new Float64Array(ny);
    this.#coarseInner = vectors(INNER_POINTS.length);
    this.#trial = new Float64Array(ny);
    this.#polynomialEnd = new Float64Array(ny);
  }

  /** Steps from y0 at t0 to t1 over the time `singular`. False if the motion between is not one smooth branch within the tolerance. */
  attempt(t0: number, y0: Float64Array, t1: number, singular: number): boolean {
    this.#from = t0;
    this.#size = t1 - t0;
    this.#start.set(y0);
    const [coarse, fine] = rulesAround((singular - t0) / this.#size);
    try {
      this.#rule = coarse;
      if (!this.#collocate(this.#coarseEnd)) return false;
      for (const [k, x] of INNER_POINTS.entries()) this.#polynomial(x, this.#coarseInner[k]!);
      this.#rule = fine;
      if (!(this.#collocate(this.y) && this.#distance(this.y, this.#coarseEnd) <= 1)) return false;
      return (
        INNER_POINTS.every((x, k) => {
          this.#polynomial(x, this.#trial);
          return this.#distance(this.#trial, this.#coarseInner[k]!) <= INNER_TOLERANCE;
        }) &&
        RESIDUAL_POINTS.every((x) => {
          this.#polynomial(x, this.#trial);
          return this.#residualAt(t0 + x * this.#size, this.#trial) <= INNER_RESIDUAL;
        })
      );
    } catch (error) {
      if (error instanceof SingularError) return false;
      throw error;
    }
  }

  /** y within the step of the last attempt, from the polynomial. It is not projected: next to the singular point that would increase its error. */
  interpolate(t: number, out: Float64Array): void {
    this.#polynomial((t - this.#from) / this.#size, out);
    for (const i of this.#quaternions) {
      const norm = hypotenuse(out[i]!, out[i + 1]!, out[i + 2]!, out[i + 3]!);
      for (let k = i; k < i + 4; k++) out[k]! /= norm;
    }
  }

  /** The polynomial of the last attempt. */
  save(): unknown {
    const stages = this.#rule.nodes.length;
    const rates = this.#rates.slice(0, stages).map((rate) => rate.slice());
    return { stages, polynomial: { from: this.#from, size: this.#size, start: this.#start.slice(), rates } };
  }

  restore(saved: unknown): void {
    const where = "singular passage";
    const entries = savedEntries(saved, ["stages", "polynomial"], where);
    const header = { stages: 0 };
    takeSaved(header, { stages: entries.stages }, where);
    const { stages } = header;
    checkSavedInteger(stages, STAGES[0], MAX_STAGES, `${where}.stages`);
    const polynomial = { from: 0, size: 0, start: this.#start, rates: this.#rates.slice(0, stages) };
    takeSaved(polynomial, entries.polynomial, `${where}.polynomial`);
    this.#from = polynomial.from;
    this.#size = polynomial.size;
    this.#rule = RULES[stages - STAGES[0]]!;
  }

  /** Projects a state onto the loops to rounding, because residuals are amplified near the singular point. */
  #project(t: number, state: Float64Array): void {
    this.#workspace.closed!.project(t, state.subarray(0, this.#nq), state.subarray(this.#nq, this.#nx), 0);
  }

  /** The polynomial at x in [0, 1]. */
  #polynomial(x: number, out: Float64Array): void {
    const { nodes } = this.#rule;
    this.#rule.weights(x, this.#weights);
    out.set(this.#start);
    for (let j = 0; j < nodes.length; j++) {
      const weight = this.#size * this.#weights[j]!;
      const rate = this.#rates[j]!;
      for (let i = 0; i < out.length; i++) out[i]! += weight * rate[i]!;
    }
  }

  /** Largest residual of the loops at a state, relative to its largest coordinate if that is above 1. */
  #residualAt(t: number, y: Float64Array): number {
    const { closed } = this.#workspace;
    const [f, rates] = [new Float64Array(closed!.rows), new Float64Array(closed!.rows)];
    const q = y.slice(0, this.#nq);
    closed!.residual(t, q, y.slice(this.#nq, this.#nx), f, rates);
    const largest = (values: Float64Array): number => values.reduce((worst, v) => Math.max(worst, Math.abs(v)), 0);
    return largest(f) / Math.max(1, largest(q));
  }

  /** Largest difference of coordinates and speeds of two states, in units of the tolerance. */
  #distance(a: Float64Array, b: Float64Array): number {
    let worst = 0;
    for (let i = 0; i < this.#nx; i++) {
      const scale = TOLERANCE.absolute + TOLERANCE.relative * Math.max(Math.abs(a[i]!), Math.abs(this.#start[i]!));
      const d = Math.abs(a[i]! - b[i]!) / scale;
      if (!(d <= worst)) worst = d;
    }
    return worst;
  }

  #evaluateStages(): void {
    for (const [s, c] of this.#rule.nodes.entries()) {
      this.#workspace.problem.derivative(this.#from + c * this.#size, this.#stages[s]!, this.#rates[s]!);
      this.evaluations++;
    }
  }

  /** Solves the collocation equations by fixed-point iteration, from motion at constant speed. Writes the end of the step to `out`. */
  #collocate(out: Float64Array): boolean {
    this.#predictStages();
    let least = Number.POSITIVE_INFINITY;
    let stalls = 0;
    for (let k = 0; k < MAX_ITERATIONS; k++) {
      this.#evaluateStages();
      const change = this.#updateStages();
      if (Number.isNaN(change)) return false;
      if (change <= CONVERGED) break;
      stalls = change < LEAST_CONTRACTION * least ? 0 : stalls + 1;
      if (stalls === 3 && change <= STALL_TOLERANCE) break; // rounding of the stages nearest to the singular point
      if (stalls === 5 || k === MAX_ITERATIONS - 1) return false;
      least = Math.min(least, change);
    }
    this.#evaluateStages();
    const end = this.#polynomialEnd;
    this.#polynomial(1, end);
    out.set(end);
    this.#project(this.#from + this.#size, out);
    for (let i = 0; i < this.#nx; i++)
      if (!(Math.abs(end[i]! - out[i]!) <= END_TOLERANCE * (1 + Math.abs(out[i]!)))) return false;
    return true;
  }

  #predictStages(): void {
    for (const [s, c] of this.#rule.nodes.entries()) {
      const stage = this.#stages[s]!;
      stage.set(this.#start);
      this.#workspace.closed!.advanceCoordinates(stage.subarray(0, this.#nq), stage.subarray(this.#nq, this.#nx), c * this.#size);
      this.#project(this.#from + c * this.#size, stage);
    }
  }

  /** Sets the stages to the projected polynomial. Returns their largest change in units of the tolerance; NaN if one is not finite. */
  #updateStages(): number {
    const trial = this.#trial;
    let change = 0;
    for (const [s, c] of this.#rule.nodes.entries()) {
      this.#polynomial(c, trial);
      if (!isFiniteVector(trial)) return Number.NaN;
      this.#project(this.#from + c * this.#size, trial);
      change = Math.max(change, this.#distance(trial, this.#stages[s]!));
      this.#stages[s]!.set(trial);
    }
    return change;
  }
}

/** The two rules whose nodes are farthest from x, the one with fewer stages first. */
function rulesAround(x: number): readonly [GaussCollocation, GaussCollocation] {
  const clearance = (nodes: Float64Array): number => nodes.reduce((least, c) => Math.min(least, Math.abs(c - x)), 1);
  const [a, b] = [...RULES].sort((one, two) => clearance(two.nodes) - clearance(one.nodes)) as [
    GaussCollocation,
    GaussCollocation,
  ];
  return a.nodes.length < b.nodes.length ? [a, b] : [b, a];
}

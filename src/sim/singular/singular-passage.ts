/**
 * One step over a configuration in which loops lose equations. On a branch of the motion everything is analytic in time, the accelerations
 * too; only the equations that give them are lost at one point. So the step collocates at Gauss points on both sides of it, brings each
 * of these states onto the loops, where the accelerations are those of the branch, and lets the polynomial lead over the point. Two
 * numbers of stages must agree, and the polynomial must meet the loops at its end: on a path that turns into another branch neither is so.
 */

import { SingularError } from "../../errors.ts";
import { hypotenuse } from "../../math/elementary/hypotenuse.ts";
import { quaternionStarts } from "../../model/model.ts";
import { gaussCollocation } from "../integrators/implicit/gauss-collocation.ts";
import { isFiniteVector } from "../integrators/stepping/settings.ts";
import type { System } from "../system/system.ts";

const STAGES = [6, 7, 8, 9, 10] as const;
const RULES = STAGES.map(gaussCollocation);
const MAX_ITERATIONS = 40;
/** The iteration ends when a stage moves by less than this part of the tolerance. */
const CONVERGED = 1e-2;
/** An iteration that has not come down to this part of where it began does not converge. */
const LEAST_CONTRACTION = 0.9;
/** An iteration that stalls below this, in units of the tolerance, has come to the rounding of stages next to the singular point. */
const STALL_TOLERANCE = 100;
/** How far the end of the polynomial may miss the loops, relative: beyond, the motion has a kink. */
const END_TOLERANCE = 1e-6;

/** Between its ends the polynomial is less exact; how far, in units of the tolerance, and where that is looked at. */
const INNER_TOLERANCE = 30;
const INNER_POINTS = [0.25, 0.5, 0.75] as const;
/** Of coordinates and speeds, whatever the integrator: finer cannot be had beside a singular point, and coarser saves nothing. */
const TOLERANCE = { relative: 1e-10, absolute: 1e-11 } as const;

export interface SingularPassage {
  /** Steps from y0 at t0 to t1 past `singular`; false if the motion between is not one smooth branch, as far as the tolerance can tell. */
  attempt(t0: number, y0: Float64Array, t1: number, singular: number): boolean;
  /** y at t1, after a successful attempt. */
  readonly y: Float64Array;
  /** y within the step of the last attempt, as good as the polynomial is: projecting it next to the singular point would make it worse. */
  interpolate(t: number, out: Float64Array): void;
  readonly evaluations: number;
}

export function singularPassage(system: System): SingularPassage {
  const { problem, layout, model } = system;
  const { nq, nu, ny } = layout;
  const quaternions = quaternionStarts(model);
  const vectors = (count: number): Float64Array[] => Array.from({ length: count }, () => new Float64Array(ny));
  const most = STAGES.at(-1)!;
  const rates = vectors(most);
  const stages = vectors(most);
  const start = new Float64Array(ny);
  const [y, other, raw, moved] = [new Float64Array(ny), new Float64Array(ny), new Float64Array(ny), new Float64Array(ny)];
  const within = vectors(INNER_POINTS.length);
  const weights = new Float64Array(most);
  let [from, size, rule] = [0, 0, RULES[0]!];
  let evaluations = 0;

  /** Onto the loops, to rounding: near the singular point what is left of the residual is magnified. */
  const project = (t: number, state: Float64Array): void => {
    system.closed!.project(t, state.subarray(0, nq), state.subarray(nq, nq + nu), 0);
  };
  /** The polynomial at x in [0, 1]. */
  const polynomial = (x: number, out: Float64Array): void => {
    rule.weights(x, weights);
    out.set(start);
    for (let j = 0; j < rule.nodes.length; j++) {
      const weight = size * weights[j]!;
      const rate = rates[j]!;
      for (let i = 0; i < ny; i++) out[i]! += weight * rate[i]!;
    }
  };
  /** Difference of two states in units of the tolerance: the largest of coordinates and speeds. */
  const distance = (a: Float64Array, b: Float64Array): number => {
    let worst = 0;
    for (let i = 0; i < nq + nu; i++) {
      const d =
        Math.abs(a[i]! - b[i]!) / (TOLERANCE.absolute + TOLERANCE.relative * Math.max(Math.abs(a[i]!), Math.abs(start[i]!)));
      if (!(d <= worst)) worst = d;
    }
    return worst;
  };
  const evaluate = (): void => {
    for (const [s, c] of rule.nodes.entries()) {
      problem.derivative(from + c * size, stages[s]!, rates[s]!);
      evaluations++;
    }
  };

  /** Solves the collocation by simple iteration, from motion at constant speed; the end into `out`. */
  function collocate(out: Float64Array): boolean {
    for (const [s, c] of rule.nodes.entries()) {
      const stage = stages[s]!;
      stage.set(start);
      system.closed!.advanceCoordinates(stage.subarray(0, nq), stage.subarray(nq, nq + nu), c * size);
      project(from + c * size, stage);
    }
    let least = Number.POSITIVE_INFINITY;
    let stalls = 0;
    for (let k = 0; k < MAX_ITERATIONS; k++) {
      evaluate();
      let change = 0;
      for (const [s, c] of rule.nodes.entries()) {
        polynomial(c, moved);
        if (!isFiniteVector(moved)) return false;
        project(from + c * size, moved);
        change = Math.max(change, distance(moved, stages[s]!));
        stages[s]!.set(moved);
      }
      if (Number.isNaN(change)) return false;
      if (change <= CONVERGED) break;
      stalls = change < LEAST_CONTRACTION * least ? 0 : stalls + 1;
      if (stalls === 3 && change <= STALL_TOLERANCE) break; // noise of the stages nearest to the singular point
      if (stalls === 5 || k === MAX_ITERATIONS - 1) return false;
      least = Math.min(least, change);
    }
    evaluate();
    polynomial(1, raw);
    out.set(raw);
    project(from + size, out);
    for (let i = 0; i < nq + nu; i++) if (!(Math.abs(raw[i]! - out[i]!) <= END_TOLERANCE * (1 + Math.abs(out[i]!)))) return false;
    return true;
  }

  return {
    y,
    get evaluations() {
      return evaluations;
    },
    attempt(t0, y0, t1, singular) {
      from = t0;
      size = t1 - t0;
      start.set(y0);
      const x = (singular - t0) / size;
      const clearance = (nodes: Float64Array): number => nodes.reduce((least, c) => Math.min(least, Math.abs(c - x)), 1);
      const [a, b] = [...RULES].sort((one, two) => clearance(two.nodes) - clearance(one.nodes)) as [typeof rule, typeof rule];
      const [few, many] = a.nodes.length < b.nodes.length ? [a, b] : [b, a];
      try {
        rule = few;
        if (!collocate(other)) return false;
        for (const [k, x] of INNER_POINTS.entries()) polynomial(x, within[k]!);
        rule = many;
        if (!(collocate(y) && distance(y, other) <= 1)) return false;
        return INNER_POINTS.every((x, k) => {
          polynomial(x, moved);
          return distance(moved, within[k]!) <= INNER_TOLERANCE;
        });
      } catch (error) {
        if (error instanceof SingularError) return false;
        throw error;
      }
    },
    interpolate(t, out) {
      polynomial((t - from) / size, out);
      for (const i of quaternions) {
        const norm = hypotenuse(out[i]!, out[i + 1]!, out[i + 2]!, out[i + 3]!);
        for (let k = i; k < i + 4; k++) out[k]! /= norm;
      }
    },
  };
}

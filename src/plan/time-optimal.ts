/**
 * Fastest motion along a path within limits of loads that change along it: τ = a(s) s̈ + b(s) ṡ² + c(s), |τ_i| ≤ limit_i, from rest to
 * rest. With x = ṡ² the loads are linear in (s̈, x), and x' = 2 s̈ along s. The backward pass finds the largest x from which the rest of the
 * path can still be travelled. The forward pass goes as fast as that allows [reachability on a grid, as Pham and Pham 2018].
 */
import { checkList, checkMembers, checkOptions } from "../arguments.ts";
import { ArgumentError, UnreachableError } from "../errors.ts";
import type { Trajectory } from "./trajectory.ts";

export interface PathLoads {
  /** Number of limited loads. */
  readonly count: number;
  /** a, b and c of each load at s in [0, 1]. */
  at(s: number, a: Float64Array, b: Float64Array, c: Float64Array): void;
}

export interface TimeOptimalOptions {
  /** Number of grid steps along the path. */
  readonly steps?: number;
  /** Largest ṡ, in addition to the limits of the loads. */
  readonly speed?: number;
}

/** s(t) from 0 to 1, a trajectory of one coordinate. @throws UnreachableError if the path cannot be travelled at any speed. */
export function timeOptimal(loads: PathLoads, limits: readonly number[], options: TimeOptimalOptions = {}): Trajectory {
  checkMembers("loads", loads, ["count", "at"], "the loads along a path, as pathLoads returns them");
  checkList("limits", limits, "limits, one for each load");
  checkOptions("options", options, ["steps", "speed"]);
  const { steps = 500, speed = Number.POSITIVE_INFINITY } = options;
  if (!(Number.isInteger(steps) && steps >= 2))
    throw new ArgumentError("options.steps", `a path needs at least 2 steps, got ${steps}`);
  if (!(speed > 0)) throw new ArgumentError("options.speed", `the largest speed along a path must be positive, got ${speed}`);
  if (limits.length !== loads.count)
    throw new ArgumentError("limits", `${loads.count} loads need as many limits, got ${limits.length}`);
  for (const [i, limit] of limits.entries())
    if (!(limit > 0)) throw new ArgumentError(`limits[${i}]`, `limits of loads must be positive, got ${limit} for load ${i + 1}`);
  const h = 1 / steps;
  // The loads are evaluated at the middle of each step. Within a step s̈ is constant, so x changes linearly.
  const gridSteps = Array.from({ length: steps }, (_, i) => gridStep(loads, limits, (i + 0.5) * h, h));
  const largestX = new Float64Array(steps + 1).fill(speed * speed);
  largestX[steps] = 0;
  for (let i = steps - 1; i >= 0; i--) {
    largestX[i] = largestSquaredSpeed(gridSteps[i]!, "start", largestX[i + 1]!, largestX[i]!);
    if (!(largestX[i]! >= 0)) throw infeasiblePath(i * h);
  }
  const x = new Float64Array(steps + 1);
  for (let i = 0; i < steps; i++) x[i + 1] = largestSquaredSpeed(gridSteps[i]!, "end", x[i]!, largestX[i + 1]!);
  return gridTrajectory(x, h);
}

/** One grid step: loads p x0 + q x1 + c from x at its start and at its end, with their limits. */
interface GridStep {
  readonly p: Float64Array;
  readonly q: Float64Array;
  readonly low: Float64Array;
  readonly high: Float64Array;
}

function gridStep(loads: PathLoads, limits: readonly number[], s: number, h: number): GridStep {
  const { count } = loads;
  const [a, b, c] = [new Float64Array(count), new Float64Array(count), new Float64Array(count)];
  loads.at(s, a, b, c);
  for (const [name, values] of [
    ["a", a],
    ["b", b],
    ["c", c],
  ] as const)
    for (const [i, value] of values.entries())
      if (!Number.isFinite(value))
        throw new ArgumentError("loads", `${name} of load ${i + 1} at s = ${s} is ${value}; loads must be finite`);
  // s̈ = (x1 - x0) / 2h, and x at the middle is (x0 + x1) / 2.
  return {
    p: a.map((ai, i) => b[i]! / 2 - ai / (2 * h)),
    q: a.map((ai, i) => b[i]! / 2 + ai / (2 * h)),
    low: c.map((ci, i) => -limits[i]! - ci),
    high: c.map((ci, i) => limits[i]! - ci),
  };
}

/**
 * Largest x at one end of a step for which an admissible x exists at the other end; at most `bound`, negative if there is none. "start": the x
 * at the end may be any value in [0, other]. "end": the x at the start is exactly `other`. A linear program in two variables.
 */
function largestSquaredSpeed({ p, q, low, high }: GridStep, which: "start" | "end", other: number, bound: number): number {
  const [coefficients, otherCoefficients] = which === "start" ? [p, q] : [q, p];
  const feasible = (x: number): boolean => {
    // Interval of the x at the other end that all rows allow.
    let [from, to] = which === "end" ? [other, other] : [0, other];
    for (let i = 0; i < coefficients.length; i++) {
      const [l, u] = [low[i]! - coefficients[i]! * x, high[i]! - coefficients[i]! * x];
      const k = otherCoefficients[i]!;
      const slack = ROUNDING * (1 + Math.abs(high[i]!) + Math.abs(low[i]!) + Math.abs(coefficients[i]! * x));
      if (Math.abs(k) < 1e-300) {
        if (l > slack || u < -slack) return false;
      } else {
        from = Math.max(from, ((k > 0 ? l : u) - Math.sign(k) * slack) / k);
        to = Math.min(to, ((k > 0 ? u : l) + Math.sign(k) * slack) / k);
      }
    }
    return from <= to;
  };
  // The feasible x form an interval. Its upper end is at a corner of the linear program.
  let best = -1;
  const tryCandidate = (x: number): void => {
    const candidate = Math.min(x, bound);
    if (candidate > best && candidate >= 0 && feasible(candidate)) best = candidate;
  };
  tryCandidate(bound);
  if (best === bound && Number.isFinite(bound)) return best;
  tryCandidate(0);
  const edges = which === "end" ? [other] : [0, other];
  for (let i = 0; i < coefficients.length; i++) {
    for (const limit of [low[i]!, high[i]!]) {
      for (const edge of edges)
        if (coefficients[i] !== 0) tryCandidate((limit - otherCoefficients[i]! * edge) / coefficients[i]!);
      for (let j = 0; j < i; j++) {
        const det = coefficients[i]! * otherCoefficients[j]! - coefficients[j]! * otherCoefficients[i]!;
        if (det === 0) continue;
        for (const second of [low[j]!, high[j]!])
          tryCandidate((limit * otherCoefficients[j]! - second * otherCoefficients[i]!) / det);
      }
    }
  }
  return best;
}

const ROUNDING = 1e-12;

const infeasiblePath = (s: number): UnreachableError =>
  new UnreachableError(
    `the path cannot be travelled within the limits near s = ${s.toFixed(4)}: loads at rest are too large there`,
  );

/** Trajectory with constant acceleration between the grid values of x = ṡ². */
function gridTrajectory(x: Float64Array, h: number): Trajectory {
  const steps = x.length - 1;
  const times = new Float64Array(steps + 1);
  for (let i = 0; i < steps; i++) {
    const sum = Math.sqrt(x[i]!) + Math.sqrt(x[i + 1]!);
    if (!(sum > 0)) throw infeasiblePath(i * h);
    times[i + 1] = times[i]! + (2 * h) / sum;
  }
  const duration = times[steps]!;
  return {
    ...{ nq: 1, nu: 1, duration, breaks: [...times] },
    at(t, out) {
      if (t < 0 || t >= duration) {
        out[0] = t < 0 ? 0 : 1;
        out[1] = 0;
        out[2] = 0;
        return;
      }
      let [low, high] = [0, steps];
      while (high - low > 1) {
        const middle = (low + high) >> 1;
        if (times[middle]! <= t) low = middle;
        else high = middle;
      }
      const speed = Math.sqrt(x[low]!);
      const acceleration = (x[low + 1]! - x[low]!) / (2 * h);
      const d = t - times[low]!;
      out[0] = low * h + d * (speed + (d * acceleration) / 2);
      out[1] = speed + d * acceleration;
      out[2] = acceleration;
    },
  };
}

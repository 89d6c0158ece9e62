/**
 * Fastest motion along a path within limits of loads that change along it: τ = a(s) s̈ + b(s) ṡ² + c(s), |τ_i| ≤ limit_i, from rest to
 * rest. With x = ṡ² the loads are linear in (s̈, x), and x' = 2 s̈ along s. The backward pass finds the range of x from which the rest of the
 * path can still be travelled. The forward pass goes as fast as that allows [reachability on a grid, as Pham and Pham 2018]. The limits hold
 * at many points of each grid step, with a margin for the peaks of loads between them.
 */
import { checkList, checkMembers, checkNumbers, checkOptions } from "../arguments.ts";
import { ArgumentError, UnreachableError } from "../errors.ts";
import { type GridStep, type PathLoads, type SpeedRange, StepProgram, sampleGridStep } from "./grid-step.ts";
import type { Trajectory } from "./trajectory.ts";

export interface TimeOptimalOptions {
  /** Number of grid steps along the path; s̈ is constant in each. Limits are kept for any number. Default 500. */
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
  const { breaks = [] } = loads;
  checkNumbers("loads.breaks", breaks);
  const grid = gridOfPath(steps, breaks);
  const points = Math.max(LEAST_POINTS, Math.ceil(SAMPLES / steps));
  const gridSteps = grid
    .slice(1)
    .map((end, i) => sampleGridStep(loads, grid[i]!, end, points, end === 1 || breaks.includes(end)));
  const margins = gridSteps.map(() => new Float64Array(loads.count));
  const most = Math.min(speed * speed, UNLIMITED);
  let x = squaredSpeeds(gridSteps, limits, margins, most);
  for (let round = 0; round < MAX_ROUNDS && widenMargins(gridSteps, limits, margins, x); round++)
    x = squaredSpeeds(gridSteps, limits, margins, most);
  return gridTrajectory(grid, x);
}

/** Points of a step at which loads are limited, at least, and their number along the whole path, at least. */
const LEAST_POINTS = 4;
const SAMPLES = 4000;
/** Stands for an unlimited x = ṡ². */
const UNLIMITED = 1e100;
const MAX_ROUNDS = 50;

/** Equal steps, divided at the breaks. */
function gridOfPath(steps: number, breaks: readonly number[]): number[] {
  const inside = [...new Set(breaks)].filter((s) => s > 0 && s < 1).sort((a, b) => a - b);
  const isApart = (s: number): boolean => inside.every((at) => Math.abs(s - at) * steps > SAME_POINT);
  const equal = Array.from({ length: steps + 1 }, (_, i) => i / steps).filter((s) => s === 0 || s === 1 || isApart(s));
  return [...equal, ...inside].sort((a, b) => a - b);
}

/** Smallest distance between a grid point and a break, in grid steps. */
const SAME_POINT = 1e-6;

/** x = ṡ² at the grid points. @throws UnreachableError */
function squaredSpeeds(
  steps: readonly GridStep[],
  limits: readonly number[],
  margins: readonly Float64Array[],
  bound: number,
): Float64Array {
  const program = new StepProgram(limits);
  const ranges: SpeedRange[] = [];
  ranges[steps.length] = { least: 0, most: 0 };
  for (let i = steps.length - 1; i >= 0; i--) {
    const range = program.startRange(steps[i]!, margins[i]!, ranges[i + 1]!, bound);
    if (range === undefined) throw overloadedPath(steps, limits);
    ranges[i] = range;
  }
  if (ranges[0]!.least > 0) throw overloadedPath(steps, limits);
  const x = new Float64Array(steps.length + 1);
  for (const [i, step] of steps.entries()) {
    x[i + 1] = program.largestEnd(step, margins[i]!, x[i]!, ranges[i + 1]!);
    if (x[i + 1]! >= UNLIMITED)
      throw new UnreachableError(
        `no load limits the speed along the path near s = ${step.s.toFixed(4)}, where nothing moves: give options.speed`,
      );
    if (!(x[i]! + x[i + 1]! > 0)) throw overloadedPath(steps, limits, step);
  }
  return x;
}

/**
 * Adds margins where a load may exceed its limit between the points of a step: a parabola through three points is at most an eighth of their
 * second difference above them. A load that keeps its limit at rest on the whole path must keep it with the margins too. Returns true if a
 * margin has grown.
 */
function widenMargins(
  steps: readonly GridStep[],
  limits: readonly number[],
  margins: readonly Float64Array[],
  x: Float64Array,
): boolean {
  const count = limits.length;
  const keepsAtRest = limits.map((limit, i) =>
    steps.every(({ c }) => c.every((load, row) => row % count !== i || Math.abs(load) <= limit)),
  );
  let hasGrown = false;
  for (const [k, { p, q, c }] of steps.entries())
    for (let i = 0; i < count; i++) {
      let room = Number.POSITIVE_INFINITY;
      let [most, bend, first, second] = [0, 0, Number.NaN, Number.NaN];
      for (let row = i; row < p.length; row += count) {
        const load = p[row]! * x[k]! + q[row]! * x[k + 1]! + c[row]!;
        most = Math.max(most, Math.abs(load));
        room = Math.min(room, limits[i]! - Math.abs(c[row]!));
        const change = Math.abs(load - 2 * second + first);
        if (change > bend) bend = change;
        [first, second] = [second, load];
      }
      const peak = bend / 8;
      const margin = Math.min(PEAK_MARGIN * peak, keepsAtRest[i] ? room / 2 : Number.POSITIVE_INFINITY);
      if (most + peak <= limits[i]! * (1 + KEPT) || margin <= margins[k]![i]!) continue;
      margins[k]![i] = margin;
      hasGrown = true;
    }
  return hasGrown;
}

/** Loads keep their limits within this share. */
const KEPT = 1e-11;
/** The margin is larger than the peak, because the speeds change with it. */
const PEAK_MARGIN = 1.25;

/** The load that exceeds its limit at rest most, in a step or on the whole path, and what follows from it. */
function overloadedPath(steps: readonly GridStep[], limits: readonly number[], standing?: GridStep): UnreachableError {
  const count = limits.length;
  let worst = { ratio: -1, s: 0, load: 0, value: 0 };
  for (const { s, h, c } of standing ? [standing] : steps)
    for (const [row, value] of c.entries()) {
      const ratio = Math.abs(value) / limits[row % count]!;
      const share = Math.floor(row / count) / (c.length / count - 1);
      if (ratio > worst.ratio) worst = { ratio, s: s + share * h, load: row % count, value };
    }
  const { s, load, value } = worst;
  return new UnreachableError(
    `the path cannot be travelled within the limits: at s = ${s.toFixed(4)} load ${load + 1} is ${value} at rest, ` +
      (standing
        ? `and its limit of ${limits[load]} leaves nothing to set the path in motion`
        : `beyond its limit of ${limits[load]}, and no speed that the path can have there reduces it enough`),
  );
}

/** Trajectory with constant acceleration between the grid values of x = ṡ². */
function gridTrajectory(grid: readonly number[], x: Float64Array): Trajectory {
  const steps = x.length - 1;
  const times = new Float64Array(steps + 1);
  for (let i = 0; i < steps; i++)
    times[i + 1] = times[i]! + (2 * (grid[i + 1]! - grid[i]!)) / (Math.sqrt(x[i]!) + Math.sqrt(x[i + 1]!));
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
      const acceleration = (x[low + 1]! - x[low]!) / (2 * (grid[low + 1]! - grid[low]!));
      const d = t - times[low]!;
      out[0] = grid[low]! + d * (speed + (d * acceleration) / 2);
      out[1] = speed + d * acceleration;
      out[2] = acceleration;
    },
  };
}

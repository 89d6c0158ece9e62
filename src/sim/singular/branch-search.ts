/**
 * Finds the path of a BranchChart at a state: its direction, the singular point on it, and the radius with the smallest error. The errors of
 * rounding grow and those of interpolation shrink with a smaller radius. Two numbers of nodes measure both.
 */
import { SingularError } from "../../errors.ts";
import { sine } from "../../math/elementary/sincos.ts";
import type { Model } from "../../model/model.ts";
import type { BranchChart, BranchPath } from "./branch-chart.ts";
import { FEWER_NODES } from "./strength-zero.ts";

/** Largest radius tried, rad, and the number of halvings. */
const LARGEST_RADIUS = 0.2;
const HALVINGS = 9;
/** Corrections of the singular point for one radius, and its largest distance from the centre of the nodes, relative to the radius. */
const CENTRINGS = 4;
const CENTRED = 0.1;
/** Largest distance of a state from the singular point, relative to the radius. */
export const INSIDE = 1.5;
/** Weight of the error of the singular point: it changes the reported time only. */
const POINT_WEIGHT = 0.01;
/** Largest distance of a state from the branch: coordinates, and speeds relative to the fastest. Then it is moved onto the branch. */
const OFF_BRANCH = 1e-6;
/**
 * Largest error of a path (coordinates, loops, and relative errors of accelerations): the larger of `ACCURATE` and of the rounding
 * errors of the equations at the distance s of the state from the singular point, `ROUNDING` / s³, but at most `ACCEPTED`.
 */
const ACCURATE = 1e-11;
const ROUNDING = 1e-16;
const ACCEPTED = 1e-6;
/** An error below this is rounding: no other radius is tried. */
const GOOD = 1e-13;
/** Speeds below this, rad/s or m/s, are errors of the integration. They do not determine a direction. */
const SMALLEST_SPEED = 1e-9;
/** Columns of the loops below this, relative to the largest, are zero. */
const ZERO_COLUMN = 1e-9;
const PROBE = 1e-6;
/** Distance from the singular point at which these columns are computed, rad or m: some vanish only there. */
const ELSEWHERE = 0.3;

export interface BranchSearch {
  /** Time to the singular point, s; NaN if not known. */
  readonly ahead: number;
  /** Direction of the branch when it was last determined. It is used if the speeds are too small to determine it. */
  readonly lastDirection?: Float64Array | undefined;
}

/** Sets the path of the chart for a state. Returns false, and leaves the path undefined, if no smooth branch leads through the state. */
export function findBranch(chart: BranchChart, model: Model, t: number, y: Float64Array, search: BranchSearch): boolean {
  const q = y.slice(0, model.nq);
  const u = y.slice(model.nq, model.nq + model.nu);
  const masked = maskedDirection(chart, model, t, q, u);
  const directions = [
    ...(masked ? [{ ...masked, ahead: search.ahead }] : []),
    ...(search.lastDirection ? [{ direction: search.lastDirection, rate: 0, ahead: Number.NaN }] : []),
  ];
  for (const { direction, rate, ahead } of directions) {
    const gradient = gradientOf(chart, q, direction);
    const guess = Number.isFinite(rate * ahead) ? rate * ahead : 0;
    if (gradient && findRadius(chart, { direction, gradient }, t, q, u, guess)) return true;
  }
  return false;
}

/** Tries radii from the largest on, and sets the one with the smallest error. */
function findRadius(
  chart: BranchChart,
  { direction, gradient }: Pick<BranchPath, "direction" | "gradient">,
  t: number,
  q: Float64Array,
  u: Float64Array,
  guess: number,
): boolean {
  let best: BranchPath | undefined;
  let least = Number.POSITIVE_INFINITY;
  let distance = guess;
  for (let k = 0, radius = LARGEST_RADIUS; k < HALVINGS && Math.abs(distance) <= INSIDE * radius; k++, radius /= 2) {
    chart.setPath({ direction, gradient, origin: 0, radius });
    chart.setOrigin(q, distance);
    try {
      for (let c = 0; c < CENTRINGS; c++) {
        const singular = chart.singularPosition(t, q, u);
        if (Number.isNaN(singular) || Math.abs(singular) <= CENTRED * radius) break;
        distance = singular - chart.position(q);
        chart.setOrigin(q, distance);
      }
      if (!chart.isVanishing || Math.abs(chart.position(q)) > INSIDE * radius) continue;
      const error = chartError(chart, t, q, u);
      if (error < least) {
        least = error;
        best = structuredClone(chart.path);
      }
      if (error < GOOD) break;
    } catch (error) {
      if (!(error instanceof SingularError)) throw error;
    }
  }
  if (!best) return false;
  chart.setPath(best);
  const s = Math.abs(chart.position(q));
  return least <= Math.min(ACCEPTED, Math.max(ACCURATE, ROUNDING / (s * s * s)));
}

/** Error of the chart at a state: residual of the loops at the singular point, and differences between two numbers of nodes. */
function chartError(chart: BranchChart, t: number, q: Float64Array, u: Float64Array): number {
  const { closed } = chart;
  if (!isOnBranch(chart, t, q, u)) return Number.POSITIVE_INFINITY;
  const [fine, coarse] = [new Float64Array(q.length), new Float64Array(q.length)];
  const [speeds, coarseSpeeds] = [new Float64Array(u.length), new Float64Array(u.length)];
  let offPath = 0;
  for (const s of [0, 0.5 * chart.path.radius]) {
    chart.interpolate(s, fine);
    chart.interpolate(s, coarse, FEWER_NODES);
    chart.interpolateSpeeds(s, speeds);
    chart.interpolateSpeeds(s, coarseSpeeds, FEWER_NODES);
    const speedError = largestDifference(speeds, coarseSpeeds) / Math.max(SMALLEST_SPEED, largest(u));
    offPath = Math.max(offPath, largestDifference(fine, coarse), speedError);
  }
  chart.interpolate(0, fine);
  const [f, rates] = [new Float64Array(closed.rows), new Float64Array(closed.rows)];
  closed.residual(t, fine, speeds, f, rates);
  const noLoads = new Float64Array(u.length);
  const noWrenches = new Float64Array(closed.wrenchSize);
  const [udot, coarseUdot] = [new Float64Array(u.length), new Float64Array(u.length)];
  chart.accelerations(t, q, u, noLoads, noWrenches, udot);
  chart.accelerations(t, q, u, noLoads, noWrenches, coarseUdot, FEWER_NODES);
  const pointError = Math.abs(chart.singularPosition(t, q, u) - chart.singularPosition(t, q, u, FEWER_NODES)) || 0;
  const size = Math.max(largest(udot), largest(u) * largest(u), SMALLEST_SPEED);
  return Math.max(POINT_WEIGHT * pointError, largest(f), offPath, largestDifference(udot, coarseUdot) / size);
}

/** True if a state is on the branch of the chart. */
function isOnBranch(chart: BranchChart, t: number, q: Float64Array, u: Float64Array): boolean {
  const s = chart.position(q);
  const [coordinates, speeds] = [new Float64Array(q.length), new Float64Array(u.length)];
  chart.place(t, q, u);
  chart.interpolate(s, coordinates);
  chart.interpolateSpeeds(s, speeds);
  const speedError = largestDifference(speeds, u) / Math.max(SMALLEST_SPEED, largest(u));
  return Math.max(largestDifference(coordinates, q), speedError) <= OFF_BRANCH;
}

/**
 * The speeds of all coordinates on which the weak loops depend, scaled so that the fastest rotation is 1 rad. Other motions (of a floating base,
 * of other mechanisms) do not change these loops. Undefined if the speeds are too small.
 */
function maskedDirection(
  chart: BranchChart,
  model: Model,
  t: number,
  q: Float64Array,
  u: Float64Array,
): { readonly direction: Float64Array; readonly rate: number } | undefined {
  const { closed } = chart;
  const { weakest, redundant } = closed.rankReport(t, q);
  const weakLoops = new Set([...weakest, ...redundant].map((i) => closed.labels[i]!.loop));
  const f = new Float64Array(closed.rows);
  const [rates, ratesAtRest] = [new Float64Array(closed.rows), new Float64Array(closed.rows)];
  const unit = u.map((_, i) => sine(1 + 1.7 * i)); // along nothing in particular
  const elsewhere = q.slice();
  closed.advanceCoordinates(elsewhere, unit, ELSEWHERE);
  unit.fill(0);
  closed.residual(t, elsewhere, unit, f, ratesAtRest);
  const columns = u.map((_, i) => {
    unit.fill(0);
    unit[i] = 1;
    closed.residual(t, elsewhere, unit, f, rates);
    return closed.labels.reduce(
      (sum, { loop }, k) => Math.max(sum, weakLoops.has(loop) ? Math.abs(rates[k]! - ratesAtRest[k]!) : 0),
      0,
    );
  });
  const direction = u.map((v, i) => (columns[i]! > ZERO_COLUMN * largest(columns) ? v : 0));
  const turns = direction.map((v, i) => (isRotation(model, i) ? v : 0));
  const rate = largest(turns) || largest(direction);
  return rate > SMALLEST_SPEED ? { direction: direction.map((v) => v / rate), rate } : undefined;
}

/** True if a speed is an angular velocity. */
function isRotation(model: Model, speed: number): boolean {
  const { hinge } = model.bodies.find((b) => speed >= b.hinge.u && speed < b.hinge.u + b.hinge.nu)!;
  return hinge.elements.flatMap((e) => e.units.u)[speed - hinge.u] === "rad/s";
}

/** n with n·(q + s d) = s + constant to first order; undefined if the direction moves no coordinate. */
function gradientOf({ closed }: BranchChart, q: Float64Array, direction: Float64Array): Float64Array | undefined {
  const moved = q.slice();
  closed.advanceCoordinates(moved, direction, PROBE);
  const rates = moved.map((v, i) => (v - q[i]!) / PROBE);
  const square = rates.reduce((sum, v) => sum + v * v, 0);
  return square > 0 ? rates.map((v) => v / square) : undefined;
}

const largest = (values: Float64Array): number => values.reduce((worst, v) => Math.max(worst, Math.abs(v)), 0);

const largestDifference = (a: Float64Array, b: Float64Array): number => largest(a.map((v, i) => v - b[i]!));

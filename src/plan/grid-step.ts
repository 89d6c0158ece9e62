/**
 * One grid step of a path whose loads are limited: s̈ is constant in it, so x = ṡ² is linear in s. With x0 and x1 at its ends every load is
 * p x0 + q x1 + c, at each of many points of the step. The admissible (x0, x1) are a convex polygon.
 */
import { ArgumentError } from "../errors.ts";

export interface PathLoads {
  /** Number of limited loads. */
  readonly count: number;
  /** Places in s where the loads jump, in order. */
  readonly breaks?: readonly number[];
  /** a, b and c of each load at s in [0, 1]. At a break: those after the jump. */
  at(s: number, a: Float64Array, b: Float64Array, c: Float64Array): void;
}

/** Loads at the points of a step, point by point. */
export interface GridStep {
  /** Start and length of the step. */
  readonly s: number;
  readonly h: number;
  readonly p: Float64Array;
  readonly q: Float64Array;
  readonly c: Float64Array;
}

/** Range of x = ṡ². */
export interface SpeedRange {
  readonly least: number;
  readonly most: number;
}

/** Samples the loads at points + 1 points of the step from `s` to `end`. The last one is just before the end, where loads may jump. */
export function sampleGridStep(loads: PathLoads, s: number, end: number, points: number, endsAtJump: boolean): GridStep {
  const { count } = loads;
  const [a, b, c] = [new Float64Array(count), new Float64Array(count), new Float64Array(count)];
  const h = end - s;
  const rows = count * (points + 1);
  const step = { s, h, p: new Float64Array(rows), q: new Float64Array(rows), c: new Float64Array(rows) };
  for (let j = 0; j <= points; j++) {
    const share = j < points ? j / points : endsAtJump ? 1 - BEFORE_JUMP : 1;
    const at = j < points ? s + share * h : end - (1 - share) * h;
    loads.at(at, a, b, c);
    for (let i = 0; i < count; i++) {
      checkLoad("a", a, i, at);
      checkLoad("b", b, i, at);
      checkLoad("c", c, i, at);
      // s̈ = (x1 - x0) / 2h, and x = x0 + share (x1 - x0).
      step.p[j * count + i] = b[i]! * (1 - share) - a[i]! / (2 * h);
      step.q[j * count + i] = b[i]! * share + a[i]! / (2 * h);
      step.c[j * count + i] = c[i]!;
    }
  }
  return step;
}

/** Distance from a jump to the last point before it, as a share of the step. */
const BEFORE_JUMP = 1e-9;

function checkLoad(name: string, values: Float64Array, i: number, s: number): void {
  if (!Number.isFinite(values[i]!))
    throw new ArgumentError("loads", `${name} of load ${i + 1} at s = ${s} is ${values[i]}; loads must be finite`);
}

/** Interval of x1 as linear functions of x0 that are active at one x0: x1 ≥ low + lowSlope x0, x1 ≤ high + highSlope x0. */
interface EndInterval {
  low: number;
  lowSlope: number;
  high: number;
  highSlope: number;
}

/** The linear program of one step: its rows, between `-limits` and `limits` less `margins`. Scratch of one solution. */
export class StepProgram {
  readonly #limits: readonly number[];
  readonly #interval: EndInterval = { low: 0, lowSlope: 0, high: 0, highSlope: 0 };

  constructor(limits: readonly number[]) {
    this.#limits = limits;
  }

  /** Range of x0 from which some x1 in the given range is admissible; undefined if there is none. At most `bound`. */
  startRange(step: GridStep, margins: Float64Array, end: SpeedRange, bound: number): SpeedRange | undefined {
    const most = this.#extreme(step, margins, end, bound, -1);
    if (most === undefined) return undefined;
    const least = this.#extreme(step, margins, end, 0, 1);
    return least === undefined || least > most ? undefined : { least, most };
  }

  /** Largest admissible x1 in the given range, from x0. It exists if x0 is in the start range. */
  largestEnd(step: GridStep, margins: Float64Array, x0: number, end: SpeedRange): number {
    this.#intervalAt(step, margins, end, x0, ROUNDING);
    const { high, highSlope } = this.#interval;
    return Math.max(end.least, high + highSlope * x0);
  }

  /**
   * First admissible x0 from `start` on: downward with direction -1, upward with 1. The length of the interval of x1 is a concave function of
   * x0, piecewise linear. Newton's method on it goes monotonically to the border of the admissible x0, and ends after a few pieces.
   */
  #extreme(step: GridStep, margins: Float64Array, end: SpeedRange, start: number, direction: 1 | -1): number | undefined {
    const interval = this.#interval;
    let x = start;
    for (let piece = 0; piece < MAX_PIECES; piece++) {
      const bound = this.#intervalAt(step, margins, end, x, 0);
      if (bound === undefined) return undefined;
      if (bound !== x) {
        if (direction * bound < direction * x) return undefined;
        x = bound; // demanded by a row without x1
        continue;
      }
      const length = interval.high - interval.low + (interval.highSlope - interval.lowSlope) * x;
      if (length >= 0) return x;
      const slope = interval.highSlope - interval.lowSlope;
      if (!(direction * slope > 0)) return undefined;
      const next = (interval.low - interval.high) / slope;
      if (!(next >= 0)) return undefined;
      if (!(direction * next > direction * x)) return x; // equal within rounding
      x = next;
    }
    return x;
  }

  /**
   * The interval of x1 at x0 and the rows that bound it. Returns the x0 that rows without x1 demand, x0 itself if they hold; undefined if they
   * cannot hold. `slack` relaxes all rows by this share of p x0, which cancels against q x1 in large part.
   */
  #intervalAt({ p, q, c }: GridStep, margins: Float64Array, end: SpeedRange, x: number, slack: number): number | undefined {
    const interval = this.#interval;
    const count = this.#limits.length;
    interval.low = end.least;
    interval.high = end.most;
    interval.lowSlope = 0;
    interval.highSlope = 0;
    let [lowest, highest] = [end.least, end.most];
    let demanded = x;
    for (let row = 0; row < p.length; row++) {
      const limit = this.#limits[row % count]!;
      const margin = margins[row % count]!;
      const [pi, qi, ci] = [p[row]!, q[row]!, c[row]!];
      const relaxed = slack * Math.abs(pi * x);
      const low = limit + ci - margin + relaxed; // -low ≤ p x0 + q x1 ≤ high
      const high = limit - ci - margin + relaxed;
      if (Math.abs(qi) < TINY) {
        const value = pi * x;
        if (value <= high && value >= -low) continue;
        const edge = pi === 0 ? Number.NaN : (value > high ? high : -low) / pi;
        if (!(edge >= 0)) return undefined;
        demanded = edge;
        continue;
      }
      const [top, bottom] = qi > 0 ? [high, -low] : [-low, high];
      const slope = -pi / qi;
      const [upper, lower] = [top / qi + slope * x, bottom / qi + slope * x];
      if (upper < highest) {
        highest = upper;
        interval.high = top / qi;
        interval.highSlope = slope;
      }
      if (lower > lowest) {
        lowest = lower;
        interval.low = bottom / qi;
        interval.lowSlope = slope;
      }
    }
    return demanded;
  }
}

const MAX_PIECES = 1000;
const ROUNDING = 1e-14;
const TINY = 1e-300;

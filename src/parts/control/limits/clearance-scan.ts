/**
 * Smallest distances of pairs of bodies along a braking path (braking-path.ts), with a bound for what happens between the nodes.
 *
 * With ω_i and s_i the angular and linear speeds of the hinges between the bodies, from shape a on, and r_i their levers, the speed of a
 * point of a relative to b, and its acceleration, are at most
 *
 *   V = Σ r_i ω_i + s_i,   K = Σ r_i ω̇_i + ṡ_i + ω_i (r_i ω_i + 2 s_i) + 2 (Σ_{k>i} ω_k) (r_i ω_i + s_i)               (1)
 *
 * The gap along any direction n fixed to b is a lower bound of the distance, and it is the least height n·x of points of a. Between two
 * nodes with distance h in time, each height differs from its linear interpolant by at most K h² / 8. So
 *
 *   distance ≥ min(gap at the first node, gap at the second node) - K h² / 8                                           (2)
 *
 * with the normal of either node. Where that is below the limit, the interval is halved. Steps with V h below the remaining distance need
 * no check.
 */
import type { Robot } from "../../../dynamics/free-flying/robot.ts";
import type { Model } from "../../../model/model.ts";
import type { BrakingPath } from "./braking/braking-path.ts";
import { ClearanceKernel } from "./clearance-kernel.ts";
import type { LimitedPair } from "./clearance-limits.ts";
import { coordinateIntegrator } from "./integrate-coordinates.ts";

/**
 * Distance kept beyond the limit, relative to the lever: for the differences between a stop as planned and as executed with held torques, and
 * for (2).
 */
const MARGIN = 5e-5;
/** A path that needs more nodes counts as too close. */
const MOST_NODES = 400;
/** Halvings of an interval until its bound counts. */
const MOST_HALVINGS = 5;

export class ClearanceScan {
  readonly pairs: readonly LimitedPair[];
  /** Per pair: distance kept beyond the limit. */
  readonly margins: Float64Array;
  /** Results per pair: smallest distance less its limit, infinite for pairs that are far apart; and its time. */
  readonly excess: Float64Array;
  readonly times: Float64Array;
  /** Smallest excess of all pairs as a multiple of the pair's margin. */
  smallest = Number.POSITIVE_INFINITY;
  /** The pair with this excess; the one that comes too close first, if any does. */
  nearestPair = 0;
  readonly #kernel: ClearanceKernel;
  readonly #integrate: ReturnType<typeof coordinateIntegrator>;
  readonly #noRotation = new Float64Array(3);
  readonly #increments: Float64Array;
  /** Coordinates at the last node, at the next, and per pair at its smallest distance. */
  readonly #q: Float64Array;
  readonly #nextQ: Float64Array;
  readonly #nearestQ: readonly Float64Array[];
  /** Pose and normal at the last node. */
  readonly #X = new Float64Array(12);
  readonly #normal = new Float64Array(3);
  /** Bounds V and K of (1) from a time on. */
  #speed = 0;
  #acceleration = 0;

  constructor(model: Model, robot: Robot<number>, pairs: readonly LimitedPair[]) {
    const vector = (): Float64Array => new Float64Array(model.nq);
    this.pairs = pairs;
    this.margins = Float64Array.from(pairs, ({ lever }) => MARGIN * lever);
    [this.excess, this.times] = [new Float64Array(pairs.length), new Float64Array(pairs.length)];
    this.#kernel = new ClearanceKernel(model, robot, pairs);
    this.#integrate = coordinateIntegrator(model, robot);
    this.#increments = new Float64Array(robot.speeds.length);
    [this.#q, this.#nextQ] = [vector(), vector()];
    this.#nearestQ = pairs.map(vector);
  }

  /** Follows a path from q. */
  follow(q: Float64Array, path: BrakingPath): void {
    const kernel = this.#kernel;
    this.smallest = Number.POSITIVE_INFINITY;
    this.nearestPair = 0;
    let firstBreak = Number.POSITIVE_INFINITY;
    kernel.place(q);
    for (let p = 0; p < this.pairs.length; p++) {
      const pair = this.pairs[p]!;
      const reserve = pair.least + this.margins[p]! + this.#travel(pair, q, path);
      kernel.writePose(p);
      const isNear = kernel.gapOfBalls(pair) <= reserve && kernel.measure(pair) <= reserve;
      this.excess[p] = isNear ? 0 : Number.POSITIVE_INFINITY;
    }
    for (let p = 0; p < this.pairs.length; p++) {
      if (this.excess[p] === Number.POSITIVE_INFINITY) continue;
      const broken = this.#followPair(p, q, path);
      const share = this.excess[p]! / this.margins[p]!;
      if (broken < firstBreak || (firstBreak === Number.POSITIVE_INFINITY && share < this.smallest)) this.nearestPair = p;
      firstBreak = Math.min(firstBreak, broken);
      this.smallest = Math.min(this.smallest, share);
    }
  }

  /** Smallest distance less its limit at q, and its pair in `nearestPair`. */
  excessAt(q: Float64Array): number {
    let smallest = Number.POSITIVE_INFINITY;
    this.#kernel.place(q);
    for (let p = 0; p < this.pairs.length; p++) {
      this.#kernel.writePose(p);
      const excess = this.#kernel.measure(this.pairs[p]!) - this.pairs[p]!.least;
      if (excess >= smallest) continue;
      smallest = excess;
      this.nearestPair = p;
    }
    return smallest;
  }

  /** Writes the gradient of the distance of pair p where it was smallest. */
  writeGradient(p: number, out: Float64Array): void {
    this.#kernel.writeGradient(p, this.pairs[p]!, this.#nearestQ[p]!, out);
  }

  /** Upper bound of the way of any point of shape a relative to b along the whole path. */
  #travel(pair: LimitedPair, q: Float64Array, path: BrakingPath): number {
    let turn = 0;
    let slide = 0;
    let way = 0;
    for (let k = 0; k < pair.freedoms.length; k++) {
      const { hinge, turn: angular, slide: linear, lever } = pair.freedoms[k]!;
      const moved =
        path.first * path.largestSpeed(hinge, 0) +
        Math.abs(path.displacement(hinge, path.end) - path.displacement(hinge, path.first));
      turn += angular * moved;
      slide += linear * moved;
      way += (angular * lever + linear) * moved;
    }
    return way + turn * (slidesAt(pair, q) + slide);
  }

  /** Follows the path for one pair. Returns the time of the first node at which it is too close; infinite if there is none. */
  #followPair(p: number, q: Float64Array, path: BrakingPath): number {
    const kernel = this.#kernel;
    const pair = this.pairs[p]!;
    const margin = this.margins[p]!;
    const end = pairEnd(pair, path);
    const nextQ = this.#nextQ;
    kernel.place(q);
    kernel.writePose(p);
    let distance = kernel.measure(pair);
    this.excess[p] = distance - pair.least;
    this.times[p] = 0;
    this.#nearestQ[p]!.set(q);
    this.#q.set(q);
    this.#X.set(kernel.X);
    this.#normal.set(kernel.normal);
    let t = 0;
    let broken = distance < pair.least ? 0 : Number.POSITIVE_INFINITY;
    for (let nodes = 0; t < end; nodes++) {
      if (nodes > MOST_NODES) {
        this.excess[p] = Math.min(this.excess[p]!, 0);
        return broken;
      }
      this.#writeBounds(pair, path, t);
      const excess = distance - pair.least;
      const free = excess > 0 ? excess / this.#speed : 0;
      const allowed = Math.max(0.5 * margin, 0.5 * Math.abs(excess));
      let h = Math.max(free, Math.sqrt((8 * allowed) / this.#acceleration));
      const last = t < path.first ? path.first : end;
      if (t + 1.0001 * h > last) h = last - t;
      let next = this.#step(p, path, t, t + h);
      for (let halvings = 0; h > free && next >= pair.least; halvings++) {
        const bound = this.#bound(pair, distance, next, h);
        if (bound >= pair.least) break;
        if (halvings === MOST_HALVINGS) {
          this.excess[p] = Math.min(this.excess[p]!, bound - pair.least);
          break;
        }
        h *= 0.5;
        next = this.#step(p, path, t, t + h);
      }
      t = last - t - h < 1e-12 * last ? last : t + h;
      distance = next;
      this.#q.set(nextQ);
      this.#X.set(kernel.X);
      this.#normal.set(kernel.normal);
      if (distance < pair.least && t < broken) broken = t;
      if (distance - pair.least >= this.excess[p]!) continue;
      this.excess[p] = distance - pair.least;
      this.times[p] = t;
      this.#nearestQ[p]!.set(nextQ);
    }
    return broken;
  }

  /** Moves from the last node at time t to another time, and returns the distance there. */
  #step(p: number, path: BrakingPath, t: number, to: number): number {
    const kernel = this.#kernel;
    const increments = this.#increments;
    for (let j = 0; j < increments.length; j++) increments[j] = path.displacement(j, to) - path.displacement(j, t);
    this.#nextQ.set(this.#q);
    this.#integrate(this.#nextQ, increments, this.#noRotation);
    kernel.place(this.#nextQ);
    kernel.writePose(p);
    return kernel.measure(this.pairs[p]!);
  }

  /** The bound (2) of the interval of length h from the last node to the one where the kernel has measured. */
  #bound(pair: LimitedPair, distance: number, next: number, h: number): number {
    const kernel = this.#kernel;
    const bulge = (this.#acceleration * h * h) / 8;
    const withNext = Math.min(next, kernel.gapAlong(pair, this.#X, kernel.normal));
    if (withNext - bulge >= pair.least) return withNext - bulge;
    return Math.max(withNext, Math.min(distance, kernel.gapAlong(pair, kernel.X, this.#normal))) - bulge;
  }

  /** Computes V and K of (1) from time t on. */
  #writeBounds(pair: LimitedPair, path: BrakingPath, t: number): void {
    const { freedoms } = pair;
    let extension = 0;
    if (pair.slides.length > 0) {
      extension = slidesAt(pair, this.#q);
      for (let k = 0; k < freedoms.length; k++)
        extension += freedoms[k]!.slide * path.largestSpeed(freedoms[k]!.hinge, t) * (path.end - t);
    }
    let speed = 0;
    let acceleration = 0;
    let turnOfOuter = 0;
    for (let k = freedoms.length - 1; k >= 0; k--) {
      const { hinge, turn, slide, lever } = freedoms[k]!;
      const r = lever + extension;
      const rate = path.largestSpeed(hinge, t);
      const w = turn * rate;
      const s = slide * rate;
      speed += r * w + s;
      acceleration +=
        (r * turn + slide) * path.largestAcceleration(hinge, t) + w * (r * w + 2 * s) + 2 * turnOfOuter * (r * w + s);
      turnOfOuter += w;
    }
    this.#speed = speed;
    this.#acceleration = acceleration;
  }
}

/** Upper bound of the lengths that the sliding coordinates at q add to levers. */
function slidesAt({ slides }: LimitedPair, q: Float64Array): number {
  let sum = 0;
  for (let k = 0; k < slides.length; k++) sum += slides[k]!.perUnit * Math.abs(q[slides[k]!.q]!);
  return sum;
}

/** Time at which all hinges between the bodies of a pair are at rest. */
function pairEnd({ freedoms }: LimitedPair, path: BrakingPath): number {
  let end = path.first;
  for (let k = 0; k < freedoms.length; k++) end = Math.max(end, path.ends[freedoms[k]!.hinge]!);
  return end;
}

/**
 * Whether a robot can be brought to rest within its torques, whatever else it is asked for. A stop is a deceleration a_j for each hinge:
 *
 *   |φ̇_j(t)| = |φ̇_j| - a_j t until the hinge rests, a_j ≥ φ̇_j² / 2 room, room to the end of its range               (1)
 *
 * Speeds only fall and ranges are kept by (1), so what remains to be asked are the torques τ = H* φ̈ + C* along the way, and those that
 * hold the hinges afterwards, while the robot tumbles with its angular momentum. The rest of a stop is a stop with the same
 * decelerations: that is why a robot that never leaves the states from which it can stop never has to break a limit.
 *
 * Torques are computed at a few times, so many that no turn that matters is more than a part of a radian between two of them. There
 * they are smooth but for the moments at which a hinge comes to rest: a hinge that does so near to a node counts both as braking and
 * as resting. What they may do between nodes is taken from their second differences. A stop that needs too many nodes is none.
 */

import type { Robot } from "../../../dynamics/free-flying/robot.ts";
import { freeFlyingAtSpin } from "../../../dynamics/programs.ts";
import { compile, type Kernel } from "../../../kernel/run/kernel.ts";
import { offsetsOf } from "../../../kernel/trace/program.ts";
import { freedomsOf } from "../../../model/freedoms.ts";
import { homeOf, type Model } from "../../../model/model.ts";
import { coordinateIntegrator } from "./integrate-coordinates.ts";

export interface BrakingLimits {
  /** Per hinge speed of the robot, infinite where there is none. */
  readonly torque: Float64Array;
  /** How far it may go on in the direction of its speed, but for what stopping in steps costs. */
  stoppingRoom(j: number, q: Float64Array, rate: number): number;
}

export interface BrakingPlanner {
  /** Of the last stop that was asked for. */
  readonly decelerations: Float64Array;
  /**
   * The hinge whose torque is nearest to its limit, or the first that is beyond it, and the torque that it needs there; NaN for a
   * hinge that turns too often on the way to be foreseen.
   */
  readonly weakestHinge: number;
  readonly neededTorque: number;
  /** The part of its limit that the weakest torque leaves, negative if it does not suffice; decelerations chosen for this state. */
  planBraking(q: Float64Array, rates: Float64Array, spin: Float64Array): number;
  /** The same with these decelerations. */
  reserveWith(q: Float64Array, rates: Float64Array, spin: Float64Array, decelerations: Float64Array): number;
}

/** Steps within which nothing is brought to rest, unless a range asks for it. */
const SHORTEST_STEPS = 4;
/** Each hinge's deceleration may load no torque with more than this part of its limit by itself ... */
const SHARE_OF_LIMIT = 0.3;
/** ... and all together with no more than this part of what holding the speeds leaves. */
const SHARE_OF_REMAINDER = 0.5;
/** Part of the first that is tried at least. */
const LEAST_SCALE = 0.01;
/** Intervals between nodes: at first, where that is not conclusive, and at most. */
const COARSE_INTERVALS = 4;
const FINE_INTERVALS = 24;
const MOST_INTERVALS = 60;
/** A reserve below this is computed again, finer. */
const DOUBTFUL_RESERVE = 0.1;
/** Part of a torque limit that is not looked at. */
const NEGLIGIBLE_LOAD = 1e-8;
/** Largest turn between nodes, rad. */
const LARGEST_TURN = 0.4;

/** Stops in steps of T. */
export function brakingPlanner(model: Model, robot: Robot<number>, limits: BrakingLimits, T: number): BrakingPlanner {
  const n = robot.speeds.length;
  const { torque } = limits;
  const limited = Int32Array.from([...torque.keys()].filter((i) => torque[i]! < Number.POSITIVE_INFINITY));
  const kernel = compile(freeFlyingAtSpin(model, { base: robot.base.name }));
  const input = offsetsOf(kernel.inputs);
  const output = offsetsOf(kernel.outputs);
  const { x, y } = kernel;
  const [H, C, turn] = [y.subarray(output.Hstar, output.Hstar + n * n), y.subarray(output.Cstar), y.subarray(output.turn)];
  const at = x.subarray(0, model.nq);
  const rate = x.subarray(input.rates, input.rates + n);
  const advance = coordinateIntegrator(model, robot);
  const vector = (size = n): Float64Array => new Float64Array(size);
  const [decelerations, braking, durations, gone, way] = [vector(), vector(), vector(), vector(), vector()];
  /** Torques with all hinges braking, and the largest that they may be, at the node that was evaluated and at the two before it. */
  const [now, last, before] = [vector(), vector(), vector()];
  const [mostNow, mostLast, mostBefore] = [vector(), vector(), vector()];
  const turns = inertiaChangingHinges(model, robot, kernel);
  /** Accelerations of hinges that brake from the node before to the node after; those hinges that come to rest in between. */
  const steady = vector();
  const ending = new Int32Array(n);
  let some = 0;
  const [base, turnBefore] = [vector(3), vector(3)];
  const hold = vector(6 * n);
  let [weakest, needed, quickest] = [0, 0, 0];
  let [left, leftAtNodes] = [0, 0];
  let end = 0;
  let negligible = 0;

  const begin = (q: Float64Array, rates: Float64Array, spin: Float64Array): void => {
    at.set(q);
    rate.set(rates);
    for (let i = 0; i < 3; i++) x[input.spin + i] = spin[i]!;
    kernel.evaluate();
  };

  /** Torque i, and by how much it may be more in between. */
  const note = (i: number, value: number, more: number): void => {
    const part = 1 - Math.abs(value) / torque[i]!;
    if (part < leftAtNodes) leftAtNodes = part;
    const rest = part - more / torque[i]!;
    if (rest >= left) return;
    left = rest;
    weakest = i;
    needed = value;
  };

  /** What (1) asks for; at most rest at the next sample. */
  const leastOf = (j: number, q: Float64Array, rates: Float64Array): number => {
    const speed = Math.abs(rates[j]!);
    const room = limits.stoppingRoom(j, q, rates[j]!);
    return 0.5 * speed * T < room ? (0.5 * speed * speed) / room : speed / T;
  };

  /** Decelerations for the state that was evaluated: in proportion to what torques allow. */
  function choose(q: Float64Array, rates: Float64Array): void {
    for (let j = 0; j < n; j++) {
      let most = Math.abs(rates[j]!) / (SHORTEST_STEPS * T);
      for (let k = 0; k < limited.length; k++) {
        const i = limited[k]!;
        const load = Math.abs(H[i * n + j]!);
        if (most * load > SHARE_OF_LIMIT * torque[i]!) most = (SHARE_OF_LIMIT * torque[i]!) / load;
      }
      braking[j] = rates[j]! > 0 ? -most : most;
    }
    let part = 1;
    for (let k = 0; k < limited.length; k++) {
      const i = limited[k]!;
      let load = 0;
      for (let j = 0; j < n; j++) load += H[i * n + j]! * braking[j]!;
      const free = SHARE_OF_REMAINDER * (torque[i]! - Math.abs(C[i]!));
      if (Math.abs(load) * part > free) part = Math.max(LEAST_SCALE, free / Math.abs(load));
    }
    for (let j = 0; j < n; j++) {
      decelerations[j] = rates[j] === 0 ? 0 : Math.max(part * Math.abs(braking[j]!), leastOf(j, q, rates));
    }
  }

  /** Sorts hinges by what they do between two times. */
  function sort(from: number, to: number): void {
    some = 0;
    for (let j = 0; j < n; j++) {
      steady[j] = durations[j]! > to ? braking[j]! : 0;
      if (durations[j]! <= to && durations[j]! > from) ending[some++] = j;
    }
  }

  /** Torques at the k-th node, which was evaluated. */
  function weigh(k: number): void {
    for (let c = 0; c < limited.length; c++) {
      const i = limited[c]!;
      const row = i * n;
      let all = C[i]!;
      for (let j = 0; j < n; j++) all += H[row + j]! * steady[j]!;
      let low = all;
      let high = all;
      for (let s = 0; s < some; s++) {
        const load = H[row + ending[s]!]! * braking[ending[s]!]!;
        all += load;
        if (load < 0) low += load;
        else high += load;
      }
      before[i] = last[i]!;
      last[i] = now[i]!;
      now[i] = all;
      mostBefore[i] = mostLast[i]!;
      mostLast[i] = mostNow[i]!;
      mostNow[i] = high > -low ? high : low;
      note(i, mostNow[i]!, 0);
      if (k < 2) continue;
      const bulge = Math.abs(all - 2 * last[i]! + before[i]!) / 8;
      note(i, mostBefore[i]!, bulge);
      note(i, mostLast[i]!, bulge);
      note(i, mostNow[i]!, bulge);
    }
  }

  /** Whether torques hold the hinges where they come to rest, however the angular momentum L turns in the robot: C* = Lᵀ Q L. */
  function holdAtRest(size: number): void {
    rate.fill(0);
    for (let k = 0; k < 6; k++) {
      for (let i = 0; i < 3; i++) x[input.spin + i] = k === i || (k >= 3 && k - 3 !== i) ? size : 0;
      kernel.evaluate();
      for (let i = 0; i < n; i++) hold[k * n + i] = C[i]!;
    }
    for (let c = 0; c < limited.length; c++) {
      const i = limited[c]!;
      const xx = hold[i]!;
      const yy = hold[n + i]!;
      const zz = hold[2 * n + i]!;
      const yz = hold[3 * n + i]! - yy - zz; // twice the entry of Q, and so on
      const xz = hold[4 * n + i]! - xx - zz;
      const xy = hold[5 * n + i]! - xx - yy;
      note(i, Math.sqrt(xx * xx + yy * yy + zz * zz + 0.5 * (yz * yz + xz * xz + xy * xy)), 0); // no eigenvalue is larger
    }
  }

  /** Times of the stop; how many intervals it needs. */
  function prepare(rates: Float64Array): number {
    end = 0;
    for (let j = 0; j < n; j++) {
      braking[j] = rates[j]! > 0 ? -decelerations[j]! : decelerations[j]!;
      durations[j] = rates[j] === 0 ? 0 : Math.abs(rates[j]!) / decelerations[j]!;
      end = Math.max(end, durations[j]!);
    }
    let most = 0; // t = end (k/N)²: no hinge goes further within an interval than 2 |φ̇| √(duration end) / N
    for (let k = 0; k < turns.length; k++) {
      const j = turns[k]!;
      const turn = 2 * Math.abs(rates[j]!) * Math.sqrt(durations[j]! * end);
      if (turn <= most) continue;
      most = turn;
      quickest = j;
    }
    return Math.ceil(most / LARGEST_TURN);
  }

  /** Along the stop in so many intervals, short ones first, where speeds are high; the first node has been evaluated. */
  function follow(rates: Float64Array, spin: Float64Array, intervals: number): void {
    left = leftAtNodes = Number.POSITIVE_INFINITY;
    const square = spin[0]! * spin[0]! + spin[1]! * spin[1]! + spin[2]! * spin[2]!;
    gone.fill(0);
    let [from, t, stepBefore] = [0, 0, 0];
    for (let k = 0; k <= intervals; k++) {
      const to = k < intervals ? end * ((k + 1) / intervals) ** 2 : end;
      if (k > 0) {
        const step = t - from;
        for (let i = 0; i < 3; i++) {
          base[i] = step * (turn[i]! + (stepBefore > 0 ? (0.5 * step * (turn[i]! - turnBefore[i]!)) / stepBefore : 0));
          turnBefore[i] = turn[i]!;
        }
        stepBefore = step;
        for (let j = 0; j < n; j++) {
          const within = Math.min(t, durations[j]!);
          const whole = rates[j]! * within + 0.5 * braking[j]! * within * within;
          way[j] = whole - gone[j]!;
          gone[j] = whole;
          rate[j] = t < durations[j]! ? rates[j]! + braking[j]! * t : 0;
        }
        if (square < negligible) base.fill(0); // then it does not matter where the base looks
        advance(at, way, base);
        kernel.evaluate();
      }
      sort(from, to);
      weigh(k);
      if (left < 0) return;
      from = t;
      t = to;
    }
    if (square >= negligible) holdAtRest(Math.sqrt(square));
  }

  function judge(q: Float64Array, rates: Float64Array, spin: Float64Array): number {
    const intervals = prepare(rates);
    follow(rates, spin, Math.min(MOST_INTERVALS, Math.max(COARSE_INTERVALS, intervals)));
    if (left < DOUBTFUL_RESERVE && leftAtNodes > left && intervals < FINE_INTERVALS) {
      begin(q, rates, spin);
      follow(rates, spin, FINE_INTERVALS);
    }
    if (intervals <= MOST_INTERVALS || left < 0) return left;
    weakest = quickest;
    needed = Number.NaN;
    return 0;
  }

  // At home a unit of angular momentum loads torques with some part of their limits; one that loads them with next to nothing is none.
  left = Number.POSITIVE_INFINITY;
  begin(homeOf(model), vector(), base);
  holdAtRest(1);
  negligible = NEGLIGIBLE_LOAD / Math.max(1 - left, Number.MIN_VALUE);

  return {
    decelerations,
    get weakestHinge() {
      return weakest;
    },
    get neededTorque() {
      return needed;
    },
    planBraking(q, rates, spin) {
      begin(q, rates, spin);
      choose(q, rates);
      return judge(q, rates, spin);
    },
    reserveWith(q, rates, spin, given) {
      begin(q, rates, spin);
      choose(q, rates);
      for (let j = 0; j < n; j++) if (given[j]! > 0) decelerations[j] = Math.max(given[j]!, leastOf(j, q, rates));
      return judge(q, rates, spin);
    },
  };
}

/** Turning hinges on whose coordinates H* and C* depend: not those of wheels and symmetric tools. */
function inertiaChangingHinges(model: Model, robot: Robot<number>, { x, y, evaluate }: Kernel): Int32Array {
  const freedoms = freedomsOf(model);
  x.fill(0);
  x.set(homeOf(model));
  for (let i = model.nq; i < x.length; i++) x[i] = 1 + 0.1 * (i - model.nq);
  const ways = robot.speeds.map((_, j) => Float64Array.from(robot.speeds, (_, k) => (k === j ? 1 : 0)));
  const advance = coordinateIntegrator(model, robot);
  advance(
    x,
    Float64Array.from(robot.speeds, (_, j) => 0.3 + 0.1 * j),
    new Float64Array(3),
  );
  evaluate();
  const first = y.slice();
  const size = first.reduce((most, v) => Math.max(most, Math.abs(v)), 0);
  return Int32Array.from(
    [...robot.speeds.keys()].filter((j) => {
      if (freedoms[robot.speeds[j]!]!.motion !== "turn") return false;
      advance(x, ways[j]!, new Float64Array(3));
      evaluate();
      const matters = first.some((v, i) => Math.abs(v - y[i]!) > 1e-10 * size);
      advance(
        x,
        ways[j]!.map((w) => -w),
        new Float64Array(3),
      );
      return matters;
    }),
  );
}

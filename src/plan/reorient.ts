/**
 * Turning a floating base without wheels, by arms that go round a loop and come back [Vafa and Dubowsky 1990]. The loop is sought
 * by sequential quadratic programming: the smallest change of a loop that turns the base as wanted, hinges within reach. Where one
 * loop does not turn it far enough, the same loop is gone round several times: each turns by the same rotation in base axes.
 */

import type { Freedom } from "../declare/freedom.ts";
import { robotOf } from "../dynamics/free-flying/robot.ts";
import { ModelError } from "../errors.ts";
import { quaternionFromRotationVector, rotationVectorBetween } from "../math/elementary/rotation-vector.ts";
import { cosine, sine } from "../math/elementary/sincos.ts";
import { quadraticProgram } from "../math/optimise/quadratic-program.ts";
import { freedomsOf } from "../model/freedoms.ts";
import type { Model } from "../model/model.ts";
import { type ShapeLoop, shapeLoop } from "./shape-loop.ts";
import type { Trajectory } from "./trajectory.ts";

export interface ReorientOptions {
  /** The floating body to turn; the first one if not given. */
  readonly base?: string;
  /** Hinges that move, each of one freedom; all others are held. */
  readonly hinges: readonly string[];
  /** Where the machine is: of its hinges only. */
  readonly q0: Float64Array;
  /** By how much to turn: axis times angle, in the axes of the base (M of its free hinge) before; at most a half turn. */
  readonly rotation: readonly [number, number, number];
  /** How far each hinge may go from where it is, in rad or m: one number, or one for each. */
  readonly reach: number | readonly number[];
  /** Seconds for the whole motion. */
  readonly duration: number;
  /** How many times round; as few as possible if not given. */
  readonly cycles?: number;
  /** Harmonics of the loop. */
  readonly harmonics?: number;
}

export interface Reorientation {
  /** Of the hinges, in their order, from rest to rest. */
  readonly trajectory: Trajectory;
  readonly hinges: readonly Freedom[];
  readonly cycles: number;
  readonly coefficients: Float64Array;
}

/** Steps of one loop, to seek with and to end with: the last error of the turn is below 1e-9 rad for loops of a few radians. */
const [COARSE, FINE] = [40, 240];
const MAX_CYCLES = 256;
const MAX_ITERATIONS = 30;
const LEAST_STEP = 1e-3;
const TURN_TOLERANCE = 1e-10;
/** Points at which reach is asked for, per harmonic. */
const POINTS_PER_HARMONIC = 12;

/** @throws ModelError for wrong input, RangeError if no loop within reach turns the base as wanted. */
export function reorient(model: Model, options: ReorientOptions): Reorientation {
  const { q0, rotation, duration, harmonics = 2 } = options;
  const { hinges, reach } = checkOptions(model, options);
  const loop = shapeLoop(model, options.base, hinges, q0, harmonics);
  const search = loopSearch(loop, reach, harmonics);
  let most: { cycles: number; coefficients: Float64Array } | undefined;
  for (const phase of START_PHASES) {
    const found = search(rotation, phase, options.cycles ?? 1);
    if (found && !(found.cycles >= (most?.cycles ?? MAX_CYCLES + 1))) most = found;
    if (most?.cycles === 1) break;
  }
  if (most && (options.cycles === undefined || most.cycles === options.cycles))
    return { trajectory: loopTrajectory(loop, hinges, q0, most.coefficients, most.cycles, duration), hinges, ...most };
  throw new RangeError(
    `no loop of ${hinges.map((h) => h.name).join(", ")} within reach turns the base by [${rotation.join(", ")}] rad in ` +
      `${options.cycles ?? MAX_CYCLES} rounds or fewer: allow more reach, or move hinges whose axes are not parallel`,
  );
}

/** Loops to start from, as part of the reach: hinge i goes with the phase i × this. */
const START_PHASES = [Math.PI / 2, -Math.PI / 2, Math.PI / 3, -Math.PI / 3] as const;

/**
 * Seeks a loop that turns the base as far as it can: from one that turns a little, which always is near, on to ones that turn more,
 * each from the one before. Gives the fewest rounds, but no fewer than asked for.
 */
function loopSearch(loop: ShapeLoop, reach: readonly number[], harmonics: number) {
  const { size } = loop;
  const width = 2 * harmonics;
  const points = POINTS_PER_HARMONIC * harmonics;
  const program = quadraticProgram(size, 3 + points * reach.length);
  const [values, rates, seconds] = [new Float64Array(width), new Float64Array(width), new Float64Array(width)];
  // A sum of harmonics is at most its largest value at equal points, over cos(π harmonics / points): reach holds in between too.
  const margin = cosine((Math.PI * harmonics) / points);
  for (const [i, far] of reach.entries()) {
    for (let k = 0; k < width; k++) {
      const weight = (1 + (k >> 1)) / far;
      program.G[(i * width + k) * (size + 1)] = weight * weight;
    }
    for (let j = 0; j < points; j++) {
      const row = 3 + i * points + j;
      loop.basis((2 * Math.PI * j) / points, values, rates, seconds);
      program.A.set(values, row * size + i * width);
      program.lower[row] = -far * margin;
      program.upper[row] = far * margin;
    }
  }
  const [turned, wanted, error] = [new Float64Array(4), new Float64Array(4), new Float64Array(3)];

  /** What is left to turn after a loop, in base axes; returns its size. */
  const errorOf = (c: Float64Array, steps: number): number => {
    loop.turn(c, steps, turned);
    return rotationVectorBetween(turned, wanted, error);
  };

  return (rotation: readonly [number, number, number], phase: number, fewest: number) => {
    const c = new Float64Array(size);
    for (const [i, far] of reach.entries()) {
      c[i * width] = 0.2 * far * sine(i * phase);
      c[i * width + 1] = 0.2 * far * cosine(i * phase);
    }
    let found: { cycles: number; coefficients: Float64Array } | undefined;
    for (let rounds = MAX_CYCLES; ; ) {
      aim(rotation, rounds);
      if (!settle(c, COARSE, 1e-7)) break;
      found = { cycles: Math.ceil(rounds), coefficients: c.slice() };
      if (rounds === fewest) break;
      rounds = Math.max(fewest, rounds / 1.4);
    }
    if (!found) return undefined;
    aim(rotation, found.cycles);
    return settle(found.coefficients, FINE, TURN_TOLERANCE) ? found : undefined;
  };

  function aim(rotation: readonly [number, number, number], rounds: number): void {
    for (let r = 0; r < 3; r++) error[r] = rotation[r]! / rounds;
    quaternionFromRotationVector(error, wanted);
  }

  /** Changes c until its loop turns as wanted; false if it does not get there. */
  function settle(c: Float64Array, steps: number, tolerance: number): boolean {
    const trial = new Float64Array(size);
    let miss = errorOf(c, steps);
    for (let round = 0; round < MAX_ITERATIONS && miss > tolerance; round++) {
      const left = error.slice();
      linearise(c);
      const d = stepTo(c, left);
      if (!d) return false;
      const before = miss;
      let alpha = 1;
      for (; alpha > LEAST_STEP; alpha /= 2) {
        for (let i = 0; i < size; i++) trial[i] = c[i]! + alpha * d[i]!;
        miss = errorOf(trial, steps);
        if (miss < (1 - 0.1 * alpha) * before || miss < tolerance) break;
      }
      if (alpha <= LEAST_STEP) return false;
      c.set(trial);
    }
    return miss <= tolerance;
  }

  /** ∂(turn)/∂c into the first three rows, by differences in base axes. */
  function linearise(c: Float64Array): void {
    const here = new Float64Array(4);
    const change = new Float64Array(3);
    loop.turn(c, COARSE, here);
    for (let i = 0; i < size; i++) {
      const keep = c[i]!;
      const h = 1e-5 * reach[Math.floor(i / width)]!;
      c[i] = keep + h;
      loop.turn(c, COARSE, turned);
      rotationVectorBetween(here, turned, change);
      c[i] = keep;
      for (let r = 0; r < 3; r++) program.A[r * size + i] = change[r]! / h;
    }
  }

  /** The smallest step that turns as wanted to first order; part of the way if reach does not allow all. */
  function stepTo(c: Float64Array, left: Float64Array): Float64Array | undefined {
    for (let i = 0; i < size; i++) program.g[i] = -program.G[i * (size + 1)]! * c[i]!;
    for (let part = 1; part > 1e-3; part /= 2) {
      for (let r = 0; r < 3; r++) {
        let bound = part * left[r]!;
        for (let i = 0; i < size; i++) bound += program.A[r * size + i]! * c[i]!;
        program.lower[r] = bound;
        program.upper[r] = bound;
      }
      if (program.solve() === "optimal") return program.x.map((x, i) => x - c[i]!);
    }
    return undefined;
  }
}

/** Rounds of the loop by one quintic in time. */
function loopTrajectory(
  loop: ShapeLoop,
  hinges: readonly Freedom[],
  q0: Float64Array,
  coefficients: Float64Array,
  cycles: number,
  duration: number,
): Trajectory {
  const n = hinges.length;
  const width = coefficients.length / n;
  const home = hinges.map((h) => q0[h.q!]!);
  const [values, rates, seconds] = [new Float64Array(width), new Float64Array(width), new Float64Array(width)];
  return {
    ...{ nq: n, nu: n, duration, breaks: [] },
    at(t, out) {
      const x = Math.min(1, Math.max(0, t / duration));
      const whole = 2 * Math.PI * cycles;
      const p = whole * x * x * x * (10 + x * (6 * x - 15));
      const speed = (whole * 30 * (x * (1 - x)) ** 2) / duration;
      const acceleration = (whole * 60 * x * (1 - x) * (1 - 2 * x)) / duration ** 2;
      loop.basis(p, values, rates, seconds);
      for (let i = 0; i < n; i++) {
        let [position, slope, curve] = [home[i]!, 0, 0];
        for (let k = 0; k < width; k++) {
          const c = coefficients[i * width + k]!;
          position += c * values[k]!;
          slope += c * rates[k]!;
          curve += c * seconds[k]!;
        }
        out[i] = position;
        out[n + i] = slope * speed;
        out[2 * n + i] = slope * acceleration + curve * speed * speed;
      }
    },
  };
}

function checkOptions(model: Model, options: ReorientOptions): { hinges: Freedom[]; reach: number[] } {
  const { rotation, duration, cycles, harmonics = 2 } = options;
  const problems: { path: string; message: string; value?: string; advice?: string }[] = [];
  const note = (path: string, message: string, value: unknown): void =>
    void problems.push({ path, message, value: String(value) });
  const robot = robotOf(model, options.base);
  const freedoms = freedomsOf(model);
  const hinges = options.hinges.map((name, i) => {
    const freedom = freedoms.find((f) => f.name === name && f.q !== undefined);
    if (!freedom) note(`hinges[${i}]`, "is not a hinge with one freedom", name);
    else if (!robot.speeds.includes(freedom.u)) note(`hinges[${i}]`, `is not carried by the base "${robot.base.name}"`, name);
    return freedom;
  });
  if (new Set(options.hinges).size < options.hinges.length) note("hinges", "names a hinge twice", options.hinges.join(", "));
  if (options.hinges.length < 2)
    note("hinges", "needs two hinges or more: one alone goes back as it came", options.hinges.length);
  const reach = hinges.map((_, i) => (typeof options.reach === "number" ? options.reach : (options.reach[i] ?? 0)));
  for (const [i, far] of reach.entries()) if (!(far > 0 && Number.isFinite(far))) note(`reach[${i}]`, "must be positive", far);
  const angle = Math.hypot(...rotation);
  if (!(angle > 0 && angle <= Math.PI))
    note("rotation", "must be an angle above 0, at most π, times an axis", rotation.join(", "));
  if (!(duration > 0 && Number.isFinite(duration))) note("duration", "must be positive", duration);
  if (cycles !== undefined && !(Number.isInteger(cycles) && cycles > 0)) note("cycles", "must be a whole number above 0", cycles);
  if (!(Number.isInteger(harmonics) && harmonics > 0)) note("harmonics", "must be a whole number above 0", harmonics);
  if (problems.length > 0) throw new ModelError(model.name, problems);
  return { hinges: hinges as Freedom[], reach };
}

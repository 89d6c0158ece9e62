/** Searches for a closed loop of hinge angles that turns a floating base by a given rotation, by sequential quadratic programming. */
import { quaternionFromRotationVector, rotationVectorBetween } from "../math/elementary/rotation-vector.ts";
import { cosine, sine } from "../math/elementary/sincos.ts";
import { quadraticProgram } from "../math/optimise/quadratic-program.ts";
import type { ShapeLoop } from "./shape-loop.ts";

/** Axis times angle, rad, in base axes. */
export type BaseRotation = readonly [number, number, number];

/** A loop that, repeated `cycles` times, turns the base as required. */
export interface TurningLoop {
  readonly cycles: number;
  readonly coefficients: Float64Array;
}

export const MAX_CYCLES = 256;
/** Integration steps per loop, for the search and for the result: the final rotation error is below 1e-9 rad for loops of a few radians. */
const [COARSE, FINE] = [40, 240];
const COARSE_TOLERANCE = 1e-7;
const TURN_TOLERANCE = 1e-10;
const MAX_ITERATIONS = 30;
const SHORTEST_STEP = 1e-3;
/** Points per harmonic at which the reach is limited. */
const POINTS_PER_HARMONIC = 12;
/** Size of the first loop relative to the reach. */
const START_SIZE = 0.2;
/** Factor by which the number of cycles decreases from one solution to the next. */
const CYCLE_FACTOR = 1.4;

export class LoopSearch {
  readonly #loop: ShapeLoop;
  readonly #reach: readonly number[];
  /** Coefficients per hinge. */
  readonly #width: number;
  readonly #program: ReturnType<typeof quadraticProgram>;
  readonly #turned = new Float64Array(4);
  readonly #target = new Float64Array(4);
  readonly #error = new Float64Array(3);

  constructor(loop: ShapeLoop, reach: readonly number[], harmonics: number) {
    this.#loop = loop;
    this.#reach = reach;
    this.#width = 2 * harmonics;
    this.#program = limitedProgram(loop, reach, harmonics);
  }

  /**
   * The loop with the fewest cycles, at least `fewest`; undefined if there is none. The search starts from a loop that turns the base a little,
   * which always exists nearby, and continues to loops that turn it more, each from the one before.
   */
  find(rotation: BaseRotation, phase: number, fewest: number): TurningLoop | undefined {
    const c = this.#startLoop(phase);
    let solution: TurningLoop | undefined;
    for (let cycles = MAX_CYCLES; ; ) {
      this.#setTarget(rotation, cycles);
      if (!this.#solve(c, COARSE, COARSE_TOLERANCE)) break;
      solution = { cycles: Math.ceil(cycles), coefficients: c.slice() };
      if (cycles === fewest) break;
      cycles = Math.max(fewest, cycles / CYCLE_FACTOR);
    }
    if (!solution) return undefined;
    this.#setTarget(rotation, solution.cycles);
    return this.#solve(solution.coefficients, FINE, TURN_TOLERANCE) ? solution : undefined;
  }

  /** A small loop in which hinge i has the phase i × `phase`. */
  #startLoop(phase: number): Float64Array {
    const width = this.#width;
    const c = new Float64Array(this.#loop.size);
    for (const [i, far] of this.#reach.entries()) {
      c[i * width] = START_SIZE * far * sine(i * phase);
      c[i * width + 1] = START_SIZE * far * cosine(i * phase);
    }
    return c;
  }

  /** Sets the rotation that one of `cycles` loops must make. */
  #setTarget(rotation: BaseRotation, cycles: number): void {
    for (let r = 0; r < 3; r++) this.#error[r] = rotation[r]! / cycles;
    quaternionFromRotationVector(this.#error, this.#target);
  }

  /** Remaining rotation after a loop, in base axes, into #error. Returns its angle. */
  #rotationError(c: Float64Array, steps: number): number {
    this.#loop.turn(c, steps, this.#turned);
    return rotationVectorBetween(this.#turned, this.#target, this.#error);
  }

  /** Changes c until its loop makes the target rotation. False if it does not converge. */
  #solve(c: Float64Array, steps: number, tolerance: number): boolean {
    const { size } = this.#loop;
    const trial = new Float64Array(size);
    let angle = this.#rotationError(c, steps);
    for (let k = 0; k < MAX_ITERATIONS && angle > tolerance; k++) {
      const remaining = this.#error.slice();
      this.#linearise(c);
      const d = this.#smallestStep(c, remaining);
      if (!d) return false;
      const before = angle;
      let alpha = 1;
      for (; alpha > SHORTEST_STEP; alpha /= 2) {
        for (let i = 0; i < size; i++) trial[i] = c[i]! + alpha * d[i]!;
        angle = this.#rotationError(trial, steps);
        if (angle < (1 - 0.1 * alpha) * before || angle < tolerance) break;
      }
      if (alpha <= SHORTEST_STEP) return false;
      c.set(trial);
    }
    return angle <= tolerance;
  }

  /** ∂(rotation)/∂c into the first three rows of the program, by differences in base axes. */
  #linearise(c: Float64Array): void {
    const loop = this.#loop;
    const { A } = this.#program;
    const turned = this.#turned;
    const nominal = new Float64Array(4);
    const change = new Float64Array(3);
    loop.turn(c, COARSE, nominal);
    for (let i = 0; i < loop.size; i++) {
      const value = c[i]!;
      const h = 1e-5 * this.#reach[Math.floor(i / this.#width)]!;
      c[i] = value + h;
      loop.turn(c, COARSE, turned);
      rotationVectorBetween(nominal, turned, change);
      c[i] = value;
      for (let r = 0; r < 3; r++) A[r * loop.size + i] = change[r]! / h;
    }
  }

  /** Smallest step that makes the remaining rotation to first order; a part of it if the reach does not allow all. */
  #smallestStep(c: Float64Array, remaining: Float64Array): Float64Array | undefined {
    const program = this.#program;
    const { size } = this.#loop;
    for (let i = 0; i < size; i++) program.g[i] = -program.G[i * (size + 1)]! * c[i]!;
    for (let share = 1; share > 1e-3; share /= 2) {
      for (let r = 0; r < 3; r++) {
        let bound = share * remaining[r]!;
        for (let i = 0; i < size; i++) bound += program.A[r * size + i]! * c[i]!;
        program.lower[r] = bound;
        program.upper[r] = bound;
      }
      if (program.solve() === "optimal") return program.x.map((x, i) => x - c[i]!);
    }
    return undefined;
  }
}

/** Quadratic program for the coefficients of a loop: three rows for the rotation, and the limits of the reach at points of the loop. */
function limitedProgram(loop: ShapeLoop, reach: readonly number[], harmonics: number) {
  const { size } = loop;
  const width = 2 * harmonics;
  const points = POINTS_PER_HARMONIC * harmonics;
  const program = quadraticProgram(size, 3 + points * reach.length);
  const [values, rates, seconds] = [new Float64Array(width), new Float64Array(width), new Float64Array(width)];
  // A sum of harmonics is at most its largest value at equidistant points, divided by cos(π harmonics / points). So the reach holds everywhere.
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
  return program;
}

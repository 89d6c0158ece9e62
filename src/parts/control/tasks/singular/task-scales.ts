/**
 * Typical size of the entries of a robot's generalised Jacobian. Angles and lengths, arms and wheels differ by many powers of ten, so the
 * bare singular values of J* reflect units and inertias, not postures: a wheel moves the base by the ratio of their inertias. The
 * squares of J* are averaged over many postures, and rows and columns are scaled until all are equally large [Sinkhorn]. The scales belong
 * to the robot, not to the posture: where a row vanishes, its scaled singular value vanishes too.
 */
import { square } from "../../../../math/elementary/power.ts";
import { cosine, sine } from "../../../../math/elementary/sincos.ts";
import type { Model } from "../../../../model/model.ts";
import type { TaskStack } from "../task-stack.ts";

export interface TaskScales {
  /** Factor of each row; 0 if no hinge moves it in any posture. */
  readonly rows: Float64Array;
  /** Typical size of each hinge speed. */
  readonly columns: Float64Array;
}

/** Number of postures, and of Sinkhorn sweeps. */
const POSTURES = 64;
const SWEEPS = 40;

export function taskScales(model: Model, stack: TaskStack): TaskScales {
  const { m, n } = stack;
  const zeroSpeeds = new Float64Array(model.nu);
  let start: Float64Array | undefined;
  const squares = meanSquares(model, m * n, (q) => {
    start ??= stack.startPoses(q);
    stack.evaluate(0, q, zeroSpeeds, start);
    return stack.J;
  });
  return balance(squares, m, n);
}

/** Entries below this share of the largest one in their row are rounding, squared. */
const NOISE = 1e-24;

/**
 * The same for a closed robot, whose Jacobian of m rows and n columns is a function of the posture. Many of its columns are zero: a hinge
 * that does not hold the robot moves nothing that stands on the others. Their scale is the mean of the others.
 */
export function closedTaskScales(model: Model, m: number, n: number, jacobianAt: (q: Float64Array) => Float64Array): TaskScales {
  const squares = meanSquares(model, m * n, jacobianAt);
  for (let i = 0; i < m; i++) {
    const row = squares.subarray(i * n, (i + 1) * n);
    const largest = Math.max(...row);
    for (let j = 0; j < n; j++) if (row[j]! < NOISE * largest) row[j] = 0;
  }
  const moving = Array.from({ length: n }, (_, j) => j).filter((j) => squares.some((value, k) => k % n === j && value > 0));
  const count = moving.length;
  const reduced = Float64Array.from({ length: m * count }, (_, k) => squares[Math.floor(k / count) * n + moving[k % count]!]!);
  const scales = balance(reduced, m, count);
  const mean = count > 0 ? scales.columns.reduce((sum, scale) => sum + scale, 0) / count : 1;
  const all = new Float64Array(n).fill(mean);
  for (const [k, j] of moving.entries()) all[j] = scales.columns[k]!;
  return { rows: scales.rows, columns: all };
}

/** Mean squares of the entries of a matrix over many postures. */
function meanSquares(model: Model, size: number, matrixAt: (q: Float64Array) => Float64Array): Float64Array {
  const squares = new Float64Array(size);
  const steps = firstPrimes(model.nq).map(Math.sqrt); // their multiples are linearly independent over the rationals
  for (let k = 0; k < POSTURES; k++) {
    const J = matrixAt(posture(model, steps, k));
    for (let i = 0; i < size; i++) squares[i]! += square(J[i]!) / POSTURES;
  }
  return squares;
}

/** Scales with which the squares of all rows, and of all columns, are equally large. */
function balance(squares: Float64Array, m: number, n: number): TaskScales {
  const [rows, columns] = [new Float64Array(m).fill(1), new Float64Array(n).fill(1)];
  for (let sweep = 0; sweep < SWEEPS; sweep++) {
    for (let i = 0; i < m; i++) {
      let sum = 0;
      for (let j = 0; j < n; j++) sum += squares[i * n + j]! * columns[j]!;
      rows[i] = sum > 0 ? 1 / sum : 0;
    }
    for (let j = 0; j < n; j++) {
      let sum = 0;
      for (let i = 0; i < m; i++) sum += squares[i * n + j]! * rows[i]!;
      columns[j] = sum > 0 ? m / n / sum : columns[j]!;
    }
  }
  return { rows: rows.map(Math.sqrt), columns: columns.map(Math.sqrt) };
}

/** Posture k of a sequence that fills the space of hinges evenly: multiples of irrational numbers modulo 1. */
function posture(model: Model, steps: readonly number[], k: number): Float64Array {
  let dimension = 0;
  const next = (): number => ((k + 0.5) * steps[dimension++]!) % 1;
  const q: number[] = [];
  for (const { parent, hinge } of model.bodies)
    for (const e of hinge.elements) {
      if (parent < 0) q.push(...e.home);
      else if (e.quaternion === undefined)
        for (const home of e.home) q.push(e.screw?.turn ? 2 * Math.PI * next() : home + next() - 0.5);
      else {
        const [a, b, c] = [next(), 2 * Math.PI * next(), 2 * Math.PI * next()];
        const [s, r] = [Math.sqrt(1 - a), Math.sqrt(a)];
        q.push(...[r * cosine(c), s * sine(b), s * cosine(b), r * sine(c), 0, 0, 0].slice(0, e.nq));
      }
    }
  return Float64Array.from(q);
}

function firstPrimes(count: number): number[] {
  const primes: number[] = [];
  for (let candidate = 2; primes.length < count; candidate++)
    if (primes.every((p) => candidate % p !== 0)) primes.push(candidate);
  return primes;
}

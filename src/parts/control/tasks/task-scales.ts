/**
 * How large the entries of a robot's generalised Jacobian typically are. Angles and ways, arms and wheels differ by many powers of ten, so
 * the bare singular values of J* tell units and inertias, not postures: a wheel moves the base by the ratio of their inertias. Over
 * many postures the squares of J* are averaged, and rows and columns scaled until all are equally large [Sinkhorn]. These
 * scales belong to the machine, not to the posture: where a row vanishes, its scaled singular value does.
 */
import { cosine, sine } from "../../../math/elementary/sincos.ts";
import type { Model } from "../../../model/model.ts";
import type { TaskStack } from "./task-stack.ts";

export interface TaskScales {
  /** For each row what it is multiplied by; 0 where no hinge moves it in any posture. */
  readonly rows: Float64Array;
  /** For each hinge speed its typical size. */
  readonly columns: Float64Array;
}

const POSTURES = 64;
const SWEEPS = 40;

export function taskScales(model: Model, stack: TaskStack): TaskScales {
  const { m, n } = stack;
  const squares = new Float64Array(m * n);
  const still = new Float64Array(model.nu);
  const steps = firstPrimes(model.nq).map(Math.sqrt); // whose multiples are independent
  const start = stack.startPoses(posture(model, steps, 0));
  for (let k = 0; k < POSTURES; k++) {
    stack.evaluate(0, posture(model, steps, k), still, start);
    for (let i = 0; i < m * n; i++) squares[i]! += stack.J[i]! ** 2 / POSTURES;
  }
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

/** The k-th of postures that fill the space of hinges evenly: multiples of irrational numbers. */
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

/**
 * Torques of a coordinated robot as one kernel, away from singular postures. There no level of coordination.ts is close to losing rank,
 * and a regular least squares problem decides the remaining freedom. The solution is then unique, so it equals that of
 * math/optimise/hierarchical-least-squares.ts up to rounding. The kernel's last output is below 1 where this holds. Where it does not, the
 * caller solves level by level.
 *
 * With S the scales of hinges (task-scales.ts), φ̈ = S (y + N z), N orthonormal:
 *
 *   J S y = ν̇_ref - bias,   J S N = 0,   z least |W (H* φ̈ + C*)|² [Yoshida, Kurazume, Umetani 1991, eq. 30] or least |φ̈|²
 *
 * Damping (least-torque.ts) needs no second factorisation. φ̇_r differs from φ̇ by S N only, and is the shortest of those with the
 * `still` hinges at rest: with ζ = Nᵀ S⁻¹ φ̇ and N_s the rows of N of these hinges,
 *
 *   φ̇ - φ̇_r = S N (ζ - η),   N_s η = N_s ζ - S⁻¹ φ̇_s,  η shortest:          z := z - k (ζ - η)
 *
 * Without these hinges, no singular value of the scaled Jacobian Ā = D J S is below σ(Ā) σ(N_s), since Q is orthogonal.
 */
import { compile } from "../../../kernel/run/kernel.ts";
import { cachedPerOwner, contentKey } from "../../../kernel/run/program-cache.ts";
import { offsetsOf, trace } from "../../../kernel/trace/program.ts";
import { add, div, max, mul, neg, type Scalar, square, sub, sum } from "../../../kernel/trace/scalar.ts";
import { INDEPENDENT_DISTANCE } from "../../../math/optimise/hierarchical-least-squares.ts";
import type { TaskScales } from "./singular/task-scales.ts";
import type { TaskStack } from "./task-stack.ts";
import { inverseSquareDistances, relativeInverseSquare, tracedLeastSquares, tracedLevels } from "./traced-least-squares.ts";

/** Criterion that decides the freedom that tasks leave. */
export interface RedundancyCriterion {
  /** Quantity whose sum of squares is minimised. */
  readonly least: "torque" | "acceleration";
  /** Factors of the torques in the sum, per hinge speed. */
  readonly weights: Float64Array;
  /** Rate of damping, and hinges that are at rest in the motion toward which it leads. */
  readonly damping: number;
  readonly still: readonly number[];
}
/** Hinge speeds with commands, without motor, and not accelerated; and the smallest singular value that is allowed. */
export interface HingeRoles {
  readonly driven: readonly number[];
  readonly passive: readonly number[];
  readonly held: readonly number[];
  readonly singular: number;
}

export interface CompiledTaskLaw {
  /** Writes torques of the driven hinges for the tasks as last evaluated. Returns false near singular postures, where they are not reliable. */
  torques(u: Float64Array, command: Float64Array): boolean;
}

/** Largest n (passive + m)² for which a law is compiled: about a fifth of the number of its operations. */
const LARGEST_LAW = 5000;

/** Returns undefined if the task is over-determined, if damping is combined with held or passive hinges or priorities, or if the kernel would be large. */
export function compileTaskLaw(
  stack: TaskStack,
  scales: TaskScales,
  { driven, passive, held, singular }: HingeRoles,
  { least, weights, damping, still }: RedundancyCriterion,
): CompiledTaskLaw | undefined {
  const { n, m, levels, J, referenceAcceleration, bias } = stack;
  const free = n - held.length - passive.length - m;
  if (free < 0 || n * (passive.length + m) * (passive.length + m) > LARGEST_LAW) return undefined;
  if (damping > 0 && (held.length + passive.length > 0 || levels.length > 2 || still.length > free)) return undefined;
  const shape = { n, levels, passive, held, singular, least, still: damping > 0 ? still : undefined };
  const kernel = compile(cachedPerOwner(cacheOwner, contentKey(shape), () => traceTaskLaw(shape)));
  const { x, y, evaluate } = kernel; // the memory belongs to this kernel and never grows, so views stay valid
  const input = offsetsOf(kernel.inputs);
  const { Hstar, Cstar } = stack.values;
  const { speeds } = stack.robot;
  x.set(scales.rows, input.rows);
  x.set(scales.columns, input.columns);
  x.set(weights, input.weights);
  x[input.damping] = damping;
  return {
    torques(u, command) {
      x.set(J, input.J);
      x.set(Hstar, input.H);
      x.set(Cstar, input.C);
      for (let i = 0; i < m; i++) x[input.right + i] = referenceAcceleration[i]! - bias[i]!;
      if (damping > 0) for (let j = 0; j < n; j++) x[input.rates + j] = u[speeds[j]!]!;
      evaluate();
      if (!(y[n]! < 1)) return false;
      for (let i = 0; i < driven.length; i++) command[i] = y[driven[i]!]!;
      return true;
    },
  };
}

interface TaskLawShape extends Omit<HingeRoles, "driven">, Pick<RedundancyCriterion, "least"> {
  readonly n: number;
  /** First row of each priority, and the number of rows at the end. */
  readonly levels: readonly number[];
  /** Hinges at rest for damping; undefined without damping. */
  readonly still: readonly number[] | undefined;
}

/** Owner of the cache of traced laws: one for all models. */
const cacheOwner = {};

/** Traces J, right = ν̇_ref - bias, H, C, scales, torque weights, φ̇ and damping → tau of all hinges, and doubt: below 1 where tau is reliable. */
function traceTaskLaw({ n, passive, held, levels, singular, least, still }: TaskLawShape) {
  const m = levels.at(-1)!;
  const inputs = { J: m * n, right: m, H: n * n, C: n, rows: m, columns: n, weights: n, rates: n, damping: 1 };
  const all = Array.from({ length: n }, (_, j) => j);
  const free = all.filter((j) => !held.includes(j));
  const driven = all.filter((j) => !passive.includes(j));
  return trace("coordination", inputs, ({ J, right, H, C, rows, columns, weights, rates, damping }) => {
    const S = free.map((j) => columns[j]!);
    const inertia = (i: number): Scalar[] => free.map((j) => H[Math.max(i, j) * n + Math.min(i, j)]!);
    const tasks = rows.map((_, i) => free.map((j, k) => mul(S[k]!, J[i * n + j]!)));
    const passives = passive.map((i) => inertia(i).map((value, k) => mul(value, S[k]!)));
    const b = [...passive.map((i) => neg(C[i]!)), ...right];
    const { qr, y, N } = tracedLevels([...passives, ...tasks], b, free.length);

    const [independent, limit] = [INDEPENDENT_DISTANCE * INDEPENDENT_DISTANCE, singular * singular];
    const doubts: Scalar[] = [mul(independent, relativeInverseSquare(qr, 0, passive.length))];
    // Per level, in units of its rows: an upper bound of 1 / σ², σ its smallest singular value.
    const inverses = levels.slice(1).map((end, k) => {
      const [from, to] = [passive.length + levels[k]!, passive.length + end];
      if (k > 0) doubts.push(mul(Math.max(independent, limit), relativeInverseSquare(qr, from, to)));
      return sum(inverseSquareDistances(qr, from, to).map((inverse, i) => div(inverse, square(rows[levels[k]! + i]!))));
    });
    for (const inverse of inverses) doubts.push(mul(limit, inverse));

    const scale = (v: readonly Scalar[]): Scalar[] => v.map((value, k) => mul(value, S[k]!));
    const torques = (v: readonly Scalar[]): Scalar[] => all.map((i) => dotProduct(inertia(i), v));
    const [x, directions] = [scale(y), N.map(scale)];
    const tau = torques(x).map((value, i) => add(value, C[i]!));
    const torqueDirections = directions.map(torques);
    const weigh = (v: readonly Scalar[]): Scalar[] => driven.map((i) => mul(weights[i]!, v[i]!));
    const cost = least === "torque" ? { B: torqueDirections.map(weigh), r: weigh(tau) } : { B: directions, r: x };
    const optimum = tracedLeastSquares(cost.B, cost.r);
    doubts.push(mul(independent, relativeInverseSquare(optimum.qr, 0, N.length)));
    let z = optimum.z;

    if (still !== undefined) {
      const relative = rates.map((rate, j) => div(rate, columns[j]!));
      const zeta = N.map((direction) => dotProduct(direction, relative));
      const rowsOfStill = still.map((j) => N.map((direction) => direction[j]!));
      const right = still.map((j, i) => sub(dotProduct(rowsOfStill[i]!, zeta), relative[j]!));
      const { qr: qrStill, y: eta } = tracedLevels(rowsOfStill, right, N.length);
      const inverse = still.length > 0 ? sum(inverseSquareDistances(qrStill, 0, still.length)) : 1;
      doubts.push(mul(limit, mul(inverses[0]!, inverse)), mul(independent, relativeInverseSquare(qrStill, 0, still.length)));
      z = z.map((value, k) => sub(value, mul(damping[0]!, sub(zeta[k]!, eta[k]!))));
    }
    return {
      tau: tau.map((value, i) => add(value, sum(torqueDirections.map((column, k) => mul(column[i]!, z[k]!))))),
      doubt: [doubts.reduce(max)],
    };
  });
}

const dotProduct = (a: readonly Scalar[], b: readonly Scalar[]): Scalar => sum(a.map((value, i) => mul(value, b[i]!)));

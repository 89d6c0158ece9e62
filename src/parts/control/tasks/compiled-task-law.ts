/**
 * Torques of a coordinated robot as one kernel, where the tasks can be done: no level of coordination.ts is near to losing its rank, and
 * what is left free is decided by a regular sum of squares. There the solution is unique, so it is that of math/optimise/hierarchical-least-squares.ts but for
 * rounding. Whether it is there is an output; where it is not, levels decide.
 *
 * With S the scales of hinges (task-scales.ts), φ̈ = S (y + N z), N orthonormal:
 *
 *   J S y = ν̇_ref - bias,   J S N = 0,   z least |W (H* φ̈ + C*)|² [Yoshida, Kurazume, Umetani 1991, eq. 30] or least |φ̈|²
 *
 * Damping (least-torque.ts) needs no second factorisation. φ̇_r differs from φ̇ by S N only, and is the shortest of those that leave
 * `still` hinges at rest: with ζ = Nᵀ S⁻¹ φ̇ and N_s the rows of N of these hinges,
 *
 *   φ̇ - φ̇_r = S N (ζ - η),   N_s η = N_s ζ - S⁻¹ φ̇_s,  η shortest:          z := z - k (ζ - η)
 *
 * Of the Jacobian Ā = D J S with its rows scaled too, without these hinges, no singular value is below σ(Ā) σ(N_s), since Q is orthogonal.
 */
import { compile } from "../../../kernel/run/kernel.ts";
import { cachedPerOwner, contentKey } from "../../../kernel/run/program-cache.ts";
import { offsetsOf, trace } from "../../../kernel/trace/program.ts";
import { add, div, max, mul, neg, type Scalar, square, sub, sum } from "../../../kernel/trace/scalar.ts";
import { INDEPENDENT_DISTANCE } from "../../../math/optimise/hierarchical-least-squares.ts";
import type { TaskScales } from "./task-scales.ts";
import type { TaskStack } from "./task-stack.ts";
import { inverseSquareDistances, relativeInverseSquare, tracedLeastSquares, tracedLevels } from "./traced-least-squares.ts";

/** What decides where tasks leave hinges free. */
export interface RedundancyCriterion {
  /** The sum of squares that is small. */
  readonly least: "torque" | "acceleration";
  /** What torques are multiplied by in it, for each hinge speed. */
  readonly weights: Float64Array;
  /** Rate of damping, and hinges at rest in what it leads to. */
  readonly damping: number;
  readonly still: readonly number[];
}

/** Hinge speeds that have commands, that have no motor, and that are not accelerated; and the least singular value that is allowed. */
export interface HingeRoles {
  readonly driven: readonly number[];
  readonly passive: readonly number[];
  readonly held: readonly number[];
  readonly singular: number;
}

export interface CompiledTaskLaw {
  /** Torques of the driven hinges, of the tasks as last evaluated; false where they are in doubt. */
  torques(u: Float64Array, command: Float64Array): boolean;
}

/** About a fifth of the operations that are compiled at most. */
const LARGEST_LAW = 5000;

/** Nothing where there are not hinges enough for all rows, or where damping is not as above, or where it would be large. */
export function compileTaskLaw(
  stack: TaskStack,
  scales: TaskScales,
  { driven, passive, held, singular }: HingeRoles,
  { least, weights, damping, still }: RedundancyCriterion,
): CompiledTaskLaw | undefined {
  const { n, m, levels, J, referenceAcceleration: wanted, bias } = stack;
  const free = n - held.length - passive.length - m;
  if (free < 0 || n * (passive.length + m) ** 2 > LARGEST_LAW) return undefined;
  if (damping > 0 && (held.length + passive.length > 0 || levels.length > 2 || still.length > free)) return undefined;
  const shape = { n, levels, passive, held, singular, least, still: damping > 0 ? still : undefined };
  const kernel = compile(cachedPerOwner(cacheOwner, contentKey(shape), () => traceTaskLaw(shape)));
  const { x, y, evaluate } = kernel; // memory of its own, which never grows
  const at = offsetsOf(kernel.inputs);
  const { Hstar, Cstar } = stack.values;
  const { speeds } = stack.robot;
  x.set(scales.rows, at.rows);
  x.set(scales.columns, at.columns);
  x.set(weights, at.weights);
  x[at.damping] = damping;
  return {
    torques(u, command) {
      x.set(J, at.J);
      x.set(Hstar, at.H);
      x.set(Cstar, at.C);
      for (let i = 0; i < m; i++) x[at.right + i] = wanted[i]! - bias[i]!;
      if (damping > 0) for (let j = 0; j < n; j++) x[at.rates + j] = u[speeds[j]!]!;
      evaluate();
      if (!(y[n]! < 1)) return false;
      for (let i = 0; i < driven.length; i++) command[i] = y[driven[i]!]!;
      return true;
    },
  };
}

interface TaskLawShape extends Omit<HingeRoles, "driven">, Pick<RedundancyCriterion, "least"> {
  readonly n: number;
  /** First row of each priority in turn, and the number of rows. */
  readonly levels: readonly number[];
  /** Undefined without damping. */
  readonly still: readonly number[] | undefined;
}

const cacheOwner = {};

/** J, right = ν̇_ref - bias, H, C, scales, weights of torques, φ̇ and damping → tau of all hinges, and doubt: below 1 where they hold. */
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

    const [distinct, sure] = [INDEPENDENT_DISTANCE * INDEPENDENT_DISTANCE, singular * singular];
    const doubts: Scalar[] = [mul(distinct, relativeInverseSquare(qr, 0, passive.length))];
    /** Of a level, in units of its rows: at least one over the square of its smallest singular value. */
    const inverses = levels.slice(1).map((end, k) => {
      const [from, to] = [passive.length + levels[k]!, passive.length + end];
      if (k > 0) doubts.push(mul(Math.max(distinct, sure), relativeInverseSquare(qr, from, to)));
      return sum(inverseSquareDistances(qr, from, to).map((near, i) => div(near, square(rows[levels[k]! + i]!))));
    });
    for (const inverse of inverses) doubts.push(mul(sure, inverse));

    const scaled = (v: readonly Scalar[]): Scalar[] => v.map((value, k) => mul(value, S[k]!));
    const torques = (v: readonly Scalar[]): Scalar[] => all.map((i) => dotProduct(inertia(i), v));
    const [x, directions] = [scaled(y), N.map(scaled)];
    const tau = torques(x).map((value, i) => add(value, C[i]!));
    const turned = directions.map(torques);
    const weighed = (v: readonly Scalar[]): Scalar[] => driven.map((i) => mul(weights[i]!, v[i]!));
    const cost = least === "torque" ? { B: turned.map(weighed), r: weighed(tau) } : { B: directions, r: x };
    const optimum = tracedLeastSquares(cost.B, cost.r);
    doubts.push(mul(distinct, relativeInverseSquare(optimum.qr, 0, N.length)));
    let z = optimum.z;

    if (still !== undefined) {
      const relative = rates.map((rate, j) => div(rate, columns[j]!));
      const zeta = N.map((direction) => dotProduct(direction, relative));
      const rowsOfStill = still.map((j) => N.map((direction) => direction[j]!));
      const rest = still.map((j, i) => sub(dotProduct(rowsOfStill[i]!, zeta), relative[j]!));
      const { qr: qrStill, y: eta } = tracedLevels(rowsOfStill, rest, N.length);
      const inverse = still.length > 0 ? sum(inverseSquareDistances(qrStill, 0, still.length)) : 1;
      doubts.push(mul(sure, mul(inverses[0]!, inverse)), mul(distinct, relativeInverseSquare(qrStill, 0, still.length)));
      z = z.map((value, k) => sub(value, mul(damping[0]!, sub(zeta[k]!, eta[k]!))));
    }
    return {
      tau: tau.map((value, i) => add(value, sum(turned.map((column, k) => mul(column[i]!, z[k]!))))),
      doubt: [doubts.reduce(max)],
    };
  });
}

const dotProduct = (a: readonly Scalar[], b: readonly Scalar[]): Scalar => sum(a.map((value, i) => mul(value, b[i]!)));

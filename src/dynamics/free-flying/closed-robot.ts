/**
 * A free-flying robot that holds on to something: to the world, to other bodies that float, or to itself. With φ̇ the n hinge speeds of the
 * robot, u_b all other speeds of the model (the base, and the bodies that it holds), λ the loads of the engaged loops and f pushes from
 * outside (thrusters)
 *
 *   [ M_bb M_ba ] [u̇_b]   [h_b]   [J_bᵀ λ + B_b f    ]
 *   [ M_ab M_aa ] [φ̈  ] + [h_a] = [J_aᵀ λ + B_a f + τ]      J_b u̇_b + J_a φ̈ + j = 0                                     (1)
 *
 * No motor drives u_b. With M_bb = L Lᵀ and v = Lᵀ u̇_b, the independent columns of L⁻¹ J_bᵀ = Q R split v: the loops determine its part in
 * the range of Q, and momentum determines the rest. So u̇ follows from φ̈ and f:
 *
 *   u̇ = X φ̈ + a + X_f f                                                                                             (2)
 *
 * The other rows of the loops depend on these rows as far as u_b is concerned. They bind the hinges to each other, and their loads w are
 * free: internal loads. Multiplying (1) by Xᵀ gives
 *
 *   τ = H* φ̈ + C* - Kᵀ w + F f,   K φ̈ = k                                                                           (3)
 *   H* = Xᵀ M X,  C* = Xᵀ (M a + h),  F = Xᵀ (M X_f - B),  K = J X and k = -j - J a of those rows
 *
 * For rows of a task, ν̇ = J u̇ + bias gives the generalised Jacobian J* = J X of the closed robot. Without loops, (2) and (3) are equations
 * (3) to (6) of free-flying.ts. With a foothold in the world, X contains no momentum: the base stands on its arm.
 */
import { SingularError } from "../../errors.ts";
import { compile } from "../../kernel/run/kernel.ts";
import { offsetsOf } from "../../kernel/trace/program.ts";
import { square } from "../../math/elementary/power.ts";
import { choleskySolver } from "../../math/linear/cholesky.ts";
import { type PivotedQR, pivotedQR } from "../../math/linear/pivoted-qr.ts";
import type { Model } from "../../model/model.ts";
import { closedRobotProgram, type Push } from "./closed-robot-program.ts";
import type { Robot } from "./robot.ts";

/** Rows closer than this to the span of others depend on them: far above rounding, far below any posture in use. */
const DEPENDENT = 1e-9;
/** Speeds below this share of what the energy of a column could give are rounding, and count as zero. */
const NOISE = 1e-14;
/** Entries of J* below this share of their terms are rounding: the loops hold what the row moves. */
const CANCELLED = 1e-12;
/** A row shorter than this share of its length in all speeds is less certain, in proportion. */
const SHORT = 1e-3;

export class ClosedRobot {
  /** Number of hinge speeds φ̇, of pushes, and of rows of all engaged loops. */
  readonly n: number;
  readonly pushes: number;
  readonly loopRows: number;
  /** Columns of (2): X, then a, then X_f; nu numbers each. */
  readonly motion: Float64Array;
  /** H* n × n, C* n, and F n × pushes, by rows. */
  readonly Hstar: Float64Array;
  readonly Cstar: Float64Array;
  readonly F: Float64Array;
  /** The first `bound` rows of K, n numbers each, and of k. */
  readonly K: Float64Array;
  readonly k: Float64Array;
  bound = 0;
  readonly #nu: number;
  readonly #columns: number;
  readonly #hinges: readonly number[];
  /** Speeds without motor outside of the robot's hinges. */
  readonly #others: readonly number[];
  readonly #kernel: ReturnType<typeof compile>;
  readonly #input: { readonly t: number; readonly q: number; readonly u: number; readonly found: number };
  readonly #mass: Float64Array;
  readonly #force: Float64Array;
  readonly #rows: Float64Array;
  readonly #bias: Float64Array;
  readonly #pushForces: Float64Array;
  readonly #cholesky: ReturnType<typeof choleskySolver>;
  readonly #split: PivotedQR;
  readonly #bindings: PivotedQR;
  readonly #scratch: ReturnType<typeof scratchOf>;

  /** The model has exactly the engaged loops as its loops. `robot` names the speeds that have motors; it may also be a machine on the ground. */
  constructor(model: Model, robot: Pick<Robot<number>, "speeds">, pushes: readonly Push[] = []) {
    const kernel = compile(closedRobotProgram(model, pushes));
    const { y } = kernel; // its own memory, which never grows
    const from = offsetsOf(kernel.outputs);
    const { nu } = model;
    const n = robot.speeds.length;
    const others = Array.from({ length: nu }, (_, i) => i).filter((i) => !robot.speeds.includes(i));
    const r = kernel.outputs.bias;
    this.n = n;
    this.pushes = pushes.length;
    this.loopRows = r;
    this.#nu = nu;
    this.#columns = n + 1 + pushes.length;
    this.#hinges = robot.speeds;
    this.#others = others;
    this.#kernel = kernel as ReturnType<typeof compile>;
    this.#input = offsetsOf(kernel.inputs);
    this.#mass = y.subarray(from.mass, from.mass + nu * nu);
    this.#force = y.subarray(from.force, from.force + nu);
    this.#rows = y.subarray(from.rows, from.rows + r * nu);
    this.#bias = y.subarray(from.bias, from.bias + r);
    this.#pushForces = y.subarray(from.pushes, from.pushes + nu * pushes.length);
    this.#cholesky = choleskySolver(others.length);
    this.#split = pivotedQR(others.length, r);
    this.#bindings = pivotedQR(n, r);
    this.motion = new Float64Array(nu * this.#columns);
    this.Hstar = new Float64Array(n * n);
    this.Cstar = new Float64Array(n);
    this.F = new Float64Array(n * pushes.length);
    this.K = new Float64Array(r * n);
    this.k = new Float64Array(r);
    this.#scratch = scratchOf(nu, others.length, r);
  }

  /** Evaluates (2) and (3) at a state. `found` are the parameters of loops that engaged as found. @throws SingularError */
  evaluate(t: number, q: Float64Array, u: Float64Array, found: Float64Array): void {
    const { x, evaluate } = this.#kernel;
    x[this.#input.t] = t;
    x.set(q, this.#input.q);
    x.set(u, this.#input.u);
    x.set(found, this.#input.found);
    evaluate();
    this.#factor();
    for (let c = 0; c < this.#columns; c++) this.#writeMotion(c);
    this.#writeBindings();
    this.#writeForces();
  }

  /** Rows J (nu numbers each) of a task in terms of φ̈ and f: J* = J X, by rows of n + pushes, and the rest J a. */
  reduce(J: Float64Array, count: number, Jstar: Float64Array, rest: Float64Array): void {
    const { n, motion } = this;
    const nu = this.#nu;
    const width = n + this.pushes;
    for (let i = 0; i < count; i++)
      for (let c = 0; c < this.#columns; c++) {
        let [sum, size] = [0, 0];
        for (let j = 0; j < nu; j++) {
          const term = J[i * nu + j]! * motion[c * nu + j]!;
          sum += term;
          size += Math.abs(term);
        }
        if (c === n) rest[i] = sum;
        else Jstar[i * width + (c < n ? c : c - 1)] = Math.abs(sum) > CANCELLED * size ? sum : 0;
      }
  }

  /** Factors M_bb, and finds the rows of the loops that are independent in u_b. */
  #factor(): void {
    const nu = this.#nu;
    const others = this.#others;
    const nb = others.length;
    const { Mbb, Y, column, weights, scale } = this.#scratch;
    const mass = this.#mass;
    for (let i = 0; i < nb; i++) for (let j = 0; j <= i; j++) Mbb[i * nb + j] = mass[others[i]! * nu + others[j]!]!;
    if (this.#cholesky.factor(Mbb) >= 0) throw new SingularError("the mass matrix of the base and of what it holds is singular");
    for (let j = 0; j < nu; j++) scale[j] = 1 / Math.sqrt(mass[j * nu + j]!);
    for (let i = 0; i < this.loopRows; i++) {
      let [length, whole] = [0, 0];
      for (let b = 0; b < nb; b++) column[b] = this.#rows[i * nu + others[b]!]!;
      this.#cholesky.solveLower(column);
      for (let b = 0; b < nb; b++) {
        Y[i * nb + b] = column[b]!;
        length += column[b]! * column[b]!;
      }
      for (let j = 0; j < nu; j++) whole += square(this.#rows[i * nu + j]! * scale[j]!);
      weights[i] = whole > 0 ? Math.min(1, Math.sqrt(length / whole) / SHORT) : 0;
    }
    this.#split.factor(Y, DEPENDENT, undefined, weights);
  }

  /** Column c of (2): a unit of φ̈_c, the motion without either, or a unit push. */
  #writeMotion(c: number): void {
    const { n, motion } = this;
    const nu = this.#nu;
    const others = this.#others;
    const hinge = c < n ? this.#hinges[c]! : -1;
    const { column, determined, scale } = this.#scratch;
    const { rank, order } = this.#split;
    for (let b = 0; b < others.length; b++) {
      const i = others[b]!;
      column[b] = c < n ? -this.#mass[i * nu + hinge]! : c === n ? -this.#force[i]! : this.#pushForces[(c - n - 1) * nu + i]!;
    }
    this.#cholesky.solveLower(column);
    this.#split.applyQTransposed(column);
    for (let k = 0; k < rank; k++) {
      const row = order[k]!;
      determined[k] = c < n ? -this.#rows[row * nu + hinge]! : c === n ? -this.#bias[row]! : 0;
    }
    this.#split.solveTransposed(determined);
    let energy = c < n ? this.#mass[hinge * nu + hinge]! : 0;
    for (let b = 0; b < others.length; b++) energy += square(column[b]!);
    for (let k = 0; k < rank; k++) {
      column[k] = determined[k]!;
      energy += square(column[k]!);
    }
    this.#split.applyQ(column);
    this.#cholesky.solveUpper(column);
    motion.fill(0, c * nu, (c + 1) * nu);
    const noise = c === n ? 0 : NOISE * Math.sqrt(energy);
    for (let b = 0; b < others.length; b++) {
      const i = others[b]!;
      if (Math.abs(column[b]!) > noise * scale[i]!) motion[c * nu + i] = column[b]!;
    }
    if (c < n) motion[c * nu + hinge] = 1;
  }

  /** K and k: the independent ones among the rows that bind the hinges. */
  #writeBindings(): void {
    const { n, motion, K, k } = this;
    const nu = this.#nu;
    const { rank, order } = this.#split;
    const { products, weights, scale } = this.#scratch;
    this.bound = 0;
    products.fill(0);
    weights.fill(0);
    for (let d = rank; d < this.loopRows; d++) {
      const row = order[d]!;
      let [length, whole] = [0, 0];
      for (let c = 0; c < n; c++) {
        let [sum, size] = [0, 0];
        for (let j = 0; j < nu; j++) {
          const term = this.#rows[row * nu + j]! * motion[c * nu + j]!;
          sum += term;
          size = Math.max(size, Math.abs(term));
        }
        const unit = scale[this.#hinges[c]!]!;
        products[row * n + c] = sum * unit;
        length += square(sum * unit);
        whole += square(size * unit);
      }
      weights[row] = whole > 0 ? Math.min(1, Math.sqrt(length / whole) / SHORT) : 0;
    }
    const qr = this.#bindings;
    qr.factor(products, DEPENDENT, undefined, weights);
    for (let b = 0; b < qr.rank; b++) {
      const row = qr.order[b]!;
      let free = this.#bias[row]!;
      for (let j = 0; j < nu; j++) free += this.#rows[row * nu + j]! * motion[n * nu + j]!;
      for (let c = 0; c < n; c++) K[b * n + c] = products[row * n + c]! / scale[this.#hinges[c]!]!;
      k[b] = -free;
    }
    this.bound = qr.rank;
  }

  /** H*, C* and F of (3). */
  #writeForces(): void {
    const { n, motion, Hstar, Cstar, F, pushes } = this;
    const nu = this.#nu;
    const { inertial } = this.#scratch;
    for (let c = 0; c < this.#columns; c++) {
      for (let i = 0; i < nu; i++) {
        let sum = c < n ? 0 : c === n ? this.#force[i]! : -this.#pushForces[(c - n - 1) * nu + i]!;
        for (let j = 0; j < nu; j++) sum += this.#mass[i * nu + j]! * motion[c * nu + j]!;
        inertial[i] = sum;
      }
      for (let a = c < n ? c : 0; a < n; a++) {
        let sum = 0;
        for (let i = 0; i < nu; i++) sum += motion[a * nu + i]! * inertial[i]!;
        if (c < n) Hstar[a * n + c] = Hstar[c * n + a] = sum;
        else if (c === n) Cstar[a] = sum;
        else F[a * pushes + c - n - 1] = sum;
      }
    }
  }
}

const scratchOf = (nu: number, nb: number, r: number) => ({
  Mbb: new Float64Array(nb * nb),
  /** L⁻¹ J_bᵀ by columns. */
  Y: new Float64Array(nb * r),
  column: new Float64Array(nb),
  determined: new Float64Array(r),
  weights: new Float64Array(r),
  /** Typical size of each speed at one unit of kinetic energy. */
  scale: new Float64Array(nu),
  /** Rows of K in scaled hinge speeds. */
  products: new Float64Array((nu - nb) * r),
  inertial: new Float64Array(nu),
});

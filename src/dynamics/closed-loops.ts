/**
 * Machines with loops: accelerations and multipliers from one sparse system, and the way back to the constraints,
 *
 *   [ M  -Jᵀ ] [ u̇ ]   [ r     ]
 *   [ J   0  ] [ λ ] = [ -bias ]
 *
 * with M by composite bodies and r by Newton-Euler. The same matrix projects: with r = 0 and the residual in place of the bias its
 * solution is the smallest change, measured by kinetic energy, that closes the loops. Cost is linear in the number of loops where
 * each involves a few bodies.
 */
import { compile, type Target } from "../kernel/kernel.ts";
import { offsetsOf, trace } from "../kernel/program.ts";
import { isNumber, neg, type Scalar, sub } from "../kernel/scalar.ts";
import { type SparsePattern, sparseLU } from "../math/sparse-lu.ts";
import { SingularError } from "../model/errors.ts";
import { type Frame, frameOf, type Model, quaternionsOf } from "../model/model.ts";
import { type ConstraintRow, constraints } from "./constraints.ts";
import { collected, wrenchesOnLinks } from "./external.ts";
import { coordinateRates } from "./kinematics.ts";
import { machineOf } from "./machine.ts";
import { massMatrix } from "./mass-matrix.ts";
import { inverseDynamics } from "./newton-euler.ts";
import { type LoopReport, minimumNorm, rankOf } from "./redundant-loops.ts";

export interface ClosedLoops {
  /** Number of equations. */
  readonly rows: number;
  /** Which loop and direction each equation is. */
  readonly labels: readonly { readonly loop: string; readonly label: string }[];
  /** u̇ and the multipliers. */
  accelerations(
    t: number,
    q: Float64Array,
    u: Float64Array,
    tau: Float64Array,
    w: Float64Array,
    udot: Float64Array,
    lambda: Float64Array,
  ): void;
  /** Some loops prescribe a motion in time, and so put energy in. */
  readonly driven: boolean;
  /** Power that prescribed motions put in: multipliers times -∂f/∂t. */
  power(t: number, q: Float64Array, u: Float64Array, tau: Float64Array, w: Float64Array): number;
  /** f and ḟ. */
  residual(t: number, q: Float64Array, u: Float64Array, f: Float64Array, rates: Float64Array): void;
  /** Moves q, then u, onto the constraints, by the smallest change in the metric of the mass matrix. Returns the largest residual left. */
  project(t: number, q: Float64Array, u: Float64Array): number;
  /** As `project`, from farther away: steps are shortened until they help. Returns the largest residual left. */
  assemble(t: number, q: Float64Array, u: Float64Array): number;
  /** How independent the equations are at a position. Allocates. */
  report(t: number, q: Float64Array): LoopReport;
  /** Equations that depend on others, found when the loops were last solved: 0 where all are needed. */
  readonly redundant: number;
}

/** Newton steps of the projection; the last ones reach rounding. */
const MOST_STEPS = 12;
const CLOSED = 1e-13;
/** Assembly may begin far away: more steps, shortened down to this factor. */
const MOST_ASSEMBLY_STEPS = 200;
const SHORTEST = 1e-4;

export function closedLoops(
  model: Model,
  frameNames: readonly string[] = [],
  options: { readonly target?: Target } = {},
): ClosedLoops {
  const frames = frameNames.map((name) => frameOf(model, name));
  const { program, pattern, constants, rows } = systemProgram(model, frames);
  const kernel = compile(program, { target: options.target ?? "wasm" });
  const at = offsetsOf(program.inputs);
  const out = offsetsOf(program.outputs);
  const { nq, nu } = model;
  const m = rows.length;
  const n = nu + m;
  const values = new Float64Array(pattern.rows.length);
  values.set(constants, program.outputs.matrix);
  const lu = sparseLU(pattern);
  const b = new Float64Array(n);
  const x = new Float64Array(n);
  const none = { tau: new Float64Array(nu), w: new Float64Array(6 * frames.length), u: new Float64Array(nu) };
  const quaternions = quaternionsOf(model);
  const rates = compile(
    trace(`${model.name} coordinate rates`, { q: nq, u: nu }, ({ q, u }) => ({ qdot: coordinateRates(model, q, u) })),
    { target: options.target ?? "wasm" },
  );
  let redundant = 0;

  const evaluate = (t: number, q: Float64Array, u: Float64Array, tau: Float64Array, w: Float64Array): void => {
    kernel.x[at.t] = t;
    kernel.x.set(q, at.q);
    kernel.x.set(u, at.u);
    kernel.x.set(tau, at.tau);
    kernel.x.set(w, at.w);
    kernel.evaluate();
    values.set(kernel.y.subarray(out.matrix, out.matrix + program.outputs.matrix));
  };

  /** x of the system for b; where equations depend on each other, the motion is still unique, and the multipliers are the smallest. */
  const solve = (): void => {
    if (redundant === 0 && lu.factor(values)) {
      lu.solve(b, x);
      return;
    }
    redundant = minimumNorm(pattern, values, nu, m, b, x);
    if (redundant === 0 && !lu.factor(values))
      throw new SingularError(`${model.name}: the equations of motion are singular in column ${lu.dependent.column}`);
  };

  /** Unit quaternions first: a norm that is off by rounding of the step is not a matter of the loops. */
  const normalise = (q: Float64Array): void => {
    for (const k of quaternions) {
      const size = 1 / Math.hypot(q[k]!, q[k + 1]!, q[k + 2]!, q[k + 3]!);
      for (let i = k; i < k + 4; i++) q[i]! *= size;
    }
  };

  /** Adds the change x (in the space of speeds), times a factor, to the coordinates. */
  const advance = (q: Float64Array, factor = 1): void => {
    rates.x.set(q);
    for (let i = 0; i < nu; i++) rates.x[nq + i] = factor * x[i]!;
    rates.evaluate();
    for (let i = 0; i < nq; i++) q[i]! += rates.y[i]!;
    normalise(q);
  };

  /** The right-hand side (0; -part of the outputs), and its largest entry. */
  const misfit = (first: number): number => {
    b.fill(0, 0, nu);
    let worst = 0;
    for (let i = 0; i < m; i++) {
      b[nu + i] = -kernel.y[first + i]!;
      worst = Math.max(worst, Math.abs(b[nu + i]!));
    }
    return worst;
  };

  /** Accelerations and multipliers into x. */
  const force = (t: number, q: Float64Array, u: Float64Array, tau: Float64Array, w: Float64Array): void => {
    evaluate(t, q, u, tau, w);
    for (let i = 0; i < nu; i++) b[i] = kernel.y[out.r + i]!;
    for (let i = 0; i < m; i++) b[nu + i] = -kernel.y[out.bias + i]!;
    solve();
  };

  /** Speeds nearest to u that keep the loops closed. */
  const projectSpeeds = (t: number, q: Float64Array, u: Float64Array): void => {
    evaluate(t, q, u, none.tau, none.w);
    misfit(out.rates);
    solve();
    for (let i = 0; i < nu; i++) u[i]! += x[i]!;
  };

  return {
    rows: m,
    labels: rows.map(({ loop, label }) => ({ loop, label })),
    get redundant() {
      return redundant;
    },
    driven: model.loops.some((loop) => loop.type === "coordinates" && (loop.motion.rate !== 0 || loop.motion.amplitude !== 0)),
    power(t, q, u, tau, w) {
      force(t, q, u, tau, w);
      let sum = 0;
      for (let i = 0; i < m; i++) sum -= x[nu + i]! * kernel.y[out.driven + i]!;
      return sum;
    },
    accelerations(t, q, u, tau, w, udot, lambda) {
      force(t, q, u, tau, w);
      for (let i = 0; i < nu; i++) udot[i] = x[i]!;
      for (let i = 0; i < m; i++) lambda[i] = x[nu + i]!;
    },
    report(t, q) {
      evaluate(t, q, none.u, none.tau, none.w);
      return rankOf(pattern, values, nu, m);
    },
    residual(t, q, u, f, fdot) {
      evaluate(t, q, u, none.tau, none.w);
      for (let i = 0; i < m; i++) {
        f[i] = kernel.y[out.f + i]!;
        fdot[i] = kernel.y[out.rates + i]!;
      }
    },
    project(t, q, u) {
      let last = Number.POSITIVE_INFINITY;
      normalise(q);
      for (let step = 0; step < MOST_STEPS; step++) {
        evaluate(t, q, none.u, none.tau, none.w);
        const worst = misfit(out.f);
        if (worst <= CLOSED || !(worst < 0.5 * last)) {
          last = Math.min(worst, last);
          break; // closed, or at the level of rounding
        }
        last = worst;
        solve();
        advance(q);
      }
      projectSpeeds(t, q, u);
      return last;
    },
    assemble(t, q, u) {
      const start = new Float64Array(nq);
      normalise(q);
      evaluate(t, q, none.u, none.tau, none.w);
      let worst = misfit(out.f);
      for (let step = 0; step < MOST_ASSEMBLY_STEPS && worst > CLOSED; step++) {
        start.set(q);
        solve();
        let better = Number.POSITIVE_INFINITY;
        for (let factor = 1; factor > SHORTEST && !(better < worst); factor /= 2) {
          q.set(start);
          advance(q, factor);
          evaluate(t, q, none.u, none.tau, none.w);
          better = misfit(out.f);
        }
        if (!(better < worst)) {
          q.set(start);
          break;
        }
        worst = better;
      }
      projectSpeeds(t, q, u);
      return worst;
    },
  };
}

/** The traced system: values of its matrix that vary, right-hand sides, residuals. */
function systemProgram(model: Model, frames: readonly Frame[]) {
  const places: { row: number; column: number; value: Scalar }[] = [];
  let rows: readonly ConstraintRow[] = [];
  const inputs = { t: 1, q: model.nq, u: model.nu, tau: model.nu, w: 6 * frames.length };
  const program = trace(`${model.name} closed loops`, inputs, ({ t, q, u, tau, w }) => {
    const machine = machineOf(model);
    const M = massMatrix(machine, q);
    const onLinks = wrenchesOnLinks(machine, frames, q, w).map(({ link, force }) => [link, force] as const);
    const still = new Array<Scalar>(model.nu).fill(0);
    const needed = inverseDynamics(machine, q, u, still, collected(machine.links.length, onLinks));
    const loops = constraints(model, machine, t[0]!, q, u);
    rows = loops.rows;
    for (const [i, row] of M.entries())
      for (const [j, value] of row.entries()) if (value !== 0) places.push({ row: i, column: j, value });
    for (const [k, { J }] of rows.entries()) {
      for (const { u: j, value } of J) {
        places.push({ row: model.nu + k, column: j, value });
        places.push({ row: j, column: model.nu + k, value: neg(value) });
      }
    }
    return {
      matrix: places.filter((p) => !isNumber(p.value)).map((p) => p.value),
      r: tau.map((v, i) => sub(v, needed[i]!)),
      f: rows.map((r) => r.residual),
      driven: loops.driven,
      rates: loops.rates,
      bias: loops.bias,
    };
  });
  // Values that vary come first, as the kernel gives them; the constant ones behind them.
  const ordered = [...places.filter((p) => !isNumber(p.value)), ...places.filter((p) => isNumber(p.value))];
  const pattern: SparsePattern = {
    n: model.nu + rows.length,
    rows: Int32Array.from(ordered, (p) => p.row),
    columns: Int32Array.from(ordered, (p) => p.column),
  };
  const constants = places.flatMap((p) => (isNumber(p.value) ? [p.value] : []));
  return { program, pattern, constants, rows };
}

/**
 * Machines with loops: accelerations and multipliers from one sparse system, and the way back to the constraints,
 *
 *   [ M  -Jᵀ ] [ u̇ ]   [ r     ]
 *   [ J   0  ] [ λ ] = [ -bias ]
 *
 * with M by composite bodies and r by Newton-Euler. The same matrix projects: with r = 0 and the residual in place of the bias its
 * solution is the smallest change, measured by kinetic energy, that closes the loops. Cost is linear in the number of loops where
 * each involves a few bodies.
 *
 * The pivots of the sparse system are chosen once, for the numbers of the first state; in that order elimination is compiled together
 * with the equations. Where the order does not suit the numbers any more, the sparse solver finds another; and where equations depend
 * on each other, the smallest multipliers are found by eigenvalues.
 */

import { compile } from "../kernel/kernel.ts";
import { lazily } from "../kernel/lazily.ts";
import { offsetsOf, trace } from "../kernel/program.ts";
import { hypotenuse } from "../math/hypotenuse.ts";
import { sparseLU } from "../math/sparse-lu.ts";
import { type SymmetricOrder, symmetricOrder } from "../math/symmetric-order.ts";
import { frameOf, type Model, quaternionsOf } from "../model/model.ts";
import { compiledOrder, MOST_ELIMINATIONS, MOST_GROWTH, suits } from "./compiled-order.ts";
import { type DeriveOptions, holdAt } from "./formulation.ts";
import { heldBySprings } from "./held-by-springs.ts";
import { coordinateRates } from "./kinematics.ts";
import { changeProgram, type Elimination, forceProgram, residualProgram, systemProgram } from "./loop-programs.ts";
import { type LoopReport, type MinimumNorm, minimumNorm, rankOf, toleranceAt, weightsOf } from "./redundant-loops.ts";

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
  /** Moves q, then u, onto the constraints, by the smallest change in the metric of the mass matrix. Goes on until the residuals are below `closed`, or at the level of rounding. Returns the largest residual left. */
  project(t: number, q: Float64Array, u: Float64Array, closed?: number): number;
  /**
   * As `project`, from farther away: steps are shortened until they help. Freedoms inside elastic bodies have little mass and would move
   * first, so there stiffness is the measure of a change. Returns the largest residual left.
   */
  assemble(t: number, q: Float64Array, u: Float64Array): number;
  /**
   * An impact at q: the smallest change of u, measured by kinetic energy, after which the rows of each loop have -restitution times
   * their rate ḟ before it. Plastic, M (u⁺ - u⁻) = Jᵀ P and J u⁺ = -∂f/∂t, where the restitution is zero.
   */
  impact(t: number, q: Float64Array, u: Float64Array, restitution?: ReadonlyMap<string, number>): Impact;
  /** Adds to q what speeds u move it by in a time, to first order. */
  move(q: Float64Array, u: Float64Array, time: number): void;
  /**
   * For a unit change w of the residuals, into `pull`: the smallest change of coordinates that makes it, J⁺ w, and (J M⁻¹ Jᵀ)⁻¹ w, which is
   * w turned toward the weakest equation. Returns how weak it is: 1 / |J⁺ w| in the metric of the mass matrix.
   */
  weakness(t: number, q: Float64Array, w: Float64Array, pull: Float64Array): number;
  /** How independent the equations are at a position. Allocates. */
  report(t: number, q: Float64Array): LoopReport;
  /** The order of pivots in which accelerations are found at present: undefined before the first, and where there is none. */
  readonly elimination: Elimination | undefined;
  /** Looks for that order at a position, where nobody has yet. */
  findOrder(t: number, q: Float64Array): void;
  /** Accelerations have been found elsewhere in that order, and it suited. */
  suited(): void;
  /** Equations that depend on others, found when the loops were last solved: 0 where all are needed. */
  readonly redundant: number;
}

/** What an impact did. */
export interface Impact {
  /** P, one number for each equation: N s or N m s. */
  readonly impulses: Float64Array;
  /** Kinetic energy turned to heat, -½ P·(ḟ⁺ + ḟ⁻), and put in by prescribed motions, -P·∂f/∂t. */
  readonly dissipated: number;
  readonly supplied: number;
}

/** Newton steps of the projection; the last ones reach rounding. */
const MOST_STEPS = 12;
const CLOSED = 1e-13;
/** Rates of the residuals, per second, that are rounding: speeds that have no larger ones are left as they are, for solving would only move them within it. */
const KEPT = 1e-12;
/** After a change of coordinates this small, speeds that were corrected along with it are right to rounding: they miss by its square. */
const SMALL = 1e-7;
/** Assembly may begin far away: more steps, shortened down to this factor. */
const MOST_ASSEMBLY_STEPS = 200;
const SHORTEST = 1e-4;

export function closedLoops(
  model: Model,
  frameNames: readonly string[] = [],
  options: Pick<DeriveOptions, "target" | "found"> = {},
): ClosedLoops {
  const frames = frameNames.map((name) => frameOf(model, name));
  const target = { target: options.target ?? ("wasm" as const) };
  const hold = holdAt(options.found);
  const { program, pattern, constants, rows } = systemProgram(model, frames);
  const general = compile(program, target);
  const at = offsetsOf(program.inputs);
  const out = offsetsOf(program.outputs);
  const { nq, nu } = model;
  const m = rows.length;
  const loopOfRow = rows.map((r) => r.loop);
  const n = nu + m;
  const values = new Float64Array(pattern.rows.length);
  values.set(constants, program.outputs.matrix);
  const lu = sparseLU(pattern);
  const b = new Float64Array(n);
  const x = new Float64Array(n);
  const driven = new Float64Array(m);
  const none = { tau: new Float64Array(nu), w: new Float64Array(6 * frames.length), u: new Float64Array(nu) };
  const quaternions = quaternionsOf(model);
  const rates = compile(
    trace(`${model.name} coordinate rates`, { q: nq, u: nu }, ({ q, u }) => ({ qdot: coordinateRates(model, q, u) })),
    target,
  );
  const residuals = lazily(() => compile(residualProgram(model), target));
  const forces = compiledOrder((order) => compile(forceProgram(model, frames, { pattern, order }), target));
  const changes = compiledOrder((order) => compile(changeProgram(model, { pattern, order }), target));
  let elimination: Elimination | undefined;
  let redundant = 0;
  let dense: boolean | undefined;
  let smallest: MinimumNorm | undefined;
  let weights: Float64Array | undefined;

  const evaluate = (t: number, q: Float64Array, u: Float64Array, tau: Float64Array, w: Float64Array): void => {
    const { x: given, y } = general;
    given[at.t] = t;
    given.set(q, at.q);
    given.set(u, at.u);
    given.set(tau, at.tau);
    given.set(w, at.w);
    hold(given);
    general.evaluate();
    for (let i = 0; i < program.outputs.matrix; i++) values[i] = y[out.matrix + i]!;
    if (!assembling) return;
    for (const { entry, added } of held()) values[entry] = added + (constants[entry - program.outputs.matrix] ?? values[entry]!);
  };
  let assembling = false;
  const held = lazily(() => heldBySprings(model, pattern, values));

  /** How far the state that was evaluated last is off its loops. */
  const off = (): number => {
    let worst = 0;
    for (let i = 0; i < m; i++) worst = Math.max(worst, Math.abs(general.y[out.f + i]!));
    return worst;
  };

  /** Whether equations depend on each other is asked once, of the rows themselves: rounding hides it from a factorisation. */
  const isDependent = (): boolean => rankOf(pattern, values, nu, loopOfRow, toleranceAt(off())).rank < m;

  /** x of the system for b. Where equations depend on each other the motion is still unique, and the multipliers are the smallest. */
  const solve = (): void => {
    dense ??= isDependent();
    if (!dense && lu.factor(values)) {
      lu.solve(b, x);
      redundant = 0;
      return;
    }
    smallest ??= minimumNorm(pattern, nu, m);
    redundant = smallest.solve(values, b, x, toleranceAt(off()));
  };
  const weightsAt = (t: number, q: Float64Array): Float64Array => {
    evaluate(t, q, none.u, none.tau, none.w);
    return weightsOf(pattern, values, nu, m);
  };
  /** An order for the numbers that were evaluated last, if there is one. */
  const order = (): SymmetricOrder | undefined => (dense ? undefined : symmetricOrder(pattern, values, MOST_ELIMINATIONS));
  const orderAt = (t: number, q: Float64Array): SymmetricOrder | undefined => {
    evaluate(t, q, none.u, none.tau, none.w);
    dense ??= isDependent();
    return order();
  };
  let lookedFor = false;
  const findOrder = (t: number, q: Float64Array): void => {
    if (lookedFor) return;
    lookedFor = true;
    forces.missed(() => orderAt(t, q));
  };

  /** Unit quaternions first: a norm that is off by rounding of the step is not a matter of the loops. */
  const normalise = (q: Float64Array): void => {
    for (const k of quaternions) {
      const size = 1 / hypotenuse(q[k]!, q[k + 1]!, q[k + 2]!, q[k + 3]!);
      for (let i = k; i < k + 4; i++) q[i]! *= size;
    }
  };

  /** Adds the change x (in the space of speeds), times a factor, to the coordinates. */
  const advance = (q: Float64Array, change: Float64Array = x, factor = 1): void => {
    const { x: given, y } = rates;
    given.set(q);
    for (let i = 0; i < nu; i++) given[nq + i] = factor * change[i]!;
    rates.evaluate();
    for (let i = 0; i < nq; i++) q[i]! += y[i]!;
    normalise(q);
  };

  /** The right-hand side (0; -part of the outputs), and its largest entry. */
  const misfit = (first: number): number => {
    const { y } = general;
    b.fill(0, 0, nu);
    let worst = 0;
    for (let i = 0; i < m; i++) {
      b[nu + i] = -y[first + i]!;
      worst = Math.max(worst, Math.abs(b[nu + i]!));
    }
    return worst;
  };

  const isDriven = model.loops.some(
    (loop) => loop.type === "coordinates" && (loop.motion.rate !== 0 || loop.motion.amplitude !== 0),
  );
  /** Where accelerations were found last, and the power of prescribed motions there. */
  const found = { t: Number.NaN, at: [nq, nu, nu, none.w.length].map((size) => new Float64Array(size)), power: 0 };
  const isFound = (t: number, ...parts: readonly Float64Array[]): boolean => {
    if (found.t !== t) return false;
    for (let p = 0; p < parts.length; p++)
      for (let i = 0; i < parts[p]!.length; i++) if (found.at[p]![i] !== parts[p]![i]) return false;
    return true;
  };
  const force = (t: number, q: Float64Array, u: Float64Array, tau: Float64Array, w: Float64Array): void => {
    solveForces(t, q, u, tau, w);
    if (!isDriven) return;
    found.t = t;
    found.at[0]!.set(q);
    found.at[1]!.set(u);
    found.at[2]!.set(tau);
    found.at[3]!.set(w);
    found.power = 0;
    for (let i = 0; i < m; i++) found.power -= x[nu + i]! * driven[i]!;
  };

  /** Accelerations and multipliers into x, ∂f/∂t into `driven`. */
  const solveForces = (t: number, q: Float64Array, u: Float64Array, tau: Float64Array, w: Float64Array): void => {
    findOrder(t, q);
    const kernel = redundant === 0 ? forces.kernel : undefined;
    if (kernel) {
      const { x: given, y } = kernel;
      given[at.t] = t;
      given.set(q, at.q);
      given.set(u, at.u);
      given.set(tau, at.tau);
      given.set(w, at.w);
      hold(given);
      kernel.evaluate();
      if (suits(y, n + m)) {
        for (let i = 0; i < n; i++) x[i] = y[i]!;
        for (let i = 0; i < m; i++) driven[i] = y[n + i]!;
        if (y[n + m]! * MOST_GROWTH.refined < MOST_GROWTH.plain) forces.suited();
        else forces.missed(() => orderAt(t, q)); // another may need no refinement
        return;
      }
    }
    evaluate(t, q, u, tau, w);
    const { y } = general;
    for (let i = 0; i < nu; i++) b[i] = y[out.r + i]!;
    for (let i = 0; i < m; i++) {
      b[nu + i] = -y[out.bias + i]!;
      driven[i] = y[out.driven + i]!;
    }
    solve();
    forces.missed(order);
  };

  /**
   * f, ḟ and the changes that would make them zero, by the compiled order; undefined where it does not suit. Changes of speeds are those where
   * the coordinates are, or after their change.
   */
  const look = (t: number, q: Float64Array, u: Float64Array, speeds: "here" | "after" = "here"): Float64Array | undefined => {
    const kernel = redundant === 0 && !assembling ? changes.kernel : undefined;
    if (!kernel) return undefined;
    const { x: given, y } = kernel;
    given[0] = t;
    given.set(q, 1);
    given.set(u, 1 + nq);
    given[1 + nq + nu + m] = speeds === "here" ? 0 : 1;
    hold(given);
    kernel.evaluate();
    if (!suits(y, 2 * (m + nu) + m)) return undefined;
    changes.suited();
    return y;
  };

  /** f, then ḟ. */
  const residualsAt = (t: number, q: Float64Array, u: Float64Array): Float64Array => {
    const kernel = residuals();
    const { x: given, y } = kernel;
    given[0] = t;
    given.set(q, 1);
    given.set(u, 1 + nq);
    hold(given);
    kernel.evaluate();
    return y;
  };
  /** The largest residual, and whether its rate is rounding. */
  let kept = false;
  const misclosure = (t: number, q: Float64Array, u: Float64Array): number => {
    const y = residualsAt(t, q, u);
    kept = true;
    for (let i = m; i < 2 * m; i++) if (!(Math.abs(y[i]!) <= KEPT)) kept = false;
    return largest(y, m);
  };

  /** Looks at a state: the largest residual. The change of coordinates that closes the loops is then to be had by `closing`. */
  let seen: Float64Array | undefined;
  const inspect = (t: number, q: Float64Array, u: Float64Array, speeds?: "here" | "after"): number => {
    seen = look(t, q, u, speeds);
    if (!seen) {
      evaluate(t, q, u, none.tau, none.w);
      return misfit(out.f);
    }
    return largest(seen, m);
  };
  /** The change of coordinates ("f") or speeds ("rates") at the state last looked at, into x. */
  const closing = (what: "f" | "rates"): void => {
    if (seen) {
      const first = 2 * m + (what === "f" ? 0 : n);
      for (let i = 0; i < nu; i++) x[i] = seen[first + i]!;
      return;
    }
    misfit(out[what]);
    solve();
    if (!assembling) changes.missed(order);
  };
  /** Speeds nearest to u that keep the loops closed at the state last looked at. */
  const correctSpeeds = (u: Float64Array): void => {
    closing("rates");
    for (let i = 0; i < nu; i++) u[i]! += x[i]!;
  };

  return {
    rows: m,
    labels: rows.map(({ loop, label }) => ({ loop, label })),
    get redundant() {
      return redundant;
    },
    get elimination() {
      if (redundant > 0 || !forces.order) return undefined;
      if (elimination?.order !== forces.order) elimination = { pattern, order: forces.order };
      return elimination;
    },
    findOrder,
    suited: forces.suited,
    driven: isDriven,
    power(t, q, u, tau, w) {
      if (!isFound(t, q, u, tau, w)) force(t, q, u, tau, w);
      return found.power;
    },
    accelerations(t, q, u, tau, w, udot, lambda) {
      force(t, q, u, tau, w);
      for (let i = 0; i < nu; i++) udot[i] = x[i]!;
      for (let i = 0; i < m; i++) lambda[i] = x[nu + i]!;
    },
    impact(t, q, u, restitution) {
      evaluate(t, q, u, none.tau, none.w);
      const { y } = general;
      b.fill(0, 0, nu);
      for (const [i, { loop }] of rows.entries()) b[nu + i] = -(1 + (restitution?.get(loop) ?? 0)) * y[out.rates + i]!;
      solve();
      const impulses = x.slice(nu);
      let [dissipated, supplied] = [0, 0];
      for (let i = 0; i < m; i++) {
        dissipated -= 0.5 * impulses[i]! * (2 * y[out.rates + i]! + b[nu + i]!);
        supplied -= impulses[i]! * y[out.driven + i]!;
      }
      for (let i = 0; i < nu; i++) u[i]! += x[i]!;
      return { impulses, dissipated, supplied };
    },
    report(t, q) {
      evaluate(t, q, none.u, none.tau, none.w);
      return rankOf(pattern, values, nu, loopOfRow);
    },
    residual(t, q, u, f, fdot) {
      const y = residualsAt(t, q, u);
      for (let i = 0; i < m; i++) {
        f[i] = y[i]!;
        fdot[i] = y[m + i]!;
      }
    },
    move: advance,
    weakness(t, q, w, pull) {
      const kernel = changes.kernel;
      kernel?.x.set(w, 1 + nq + nu);
      const y = look(t, q, none.u);
      kernel?.x.fill(0, 1 + nq + nu, 1 + nq + nu + m);
      if (y)
        for (let i = 0; i < n; i++) pull[i] = y[2 * m + i]!; // f is rounding beside w
      else {
        evaluate(t, q, none.u, none.tau, none.w);
        b.fill(0, 0, nu);
        b.set(w, nu);
        solve();
        changes.missed(order);
        pull.set(x);
      }
      weights ??= weightsAt(t, q);
      for (let i = 0; i < m; i++) pull[nu + i]! += weights[i]! * w[i]!; // of M + Jᵀ W J, where masses alone do not measure a change
      let square = 0;
      for (let i = 0; i < m; i++) square += w[i]! * pull[nu + i]!;
      return 1 / Math.sqrt(Math.max(square, 0));
    },
    project(t, q, u, closed = CLOSED) {
      let before = Number.POSITIVE_INFINITY;
      normalise(q);
      for (let step = 0, worst = misclosure(t, q, u); ; step++) {
        if (worst <= closed && kept) return worst;
        if (worst <= closed || !(worst < 0.5 * before) || step === MOST_STEPS) {
          inspect(t, q, u); // closed, or at the level of rounding
          correctSpeeds(u);
          return Math.min(worst, before);
        }
        inspect(t, q, u, "after");
        if (seen) correctSpeeds(u);
        closing("f");
        const size = largest(x, nu);
        advance(q);
        before = worst;
        worst = misclosure(t, q, u);
        if (seen && size <= SMALL && worst <= closed) return worst;
      }
    },
    assemble(t, q, u) {
      const start = new Float64Array(nq);
      normalise(q);
      assembling = model.springs.length > 0;
      let worst = inspect(t, q, u);
      for (let step = 0; step < MOST_ASSEMBLY_STEPS && worst > CLOSED; step++) {
        start.set(q);
        closing("f");
        let better = Number.POSITIVE_INFINITY;
        for (let factor = 1; factor > SHORTEST && !(better < worst); factor /= 2) {
          q.set(start);
          advance(q, x, factor);
          better = inspect(t, q, u);
        }
        if (!(better < worst)) {
          q.set(start);
          inspect(t, q, u);
          break;
        }
        worst = better;
      }
      correctSpeeds(u);
      assembling = false;
      values.set(constants, program.outputs.matrix);
      return worst;
    },
  };
}

/** The largest magnitude among the first n. */
function largest(values: Float64Array, n: number): number {
  let worst = 0;
  for (let i = 0; i < n; i++) worst = Math.max(worst, Math.abs(values[i]!));
  return worst;
}

/**
 * Gauss-Legendre collocation with three stages, order 6, fixed step [HLW II.1.3]: symmetric, symplectic, and exact on quadratic
 * invariants, so that unit quaternions stay unit and `project` is not called.
 *
 * Over very many steps what remains is round-off, and it must not be systematic [Hairer, McLachlan, Razakarivony 2008]. So the
 * coefficients are not rounded one by one: with Delta = h (5 k1 + 8 k2 + 5 k3) / 18 and r = h sqrt(15) / 120 the stages are
 *
 *   Z1 = Delta/2 - 4 r (2 k2 + k3),   Z2 = Delta/2 + 5 r (k1 - k3),   Z3 = Delta/2 + 4 r (k1 + 2 k2)              (1)
 *
 * which is symplectic for any rounded r; the sum of the Deltas is compensated; and the fixed-point iteration goes on until what is
 * missing is below the rounding of y.
 */

import { stageHistory } from "./implicit/stage-history.ts";
import { type InitialValueProblem, type Integrator, type IntegratorOptions, StepError, type Stepper } from "./integrator.ts";
import { isFiniteVector, notFiniteError, requiredStep } from "./stepping/settings.ts";
import { createStepper, stepperState } from "./stepping/stepper.ts";
import { timeGrid } from "./stepping/time-grid.ts";

export const gauss6: Integrator = {
  name: "gauss6",
  about: "Gauss-Legendre collocation, order 6, fixed step, symplectic: energy error stays bounded over long coasting",
  order: 6,
  adaptive: false,
  start: startGauss6,
};

/** Half the distance of the outer nodes. */
const HALF_NODE_DISTANCE = Math.sqrt(15) / 10;
export const NODES: Float64Array = Float64Array.of(0.5 - HALF_NODE_DISTANCE, 0.5, 0.5 + HALF_NODE_DISTANCE);

/** Missing part of y, relative, at which the iteration has ended: so far below the rounding of y that it leaves no drift. */
const CONVERGED = Number.EPSILON / 100;
/** Changes below this that no longer shrink are round-off, not failure. */
const STALLED = 1e-10;
const MOST_ITERATIONS = 60;
/** How fast an amplitude is forgotten, per step. */
const AMPLITUDE_DECAY = 0.99;
/** Components smaller than this part of the largest are measured against it, so that round-off in them does not count. */
const SCALE_FLOOR = 1e-10;

function startGauss6(problem: InitialValueProblem, options: IntegratorOptions): Stepper {
  const name = "gauss6";
  const n = problem.size;
  const grid = timeGrid(name, requiredStep(name, options));
  const now = stepperState(problem);
  const history = stageHistory(NODES, n);
  const Z = [new Float64Array(n), new Float64Array(n), new Float64Array(n)] as const;
  const stage = new Float64Array(n);
  const amplitude = new Float64Array(n);
  const perScale = new Float64Array(n);
  const carry = new Float64Array(n);
  /** Contraction of the iteration; it falls slowly, since with complex eigenvalues single changes are small by chance. */
  let rate = 0.5;

  /** Stage derivatives to start from, by the past where there is one. */
  function guess(h: number): void {
    if (history.predict(h)) return;
    const [k1, k2, k3] = history.stages;
    now.f(now.t, now.y, k1!);
    if (!isFiniteVector(k1!)) throw notFiniteError(name, k1!, now.t);
    k2!.set(k1!);
    k3!.set(k1!);
  }

  /** The recent amplitude of each component, so that one passing zero is not measured against nothing. */
  function setScale(h: number): void {
    const { y } = now;
    const k2 = history.stages[1]!;
    let largest = 0;
    for (let i = 0; i < n; i++) {
      const size = Math.max(Math.abs(y[i]!) + Math.abs(h * k2[i]!), AMPLITUDE_DECAY * amplitude[i]!);
      amplitude[i] = size;
      if (size > largest) largest = size;
    }
    const floor = SCALE_FLOOR * largest + Number.MIN_VALUE / Number.EPSILON;
    for (let i = 0; i < n; i++) perScale[i] = 1 / (amplitude[i]! + floor);
  }

  /** (1); gives the largest change of a stage, in units of its scale. NaN if a derivative is not finite. */
  function updateStages(h: number): number {
    const k1 = history.stages[0]!;
    const k2 = history.stages[1]!;
    const k3 = history.stages[2]!;
    const [z1, z2, z3] = Z;
    const b = h / 36;
    const r = (h * Math.sqrt(15)) / 120;
    let change = 0;
    for (let i = 0; i < n; i++) {
      const half = b * (5 * (k1[i]! + k3[i]!) + 8 * k2[i]!);
      const a = half - 4 * r * (2 * k2[i]! + k3[i]!);
      const m = half + 5 * r * (k1[i]! - k3[i]!);
      const c = half + 4 * r * (k1[i]! + 2 * k2[i]!);
      const moved = Math.max(Math.abs(a - z1[i]!), Math.abs(m - z2[i]!), Math.abs(c - z3[i]!)) * perScale[i]!;
      if (!(moved <= change)) change = moved;
      z1[i] = a;
      z2[i] = m;
      z3[i] = c;
    }
    return change;
  }

  function evaluateStages(h: number): void {
    const { t, y } = now;
    for (let s = 0; s < 3; s++) {
      const z = Z[s]!;
      for (let i = 0; i < n; i++) stage[i] = y[i]! + z[i]!;
      now.f(t + NODES[s]! * h, stage, history.stages[s]!);
    }
  }

  function iterate(h: number): void {
    let before = Number.POSITIVE_INFINITY;
    let least = Number.POSITIVE_INFINITY;
    let stalls = 0;
    for (let k = 0; k < MOST_ITERATIONS; k++) {
      evaluateStages(h);
      const change = updateStages(h);
      if (Number.isNaN(change)) throw notFiniteError(name, history.stages.find((K) => !isFiniteVector(K)) ?? stage, now.t);
      if (k > 0 && change > CONVERGED) rate = Math.min(Math.max(change / before, rate / 2), 1);
      if (change * rate <= CONVERGED) return;
      stalls = change < least ? 0 : stalls + 1;
      if (stalls === 2 && change < STALLED) return;
      least = Math.min(least, change);
      before = change;
    }
    rate = 0.5;
    throw new StepError(`${name}: the iteration for the step ${h} at t = ${now.t} does not contract; reduce the step`, now.t);
  }

  /** other = y + Delta, with what rounding cut off carried to the next step. */
  function advance(h: number): void {
    const { y, other } = now;
    const k1 = history.stages[0]!;
    const k2 = history.stages[1]!;
    const k3 = history.stages[2]!;
    const b = h / 18;
    for (let i = 0; i < n; i++) {
      const a = b * (5 * (k1[i]! + k3[i]!) + 8 * k2[i]!) + carry[i]!;
      const sum = y[i]! + a;
      const kept = sum - y[i]!;
      carry[i] = y[i]! - (sum - kept) + (a - kept);
      other[i] = sum;
    }
  }

  return createStepper(name, problem, now, {
    restart(time) {
      carry.fill(0);
      amplitude.fill(0);
      rate = 0.5;
      grid.restart(time);
      history.forget();
    },
    step(end) {
      grid.plan(now.t, end);
      const h = grid.size;
      guess(h);
      setScale(h);
      updateStages(h);
      iterate(h);
      advance(h);
      history.keep(h);
      return grid.next;
    },
    interpolate(time, out) {
      const { t, previous, other } = now;
      const [k1, k2, k3] = history.kept;
      const h = t - previous;
      const x = (time - previous) / h - 0.5;
      const cubic = (x * x * x + 0.125) / 3;
      const square = (HALF_NODE_DISTANCE * (x * x - 0.25)) / 2;
      const b1 = (h * (cubic - square)) / (2 * HALF_NODE_DISTANCE * HALF_NODE_DISTANCE);
      const b2 = h * (x + 0.5 - cubic / (HALF_NODE_DISTANCE * HALF_NODE_DISTANCE));
      const b3 = (h * (cubic + square)) / (2 * HALF_NODE_DISTANCE * HALF_NODE_DISTANCE);
      for (let i = 0; i < n; i++) out[i] = other[i]! + (b1 * k1![i]! + b2 * k2![i]! + b3 * k3![i]!);
    },
  });
}

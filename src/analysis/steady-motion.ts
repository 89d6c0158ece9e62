/**
 * Steady motions without time integration: states in which some coordinates (the position along a road, the angles of wheels) grow at constant
 * rates and everything else is at rest. The equations of motion must not depend on these cyclic coordinates. A climbing road is level ground
 * under tilted gravity.
 *
 * Newton's method for u̇ = 0, ż = 0 and loops that are closed and stay closed: f = 0 and ḟ = J u + ∂f/∂t = 0. Unknowns: the other coordinates, the speeds of the cyclic ones, and the internal states
 * of force elements. All other speeds are zero.
 */

import { checkNames, checkOptions, checkPositive } from "../arguments.ts";
import { didYouMean } from "../declare/names.ts";
import { coordinateRates } from "../dynamics/programs.ts";
import { DivergenceError, ModelError } from "../errors.ts";
import { compile } from "../kernel/run/kernel.ts";
import { hypotenuse } from "../math/elementary/hypotenuse.ts";
import { pivotedQR } from "../math/linear/pivoted-qr.ts";
import { coordinateNames, quaternionStarts } from "../model/model.ts";
import type { State } from "../sim/state.ts";
import { inWorkspace, type System } from "../sim/system/system.ts";
import type { Workspace } from "../sim/system/workspace.ts";

export interface SteadyMotion {
  readonly state: State;
  /** Largest of the rates that should vanish, at the solution. */
  readonly residual: number;
  readonly iterations: number;
}

export interface SteadyOptions {
  /** Speeds, named as in u, that may be constant instead of zero, e.g. "base.vx", "wheel-fl". */
  readonly cyclic: readonly string[];
  readonly tolerance?: number;
}

const MOST_STEPS = 60;
/** Step of difference quotients, relative to a change of about one. */
const STEP = 1e-6;
/** Directions with a smaller relative effect are not changed, such as the heading on level ground. */
const NEUTRAL = 1e-9;

/** The steady motion nearest to a state, with its inputs. @throws DivergenceError if none is found from there. */
export const steadyMotion = (system: System, state: State, options: SteadyOptions): SteadyMotion =>
  inWorkspace(system, state, (workspace) => {
    checkOptions("options", options, ["cyclic", "tolerance"]);
    checkNames("options.cyclic", options.cyclic, "names of speeds");
    if (options.tolerance !== undefined) checkPositive("options.tolerance", options.tolerance);
    const { y, ...result } = solveSteadyMotion(workspace, state, options);
    return { state: { ...state, y }, ...result };
  });

function solveSteadyMotion(
  workspace: Workspace,
  { t, y: y0 }: State,
  { cyclic, tolerance = 1e-10 }: SteadyOptions,
): Omit<SteadyMotion, "state"> & { readonly y: Float64Array } {
  const { layout, model, closed } = workspace;
  const { nq, nu, nz } = layout;
  const names = coordinateNames(model).u;
  const cyclicSpeeds = new Set(
    cyclic.map((name) => {
      const index = names.indexOf(name);
      if (index >= 0) return index;
      throw new ModelError(model.name, [
        { path: "cyclic", message: `no speed named "${name}"`, advice: didYouMean(name, names) },
      ]);
    }),
  );
  const rates = compile(coordinateRates(model));
  const quaternions = quaternionStarts(model);
  const rows = nu + nz + 2 * (closed?.rows ?? 0);
  const columns = nu + nz;
  const ydot = new Float64Array(layout.ny);
  const loops = { f: new Float64Array(closed?.rows ?? 0), rates: new Float64Array(closed?.rows ?? 0) };

  const residual = (y: Float64Array, out: Float64Array): void => {
    workspace.problem.derivative(t, y, ydot);
    for (let i = 0; i < nu + nz; i++) out[i] = ydot[nq + i]!;
    if (!closed) return;
    closed.residual(t, y.slice(0, nq), y.slice(nq, nq + nu), loops.f, loops.rates);
    out.set(loops.f, nu + nz);
    out.set(loops.rates, nu + nz + loops.f.length);
  };
  /** y changed by a step of the unknowns: coordinates along their speeds, cyclic speeds, internal states. */
  const movedState = (y: Float64Array, step: Float64Array): Float64Array => {
    const to = Float64Array.from(y);
    const { x, y: qdot } = rates;
    x.set(y.subarray(0, nq));
    for (let i = 0; i < nu; i++) x[nq + i] = cyclicSpeeds.has(i) ? 0 : step[i]!;
    rates.evaluate();
    for (let i = 0; i < nq; i++) to[i]! += qdot[i]!;
    for (let i = 0; i < nu + nz; i++) if (i >= nu || cyclicSpeeds.has(i)) to[nq + i]! += step[i]!;
    normalise(to, quaternions);
    return to;
  };

  let y: Float64Array = Float64Array.from(y0);
  for (let i = 0; i < nu; i++) if (!cyclicSpeeds.has(i)) y[nq + i] = 0;
  const present = new Float64Array(rows);
  const [ahead, behind] = [new Float64Array(rows), new Float64Array(rows)];
  const A = new Float64Array(rows * columns);
  const step = new Float64Array(columns);
  const qr = pivotedQR(rows, columns);
  residual(y, present);
  for (let iterations = 0; ; iterations++) {
    const size = largest(present);
    if (size < tolerance) return { y, residual: size, iterations };
    if (iterations >= MOST_STEPS || !Number.isFinite(size))
      throw new DivergenceError(
        `${model.name}: no steady motion found from this state after ${iterations} steps: rates of ${size.toExponential(2)} are left. ` +
          "Start nearer to it, or name other cyclic speeds",
      );
    for (let k = 0; k < columns; k++) {
      step.fill(0);
      step[k] = STEP;
      residual(movedState(y, step), ahead);
      step[k] = -STEP;
      residual(movedState(y, step), behind);
      for (let i = 0; i < rows; i++) A[k * rows + i] = (ahead[i]! - behind[i]!) / (2 * STEP);
    }
    qr.factor(A, NEUTRAL);
    const b = present.map((v) => -v);
    qr.applyQTransposed(b);
    step.fill(0);
    qr.solve(b, step);
    // Halve the step until the residual decreases.
    let factor = 1;
    for (; factor > 1e-4; factor /= 2) {
      const trial = movedState(
        y,
        step.map((v) => v * factor),
      );
      residual(trial, ahead);
      if (!(largest(ahead) < size) && factor > 1e-3) continue;
      y = trial;
      present.set(ahead);
      break;
    }
  }
}

const largest = (v: Float64Array): number =>
  v.reduce((worst, x) => (Number.isNaN(x) ? Number.NaN : Math.max(worst, Math.abs(x))), 0);

/** Normalises quaternions only: positions may leave the loops during Newton's method. */
function normalise(y: Float64Array, starts: readonly number[]): void {
  for (const first of starts) {
    const n = hypotenuse(y[first]!, y[first + 1]!, y[first + 2]!, y[first + 3]!);
    for (let k = 0; k < 4; k++) y[first + k]! /= n;
  }
}

/**
 * A model whose loops are solved by sequential partitioning. The choice of dependents is kept from one state to the next, and made again
 * only if it has become ill conditioned. A new choice changes the bookkeeping, never the motion.
 */

import { SingularError } from "../../errors.ts";
import type { Target } from "../../kernel/run/kernel.ts";
import { coordinateNames, type Model } from "../../model/model.ts";
import { RANK_TOLERANCE } from "./choose-dependents.ts";
import { PartitionEvaluation } from "./partition-evaluation.ts";
import type { Reduction } from "./reduction.ts";
import { ReductionChooser } from "./reduction-chooser.ts";

export interface PartitionedLoops {
  /** Loop and direction of each equation. */
  readonly rows: readonly { readonly loop: string; readonly label: string }[];
  /** u̇ at a state that satisfies the loops. */
  accelerations(t: number, q: Float64Array, u: Float64Array, tau: Float64Array, w: Float64Array, udot: Float64Array): void;
  /** Multipliers of the last accelerations; signs as in model/loop.ts. */
  multipliers(lambda: Float64Array): void;
  /** f, then ḟ. */
  loopErrors(t: number, q: Float64Array, u: Float64Array, out: Float64Array): void;
  /** Rank of the equations at a position, determined again, and the combinations of multipliers that are not determined. */
  rankAt(t: number, q: Float64Array): { readonly rank: number; readonly dependencies: readonly Float64Array[] };
  /** The change of u by impulses: tau and w integrated over a shock at q. */
  speedJump(t: number, q: Float64Array, tau: Float64Array, w: Float64Array, du: Float64Array): void;
  /** Computes the dependent speeds from the independent ones, in place. */
  completeSpeeds(t: number, q: Float64Array, u: Float64Array): void;
  /** The smallest step of the dependents, in speeds, that closes the loops to first order. Returns the largest residual before the step. */
  closingStep(t: number, q: Float64Array, step: Float64Array): number;
  /** Discards the choice: the next state chooses again. */
  discardChoice(): void;
  /** Choices made at earlier states as plain data that structuredClone accepts, a fresh copy. */
  save(): unknown;
  /**
   * Takes over saved choices: what follows has the same bits as what followed the save. `multipliers` needs new accelerations first.
   * @throws FormatError if they do not fit.
   */
  restore(saved: unknown, path?: string): void;
  /** The present choice, for reports and tests; undefined before the first state. */
  readonly current: (Reduction & { readonly growth: number; readonly switches: number }) | undefined;
}

export interface PartitionOptions {
  /** Frames at which external wrenches act. */
  readonly wrenches?: readonly string[];
  readonly target?: Target;
  /** As in DeriveOptions. */
  readonly engagedParameters?: Float64Array;
  /** Speeds that should stay independent if possible. */
  readonly independents?: readonly number[];
  /** "never": the dependents of the first state are kept in any case. */
  readonly rechoose?: "where needed" | "never";
  /** Replaces SWITCH_GROWTH. */
  readonly switchGrowth?: number;
}

/** Maximum inconsistency of a dropped equation, relative to the largest bias. */
const MAX_INCONSISTENCY = 1e-4;

/** Rounding of the bias of scaled equations, relative to the square of the largest speed. It is a sum of such products, which may cancel. */
const BIAS_ROUNDING = 1e-10;
/** A bias below this, per s², is none. The speeds of a machine that cannot move are rounding, up to 1e-12. */
const NO_ACCELERATION = 1e-20;

export function partitionedLoops(model: Model, options: PartitionOptions = {}): PartitionedLoops {
  const values = new PartitionEvaluation(model, options);
  const chooser = new ReductionChooser(model, values, options);
  const { structure, m } = values;
  const { nu } = model;
  const b = new Float64Array(nu);
  const g = new Float64Array(m);
  const x = new Float64Array(nu);
  const atRest = new Float64Array(nu);

  /** Solves for x with the present b and g, at speeds u. */
  const solve = (t: number, u: Float64Array): void => {
    const isFirst = chooser.current === undefined;
    const reduction = chooser.close(t, g);
    if (isFirst) checkConsistent(model, values, reduction, t, u);
    const singularSpeed = reduction.solve(values.A, b, x);
    if (singularSpeed >= 0) {
      const name = coordinateNames(model).u[singularSpeed]!;
      throw new SingularError(`${model.name}: the equations of motion are singular in ${name} at t = ${t}: it has no inertia`);
    }
  };

  return {
    rows: structure.rows,
    discardChoice: () => chooser.discard(),
    save: () => chooser.save(),
    restore: (saved, path = "loops") => chooser.restore(saved, path),
    get current() {
      const { current, growth, switches } = chooser;
      return (
        current && {
          ...current,
          inconsistency: current.inconsistency,
          orientation: current.orientation,
          growth,
          switches,
        }
      );
    },
    accelerations(t, q, u, tau, w, udot) {
      values.evaluate(t, q, u, tau, w);
      values.copy("bias", g);
      values.copy("b", b);
      solve(t, u);
      udot.set(x);
    },
    multipliers(lambda) {
      chooser.current?.multipliers(x, lambda);
    },
    loopErrors(t, q, u, error) {
      values.evaluate(t, q, u);
      for (let i = 0; i < m; i++) {
        error[i] = values.valueOf("f", i);
        error[m + i] = values.valueOf("rates", i);
      }
    },
    rankAt(t, q) {
      values.evaluate(t, q);
      values.copy("bias", g);
      const reduction = chooser.choose(t);
      reduction.close(values.J, g);
      return { rank: reduction.choice.rank, dependencies: reduction.dependencies() };
    },
    speedJump(t, q, tau, w, du) {
      values.evaluate(t, q);
      values.copy("b", b);
      for (let i = 0; i < nu; i++) du[i] = b[i]!;
      values.evaluate(t, q, undefined, tau, w);
      for (let i = 0; i < nu; i++) b[i] = values.valueOf("b", i) - du[i]!;
      g.fill(0);
      solve(t, atRest);
      du.set(x);
    },
    completeSpeeds(t, q, u) {
      values.evaluate(t, q);
      values.copy("rates", g);
      chooser.close(t, g).forward(u);
    },
    closingStep(t, q, step) {
      values.evaluate(t, q);
      values.copy("f", g);
      step.fill(0);
      chooser.close(t, g).forward(step);
      return g.reduce((worst, f) => Math.max(worst, Math.abs(f)), 0);
    },
  };
}

/** Throws if, at a state that satisfies the loops, equations dropped as redundant are violated. */
function checkConsistent(
  model: Model,
  values: PartitionEvaluation,
  { choice, scales, inconsistency }: Reduction,
  t: number,
  u: Float64Array,
): void {
  const { m } = values;
  let [error, bias] = [0, 0];
  for (let i = 0; i < m; i++) {
    error = Math.max(error, Math.abs(values.valueOf("f", i)), Math.abs(values.valueOf("rates", i)));
    bias = Math.max(bias, scales.rowScale[i]! * Math.abs(values.valueOf("bias", i)));
  }
  const fastest = u.reduce((most, v) => Math.max(most, Math.abs(v)), 0);
  const rounding = BIAS_ROUNDING * fastest * fastest + NO_ACCELERATION;
  if (error > RANK_TOLERANCE || inconsistency <= MAX_INCONSISTENCY * bias + rounding) return;
  throw new SingularError(
    `${model.name}: at t = ${t} the ${m} equations of the loops have rank ${choice.rank} and contradict each other: a singular position`,
  );
}

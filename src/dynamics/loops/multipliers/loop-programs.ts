/** The traced programs of a model with loops (see closed-loops.ts): the system itself, and its solutions by elimination in one pivot order. */

import { cachedPerOwner } from "../../../kernel/run/program-cache.ts";
import { directionalDerivative } from "../../../kernel/trace/differentiate.ts";
import { trace } from "../../../kernel/trace/program.ts";
import { abs, add, div, isNumber, max, mul, neg, type Scalar, sqrt, square, sub, sum } from "../../../kernel/trace/scalar.ts";
import type { SparsePattern } from "../../../math/linear/markowitz.ts";
import type { SymmetricOrder } from "../../../math/linear/symmetric-order.ts";
import { engagedParameterTotal, withEngagedParameters } from "../../../model/loops/engaged-loop-parameters.ts";
import { type Frame, type Model, quaternionStarts } from "../../../model/model.ts";
import { apply } from "../../../spatial/rotation.ts";
import { sumByIndex, wrenchesOnLinks } from "../../tree/external-wrenches.ts";
import { coordinateRates } from "../../tree/kinematics.ts";
import { type LinkTree, linkTreeOf } from "../../tree/link-tree.ts";
import { massMatrix } from "../../tree/mass-matrix.ts";
import { inverseDynamics } from "../../tree/newton-euler.ts";
import { type ConstraintRow, loopConstraints } from "../rows/constraint-rows.ts";
import { MAX_GROWTH } from "./pivot-order-cache.ts";
import { tracedLDL } from "./traced-ldl.ts";

/** An entry of the system's matrix. */
interface MatrixEntry {
  readonly row: number;
  readonly column: number;
  readonly value: Scalar;
}

/** Entries of M, J and -Jᵀ in the system's matrix. */
function systemEntries(nu: number, M: readonly (readonly Scalar[])[], rows: readonly ConstraintRow[]): MatrixEntry[] {
  const entries: MatrixEntry[] = [];
  for (const [i, row] of M.entries())
    for (const [j, value] of row.entries()) if (value !== 0) entries.push({ row: i, column: j, value });
  for (const [k, { J }] of rows.entries()) {
    for (const { u: j, value } of J) {
      entries.push({ row: nu + k, column: j, value });
      entries.push({ row: j, column: nu + k, value: neg(value) });
    }
  }
  return entries;
}

/** The entries in the order of the pattern: variable values first, in the order of the kernel's outputs, then constants. */
const variableFirst = (entries: readonly MatrixEntry[]): MatrixEntry[] => [
  ...entries.filter((p) => !isNumber(p.value)),
  ...entries.filter((p) => isNumber(p.value)),
];

type LoopSystemInputs = Readonly<Record<"q" | "u" | "tau" | "w", readonly Scalar[]>>;

/** r = τ minus the bias force (the force for u̇ = 0). */
function freeForces(model: Model, tree: LinkTree, frames: readonly Frame[], { q, u, tau, w }: LoopSystemInputs): Scalar[] {
  const onLinks = wrenchesOnLinks(tree, frames, q, w).map(({ link, force }) => [link, force] as const);
  const zeroAcceleration = new Array<Scalar>(model.nu).fill(0);
  const biasForce = inverseDynamics(tree, q, u, zeroAcceleration, sumByIndex(tree.links.length, onLinks));
  return tau.map((v, i) => sub(v, biasForce[i]!));
}

const systemInputSizes = (model: Model, frames: readonly Frame[]) => ({
  t: 1,
  q: model.nq,
  u: model.nu,
  tau: model.nu,
  w: 6 * frames.length,
  found: engagedParameterTotal(model),
});

const stateInputSizes = (model: Model) => ({ t: 1, q: model.nq, u: model.nu, found: engagedParameterTotal(model) });

/**
 * The traced system: the variable values of its matrix, right-hand sides and residuals, all with rows in their shortest axes; and the
 * rotations of the rows in `rotated` to their own axes (see constraint-rows.ts).
 */
export const systemProgram = (model: Model, frames: readonly Frame[]) =>
  cachedPerOwner(model, `closed loops ${namesOf(frames)}`, () => tracedSystem(model, frames));

const namesOf = (frames: readonly Frame[]): string => frames.map((f) => f.name).join(" ");

function tracedSystem(model: Model, frames: readonly Frame[]) {
  let entries: readonly MatrixEntry[] = [];
  let rows: readonly ConstraintRow[] = [];
  let rotated: readonly (readonly number[])[] = [];
  const program = trace(`${model.name} closed loops`, systemInputSizes(model, frames), (given) => {
    const tree = linkTreeOf(model);
    const loops = loopConstraints(
      withEngagedParameters<Scalar>(model, given.found),
      tree,
      given.t[0]!,
      given.q,
      given.u,
      "shortest",
    );
    rows = loops.rows;
    rotated = loops.rotated.map((t) => t.rows);
    entries = variableFirst(systemEntries(model.nu, massMatrix(tree, given.q), rows));
    return {
      matrix: entries.filter((p) => !isNumber(p.value)).map((p) => p.value),
      r: freeForces(model, tree, frames, given),
      f: rows.map((r) => r.residual),
      driven: loops.timePartials,
      rates: loops.rates,
      bias: loops.bias,
      turns: loops.rotated.flatMap(({ R }) => R.flat()),
    };
  });
  const pattern: SparsePattern = {
    n: model.nu + rows.length,
    rows: Int32Array.from(entries, (p) => p.row),
    columns: Int32Array.from(entries, (p) => p.column),
  };
  const constants = entries.flatMap((p) => (isNumber(p.value) ? [p.value] : []));
  return { program, pattern, constants, rows, rotated };
}

/** An elimination of the system in one pivot order. */
export interface Elimination {
  readonly pattern: SparsePattern;
  readonly order: SymmetricOrder;
}

/** Cache key: distinguishes the pivot orders of one model. */
export const eliminationKey = ({ order: { pivots, values, scale } }: Elimination): string =>
  `${pivots.join(" ")} ${values} ${scale}`;

/**
 * L D Lᵀ factors of the system. With -λ in place of λ it is symmetric: [M Jᵀ; J 0]. `growth` is compared with a limit (see
 * pivot-order-cache.ts).
 */
function tracedFactors(
  { pattern, order }: Elimination,
  nu: number,
  M: readonly (readonly Scalar[])[],
  rows: readonly ConstraintRow[],
) {
  const entries = variableFirst(systemEntries(nu, M, rows));
  return tracedLDL(
    order,
    pattern,
    entries.map((p) => p.value),
  );
}

/** u̇, λ in the loops' own axes, ∂f/∂t, and `order`, which is below 1 if the pivot order is suitable. */
export function tracedAccelerations(
  model: Model,
  frames: readonly Frame[],
  elimination: Elimination,
  given: LoopSystemInputs & Readonly<Record<"t" | "found", readonly Scalar[]>>,
  accuracy: "plain" | "refined" = "refined",
) {
  const tree = linkTreeOf(model);
  const loops = loopConstraints(
    withEngagedParameters<Scalar>(model, given.found),
    tree,
    given.t[0]!,
    given.q,
    given.u,
    "shortest",
  );
  const { rows, rotated, timePartials: driven, bias } = loops;
  const factors = tracedFactors(elimination, model.nu, massMatrix(tree, given.q), rows);
  const b = [...freeForces(model, tree, frames, given), ...bias.map(neg)];
  const x = accuracy === "refined" ? factors.solve(b) : factors.substitute(b);
  const lambda = x.slice(model.nu).map(neg);
  for (const {
    rows: [i, j, k],
    R,
  } of rotated)
    [lambda[i!], lambda[j!], lambda[k!]] = apply(R, [lambda[i!]!, lambda[j!]!, lambda[k!]!]);
  return {
    x: [...x.slice(0, model.nu), ...lambda],
    driven,
    order: [mul(1 / MAX_GROWTH[accuracy], factors.growth)],
  };
}

/** `tracedAccelerations` as a program. */
export const accelerationProgram = (model: Model, frames: readonly Frame[], elimination: Elimination) =>
  cachedPerOwner(model, `accelerations ${namesOf(frames)} ${eliminationKey(elimination)}`, () =>
    trace(`${model.name} closed loops, accelerations`, systemInputSizes(model, frames), (given) =>
      tracedAccelerations(model, frames, elimination, given),
    ),
  );

/**
 * The corrections that close the loops: `u` + Δu, where Δu makes ḟ zero for the present coordinates (follow = 0) or, to second order, for the
 * corrected ones (follow = 1); with follow = 1 also the corrected `q` with unit quaternions, and `largest`, the largest change of a coordinate
 * in the space of speeds. `worst` is the largest f before the correction. `pull` is J⁺ w and (J M⁻¹ Jᵀ)⁻¹ w for a w that leads to the weakest
 * equation. `order` is below 1 if the pivot order is suitable. Corrections are iterated, so none is refined.
 */
export const correctionProgram = (model: Model, elimination: Elimination) =>
  cachedPerOwner(model, `changes ${eliminationKey(elimination)}`, () => tracedCorrection(model, elimination));

function tracedCorrection(model: Model, elimination: Elimination) {
  const { found, ...state } = stateInputSizes(model);
  const inputs = { ...state, w: elimination.pattern.n - model.nu, follow: 1, found };
  return trace(`${model.name} closed loops, changes`, inputs, ({ t, q, u, w, follow, found }) => {
    const tree = linkTreeOf(model);
    const engaged = withEngagedParameters<Scalar>(model, found);
    const { rows, rates } = loopConstraints(engaged, tree, t[0]!, q, u, "shortest");
    const factors = tracedFactors(elimination, model.nu, massMatrix(tree, q), rows);
    const zeroForce = new Array<Scalar>(model.nu).fill(0);
    const solveRows = (b: readonly Scalar[]): Scalar[] => factors.substitute([...zeroForce, ...b]);
    const step = solveRows(rows.map((r) => neg(r.residual)))
      .slice(0, model.nu)
      .map((v) => mul(follow[0]!, v));
    const coordinateStep = coordinateRates(model, q, step);
    const rateChange = directionalDerivative(rates, q, coordinateStep);
    const du = solveRows(rates.map((v, i) => neg(add(v, rateChange[i]!))));
    return {
      q: withUnitQuaternions(
        model,
        q.map((v, i) => add(v, coordinateStep[i]!)),
      ),
      u: u.map((v, i) => add(v, du[i]!)),
      largest: [largest(step)],
      worst: [largest(loopConstraints(engaged, tree, t[0]!, q, u).rows.map((r) => r.residual))],
      pull: solveRows(w).map((v, i) => (i < model.nu ? v : neg(v))),
      order: [mul(1 / MAX_GROWTH.refined, factors.growth)],
    };
  });
}

/** Coordinates with quaternions of length 1. */
function withUnitQuaternions(model: Model, q: readonly Scalar[]): Scalar[] {
  const normalised = [...q];
  for (const k of quaternionStarts(model)) {
    const parts = q.slice(k, k + 4);
    const size = div(1, sqrt(sum(parts.map(square))));
    for (const [i, v] of parts.entries()) normalised[k + i] = mul(v, size);
  }
  return normalised;
}

/** The largest magnitude, found by halves: in a chain each comparison would wait for the one before. */
function largest(values: readonly Scalar[]): Scalar {
  if (values.length === 0) return 0;
  if (values.length === 1) return abs(values[0]!);
  const half = values.length >> 1;
  return max(largest(values.slice(0, half)), largest(values.slice(half)));
}

/** f, ḟ, and the largest magnitude of each */
export const residualProgram = (model: Model) =>
  cachedPerOwner(model, "residuals", () =>
    trace(`${model.name} loop residuals`, stateInputSizes(model), ({ t, q, u, found }) => {
      const { rows, rates } = loopConstraints(withEngagedParameters<Scalar>(model, found), linkTreeOf(model), t[0]!, q, u);
      const f = rows.map((r) => r.residual);
      return { f, rates, worst: [largest(f), largest(rates)] };
    }),
  );

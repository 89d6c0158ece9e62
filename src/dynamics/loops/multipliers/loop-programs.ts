/**
 * The traced programs of a machine with loops (see closed-loops.ts): the system as it is, and for one pivot order its solutions, elimination
 * and all.
 */

import { cachedPerOwner } from "../../../kernel/run/program-cache.ts";
import { directionalDerivative } from "../../../kernel/trace/differentiate.ts";
import { trace } from "../../../kernel/trace/program.ts";
import { add, isNumber, mul, neg, type Scalar, sub } from "../../../kernel/trace/scalar.ts";
import type { SparsePattern } from "../../../math/linear/markowitz.ts";
import type { SymmetricOrder } from "../../../math/linear/symmetric-order.ts";
import { engagedParameterTotal, withEngagedParameters } from "../../../model/loops/engaged-loop-parameters.ts";
import type { Frame, Model } from "../../../model/model.ts";
import { apply } from "../../../spatial/rotation.ts";
import { sumByIndex, wrenchesOnLinks } from "../../tree/external-wrenches.ts";
import { coordinateRates } from "../../tree/kinematics.ts";
import { type LinkTree, linkTreeOf } from "../../tree/link-tree.ts";
import { massMatrix } from "../../tree/mass-matrix.ts";
import { inverseDynamics } from "../../tree/newton-euler.ts";
import { type ConstraintRow, loopConstraints } from "../rows/constraint-rows.ts";
import { MAX_GROWTH } from "./pivot-order-cache.ts";
import { tracedLDL } from "./traced-ldl.ts";

/** A value of the system's matrix at its place. */
interface MatrixEntry {
  readonly row: number;
  readonly column: number;
  readonly value: Scalar;
}

/** M, J and -Jᵀ at their places. */
function systemEntries(nu: number, M: readonly (readonly Scalar[])[], rows: readonly ConstraintRow[]): MatrixEntry[] {
  const places: MatrixEntry[] = [];
  for (const [i, row] of M.entries())
    for (const [j, value] of row.entries()) if (value !== 0) places.push({ row: i, column: j, value });
  for (const [k, { J }] of rows.entries()) {
    for (const { u: j, value } of J) {
      places.push({ row: nu + k, column: j, value });
      places.push({ row: j, column: nu + k, value: neg(value) });
    }
  }
  return places;
}

/** In the order of the pattern: values that vary first, as the kernel gives them; the constant ones behind them. */
const variableFirst = (places: readonly MatrixEntry[]): MatrixEntry[] => [
  ...places.filter((p) => !isNumber(p.value)),
  ...places.filter((p) => isNumber(p.value)),
];

type LoopSystemInputs = Readonly<Record<"q" | "u" | "tau" | "w", readonly Scalar[]>>;

/** τ less what the motion needs at u̇ = 0. */
function freeForces(model: Model, machine: LinkTree, frames: readonly Frame[], { q, u, tau, w }: LoopSystemInputs): Scalar[] {
  const onLinks = wrenchesOnLinks(machine, frames, q, w).map(({ link, force }) => [link, force] as const);
  const still = new Array<Scalar>(model.nu).fill(0);
  const needed = inverseDynamics(machine, q, u, still, sumByIndex(machine.links.length, onLinks));
  return tau.map((v, i) => sub(v, needed[i]!));
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
 * The traced system: values of its matrix that vary, right-hand sides, residuals, all of these with rows in their shortest axes; and what turns
 * those of `turned` to their own (see constraint-rows.ts).
 */
export const systemProgram = (model: Model, frames: readonly Frame[]) =>
  cachedPerOwner(model, `closed loops ${namesOf(frames)}`, () => tracedSystem(model, frames));

const namesOf = (frames: readonly Frame[]): string => frames.map((f) => f.name).join(" ");

function tracedSystem(model: Model, frames: readonly Frame[]) {
  let places: readonly MatrixEntry[] = [];
  let rows: readonly ConstraintRow[] = [];
  let turned: readonly (readonly number[])[] = [];
  const program = trace(`${model.name} closed loops`, systemInputSizes(model, frames), (given) => {
    const machine = linkTreeOf(model);
    const loops = loopConstraints(
      withEngagedParameters<Scalar>(model, given.found),
      machine,
      given.t[0]!,
      given.q,
      given.u,
      "shortest",
    );
    rows = loops.rows;
    turned = loops.rotated.map((t) => t.rows);
    places = variableFirst(systemEntries(model.nu, massMatrix(machine, given.q), rows));
    return {
      matrix: places.filter((p) => !isNumber(p.value)).map((p) => p.value),
      r: freeForces(model, machine, frames, given),
      f: rows.map((r) => r.residual),
      driven: loops.timePartials,
      rates: loops.rates,
      bias: loops.bias,
      turns: loops.rotated.flatMap(({ R }) => R.flat()),
    };
  });
  const pattern: SparsePattern = {
    n: model.nu + rows.length,
    rows: Int32Array.from(places, (p) => p.row),
    columns: Int32Array.from(places, (p) => p.column),
  };
  const constants = places.flatMap((p) => (isNumber(p.value) ? [p.value] : []));
  return { program, pattern, constants, rows, turned };
}

/** How the system is eliminated: in one order of pivots. */
export interface Elimination {
  readonly pattern: SparsePattern;
  readonly order: SymmetricOrder;
}

/** Tells an order from all others of a model: what was eliminated follows from it. */
export const eliminationKey = ({ order: { pivots, values, scale } }: Elimination): string =>
  `${pivots.join(" ")} ${values} ${scale}`;

/**
 * The system with -λ in place of λ is symmetric: [M Jᵀ; J 0]. Its factors, and how far its pivot order is from not suiting: below 1 it suits
 * (see pivot-order-cache.ts).
 */
function tracedFactors(
  { pattern, order }: Elimination,
  nu: number,
  M: readonly (readonly Scalar[])[],
  rows: readonly ConstraintRow[],
) {
  const places = variableFirst(systemEntries(nu, M, rows));
  return tracedLDL(
    order,
    pattern,
    places.map((p) => p.value),
  );
}

/** u̇ and λ, this one in its own axes, ∂f/∂t, and whether the pivot order suits. */
export function tracedAccelerations(
  model: Model,
  frames: readonly Frame[],
  elimination: Elimination,
  given: LoopSystemInputs & Readonly<Record<"t" | "found", readonly Scalar[]>>,
  accuracy: "plain" | "refined" = "refined",
) {
  const machine = linkTreeOf(model);
  const loops = loopConstraints(
    withEngagedParameters<Scalar>(model, given.found),
    machine,
    given.t[0]!,
    given.q,
    given.u,
    "shortest",
  );
  const { rows, rotated: turned, timePartials: driven, bias } = loops;
  const factors = tracedFactors(elimination, model.nu, massMatrix(machine, given.q), rows);
  const b = [...freeForces(model, machine, frames, given), ...bias.map(neg)];
  const x = accuracy === "refined" ? factors.solve(b) : factors.substitute(b);
  const lambda = x.slice(model.nu).map(neg);
  for (const {
    rows: [i, j, k],
    R,
  } of turned)
    [lambda[i!], lambda[j!], lambda[k!]] = apply(R, [lambda[i!]!, lambda[j!]!, lambda[k!]!]);
  return {
    x: [...x.slice(0, model.nu), ...lambda],
    driven,
    order: [mul(1 / MAX_GROWTH[accuracy], factors.growth)],
  };
}

/** `eliminated` as a program. */
export const accelerationProgram = (model: Model, frames: readonly Frame[], elimination: Elimination) =>
  cachedPerOwner(model, `accelerations ${namesOf(frames)} ${eliminationKey(elimination)}`, () =>
    trace(`${model.name} closed loops, accelerations`, systemInputSizes(model, frames), (given) =>
      tracedAccelerations(model, frames, elimination, given),
    ),
  );

/**
 * f and ḟ; the change of coordinates that makes f zero; for w, by which the weakest equation is known, J⁺ w and (J M⁻¹ Jᵀ)⁻¹ w; the change of
 * speeds that makes ḟ zero, where the coordinates stay (follow = 0) or after their change (follow = 1), to second order in it; and whether
 * the pivot order suits. Changes are found anew until they are small: none is refined.
 */
export const correctionProgram = (model: Model, elimination: Elimination) =>
  cachedPerOwner(model, `changes ${eliminationKey(elimination)}`, () => tracedCorrection(model, elimination));

function tracedCorrection(model: Model, elimination: Elimination) {
  const { found, ...state } = stateInputSizes(model);
  const inputs = { ...state, w: elimination.pattern.n - model.nu, follow: 1, found };
  return trace(`${model.name} closed loops, changes`, inputs, ({ t, q, u, w, follow, found }) => {
    const machine = linkTreeOf(model);
    const { rows, rates } = loopConstraints(withEngagedParameters<Scalar>(model, found), machine, t[0]!, q, u, "shortest");
    const factors = tracedFactors(elimination, model.nu, massMatrix(machine, q), rows);
    const still = new Array<Scalar>(model.nu).fill(0);
    const solved = (b: readonly Scalar[]): Scalar[] => factors.substitute([...still, ...b]);
    const f = rows.map((r) => r.residual);
    const step = solved(f.map(neg)).slice(0, model.nu);
    const followed = coordinateRates(
      model,
      q,
      step.map((v) => mul(follow[0]!, v)),
    );
    const change = directionalDerivative(rates, q, followed);
    return {
      f,
      rates,
      step,
      pull: solved(w).map((v, i) => (i < model.nu ? v : neg(v))),
      du: solved(rates.map((v, i) => neg(add(v, change[i]!)))).slice(0, model.nu),
      order: [mul(1 / MAX_GROWTH.refined, factors.growth)],
    };
  });
}

/** f and ḟ */
export const residualProgram = (model: Model) =>
  cachedPerOwner(model, "residuals", () =>
    trace(`${model.name} loop residuals`, stateInputSizes(model), ({ t, q, u, found }) => {
      const { rows, rates } = loopConstraints(withEngagedParameters<Scalar>(model, found), linkTreeOf(model), t[0]!, q, u);
      return { f: rows.map((r) => r.residual), rates };
    }),
  );

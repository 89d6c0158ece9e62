/**
 * Residual of the equations of motion, and its derivatives along directions. With λ the multipliers of loops,
 *
 *   r(q, u, u̇, z, λ) = M(q) u̇ + c(q, u) - τ(q, u, z) - J(q)ᵀ λ,
 *
 * and its derivatives along δq = N(q) ds, du, du̇, dz. Changes s are in the space of speeds, whose axes turn with a ball hinge:
 * ṡ = δu + `bracket`, with N bracket = ∂(N u)/∂q N ds - ∂(N ds)/∂q N u. One pass along a direction costs about as much as r. So n columns of
 * the mass, damping and stiffness matrices cost n passes, each linear in the number of hinges.
 */
import { loopConstraints } from "../dynamics/loops/rows/constraint-rows.ts";
import { sumByIndex, wrenchesOnLinks } from "../dynamics/tree/external-wrenches.ts";
import { coordinateRates, placementsOfLinks } from "../dynamics/tree/kinematics.ts";
import { linkTreeOf } from "../dynamics/tree/link-tree.ts";
import { inverseDynamics } from "../dynamics/tree/newton-euler.ts";
import { directionalDerivative } from "../kernel/trace/differentiate.ts";
import { trace } from "../kernel/trace/program.ts";
import { add, div, mul, type Scalar, sub, sum } from "../kernel/trace/scalar.ts";
import type { TangentDirection } from "../kernel/trace/tangents.ts";
import { rowCount } from "../model/loop.ts";
import type { Model } from "../model/model.ts";
import type { Layout } from "../sim/system/layout.ts";
import { traceElements } from "../sim/system/trace-elements.ts";

/** s with N(q) s = q̇, hinge by hinge: the columns of N are orthogonal. */
function speedsFromRates(model: Model, q: readonly Scalar[], qdot: readonly Scalar[]): Scalar[] {
  return model.bodies.flatMap(({ hinge }) => {
    let first = hinge.q;
    return hinge.elements.flatMap((element) => {
      const [coordinates, rates] = [q.slice(first, first + element.nq), qdot.slice(first, first + element.nq)];
      first += element.nq;
      return Array.from({ length: element.nu }, (_, k) => {
        const column = element.rates(
          coordinates,
          Array.from({ length: element.nu }, (_, j): Scalar => (j === k ? 1 : 0)),
        );
        const dot = (v: readonly Scalar[]): Scalar => sum(column.map((c, i) => mul(c, v[i]!)));
        return div(dot(rates), dot(column));
      });
    });
  });
}

/** Program of r, of the rates ż of internal states, and of the loop equations: rates J u + ∂f/∂t, their own rates J u̇ + J̇ u + ..., residual and J. */
export function residualProgram(layout: Layout) {
  const { model, nq, nu, nz, nheld } = layout;
  const rows = model.loops.reduce((sum, loop) => sum + rowCount(loop), 0);
  const inputs = { t: 1, q: nq, u: nu, z: nz, held: nheld, udot: nu, lambda: rows };
  const program = trace(`${model.name} residual`, inputs, ({ t, q, u, z, held, udot, lambda }) => {
    const machine = linkTreeOf(model);
    const { tau, w, zdot } = traceElements(layout, machine, placementsOfLinks(machine, q), { t: t[0]!, q, u, z, held });
    const onLinks = wrenchesOnLinks(machine, layout.frames, q, w).map(({ link, force }) => [link, force] as const);
    const inverseTau = inverseDynamics(machine, q, u, udot, sumByIndex(machine.links.length, onLinks));
    const loops = loopConstraints(model, machine, t[0]!, q, u);
    const r: Scalar[] = inverseTau.map((v, i) => sub(v, tau[i]!));
    const J = loops.rows.map((row) => {
      const denseRow = new Array<Scalar>(nu).fill(0);
      for (const { u: k, value } of row.J) denseRow[k] = add(denseRow[k]!, value);
      return denseRow;
    });
    for (const [i, row] of J.entries()) for (const [k, value] of row.entries()) r[k] = sub(r[k]!, mul(value, lambda[i]!));
    const second = loops.bias.map((bias, i) => J[i]!.reduce<Scalar>((total, value, k) => add(total, mul(value, udot[k]!)), bias));
    return { r, zdot, rates: loops.rates, second, residual: loops.rows.map((row) => row.residual), J: J.flat() };
  });
  return { program, rows };
}

/** Program of the bracket along ds. It is zero except for hinges with quaternions. */
export function bracketProgram(model: Model) {
  const { nq, nu } = model;
  return trace(`${model.name} bracket`, { q: nq, u: nu, ds: nu }, ({ q, u, ds }) => {
    const qdot = coordinateRates(model, q, u);
    const dq = coordinateRates(model, q, ds);
    const changeAlongMotion = directionalDerivative(dq, q, qdot);
    const bracket = directionalDerivative(qdot, q, dq).map((v, i) => sub(v, changeAlongMotion[i]!));
    return { bracket: speedsFromRates(model, q, bracket) };
  });
}

/** Unit changes of the speeds as rates of coordinates: the columns of N(q). */
export function coordinateDirections(model: Model, q: Float64Array, offset: number): TangentDirection[] {
  return model.bodies.flatMap(({ hinge }) => {
    let first = hinge.q;
    return hinge.elements.flatMap(({ nq, nu, rates }) => {
      const coordinates = Array.from(q.subarray(first, first + nq));
      const input = offset + first;
      first += nq;
      return Array.from({ length: nu }, (_, k): TangentDirection => {
        const unit = Array.from({ length: nu }, (_, j) => (j === k ? 1 : 0));
        return (rates(coordinates, unit) as readonly number[]).map((rate, i) => ({ input: input + i, rate }));
      });
    });
  });
}

/** Kane's equations M u̇ + g = Jᵀ λ of a tree with cut loops, and quantities from the same partial velocities, as traced programs. */

import { trace } from "../../kernel/trace/program.ts";
import { add, mul, neg, type Scalar, sum } from "../../kernel/trace/scalar.ts";
import { totalRowCount } from "../../model/loop.ts";
import { engagedParameterTotal, withEngagedParameters } from "../../model/loops/engaged-loop-parameters.ts";
import type { Frame, Model } from "../../model/model.ts";
import { apply } from "../../spatial/rotation.ts";
import { cross, dot, negate, plus, scale, sumVectors } from "../../spatial/vec3.ts";
import type { ForceTorque, MassProperties } from "./composite.ts";
import {
  aboutShiftedPoint,
  addForces,
  appliedForces,
  compositeMasses,
  compositeSums,
  inertiaForce,
  momentumOf,
  ownMasses,
} from "./composite.ts";
import { type KaneLink, kaneLinksOf } from "./links.ts";
import { loopForces, loopRows } from "./loop-rows.ts";
import { type LinkMotion, motionOf, type PartialMotion } from "./motion.ts";

/** Generalised force of a force and torque on the outer set of a link: f·v + t·ω at the hinge point [TR-942 2.3.4]. */
const generalisedForce = ({ v, w }: PartialMotion, { f, t }: ForceTorque): Scalar => add(dot(f, v), dot(t, w));

/** Force and torque about the hinge point that a unit u̇ of the composite needs: m̂ v + ω × ŝ and Î ω + ŝ × v. */
const forceOfUnitAcceleration = ({ m, s, I }: MassProperties, { v, w }: PartialMotion): ForceTorque => ({
  f: plus(scale(m, v), cross(w, s)),
  t: plus(apply(I, w), cross(s, v)),
});

/**
 * Row i of M from the base to its diagonal; it has entries only for the speeds that carry speed i. The four cases of [TR-942 2.3.22] and
 * the base's blocks [2.3.32-2.3.36] are one product: the force of unit u̇_i times the partial velocities of these speeds.
 */
function massRow(
  links: readonly KaneLink[],
  motions: readonly LinkMotion[],
  composite: MassProperties,
  link: number,
  i: number,
): Scalar[] {
  const row: Scalar[] = [];
  let force = forceOfUnitAcceleration(composite, motions[link]!.partials[i]!);
  for (let k = link; k >= 0; k = links[k]!.inner) {
    const { partials, d } = motions[k]!;
    const carrying = k === link ? partials.slice(0, i + 1) : partials;
    row.unshift(...carrying.map((p) => generalisedForce(p, force)));
    if (k === link) row.push(add(row.pop()!, links[link]!.joint.armature ?? 0)); // the rotor needs its share of the hinge's own force
    force = aboutShiftedPoint(d, force);
  }
  return row;
}

/** f̂* + f̂_g and t̂* + t̂_g: inertia and applied forces of the outer set of every link [TR-942 2.3.61-2.3.64]. */
function outerForces(
  links: readonly KaneLink[],
  motions: readonly LinkMotion[],
  masses: readonly MassProperties[],
  appliedForce: readonly ForceTorque[],
): ForceTorque[] {
  return compositeSums(
    links,
    motions,
    masses.map((mass, k) => addForces(inertiaForce(mass, motions[k]!), appliedForce[k]!)),
  );
}

/**
 * M by rows, each packed from the base to the diagonal, and -g for M u̇ = -g [TR-942 2.3.13-2.3.15, 2.3.26, 2.3.37, 2.3.38]. For every
 * row of the loops: the entries of J (at the speeds returned beside the program), f̈ - J u̇, f, and the square of the size of J.
 */
export function kaneProgram(model: Model<Scalar>, frames: readonly Frame<Scalar>[]) {
  const links = kaneLinksOf(model);
  const zeroAcceleration: Scalar[] = Array(model.nu).fill(0);
  const inputs = { q: model.nq, u: model.nu, tau: model.nu, w: 6 * frames.length, t: 1, found: engagedParameterTotal(model) };
  let speeds: readonly (readonly number[])[] = [];
  const program = trace(`kane of ${model.name}`, inputs, ({ q, u, tau, w, t, found }) => {
    const motions = motionOf(links, q, u, zeroAcceleration);
    const masses = ownMasses(links, motions);
    const composite = compositeMasses(links, motions, masses);
    const forces = outerForces(links, motions, masses, appliedForces(model, links, motions, masses, frames, w));
    const rows = loopRows(withEngagedParameters(model, found), links, { t: t[0]!, q, u });
    speeds = rows.map(({ J }) => J.map(({ speed }) => speed));
    return {
      M: motions.flatMap(({ partials }, k) => partials.flatMap((_, i) => massRow(links, motions, composite[k]!, k, i))),
      rhs: motions.flatMap(({ partials }, k) => partials.map((p) => add(tau[p.speed]!, generalisedForce(p, forces[k]!)))),
      J: rows.flatMap(({ J }) => J.map(({ value }) => value)),
      bias: rows.map(({ bias }) => bias),
      f: rows.map(({ f }) => f),
      size: rows.map(({ size }) => size),
    };
  });
  return { program, speeds };
}

/** f and ḟ of every row of the loops [TR-942 2.3.45]. */
export function kaneLoopErrors(model: Model<Scalar>) {
  const links = kaneLinksOf(model);
  return trace(
    `kane loops of ${model.name}`,
    { q: model.nq, u: model.nu, t: 1, found: engagedParameterTotal(model) },
    ({ q, u, t, found }) => {
      const rows = loopRows(withEngagedParameters(model, found), links, { t: t[0]!, q, u });
      return {
        f: rows.map(({ f }) => f),
        rate: rows.map(({ J, timePartial: inTime }) => sum([inTime, ...J.map(({ speed, value }) => mul(value, u[speed]!))])),
      };
    },
  );
}

/** Torque and force on every body through its hinge: the opposite of all inertia, applied and loop forces on its outer set. */
export function kaneReactions(model: Model<Scalar>, frames: readonly Frame<Scalar>[]) {
  const links = kaneLinksOf(model);
  const sizes = { w: 6 * frames.length, lambda: totalRowCount(model.loops), found: engagedParameterTotal(model) };
  const inputs = { q: model.nq, u: model.nu, udot: model.nu, ...sizes };
  return trace(`kane reactions of ${model.name}`, inputs, ({ q, u, udot, w, lambda, found }) => {
    const motions = motionOf(links, q, u, udot);
    const masses = ownMasses(links, motions);
    const appliedForce = appliedForces(model, links, motions, masses, frames, w);
    const loopForce = loopForces(withEngagedParameters(model, found), links, motions, q, lambda);
    const totalForces = appliedForce.map((pair, k) => addForces(pair, loopForce[k]!));
    const forces = outerForces(links, motions, masses, totalForces);
    const reactions = links.flatMap(({ body }, k) => (body ? [...negate(forces[k]!.t), ...negate(forces[k]!.f)] : []));
    return { reactions };
  });
}

/**
 * Kinetic energy ½ Σ u_i p_i, with p_i = Σ_k (m v·v^i + H·ω^i) the momentum along speed i; potential energy of gravity; and
 * momentum: angular about the inertial origin, then linear.
 */
export function kaneIntegrals(model: Model<Scalar>) {
  const links = kaneLinksOf(model);
  const zeroAcceleration: Scalar[] = Array(model.nu).fill(0);
  return trace(`kane integrals of ${model.name}`, { q: model.nq, u: model.nu }, ({ q, u }) => {
    const motions = motionOf(links, q, u, zeroAcceleration);
    const masses = ownMasses(links, motions);
    const momenta = compositeSums(
      links,
      motions,
      masses.map((mass, k) => momentumOf(mass, motions[k]!)),
    );
    const kinetic = mul(
      0.5,
      sum(
        motions.flatMap(({ partials }, k) =>
          partials.map((p) =>
            mul(u[p.speed]!, add(generalisedForce(p, momenta[k]!), mul(links[k]!.joint.armature ?? 0, u[p.speed]!))),
          ),
        ),
      ),
    );
    const moment = sumVectors(masses.map(({ m, s }, k) => plus(s, scale(m, motions[k]!.P))));
    const roots = links.flatMap(({ inner }, k) => (inner < 0 ? [aboutShiftedPoint(motions[k]!.P, momenta[k]!)] : []));
    return {
      energy: [kinetic, neg(dot(model.gravity, moment))],
      momentum: [...sumVectors(roots.map(({ t }) => t)), ...sumVectors(roots.map(({ f }) => f))],
    };
  });
}

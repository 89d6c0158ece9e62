/**
 * Terms of the equations of motion M(q) u̇ + C(q, u) u + g(q) = τ + springs + wrenches + Jᵀ λ at one state, from the compiled programs of a
 * model.
 */
import { biasForce, inverseDynamics, massMatrix, momentumAndEnergy } from "../../dynamics/programs.ts";
import { placementsOfLinks } from "../../dynamics/tree/kinematics.ts";
import { linkTreeOf } from "../../dynamics/tree/link-tree.ts";
import { compile } from "../../kernel/run/kernel.ts";
import { trace } from "../../kernel/trace/program.ts";
import type { Model } from "../../model/model.ts";
import { layoutOf } from "../../sim/system/layout.ts";
import { traceElements } from "../../sim/system/trace-elements.ts";
import type { NumericVec3 } from "../../spatial/vec3.ts";

export interface DynamicsTerms {
  /** nu rows. */
  readonly massMatrix: readonly (readonly number[])[];
  /** Generalised forces for u̇ = 0: velocity terms, gravity and external wrenches. */
  readonly biasForce: readonly number[];
  /** C(q, u) u: centrifugal and Coriolis terms. */
  readonly velocityForce: readonly number[];
  /** g(q): generalised forces that hold the machine at rest against gravity. */
  readonly gravityForce: readonly number[];
  /** Centre of mass in the world, m. */
  readonly massCentre: readonly number[];
  /** J. The elastic energy is that of the springs of elastic bodies. */
  readonly energy: { readonly kinetic: number; readonly potential: number; readonly elastic: number };
  /** N m s about the world origin, and N s; world axes. */
  readonly momentum: { readonly angular: NumericVec3; readonly linear: NumericVec3 };
  /** Generalised forces of the springs and dampers of elastic bodies, one for each speed. They act in every motion. */
  readonly springForce: readonly number[];
}

export function dynamicsTerms(
  model: Model,
  q: Float64Array,
  u: Float64Array,
  wrenches: readonly string[],
  w: Float64Array,
): DynamicsTerms {
  const rest = new Float64Array(model.nu);
  const unloaded = compile(biasForce(model));
  const gravityForce = [...unloaded.evaluateAt({ q, u: rest }).bias];
  const movingForce = unloaded.evaluateAt({ q, u }).bias;
  const { mass } = compile(massMatrix(model)).evaluateAt({ q });
  const { momentum, energy, centre } = compile(momentumAndEnergy(model)).evaluateAt({ q, u });
  const springs = springTerms(model, q, u);
  return {
    massMatrix: matrixRows(mass, model.nu),
    biasForce: [...compile(biasForce(model, { wrenches })).evaluateAt({ q, u, w }).bias],
    velocityForce: gravityForce.map((g, i) => movingForce[i]! - g),
    gravityForce,
    massCentre: [...centre],
    energy: { kinetic: energy[0]!, potential: energy[1]!, elastic: springs.energy },
    momentum: { angular: vectorAt(momentum, 0), linear: vectorAt(momentum, 3) },
    springForce: springs.force,
  };
}

/** Generalised forces of the tree for given accelerations: what hinges, springs and loops must exert together. */
export const forcesForAccelerations = (
  model: Model,
  q: Float64Array,
  u: Float64Array,
  udot: Float64Array,
  wrenches: readonly string[],
  w: Float64Array,
): number[] => [...compile(inverseDynamics(model, { wrenches })).evaluateAt({ q, u, udot, w }).tau];

function springTerms(model: Model, q: Float64Array, u: Float64Array): { readonly force: number[]; readonly energy: number } {
  if (model.springs.length === 0) return { force: new Array<number>(model.nu).fill(0), energy: 0 };
  const layout = layoutOf(model, []);
  const program = trace(`${model.name} springs`, { q: model.nq, u: model.nu }, (x) => {
    const tree = linkTreeOf(model);
    const totals = traceElements(layout, tree, placementsOfLinks(tree, x.q), { t: 0, q: x.q, u: x.u, z: [], held: [] });
    return { force: totals.tau, energy: [totals.potential] };
  });
  const { force, energy } = compile(program).evaluateAt({ q, u });
  return { force: [...force], energy: energy[0]! };
}

export const vectorAt = (values: ArrayLike<number>, start: number): NumericVec3 => [
  values[start]!,
  values[start + 1]!,
  values[start + 2]!,
];

/** Rows of a matrix that is stored by rows. */
export const matrixRows = (entries: Float64Array, width: number, count = width): readonly (readonly number[])[] =>
  Array.from({ length: count }, (_, r) => [...entries.subarray(r * width, (r + 1) * width)]);

/**
 * The augmented system A X = B of the matrix method [TR-942 2.2.10-2.2.19]: the bodies with their hinges first, then the rows of loops,
 * each with its multiplier.
 *
 * Unknowns per body and its hinge: v̇ of the mass centre, ω̇, force f and torque t that the parent exerts on the body at M's origin
 * (the report's, with the opposite sign), and u̇ of the hinge. There are two differences from the report:
 *
 * - The unknowns are accelerations instead of the momentum rates m v̇ and I ω̇. No division by a mass occurs, so massless bodies are allowed.
 * - u̇ is an unknown too. The report prescribes the relative acceleration along the blocked directions and the force along the free
 *   ones. That needs axes that are either free or blocked. The directions of a helical or a universal hinge are neither, and a basis of
 *   blocked directions that never degenerates would need case distinctions. With u̇ all six relative accelerations are prescribed,
 *   S u̇ + bias, and the free directions are the columns of S. This is exact for every hinge, and regular if S is.
 */
import { neg, type Scalar } from "../../kernel/trace/scalar.ts";
import type { Frame, Model } from "../../model/model.ts";
import { apply, IDENTITY, type Mat3 } from "../../spatial/rotation.ts";
import { cross, minus, negate, plus, scale, sumVectors, type Vec3 } from "../../spatial/vec3.ts";
import { type AbsoluteBody, absoluteBodies, INERTIAL_SPACE, inertiaOf } from "./absolute-bodies.ts";
import { loopEquations, loopRowTotal } from "./loop-equations.ts";

const XYZ = [0, 1, 2] as const;

/** One entry of A. */
export interface Coefficient {
  readonly row: number;
  readonly column: number;
  readonly value: Scalar;
}

export interface AugmentedSystem {
  readonly A: readonly Coefficient[];
  readonly B: readonly Scalar[];
  /** f of every row of the loops. */
  readonly f: readonly Scalar[];
}

/** Offsets of a body's unknowns in X. Its equations have the same offsets. */
export interface UnknownOffsets {
  readonly vdot: number;
  readonly wdot: number;
  readonly f: number;
  readonly t: number;
  readonly udot: number;
}

/** Offsets of the unknowns. Those of one body are contiguous: only neighbouring bodies are coupled. */
export function unknownOffsets(model: Model<Scalar>): readonly UnknownOffsets[] {
  return model.bodies.map(({ index, hinge }) => {
    const at = 12 * index + hinge.u;
    return { vdot: at, wdot: at + 3, f: at + 6, t: at + 9, udot: at + 12 };
  });
}

/** Offset of the multipliers in X, and of their equations. */
export const firstMultiplier = (model: Model<Scalar>): number => 12 * model.bodies.length + model.nu;

/** Number of unknowns. */
export const unknownCount = (model: Model<Scalar>): number => firstMultiplier(model) + loopRowTotal(model);

/** A and B at (q, u), under hinge forces tau and external wrenches w (torque, force) at the given frames. */
export function augmentedSystem(
  model: Model<Scalar>,
  frames: readonly Frame<Scalar>[],
  x: {
    readonly q: readonly Scalar[];
    readonly u: readonly Scalar[];
    readonly tau: readonly Scalar[];
    readonly w: readonly Scalar[];
    readonly t: readonly Scalar[];
  },
): AugmentedSystem {
  const bodies = absoluteBodies(model, x.q, x.u);
  const at = unknownOffsets(model);
  const A: Coefficient[] = [];
  const B: Scalar[] = Array(unknownCount(model)).fill(0);
  const put = (row: number, column: number, value: Scalar): void => {
    if (value !== 0) A.push({ row, column, value });
  };
  const putMatrix = (row: number, column: number, M: Mat3): void => {
    for (const i of XYZ) for (const j of XYZ) put(row + i, column + j, M[i][j]);
  };
  const putVector = (row: number, v: Vec3): void => {
    for (const i of XYZ) B[row + i] = v[i];
  };

  for (const body of model.bodies) {
    const n = bodies[body.index]!;
    const own = at[body.index]!;
    const I = inertiaOf(body, n);

    // Newton [2.2.1, 2.2.16] and Euler [2.2.2, 2.2.17]: the hinge force acts on the body, and its opposite on the parent.
    const external = externalWrench(model, frames, x.w, body.index, n);
    putMatrix(own.vdot, own.vdot, diagonal(body.mass));
    putMatrix(own.vdot, own.f, diagonal(-1));
    putVector(own.vdot, plus(scale(body.mass, model.gravity), external.force));
    putMatrix(own.wdot, own.wdot, I);
    putMatrix(own.wdot, own.f, skew(negate(n.e)));
    putMatrix(own.wdot, own.t, diagonal(-1));
    putVector(own.wdot, minus(external.torque, cross(n.w, apply(I, n.w))));

    // The hinge: relative acceleration at M's origin [2.2.3, 2.2.4] with alpha and gamma of [2.2.18, 2.2.19], given force [2.2.5].
    putMatrix(own.f, own.vdot, IDENTITY);
    putMatrix(own.f, own.wdot, skew(negate(n.e)));
    putMatrix(own.t, own.wdot, IDENTITY);
    for (const [k, { angular, linear }] of n.columns.entries())
      for (const i of XYZ) {
        put(own.f + i, own.udot + k, neg(linear[i]));
        put(own.t + i, own.udot + k, neg(angular[i]));
        put(own.udot + k, own.f + i, linear[i]);
        put(own.udot + k, own.t + i, angular[i]);
      }
    // The rotor of a drive needs J u̇ of the hinge's force.
    const rotors = body.hinge.elements.flatMap(({ nu, armature = 0 }) => Array<number>(nu).fill(armature));
    for (let k = 0; k < n.columns.length; k++) {
      B[own.udot + k] = x.tau[body.hinge.u + k]!;
      put(own.udot + k, own.udot + k, rotors[k]!);
    }

    const m = bodies[body.parent] ?? INERTIAL_SPACE;
    const carried = cross(m.w, plus(cross(m.w, n.eParent), scale(2, n.velocity.linear)));
    putVector(own.f, minus(plus(n.bias.linear, carried), cross(n.w, cross(n.w, n.e))));
    putVector(own.t, plus(n.bias.angular, cross(m.w, n.velocity.angular)));

    const parent = at[body.parent];
    if (!parent) continue;
    putMatrix(parent.vdot, own.f, IDENTITY);
    putMatrix(parent.wdot, own.f, skew(n.eParent));
    putMatrix(parent.wdot, own.t, IDENTITY);
    putMatrix(own.f, parent.vdot, diagonal(-1));
    putMatrix(own.f, parent.wdot, skew(n.eParent));
    putMatrix(own.t, parent.wdot, diagonal(-1));
  }

  const rows = loopEquations(model, bodies, x.q, x.u, x.t[0]!);
  const speedAt = model.bodies.flatMap(({ index, hinge }) => Array.from({ length: hinge.nu }, (_, k) => at[index]!.udot + k));
  for (const [k, { bias, grips, factors }] of rows.entries()) {
    const row = firstMultiplier(model) + k;
    B[row] = neg(bias);
    for (const { body, linear, angular } of grips)
      for (const i of XYZ) {
        put(row, at[body]!.vdot + i, linear[i]);
        put(row, at[body]!.wdot + i, angular[i]);
        put(at[body]!.vdot + i, row, neg(linear[i]));
        put(at[body]!.wdot + i, row, neg(angular[i]));
      }
    for (const { speed, factor } of factors) {
      put(row, speedAt[speed]!, factor);
      put(speedAt[speed]!, row, -factor);
    }
  }
  return { A, B, f: rows.map(({ f }) => f) };
}

/** f_j and t_j: the sum of all external wrenches on a body, at its mass centre. */
function externalWrench(
  model: Model<Scalar>,
  frames: readonly Frame<Scalar>[],
  w: readonly Scalar[],
  index: number,
  { R }: AbsoluteBody,
): { readonly torque: Vec3; readonly force: Vec3 } {
  const forces: Vec3[] = [];
  const torques: Vec3[] = [];
  for (const [i, { body, placement }] of frames.entries()) {
    if (body !== index) continue;
    const force = w.slice(6 * i + 3, 6 * i + 6) as unknown as Vec3;
    const lever = apply(R, minus(placement.p, model.bodies[index]!.com));
    forces.push(force);
    torques.push(w.slice(6 * i, 6 * i + 3) as unknown as Vec3, cross(lever, force));
  }
  return { torque: sumVectors(torques), force: sumVectors(forces) };
}

/** k times the unit matrix. */
const diagonal = (k: Scalar): Mat3 => [
  [k, 0, 0],
  [0, k, 0],
  [0, 0, k],
];

/** ṽ: the matrix of the product v ×. */
const skew = ([x, y, z]: Vec3): Mat3 => [
  [0, neg(z), y],
  [z, 0, neg(x)],
  [neg(y), x, 0],
];

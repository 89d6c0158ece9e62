/**
 * Chains of passive joints: accelerations by the algorithm of Yoshikawa and Hosoda (1991), corrected, and for joints of any freedoms.
 * The wrench along the freedoms of a joint is known (springs, motors). The rest of the wrench is unknown: W = W₀ + N λ, where N spans the
 * wrenches that do no work on the freedoms. For a ball joint, N λ is the force between two links, as in the paper. With Y = I⁻¹ of a link,
 *
 *   A_a = Y_a (W_a - X_{a+1}ᵀ W_{a+1} + external - gyroscopic),      A_a = X_a A_{a-1} + S u̇ + β,                        (1)
 *
 * The second equation, projected on N, is one block of equations in λ_{a-1}, λ_a and λ_{a+1}. The system is block tridiagonal, symmetric and
 * positive definite; the cost is linear in the number of links. The algorithm shares no code with the formulations, so it checks them.
 */

import { ArgumentError, SingularError } from "../../../errors.ts";
import { denseLU } from "../../../math/linear/dense-lu.ts";
import { matrixProduct, transposedProduct } from "../../../math/linear/dense-matrix.ts";
import type { Model } from "../../../model/model.ts";
import { type ChainLink, chainOf, type JointBetweenLinks } from "./chain-links.ts";
import { type Crossing, crossJoint, dot6, inertiaAt, wrenchesAt } from "./chain-motion.ts";

export interface PassiveChain {
  /** u̇ under forces tau in the hinges and wrenches w (torque, force; world axes) at the frames given by `wrenches`. */
  accelerations(q: Float64Array, u: Float64Array, tau: Float64Array, udot: Float64Array, w?: Float64Array): void;
}

/**
 * Applies to an open chain on the world. Every link has mass and inertia; bodies on fixed hinges belong to their link. A motor is a massless
 * body on a hinge with armature, followed by a hinge on the same axis: a rotor and its drive spring [eq. 19]. `wrenches` names frames or bodies.
 * @throws ModelError with the reason if the algorithm does not apply.
 */
export function passiveChain(model: Model, options: { readonly wrenches?: readonly string[] } = {}): PassiveChain {
  const { joints, links, frames } = chainOf(model, options.wrenches ?? []);
  return {
    accelerations(q, u, tau, udot, w = new Float64Array(0)) {
      if (w.length !== 6 * frames.length)
        throw new ArgumentError("w", `has ${w.length} numbers, and there are ${frames.length} frames with 6 each`);
      const crossings: Crossing[] = [];
      for (const [a, joint] of joints.entries()) crossings.push(crossJoint(joint, crossings[a - 1], q, u));
      const external = wrenchesAt(frames, crossings, w);
      solveChain(
        crossings.map((crossing, a) => partOf(joints[a]!, links[a]!, crossing, tau, external[a]!)),
        model.gravity,
        udot,
      );
    },
  };
}

/** One joint and the link after it, at a state. */
interface ChainSegment extends Crossing {
  /** Basis of the wrenches that do no work on the free columns, 6 by m. */
  readonly N: Float64Array;
  readonly m: number;
  /** The known part of the wrench. */
  readonly W0: Float64Array;
  /** Y = I⁻¹ of the link, 6 by 6. */
  readonly Y: Float64Array;
  /** External wrench less gyroscopic forces. */
  readonly given: Float64Array;
  /** Known accelerations of the joint: of rotors before drive springs, S q̈, and β. */
  readonly known: Float64Array;
  /** Rotors that move the link directly: S / A, and their acceleration without the link. */
  readonly driven: readonly { readonly S: Float64Array; readonly armature: number; readonly tau: number; readonly u: number }[];
  readonly free: readonly { readonly S: Float64Array; readonly u: number }[];
  readonly rotors: readonly { readonly u: number; readonly rate: number }[];
}

const vector = (): Float64Array => new Float64Array(6);

function partOf(
  joint: JointBetweenLinks,
  link: ChainLink,
  crossing: Crossing,
  tau: Float64Array,
  external: Float64Array,
): ChainSegment {
  const { columns, beta } = crossing;
  const known = Float64Array.from(beta);
  const rotors = joint.rotors.map(({ column, drive, armature }) => {
    const rate = (tau[columns[column]!.u]! - tau[columns[drive]!.u]!) / armature;
    for (let i = 0; i < 6; i++) known[i]! += rate * columns[column]!.S[i]!;
    return { u: columns[column]!.u, rate };
  });
  const isRotor = (k: number): boolean => joint.rotors.some((r) => r.column === k);
  const free = columns.filter((c, k) => !isRotor(k) && c.armature === 0);
  const driven = columns
    .filter((c, k) => !isRotor(k) && c.armature > 0)
    .map(({ S, armature, u }) => ({ S, armature, u, tau: tau[u]! }));
  const { N, m } = unfelt(free.map((c) => c.S));
  const W0 = vector();
  const factors = inColumns(
    free.map((c) => c.S),
    free.map((c) => tau[c.u]!),
  );
  for (const [k, c] of free.entries()) for (let i = 0; i < 6; i++) W0[i]! += factors[k]! * c.S[i]!;
  const { Y, gyroscopic } = inertiaAt(link, crossing.omega);
  return { ...crossing, N, m, W0, Y, given: external.map((v, i) => v - gyroscopic[i]!), known, driven, free, rotors };
}

/** (Sᵀ S)⁻¹ b of a few columns. */
function inColumns(S: readonly Float64Array[], b: readonly number[]): Float64Array {
  const n = S.length;
  const x = Float64Array.from(b);
  if (n === 0) return x;
  const lu = denseLU(n);
  const isRegular = lu.factor(Float64Array.from({ length: n * n }, (_, k) => dot6(S[Math.floor(k / n)]!, S[k % n]!)));
  if (!isRegular) throw new SingularError("two freedoms of one joint do the same there");
  lu.solve(x);
  return x;
}

/** Orthonormal basis, by columns, of the complement of the given columns. */
function unfelt(S: readonly Float64Array[]): { readonly N: Float64Array; readonly m: number } {
  const basis: Float64Array[] = [];
  const add = (v: Float64Array, least: number): boolean => {
    const rest = Float64Array.from(v);
    for (let round = 0; round < 2; round++)
      for (const b of basis) {
        const d = dot6(rest, b);
        for (let i = 0; i < 6; i++) rest[i]! -= d * b[i]!;
      }
    const size = Math.sqrt(dot6(rest, rest));
    if (size < least) return false;
    basis.push(rest.map((x) => x / size));
    return true;
  };
  for (const s of S) add(s, 0);
  for (let least = 0.9; basis.length < 6; least *= 0.7)
    for (let i = 0; i < 6 && basis.length < 6; i++)
      add(
        vector().map((_, k) => (k === i ? 1 : 0)),
        least,
      );
  const own = basis.slice(S.length);
  return {
    m: own.length,
    N: Float64Array.from({ length: 6 * own.length }, (_, k) => own[k % own.length]![Math.floor(k / own.length)]!),
  };
}

/** Solves the projection of (1) on N for all λ, then computes every u̇. */
function solveChain(parts: readonly ChainSegment[], gravity: readonly number[], udot: Float64Array): void {
  const n = parts.length;
  const times = (A: Float64Array, x: Float64Array, columns = 1): Float64Array => matrixProduct(A, x, 6, 6, columns);
  const W = parts.map((part) => part.W0);
  /** Accelerations of the links under the wrenches known so far. The world accelerates by -gravity. */
  const accelerations = (): Float64Array[] =>
    parts.map(({ Y, given }, a) => {
      const next = parts[a + 1];
      const through = next ? transposedProduct(next.X, W[a + 1]!, 6, 6, 1) : vector();
      return times(
        Y,
        W[a]!.map((v, i) => v - through[i]! + given[i]!),
      );
    });
  const world = Float64Array.of(0, 0, 0, ...gravity.map((g) => -g));
  const apart = (A: readonly Float64Array[], a: number): Float64Array => {
    const carried = times(parts[a]!.X, A[a - 1] ?? world);
    return A[a]!.map((v, i) => v - carried[i]! - parts[a]!.known[i]!);
  };
  const A0 = accelerations();
  const D: Float64Array[] = [];
  const U: Float64Array[] = [];
  const r: Float64Array[] = [];
  for (const [a, part] of parts.entries()) {
    const { N, m, Y, X, driven, W0 } = part;
    const before = parts[a - 1];
    const next = parts[a + 1];
    const XN = transposedProduct(X, N, 6, 6, m);
    const diagonal = transposedProduct(N, times(Y, N, m), 6, m, m);
    if (before) addTo(diagonal, transposedProduct(XN, times(before.Y, XN, m), 6, m, m), 1);
    const rest = apart(A0, a);
    for (const { S, armature, tau } of driven) {
      const s = transposedProduct(N, S, 6, m, 1);
      addTo(diagonal, matrixProduct(s, s, m, 1, m), 1 / armature);
      for (let i = 0; i < 6; i++) rest[i]! -= (S[i]! * (tau - dot6(S, W0))) / armature;
    }
    D.push(diagonal);
    U.push(
      next
        ? transposedProduct(N, times(Y, transposedProduct(next.X, next.N, 6, 6, next.m), next.m), 6, m, next.m).map((v) => -v)
        : new Float64Array(0),
    );
    r.push(transposedProduct(N, rest, 6, m, 1).map((v) => -v));
  }
  const lambda = blockThomas(
    D,
    U,
    r,
    parts.map((p) => p.m),
  );
  for (let a = 0; a < n; a++) W[a] = addTo(matrixProduct(parts[a]!.N, lambda[a]!, 6, parts[a]!.m, 1), parts[a]!.W0, 1);
  const A = accelerations();
  for (const [a, { driven, free, rotors }] of parts.entries()) {
    for (const { u, rate } of rotors) udot[u] = rate;
    const rest = apart(A, a);
    for (const { S, armature, tau, u } of driven) {
      udot[u] = (tau - dot6(S, W[a]!)) / armature;
      for (let i = 0; i < 6; i++) rest[i]! -= S[i]! * udot[u]!;
    }
    const rates = inColumns(
      free.map((c) => c.S),
      free.map((c) => dot6(c.S, rest)),
    );
    for (const [k, c] of free.entries()) udot[c.u] = rates[k]!;
  }
}

function addTo(A: Float64Array, B: Float64Array, factor: number): Float64Array {
  for (let i = 0; i < A.length; i++) A[i]! += factor * B[i]!;
  return A;
}

/** Solves U_{a-1}ᵀ x_{a-1} + D_a x_a + U_a x_{a+1} = r_a, blocks of sizes m. */
function blockThomas(
  D: readonly Float64Array[],
  U: readonly Float64Array[],
  r: readonly Float64Array[],
  m: readonly number[],
): Float64Array[] {
  const n = D.length;
  const solvers = m.map((size) => denseLU(size));
  /** D⁻¹ U and D⁻¹ r of each eliminated block. */
  const carried: Float64Array[] = [];
  const x: Float64Array[] = [];
  for (let a = 0; a < n; a++) {
    const size = m[a]!;
    const diagonal = Float64Array.from(D[a]!);
    const rhs = Float64Array.from(r[a]!);
    if (a > 0) {
      addTo(diagonal, transposedProduct(U[a - 1]!, carried[a - 1]!, m[a - 1]!, size, size), -1);
      addTo(rhs, transposedProduct(U[a - 1]!, x[a - 1]!, m[a - 1]!, size, 1), -1);
    }
    solvers[a]!.factor(diagonal);
    solvers[a]!.solve(rhs);
    x.push(rhs);
    const behind = a + 1 < n ? m[a + 1]! : 0;
    const columns = new Float64Array(size * behind);
    for (let j = 0; j < behind; j++) {
      const column = Float64Array.from({ length: size }, (_, i) => U[a]![i * behind + j]!);
      solvers[a]!.solve(column);
      for (let i = 0; i < size; i++) columns[i * behind + j] = column[i]!;
    }
    carried.push(columns);
  }
  for (let a = n - 2; a >= 0; a--) addTo(x[a]!, matrixProduct(carried[a]!, x[a + 1]!, m[a]!, m[a + 1]!, 1), -1);
  return x;
}

/**
 * Small motions about a state: M σ̈ + D σ̇ + K σ = 0 in independent changes σ, δs = Z σ, with s in the space of speeds. Z spans the null
 * space of loops and locks. If the state has speeds, the loop rows (G, Ys, Yu below) and the axes of ball hinges (S) change as well:
 *
 *   δu  = Z ν + G σ,                     J G = -∂(J u)/∂s Z
 *   δu̇  = Z ν̇ + Ys σ + Yu ν,             J (Ys σ + Yu ν) = -∂(J̇ u)/∂s Z σ - ∂(J̇ u)/∂u δu
 *   σ̇   = ν + S σ
 *   ZᵀM Z ν̇ = -Zᵀ(K Z + D G + M Ys) σ - Zᵀ(D Z + M Yu) ν = -K₁ σ - D₁ ν
 *
 * With ν = σ̇ - S σ this is again an equation of second order, with damping D₁ - M S and stiffness K₁ - D₁ S.
 */

import { didYouMean } from "../declare/names.ts";
import { ArgumentError, ModelError, SingularError } from "../errors.ts";
import { type TangentDirection, TangentEvaluator } from "../kernel/trace/tangents.ts";
import { choleskySolver } from "../math/linear/cholesky.ts";
import { matrixProduct, transposedProduct } from "../math/linear/dense-matrix.ts";
import { coordinateNames, homeOf, type Model } from "../model/model.ts";
import type { ForceElement } from "../sim/system/force-element.ts";
import { type Layout, layoutOf } from "../sim/system/layout.ts";
import { checkAnalysis } from "./check-analysis.ts";
import { congruence, type LoopNullSpace, loopNullSpace } from "./loop-null-space.ts";
import { bracketProgram, coordinateDirections, residualProgram } from "./residual-program.ts";
import { type StaticEquations, staticEquations } from "./static-equations.ts";

export interface LineariseOptions {
  /** State; default: home position, at rest, t = 0. */
  readonly q?: Float64Array;
  readonly u?: Float64Array;
  readonly t?: number;
  /** Hinges, or freedoms of hinges as "hinge.part", that are locked. */
  readonly locked?: readonly string[];
}

export interface Linearisation {
  readonly model: Model;
  readonly layout: Layout;
  readonly q: Float64Array;
  readonly u: Float64Array;
  readonly t: number;
  /** Number of independent changes. */
  readonly m: number;
  /** Z: nu by m, by rows, its columns orthonormal. */
  readonly basis: Float64Array;
  /** m by m, by rows. */
  readonly mass: Float64Array;
  readonly damping: Float64Array;
  readonly stiffness: Float64Array;
  /** Unbalanced generalised forces along Z: zero in an equilibrium. */
  readonly imbalance: Float64Array;
  /** Smallest change in the space of speeds that closes the loops: zero if they are closed. */
  readonly misfit: Float64Array;
  /** Rates ḟ of the loop equations: zero if the speeds keep the loops closed. */
  readonly opening: Float64Array;
  /** Numeric force elements (contact, dry friction), which the matrices do not contain. */
  readonly leftOut: readonly string[];
}

/** Linearises a model under force elements about a state. @throws ModelError for a lock with an unknown name. */
export function linearise(model: Model, forces: readonly ForceElement[] = [], options: LineariseOptions = {}): Linearisation {
  checkAnalysis(model, forces, options, ["q", "u", "t", "locked"]);
  return lineariser(model, forces, options.locked).at(options.q, options.u, options.t);
}

/** Linearisation about several states; traced once. */
export interface Lineariser {
  readonly statics: StaticEquations;
  at(q?: Float64Array, u?: Float64Array, t?: number): Linearisation;
}

export function lineariser(model: Model, forces: readonly ForceElement[] = [], locked: readonly string[] = []): Lineariser {
  const layout = layoutOf(model, forces);
  const { program, rows } = residualProgram(layout);
  const residual = new TangentEvaluator(program);
  const { x, y, inputs: into, outputs: from } = residual;
  const { nu } = model;
  const free = freeSpeeds(model, locked);
  const bracket = new TangentEvaluator(bracketProgram(model));

  const read = (name: keyof typeof from, size: number): Float64Array => y.slice(from[name], from[name] + size);
  /** Derivatives of r, rates and bias along directions, one column each. */
  const columns = (directions: readonly TangentDirection[]) => {
    const all = residual.directionalDerivatives(directions);
    const part = (name: keyof typeof from, size: number): Float64Array => all.subarray(from[name] * nu, (from[name] + size) * nu);
    return { r: part("r", nu), rates: part("rates", rows), bias: part("bias", rows) };
  };
  const units = (first: number): TangentDirection[] => Array.from({ length: nu }, (_, k) => [{ input: first + k, rate: 1 }]);

  return {
    statics: staticEquations(layout, residual, rows, free),
    at(q = homeOf(model), u = new Float64Array(nu), t = 0) {
      checkState(model, q, u);
      x.fill(0);
      x[into.t] = t;
      x.set(q, into.q);
      x.set(u, into.u);
      for (const [i, e] of layout.elements.entries()) x.set(e.z0 ?? [], into.z + layout.z[i]!);
      residual.evaluate();
      const { r: M } = columns(units(into.udot));
      const loops = loopNullSpace(read("J", rows * nu), rows, nu, free);
      const { basis, m } = loops;
      const r0 = read("r", nu);
      const misfit = loops.closing(read("residual", rows), 1);
      const opening = read("rates", rows);
      const mass = congruence(basis, M, nu, m);
      const { udot, lambda } = accelerationsAndMultipliers(M, mass, loops, r0, read("bias", rows), nu, m);
      x.set(udot, into.udot);
      x.set(lambda, into.lambda);
      residual.evaluate();
      const K = columns(coordinateDirections(model, q, into.q));
      const D = columns(units(into.u));
      bracket.x.set(q);
      bracket.x.set(u, bracket.inputs.u);
      bracket.evaluate();
      const S = congruence(basis, bracket.directionalDerivatives(units(bracket.inputs.ds)), nu, m);
      const damping = congruence(basis, D.r, nu, m);
      const stiffness = congruence(basis, K.r, nu, m);
      if (u.some((v) => v !== 0) && rows > 0) {
        const G = loops.closing(matrixProduct(K.rates, basis, rows, nu, m), m);
        const byPlace = matrixProduct(K.bias, basis, rows, nu, m);
        add(byPlace, matrixProduct(D.bias, G, rows, nu, m));
        const Ys = loops.closing(byPlace, m);
        const Yu = loops.closing(matrixProduct(D.bias, basis, rows, nu, m), m);
        const along = (A: Float64Array, B: Float64Array): Float64Array =>
          transposedProduct(basis, matrixProduct(A, B, nu, nu, m), nu, m, m);
        add(stiffness, along(D.r, G));
        add(stiffness, along(M, Ys));
        add(damping, along(M, Yu));
      }
      if (S.some((v) => v !== 0)) {
        subtract(stiffness, matrixProduct(damping, S, m, m, m));
        subtract(damping, matrixProduct(mass, S, m, m, m));
      }
      return {
        model,
        layout,
        q,
        u,
        t,
        m,
        basis,
        mass,
        damping,
        stiffness,
        imbalance: transposedProduct(basis, r0, nu, m, 1).map((v) => -v),
        misfit,
        opening,
        leftOut: layout.elements.filter((e) => e.apply !== undefined || (e.friction?.length ?? 0) > 0).map((e) => e.name),
      };
    },
  };
}

/** @throws ArgumentError for a state of the wrong size, or one that is not finite. */
function checkState(model: Model, q: Float64Array, u: Float64Array): void {
  const names = coordinateNames(model);
  for (const [what, values] of Object.entries({ q, u }) as ["q" | "u", Float64Array][]) {
    const expected = names[what].length;
    if (values.length !== expected)
      throw new ArgumentError(what, `must have ${expected} numbers, as ${model.name} has, got ${values.length}`);
    const invalid = values.findIndex((v) => !Number.isFinite(v));
    if (invalid >= 0)
      throw new ArgumentError(`${what}.${names[what][invalid]}`, `must be a finite number, got ${values[invalid]}`);
  }
}

const add = (A: Float64Array, B: Float64Array): void => {
  for (let i = 0; i < A.length; i++) A[i]! += B[i]!;
};

const subtract = (A: Float64Array, B: Float64Array): void => {
  for (let i = 0; i < A.length; i++) A[i]! -= B[i]!;
};

/** u̇ and the multipliers at the state itself, with the locked freedoms held. */
function accelerationsAndMultipliers(
  M: Float64Array,
  mass: Float64Array,
  loops: LoopNullSpace,
  r0: Float64Array,
  bias: Float64Array,
  nu: number,
  m: number,
): { readonly udot: Float64Array; readonly lambda: Float64Array } {
  const udot = loops.closing(bias, 1);
  const force = matrixProduct(M, udot, nu, nu, 1);
  add(force, r0);
  const alpha = transposedProduct(loops.basis, force, nu, m, 1).map((v) => -v);
  massSolver(mass, m)(alpha);
  add(udot, matrixProduct(loops.basis, alpha, nu, m, 1));
  const constraintForce = matrixProduct(M, udot, nu, nu, 1);
  add(constraintForce, r0);
  return { udot, lambda: loops.multipliers(constraintForce) };
}

/** Solver in place for a positive definite matrix. @throws SingularError if it is not positive definite. */
export function massSolver(mass: Float64Array, m: number): (b: Float64Array) => void {
  const cholesky = choleskySolver(m);
  const failedPivot = cholesky.factor(mass);
  if (failedPivot >= 0) throw new SingularError("the mass matrix is singular there: a freedom moves no mass");
  return (b) => cholesky.solve(b);
}

/** Indices of the speeds that are not locked. */
function freeSpeeds(model: Model, locked: readonly string[]): readonly number[] {
  const names = coordinateNames(model).u;
  const lockedSpeeds = new Set<number>();
  for (const name of locked) {
    const hinge = model.bodies.find((b) => b.hinge.name === name)?.hinge;
    const index = names.indexOf(name);
    if (hinge) for (let i = 0; i < hinge.nu; i++) lockedSpeeds.add(hinge.u + i);
    else if (index >= 0) lockedSpeeds.add(index);
    else {
      const known = new Set([...model.bodies.filter((b) => b.hinge.nu > 0).map((b) => b.hinge.name), ...names]);
      throw new ModelError(model.name, [
        { path: "locked", message: "no hinge or freedom of this name", value: name, advice: didYouMean(name, known) },
      ]);
    }
  }
  return names.flatMap((_, i) => (lockedSpeeds.has(i) ? [] : [i]));
}

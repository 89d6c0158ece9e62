/** Clamped rods and their characteristic values: frequencies and static compliances of the tip. */
import { linearise } from "../../analysis/linearise.ts";
import { modesOf } from "../../analysis/modes/modes.ts";
import { complianceOf } from "../../analysis/statics.ts";
import { createModel } from "../../model/build/create-model.ts";
import type { BodyDescription, ElasticDescription } from "../../model/description.ts";
import type { Model } from "../../model/model.ts";
import type { ValidationRow } from "../validation.ts";

export const row = (
  quantity: string,
  unit: string,
  expected: readonly number[],
  ours: readonly number[],
  tolerance: number,
): ValidationRow => ({ quantity, unit, expected, ours, tolerance });

const tip = { along: { frame: "tip", along: [0, 1, 0] }, about: { frame: "tip", about: [0, 0, 1] } } as const;

/** Frequencies in Hz, then the tip compliances u_P, φ_P and φ_M. */
export function alphaOf(model: Model): readonly number[] {
  const linear = linearise(model);
  const C = complianceOf(linear, [tip.along, tip.about]);
  return [...modesOf(linear).map((m) => m.frequency), C[0]![0]!, C[0]![1]!, C[1]![1]!];
}

/** Roots of cos λ cosh λ = -1. */
export const ROOTS = [1.8751040687119611, 4.694091132974175, 7.854757438237613] as const;

/** A rod of L = μ = 1, clamped, that bends in the x-y plane, with an optional mass at its tip. */
export const cantilever = (elastic: Partial<ElasticDescription>, tipMass = 0): Model =>
  createModel({
    name: "cantilever",
    bodies: [
      {
        name: "rod",
        elastic: { length: 1, massPerLength: 1, freedoms: ["rz"], ...elastic },
        hinge: { kind: "fixed" },
        frames: { tip: { at: [1, 0, 0] } },
      },
      ...(tipMass > 0 ? [loadOf(tipMass)] : []),
    ],
  });

const loadOf = (mass: number): BodyDescription => ({
  name: "load",
  parent: "rod",
  mass,
  inertia: "none",
  hinge: { kind: "fixed", at: [1, 0, 0] },
});

export const EI = { bendingStiffness: 1 } as const;

/** Errors in % relative to the Euler-Bernoulli beam, of at most three frequencies and of u_P, φ_P, φ_M. */
export function errorsOf(model: Model): { readonly f: readonly number[]; readonly statics: readonly number[] } {
  const alpha = alphaOf(model);
  const percent = (ours: number, exact: number): number => 100 * (ours / exact - 1);
  return {
    f: alpha.slice(0, Math.min(3, alpha.length - 3)).map((f, i) => percent(2 * Math.PI * f, ROOTS[i]! ** 2)),
    statics: alpha.slice(-3).map((v, i) => percent(v, [1 / 3, 1 / 2, 1][i]!)),
  };
}

/** A rod as virtual links, clamped at its root: its measurable quantities as functions of cut positions and stiffnesses. */
import { checkMembers, checkPositive } from "../../arguments.ts";
import { hyperbolicCosine, hyperbolicTangent } from "../../math/elementary/exponential.ts";
import { integerPower } from "../../math/elementary/power.ts";
import { cosine, sine } from "../../math/elementary/sincos.ts";
import { clampedModes } from "../../model/elastic/joints.ts";

export interface RodData {
  readonly length: number;
  readonly mass: number;
  /** For the rotary inertia of the links; zero if not given. */
  readonly diameter?: number;
}

/** @throws ArgumentError if `rod` is not the data of a rod */
export function checkRod(rod: RodData): void {
  checkMembers("rod", rod, [], "an object with length and mass");
  checkPositive("rod.length", rod.length);
  checkPositive("rod.mass", rod.mass);
}

/** Largest number of virtual links that can be identified. */
export const MAX_LINKS = 13;

/** Kinds of static measurement at the tip, for a force P or a moment M there. */
export const STATIC_KINDS = ["deflection-by-force", "slope-by-force", "deflection-by-moment", "slope-by-moment"] as const;
export type StaticKind = (typeof STATIC_KINDS)[number];

/** Mass matrix of the clamped rod in its joint angles, for cuts at given distances from the root and a tip mass. */
export function rodMass({ length, mass, diameter = 0 }: RodData, at: readonly number[], tipMass: number): Float64Array {
  const n = at.length;
  const M = new Float64Array(n * n);
  const edges = [...at, length];
  for (let i = 0; i < n; i++)
    for (let j = 0; j <= i; j++) {
      let sum = tipMass * (length - at[i]!) * (length - at[j]!);
      for (let s = i; s < n; s++) {
        const l = edges[s + 1]! - edges[s]!;
        const m = (mass * l) / length;
        const c = edges[s]! + l / 2;
        sum += m * ((c - at[i]!) * (c - at[j]!) + (l * l) / 12 + (diameter * diameter) / 16);
      }
      M[i * n + j] = M[j * n + i] = sum;
    }
  return M;
}

/** Natural frequencies in Hz, slowest first. */
export function rodFrequencies(rod: RodData, at: readonly number[], k: readonly number[], tipMass: number): Float64Array {
  const M = rodMass(rod, at, tipMass);
  if (k.length !== 2) return clampedModes(M, k).omega.map((w) => w / (2 * Math.PI));
  // det M ω⁴ - (M22 k1 + M11 k2) ω² + k1 k2 = 0 [eq. 3]
  const [m11, m12, , m22] = M as unknown as [number, number, number, number];
  const det = m11 * m22 - m12 * m12;
  const b = m22 * k[0]! + m11 * k[1]!;
  const root = Math.sqrt(Math.max(0, b * b - 4 * det * k[0]! * k[1]!));
  const slow = (2 * k[0]! * k[1]!) / (b + root);
  return Float64Array.of(Math.sqrt(slow), Math.sqrt((b + root) / (2 * det))).map((w) => w / (2 * Math.PI));
}

/** Compliance of the tip [eq. 6]. */
export function rodCompliance({ length }: RodData, at: readonly number[], k: readonly number[], kind: StaticKind): number {
  const power = kind === "deflection-by-force" ? 2 : kind === "slope-by-moment" ? 0 : 1;
  return at.reduce((sum, x, j) => sum + integerPower(length - x, power) / k[j]!, 0);
}

/**
 * λ of mode 1, 2, ... of a uniform clamped rod with `ratio` times its own mass on the tip, ω = λ² √(EI / (μ L⁴)): the root of
 * 1 + cos λ cosh λ + ratio λ (cos λ sinh λ - sin λ cosh λ) = 0, by bisection between the roots for a pinned and a free tip.
 */
export function beamRoot(mode: number, ratio = 0): number {
  const f = (x: number): number =>
    // divided by cosh λ, which would overflow
    1 / hyperbolicCosine(x) + cosine(x) + ratio * x * (cosine(x) * hyperbolicTangent(x) - sine(x));
  let [low, high] = [mode === 1 ? 1e-6 : (mode - 1 + 0.2) * Math.PI, (mode - 0.5) * Math.PI + (mode === 1 ? 0.5 : 0.1)];
  const start = Math.sign(f(low));
  for (let i = 0; i < 80; i++) {
    const middle = (low + high) / 2;
    if (Math.sign(f(middle)) === start) low = middle;
    else high = middle;
  }
  return (low + high) / 2;
}

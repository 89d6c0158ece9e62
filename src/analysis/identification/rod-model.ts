/** A rod as virtual links, clamped at its root: its measurable quantities as functions of cut positions and stiffnesses. */
import { checkMembers, checkPositive } from "../../arguments.ts";
import { hyperbolicCosine, hyperbolicTangent } from "../../math/elementary/exponential.ts";
import { integerPower, square } from "../../math/elementary/power.ts";
import { cosine, sine } from "../../math/elementary/sincos.ts";
import { clampedModes } from "../../model/elastic/joints.ts";

export interface RodData {
  readonly length: number;
  readonly mass: number;
  /** Diameter of a round rod, or extent of a box along y (width) and z (height), m. For the rotary inertia of the links; zero if not given. */
  readonly diameter?: number;
  readonly width?: number;
  readonly height?: number;
  /** Inertia of the sections about x per length, kg m; that of the section if not given. */
  readonly polarInertia?: number;
}

/** Freedoms of the joints: bending about z (in the plane x-y), bending about y (in the plane x-z), and twist about x [eq. 3, 4, 5]. */
export type RodFreedom = "rz" | "ry" | "rx";
export const ROD_FREEDOMS: readonly RodFreedom[] = ["rz", "ry", "rx"];

/** What a rod carries on its tip, and how it is divided into links. */
export interface RodCase {
  /** Default "rz". */
  readonly freedom?: RodFreedom;
  /** Positions where the mass is divided between the links, from the root, m. Default: the positions of the joints. */
  readonly cuts?: readonly number[];
  /** Mass on the tip, kg, and its inertia about the axis of the freedom, kg m². */
  readonly tipMass?: number;
  readonly tipInertia?: number;
}

/** Square of the radius of gyration of the sections about the axis of a freedom, m². */
export function gyration({ length, mass, diameter, width, height, polarInertia }: RodData, freedom: RodFreedom): number {
  if (freedom === "rx" && polarInertia !== undefined) return (polarInertia * length) / mass;
  const [y, z] =
    diameter === undefined ? [square(width ?? 0) / 12, square(height ?? 0) / 12] : [square(diameter) / 16, square(diameter) / 16];
  return freedom === "rz" ? y : freedom === "ry" ? z : y + z;
}

/** @throws ArgumentError if `rod` is not the data of a rod */
export function checkRod(rod: RodData): void {
  checkMembers("rod", rod, [], "an object with length and mass");
  checkPositive("rod.length", rod.length);
  checkPositive("rod.mass", rod.mass);
  for (const key of ["diameter", "width", "height", "polarInertia"] as const)
    if (rod[key] !== undefined) checkPositive(`rod.${key}`, rod[key]);
}

/** Largest number of virtual links that can be identified. */
export const MAX_LINKS = 13;

/** Kinds of static measurement at the tip, for a force P or a moment M there, or a torque about the rod. */
export const STATIC_KINDS = [
  "deflection-by-force",
  "slope-by-force",
  "deflection-by-moment",
  "slope-by-moment",
  "twist-by-torque",
] as const;
export type StaticKind = (typeof STATIC_KINDS)[number];

/**
 * Mass matrix of the clamped rod in its joint angles, for joints at given distances from the root [eq. 2 to 5]. Link i, behind joint i, has
 * the mass between its cut and the next one; without the constraint that joints lie at the cuts, that part may begin before or behind the joint.
 */
export function rodMass(
  rod: RodData,
  at: readonly number[],
  { freedom = "rz", cuts = at, tipMass = 0, tipInertia = 0 }: RodCase = {},
): Float64Array {
  const { length, mass } = rod;
  const n = at.length;
  const M = new Float64Array(n * n);
  const edges = [...cuts, length];
  const rotary = gyration(rod, freedom);
  // Twist turns every part about the rod itself.
  const arm = (x: number, i: number): number => (freedom === "rx" ? 0 : x - at[i]!);
  for (let i = 0; i < n; i++)
    for (let j = 0; j <= i; j++) {
      let sum = tipMass * arm(length, i) * arm(length, j) + tipInertia;
      for (let s = i; s < n; s++) {
        const l = edges[s + 1]! - edges[s]!;
        const m = (mass * l) / length;
        const c = edges[s]! + l / 2;
        sum += m * (arm(c, i) * arm(c, j) + (freedom === "rx" ? 0 : (l * l) / 12) + rotary);
      }
      M[i * n + j] = M[j * n + i] = sum;
    }
  return M;
}

/** Natural frequencies in Hz, slowest first. */
export function rodFrequencies(rod: RodData, at: readonly number[], k: readonly number[], rodCase: RodCase = {}): Float64Array {
  const M = rodMass(rod, at, rodCase);
  if (k.length !== 2) return clampedModes(M, k).omega.map((w) => w / (2 * Math.PI));
  // det M ω⁴ - (M22 k1 + M11 k2) ω² + k1 k2 = 0 [eq. 3 to 5]
  const [m11, m12, , m22] = M as unknown as [number, number, number, number];
  const det = m11 * m22 - m12 * m12;
  const b = m22 * k[0]! + m11 * k[1]!;
  const root = Math.sqrt(Math.max(0, b * b - 4 * det * k[0]! * k[1]!));
  const slow = (2 * k[0]! * k[1]!) / (b + root);
  return Float64Array.of(Math.sqrt(slow), Math.sqrt((b + root) / (2 * det))).map((w) => w / (2 * Math.PI));
}

/** Compliance of the tip [eq. 6]; for a torque about the rod the sum of the compliances of the joints. */
export function rodCompliance({ length }: RodData, at: readonly number[], k: readonly number[], kind: StaticKind): number {
  const power = kind === "deflection-by-force" ? 2 : kind === "slope-by-moment" || kind === "twist-by-torque" ? 0 : 1;
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

/**
 * β of mode 1, 2, ... of the twist of a uniform clamped rod with `ratio` times its own polar inertia on the tip, ω = β √(GJ / (I_p L²)): the
 * root of cos β = ratio β sin β, by bisection.
 */
export function torsionRoot(mode: number, ratio = 0): number {
  let [low, high] = [(mode - 1) * Math.PI, (mode - 0.5) * Math.PI];
  const sign = mode % 2 === 1 ? 1 : -1;
  for (let i = 0; i < 80; i++) {
    const middle = (low + high) / 2;
    if (sign * (cosine(middle) - ratio * middle * sine(middle)) > 0) low = middle;
    else high = middle;
  }
  return (low + high) / 2;
}

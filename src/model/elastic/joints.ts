/** The rigid links of an elastic body, and the springs and dampers between them. */

import { childPath } from "../../declare/plain-data.ts";
import { type Problem, valueText } from "../../errors.ts";
import { symmetricEigen } from "../../math/eigen/symmetric-eigen.ts";
import { tridiagonalEigen } from "../../math/eigen/tridiagonal-eigen.ts";
import { square } from "../../math/elementary/power.ts";
import type { ElasticDescription } from "../description.ts";
import { momentIntegrals, taperedJointPositions, uniformJointPositions } from "./joint-positions.ts";
import type { JointFreedom, Rod } from "./rod.ts";

export const MAX_JOINTS = 500;
export const DEFAULT_JOINTS = 4;

/** A joint at a distance from the root. Stiffness and damping are in the order of the rod's freedoms. */
export interface ElasticJoint {
  readonly at: number;
  /** Where the mass is divided between the links before and behind the joint, if not at the joint. */
  readonly cut?: number;
  readonly stiffness: readonly number[];
  readonly damping: readonly number[];
}

/** A rigid link between two joints, in its own frame at the joint nearer to the root. */
export interface Segment {
  readonly from: number;
  readonly to: number;
  readonly mass: number;
  readonly com: number;
  readonly inertia: readonly [number, number, number];
}

/** Panels of Simpson's rule along one segment. */
const PANELS = 128;

export function segmentsOf(rod: Rod, joints: readonly Pick<ElasticJoint, "at" | "cut">[]): readonly Segment[] {
  const edges = [0, ...joints.map(({ at }) => at), rod.length];
  const cuts = [0, ...joints.map(({ at, cut = at }) => cut), rod.length];
  return edges.slice(1).map((to, i): Segment => {
    const from = edges[i]!;
    const part = segmentBetween(rod, cuts[i]!, cuts[i + 1]!);
    return { ...part, from, to, com: cuts[i]! - from + part.com };
  });
}

/** Mass, mass centre (from its beginning) and inertia of a part of the rod. */
function segmentBetween(
  { length, uniform, mass, rotary }: Rod,
  from: number,
  to: number,
): Pick<Segment, "mass" | "com" | "inertia"> {
  const l = to - from;
  const integrate = (f: (x: number) => number): number => {
    if (uniform) return f(from + l / 2) * l; // below, the functions are constant for a uniform rod
    const h = l / PANELS;
    let sum = f(from) + f(to);
    for (let i = 1; i < PANELS; i++) sum += (i % 2 === 1 ? 4 : 2) * f(from + i * h);
    return (sum * h) / 3;
  };
  const relative = (x: number): number => x / length;
  const m = integrate((x) => mass(relative(x)));
  const com = uniform || m === 0 ? l / 2 : integrate((x) => mass(relative(x)) * (x - from)) / m;
  const transverse = uniform ? (m * l * l) / 12 : integrate((x) => mass(relative(x)) * square(x - from - com));
  return {
    mass: m,
    com,
    inertia: [
      integrate((x) => rotary.x(relative(x))),
      transverse + integrate((x) => rotary.y(relative(x))),
      transverse + integrate((x) => rotary.z(relative(x))),
    ],
  };
}

/** The joints of a rod: a number of joints, which the rules place, or a list. */
export function jointsOf(
  joints: NonNullable<ElasticDescription["joints"]>,
  rod: Rod,
  path: string,
  problems: Problem[],
): readonly ElasticJoint[] | undefined {
  if (typeof joints !== "number") return listedJoints(joints, rod, path, problems);
  const { length, uniform, freedoms, stiffness } = rod;
  // Twist and stretch depend on the sum of the compliances only. So one joint takes all of it, not the share that is right for bending.
  const shareOf = (f: JointFreedom, weight: number): number => (joints === 1 && (f === "x" || f === "rx") ? 1 : weight);
  if (uniform) {
    const { at, weights } = uniformJointPositions(joints);
    return at.map((x, j) => ({
      at: x * length,
      stiffness: freedoms.map((f) => stiffness[f]!(0) / (shareOf(f, weights[j]!) * length)),
      damping: freedoms.map(() => 0),
    }));
  }
  const compliances = freedoms.map(
    (f) =>
      (x: number): number =>
        1 / stiffness[f]!(x),
  );
  const { at, weights } = taperedJointPositions(joints, compliances);
  const totals = compliances.map((c) => momentIntegrals(c)[0].at(-1)!);
  if (weights.flat().some((w) => !(w > 0))) {
    problems.push({
      path,
      message: "the taper is too strong for so few joints",
      value: valueText(joints),
      advice: "Give more of them",
    });
    return undefined;
  }
  return at.map((x, j) => ({
    at: x * length,
    stiffness: freedoms.map((f, i) => 1 / (shareOf(f, weights[i]![j]!) * totals[i]! * length)),
    damping: freedoms.map(() => 0),
  }));
}

function listedJoints(
  items: readonly ListedJoint[],
  rod: Rod,
  path: string,
  problems: Problem[],
): readonly ElasticJoint[] | undefined {
  const before = problems.length;
  const joints = items.map(({ at, cut, stiffness, damping }, i): ElasticJoint => {
    const jointPath = childPath(path, i);
    if (cut !== undefined || items[i - 1]?.cut !== undefined) checkCut(items, i, rod.length, jointPath, problems);
    if (!(at > (items[i - 1]?.at ?? 0) - (i === 0 ? 1e-300 : 0) && at < rod.length))
      problems.push({
        path: childPath(jointPath, "at"),
        message:
          i === 0
            ? `must lie between the root and the tip at ${rod.length} m`
            : "must lie beyond the joint before it, and before the tip",
        value: valueText(at),
      });
    return {
      at,
      ...(cut !== undefined && { cut }),
      stiffness: perFreedom(stiffness, rod.freedoms, childPath(jointPath, "stiffness"), problems),
      damping:
        damping === undefined
          ? rod.freedoms.map(() => 0)
          : perFreedom(damping, rod.freedoms, childPath(jointPath, "damping"), problems),
    };
  });
  return problems.length > before ? undefined : joints;
}

/** Reports a cut that is not between root and tip, or not beyond the cut before it. */
function checkCut(items: readonly ListedJoint[], i: number, length: number, jointPath: string, problems: Problem[]): void {
  const cutOf = ({ at, cut = at }: ListedJoint): number => cut;
  const [cut, least] = [cutOf(items[i]!), i === 0 ? 0 : cutOf(items[i - 1]!)];
  if (cut < length && (i === 0 ? cut >= least : cut > least)) return;
  problems.push({
    path: childPath(jointPath, "cut"),
    message:
      i === 0 ? `must lie between the root and the tip at ${length} m` : "must lie beyond the cut before it, and before the tip",
    value: valueText(cut),
  });
}

type ListedJoint = Exclude<NonNullable<ElasticDescription["joints"]>, number>[number];

function perFreedom(
  value: number | readonly number[],
  freedoms: readonly JointFreedom[],
  path: string,
  problems: Problem[],
): readonly number[] {
  const numbers = typeof value === "number" ? [value] : value;
  if (numbers.length !== freedoms.length)
    problems.push({ path, message: `must have one number for each of ${freedoms.join(", ")}`, value: valueText(value) });
  return numbers;
}

/** The mass matrix of the clamped body in the angles (or stretches) of its joints, for small motions in one freedom. */
export function clampedMass(freedom: JointFreedom, joints: readonly ElasticJoint[], segments: readonly Segment[]): Float64Array {
  const n = joints.length;
  const M = new Float64Array(n * n);
  // The part behind joint i turns rigidly about joint j ≤ i: its mass, and its moments about joint i.
  let [mass, first, second] = [0, 0, 0];
  for (let i = n - 1; i >= 0; i--) {
    const segment = segments[i + 1]!;
    const segmentLength = segment.to - segment.from;
    // From joint i + 1 to joint i. Twist is about the rod itself, so it has no such part.
    if (freedom !== "rx") second += 2 * segmentLength * first + segmentLength * segmentLength * mass;
    first += segmentLength * mass;
    mass += segment.mass;
    first += segment.mass * segment.com;
    second +=
      freedom === "rx" ? segment.inertia[0] : segment.mass * square(segment.com) + segment.inertia[freedom === "ry" ? 1 : 2];
    for (let j = 0; j <= i; j++) {
      const distance = joints[i]!.at - joints[j]!.at;
      const value = freedom === "x" ? mass : freedom === "rx" ? second : second + distance * first;
      M[i * n + j] = M[j * n + i] = value;
    }
  }
  return M;
}

/** The lowest ω of the clamped body, by powers of K⁻¹ M. The next one is three to six times as large, so a dozen steps converge. */
export function lowestOmega(M: Float64Array, k: readonly number[]): number {
  const n = k.length;
  let x = new Float64Array(n).fill(1);
  let value = 0;
  for (let step = 0; step < 200; step++) {
    const next = new Float64Array(n);
    for (let i = 0; i < n; i++) for (let j = 0; j < n; j++) next[i]! += (M[i * n + j]! * x[j]!) / k[i]!;
    // Rayleigh's quotient in the metric of K; its error is the square of the error of the shape.
    let [top, bottom] = [0, 0];
    for (let i = 0; i < n; i++) {
      top += x[i]! * k[i]! * next[i]!;
      bottom += x[i]! * k[i]! * x[i]!;
    }
    const quotient = top / bottom;
    if (Math.abs(quotient - value) <= 1e-15 * quotient) return 1 / Math.sqrt(quotient);
    value = quotient;
    const size = Math.max(...next);
    x = next.map((v) => v / size);
  }
  return 1 / Math.sqrt(value);
}

/**
 * The joints with a measured first frequency, f: the bending stiffness is scaled so that the body with these joints has it when clamped. The rod
 * itself would have it with the stiffness that was computed from it; few joints miss it by some per cent.
 */
export function withMeasuredFrequency(
  measured: ElasticDescription["measured"],
  { freedoms }: Rod,
  joints: readonly ElasticJoint[],
  segments: readonly Segment[],
): readonly ElasticJoint[] {
  if (measured === undefined || !("frequency" in measured)) return joints;
  const factors = freedoms.map((freedom, i) => {
    if (freedom !== "ry" && freedom !== "rz") return 1;
    const stiffness = joints.map((joint) => joint.stiffness[i]!);
    return square((2 * Math.PI * measured.frequency) / lowestOmega(clampedMass(freedom, joints, segments), stiffness));
  });
  return joints.map((joint) => ({ ...joint, stiffness: joint.stiffness.map((k, i) => k * factors[i]!) }));
}

/** For more joints than this QL steps are used, with errors relative to the slowest mode. Jacobi's rotations would take seconds. */
const MAX_JACOBI_JOINTS = 40;

/** ω ascending and mass-normalised shapes in columns, of the clamped body. K is diagonal, so the lowest ω have all their digits. */
export function clampedModes(
  M: Float64Array,
  k: readonly number[],
): { readonly omega: Float64Array; readonly shapes: Float64Array } {
  const n = k.length;
  const root = k.map(Math.sqrt);
  const A = M.map((v, i) => v / (root[Math.floor(i / n)]! * root[i % n]!));
  const { values, vectors } = (n > MAX_JACOBI_JOINTS ? tridiagonalEigen : symmetricEigen)(A, n);
  const order = Array.from(values.keys()).sort((a, b) => values[b]! - values[a]!);
  const shapes = new Float64Array(n * n);
  for (const [c, from] of order.entries())
    for (let i = 0; i < n; i++) shapes[i * n + c] = vectors[i * n + from]! / (root[i]! * Math.sqrt(values[from]!));
  return { omega: Float64Array.from(order, (c) => 1 / Math.sqrt(values[c]!)), shapes };
}

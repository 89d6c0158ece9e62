/**
 * Equations of a free-flying robot [Yoshida, Kurazume, Umetani 1991, corrected]: a free base that carries any number of arms,
 * wheels and gimbals. With u_b the speed of the base (angular, then linear of the free hinge's origin) and φ̇ the speeds of the
 * hinges that it carries
 *
 *   [ H_s  H_m ] [u̇_b]   [c_b]   [0]          ν = J_s u_b + J_m φ̇        velocities of frames
 *   [ H_mᵀ H_φ ] [φ̈  ] + [c_φ] = [τ]    (1)   h = H_s u_b + H_m φ̇        momentum at the base's origin     (2)
 *
 * No force drives the base, so the first row gives u̇_b, and the momentum gives u_b:
 *
 *   J_b = -H_s⁻¹ H_m,  a_b = -H_s⁻¹ c_b:        u̇_b = J_b φ̈ + a_b,  u_b = J_b φ̇ + H_s⁻¹ h                 (3)
 *   H* = H_φ + H_mᵀ J_b,  C* = c_φ + H_mᵀ a_b:  H* φ̈ + C* = τ                                            (4)
 *   J* = J_s J_b + J_m:                         ν = J* φ̇ + drift,  drift = J_s H_s⁻¹ h                    (5)
 *                                               ν̇ = J* φ̈ + bias,   bias = J_s a_b + J̇_s u_b + J̇_m φ̇      (6)
 *
 * (6) holds for any momentum. With zero momentum bias is J̇* φ̇, and no derivative of J* is needed. H_s is the inertia of one rigid body:
 * about the mass centre of the robot it separates into the mass and a 3x3 inertia. It is solved in axes of the base's link, where
 * the mass is a number and not a rotated matrix.
 */
import { lazy } from "../../kernel/run/lazy.ts";
import { add, div, mul, type Scalar, sub } from "../../kernel/trace/scalar.ts";
import type { Frame, Model } from "../../model/model.ts";
import { apply, type Mat3, transpose } from "../../spatial/rotation.ts";
import { inverseSymmetric, symmetricMatrix } from "../../spatial/symmetric.ts";
import { cross, dot, minus, negate, plus, scale, type Vec3 } from "../../spatial/vec3.ts";
import type { Force } from "../../spatial/vectors.ts";
import { toHingeAxes } from "../tree/articulated-body.ts";
import { frameBias, frameJacobian, frameOnLink, framePose, type PlacedLink, placementsOfLinks } from "../tree/kinematics.ts";
import { rotationFL } from "../tree/link.ts";
import { type LinkTree, linkTreeOf } from "../tree/link-tree.ts";
import { massMatrix } from "../tree/mass-matrix.ts";
import { inverseDynamicsInLinkAxes } from "../tree/newton-euler.ts";
import type { Robot } from "./robot.ts";

/** A velocity or force of the base: the angular part, then the linear part. */
type SpatialPair = readonly [Vec3, Vec3];
type ScalarRows = readonly (readonly Scalar[])[];

const pairOf = (v: readonly Scalar[]): SpatialPair => [v.slice(0, 3) as unknown as Vec3, v.slice(3, 6) as unknown as Vec3];
const rotatePair = (R: Mat3, [a, b]: SpatialPair): SpatialPair => [apply(R, a), apply(R, b)];
const negatedPair = ([a, b]: SpatialPair): SpatialPair => [negate(a), negate(b)];
const rowProduct = (a: readonly Scalar[], b: readonly Scalar[]): Scalar =>
  a.reduce<Scalar>((sum, x, i) => add(sum, mul(x, b[i]!)), 0);
const transposed = (rows: ScalarRows): Scalar[][] => (rows[0] ?? []).map((_, j) => rows.map((row) => row[j]!));

/** Every quantity of (1) to (6) at a state. Matrices are listed by rows; those of several frames follow each other. */
export function freeFlyingQuantities(
  model: Model<Scalar>,
  robot: Robot,
  frames: readonly Frame<Scalar>[],
  q: readonly Scalar[],
  u: readonly Scalar[],
  external: (tree: LinkTree) => readonly (Force | undefined)[],
) {
  const tree = linkTreeOf(model);
  const link = tree.links[tree.bodies[robot.base.index]!.link]!;
  const placements = placementsOfLinks(tree, q);
  const R_FL = rotationFL(link, q);
  const R_WL = placements[link.index]!.R;
  const others = tree.links.filter((l) => l !== link && !l.element.screw);
  const { speeds } = robot;
  const baseSpeeds = Array.from({ length: 6 }, (_, i) => link.u + i);
  const baseEntries = <T>(all: readonly T[]): T[] => baseSpeeds.map((i) => all[i]!);
  const hingeEntries = <T>(all: readonly T[]): T[] => speeds.map((i) => all[i]!);
  const toHinge = (v: SpatialPair): Scalar[] => rotatePair(R_FL, v).flat();

  // Below, the base's rows and columns are in link axes. The outputs rotate them to hinge axes.
  const M = massMatrix(tree, q, link);
  const H_s = baseEntries(M).map(baseEntries);
  const H_m = baseEntries(M).map(hingeEntries);
  const H_phi = hingeEntries(M).map(hingeEntries);
  const solve = baseSolver(H_s);
  const J_b = lazy(() => transposed(H_m).map((column) => negatedPair(solve(pairOf(column)))));

  const c = lazy(() => {
    const all = inverseDynamicsInLinkAxes(tree, q, u, new Array<Scalar>(tree.nu).fill(0), external(tree));
    for (const l of others) {
      const rotated = toHingeAxes(l, q, all.slice(l.u, l.u + l.element.nu));
      for (const [k, value] of rotated.entries()) all[l.u + k] = value;
    }
    return all;
  });
  const a_b = lazy(() => negatedPair(solve(pairOf(baseEntries(c())))));
  const h = lazy(() => {
    const u_b = rotatePair(transpose(R_FL), pairOf(baseEntries(u))).flat();
    return pairOf(H_s.map((row, i) => add(rowProduct(row, u_b), rowProduct(H_m[i]!, hingeEntries(u)))));
  });
  const momentumSpeed = lazy(() => solve(h()));

  const jacobians = lazy(() => frames.map((f) => frameJacobian(tree, placements, f)));
  /** J_s times a velocity of the base in link axes: the velocity of a frame, world axes. */
  const velocityByBase = (frame: Frame<Scalar>, [w, v]: SpatialPair): Scalar[] => {
    const angular = apply(R_WL, w);
    return [...angular, ...plus(apply(R_WL, v), cross(angular, baseToFrame(tree, placements, link.index, frame)))];
  };

  return {
    Hs: () => {
      const rows = transposed(H_s.map((row) => toHinge(pairOf(row)))); // H Rᵀ, then R H Rᵀ
      return transposed(rows.map((row) => toHinge(pairOf(row)))).flat();
    },
    Hm: () => transposed(transposed(H_m).map((column) => toHinge(pairOf(column)))).flat(),
    Hphi: () => H_phi.flat(),
    c: () => [...toHinge(pairOf(baseEntries(c()))), ...hingeEntries(c())],
    Js: () => jacobians().flatMap((J) => J.flatMap(baseEntries)),
    Jm: () => jacobians().flatMap((J) => J.flatMap(hingeEntries)),
    Jb: () => transposed(J_b().map(toHinge)).flat(),
    ab: () => toHinge(a_b()),
    baseDrift: () => toHinge(momentumSpeed()),
    Hstar: () => schurComplement(H_phi, H_m, J_b()).flat(),
    Cstar: () => transposed(H_m).map((column, j) => add(hingeEntries(c())[j]!, rowProduct(column, a_b().flat()))),
    Jstar: () =>
      frames.flatMap((frame, f) => {
        const byBase = transposed(J_b().map((column) => velocityByBase(frame, column)));
        return jacobians()[f]!.flatMap((row, i) => hingeEntries(row).map((value, j) => add(byBase[i]![j]!, value)));
      }),
    drift: () => frames.flatMap((frame) => velocityByBase(frame, momentumSpeed())),
    bias: () =>
      frames.flatMap((frame) => {
        const biasOfHinges = frameBias(tree, placements, q, u, frame);
        return velocityByBase(frame, a_b()).map((value, i) => add(value, biasOfHinges[i]!));
      }),
    pose: () =>
      frames.flatMap((frame) => {
        const { R, p } = framePose(tree, placements, frame);
        return [...R.flat(), ...p];
      }),
    velocity: () => jacobians().flatMap((J) => J.map((row) => rowProduct(row, u))),
    momentum: () => {
      const [angular, linear] = rotatePair(R_WL, h());
      return [...plus(angular, cross(placements[link.index]!.offset, linear)), ...linear];
    },
    spin: () => {
      const [angular, linear] = h();
      return [...apply(R_FL, minus(angular, cross(massCentreOf(H_s), linear)))];
    },
  } satisfies Record<string, () => Scalar[]>;
}

/**
 * All speeds of a robot whose mass centre is at rest, from the hinge speeds φ̇ and from the angular momentum `spin` about the mass centre
 * (in axes of the base's hinge): H_s u_b = (spin, 0) - H_m φ̇. Hinge torques do not depend on the motion of the mass centre.
 */
export function speedsAtSpin(
  model: Model<Scalar>,
  robot: Robot,
  q: readonly Scalar[],
  rates: readonly Scalar[],
  spin: readonly Scalar[],
): Scalar[] {
  const tree = linkTreeOf(model);
  const link = tree.links[tree.bodies[robot.base.index]!.link]!;
  const R_FL = rotationFL(link, q);
  const M = massMatrix(tree, q, link);
  const rows = Array.from({ length: 6 }, (_, i) => M[link.u + i]!);
  const H_s = rows.map((row) => row.slice(link.u, link.u + 6));
  const spinMomentum = [...apply(transpose(R_FL), spin as unknown as Vec3), 0, 0, 0];
  const baseMomentum = rows.map((row, i) =>
    sub(
      spinMomentum[i]!,
      rowProduct(
        robot.speeds.map((j) => row[j]!),
        rates,
      ),
    ),
  );
  const u = new Array<Scalar>(model.nu).fill(0);
  for (const [k, j] of robot.speeds.entries()) u[j] = rates[k]!;
  for (const [i, value] of rotatePair(R_FL, baseSolver(H_s)(pairOf(baseMomentum)))
    .flat()
    .entries())
    u[link.u + i] = value;
  return u;
}

/** Vector from the origin of the base's link to the origin of a frame on the robot, world axes. */
function baseToFrame(tree: LinkTree, placements: readonly PlacedLink[], base: number, frame: Frame<Scalar>): Vec3 {
  const { link, placement } = frameOnLink(tree, frame);
  let reach = apply(placements[link]!.R, placement.p);
  for (let i = link; i !== base; i = tree.links[i]!.parent) reach = plus(placements[i]!.offset, reach);
  return reach;
}

/** First moment m c, read from H_s = [[I, m c̃], [-m c̃, m 1]], and the mass centre c. */
const firstMomentOf = (H_s: ScalarRows): Vec3 => [H_s[2]![4]!, H_s[0]![5]!, H_s[1]![3]!];
const massCentreOf = (H_s: ScalarRows): Vec3 => scale(div(1, H_s[3]![3]!), firstMomentOf(H_s));

/** Solves H_s x = b: with c the mass centre, I_c ω = a - c × b and v = b / m - ω × c. */
function baseSolver(H_s: ScalarRows): (rhs: SpatialPair) => SpatialPair {
  const moment = firstMomentOf(H_s);
  const lightness = div(1, H_s[3]![3]!);
  const centre = massCentreOf(H_s);
  const square = dot(moment, centre);
  const entry = (i: 0 | 1 | 2, j: 0 | 1 | 2): Scalar => {
    const steiner = mul(moment[i], centre[j]);
    return add(H_s[i]![j]!, i === j ? sub(steiner, square) : steiner); // I_c = I + m c̃ c̃
  };
  const inverse = inverseSymmetric(symmetricMatrix(entry(0, 0), entry(1, 1), entry(2, 2), entry(0, 1), entry(0, 2), entry(1, 2)));
  return ([a, b]) => {
    const w = apply(inverse, minus(a, cross(centre, b)));
    return [w, minus(scale(lightness, b), cross(w, centre))];
  };
}

/** H_φ + H_mᵀ J_b. Only the lower half is computed; the upper half is its copy. */
function schurComplement(H_phi: ScalarRows, H_m: ScalarRows, J_b: readonly SpatialPair[]): Scalar[][] {
  const H = H_phi.map((row) => [...row]);
  const forces = transposed(H_m);
  for (const [i, row] of H_phi.entries())
    for (let j = 0; j <= i; j++) H[i]![j] = H[j]![i] = add(row[j]!, rowProduct(forces[i]!, J_b[j]!.flat()));
  return H;
}

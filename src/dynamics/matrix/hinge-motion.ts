/**
 * Motion of a hinge in the matrix method, between its frames F and M, in F axes: position and velocity of M in F, and the
 * acceleration S u̇ + bias, with nu columns S at M's origin [TR-942 2.2.3, 2.2.4].
 *
 * A hinge is a chain of elements e, each with constant partial velocities in its own axes R_e and with its own origin p_e. With
 * z = R_e angular and y = R_e linear, a unit of speed turns all following elements by z and moves M's origin p by y + z × (p - p_e).
 * The bias is the rate of this column while the preceding elements turn it with ω_e and p moves relative to p_e.
 */
import type { Scalar } from "../../kernel/trace/scalar.ts";
import type { Hinge } from "../../model/model.ts";
import { apply, compose, IDENTITY, type Mat3 } from "../../spatial/rotation.ts";
import { cross, minus, plus, scale, sumVectors, type Vec3, ZERO3 } from "../../spatial/vec3.ts";

/** An angular and a linear part at one point, in one set of axes. */
export interface HingeTwist {
  readonly angular: Vec3;
  readonly linear: Vec3;
}

export interface HingeMotion {
  /** R_FM and the position of M's origin in F. */
  readonly R: Mat3;
  readonly p: Vec3;
  /** S: partial velocities of each speed at M's origin. */
  readonly columns: readonly HingeTwist[];
  /** S u */
  readonly velocity: HingeTwist;
  /** Ṡ u */
  readonly bias: HingeTwist;
}

/** One speed of the chain: z and y, their origin p_e and its velocity, and the angular velocity ω_e of their axes. */
interface ChainColumn {
  readonly u: Scalar;
  readonly z: Vec3;
  readonly y: Vec3;
  readonly origin: Vec3;
  readonly originRate: Vec3;
  readonly turning: Vec3;
}

export function hingeMotion(hinge: Hinge<Scalar>, q: readonly Scalar[], u: readonly Scalar[]): HingeMotion {
  let R: Mat3 = IDENTITY;
  let p: Vec3 = ZERO3;
  let pRate: Vec3 = ZERO3;
  let turning: Vec3 = ZERO3;
  let { q: firstCoordinate, u: firstSpeed } = hinge;
  const chain: ChainColumn[] = [];
  for (const element of hinge.elements) {
    const pose = element.pose(q.slice(firstCoordinate, firstCoordinate + element.nq));
    const step = apply(R, pose.p);
    const elementColumns = element.partials.map(({ angular, linear }, i) => ({
      u: u[firstSpeed + i]!,
      z: apply(R, angular),
      y: apply(R, linear),
    }));
    const origin = plus(p, step);
    const originRate = sumVectors([pRate, cross(turning, step), ...elementColumns.map((c) => scale(c.u, c.y))]);
    for (const c of elementColumns) chain.push({ ...c, origin, originRate, turning });
    R = compose(R, pose.R);
    p = origin;
    pRate = originRate;
    turning = sumVectors([turning, ...elementColumns.map((c) => scale(c.u, c.z))]);
    firstCoordinate += element.nq;
    firstSpeed += element.nu;
  }
  return {
    R,
    p,
    columns: chain.map(({ z, y, origin }) => ({ angular: z, linear: plus(y, cross(z, minus(p, origin))) })),
    velocity: { angular: turning, linear: pRate },
    bias: {
      angular: sumVectors(chain.map((c) => scale(c.u, cross(c.turning, c.z)))),
      linear: sumVectors(chain.map((c) => scale(c.u, columnRate(c, p, pRate)))),
    },
  };
}

/** Rate of y + z × (p - p_e): ω_e × y + (ω_e × z) × (p - p_e) + z × (ṗ - ṗ_e). */
const columnRate = ({ y, z, origin, originRate, turning }: ChainColumn, p: Vec3, pRate: Vec3): Vec3 =>
  sumVectors([cross(turning, y), cross(cross(turning, z), minus(p, origin)), cross(z, minus(pRate, originRate))]);

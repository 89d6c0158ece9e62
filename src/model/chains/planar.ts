import { UnreachableError } from "../../errors.ts";
import { arcCosine, arctangent } from "../../math/elementary/arctangent.ts";
import { hypotenuse } from "../../math/elementary/hypotenuse.ts";
import { sine } from "../../math/elementary/sincos.ts";
import type { NumericVec3 } from "../../spatial/vec3.ts";
import type { Branch, ChainJoint } from "./branch.ts";
import type { Chain, ChainFrame, ChainKind } from "./chain.ts";
import {
  crossProduct,
  difference,
  dotProduct,
  nearestAngle,
  norm,
  parallelSign,
  perpendicularPart,
  TOLERANCE,
  unit,
} from "./chain.ts";

/** Two parallel turns about z, with the crank along x of the chain. Angles of the model are `sign` times those of the chain, minus a zero. */
export interface TwoTurns extends ChainFrame {
  readonly crank: number;
  readonly sign: 1 | -1;
}

export function twoTurns(a: ChainJoint, b: ChainJoint): TwoTurns | string {
  const sign = parallelSign(a.axis, b.axis);
  if (sign === 0) return `the axes of ${a.name} and ${b.name} are not parallel`;
  const z = a.axis;
  const arm = perpendicularPart(difference(b.point, a.point), z);
  if (norm(arm) < TOLERANCE) return `the axes of ${a.name} and ${b.name} are the same line`;
  const x = unit(arm);
  return { origin: a.point, axes: [x, crossProduct(z, x), z], crank: norm(arm), sign };
}

/**
 * The triangle of a crank (a) and a rod (b) from the origin to (x, y) at distance c. s is the elbow: the sign of the angle f3 at the origin, from
 * the point to the elbow. cos p2 = -(a² + b² - c²) / 2ab, sin p2 = -s √(1 - cos²); cos f3 = (a² + c² - b²) / 2ac, p1 = atan2(y, x) + s f3.
 */
export function solveTriangle(
  crank: number,
  rod: number,
  x: number,
  y: number,
  elbow: 1 | -1,
  name: string,
  angles: Float64Array,
): void {
  const reach = hypotenuse(x, y);
  const cosP2 = -(crank * crank + rod * rod - reach * reach) / (2 * crank * rod);
  const cosF3 = (crank * crank + reach * reach - rod * rod) / (2 * crank * reach);
  if (!(Math.abs(cosP2) < 1 && Math.abs(cosF3) < 1))
    throw new UnreachableError(
      `${name}: the point is ${reach} m away in the crank's plane; reached are ${Math.abs(crank - rod)} to ${crank + rod} m`,
    );
  angles[0] = arctangent(y, x) + elbow * arcCosine(cosF3);
  angles[1] = -elbow * arcCosine(cosP2);
}

/** A sentence if the loop does not move in a plane perpendicular to z of the chain. */
const inPlane = ({ normal }: Branch, z: NumericVec3): string | undefined =>
  normal && parallelSign(normal, z) !== 0 ? undefined : "not all turns of the loop, and the axis of what closes it, are parallel";

const PLANAR_CLOSINGS = ["point-on-line", "revolute", "cylindrical"];

export const planarRR: ChainKind = {
  name: "RR",
  about: "In a plane: a crank and a rod on parallel turns, closed by a pin.",
  closedBy: PLANAR_CLOSINGS,
  motions: ["RR"],
  fit(branch): Chain | string {
    const [a, b] = branch.joints;
    const turns = twoTurns(a!, b!);
    if (typeof turns === "string") return turns;
    const [x, y, z] = turns.axes;
    const outOfPlane = inPlane(branch, z);
    if (outOfPlane) return outOfPlane;
    const arm = perpendicularPart(difference(branch.end.p, b!.point), z);
    const rod = norm(arm);
    if (rod < TOLERANCE) return `the pin is on the axis of ${b!.name}`;
    const zero = arctangent(dotProduct(arm, y), dotProduct(arm, x));
    const { crank, sign } = turns;
    const angles = new Float64Array(2);
    return {
      ...turns,
      solve(target, q) {
        const bend = zero + sign * q[b!.q]!;
        solveTriangle(crank, rod, target[0]!, target[1]!, sine(bend) > 0 ? -1 : 1, "RR", angles);
        q[a!.q] = nearestAngle(angles[0]!, q[a!.q]!);
        q[b!.q] = nearestAngle(sign * (angles[1]! - zero), q[b!.q]!);
      },
    };
  },
};

export const planarRP: ChainKind = {
  name: "RP",
  about: "In a plane: a turn, and a slide across it, closed by a pin, which may be beside the slide's line through the hinge.",
  closedBy: PLANAR_CLOSINGS,
  motions: ["RP"],
  fit(branch): Chain | string {
    const [a, b] = branch.joints;
    const [z, x] = [a!.axis, b!.axis];
    const between = dotProduct(x, z);
    if (Math.abs(between) > TOLERANCE)
      return `the slide of ${b!.name} and the axis of ${a!.name} have a cosine of ${between}, not 0`;
    const outOfPlane = inPlane(branch, z);
    if (outOfPlane) return outOfPlane;
    const y = crossProduct(z, x);
    const reach = difference(branch.end.p, a!.point);
    const [zeroLength, offset] = [dotProduct(reach, x), dotProduct(reach, y)];
    return {
      origin: a!.point,
      axes: [x, y, z],
      solve(target, q) {
        const distance = hypotenuse(target[0]!, target[1]!);
        if (!(distance > Math.abs(offset)))
          throw new UnreachableError(
            `RP: the point is ${distance} m away in the plane, and the line of the slide passes at ${Math.abs(offset)} m`,
          );
        const along = (zeroLength + q[b!.q]! < 0 ? -1 : 1) * Math.sqrt(distance * distance - offset * offset);
        q[a!.q] = nearestAngle(arctangent(target[1]!, target[0]!) - arctangent(offset, along), q[a!.q]!);
        q[b!.q] = along - zeroLength;
      },
    };
  },
};

import { UnreachableError } from "../../errors.ts";
import { arctangent } from "../../math/elementary/arctangent.ts";
import { hypotenuse } from "../../math/elementary/hypotenuse.ts";
import { cosine } from "../../math/elementary/sincos.ts";
import type { Branch } from "./branch.ts";
import type { Chain, ChainFrame, ChainKind } from "./chain.ts";
import {
  axisIntersection,
  crossProduct,
  difference,
  dotProduct,
  nearestAngle,
  norm,
  perpendicularPart,
  TOLERANCE,
} from "./chain.ts";

/** Frame of a leg: x = y × z of its two turns, the angle of its slide from x at zero coordinates, and its length there. */
export interface LegFrame extends ChainFrame {
  readonly slideAngle: number;
  readonly length: number;
}

/**
 * The leg frame of a branch: turns about y and z that intersect in O1, and a slide perpendicular to z whose end lies on the line through
 * O1.
 */
export function legFrameOf({ joints, end }: Branch): LegFrame | string {
  const [a, b] = joints;
  const slide = joints.find((j) => !j.turns)!;
  const origin = axisIntersection(a!, b!);
  if (typeof origin === "string") return origin;
  const [y, z] = [a!.axis, b!.axis];
  const x = crossProduct(y, z);
  const between = dotProduct(slide.axis, z);
  if (Math.abs(between) > TOLERANCE)
    return `the slide of ${slide.name} and the axis of ${b!.name} have a cosine of ${between}, not 0`;
  const reach = difference(end.p, origin);
  const distance = norm(perpendicularPart(reach, slide.axis));
  if (distance > TOLERANCE)
    return `the end is ${distance} m beside the line of the slide of ${slide.name} through the hinge's centre`;
  const slideAngle = arctangent(dotProduct(slide.axis, y), dotProduct(slide.axis, x));
  return { origin, axes: [x, y, z], slideAngle, length: dotProduct(reach, slide.axis) };
}

/**
 * p1 about y, p2 about z, p3 along x: L = |y|, ρ = √(yx² + yz²), p1 = atan2(-yz, yx), p2 = atan2(yy, ρ), p3 = L - L0; or, on the other side,
 * p1 + π and π - p2. No division by p1 occurs, which is zero in the initial position.
 */
export function solveLeg(
  target: Float64Array,
  leg: LegFrame,
  q: Float64Array,
  [i, j, k]: readonly [number, number, number],
  name: string,
): void {
  const [x, y, z] = [target[0]!, target[1]!, target[2]!];
  const rho = hypotenuse(x, z);
  if (!(rho > 0))
    throw new UnreachableError(`${name}: the leg is along the axis of its first hinge, whose angle is not determined`);
  const isFlipped = cosine(q[j]! + leg.slideAngle) < 0;
  const p2 = arctangent(y, isFlipped ? -rho : rho);
  const p1 = isFlipped ? arctangent(z, -x) : arctangent(-z, x);
  q[i] = nearestAngle(p1, q[i]!);
  q[j] = nearestAngle(p2 - leg.slideAngle, q[j]!);
  q[k] = hypotenuse(rho, y) - leg.length;
}

export const r2p1r3: ChainKind = {
  name: "R2P1R3",
  about: "A leg: two turns that meet at right angles, a slide on the line through their centre, closed by a ball.",
  closedBy: ["spherical"],
  motions: ["RRP"],
  fit(branch): Chain | string {
    const leg = legFrameOf(branch);
    if (typeof leg === "string") return leg;
    const coordinates = branch.joints.map((j) => j.q) as [number, number, number];
    return { ...leg, axes: leg.axes, solve: (target, q) => solveLeg(target, leg, q, coordinates, "R2P1R3") };
  },
};

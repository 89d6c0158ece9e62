import { UnreachableError } from "../../errors.ts";
import { arctangent } from "../../math/elementary/arctangent.ts";
import { cosine, sine } from "../../math/elementary/sincos.ts";
import type { Chain, ChainKind } from "./chain.ts";
import { axisIntersection, crossProduct, difference, dotProduct, nearestAngle, norm, TOLERANCE } from "./chain.ts";
import { solveTriangle, twoTurns } from "./planar.ts";

/**
 * Crank about z along x. The rod begins with a turn about z, then a perpendicular one about y. With e the offset of the pin along z,
 * h = -(yz - e), sin p3 = h / l23, the rod in the crank's plane l23 cos p3, and in that plane the triangle of the planar chain.
 */
export const r1r2r3: ChainKind = {
  name: "R1R2R3",
  about: "A crank, and on its pin a rod with two turns, the first parallel to the crank's, closed by a ball.",
  closedBy: ["spherical"],
  motions: ["RRR"],
  fit({ joints, end }): Chain | string {
    const [a, b, c] = joints;
    const turns = twoTurns(a!, b!);
    if (typeof turns === "string") return turns;
    const pin = axisIntersection(b!, c!);
    if (typeof pin === "string") return pin;
    const [x, y, z] = turns.axes;
    const arm = difference(end.p, pin);
    const rod = norm(arm);
    if (rod < TOLERANCE) return `the ball is on the axes of ${c!.name}`;
    const between = dotProduct(arm, c!.axis) / rod;
    if (Math.abs(between) > TOLERANCE) return `the rod and the axis of ${c!.name} have a cosine of ${between}, not 0`;
    // `along` is the rod's direction in the plane at p3 = 0; along, the axis of the third turn and z are orthogonal
    const along = crossProduct(c!.axis, z);
    const zero2 = arctangent(dotProduct(along, y), dotProduct(along, x));
    const zero3 = arctangent(-dotProduct(arm, z), dotProduct(arm, along));
    const offset = dotProduct(difference(pin, a!.point), z);
    const { crank, sign } = turns;
    const angles = new Float64Array(2);
    return {
      ...turns,
      solve(target, q) {
        const h = offset - target[2]!;
        if (!(Math.abs(h) < rod))
          throw new UnreachableError(`R1R2R3: the point is ${Math.abs(h)} m off the crank's plane, and the rod has ${rod} m`);
        const inPlane = Math.sqrt(rod * rod - h * h);
        const isFlipped = cosine(q[c!.q]! + zero3) < 0;
        const p3 = isFlipped ? Math.PI - arctangent(h, inPlane) : arctangent(h, inPlane);
        const flip = isFlipped ? Math.PI : 0;
        const bend = zero2 + sign * q[b!.q]! + flip;
        const elbow = sine(bend) > 0 ? -1 : 1;
        solveTriangle(crank, inPlane, target[0]!, target[1]!, elbow, "R1R2R3", angles);
        q[a!.q] = nearestAngle(angles[0]!, q[a!.q]!);
        q[b!.q] = nearestAngle(sign * (angles[1]! - flip - zero2), q[b!.q]!);
        q[c!.q] = nearestAngle(p3 - zero3, q[c!.q]!);
      },
    };
  },
};

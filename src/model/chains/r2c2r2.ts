import { UnreachableError } from "../../errors.ts";
import { arcCosine, arctangent } from "../../math/elementary/arctangent.ts";
import { hypotenuse } from "../../math/elementary/hypotenuse.ts";
import { cosine, sine } from "../../math/elementary/sincos.ts";
import type { NumericVec3 } from "../../spatial/vec3.ts";
import { type Chain, type ChainKind, dotProduct, nearestAngle, parallelSign, TOLERANCE } from "./chain.ts";
import { legFrameOf, solveLeg } from "./r2p1r3.ts";

/**
 * A leg whose rod may also turn about its line, closed by a universal hinge: p1, p2, p3 as in R2P1R3. The turn p4 of the rod follows from
 * the hinge's cross: its axis a on the rod stays perpendicular to the axis b on the other body, a·b = 0. In axes of the leg (x along it),
 * a = (ax, ay, az) turned by p4 gives ax bx + (ay by + az bz) cos p4 + (ay bz - az by) sin p4 = 0.
 */
export const r2c2r2: ChainKind = {
  name: "R2C2R2",
  about: "A leg as R2P1R3 whose rod also turns about its line (a cylindrical hinge), closed by a universal hinge.",
  closedBy: ["universal"],
  motions: ["RRPR", "RRRP"],
  fit(branch): Chain | string {
    const [first, second, third, fourth] = branch.joints;
    const [slide, spin] = third!.turns ? [fourth!, third!] : [third!, fourth!];
    const leg = legFrameOf({ ...branch, joints: [first!, second!, slide] });
    if (typeof leg === "string") return leg;
    const sign = parallelSign(slide.axis, spin.axis);
    if (sign === 0) return `slide and turn of ${spin.name} are not about the same axis`;
    const { R } = branch.end;
    // rows of a universal loop: x of F stays perpendicular to y of M
    const k = branch.carries === "M" ? 1 : 0;
    const cross: NumericVec3 = [R[0][k]!, R[1][k]!, R[2][k]!];
    const [x, y, z] = leg.axes;
    const [c, s] = [cosine(leg.slideAngle), sine(leg.slideAngle)];
    // in leg axes: x along the slide, z the axis of the second turn
    const inLeg = (v: NumericVec3): NumericVec3 => [
      c * dotProduct(v, x) + s * dotProduct(v, y),
      -s * dotProduct(v, x) + c * dotProduct(v, y),
      dotProduct(v, z),
    ];
    const [ax, ay, az] = inLeg(cross);
    if (hypotenuse(ay, az) < TOLERANCE) return "the cross of the universal hinge is along the leg";
    const coordinates = [first!.q, second!.q, slide.q] as const;
    const column = 1 - k;
    return {
      ...leg,
      solve(target, q) {
        solveLeg(target, leg, q, coordinates, "R2C2R2");
        const [p1, p2] = [q[first!.q]!, q[second!.q]! + leg.slideAngle];
        const [b0, b1, b2] = [target[3 + column]!, target[6 + column]!, target[9 + column]!];
        // b in leg axes: rotated back by p1 about y, then by p2 about z
        const along = cosine(p1) * b0 - sine(p1) * b2;
        const bz = sine(p1) * b0 + cosine(p1) * b2;
        const bx = cosine(p2) * along + sine(p2) * b1;
        const by = -sine(p2) * along + cosine(p2) * b1;
        const [even, odd] = [ay * by + az * bz, ay * bz - az * by];
        const size = hypotenuse(even, odd);
        if (!(Math.abs(ax * bx) < size))
          throw new UnreachableError("R2C2R2: the cross of the universal hinge is along the leg, whose turn is not determined");
        const middle = arctangent(odd, even);
        const aside = arcCosine((-ax * bx) / size);
        const present = q[spin.q]!;
        const [upperAngle, lowerAngle] = [
          nearestAngle(sign * (middle + aside), present),
          nearestAngle(sign * (middle - aside), present),
        ];
        q[spin.q] = Math.abs(upperAngle - present) <= Math.abs(lowerAngle - present) ? upperAngle : lowerAngle;
      },
    };
  },
};

/**
 * Angles where the shear stress changes its sign; there its second derivative jumps. It happens in braking, u < v. The shear displacement j
 * is proportional to u (θf - θ) - v (sin θf - sin θ). From the entry on it rises from zero, then falls to a minimum at cos θ = u/v behind
 * the bottom, and rises again. With θ = θf - 2 y it is zero where
 *
 *   cos(θf - y) sin(y) / y = u / v
 *
 * The left side is concave, so that Newton's iteration converges from one side: from the front to the first zero, from the rear to the
 * second.
 */
import { arcCosine } from "../math/elementary/arctangent.ts";
import { cosine, sine } from "../math/elementary/sincos.ts";
import type { ContactPatch } from "./contact-patch.ts";

const MAX_NEWTON_STEPS = 8;
/** Relative tolerance of y. An error of the angle enters the integral only by its third power. */
const NEWTON_TOLERANCE = 1e-5;

/** Adds the zeros of the shear displacement to the breaks of the contact patch. */
export function addShearReversals(patch: ContactPatch): void {
  const { u, v, front, rear, cosFront, sinFront } = patch;
  if (!(u < v && u > v * cosFront)) return;
  const ratio = u / v;
  const displacementAtRear = u * (front - rear) - v * (sinFront - patch.sinRear);
  if (displacementAtRear >= 0) {
    if (ratio <= patch.cosRear) return; // j falls up to the rear and stays positive
    const lowest = arcCosine(ratio);
    if (u * (front + lowest) >= v * (sinFront + Math.sqrt((1 - ratio) * (1 + ratio)))) return;
    patch.addBreakAtAngle(reversalAngle(patch, ratio, (front - rear) / 2));
  }
  patch.addBreakAtAngle(reversalAngle(patch, ratio, (ratio - cosFront) / sinFront));
}

/** Angle of the zero that Newton's iteration reaches from y = start. */
function reversalAngle({ front, cosFront, sinFront }: ContactPatch, ratio: number, start: number): number {
  let y = start;
  for (let k = 0; k < MAX_NEWTON_STEPS; k++) {
    const sin = sine(y);
    const cos = cosine(y);
    const cosRest = cosFront * cos + sinFront * sin; // cos(θf - y)
    const sinRest = sinFront * cos - cosFront * sin;
    const value = (cosRest * sin) / y;
    const step = ((ratio - value) * y) / (cosRest * cos + sinRest * sin - value);
    y += step;
    if (!(Math.abs(step) > NEWTON_TOLERANCE * y)) break;
  }
  return front - 2 * y;
}

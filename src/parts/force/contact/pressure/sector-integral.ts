/** Integrals over planar polygons within a disc, as sums over their sides. */
import { arctangent } from "../../../../math/elementary/arctangent.ts";

/**
 * The share of one side, from (x0, y0) to (x1, y1), in h' ∫ (α + β r² + γ / r³) dA over a polygon within the disc of radius ρ about the origin.
 * Here r² = h² + x² + y², and h' = h, or 1 if γ = 0. The sum over the sides of a closed polygon is its integral, positive if
 * the polygon is counterclockwise and h' is positive.
 *
 * It is the integral over the triangle of the side and the origin, in polar coordinates: ∫ Φ(r) dθ with Φ = α ϱ²/2 + β (r⁴ - h⁴)/4 + γ (1/|h| - 1/r)
 * and ϱ² = x² + y², in closed form along the side, and Φ(ρ) times the angle outside of the disc.
 */
export function sectorIntegral(
  x0: number,
  y0: number,
  x1: number,
  y1: number,
  h: number,
  rho: number,
  alpha: number,
  beta: number,
  gamma: number,
): number {
  const dx = x1 - x0;
  const dy = y1 - y0;
  const length = Math.sqrt(dx * dx + dy * dy);
  if (length === 0) return 0;
  // Distance of the line from the origin, positive if the origin is to its left; and positions along it.
  const d = (x0 * dy - y0 * dx) / length;
  if (d === 0) return 0;
  const from = (x0 * dx + y0 * dy) / length;
  const to = from + length;
  const square = (rho - d) * (rho + d);
  const end = square > 0 ? Math.sqrt(square) : 0;
  const inFrom = square > 0 ? Math.max(from, -end) : 0;
  const inTo = square > 0 ? Math.min(to, end) : 0;
  const factor = gamma === 0 ? 1 : h;
  const isInside = square > 0 && inFrom < inTo;
  const wholeAngle = angleBetween(x0, y0, x1, y1);
  let sum = 0;
  let insideAngle = 0;
  if (isInside) {
    const s = inTo - inFrom;
    const cubes = (inTo * inTo * inTo - inFrom * inFrom * inFrom) / 3;
    sum = factor * d * (0.5 * alpha * s + 0.25 * beta * ((2 * h * h + d * d) * s + cubes));
    insideAngle = inFrom === from && inTo === to ? wholeAngle : quotientAngle(inTo, d) - quotientAngle(inFrom, d);
    if (gamma !== 0) sum += gamma * (Math.sign(h) * insideAngle - (slantAngle(h, d, inTo) - slantAngle(h, d, inFrom)));
  }
  const outsideAngle = isInside && inFrom === from && inTo === to ? 0 : wholeAngle - insideAngle;
  if (outsideAngle !== 0) {
    const r2 = h * h + rho * rho;
    const polynomial = 0.5 * alpha * rho * rho + 0.25 * beta * (r2 * r2 - h * h * h * h);
    sum += outsideAngle * (factor * polynomial + (gamma === 0 ? 0 : gamma * (Math.sign(h) - h / Math.sqrt(r2))));
  }
  return sum;
}

/** Angle from (x0, y0) to (x1, y1) seen from the origin, within ±π. */
const angleBetween = (x0: number, y0: number, x1: number, y1: number): number => arctangent(x0 * y1 - y0 * x1, x0 * x1 + y0 * y1);

/** atan(s / d). */
const quotientAngle = (s: number, d: number): number => (d > 0 ? arctangent(s, d) : arctangent(-s, -d));

/** atan(h s / (d √(h² + d² + s²))): h d ∫ ds / ((d² + s²) √(h² + d² + s²)). */
const slantAngle = (h: number, d: number, s: number): number => quotientAngle(h * s, d * Math.sqrt(h * h + d * d + s * s));

/**
 * Inverse trigonometric functions from operations that IEEE 754 rounds exactly: the same bits on every machine and in every engine. Errors
 * are within 2 ulp.
 *
 *   atan t = atan c + atan((t - c) / (1 + c t)),  c the multiple of 1/8 nearest to t = min(|x|, |y|) / max(|x|, |y|)          [1]
 *   atan d = d - d³/3 + d⁵/5 - ...,  |d| <= 1/16                                                                     [2]
 */

/** atan(k/8), k from 0 to 8. */
const ARCTANGENT_OF_EIGHTHS = [
  0, 0.12435499454676144, 0.24497866312686414, 0.35877067027057225, 0.4636476090008061, 0.5585993153435624, 0.6435011087932844,
  0.7188299996216245, 0.7853981633974483,
] as const;

/** The angle of the point (x, y) from the x axis, -π to π, as Math.atan2. */
export function arctangent(y: number, x: number): number {
  const absY = Math.abs(y);
  const absX = Math.abs(x);
  const larger = Math.max(absY, absX);
  const smaller = Math.min(absY, absX);
  const t = smaller === larger ? (larger === 0 ? 0 : 1) : smaller / larger; // 0 / 0 and ∞ / ∞ as Math.atan2
  const k = Math.round(8 * t);
  const c = 0.125 * k;
  const d = (t - c) / (1 + c * t); // [1]
  const z = d * d;
  const series = z * (-1 / 3 + z * (1 / 5 + z * (-1 / 7 + z * (1 / 9 + z * (-1 / 11 + z * (1 / 13 - z / 15)))))); // [2]
  let angle = ARCTANGENT_OF_EIGHTHS[k as 0]! + (d + d * series);
  if (absY > absX) angle = Math.PI / 2 - angle;
  if (x < 0 || Object.is(x, -0)) angle = Math.PI - angle;
  return y < 0 || Object.is(y, -0) ? -angle : angle;
}

/** The angle between 0 and π whose cosine is x; NaN beyond ±1. */
export const arcCosine = (x: number): number => arctangent(Math.sqrt((1 - x) * (1 + x)), x);

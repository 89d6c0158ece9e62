/** Cube root from operations that IEEE 754 rounds exactly. Engines round Math.cbrt differently. */

/** Newton from within 16 % doubles the correct digits at each step: 5 steps reach full precision. */
const STEPS = 5;

export function cubeRoot(x: number): number {
  const size = Math.abs(x);
  if (!(size > 0 && size < Number.POSITIVE_INFINITY)) return x;
  let cube = size; // in [1, 8), so that its root is in [1, 2)
  let scale = 1;
  for (; cube >= 8; cube *= 0.125) scale *= 2;
  for (; cube < 1; cube *= 8) scale *= 0.5;
  let root = 0.86 + 0.145 * cube;
  for (let i = 0; i < STEPS; i++) root -= (root * root * root - cube) / (3 * root * root);
  return x < 0 ? -root * scale : root * scale;
}

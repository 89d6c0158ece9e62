/** Length of a vector by operations that IEEE 754 rounds exactly, the same to the last bit wherever it is computed: engines differ in Math.hypot. */

/** Squares between these neither overflow nor lose digits. */
const SMALLEST = 1e-280;
const LARGEST = 1e280;

export function hypotenuse(x: number, y: number, z = 0, w = 0): number {
  const sum = x * x + y * y + z * z + w * w;
  if (sum > SMALLEST && sum < LARGEST) return Math.sqrt(sum);
  const most = Math.max(Math.abs(x), Math.abs(y), Math.abs(z), Math.abs(w));
  if (!(most > 0 && most < Number.POSITIVE_INFINITY)) return most;
  return most * Math.sqrt((x / most) ** 2 + (y / most) ** 2 + (z / most) ** 2 + (w / most) ** 2);
}

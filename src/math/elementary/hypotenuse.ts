/** Length of a vector from operations that IEEE 754 rounds exactly. Engines round Math.hypot differently. */

/** Sums of squares in this range neither overflow nor lose digits. */
const SMALLEST = 1e-280;
const LARGEST = 1e280;

export function hypotenuse(x: number, y: number, z = 0, w = 0): number {
  const sum = x * x + y * y + z * z + w * w;
  if (sum > SMALLEST && sum < LARGEST) return Math.sqrt(sum);
  const largest = Math.max(Math.abs(x), Math.abs(y), Math.abs(z), Math.abs(w));
  if (!(largest > 0 && largest < Number.POSITIVE_INFINITY)) return largest;
  return largest * Math.sqrt((x / largest) ** 2 + (y / largest) ** 2 + (z / largest) ** 2 + (w / largest) ** 2);
}

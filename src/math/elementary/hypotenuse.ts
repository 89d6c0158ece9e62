/** Length of a vector from operations that IEEE 754 rounds exactly. Engines round Math.hypot differently. */
import { square } from "./power.ts";

/** Sums of squares in this range neither overflow nor lose digits. */
const SMALLEST = 1e-280;
const LARGEST = 1e280;

export function hypotenuse(x: number, y: number, z = 0, w = 0): number {
  const sum = x * x + y * y + z * z + w * w;
  if (sum > SMALLEST && sum < LARGEST) return Math.sqrt(sum);
  const largest = Math.max(Math.abs(x), Math.abs(y), Math.abs(z), Math.abs(w));
  if (!(largest > 0 && largest < Number.POSITIVE_INFINITY)) return largest;
  return largest * Math.sqrt(square(x / largest) + square(y / largest) + square(z / largest) + square(w / largest));
}

/** Length of a vector with any number of components: √(Σ vᵢ²). */
export function euclideanNorm(v: ArrayLike<number>): number {
  let sum = 0;
  for (let i = 0; i < v.length; i++) sum += v[i]! * v[i]!;
  if (sum > SMALLEST && sum < LARGEST) return Math.sqrt(sum);
  let largest = 0;
  for (let i = 0; i < v.length; i++) largest = Math.max(largest, Math.abs(v[i]!));
  if (!(largest > 0 && largest < Number.POSITIVE_INFINITY)) return largest;
  sum = 0;
  for (let i = 0; i < v.length; i++) sum += square(v[i]! / largest);
  return largest * Math.sqrt(sum);
}

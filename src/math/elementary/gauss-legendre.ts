/** Points and weights of Gauss-Legendre quadrature with n points on [0, 1], exact for polynomials up to degree 2n - 1. */
import { cosine } from "./sincos.ts";

export interface Quadrature {
  readonly points: Float64Array;
  readonly weights: Float64Array;
}

const MAX_STEPS = 100;

export function gaussLegendre(n: number): Quadrature {
  if (!(Number.isInteger(n) && n >= 1))
    throw new Error(`Gauss-Legendre quadrature: the number of points must be a positive integer, got ${n}`);
  const points = new Float64Array(n);
  const weights = new Float64Array(n);
  for (let i = 0; i < n; i++) {
    // Newton's iteration for a root of the Legendre polynomial, started at Tricomi's estimate.
    let x = cosine((Math.PI * (i + 0.75)) / (n + 0.5));
    let slope = 0;
    for (let k = 0; k < MAX_STEPS; k++) {
      let [p, previous] = [1, 0];
      for (let m = 1; m <= n; m++) [p, previous] = [((2 * m - 1) * x * p - (m - 1) * previous) / m, p];
      slope = (n * (previous - x * p)) / (1 - x * x);
      const step = p / slope;
      x -= step;
      if (Math.abs(step) < 1e-16) break;
    }
    points[n - 1 - i] = (1 + x) / 2;
    weights[n - 1 - i] = 1 / ((1 - x * x) * slope * slope);
  }
  return { points, weights };
}

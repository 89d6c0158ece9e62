/** Student's t distribution for whole degrees of freedom. */
import { arctangent } from "../elementary/arctangent.ts";

/** Probability of |T| ≤ t for ν degrees of freedom: the finite series of Abramowitz and Stegun, 26.7.3 and 26.7.4. */
export function studentWithin(t: number, freedoms: number): number {
  const root = Math.sqrt(freedoms + t * t);
  const [sin, cos] = [t / root, Math.sqrt(freedoms) / root];
  const isOdd = freedoms % 2 === 1;
  // Terms cos^k, k = 1, 3, .. ν - 2 for odd ν and 0, 2, .. ν - 2 for even ν; each is the one before times (k + 1) / (k + 2) cos².
  let [sum, term] = [0, isOdd ? cos : 1];
  for (let k = isOdd ? 1 : 0; k <= freedoms - 2; k += 2) {
    sum += term;
    term *= ((k + 1) / (k + 2)) * cos * cos;
  }
  return isOdd ? (2 / Math.PI) * (arctangent(sin, cos) + sin * sum) : sin * sum;
}

/** The t for which |T| ≤ t has the given probability, by bisection: half the width of a confidence interval in standard errors. */
export function studentQuantile(probability: number, freedoms: number): number {
  let [low, high] = [0, 1];
  while (studentWithin(high, freedoms) < probability) high *= 2;
  for (let i = 0; i < 60 && high - low > 1e-12 * high; i++) {
    const middle = (low + high) / 2;
    if (studentWithin(middle, freedoms) < probability) low = middle;
    else high = middle;
  }
  return (low + high) / 2;
}

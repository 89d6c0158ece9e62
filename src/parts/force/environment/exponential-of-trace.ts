/**
 * eˣ of a traced value by multiplications only: eˣ = (e^(x/256))^256, with a Taylor polynomial and eight squarings. The kernels have no
 * exponential. The squarings multiply the rounding error by 256: the relative error is below 1e-13.
 */
import { add, max, min, mul, type Scalar, square } from "../../../kernel/trace/scalar.ts";
import { integerPower } from "../../../math/elementary/power.ts";

/** Beyond this the argument is clamped; e^-64 = 1.6e-28. */
const LARGEST_ARGUMENT = 64;
const SQUARINGS = 8;
/** (64/256)^13 / 13! = 2.4e-18 */
const DEGREE = 12;

export function exponentialOf(x: Scalar): Scalar {
  const reduced = mul(1 / integerPower(2, SQUARINGS), min(LARGEST_ARGUMENT, max(-LARGEST_ARGUMENT, x)));
  // Horner: 1 + r (1 + r/2 (1 + r/3 (1 + ...)))
  let power: Scalar = 1;
  for (let k = DEGREE; k > 0; k--) power = add(1, mul(mul(1 / k, reduced), power));
  for (let k = 0; k < SQUARINGS; k++) power = square(power);
  return power;
}

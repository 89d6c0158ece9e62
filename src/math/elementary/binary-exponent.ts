/**
 * x = 2ᵉ m with √½ <= m < √2, for 0 < x < ∞. Writes m and e to `out`. All operations are exact, also for denormal x.
 */
export function splitBinaryExponent(x: number, out: Float64Array): void {
  let m = x;
  let e = 0;
  for (; m >= 4294967296; m *= 2.3283064365386963e-10) e += 32;
  for (; m < 2.3283064365386963e-10; m *= 4294967296) e -= 32;
  for (; m >= 16; m *= 0.0625) e += 4;
  for (; m < 0.0625; m *= 16) e -= 4;
  for (; m >= Math.SQRT2; m *= 0.5) e += 1;
  for (; m < Math.SQRT1_2; m *= 2) e -= 1;
  out[0] = m;
  out[1] = e;
}

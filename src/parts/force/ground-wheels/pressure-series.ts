/** Pressure of a rim on hard ground as a series, chosen so that the force on a plane is linear in depth. */

/** Number of terms. */
export const SERIES_TERMS = 10;

/**
 * The coefficients c of the pressure w(e) of [1] in rim-contact.ts. With y = e/r, t = h/r: dφ / cos φ = dy / √((t - y)(2 - t - y)), and with y = t x and (1 - z)^-½ = Σ C(2j, j) (z/4)ʲ the force on a
 * plane is Σ c_i b_j M_ij t^(i+j+1) up to a factor, b_j = C(2j, j) / 8ʲ, M_ij = ∫ x^(i+½) (1 - x)^-½ (1 + x)ʲ dx. All powers of t except
 * the first must vanish.
 */
export function pressureSeries(): Float64Array {
  const b = [1];
  for (let j = 1; j < SERIES_TERMS; j++) b.push((b[j - 1]! * (2 * j) * (2 * j - 1)) / (8 * j * j));
  const moment = (i: number, j: number): number => {
    let sum = 0;
    let choose = 1;
    for (let l = 0; l <= j; l++) {
      sum += choose * betaOfHalf(i + l + 1);
      choose = (choose * (j - l)) / (l + 1);
    }
    return sum;
  };
  const c = new Float64Array(SERIES_TERMS);
  c[0] = 1;
  for (let m = 1; m < SERIES_TERMS; m++) {
    let sum = 0;
    for (let i = 0; i < m; i++) sum += c[i]! * b[m - i]! * moment(i, m - i);
    c[m] = -sum / moment(m, 0);
  }
  return c;
}

/** B(p + 1/2, 1/2) for integer p. */
function betaOfHalf(p: number): number {
  let value = Math.PI;
  for (let k = 0; k < p; k++) value *= (k + 0.5) / (k + 1);
  return value;
}

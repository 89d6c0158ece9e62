/**
 * Source text of sine and cosine for emitted C: the formulas of math/elementary/sincos.ts, with the same bits as the other targets up to 1e6 rad.
 * Larger angles are passed to the C library.
 */
import {
  C_POLYNOMIAL,
  HALF_PI,
  INTEGER_ROUNDER,
  LARGEST_REDUCED_ANGLE,
  S_POLYNOMIAL,
  type SincosPolynomial,
  TWO_OVER_PI,
} from "../../math/elementary/sincos.ts";

const polynomial = (c: SincosPolynomial): string =>
  `(${c[0]} + ${c[1]} * z + zz * (${c[2]} + ${c[3]} * z + zz * (${c[4]} + ${c[5]} * z)))`;

/** Declares sine_and_cosine(x). */
export const C_SINCOS = `/* sine and cosine of x; errors below 0.8 units of the last place */
typedef struct { double s, c; } sincos_values;
static inline sincos_values sine_and_cosine(double x) {
  if (!(fabs(x) < ${LARGEST_REDUCED_ANGLE}.0)) {
    const sincos_values large = {sin(x), cos(x)};
    return large;
  }
  /* x = n pi/2 + r - s */
  const double n = x * ${TWO_OVER_PI} + ${INTEGER_ROUNDER}.0 - ${INTEGER_ROUNDER}.0;
  const double first = x - n * ${HALF_PI[0]};
  const double second = n * ${HALF_PI[1]};
  const double difference = first - second;
  const double remainder = n * ${HALF_PI[2]} - (first - difference - second);
  const double r = difference - remainder;
  const double s = remainder - (difference - r);
  const double z = r * r;
  const double zz = z * z;
  const double half = 0.5 * z;
  const double w = 1.0 - half;
  const double sine = r - (s * w + r * z * ${polynomial(S_POLYNOMIAL)});
  const double cosine = w + (1.0 - w - half + (zz * ${polynomial(C_POLYNOMIAL)} + r * s));
  const int quadrant = (int)n & 3;
  const double a = (quadrant & 1) ? cosine : sine;
  const double b = (quadrant & 1) ? sine : cosine;
  const sincos_values values = {(quadrant & 2) ? -a : a, ((quadrant + 1) & 2) ? -b : b};
  return values;
}`;

const SIGN_BIT = "(-9223372036854775807 - 1)";

/** Declares sines_and_cosines(x0, x1, values): sines of two angles, then their cosines, with the same bits as one by one. */
export const C_SINCOS_PAIRS = `/* sines of x0 and x1, then their cosines */
#if defined(__GNUC__)
typedef double two_doubles __attribute__((vector_size(16)));
typedef long long two_integers __attribute__((vector_size(16)));
static void sines_and_cosines(double x0, double x1, double *values) {
  if (!(fabs(x0) < ${LARGEST_REDUCED_ANGLE}.0 && fabs(x1) < ${LARGEST_REDUCED_ANGLE}.0)) {
    const sincos_values v0 = sine_and_cosine(x0), v1 = sine_and_cosine(x1);
    values[0] = v0.s; values[1] = v1.s; values[2] = v0.c; values[3] = v1.c;
    return;
  }
  const two_doubles x = {x0, x1};
  const two_doubles rounded = x * ${TWO_OVER_PI} + ${INTEGER_ROUNDER}.0;
  const two_integers bits = (two_integers)rounded;
  const two_doubles n = rounded - ${INTEGER_ROUNDER}.0;
  const two_doubles first = x - n * ${HALF_PI[0]};
  const two_doubles second = n * ${HALF_PI[1]};
  const two_doubles difference = first - second;
  const two_doubles remainder = n * ${HALF_PI[2]} - (first - difference - second);
  const two_doubles r = difference - remainder;
  const two_doubles s = remainder - (difference - r);
  const two_doubles z = r * r;
  const two_doubles zz = z * z;
  const two_doubles half = 0.5 * z;
  const two_doubles w = 1.0 - half;
  const two_doubles sine = r - (s * w + r * z * ${polynomial(S_POLYNOMIAL)});
  const two_doubles cosine = w + (1.0 - w - half + (zz * ${polynomial(C_POLYNOMIAL)} + r * s));
  const two_integers swap = ((two_integers)sine ^ (two_integers)cosine) & -(bits & 1);
  const two_doubles a = (two_doubles)((two_integers)sine ^ swap ^ ((bits << 62) & ${SIGN_BIT}));
  const two_doubles b = (two_doubles)((two_integers)cosine ^ swap ^ (((bits + 1) << 62) & ${SIGN_BIT}));
  values[0] = a[0]; values[1] = a[1]; values[2] = b[0]; values[3] = b[1];
}
#else
static void sines_and_cosines(double x0, double x1, double *values) {
  const sincos_values v0 = sine_and_cosine(x0), v1 = sine_and_cosine(x1);
  values[0] = v0.s; values[1] = v1.s; values[2] = v0.c; values[3] = v1.c;
}
#endif`;

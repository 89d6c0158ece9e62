/** Jacobi elliptic functions and elliptic integrals for a parameter m = k^2 in [0, 1) [Abramowitz and Stegun 16, 17; Carlson 1979]. */

/** Carlson's duplication stops when the series of sixth order is accurate to rounding. */
const SPREAD = 2e-3;

/** Amplitude am(u | m), by the descending arithmetic-geometric mean [A&S 16.4]. */
export function amplitude(u: number, m: number): number {
  const a = [1];
  const c = [Math.sqrt(m)];
  let b = Math.sqrt(1 - m);
  let N = 0;
  while (Math.abs(c[N]!) > 1e-17 && N < 12) {
    const mean = (a[N]! + b) / 2;
    c.push((a[N]! - b) / 2);
    b = Math.sqrt(a[N]! * b);
    a.push(mean);
    N++;
  }
  let phi = 2 ** N * a[N]! * u;
  for (let j = N; j > 0; j--) phi = (phi + Math.asin((c[j]! / a[j]!) * Math.sin(phi))) / 2;
  return phi;
}

/** Complete integral K(m), by the arithmetic-geometric mean. */
export function completeK(m: number): number {
  let a = 1;
  let b = Math.sqrt(1 - m);
  for (let j = 0; j < 12; j++) [a, b] = [(a + b) / 2, Math.sqrt(a * b)];
  return Math.PI / (2 * a);
}

/** Incomplete integral of the third kind, of dphi / ((1 - n sin^2) sqrt(1 - m sin^2)) from 0 to phi, for n < 1 and any phi. */
export function thirdKind(n: number, phi: number, m: number): number {
  const turns = Math.round(phi / Math.PI);
  const rest = phi - turns * Math.PI;
  return (turns === 0 ? 0 : 2 * turns * principalThirdKind(n, Math.PI / 2, m)) + principalThirdKind(n, rest, m);
}

function principalThirdKind(n: number, phi: number, m: number): number {
  const s = Math.sin(phi);
  const c2 = Math.cos(phi) ** 2;
  const d2 = 1 - m * s * s;
  return s * carlsonRF(c2, d2, 1) + (n / 3) * s ** 3 * carlsonRJ(c2, d2, 1, 1 - n * s * s);
}

export function carlsonRF(x: number, y: number, z: number): number {
  for (;;) {
    const lambda = Math.sqrt(x * y) + Math.sqrt(y * z) + Math.sqrt(z * x);
    [x, y, z] = [(x + lambda) / 4, (y + lambda) / 4, (z + lambda) / 4];
    const mean = (x + y + z) / 3;
    const [X, Y] = [1 - x / mean, 1 - y / mean];
    if (Math.max(Math.abs(X), Math.abs(Y), Math.abs(X + Y)) > SPREAD) continue;
    const Z = -X - Y;
    const e2 = X * Y - Z * Z;
    const e3 = X * Y * Z;
    return (1 - e2 / 10 + e3 / 14 + (e2 * e2) / 24 - (3 * e2 * e3) / 44) / Math.sqrt(mean);
  }
}

export function carlsonRJ(x: number, y: number, z: number, p: number): number {
  let sum = 0;
  let quarter = 1;
  for (;;) {
    const [rx, ry, rz, rp] = [Math.sqrt(x), Math.sqrt(y), Math.sqrt(z), Math.sqrt(p)];
    const lambda = rx * ry + ry * rz + rz * rx;
    const d = (rp + rx) * (rp + ry) * (rp + rz);
    const e = ((p - x) * (p - y) * (p - z)) / (d * d);
    sum += (6 * quarter * arcOver(e)) / d;
    [x, y, z, p] = [(x + lambda) / 4, (y + lambda) / 4, (z + lambda) / 4, (p + lambda) / 4];
    quarter /= 4;
    const mean = (x + y + z + 2 * p) / 5;
    const [X, Y, Z] = [1 - x / mean, 1 - y / mean, 1 - z / mean];
    if (Math.max(Math.abs(X), Math.abs(Y), Math.abs(Z)) > SPREAD) continue;
    const P = -(X + Y + Z) / 2;
    const e2 = X * Y + X * Z + Y * Z - 3 * P * P;
    const e3 = X * Y * Z + 2 * e2 * P + 4 * P ** 3;
    const e4 = (2 * X * Y * Z + e2 * P + 3 * P ** 3) * P;
    const e5 = X * Y * Z * P * P;
    const series = 1 - (3 * e2) / 14 + e3 / 6 + (9 * e2 * e2) / 88 - (3 * e4) / 22 - (9 * e2 * e3) / 52 + (3 * e5) / 26;
    return sum + (quarter * series) / (mean * Math.sqrt(mean));
  }
}

/** RC(1, 1 + e), which is atan(sqrt(e)) / sqrt(e) continued to e < 0. */
function arcOver(e: number): number {
  if (Math.abs(e) < 1e-4) return 1 - e / 3 + (e * e) / 5 - e ** 3 / 7;
  const root = Math.sqrt(Math.abs(e));
  return e > 0 ? Math.atan(root) / root : Math.atanh(root) / root;
}

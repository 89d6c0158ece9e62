/**
 * Rotations in numbers, on arrays and without allocation: quaternions [w, x, y, z], and rotation vectors θ (axis times angle) with
 * their rates. R(θ) = exp(θ̃). The angular velocity in rotated axes is ω = Γ(θ) θ̇, Γ = 1 - a θ̃ + b θ̃², a = (1 - cos φ) / φ²,
 * b = (φ - sin φ) / φ³, φ = |θ|.
 */
import { arctangent } from "./arctangent.ts";
import { hypotenuse } from "./hypotenuse.ts";
import { cosine, sine, tangent } from "./sincos.ts";

/** Below this angle the coefficients are computed by their series up to φ⁴, because the closed forms lose half of the digits. */
const SERIES_ANGLE = 0.03;

/** out = a b: the rotation b followed by a. `out` must be neither a nor b. */
export function multiplyQuaternions(a: ArrayLike<number>, b: ArrayLike<number>, out: Float64Array): void {
  out[0] = a[0]! * b[0]! - a[1]! * b[1]! - a[2]! * b[2]! - a[3]! * b[3]!;
  out[1] = a[0]! * b[1]! + a[1]! * b[0]! + a[2]! * b[3]! - a[3]! * b[2]!;
  out[2] = a[0]! * b[2]! + a[2]! * b[0]! + a[3]! * b[1]! - a[1]! * b[3]!;
  out[3] = a[0]! * b[3]! + a[3]! * b[0]! + a[1]! * b[2]! - a[2]! * b[1]!;
}

/** out[offset..] = R(q) v for q of norm 1. v and out may overlap. */
export function rotateByQuaternion(q: ArrayLike<number>, v: ArrayLike<number>, out: Float64Array, offset = 0): void {
  const [w, x, y, z] = [q[0]!, q[1]!, q[2]!, q[3]!];
  const [a, b, c] = [v[0]!, v[1]!, v[2]!];
  const [tx, ty, tz] = [2 * (y * c - z * b), 2 * (z * a - x * c), 2 * (x * b - y * a)];
  out[offset] = a + w * tx + y * tz - z * ty;
  out[offset + 1] = b + w * ty + z * tx - x * tz;
  out[offset + 2] = c + w * tz + x * ty - y * tx;
}

/** The quaternion of a rotation vector. */
export function quaternionFromRotationVector(theta: ArrayLike<number>, out: Float64Array): void {
  const angle = hypotenuse(theta[0]!, theta[1]!, theta[2]!);
  const half = 0.5 * angle;
  const scale = angle < SERIES_ANGLE ? 0.5 * (1 - (half * half) / 6 + (half * half * half * half) / 120) : sine(half) / angle;
  out[0] = cosine(half);
  for (let i = 0; i < 3; i++) out[i + 1] = scale * theta[i]!;
}

/**
 * The quaternion, w >= 0, of a rotation matrix that is stored by rows from `offset` on. The largest component is computed first, to keep
 * all digits.
 */
export function quaternionFromMatrix(R: ArrayLike<number>, offset: number, out: Float64Array): void {
  const [xx, xy, xz, yx, yy, yz] = [R[offset]!, R[offset + 1]!, R[offset + 2]!, R[offset + 3]!, R[offset + 4]!, R[offset + 5]!];
  const [zx, zy, zz] = [R[offset + 6]!, R[offset + 7]!, R[offset + 8]!];
  out[0] = 1 + xx + yy + zz;
  out[1] = 1 + xx - yy - zz;
  out[2] = 1 - xx + yy - zz;
  out[3] = 1 - xx - yy + zz;
  let k = 0;
  for (let i = 1; i < 4; i++) if (out[i]! > out[k]!) k = i;
  const [a, b, c] = [zy - yz, xz - zx, yx - xy];
  const [d, e, f] = [xy + yx, xz + zx, yz + zy];
  const s = 0.5 / Math.sqrt(out[k]!);
  const sign = (k === 0 ? 1 : k === 1 ? a : k === 2 ? b : c) < 0 ? -s : s;
  out[k]! *= sign;
  if (k !== 0) out[0] = sign * (k === 1 ? a : k === 2 ? b : c);
  if (k !== 1) out[1] = sign * (k === 0 ? a : k === 2 ? d : e);
  if (k !== 2) out[2] = sign * (k === 0 ? b : k === 1 ? d : f);
  if (k !== 3) out[3] = sign * (k === 0 ? c : k === 1 ? e : f);
}

/** The shortest rotation vector of a quaternion, whose norm may differ from 1. Returns its angle, at most π. */
export const rotationVectorFromQuaternion = (q: ArrayLike<number>, out: Float64Array): number =>
  writeShortestVector(q[0]!, q[1]!, q[2]!, q[3]!, out);

/** The rotation vector of R(from)ᵀ R(to), which has the same components in the axes of both attitudes. Returns its angle. */
export function rotationVectorBetween(from: ArrayLike<number>, to: ArrayLike<number>, out: Float64Array): number {
  const [w, x, y, z] = [from[0]!, -from[1]!, -from[2]!, -from[3]!];
  return writeShortestVector(
    w * to[0]! - x * to[1]! - y * to[2]! - z * to[3]!,
    w * to[1]! + x * to[0]! + y * to[3]! - z * to[2]!,
    w * to[2]! + y * to[0]! + z * to[1]! - x * to[3]!,
    w * to[3]! + z * to[0]! + x * to[2]! - y * to[1]!,
    out,
  );
}

function writeShortestVector(w: number, x: number, y: number, z: number, out: Float64Array): number {
  const imaginaryNorm = hypotenuse(x, y, z);
  const angle = 2 * arctangent(imaginaryNorm, Math.abs(w));
  const scale = Math.sign(w || 1) * (imaginaryNorm > 1e-150 ? angle / imaginaryNorm : 2 / Math.abs(w));
  out[0] = scale * x;
  out[1] = scale * y;
  out[2] = scale * z;
  return angle;
}

/** ω = Γ θ̇ and ω̇ = Γ θ̈ + Γ̇ θ̇, in rotated axes. */
export function angularMotionFromRotationVector(
  theta: ArrayLike<number>,
  rate: ArrayLike<number>,
  second: ArrayLike<number>,
  omega: Float64Array,
  alpha: Float64Array,
): void {
  const square = theta[0]! * theta[0]! + theta[1]! * theta[1]! + theta[2]! * theta[2]!;
  const thetaDotRate = theta[0]! * rate[0]! + theta[1]! * rate[1]! + theta[2]! * rate[2]!;
  let [a, b, aRate, bRate] = [0, 0, 0, 0]; // ȧ = aRate θ·θ̇
  if (square < SERIES_ANGLE * SERIES_ANGLE) {
    a = 1 / 2 - square / 24 + (square * square) / 720;
    b = 1 / 6 - square / 120 + (square * square) / 5040;
    aRate = -1 / 12 + square / 180 - (square * square) / 6720;
    bRate = -1 / 60 + square / 1260 - (square * square) / 60480;
  } else {
    const angle = Math.sqrt(square);
    const s = sine(angle);
    const halfSine = sine(0.5 * angle);
    const versine = 2 * halfSine * halfSine;
    a = versine / square;
    b = (angle - s) / (square * angle);
    aRate = (angle * s - 2 * versine) / (square * square);
    bRate = (angle * versine - 3 * (angle - s)) / (square * square * angle);
  }
  const [x, y, z] = [theta[0]!, theta[1]!, theta[2]!];
  const [r0, r1, r2] = [rate[0]!, rate[1]!, rate[2]!];
  const [s0, s1, s2] = [second[0]!, second[1]!, second[2]!];
  const [c0, c1, c2] = [y * r2 - z * r1, z * r0 - x * r2, x * r1 - y * r0]; // θ × θ̇
  const [d0, d1, d2] = [y * s2 - z * s1, z * s0 - x * s2, x * s1 - y * s0]; // θ × θ̈
  const [t0, t1, t2] = [y * c2 - z * c1, z * c0 - x * c2, x * c1 - y * c0]; // θ × (θ × θ̇)
  const [p, q] = [thetaDotRate * aRate, thetaDotRate * bRate];
  omega[0] = r0 - a * c0 + b * t0;
  omega[1] = r1 - a * c1 + b * t1;
  omega[2] = r2 - a * c2 + b * t2;
  alpha[0] = s0 - a * d0 + b * (y * d2 - z * d1 + r1 * c2 - r2 * c1) - p * c0 + q * t0;
  alpha[1] = s1 - a * d1 + b * (z * d0 - x * d2 + r2 * c0 - r0 * c2) - p * c1 + q * t1;
  alpha[2] = s2 - a * d2 + b * (x * d1 - y * d0 + r0 * c1 - r1 * c0) - p * c2 + q * t2;
}

/** θ̇ = Γ⁻¹ ω, Γ⁻¹ = 1 + θ̃ / 2 + c θ̃². */
export function rotationVectorRate(theta: ArrayLike<number>, omega: ArrayLike<number>, out: Float64Array): void {
  const square = theta[0]! * theta[0]! + theta[1]! * theta[1]! + theta[2]! * theta[2]!;
  const half = 0.5 * Math.sqrt(square);
  const c =
    square < SERIES_ANGLE * SERIES_ANGLE
      ? 1 / 12 + square / 720 + (square * square) / 30240
      : (1 - half / tangent(half)) / square;
  const [x, y, z] = [theta[0]!, theta[1]!, theta[2]!];
  const [w0, w1, w2] = [omega[0]!, omega[1]!, omega[2]!];
  const [c0, c1, c2] = [y * w2 - z * w1, z * w0 - x * w2, x * w1 - y * w0];
  out[0] = w0 + 0.5 * c0 + c * (y * c2 - z * c1);
  out[1] = w1 + 0.5 * c1 + c * (z * c0 - x * c2);
  out[2] = w2 + 0.5 * c2 + c * (x * c1 - y * c0);
}

/**
 * Splines through poses with continuous acceleration. Between knots, position and rotation vector θ, R = R_i exp(θ̃), are quintics. Both
 * neighbours of a knot have the same speeds and accelerations there: those of the parabola through three knots, and rest at the ends. For the
 * attitude ω and ω̇ are matched, so θ̇ and θ̈ at the end of a segment follow from ω = Γ(θ) θ̇.
 */
import { checkList, checkNumbers } from "../arguments.ts";
import { ArgumentError } from "../errors.ts";
import {
  angularMotionFromRotationVector,
  multiplyQuaternions,
  quaternionFromRotationVector,
  rotateByQuaternion,
  rotationVectorBetween,
  rotationVectorRate,
} from "../math/elementary/rotation-vector.ts";
import { type PoseNumbers, readPose, rejectHalfTurn } from "./pose.ts";
import type { Trajectory } from "./trajectory.ts";

/** One segment: its start time, duration and attitude, and six coefficients each of θ (3) and position (3). */
interface SplineSegment {
  readonly start: number;
  readonly duration: number;
  readonly attitude: Float64Array;
  readonly coefficients: Float64Array;
}

/** Spline through poses at given times, from rest to rest. 7 coordinates, 6 speeds. */
export function poseSpline(times: readonly number[], poses: readonly PoseNumbers[]): Trajectory {
  checkNumbers("times", times, "a time for each pose");
  checkList("poses", poses, "poses");
  if (times.length < 2 || times.length !== poses.length)
    throw new ArgumentError(
      "times",
      `a spline needs two knots or more, each a time and a pose, got ${times.length} and ${poses.length}`,
    );
  for (const [i, t] of times.entries()) {
    if (i === 0 ? t === 0 : t > times[i - 1]! && Number.isFinite(t)) continue;
    throw new ArgumentError(
      "times",
      i === 0
        ? `a spline begins at t = 0, got ${t}`
        : `knots need increasing times, got ${t} after ${times[i - 1]} for knot ${i + 1}`,
    );
  }
  const knots = poses.map((pose, i) => readPose(pose, `poses[${i}]`));
  const segments = splineSegments(times, knots);
  const duration = times.at(-1)!;
  const last = knots.at(-1)!;
  const [theta, rate, second] = [new Float64Array(3), new Float64Array(3), new Float64Array(3)];
  const [omega, alpha, increment] = [new Float64Array(3), new Float64Array(3), new Float64Array(4)];
  return {
    ...{ nq: 7, nu: 6, duration, breaks: [] },
    at(t, out) {
      if (t <= 0 || t >= duration) {
        const rest = t <= 0 ? knots[0]! : last;
        for (let i = 0; i < 7; i++) out[i] = rest[i]!;
        for (let i = 7; i < 19; i++) out[i] = 0;
        return;
      }
      let k = segments.length - 1;
      while (segments[k]!.start > t) k--;
      const { start, duration: T, attitude, coefficients: c } = segments[k]!;
      const x = (t - start) / T;
      for (let i = 0; i < 6; i++) {
        const first = 6 * i;
        const [c0, c1, c2, c3, c4, c5] = [c[first]!, c[first + 1]!, c[first + 2]!, c[first + 3]!, c[first + 4]!, c[first + 5]!];
        const value = c0 + x * (c1 + x * (c2 + x * (c3 + x * (c4 + x * c5))));
        const speed = (c1 + x * (2 * c2 + x * (3 * c3 + x * (4 * c4 + 5 * x * c5)))) / T;
        const acceleration = (2 * c2 + x * (6 * c3 + x * (12 * c4 + 20 * x * c5))) / (T * T);
        if (i < 3) {
          theta[i] = value;
          rate[i] = speed;
          second[i] = acceleration;
        } else {
          out[1 + i] = value;
          out[7 + i] = speed;
          out[13 + i] = acceleration;
        }
      }
      quaternionFromRotationVector(theta, increment);
      multiplyQuaternions(attitude, increment, out);
      angularMotionFromRotationVector(theta, rate, second, omega, alpha);
      rotateByQuaternion(out, omega, out, 7);
      rotateByQuaternion(out, alpha, out, 13);
    },
  };
}

/** Computes speeds and accelerations at the knots, then the quintics between them. */
function splineSegments(times: readonly number[], knots: readonly Float64Array[]): SplineSegment[] {
  const count = times.length;
  const h = times.slice(1).map((t, i) => t - times[i]!);
  const differences = h.map((_, i) => {
    const difference = new Float64Array(6);
    rejectHalfTurn(rotationVectorBetween(knots[i]!, knots[i + 1]!, difference), `between knots ${i + 1} and ${i + 2}`);
    for (let c = 3; c < 6; c++) difference[c] = knots[i + 1]![c + 1]! - knots[i]![c + 1]!;
    return difference;
  });
  const [speeds, accelerations] = [0, 1].map(() => knots.map(() => new Float64Array(6))) as [Float64Array[], Float64Array[]];
  for (let i = 1; i < count - 1; i++) {
    const [before, after] = [h[i - 1]!, h[i]!];
    for (let c = 0; c < 6; c++) {
      const [d0, d1] = [differences[i - 1]![c]! / before, differences[i]![c]! / after];
      speeds[i]![c] = (after * d0 + before * d1) / (before + after);
      accelerations[i]![c] = (2 * (d1 - d0)) / (before + after);
    }
  }
  return h.map((T, i): SplineSegment => {
    const [v0, a0, difference] = [speeds[i]!, accelerations[i]!, differences[i]!];
    const [v1, a1] = [speeds[i + 1]!.slice(), accelerations[i + 1]!.slice()];
    endRates(difference, v1, a1);
    const coefficients = new Float64Array(36);
    for (let c = 0; c < 6; c++) {
      const start = c < 3 ? 0 : knots[i]![c + 1]!;
      const [p, q, r, s] = [T * v0[c]!, (T * T * a0[c]!) / 2, T * v1[c]!, T * T * a1[c]!];
      const [e, f, g] = [difference[c]! - p - q, r - p - 2 * q, s - 2 * q]; // left for x³, x⁴, x⁵
      coefficients.set([start, p, q, 10 * e - 4 * f + g / 2, -15 * e + 7 * f - g, 6 * e - 3 * f + g / 2], 6 * c);
    }
    return { start: times[i]!, duration: T, attitude: knots[i]!.slice(0, 4), coefficients };
  });
}

/** Converts ω and ω̇ at the end of a segment to θ̇ and θ̈, in the first three components: θ̈ = Γ⁻¹ (ω̇ - Γ̇ θ̇). */
function endRates(theta: Float64Array, v: Float64Array, a: Float64Array): void {
  const [rate, omega, bias, zero] = [0, 1, 2, 3].map(() => new Float64Array(3)) as Float64Array[] & { length: 4 };
  rotationVectorRate(theta, v, rate!);
  angularMotionFromRotationVector(theta, rate!, zero!, omega!, bias!);
  const rest = Float64Array.of(a[0]! - bias![0]!, a[1]! - bias![1]!, a[2]! - bias![2]!);
  rotationVectorRate(theta, rest, omega!);
  v.set(rate!);
  a.set(omega!);
}

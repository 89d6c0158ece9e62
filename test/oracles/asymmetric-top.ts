/**
 * The torque-free asymmetric top in closed form [Landau and Lifshitz, Mechanics 37]. Principal inertias I1 < I2 < I3; at t = 0 the
 * angular velocity in body axes is (w1, 0, w3) with both positive and the motion is about the axis of I3 (L^2 > 2 T I2); z of the inertial
 * frame is along L. With u = rate t:
 *
 *   w_B = (w1 cn u, w2 sn u, w3 dn u),  L_B = L (sin(theta) sin(psi), sin(theta) cos(psi), cos(theta))          (1)
 *   R_WB = Rz(phi) Rx(theta) Rz(psi),   phi = L t / I3 + L (I3 - I1) / (I1 I3 rate) Pi(-n; am u | m)          (2)
 */
import { amplitude, thirdKind } from "./elliptic.ts";

export interface AsymmetricTop {
  readonly inertia: readonly [number, number, number];
  /** [w, x, y, z] of R_WB, then the angular velocity in body axes. */
  stateAt(t: number): Float64Array;
  /** Derivative of that state, from Euler's equations. */
  derivative(t: number, y: Float64Array, ydot: Float64Array): void;
  /** Brings the quaternion back to unit length. */
  project(y: Float64Array): void;
}

export function asymmetricTop(inertia: readonly [number, number, number], w1: number, w3: number): AsymmetricTop {
  const [I1, I2, I3] = inertia;
  const twiceT = I1 * w1 * w1 + I3 * w3 * w3;
  const L2 = I1 * I1 * w1 * w1 + I3 * I3 * w3 * w3;
  if (!(I1 < I2 && I2 < I3 && L2 > twiceT * I2)) throw new RangeError("the top must turn about its axis of largest inertia");
  const L = Math.sqrt(L2);
  const w2 = w1 * Math.sqrt((I1 * (I3 - I1)) / (I2 * (I3 - I2)));
  const rate = w3 * Math.sqrt(((I3 - I2) * (I3 - I1)) / (I1 * I2));
  const m = ((I2 - I1) * I1 * w1 * w1) / ((I3 - I2) * I3 * w3 * w3);
  const n = (I3 * (I2 - I1)) / (I1 * (I3 - I2));

  return {
    inertia,
    stateAt(t) {
      const am = amplitude(rate * t, m);
      const [sn, cn] = [Math.sin(am), Math.cos(am)];
      const dn = Math.sqrt(1 - m * sn * sn);
      const w = [w1 * cn, w2 * sn, w3 * dn] as const;
      const theta = Math.atan2(Math.hypot(I1 * w[0], I2 * w[1]), I3 * w[2]);
      const psi = Math.atan2(I1 * w[0], I2 * w[1]);
      const phi = (L * t) / I3 + ((L * (I3 - I1)) / (I1 * I3 * rate)) * thirdKind(-n, am, m);
      const [sum, difference] = [(phi + psi) / 2, (phi - psi) / 2];
      const [c, s] = [Math.cos(theta / 2), Math.sin(theta / 2)];
      return Float64Array.of(c * Math.cos(sum), s * Math.cos(difference), s * Math.sin(difference), c * Math.sin(sum), ...w);
    },
    derivative(_t, y, ydot) {
      const [w, x, yy, z, a, b, c] = y as unknown as [number, number, number, number, number, number, number];
      ydot[0] = (-x * a - yy * b - z * c) / 2;
      ydot[1] = (w * a + yy * c - z * b) / 2;
      ydot[2] = (w * b + z * a - x * c) / 2;
      ydot[3] = (w * c + x * b - yy * a) / 2;
      ydot[4] = ((I2 - I3) / I1) * b * c;
      ydot[5] = ((I3 - I1) / I2) * c * a;
      ydot[6] = ((I1 - I2) / I3) * a * b;
    },
    project(y) {
      const norm = Math.hypot(y[0]!, y[1]!, y[2]!, y[3]!);
      for (let i = 0; i < 4; i++) y[i]! /= norm;
    },
  };
}

/** Largest difference of two states of a top. The two quaternions q and -q of an attitude count as equal. */
export function topDifference(a: Float64Array, b: Float64Array): number {
  let dot = 0;
  for (let i = 0; i < 4; i++) dot += a[i]! * b[i]!;
  const sign = dot < 0 ? -1 : 1;
  return a.reduce((worst, value, i) => Math.max(worst, Math.abs(value - (i < 4 ? sign : 1) * b[i]!)), 0);
}

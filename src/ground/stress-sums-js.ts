/** The sums of stress-sums-wasm.ts in JavaScript, point by point: for hosts without WebAssembly, and as reference in tests. */
import { exponential } from "../math/elementary/exponential.ts";
import { POINT_ARRAYS, STRESS_SLOTS } from "./stress-sums-wasm.ts";

/** Sums over `count` points; the lateral sums only if `isLateral`. */
export function sumStresses(slots: Float64Array, count: number, isLateral: boolean): void {
  sumLongitudinal(slots, count);
  if (isLateral) sumLateral(slots, count);
}

/** Writes fx, fz and torque. */
function sumLongitudinal(slots: Float64Array, count: number): void {
  const [front, sinFront, , u, v, cohesion, tan] = slots as unknown as StressInputs;
  let fx = 0;
  let fz = 0;
  let torque = 0;
  for (let k = 0; k < count; k++) {
    const sin = slots[POINT_ARRAYS.sines + k]!;
    const cos = slots[POINT_ARRAYS.cosines + k]!;
    const sigma = slots[POINT_ARRAYS.pressures + k]!;
    const w = slots[POINT_ARRAYS.weights + k]!;
    const jx = u * (front - slots[POINT_ARRAYS.angles + k]!) - v * (sinFront - sin);
    const size = (cohesion + sigma * tan) * (1 - exponential(-Math.abs(jx)));
    const tx = jx < 0 ? -size : size;
    fx += w * (tx * cos - sigma * sin);
    fz += w * (tx * sin + sigma * cos);
    torque += w * tx;
  }
  slots[STRESS_SLOTS.fx] = fx;
  slots[STRESS_SLOTS.fz] = fz;
  slots[STRESS_SLOTS.torque] = torque;
}

/** Writes fy, mx and mz. */
function sumLateral(slots: Float64Array, count: number): void {
  const [front, , cosFront, , , cohesion, tan, slope, push, d2, r] = slots as unknown as StressInputs;
  let fy = 0;
  let mx = 0;
  let mz = 0;
  for (let k = 0; k < count; k++) {
    const cos = slots[POINT_ARRAYS.cosines + k]!;
    const depth = Math.max(0, r * (cos - cosFront));
    const bulldozing = push * depth * (cohesion + d2 * depth) * (r - depth * cos);
    const shear =
      (cohesion + slots[POINT_ARRAYS.pressures + k]! * tan) *
      (1 - exponential(slope * (front - slots[POINT_ARRAYS.angles + k]!)));
    const force = slots[POINT_ARRAYS.weights + k]! * (shear + bulldozing);
    fy += force;
    mx += force * cos;
    mz += force * slots[POINT_ARRAYS.sines + k]!;
  }
  slots[STRESS_SLOTS.fy] = fy;
  slots[STRESS_SLOTS.mx] = mx;
  slots[STRESS_SLOTS.mz] = mz;
}

/** The arguments, in the order of STRESS_SLOTS. */
type StressInputs = readonly [number, number, number, number, number, number, number, number, number, number, number];

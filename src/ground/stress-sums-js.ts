/** The sums of stress-sums-wasm.ts in JavaScript, point by point, for where there is no WebAssembly, and to test it against. */
import { exponential } from "../math/elementary/exponential.ts";
import { POINT_ARRAYS, STRESS_SLOTS } from "./stress-sums-wasm.ts";

/** Of so many points; those across the wheel too, if it moves there. */
export function sumStresses(numbers: Float64Array, count: number, isAcross: boolean): void {
  sumLongitudinal(numbers, count);
  if (isAcross) sumLateral(numbers, count);
}

/** Writes fx, fz and torque. */
function sumLongitudinal(numbers: Float64Array, count: number): void {
  const [front, sinFront, , u, v, cohesion, tan] = numbers as unknown as StressInputs;
  let fx = 0;
  let fz = 0;
  let torque = 0;
  for (let k = 0; k < count; k++) {
    const sin = numbers[POINT_ARRAYS.sines + k]!;
    const cos = numbers[POINT_ARRAYS.cosines + k]!;
    const sigma = numbers[POINT_ARRAYS.pressures + k]!;
    const w = numbers[POINT_ARRAYS.weights + k]!;
    const jx = u * (front - numbers[POINT_ARRAYS.angles + k]!) - v * (sinFront - sin);
    const size = (cohesion + sigma * tan) * (1 - exponential(-Math.abs(jx)));
    const tx = jx < 0 ? -size : size;
    fx += w * (tx * cos - sigma * sin);
    fz += w * (tx * sin + sigma * cos);
    torque += w * tx;
  }
  numbers[STRESS_SLOTS.fx] = fx;
  numbers[STRESS_SLOTS.fz] = fz;
  numbers[STRESS_SLOTS.torque] = torque;
}

/** Writes fy, mx and mz. */
function sumLateral(numbers: Float64Array, count: number): void {
  const [front, , cosFront, , , cohesion, tan, slope, push, d2, r] = numbers as unknown as StressInputs;
  let fy = 0;
  let mx = 0;
  let mz = 0;
  for (let k = 0; k < count; k++) {
    const cos = numbers[POINT_ARRAYS.cosines + k]!;
    const aside = Math.max(0, r * (cos - cosFront));
    const pushed = push * aside * (cohesion + d2 * aside) * (r - aside * cos);
    const shear =
      (cohesion + numbers[POINT_ARRAYS.pressures + k]! * tan) *
      (1 - exponential(slope * (front - numbers[POINT_ARRAYS.angles + k]!)));
    const side = numbers[POINT_ARRAYS.weights + k]! * (shear + pushed);
    fy += side;
    mx += side * cos;
    mz += side * numbers[POINT_ARRAYS.sines + k]!;
  }
  numbers[STRESS_SLOTS.fy] = fy;
  numbers[STRESS_SLOTS.mx] = mx;
  numbers[STRESS_SLOTS.mz] = mz;
}

/** What is given, in the order of NUMBERS. */
type StressInputs = readonly [number, number, number, number, number, number, number, number, number, number, number];

/** The sums of stress-code.ts in JavaScript, point by point, for where there is no WebAssembly, and to test it against. */
import { exponential } from "../math/elementary/exponential.ts";
import { ARRAYS, NUMBERS } from "./stress-code.ts";

/** Of so many points; those across the wheel too, if it moves there. */
export function plainSums(numbers: Float64Array, count: number, isAcross: boolean): void {
  along(numbers, count);
  if (isAcross) across(numbers, count);
}

/** Writes fx, fz and torque. */
function along(numbers: Float64Array, count: number): void {
  const [front, sinFront, , u, v, cohesion, tan] = numbers as unknown as Given;
  let fx = 0;
  let fz = 0;
  let torque = 0;
  for (let k = 0; k < count; k++) {
    const sin = numbers[ARRAYS.sines + k]!;
    const cos = numbers[ARRAYS.cosines + k]!;
    const sigma = numbers[ARRAYS.pressures + k]!;
    const w = numbers[ARRAYS.weights + k]!;
    const jx = u * (front - numbers[ARRAYS.angles + k]!) - v * (sinFront - sin);
    const size = (cohesion + sigma * tan) * (1 - exponential(-Math.abs(jx)));
    const tx = jx < 0 ? -size : size;
    fx += w * (tx * cos - sigma * sin);
    fz += w * (tx * sin + sigma * cos);
    torque += w * tx;
  }
  numbers[NUMBERS.fx] = fx;
  numbers[NUMBERS.fz] = fz;
  numbers[NUMBERS.torque] = torque;
}

/** Writes fy, mx and mz. */
function across(numbers: Float64Array, count: number): void {
  const [front, , cosFront, , , cohesion, tan, slope, push, d2, r] = numbers as unknown as Given;
  let fy = 0;
  let mx = 0;
  let mz = 0;
  for (let k = 0; k < count; k++) {
    const cos = numbers[ARRAYS.cosines + k]!;
    const aside = Math.max(0, r * (cos - cosFront));
    const pushed = push * aside * (cohesion + d2 * aside) * (r - aside * cos);
    const shear =
      (cohesion + numbers[ARRAYS.pressures + k]! * tan) * (1 - exponential(slope * (front - numbers[ARRAYS.angles + k]!)));
    const side = numbers[ARRAYS.weights + k]! * (shear + pushed);
    fy += side;
    mx += side * cos;
    mz += side * numbers[ARRAYS.sines + k]!;
  }
  numbers[NUMBERS.fy] = fy;
  numbers[NUMBERS.mx] = mx;
  numbers[NUMBERS.mz] = mz;
}

/** What is given, in the order of NUMBERS. */
type Given = readonly [number, number, number, number, number, number, number, number, number, number, number];

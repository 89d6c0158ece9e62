/** A single wheel on a bench: steady motions at given load, with nothing integrated in time. */
import { tangent } from "../math/sincos.ts";
import type { Soil } from "./soil.ts";
import { WheelOnSoil, type WheelShape } from "./wheel-soil.ts";

/**
 * Sinkage at which the soil carries a load while the wheel moves steadily at slip s and slip angle β, on fresh ground or where wheels
 * were as deep as `before`. NaN if it cannot.
 */
export function sinkageUnder(
  load: number,
  wheel: WheelOnSoil,
  { radius }: WheelShape,
  slip: number,
  beta: number,
  rim = 0.05,
  before = 0,
): number {
  const dug = wheel.steadyDigging(slip);
  const vx = slip >= 0 ? (1 - slip) * rim || Number.EPSILON * rim : rim; // standing, it keeps its slip angle
  const turning = slip >= 0 ? rim : (1 + slip) * rim;
  const carried = (h: number): number => wheel.evaluate(h, 0, vx, vx * tangent(beta), turning, dug, before).fz;
  const high = dug + wheel.rutOf(before) + radius;
  return carried(high) < load ? Number.NaN : rootOf((h) => carried(h) - load, 0, high);
}

/** Slip, sinkage and torque of a wheel that rolls straight ahead under a load and pulls with a force, none if not given. */
export function steadyPull(
  load: number,
  soil: Soil,
  shape: WheelShape,
  gravity: number,
  pull = 0,
  before = 0,
): { readonly slip: number; readonly sinkage: number; readonly torque: number } {
  const rim = 0.05;
  const wheel = new WheelOnSoil(soil, shape, gravity);
  const at = (slip: number): WheelOnSoil["forces"] => {
    const h = sinkageUnder(load, wheel, shape, slip, 0, rim, before);
    return slip >= 0
      ? wheel.evaluate(h, 0, (1 - slip) * rim, 0, rim, wheel.steadyDigging(slip), before)
      : wheel.evaluate(h, 0, rim, 0, (1 + slip) * rim, 0, before);
  };
  const slip = rootOf((s) => at(s).fx - pull, -MOST_SLIP, MOST_SLIP);
  const { torque } = at(slip);
  return { slip, sinkage: sinkageUnder(load, wheel, shape, slip, 0, rim, before), torque };
}

const MOST_SLIP = 0.99;

/** Where a rising function crosses zero, by halving, to the last digit. */
function rootOf(f: (x: number) => number, from: number, to: number): number {
  let [low, high] = [from, to];
  for (let k = 0; k < 200 && high - low > 1e-16 * Math.max(Math.abs(from), Math.abs(to)); k++) {
    const middle = (low + high) / 2;
    if (f(middle) < 0) low = middle;
    else high = middle;
  }
  return (low + high) / 2;
}

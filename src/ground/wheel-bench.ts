/** Single-wheel test bench: steady motion at a given load, without integration in time. */
import { checkLeast, checkMembers, checkNumber, checkPositive, refuseArgument } from "../arguments.ts";
import { tangent } from "../math/elementary/sincos.ts";
import type { Soil } from "./soil.ts";
import { type WheelForces, WheelOnSoil, type WheelShape } from "./wheel-soil.ts";

/**
 * Speeds that stand for slip 1: the rim is so fast that the slip rounds to 1, and the wheel still moves over the ground at its slip angle.
 */
const [SPINNING_RIM_SPEED, CREEPING_SPEED] = [1e13, 1e-3];

/**
 * Forces at sinkage h in steady motion at slip s and slip angle β. `rim` is the rim speed if the wheel drives. The next call overwrites the
 * result.
 */
export function forcesAtSlip(wheel: WheelOnSoil, h: number, slip: number, beta: number, rim = 0.05, before = 0): WheelForces {
  const dug = wheel.steadyDiggingDepth(slip);
  if (slip === 1) return wheel.evaluate(h, 0, CREEPING_SPEED, CREEPING_SPEED * tangent(beta), SPINNING_RIM_SPEED, dug, before);
  const vx = slip >= 0 ? (1 - slip) * rim : rim;
  return wheel.evaluate(h, 0, vx, vx * tangent(beta), slip >= 0 ? rim : (1 + slip) * rim, dug, before);
}

/**
 * Sinkage at which the soil carries a load in steady motion at slip s and slip angle β, after wheels of depth `before` (0: fresh soil). NaN
 * if the soil cannot carry it.
 */
export function sinkageUnder(
  load: number,
  wheel: WheelOnSoil,
  shape: WheelShape,
  slip: number,
  beta: number,
  rim = 0.05,
  before = 0,
): number {
  if (!(wheel instanceof WheelOnSoil)) refuseArgument("wheel", "a WheelOnSoil", wheel);
  checkMembers("shape", shape, ["radius"], "the shape of the wheel");
  checkLeast("load", load, 0);
  if (!(typeof slip === "number" && Math.abs(slip) <= 1)) refuseArgument("slip", "a number between -1 and 1", slip);
  checkNumber("beta", beta);
  return sinkage(load, wheel, shape.radius, slip, beta, rim, before);
}

function sinkage(
  load: number,
  wheel: WheelOnSoil,
  radius: number,
  slip: number,
  beta: number,
  rim: number,
  before: number,
): number {
  const normalForce = (h: number): number => forcesAtSlip(wheel, h, slip, beta, rim, before).fz;
  const high = wheel.steadyDiggingDepth(slip) + wheel.rutDepth(before) + radius;
  return normalForce(high) < load ? Number.NaN : bisectRoot((h) => normalForce(h) - load, 0, high);
}

/** Slip, sinkage and torque of a wheel that rolls straight ahead under a load with the drawbar pull `pull`. */
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
  checkPositive("load", load);
  checkNumber("pull", pull);
  const forcesAt = (slip: number): WheelForces =>
    forcesAtSlip(wheel, sinkage(load, wheel, shape.radius, slip, 0, rim, before), slip, 0, rim, before);
  const slip = bisectRoot((s) => forcesAt(s).fx - pull, -MAX_SLIP, MAX_SLIP);
  const { torque } = forcesAt(slip);
  return { slip, sinkage: sinkageUnder(load, wheel, shape, slip, 0, rim, before), torque };
}

const MAX_SLIP = 0.99;

/** Zero of an increasing function by bisection, to full accuracy. */
function bisectRoot(f: (x: number) => number, from: number, to: number): number {
  let [low, high] = [from, to];
  for (let k = 0; k < 200 && high - low > 1e-16 * Math.max(Math.abs(from), Math.abs(to)); k++) {
    const middle = (low + high) / 2;
    if (f(middle) < 0) low = middle;
    else high = middle;
  }
  return (low + high) / 2;
}

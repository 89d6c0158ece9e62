/**
 * Initial contact conditions of the International Docking System Standard, interface definition document, from three public quotations of
 * its table 3.3.1.1-2 (revision E); confidence high. It is not certain whether all conditions apply at once, and whether they are bounds
 * or 3 sigma values.
 */
import { hypotenuse } from "../../math/elementary/hypotenuse.ts";

interface ContactConditions {
  readonly closing: number;
  readonly y: number;
  readonly z: number;
  readonly vy: number;
  readonly vz: number;
  readonly roll: number;
  readonly pitch: number;
  readonly yaw: number;
  readonly rollRate: number;
  readonly pitchRate: number;
  readonly yawRate: number;
}

interface StandardCondition {
  readonly label: string;
  readonly unit: string;
  /** Factor from SI to the unit. */
  readonly times: number;
  readonly least?: number;
  readonly most: number;
  measure(conditions: ContactConditions): number;
}

const DEGREE = Math.PI / 180;
const ANGLE_LIMIT = { unit: "deg", times: 1 / DEGREE, most: 4 * DEGREE };
const RATE_LIMIT = { unit: "deg/s", times: 1 / DEGREE, most: 0.2 * DEGREE };

/** Bounds of each condition. */
export const IDSS_CONDITIONS: readonly StandardCondition[] = [
  { label: "a closing rate", unit: "m/s", times: 1, least: 0.05, most: 0.1, measure: (v) => v.closing },
  { label: "a lateral misalignment", unit: "m", times: 1, most: 0.1, measure: (v) => hypotenuse(v.y, v.z) },
  { label: "a lateral rate", unit: "m/s", times: 1, most: 0.04, measure: (v) => hypotenuse(v.vy, v.vz) },
  { label: "a roll misalignment", ...ANGLE_LIMIT, measure: (v) => Math.abs(v.roll) },
  { label: "a pitch and yaw misalignment", ...ANGLE_LIMIT, measure: (v) => hypotenuse(v.pitch, v.yaw) },
  { label: "a roll rate", ...RATE_LIMIT, measure: (v) => Math.abs(v.rollRate) },
  { label: "a pitch and yaw rate", ...RATE_LIMIT, measure: (v) => hypotenuse(v.pitchRate, v.yawRate) },
];

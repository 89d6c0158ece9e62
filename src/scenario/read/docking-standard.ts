/**
 * Initial contact conditions of the International Docking System Standard, interface definition document, as three public quotations of its
 * table 3.3.1.1-2 (revision E) have them: confidence high. Whether all hold at once, and whether they are bounds or 3 sigma, is not sure.
 */
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
  readonly what: string;
  readonly unit: string;
  /** From SI to the unit. */
  readonly times: number;
  readonly least?: number;
  readonly most: number;
  of(values: ContactConditions): number;
}

const DEGREE = Math.PI / 180;
const ANGLE_LIMIT = { unit: "deg", times: 1 / DEGREE, most: 4 * DEGREE };
const RATE_LIMIT = { unit: "deg/s", times: 1 / DEGREE, most: 0.2 * DEGREE };

export const IDSS_CONDITIONS: readonly StandardCondition[] = [
  { what: "a closing rate", unit: "m/s", times: 1, least: 0.05, most: 0.1, of: (v) => v.closing },
  { what: "a lateral misalignment", unit: "m", times: 1, most: 0.1, of: (v) => Math.hypot(v.y, v.z) },
  { what: "a lateral rate", unit: "m/s", times: 1, most: 0.04, of: (v) => Math.hypot(v.vy, v.vz) },
  { what: "a roll misalignment", ...ANGLE_LIMIT, of: (v) => Math.abs(v.roll) },
  { what: "a pitch and yaw misalignment", ...ANGLE_LIMIT, of: (v) => Math.hypot(v.pitch, v.yaw) },
  { what: "a roll rate", ...RATE_LIMIT, of: (v) => Math.abs(v.rollRate) },
  { what: "a pitch and yaw rate", ...RATE_LIMIT, of: (v) => Math.hypot(v.pitchRate, v.yawRate) },
];

/** Which way a wheel goes over the ground, and how much it slips: continued to low speeds, and C1 throughout. */

/** Below these speeds, m/s, slip is taken against them, and pressure becomes Bekker's static one. */
export const LOW_SPEED = 0.02;
/**
 * The wheel enters the ground ahead where r ω + v > 0, else behind: the sign of the larger of both. Within this sum of speeds, m/s, forces
 * of both ways are mixed, C1, or a wheel that stands, slides aside and trembles would turn its steering to and fro by the whole moment of
 * the shear.
 */
const DIRECTION_BLEND_SPEED = 0.001;
/** Corners are rounded: slip within this much beyond ±1. */
const SLIP_OVERSHOOT = 0.1;

/** How far the wheel goes forwards, 0 to 1. */
export function forwardShare(rim: number, vx: number): number {
  const t = 0.5 + (rim + vx) / (2 * DIRECTION_BLEND_SPEED);
  return t <= 0 ? 0 : t >= 1 ? 1 : t * t * (3 - 2 * t);
}

/** Slip of a wheel that goes forwards, as far as it likes. */
const unlimitedSlip = (u: number, v: number): number => (u - v) / Math.max(u, v, LOW_SPEED);
export const limitedSlip = (u: number, v: number): number => Math.max(-1, Math.min(1, unlimitedSlip(u, v)));

/** The same with a smooth end: beyond ±1 it goes a little further before it comes back to stay. */
export function smoothSlip(u: number, v: number): number {
  const free = unlimitedSlip(u, v);
  const t = (Math.abs(free) - 1) / SLIP_OVERSHOOT;
  if (t <= 0) return free;
  const end = t >= 1 ? 1 : 1 + SLIP_OVERSHOOT * t * (1 - t) * (1 - t);
  return free < 0 ? -end : end;
}

/** A positive number with a horizontal tangent at zero, itself from `from` on. */
export function smoothNearZero(size: number, from: number): number {
  const t = size / from;
  return t >= 1 ? size : size * t * (2 - t);
}

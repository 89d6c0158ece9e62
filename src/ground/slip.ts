/** Direction of travel and slip of a wheel, continued to low speeds and continuously differentiable (C1). */

/** Below this speed, m/s, slip is computed relative to it, and the pressure changes to the static one of Bekker. */
export const LOW_SPEED = 0.02;
/**
 * The wheel enters the ground at its front if r ω + v > 0, else at its rear: the sign of the larger of both speeds. Within this sum of
 * speeds, m/s, the forces of both directions are blended (C1). Otherwise the full shear moment on the steering would change its sign with
 * the smallest motion of a wheel that stands and slides sideways.
 */
const DIRECTION_BLEND_SPEED = 0.001;
/** The corners at slip ±1 are rounded within this range beyond ±1. */
const SLIP_OVERSHOOT = 0.1;

/** Share of forward travel, 0 to 1. */
export function forwardShare(rim: number, vx: number): number {
  const t = 0.5 + (rim + vx) / (2 * DIRECTION_BLEND_SPEED);
  return t <= 0 ? 0 : t >= 1 ? 1 : t * t * (3 - 2 * t);
}

/** Slip of a wheel in forward travel, not limited to ±1. */
const unlimitedSlip = (u: number, v: number): number => (u - v) / Math.max(u, v, LOW_SPEED);
export const limitedSlip = (u: number, v: number): number => Math.max(-1, Math.min(1, unlimitedSlip(u, v)));

/** Slip with a smooth limit: beyond ±1 it overshoots slightly before it settles at ±1. */
export function smoothSlip(u: number, v: number): number {
  const slip = unlimitedSlip(u, v);
  const t = (Math.abs(slip) - 1) / SLIP_OVERSHOOT;
  if (t <= 0) return slip;
  const limit = t >= 1 ? 1 : 1 + SLIP_OVERSHOOT * t * (1 - t) * (1 - t);
  return slip < 0 ? -limit : limit;
}

/** `size` from `from` on; below it a smooth curve (C1) with a horizontal tangent at zero. */
export function smoothNearZero(size: number, from: number): number {
  const t = size / from;
  return t >= 1 ? size : size * t * (2 - t);
}

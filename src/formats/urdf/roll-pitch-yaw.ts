/** Roll, pitch and yaw of a rotation. */
import type { Mat3 } from "../../spatial/rotation.ts";

/**
 * Angles of R = Rz(yaw) Ry(pitch) Rx(roll). Near a pitch of a right angle only the sum or difference of the others is determined: yaw is
 * that of R Rx(roll)ᵀ, so that the three angles together give R also there.
 */
export function rollPitchYaw(R: readonly (readonly number[])[]): readonly [number, number, number] {
  const [[xx, xy, xz], [yx, yy, yz], [zx, zy, zz]] = R as Mat3<number>;
  const roll = Math.atan2(zy, zz);
  const [s, c] = [Math.sin(roll), Math.cos(roll)];
  return [roll, Math.atan2(-zx, Math.hypot(xx, yx)), Math.atan2(s * xz - c * xy, c * yy - s * yz)];
}

/** A wheel on hard ground: compliant normal force, and friction that can stick. */
import { flowShare } from "../friction/bristle.ts";
import { forceKind } from "../kind.ts";
import { rimLaw } from "./rim-law.ts";
import { cross, type WheelContact } from "./wheel-contact.ts";
import { GROUND_WHEEL, wheelElement } from "./wheel-element.ts";

export const wheelOnGround = forceKind({
  name: "wheel-on-ground",
  about:
    "Hard ground under a wheel, on the terrain of the scenario: N = k h (1 + d ḣ) at depth h of the lowest point of the rim, never " +
    "negative, with the rate ḣ of that depth, also while only the lean of the wheel changes, and friction -μ N v / √(v² + v0²) against the velocity v of that point relative to the ground. With `bristle` above zero " +
    "friction is a spring of that stiffness which slips at μ N and holds below it, so that a parked rover does not creep, also if it shakes. With `contact: rim` the ground may " +
    "touch the rim anywhere, also at several points, such as steps and stones of the size of the wheel.",
  acts: "from outside",
  parameters: {
    ...GROUND_WHEEL,
    stiffness: { type: "number", unit: "N/m", above: 0, default: 2e4, about: "Normal stiffness k." },
    damping: {
      type: "number",
      unit: "s/m",
      least: 0,
      default: 5,
      about: "Normal damping d: relative increase of the force per m/s.",
    },
    friction: { type: "number", unit: "", least: 0, default: 0.6, about: "Coefficient of friction μ." },
    creep: {
      type: "number",
      unit: "m/s",
      above: 0,
      default: 0.01,
      about: "Speed v0 below which friction decreases to zero, without bristles.",
    },
    contact: {
      type: "choice",
      of: ["point", "rim"],
      default: "point",
      about:
        "Contact at the lowest point only, for ground less curved than the wheel, or along the whole rim; on a plane both are the same, for any lean.",
    },
    width: { type: "number", unit: "m", least: 0, default: 0, about: "Width of the rim; zero for a disc." },
    bristle: { type: "number", unit: "N/m", least: 0, default: 0, about: "Stiffness of sticking friction; zero for none." },
    bristleDamping: { type: "number", unit: "N s/m", least: 0, default: 0, about: "Damping of the bristles while they stick." },
  },
  examples: [
    { wheel: "hand", radius: 0.2 },
    { wheel: "hull", axle: "y", radius: 0.3, stiffness: 1e4, friction: 0.8, bristle: 5e3, bristleDamping: 50 },
    { wheel: "hand", radius: 0.2, contact: "rim", width: 0.1 },
  ],
  element(
    _name,
    { wheel, axle, radius, dampedBy, stiffness, damping, friction, creep, contact: where, width, bristle, bristleDamping },
    note,
    _model,
    { terrain },
  ) {
    if (where === "rim") {
      if (bristle > 0)
        note("bristle", "bristles need a single contact point, a rim has many", "Leave it out, or use contact: point");
      const law = rimLaw({ radius, width, dampedBy, stiffness, damping, friction, creep }, terrain);
      return wheelElement({ wheel, axle, radius, dampedBy }, terrain, law);
    }
    return wheelElement({ wheel, axle, radius, dampedBy }, terrain, {
      // Deflections of the bristles ahead and to the left.
      ...(bristle > 0 && { z0: [0, 0] }),
      writeLoad(contact, out, s, loads) {
        const { n, ahead, left, arm, sinkage, sinkRate: sinking, vx, vy, rimSpeed: rim } = contact;
        const load = sinkage > 0 ? stiffness * sinkage * Math.max(0, 1 + damping * sinking) : 0;
        // Velocity of the rim's lowest point: that of the centre minus the circumferential speed.
        const slidingX = vx - rim;
        const slidingY = vy + lateralRimSpeed(s.frames, contact);
        let fx = 0;
        let fy = 0;
        if (bristle > 0) {
          const [dx, dy] = [s.z[0]!, s.z[1]!];
          // A spring at rest, μ N against the motion in steady slip: see friction/bristle.ts. Off the ground the bristles spring back.
          const size = Math.sqrt(dx * dx + dy * dy);
          const limit = (friction * load) / bristle;
          const outward = Math.max(0, slidingX * dx + slidingY * dy);
          const flow = size > limit ? (flowShare(size, Math.max(limit, Number.MIN_VALUE)) * outward) / (size * size) : 0;
          const relaxation = load > 0 ? flow : 1 / BRISTLE_RELEASE_TIME;
          loads.zdot[0] = (load > 0 ? slidingX : 0) - relaxation * dx;
          loads.zdot[1] = (load > 0 ? slidingY : 0) - relaxation * dy;
          if (load > 0) {
            fx = -bristle * dx - bristleDamping * loads.zdot[0]!;
            fy = -bristle * dy - bristleDamping * loads.zdot[1]!;
            const size = Math.sqrt(fx * fx + fy * fy);
            if (size > friction * load) {
              fx *= (friction * load) / size;
              fy *= (friction * load) / size;
            }
          }
        } else {
          const factor = (-friction * load) / Math.sqrt(slidingX * slidingX + slidingY * slidingY + creep * creep);
          fx = factor * slidingX;
          fy = factor * slidingY;
        }
        for (let i = 0; i < 3; i++) out.force[i] = fx * ahead[i]! + fy * left[i]! + load * n[i]!;
        cross(arm, out.force, out.torque);
        out.load = load;
        out.pull = fx;
        out.side = fy;
        out.slip = (rim - vx) / Math.max(Math.abs(rim), Math.abs(vx), creep);
        return true;
      },
    });
  },
});

/** Time constant with which bristles off the ground spring back, s. */
const BRISTLE_RELEASE_TIME = 0.01;

/** Lateral speed of the rim's point due to the rotation of the wheel about the direction ahead: (ω × arm) · left. */
function lateralRimSpeed(frames: Float64Array, { arm, left }: WheelContact): number {
  const [wx, wy, wz] = [frames[12]!, frames[13]!, frames[14]!];
  return (
    (wy * arm[2]! - wz * arm[1]!) * left[0]! + (wz * arm[0]! - wx * arm[2]!) * left[1]! + (wx * arm[1]! - wy * arm[0]!) * left[2]!
  );
}

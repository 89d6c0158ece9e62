/** A position and speed loop closed in the motor, fast enough to be modelled as continuous. */

import { FREEDOM_UNITS } from "../../../declare/parameters.ts";
import { unitForFreedom } from "../../../declare/parse-parameters.ts";
import { add, mul, sub } from "../../../kernel/trace/scalar.ts";
import { clampSymmetric } from "../clamp.ts";
import { forceKind } from "../kind.ts";

export const servo = forceKind({
  name: "servo",
  about:
    "Continuous position and speed loop in one freedom: force = kp (position - q) + kd (speed - u) + ki ∫(speed - u) dt, within " +
    "±limit. `position` and `speed` are held inputs. All of its power counts as supplied.",
  acts: "between bodies",
  parameters: {
    hinge: { type: "freedom", needs: "coordinate", about: "Hinge, or freedom of a hinge." },
    kp: {
      type: "number",
      unit: FREEDOM_UNITS.stiffness,
      least: 0,
      default: 0,
      about: "Position gain; with 0 only the speed is controlled.",
    },
    kd: { type: "number", unit: FREEDOM_UNITS.damping, least: 0, default: 0, about: "Speed gain." },
    ki: {
      type: "number",
      unit: FREEDOM_UNITS.stiffness,
      least: 0,
      default: 0,
      about: "Gain of the integral of the speed error.",
    },
    position: { type: "number", unit: FREEDOM_UNITS.coordinate, default: 0, about: "Position until the first command." },
    speed: { type: "number", unit: FREEDOM_UNITS.speed, default: 0, about: "Speed until the first command." },
    limit: {
      type: "number",
      unit: FREEDOM_UNITS.force,
      above: 0,
      optional: true,
      about: "Largest force; unlimited if not given.",
    },
  },
  examples: [
    { hinge: "elbow", kp: 30, kd: 4, position: 0.5, limit: 20 },
    { hinge: "slider", kd: 100, speed: 0.05 },
    { hinge: "shoulder", kd: 2, ki: 40, speed: 0.3, limit: 50 },
  ],
  element(_name, { hinge: freedom, kp, kd, ki, position, speed, limit }, note) {
    if (kp === 0 && kd === 0) note("kp", "a servo needs a gain", "Give kp, kd or both");
    const { hinge, speedInHinge, coordinateInHinge, motion } = freedom;
    return {
      ...(ki > 0 && { z0: [0] }),
      held: ["position", "speed"],
      schedule: [{ t: 0, held: [position, speed] }],
      trace(s, out) {
        const { q, u } = s.hinge(hinge);
        const [wanted, wantedSpeed] = s.held;
        const error = sub(wantedSpeed!, u[speedInHinge]!);
        const direct = add(mul(kp, sub(wanted!, q[coordinateInHinge!]!)), mul(kd, error));
        const force = clampSymmetric(limit, add(direct, s.z[0] ?? 0));
        if (ki > 0) out.rate(0, mul(ki, error));
        out.hinge(hinge, speedInHinge, force);
        const power = mul(force, u[speedInHinge]!);
        out.supplied(power);
        out.channel("power", "W", power);
        out.channel(motion === "turn" ? "torque" : "force", unitForFreedom(FREEDOM_UNITS.force, freedom), force);
      },
    };
  },
});

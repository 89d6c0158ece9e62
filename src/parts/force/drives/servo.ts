/** A position and speed loop closed in the motor, fast enough to be modelled as continuous. */

import { FREEDOM_UNITS } from "../../../declare/parameters.ts";
import { unitForFreedom } from "../../../declare/parse-parameters.ts";
import { add, max, min, mul, type Scalar, sub } from "../../../kernel/trace/scalar.ts";
import { clampSymmetric } from "../clamp.ts";
import { forceKind } from "../kind.ts";
import { REGENERATION, startEnergies, traceMotorPowers } from "./motor-power.ts";

/** Rate at which the integral of a servo without speed gain stops at the limit of the force, 1/s. */
const UNWIND = 10;

export const servo = forceKind({
  name: "servo",
  about:
    "Continuous position and speed loop in one freedom: force = kp (position - q) + kd (speed - u) + ki ∫(speed - u) dt, within " +
    "±limit. `position` and `speed` are held inputs. All of its power counts as supplied. The integral does not wind up: where the " +
    "speed error drives the force farther beyond its limit, the rate of the integral is ki (speed - u) less unwind times the force " +
    "beyond the limit, and not reversed by it. With kp = 0 the integral stays within ±limit.",
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
    unwind: {
      type: "number",
      unit: "1/s",
      above: 0,
      optional: true,
      about: `Rate at which the integral stops at the limit of the force; ki / kd if not given, ${UNWIND} 1/s without kd.`,
    },
    regeneration: REGENERATION,
  },
  examples: [
    { hinge: "elbow", kp: 30, kd: 4, position: 0.5, limit: 20 },
    { hinge: "slider", kd: 100, speed: 0.05 },
    { hinge: "shoulder", kd: 2, ki: 40, speed: 0.3, limit: 50 },
    { hinge: "shoulder", kd: 2, ki: 40, speed: 0.3, regeneration: true },
  ],
  element(_name, { hinge: freedom, kp, kd, ki, position, speed, limit, unwind, regeneration }, note) {
    if (kp === 0 && kd === 0) note("kp", "a servo needs a gain", "Give kp, kd or both");
    if (unwind !== undefined && (ki === 0 || limit === undefined))
      note("unwind", "has no meaning without ki and limit", "Leave it out, or give both");
    const unwindRate = unwind ?? (kd > 0 ? ki / kd : UNWIND);
    const { hinge, speedInHinge, coordinateInHinge, motion } = freedom;
    return {
      z0: [...(ki > 0 ? [0] : []), ...startEnergies(regeneration, 1)],
      held: ["position", "speed"],
      schedule: [{ t: 0, held: [position, speed] }],
      trace(s, out) {
        const { q, u } = s.hinge(hinge);
        const [wanted, wantedSpeed] = s.held;
        const error = sub(wantedSpeed!, u[speedInHinge]!);
        const direct = add(mul(kp, sub(wanted!, q[coordinateInHinge!]!)), mul(kd, error));
        const unlimited = add(direct, s.z[0] ?? 0);
        const force = clampSymmetric(limit, unlimited);
        if (ki > 0) {
          const rate = mul(ki, error);
          out.rate(0, limit === undefined ? rate : sub(rate, overlap(rate, mul(unwindRate, sub(unlimited, force)))));
        }
        out.hinge(hinge, speedInHinge, force);
        const power = mul(force, u[speedInHinge]!);
        traceMotorPowers([{ name: "", power }], regeneration, ki > 0 ? 1 : 0, s, out);
        if (regeneration === undefined) out.channel("power", "W", power);
        out.channel(motion === "turn" ? "torque" : "force", unitForFreedom(FREEDOM_UNITS.force, freedom), force);
      },
    };
  },
});

/** The smaller one of two numbers of the same sign; 0 if their signs differ. */
const overlap = (a: Scalar, b: Scalar): Scalar => add(max(0, min(a, b)), min(0, max(a, b)));

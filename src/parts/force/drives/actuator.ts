/** Motors: a commanded torque or force in one freedom, with the limits of the motor behind a gear. */

import { FREEDOM_UNITS } from "../../../declare/parameters.ts";
import { unitForFreedom } from "../../../declare/parse-parameters.ts";
import { div, mul, neg, type Scalar, sub } from "../../../kernel/trace/scalar.ts";
import { clamp, clampSymmetric } from "../clamp.ts";
import { stepSchedule } from "../devices/input-schedule.ts";
import { forceKind } from "../kind.ts";

/** Near its highest speed a motor loses its torque over this part of the speed. */
const FADE_BAND = 0.1;

export const actuator = forceKind({
  name: "actuator",
  about:
    "Motor in one freedom. Its held input `torque` (turn) or `force` (slide) is what is asked of it at the hinge. " +
    "Through the gear, limit, rate and speed are those of the motor. With lag: ż = (wanted - z) / lag, within ±rate.",
  acts: "between bodies",
  parameters: {
    hinge: { type: "freedom", about: "Hinge, or freedom of a hinge, that it drives." },
    limit: {
      type: "number",
      unit: FREEDOM_UNITS.force,
      above: 0,
      optional: true,
      about: "Largest torque of the motor; none if not given.",
    },
    lag: {
      type: "number",
      unit: "s",
      above: 0,
      optional: true,
      about: "Time constant of the torque; follows at once if not given.",
    },
    rate: {
      type: "number",
      unit: FREEDOM_UNITS.forceRate,
      above: 0,
      optional: true,
      about: "Fastest change of the motor's torque; needs a lag.",
    },
    speed: {
      type: "number",
      unit: FREEDOM_UNITS.speed,
      above: 0,
      optional: true,
      about: "Highest speed of the motor: over the last tenth of it the torque that speeds it up fades to zero; needs a limit.",
    },
    gear: {
      type: "number",
      unit: "",
      above: 0,
      default: 1,
      about: "Turns of the motor for one of the hinge; rotor inertia is not added.",
    },
    schedule: {
      type: "table",
      columns: ["time", "command"],
      units: { x: "s", y: FREEDOM_UNITS.force },
      rows: 1,
      optional: true,
      about: "Commands known in advance: each holds from its time on.",
    },
  },
  examples: [
    { hinge: "elbow" },
    { hinge: "shoulder", limit: 0.3, lag: 0.05, rate: 4, gear: 20, speed: 12 },
    {
      hinge: "slider",
      limit: 10,
      schedule: [
        [0, 5],
        [2, -5],
        [4, 0],
      ],
    },
    { hinge: "wrist.wy", lag: 0.2 },
  ],
  element(_name, { hinge: freedom, limit, lag, rate, speed, gear, schedule }, note) {
    if (rate !== undefined && lag === undefined)
      note("rate", "a limited rate needs a lag", "Give the time constant with which the torque settles, e.g. lag: 0.005");
    if (speed !== undefined && limit === undefined) note("speed", "a highest speed needs a limit of the torque", "Give limit");
    const { hinge, speedInHinge: part } = freedom;
    const held = freedom.motion === "turn" ? "torque" : "force";
    /** What is left of the limit for driving in a direction at motor speed v. */
    const available = (v: Scalar): Scalar => mul(limit!, clamp(0, div(sub(speed!, v), FADE_BAND * speed!), 1));
    return {
      held: [held],
      ...stepSchedule(schedule),
      ...(lag !== undefined && { z0: [0] }),
      trace(s, out) {
        const u = s.hinge(hinge).u[part]!;
        const wanted = clampSymmetric(limit, div(s.held[0]!, gear));
        let motor = wanted;
        if (lag !== undefined) {
          motor = s.z[0]!;
          out.rate(0, clampSymmetric(rate, div(sub(wanted, motor), lag)));
        }
        if (speed !== undefined) {
          const v = mul(gear, u);
          motor = clamp(neg(available(neg(v))), motor, available(v));
        }
        const torque = mul(gear, motor);
        out.hinge(hinge, part, torque);
        out.supplied(mul(torque, u));
        out.channel(held, unitForFreedom(FREEDOM_UNITS.force, freedom), torque);
      },
    };
  },
});

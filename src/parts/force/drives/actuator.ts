/** A motor with a commanded torque or force in one freedom, behind a gear, with the limits of the motor. */

import { FREEDOM_UNITS } from "../../../declare/parameters.ts";
import { unitForFreedom } from "../../../declare/parse-parameters.ts";
import { div, mul, neg, type Scalar, sub } from "../../../kernel/trace/scalar.ts";
import { clamp, clampSymmetric } from "../clamp.ts";
import { stepSchedule } from "../devices/input-schedule.ts";
import { forceKind } from "../kind.ts";
import { REGENERATION, startEnergies, traceMotorPowers } from "./motor-power.ts";

/** The torque of a motor decreases to zero over this last share of its highest speed. */
const FADE_BAND = 0.1;

export const actuator = forceKind({
  name: "actuator",
  about:
    "Motor in one freedom. Its held input `torque` (turn) or `force` (slide) is the command at the hinge. " +
    "Limit, rate and speed are those of the motor behind the gear. With lag: ż = (wanted - z) / lag, within ±rate.",
  acts: "between bodies",
  parameters: {
    hinge: { type: "freedom", about: "Driven hinge, or freedom of a hinge." },
    limit: {
      type: "number",
      unit: FREEDOM_UNITS.force,
      above: 0,
      optional: true,
      about: "Largest torque of the motor; unlimited if not given.",
    },
    lag: {
      type: "number",
      unit: "s",
      above: 0,
      optional: true,
      about: "Time constant of the torque; without delay if not given.",
    },
    rate: {
      type: "number",
      unit: FREEDOM_UNITS.forceRate,
      above: 0,
      optional: true,
      about: "Fastest change of the motor's torque; requires a lag.",
    },
    speed: {
      type: "number",
      unit: FREEDOM_UNITS.speed,
      above: 0,
      optional: true,
      about: "Highest speed of the motor: over its last tenth the accelerating torque decreases to zero; requires a limit.",
    },
    gear: {
      type: "number",
      unit: "",
      above: 0,
      default: 1,
      about: "Gear ratio: turns of the motor per turn of the hinge. The rotor inertia is not added.",
    },
    regeneration: REGENERATION,
    schedule: {
      type: "table",
      columns: ["time", "command"],
      units: { x: "s", y: FREEDOM_UNITS.force },
      rows: 1,
      optional: true,
      about: "Commands known in advance: each is held from its time on.",
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
    { hinge: "elbow", lag: 0.1, regeneration: true },
  ],
  element(_name, { hinge: freedom, limit, lag, rate, speed, gear, regeneration, schedule }, note) {
    if (rate !== undefined && lag === undefined)
      note("rate", "a limited rate needs a lag", "Give the time constant of the torque, e.g. lag: 0.005");
    if (speed !== undefined && limit === undefined) note("speed", "a highest speed needs a torque limit", "Give limit");
    const { hinge, speedInHinge } = freedom;
    const held = freedom.motion === "turn" ? "torque" : "force";
    /** Remaining torque limit in the direction of motion at motor speed v. */
    const available = (v: Scalar): Scalar => mul(limit!, clamp(0, div(sub(speed!, v), FADE_BAND * speed!), 1));
    return {
      held: [held],
      ...stepSchedule(schedule),
      z0: [...(lag === undefined ? [] : [0]), ...startEnergies(regeneration, 1)],
      trace(s, out) {
        const u = s.hinge(hinge).u[speedInHinge]!;
        const demandedTorque = clampSymmetric(limit, div(s.held[0]!, gear));
        let motor = demandedTorque;
        if (lag !== undefined) {
          motor = s.z[0]!;
          out.rate(0, clampSymmetric(rate, div(sub(demandedTorque, motor), lag)));
        }
        if (speed !== undefined) {
          const v = mul(gear, u);
          motor = clamp(neg(available(neg(v))), motor, available(v));
        }
        const torque = mul(gear, motor);
        out.hinge(hinge, speedInHinge, torque);
        traceMotorPowers([{ name: "", power: mul(torque, u) }], regeneration, lag === undefined ? 0 : 1, s, out);
        out.channel(held, unitForFreedom(FREEDOM_UNITS.force, freedom), torque);
      },
    };
  },
});

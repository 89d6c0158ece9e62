/** Motors in several freedoms, for controllers that command a whole robot. */

import { FREEDOM_UNITS } from "../../../declare/parameters.ts";
import { add, mul, type Scalar, square } from "../../../kernel/trace/scalar.ts";
import { clampSymmetric } from "../clamp.ts";
import { forceKind } from "../kind.ts";
import { type MotorPower, REGENERATION, startEnergies, traceMotorPowers } from "./motor-power.ts";

export const motors = forceKind({
  name: "motors",
  about:
    "One motor in each of several freedoms, which applies its command without delay, within ±limit. Its held inputs have the names of " +
    "the speeds of the freedoms: `arm-motors.elbow`, `arm-motors.wrist.wx`. For lag, gear and speed limits use actuators. The channel " +
    "`squares` is the sum of the squared torques, or of the squared forces. With `regeneration`, `power.elbow` and `energy.elbow` are those " +
    "of one motor, `power` and `energy` those of all.",
  acts: "between bodies",
  parameters: {
    hinge: { type: "freedoms", about: "Hinge, freedom of a hinge, or list of them." },
    limit: {
      type: "numbers",
      unit: FREEDOM_UNITS.force,
      above: 0,
      optional: true,
      about: "Largest torque; unlimited if not given.",
    },
    regeneration: REGENERATION,
  },
  examples: [
    { hinge: ["shoulder", "elbow"] },
    { hinge: ["wrist", "slider"], limit: [2, 2, 1, 40] },
    { hinge: ["shoulder", "elbow"], regeneration: true },
  ],
  element: (_name, { hinge: freedoms, limit, regeneration }) => ({
    z0: startEnergies(regeneration, freedoms.length),
    held: freedoms.map((f) => f.speedName),
    trace(s, out) {
      let squares: Scalar = 0;
      const powers: MotorPower[] = [];
      for (const [i, { hinge, speedInHinge }] of freedoms.entries()) {
        const force = clampSymmetric(limit?.[i], s.held[i]!);
        out.hinge(hinge, speedInHinge, force);
        powers.push({ name: freedoms[i]!.speedName, power: mul(force, s.hinge(hinge).u[speedInHinge]!) });
        squares = add(squares, square(force));
      }
      traceMotorPowers(powers, regeneration, 0, s, out);
      const kinds = new Set(freedoms.map((f) => f.motion));
      if (kinds.size === 1) out.channel("squares", kinds.has("turn") ? "N^2 m^2" : "N^2", squares);
    },
  }),
});

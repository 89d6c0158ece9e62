/** Torque of the Earth's magnetic field on the dipole of a body. */

import { add, cos, div, mul, type Scalar, sin, sqrt } from "../../../kernel/trace/scalar.ts";
import { cosine, sine } from "../../../math/elementary/sincos.ts";
import { apply } from "../../../spatial/rotation.ts";
import { cross, dot, minus, scale, type Vec3, ZERO3 } from "../../../spatial/vec3.ts";
import { forceKind } from "../kind.ts";
import { EARTH_EQUATOR_FIELD, EARTH_ROTATION_RATE, FIELD_REFERENCE_RADIUS } from "./earth.ts";
import { EARTH_POSITION_PARAMETERS, earthPosition, fromEarth } from "./earth-position.ts";

export const magneticTorque = forceKind({
  name: "magnetic-torque",
  about:
    "Torque m × B of the Earth's dipole field B = equatorField (radius / r)³ (d - 3 (d·o) o) on the magnetic moment m of a body. o is the " +
    "direction from the Earth's centre, d that of the magnetic pole in the north, which turns with the Earth about z. The force that " +
    "a field gradient exerts is not included. Its power counts as supplied.",
  acts: "from outside",
  parameters: {
    frame: { type: "frame", about: "Frame or body that carries the dipole." },
    moment: { type: "vector", unit: "A m^2", about: "Magnetic moment in axes of the frame." },
    equatorField: {
      type: "number",
      unit: "T",
      default: EARTH_EQUATOR_FIELD,
      about: "Field at the magnetic equator at `radius`; negative if the magnetic north pole is in the north.",
    },
    radius: {
      type: "number",
      unit: "m",
      above: 0,
      default: FIELD_REFERENCE_RADIUS,
      about: "Radius at which the field has the given strength.",
    },
    tilt: {
      type: "number",
      unit: "rad",
      default: 0,
      about: "Angle of the dipole with z; that of the Earth was 9.4 deg in 2020.",
    },
    longitude: { type: "number", unit: "rad", default: 0, about: "Angle from x to the meridian of the magnetic pole at t = 0." },
    rotationRate: {
      type: "number",
      unit: "rad/s",
      default: EARTH_ROTATION_RATE,
      about: "Angular velocity of the Earth about z.",
    },
    ...EARTH_POSITION_PARAMETERS,
  },
  examples: [
    { frame: "hull", moment: [1, -2, 0.5], tilt: 0.164, longitude: -1.27, centre: [-6.7e6, 3e5, -1e6] },
    { frame: "hand-tip", moment: [0, 0, 10], orbit: { semiMajorAxis: 7e6, inclination: 1.7 } },
  ],
  element(_name, values, note) {
    const { frame, moment, equatorField, radius, tilt, longitude, rotationRate } = values;
    const earth = earthPosition(values, note);
    const [sinTilt, cosTilt] = [sine(tilt), cosine(tilt)];
    const poleAt = (t: Scalar): Vec3 => {
      if (tilt === 0) return [0, 0, 1];
      const meridian = add(longitude, mul(rotationRate, t));
      return [mul(sinTilt, cos(meridian)), mul(sinTilt, sin(meridian)), cosTilt];
    };
    return {
      frames: [frame],
      z0: earth.z0,
      ...(earth.needsWorldOrigin && { needsWorldOrigin: earth.needsWorldOrigin }),
      startProblems: earth.startProblems([frame], radius),
      trace(s, out) {
        const { R, p, w } = s.frame(frame);
        const r = fromEarth(p, earth.trace(s, out).origin);
        const distance = sqrt(dot(r, r));
        const o = scale(div(1, distance), r);
        const ratio = div(radius, distance);
        const pole = poleAt(s.t);
        const strength = mul(mul(equatorField, ratio), mul(ratio, ratio));
        const field = scale(strength, minus(pole, scale(mul(3, dot(pole, o)), o)));
        const torque = cross(apply(R, moment), field);
        const power = dot(torque, w);
        out.wrench(frame, torque, ZERO3);
        out.supplied(power);
        for (const [i, name] of (["tx", "ty", "tz"] as const).entries()) out.channel(name, "N m", torque[i]!);
        out.channel("field", "T", sqrt(dot(field, field)));
        out.channel("power", "W", power);
      },
    };
  },
});

/** A wheel on soil: see ground/wheel-soil.ts for the stresses. */
import { SOILS, type Soil, soilProblems } from "../ground/soil.ts";
import { FLAT } from "../ground/terrain.ts";
import { WheelOnSoil } from "../ground/wheel-soil.ts";
import type { Parameter } from "../sim/parameters.ts";
import { forceKind } from "./kind.ts";
import { CONTACT_CHANNELS, DRAWN_CONTACT, powerOf, showContact, WheelContact } from "./wheel-contact.ts";

const own = (unit: string, about: string) => ({ type: "number", unit, optional: true, about }) as const satisfies Parameter;

export const wheelOnSoil = forceKind({
  name: "wheel-on-soil",
  about:
    "Soil under a wheel, after Wong and Reece and Ishigami: pressure and shear over the rim with slip, slip angle and bulldozing, on " +
    "the terrain of the scenario. Gravity of the model weighs the soil. The wheel's frame sits at its centre.",
  acts: "from outside",
  parameters: {
    wheel: { type: "frame", about: "Frame or body of the wheel; its origin is the wheel's centre." },
    axle: {
      type: "direction",
      default: "z",
      about: "Axle in axes of that frame; a turn about it rolls forward along axle × up.",
    },
    radius: { type: "number", unit: "m", above: 0, about: "Radius of the wheel." },
    width: { type: "number", unit: "m", above: 0, about: "Width of the wheel." },
    soil: {
      type: "choice",
      of: Object.keys(SOILS) as (keyof typeof SOILS)[],
      default: "lunar-simulant",
      about: "Soil whose constants are taken where none are given beside it.",
    },
    cohesion: own("Pa", "Cohesion."),
    friction: own("rad", "Angle of internal friction."),
    kc: own("", "Bekker's modulus of cohesion, N/m^(n+1)."),
    kphi: own("", "Bekker's modulus of friction, N/m^(n+2)."),
    exponent: own("", "Sinkage exponent n."),
    a0: own("", "Angle of greatest stress over entry angle, without slip."),
    a1: own("", "Its growth with slip."),
    density: own("kg/m^3", "Bulk density."),
    kx0: own("m", "Shear deformation modulus along the wheel."),
    kx1: own("m/rad", "Its growth with slip angle."),
    ky0: own("m", "Shear deformation modulus across the wheel."),
    ky1: own("m/rad", "Its growth with slip angle."),
    rear: own("", "Rear sinkage over front sinkage."),
    damping: own("", "Damping of the normal force, Pa s/m."),
  },
  examples: [
    { wheel: "hand", radius: 0.2, width: 0.11 },
    { wheel: "hull", axle: "y", radius: 0.3, width: 0.2, soil: "dry-sand", cohesion: 500 },
  ],
  element(_name, { wheel, axle, radius, width, soil: preset, ...given }, note, model, { terrain = FLAT }) {
    const changes = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
    const soil: Soil = { ...SOILS[preset as keyof typeof SOILS], ...changes };
    for (const { parameter, message, advice } of soilProblems(soil)) note(parameter, message, advice);
    const contact = new WheelContact(radius, axle);
    const stresses = new WheelOnSoil(soil, { radius, width }, Math.hypot(...model.gravity));
    const torque = new Float64Array(3);
    const force = new Float64Array(3);
    return {
      frames: [wheel],
      channels: [
        { name: "load", unit: "N" },
        { name: "pull", unit: "N" },
        { name: "side", unit: "N" },
        { name: "torque", unit: "N m" },
        { name: "slip", unit: "" },
        { name: "slipAngle", unit: "rad" },
        { name: "sinkage", unit: "m" },
        ...CONTACT_CHANNELS,
      ],
      drawn: DRAWN_CONTACT,
      apply(s, out) {
        if (!contact.locate(s.frames, 0, terrain)) {
          out.wrenches[0] = Number.NaN; // the ground is not known here: the run must not go on as if there were none
          return;
        }
        const { n, ahead, left, sinkage, sinking, vx, vy, rim } = contact;
        const { fx, fy, fz, torque: taken, mx, mz, slip, beta } = stresses.evaluate(sinkage, sinking, vx, vy, rim);
        for (let i = 0; i < 3; i++) {
          force[i] = fx * ahead[i]! + fy * left[i]! + fz * n[i]!;
          torque[i] = mx * ahead[i]! - taken * left[i]! + mz * n[i]!;
          out.wrenches[i]! += torque[i]!;
          out.wrenches[3 + i]! += force[i]!;
        }
        out.dissipated -= powerOf(s.frames, 0, torque, force);
        out.channels[0] = fz;
        out.channels[1] = fx;
        out.channels[2] = fy;
        out.channels[3] = taken;
        out.channels[4] = slip;
        out.channels[5] = beta;
        out.channels[6] = sinkage;
        showContact(out.channels, 7, s.frames, contact.arm, force);
      },
    };
  },
});

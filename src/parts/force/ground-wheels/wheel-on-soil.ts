/** A wheel on soil; see ground/wheel-soil.ts for the stresses. */

import type { Parameter } from "../../../declare/parameters.ts";
import { childPath } from "../../../declare/plain-data.ts";
import { StepError } from "../../../errors.ts";
import type { RutField } from "../../../ground/ruts.ts";
import { SOILS, type Soil, soilProblems, soilWarnings } from "../../../ground/soil.ts";
import { WheelOnSoil } from "../../../ground/wheel-soil.ts";
import { euclideanNorm } from "../../../math/elementary/hypotenuse.ts";
import { forceKind } from "../kind.ts";
import type { WheelContact } from "./wheel-contact.ts";
import { FIRST_LAW_CHANNEL, GROUND_WHEEL, wheelElement } from "./wheel-element.ts";

const soilConstant = (unit: string, about: string) =>
  ({ type: "number", unit, optional: true, about }) as const satisfies Parameter;

export const wheelOnSoil = forceKind({
  name: "wheel-on-soil",
  about:
    "Soil under a wheel, after Wong and Reece and Ishigami: pressure and shear along the rim with slip, slip angle and bulldozing, on " +
    "the terrain of the scenario. The weight of the soil follows from the gravity of the model. The wheel's frame is at its centre.",
  acts: "from outside",
  parameters: {
    ...GROUND_WHEEL,
    width: { type: "number", unit: "m", above: 0, about: "Width of the wheel." },
    grouser: {
      type: "number",
      unit: "m",
      least: 0,
      most: 1,
      default: 0,
      about:
        "Height of grousers, which dig: the wheel sinks by h s / (1 - s) more at slip s, and pushes against the heap behind it.",
    },
    soil: {
      type: "choice",
      of: Object.keys(SOILS) as (keyof typeof SOILS)[],
      default: "lunar-simulant",
      about: "Soil that provides the constants that are not given.",
    },
    cohesion: soilConstant("Pa", "Cohesion."),
    friction: soilConstant("rad", "Angle of internal friction."),
    kc: soilConstant("", "Bekker's modulus of cohesion, N/m^(n+1)."),
    kphi: soilConstant("", "Bekker's modulus of friction, N/m^(n+2)."),
    exponent: soilConstant("", "Sinkage exponent n."),
    a0: soilConstant("", "Angle of greatest stress over entry angle, without slip."),
    a1: soilConstant("", "Its growth with slip."),
    density: soilConstant("kg/m^3", "Bulk density."),
    kx0: soilConstant("m", "Shear deformation modulus along the wheel."),
    kx1: soilConstant("m/rad", "Its growth with slip angle."),
    ky0: soilConstant("m", "Shear deformation modulus across the wheel."),
    ky1: soilConstant("m/rad", "Its growth with slip angle."),
    rear: soilConstant("", "Rear sinkage over front sinkage."),
    damping: soilConstant("", "Damping of the normal force by the rate of the depth of the lowest rim point, Pa s/m."),
    reload: soilConstant(
      "",
      "Stiffness of reloading for each metre that a wheel before was deep, N/m^4; at least that of fresh soil at that depth.",
    ),
  },
  examples: [
    { wheel: "hand", radius: 0.2, width: 0.11 },
    { wheel: "hull", axle: "y", radius: 0.3, width: 0.2, soil: "dry-sand", cohesion: 500 },
    { wheel: "hand", radius: 0.2, width: 0.1, grouser: 0.01 },
  ],
  element(
    name,
    { wheel, axle, radius, dampedBy, width, grouser, soil: preset, ...given },
    note,
    model,
    { terrain, ruts, path = "", warn },
  ) {
    const changes = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
    const soil: Soil = { ...SOILS[preset as keyof typeof SOILS], ...changes };
    for (const { parameter, message, advice } of soilProblems(soil)) note(parameter, message, advice);
    for (const { parameter, ...warning } of soilWarnings(soil)) warn?.({ path: childPath(path, parameter), ...warning });
    const stresses = new WheelOnSoil(soil, { radius, width, grouser }, euclideanNorm(model.gravity));
    const digs = grouser > 0;
    const rutAt = FIRST_LAW_CHANNEL + (digs ? 3 : 2);
    return wheelElement({ wheel, axle, radius, dampedBy }, terrain, {
      ...(digs && { z0: [0] }), // depth that the grousers have dug
      ...(ruts && {
        memory: ruts,
        accept({ sinkage, left, arm }, s) {
          const dug = digs ? Math.max(0, s.z[0]!) : 0;
          const [x, y] = [s.frames[9]! + arm[0]!, s.frames[10]! + arm[1]!];
          if ((s.memory as RutField).recordPass(name, x, y, left[0]!, left[1]!, width, Math.max(0, sinkage - dug))) return;
          throw new StepError("the tracks of the wheels fill their memory; take larger cells: ruts.cell", s.t);
        },
      }),
      channels: [
        { name: "torque", unit: "N m" },
        { name: "slipAngle", unit: "rad" },
        ...(digs ? [{ name: "dug", unit: "m" }] : []),
        ...(ruts ? [{ name: "rut", unit: "m" }] : []),
      ],
      writeLoad(contact, out, s, loads) {
        const { n, ahead, left, sinkage, sinkRate: sinking, vx, vy, rimSpeed: rim } = contact;
        const dug = digs ? Math.max(0, s.z[0]!) : 0;
        const before = ruts ? earlierDepth(s.memory as RutField, contact, s.frames, radius, width) : 0;
        const { fx, fy, fz, torque: taken, mx, mz, slip, beta } = stresses.evaluate(sinkage, sinking, vx, vy, rim, dug, before);
        for (let i = 0; i < 3; i++) {
          out.force[i] = fx * ahead[i]! + fy * left[i]! + fz * n[i]!;
          out.torque[i] = mx * ahead[i]! - taken * left[i]! + mz * n[i]!;
        }
        out.load = fz;
        out.pull = fx;
        out.side = fy;
        out.slip = slip;
        loads.channels[FIRST_LAW_CHANNEL] = taken;
        loads.channels[FIRST_LAW_CHANNEL + 1] = beta;
        if (digs) {
          loads.zdot[0] = stresses.diggingRate(sinkage, vx, rim, dug);
          loads.channels[FIRST_LAW_CHANNEL + 2] = dug;
        }
        if (ruts) loads.channels[rutAt] = stresses.rutDepth(before);
        return true;
      },
    });
  },
});

/** Below this speed, m/s, the ground behind the wheel counts too. */
const SLOW_SPEED = 0.02;

/**
 * Depth of earlier wheels where this one enters the ground: at the front of its contact, at the rear if it rolls back, and a blend of both
 * at low speed. Not under the wheel, where its own track begins.
 */
function earlierDepth(
  ruts: RutField,
  { sinkage, arm, ahead, left, vx }: WheelContact,
  frames: Float64Array,
  radius: number,
  width: number,
): number {
  if (ruts.isEmpty) return 0;
  const deep = Math.max(0, Math.min(1, sinkage / radius));
  const far = Math.max(radius * Math.sqrt(deep * (2 - deep)), 2 * ruts.cell);
  const t = Math.max(0, Math.min(1, 0.5 + (0.5 * vx) / SLOW_SPEED));
  const front = t * t * (3 - 2 * t);
  let sum = 0;
  // Both sides before the middle: the same bits for wheels that are mirror images.
  for (let k = 0; k < 3; k++) {
    const offset = k === 2 ? 0 : ((2 * k - 1) * width) / 3;
    const x = frames[9]! + arm[0]! + offset * left[0]!;
    const y = frames[10]! + arm[1]! + offset * left[1]!;
    let depth = 0;
    if (front > 0) depth += front * ruts.depthAt(x + far * ahead[0]!, y + far * ahead[1]!);
    if (front < 1) depth += (1 - front) * ruts.depthAt(x - far * ahead[0]!, y - far * ahead[1]!);
    sum += depth;
  }
  return sum / 3;
}

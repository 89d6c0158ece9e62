/** Pressure of sunlight on flat plates, with the Earth's shadow. */

import { abs, add, div, max, min, mul, type Scalar, sqrt, sub, sum } from "../../../kernel/trace/scalar.ts";
import { apply } from "../../../spatial/rotation.ts";
import { dot, minus, negate, plus, scale, type Vec3 } from "../../../spatial/vec3.ts";
import { forceKind } from "../kind.ts";
import { EARTH_RADIUS, SOLAR_PRESSURE } from "./earth.ts";
import { EARTH_POSITION_PARAMETERS, earthPosition, fromEarth } from "./earth-position.ts";
import { framesOf, PLATE_PARAMETERS, SurfaceForces, surfacePoint } from "./surface-point.ts";

/** Added to the square of the distance from the shadow's axis, m², so that the derivative exists on the axis too. */
const EPSILON = 1e-6;

/** Width of the penumbra on a low orbit, m: the Sun's angular diameter, 0.0093 rad, times 2300 km behind the terminator at 400 km altitude. */
const LOW_ORBIT_PENUMBRA = 21e3;

export const solarPressure = forceKind({
  name: "solar-pressure",
  about:
    "Pressure of sunlight on flat plates. With s the direction to the Sun, n the normal and c = n·s > 0, the force on a plate is " +
    "-pressure area c [(1 - specular) s + 2 (specular c + diffuse / 3) n]; 1 - specular - diffuse of the light is absorbed. Plates do not " +
    "shade each other. The shadow of the Earth is a cylinder; at its edge the light fades over the width `penumbra`. Its power counts as supplied.",
  acts: "from outside",
  parameters: {
    plates: {
      type: "list",
      of: {
        ...PLATE_PARAMETERS,
        specular: {
          type: "number",
          unit: "",
          least: 0,
          most: 1,
          default: 0,
          about: "Part of the light that is reflected as by a mirror.",
        },
        diffuse: {
          type: "number",
          unit: "",
          least: 0,
          most: 1,
          default: 0,
          about: "Part of the light that is scattered; what is not reflected is absorbed.",
        },
      },
      about: "Flat plates.",
    },
    sun: { type: "direction", default: "x", about: "Direction to the Sun in world axes, which are inertial." },
    pressure: {
      type: "number",
      unit: "Pa",
      least: 0,
      default: SOLAR_PRESSURE,
      about: "Pressure on a surface that absorbs all light; that at 1 au if not given.",
    },
    shadow: { type: "boolean", default: false, about: "The Earth takes the light away on the night side of the orbit." },
    penumbra: {
      type: "number",
      unit: "m",
      above: 0,
      default: LOW_ORBIT_PENUMBRA,
      about: "Width of the edge of the shadow, half of it on each side.",
    },
    radius: { type: "number", unit: "m", above: 0, default: EARTH_RADIUS, about: "Radius of the shadow." },
    ...EARTH_POSITION_PARAMETERS,
  },
  examples: [
    {
      plates: [
        { on: "hull", area: 2, at: [0, 0.5, 0], normal: "z", specular: 0.3, diffuse: 0.2 },
        { on: "hand", area: 3, normal: [1, 2, 3], twoSided: true, specular: 0.8 },
      ],
      sun: [1, 0.3, -0.2],
    },
    {
      plates: [{ on: "dock", area: 1.5, twoSided: true, diffuse: 1 }],
      sun: [-1, 0.1, 0],
      shadow: true,
      penumbra: 3e7,
      centre: [-6.7e6, 3e5, -1e6],
    },
    {
      plates: [{ on: "fore", area: 1, at: [0.1, 0, 0], twoSided: true }],
      shadow: true,
      orbit: { semiMajorAxis: 7e6, inclination: 1, ascendingNode: 2 },
    },
  ],
  element(_name, values, note) {
    const { plates, sun, pressure, shadow, penumbra, radius, centre, orbit } = values;
    if (plates.length === 0) note("plates", "there is no plate", "Give at least one plate");
    for (const [i, { specular, diffuse }] of plates.entries())
      if (specular + diffuse > 1)
        note(`plates[${i}].diffuse`, "more light is reflected than arrives", "specular + diffuse can be at most 1");
    if (!shadow && (centre ?? orbit) !== undefined)
      note(centre ? "centre" : "orbit", "has no effect without the shadow of the Earth", "Give shadow: true, or leave it out");
    const earth = earthPosition(values, note);
    const frames = framesOf(plates);
    const litAt = (r: Vec3): Scalar => {
      const along = dot(r, sun);
      const aside = minus(r, scale(along, sun));
      const distance = sqrt(add(dot(aside, aside), EPSILON));
      const inside = smoothStep(add(0.5, div(sub(radius, distance), penumbra)));
      return sub(1, mul(inside, smoothStep(div(mul(-1, along), penumbra))));
    };
    return {
      frames,
      sky: { sun: sun as Vec3<number>, ...((centre ?? orbit) !== undefined && { earth: earth.sky }) },
      z0: shadow ? earth.z0 : [],
      ...(earth.needsWorldOrigin && { needsWorldOrigin: earth.needsWorldOrigin }),
      ...(shadow && { startProblems: earth.startProblems(frames, radius) }),
      trace(s, out) {
        const origin = shadow ? earth.trace(s, out).origin : undefined;
        const forces = new SurfaceForces();
        const litAreas: Scalar[] = [];
        for (const plate of plates) {
          const point = surfacePoint(s, plate);
          const lit = origin === undefined ? 1 : litAt(fromEarth(point.point, origin));
          const n = apply(point.R, plate.normal);
          const c = dot(n, sun);
          const facing = plate.twoSided ? abs(c) : max(0, c);
          // On the other side c and n both change sign, so that c n and c² sign(c) n = |c| c n stay continuous.
          const alongNormal = mul(plate.twoSided ? c : facing, add(mul(2 * plate.specular, facing), (2 * plate.diffuse) / 3));
          const push = plus(scale(mul(1 - plate.specular, facing), sun), scale(alongNormal, n));
          forces.add(out, point, negate(scale(mul(pressure * plate.area, lit), push)));
          litAreas.push(mul(plate.area, lit));
        }
        out.supplied(forces.power);
        forces.channels(out);
        const total = plates.reduce((area, plate) => area + plate.area, 0);
        out.channel("lit", "", mul(1 / total, sum(litAreas)));
      },
    };
  },
});

/** 0 below 0, 1 above 1, and 10 x³ - 15 x⁴ + 6 x⁵ between: two continuous derivatives. */
function smoothStep(value: Scalar): Scalar {
  const x = min(1, max(0, value));
  return mul(mul(x, mul(x, x)), add(10, mul(x, sub(mul(6, x), 15))));
}

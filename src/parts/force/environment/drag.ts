/** Atmospheric drag on plates and on areas that do not depend on the attitude. */

import { abs, add, div, max, mul, type Scalar, sqrt, sub, sum } from "../../../kernel/trace/scalar.ts";
import { apply } from "../../../spatial/rotation.ts";
import { dot, minus, scale, type Vec3 } from "../../../spatial/vec3.ts";
import { forceKind } from "../kind.ts";
import { EARTH_RADIUS, EARTH_ROTATION_RATE } from "./earth.ts";
import { EARTH_POSITION_PARAMETERS, earthPosition, fromEarth, velocityOfRotation } from "./earth-position.ts";
import { exponentialOf } from "./exponential-of-trace.ts";
import { framesOf, PLATE_PARAMETERS, SURFACE_PARAMETERS, SurfaceForces, surfacePoint } from "./surface-point.ts";

/** The speed is √(v·v + ε²), so that its derivative exists at rest too. ε in m/s; above 100 m/s the speed is exact to the last digit. */
const EPSILON = 1e-6;

export const drag = forceKind({
  name: "drag",
  about:
    "Drag of a thin atmosphere. With v the velocity of the surface relative to the air and rho its density, the force " +
    "-½ rho coefficient area |v| v acts on an area, and -½ rho coefficient area (n·v) v on a plate whose normal n points ahead. " +
    "The density is constant, or rho = density exp(-(altitude - referenceAltitude) / scaleHeight) over a sphere. The z axis of the world " +
    "is the Earth's axis. Surfaces do not shade each other. The work on the air that rests is dissipated; the rest of the power is supplied.",
  acts: "from outside",
  parameters: {
    plates: { type: "list", of: PLATE_PARAMETERS, default: [], about: "Flat plates." },
    areas: { type: "list", of: SURFACE_PARAMETERS, default: [], about: "Areas that are the same from all sides (ballistic)." },
    coefficient: { type: "number", unit: "", least: 0, default: 2.2, about: "Drag coefficient, usually 2 to 2.5." },
    density: {
      type: "number",
      unit: "kg/m^3",
      least: 0,
      about: "Density of the air, at the reference altitude if there is a scale height.",
    },
    scaleHeight: {
      type: "number",
      unit: "m",
      above: 0,
      optional: true,
      about: "Height over which the density falls by the factor e; the density is constant if not given.",
    },
    referenceAltitude: { type: "number", unit: "m", default: 0, about: "Altitude above `radius` that has the given density." },
    radius: {
      type: "number",
      unit: "m",
      above: 0,
      default: EARTH_RADIUS,
      about: "Radius of the Earth; altitudes count from here.",
    },
    rotationRate: {
      type: "number",
      unit: "rad/s",
      default: EARTH_ROTATION_RATE,
      about: "Angular velocity of the air about z; 0 for air that does not turn.",
    },
    ...EARTH_POSITION_PARAMETERS,
  },
  examples: [
    {
      areas: [{ on: "hull", area: 2 }],
      plates: [{ on: "hand", area: 3, at: [0.1, 0.2, 0.3], normal: "y", twoSided: true }],
      density: 3e-12,
      scaleHeight: 6e4,
      referenceAltitude: 4e5,
      centre: [-6.7e6, 3e5, -1e6],
    },
    {
      plates: [{ on: "dock", area: 1.5, normal: [1, 1, 0] }],
      density: 3e-12,
      orbit: { semiMajorAxis: 7e6, eccentricity: 0.01, inclination: 0.9 },
    },
    { areas: [{ on: "fore", area: 0.2, at: [0.1, 0, 0] }], density: 1.2, coefficient: 0.5, rotationRate: 0 },
  ],
  element(_name, values, note) {
    const { plates, areas, coefficient, density, scaleHeight, referenceAltitude, radius, rotationRate } = values;
    if (plates.length + areas.length === 0) note("plates", "there is no surface", "Give plates or areas");
    if (scaleHeight === undefined && referenceAltitude !== 0)
      note("referenceAltitude", "has no effect without a scale height", "Give scaleHeight, or leave out referenceAltitude");
    const earth = earthPosition(values, note);
    const frames = framesOf([...plates, ...areas]);
    /** Density at a distance from the Earth's centre. */
    const densityAt = (distance: Scalar): Scalar =>
      scaleHeight === undefined
        ? density
        : mul(density, exponentialOf(div(sub(radius + referenceAltitude, distance), scaleHeight)));
    return {
      frames,
      z0: earth.z0,
      ...(earth.needsWorldOrigin && { needsWorldOrigin: earth.needsWorldOrigin }),
      ...(scaleHeight !== undefined && { startProblems: earth.startProblems(frames, radius) }),
      trace(s, out) {
        const { origin, velocity: originVelocity } = earth.trace(s, out);
        const forces = new SurfaceForces();
        const [dissipated, supplied]: [Scalar[], Scalar[]] = [[], []];
        const densities: Scalar[] = [];
        const push = (
          surface: { readonly on: string; readonly at: Vec3<number>; readonly area: number },
          normal?: Vec3<number>,
          twoSided?: boolean,
        ): void => {
          const point = surfacePoint(s, surface);
          const r = fromEarth(point.point, origin);
          const air = minus(velocityOfRotation(rotationRate, r), originVelocity);
          const flow = minus(point.velocity, air);
          const rho = densityAt(scaleHeight === undefined ? 0 : sqrt(dot(r, r)));
          const ahead = normal && dot(apply(point.R, normal), flow);
          const exposed =
            ahead === undefined ? sqrt(add(dot(flow, flow), EPSILON * EPSILON)) : twoSided ? abs(ahead) : max(0, ahead);
          const force = scale(mul(mul(-0.5 * coefficient * surface.area, rho), exposed), flow);
          forces.add(out, point, force);
          dissipated.push(mul(-1, dot(force, flow)));
          supplied.push(dot(force, air));
          densities.push(rho);
        };
        for (const area of areas) push(area);
        for (const plate of plates) push(plate, plate.normal, plate.twoSided);
        out.dissipated(sum(dissipated));
        out.supplied(sum(supplied));
        forces.channels(out);
        out.channel("density", "kg/m^3", densities[0]!);
      },
    };
  },
});

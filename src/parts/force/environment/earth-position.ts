/** Position and velocity relative to the Earth's centre, for elements that depend on the place on an orbit. */

import type { Parameters, ParameterValues } from "../../../declare/parameters.ts";
import { mul, type Scalar } from "../../../kernel/trace/scalar.ts";
import type { NoteProblem } from "../../../sim/system/create-checked.ts";
import type { ForceElement, SkyView, TracedLoads, TracedMotion } from "../../../sim/system/force-element.ts";
import { negate, plus, scale, type Vec3, ZERO3 } from "../../../spatial/vec3.ts";
import { EARTH_RADIUS } from "./earth.ts";
import { keplerOrbit, ORBIT_PARAMETERS } from "./kepler-orbit.ts";

export const EARTH_POSITION_PARAMETERS = {
  centre: {
    type: "vector",
    unit: "m",
    optional: true,
    about: "Centre of the Earth in the world; the world's origin if neither this nor an orbit is given.",
  },
  orbit: {
    type: "object",
    of: ORBIT_PARAMETERS,
    optional: true,
    about: "Orbit of the world's origin about the Earth, instead of `centre`: the same as that of `gravity-gradient`.",
  },
} as const satisfies Parameters;

export interface EarthPosition {
  /** Initial true anomaly if there is an orbit. */
  readonly z0: readonly number[];
  /** The Earth for pictures. */
  readonly sky: NonNullable<SkyView["earth"]>;
  /** See ForceElement. */
  readonly needsWorldOrigin?: string;
  /** Traces the motion of the origin of positions relative to the Earth's centre, in inertial axes. */
  trace(s: TracedMotion, out: TracedLoads): { readonly origin: Vec3; readonly velocity: Vec3 };
  /** The start problems of an element: frames that are closer to the Earth's centre than a radius. */
  startProblems(frames: readonly string[], radius: number): NonNullable<ForceElement["startProblems"]>;
}

/** Values of `EARTH_POSITION_PARAMETERS` as a position. The equator is the xy plane of the world in both forms. */
export function earthPosition(
  { centre, orbit }: ParameterValues<typeof EARTH_POSITION_PARAMETERS>,
  note: NoteProblem,
): EarthPosition {
  if (centre !== undefined && orbit !== undefined)
    note("orbit", "the Earth is placed twice: by centre and by orbit", "Leave out one of them");
  const fixed = centre === undefined ? ZERO3 : negate(centre);
  const kepler = orbit && keplerOrbit(orbit);
  const originAt = (anomaly: Scalar): Vec3 =>
    kepler ? scale(kepler.radius(kepler.shape(anomaly)), kepler.direction(anomaly)) : fixed;
  return {
    z0: orbit ? [orbit.trueAnomaly] : [],
    sky: { radius: EARTH_RADIUS, originAt: (t) => kepler?.positionAt(t) ?? (fixed as Vec3<number>) },
    ...(kepler && {
      needsWorldOrigin: "`orbit` prescribes the motion of the world's origin. Leave it out: the orbit is that of the mass centre",
    }),
    trace(s, out) {
      if (s.origin) return { origin: plus(s.origin.position, fixed), velocity: s.origin.velocity };
      if (kepler === undefined) return { origin: fixed, velocity: ZERO3 };
      const anomaly = s.z[0]!;
      out.rate(0, kepler.anomalyRate(kepler.shape(anomaly)));
      return { origin: originAt(anomaly), velocity: kepler.velocity(anomaly) };
    },
    startProblems: (frames, radius) => (s) => {
      const moved = [0, 1, 2].map((i) => s.origin?.[i] ?? 0) as unknown as Vec3<number>;
      const origin = plus(originAt(s.z[0] ?? 0), moved) as Vec3<number>;
      return frames.flatMap((name, k) => {
        const [x, y, z] = origin.map((c, i) => c + s.frames[18 * k + 9 + i]!) as [number, number, number];
        const distance = Math.sqrt(x * x + y * y + z * z);
        if (distance >= radius) return [];
        return {
          message: `${name} is inside the Earth at the start: ${lengthText(distance)} from its centre, the radius is ${lengthText(radius)}`,
          advice: "Give the initial position relative to the Earth's centre, or the place of the Earth by `centre`",
        };
      });
    },
  };
}

const lengthText = (metres: number): string => `${+(metres / 1000).toPrecision(6)} km`;

/** Velocity of a point that turns with the Earth: ω z × r. */
export const velocityOfRotation = (rate: number, [x, y]: Vec3): Vec3 => [mul(-rate, y), mul(rate, x), 0];

/** Position of a point of the world relative to the Earth's centre. */
export const fromEarth = (point: Vec3, origin: Vec3): Vec3 => plus(point, origin);

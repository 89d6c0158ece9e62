/** Analytic terrain shapes with continuous slopes, smooth enough for a wheel; only the rim of a crater has a crest. */
import { checkNumber, checkPositive, refuseArgument } from "../arguments.ts";
import { square } from "../math/elementary/power.ts";
import { cosine, sine } from "../math/elementary/sincos.ts";
import type { Terrain } from "./terrain.ts";

/** 3t² - 2t³ between 0 and 1, and its slope. */
export const smoothstep = (t: number): number => (t <= 0 ? 0 : t >= 1 ? 1 : t * t * (3 - 2 * t));
const smoothstepSlope = (t: number): number => (t <= 0 || t >= 1 ? 0 : 6 * t * (1 - t));

/**
 * A ridge across x, H cos²(π x / L) for |x| < L/2. With an `edge` it exists only at y > edge, and rises over the width `ramp` around the
 * edge: only one side of a rover drives over it.
 */
export function ridge(height: number, length: number, edge = Number.NEGATIVE_INFINITY, ramp = 1): Terrain {
  checkNumber("height", height);
  checkPositive("length", length);
  if (Number.isNaN(edge) || typeof edge !== "number") refuseArgument("edge", "a number", edge);
  checkPositive("ramp", ramp);
  const slopeAcross = edge === Number.NEGATIVE_INFINITY ? 0 : (1.5 * height) / ramp;
  return {
    steepest: Math.sqrt(square((Math.PI * height) / length) + square(slopeAcross)),
    sample(x, y, out) {
      out[0] = out[1] = out[2] = 0; // faster than fill
      if (!(Math.abs(x) < length / 2)) return;
      const side = edge === Number.NEGATIVE_INFINITY ? 1 : smoothstep((y - edge) / ramp + 0.5);
      const slope = edge === Number.NEGATIVE_INFINITY ? 0 : smoothstepSlope((y - edge) / ramp + 0.5) / ramp;
      const c = cosine((Math.PI * x) / length);
      out[0] = height * c * c * side;
      out[1] = -height * (Math.PI / length) * sine((2 * Math.PI * x) / length) * side;
      out[2] = height * c * c * slope;
    },
  };
}

/** A round hill (or hollow, of negative height) of cos² profile and radius R. */
export function mound(height: number, radius: number): Terrain {
  checkNumber("height", height);
  checkPositive("radius", radius);
  return {
    steepest: (Math.PI * Math.abs(height)) / (2 * radius),
    sample(x, y, out) {
      out[0] = out[1] = out[2] = 0; // faster than fill
      const r = Math.sqrt(x * x + y * y);
      if (!(r < radius)) return;
      const c = cosine((Math.PI * r) / (2 * radius));
      out[0] = height * c * c;
      if (r === 0) return;
      const slope = ((-height * Math.PI) / (2 * radius)) * sine((Math.PI * r) / radius);
      out[1] = (slope * x) / r;
      out[2] = (slope * y) / r;
    },
  };
}

/** A step of the ground along x: from 0 to `height` over the length `ramp`, centred. */
export function ledge(height: number, ramp: number): Terrain {
  checkNumber("height", height);
  checkPositive("ramp", ramp);
  return {
    steepest: (1.5 * Math.abs(height)) / ramp,
    sample(x, _y, out) {
      const t = x / ramp + 0.5;
      out[0] = height * smoothstep(t);
      out[1] = (height * smoothstepSlope(t)) / ramp;
      out[2] = 0;
    },
  };
}

/** Depth below the plain and height of the rim of a fresh crater, in radii. */
const CRATER_DEPTH = 0.2;
const CRATER_RIM = 0.04;
/** Radius of the ejecta, in crater radii. */
export const CRATER_REACH = 3;
const EJECTA_END = 1 / (CRATER_REACH * CRATER_REACH * CRATER_REACH);

/** Writes z and its slopes at a point (x, y) relative to the centre of a feature with this radius. */
export type RadialRelief = (x: number, y: number, radius: number, out: Float64Array) => void;

/**
 * A crater of radius R at the origin: a paraboloid from -0.2 R in the centre to the rim at 0.04 R. Outside, the ejecta fall as ρ⁻³ to zero
 * at 3 R. The rim is a crest: slopes jump there.
 */
export const craterRelief: RadialRelief = (x, y, radius, out) => {
  out[0] = out[1] = out[2] = 0; // faster than fill
  const depth = CRATER_DEPTH * radius;
  const rim = CRATER_RIM * radius;
  const scale = 1 / (radius * radius);
  const ratio = (x * x + y * y) * scale;
  if (ratio >= CRATER_REACH * CRATER_REACH) return;
  if (ratio <= 1) {
    out[0] = (depth + rim) * ratio - depth;
    out[1] = 2 * (depth + rim) * x * scale;
    out[2] = 2 * (depth + rim) * y * scale;
    return;
  }
  const cube = 1 / (ratio * Math.sqrt(ratio));
  out[0] = (rim * (cube - EJECTA_END)) / (1 - EJECTA_END);
  const slope = (((-3 * rim) / (1 - EJECTA_END)) * cube * scale) / ratio;
  out[1] = slope * x;
  out[2] = slope * y;
};

export function crater(radius: number): Terrain {
  checkPositive("radius", radius);
  return { steepest: 2 * (CRATER_DEPTH + CRATER_RIM), sample: (x, y, out) => craterRelief(x, y, radius, out) };
}

/** Terrain: a surface z(x, y) with height and slopes. Sampling allocates nothing. */
import { checkList, checkMembers, checkNumber } from "../arguments.ts";
import { cosine, sine } from "../math/elementary/sincos.ts";

export interface Terrain {
  /** Writes z, ∂z/∂x and ∂z/∂y at a point; NaN if the surface is unknown there. */
  sample(x: number, y: number, out: Float64Array): void;
  /** An upper bound of its slope, √(z_x² + z_y²), if known: with it, first touches are found from above without samples in between. */
  readonly steepest?: number;
  /** True if it is a plane. */
  readonly planar?: true;
}

/** Largest slope of a terrain that does not give it. */
const ASSUMED_SLOPE = 2;

/**
 * Largest change of the gap between a round thing and a terrain per distance moved: √(1 + slope²) by the motion and the rise of the ground,
 * and as much again where its normal turns. The ground must not be more curved than the thing.
 */
export const gapSteepness = ({ steepest = ASSUMED_SLOPE }: Terrain): number => 2 * Math.sqrt(1 + steepest * steepest);

/** @throws ArgumentError if `terrain` is not a terrain */
export const checkTerrain = (terrain: unknown, argument = "terrain"): void =>
  checkMembers(argument, terrain, ["sample"], "a terrain with the function sample(x, y, out)");

/** The height only, for maps and pictures. */
export function heightAt(terrain: Terrain, x: number, y: number): number {
  checkTerrain(terrain);
  checkNumber("x", x);
  checkNumber("y", y);
  const out = new Float64Array(3);
  terrain.sample(x, y, out);
  return out[0]!;
}

/** z = z0 + a x + b y. */
export function plane(z0: number, a: number, b: number): Terrain {
  for (const [name, value] of Object.entries({ z0, a, b })) checkNumber(name, value);
  return {
    planar: true,
    steepest: Math.sqrt(a * a + b * b),
    sample(x, y, out) {
      out[0] = z0 + a * x + b * y;
      out[1] = a;
      out[2] = b;
    },
  };
}

export const FLAT: Terrain = plane(0, 0, 0);

/** Sum of terrains: heights add. */
export function sumOf(layers: readonly Terrain[]): Terrain {
  checkList("layers", layers, "terrains");
  for (const [i, layer] of layers.entries()) checkTerrain(layer, `layers[${i}]`);
  if (layers.length === 0) return FLAT;
  if (layers.length === 1) return layers[0]!;
  const layerSample = new Float64Array(3);
  const slopes = layers.map((layer) => layer.steepest);
  return {
    ...(layers.every((layer) => layer.planar) && { planar: true as const }),
    ...(slopes.every((slope) => slope !== undefined) && { steepest: slopes.reduce((sum, slope) => sum + slope, 0) }),
    sample(x, y, out) {
      let z = 0;
      let zx = 0;
      let zy = 0;
      for (let k = 0; k < layers.length; k++) {
        layers[k]!.sample(x, y, layerSample);
        z += layerSample[0]!;
        zx += layerSample[1]!;
        zy += layerSample[2]!;
      }
      out[0] = z;
      out[1] = zx;
      out[2] = zy;
    },
  };
}

/** A terrain whose own frame is at (x0, y0), rotated by `turn` about z. */
export function placeTerrain(terrain: Terrain, x0: number, y0: number, turn: number): Terrain {
  checkTerrain(terrain);
  for (const [name, value] of Object.entries({ x0, y0, turn })) checkNumber(name, value);
  const c = cosine(turn);
  const s = sine(turn);
  return {
    ...(terrain.planar && { planar: true as const }),
    ...(terrain.steepest !== undefined && { steepest: terrain.steepest }),
    sample(x, y, out) {
      const dx = x - x0;
      const dy = y - y0;
      terrain.sample(c * dx + s * dy, -s * dx + c * dy, out);
      const a = out[1]!;
      const b = out[2]!;
      out[1] = c * a - s * b;
      out[2] = s * a + c * b;
    },
  };
}

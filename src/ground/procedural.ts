/**
 * Ground made from a seed, the same on every machine: integer hashes (32 bits) and a linear congruential generator, no Math.random.
 * It is synthetic, whatever it resembles.
 */
import { power } from "../math/power.ts";
import { crater } from "./shapes.ts";
import { placed, sumOf, type Terrain } from "./terrain.ts";

const FULL = 0xffffffff;

/** A number in [-1, 1] for a point of the integer grid. */
export function gridHash(i: number, j: number, seed: number): number {
  let h = (Math.imul(i, 374761393) + Math.imul(j, 668265263) + Math.imul(seed, 2246822519)) >>> 0;
  h = Math.imul(h ^ (h >>> 13), 1274126177) >>> 0;
  h = (h ^ (h >>> 16)) >>> 0;
  return (2 * h) / FULL - 1;
}

/** Value noise with quintic fading, twice continuously differentiable; adds amplitude × (value, slopes) to `out`. */
function addNoise(x: number, y: number, seed: number, amplitude: number, frequency: number, out: Float64Array): void {
  const X = x * frequency;
  const Y = y * frequency;
  const i = Math.floor(X);
  const j = Math.floor(Y);
  const s = X - i;
  const t = Y - j;
  const u = s * s * s * (s * (6 * s - 15) + 10);
  const v = t * t * t * (t * (6 * t - 15) + 10);
  const a = gridHash(i, j, seed);
  const b = gridHash(i + 1, j, seed) - a;
  const c = gridHash(i, j + 1, seed) - a;
  const d = gridHash(i + 1, j + 1, seed) - a - b - c;
  out[0]! += amplitude * (a + b * u + c * v + d * u * v);
  out[1]! += amplitude * frequency * (b + d * v) * 30 * s * s * (s - 1) * (s - 1);
  out[2]! += amplitude * frequency * (c + d * u) * 30 * t * t * (t - 1) * (t - 1);
}

export interface Roughness {
  /** Height of the coarsest waves, m. */
  readonly amplitude: number;
  /** Their length, m; each octave halves it. */
  readonly wavelength: number;
  readonly octaves: number;
  /** Hurst exponent: heights fall by 2^-H an octave. */
  readonly hurst: number;
  readonly seed: number;
}

/** Fractal roughness: octaves of value noise. */
export function roughness({ amplitude, wavelength, octaves, hurst, seed }: Roughness): Terrain {
  const gain = power(2, -hurst);
  return {
    sample(x, y, out) {
      out[0] = out[1] = out[2] = 0; // faster than fill
      let [height, frequency] = [amplitude, 1 / wavelength];
      for (let k = 0; k < octaves; k++, height *= gain, frequency *= 2) addNoise(x, y, seed + k, height, frequency, out);
    },
  };
}

/** Numbers in [0, 1) in a sequence that depends on the seed only. */
export function randomSequence(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

export interface Scatter {
  readonly count: number;
  /** Between these radii, as the -2nd power: many small, few large. */
  readonly least: number;
  readonly most: number;
  /** Corner and sides of the field. */
  readonly x: number;
  readonly y: number;
  readonly length: number;
  readonly width: number;
  readonly seed: number;
}

/** A thing of the field: where, and how large. */
export interface Scattered {
  readonly x: number;
  readonly y: number;
  readonly radius: number;
}

/** Where the generators of craters and rocks start, so that one seed gives three fields that have nothing in common. */
const CRATERS_FROM = 100;
const ROCKS_FROM = 7919;

function scatter(field: Scatter, from: number): Scattered[] {
  const next = randomSequence(from + field.seed);
  const share = 1 - (field.least / field.most) ** 2;
  return Array.from({ length: field.count }, () => {
    const x = field.x + field.length * next();
    const y = field.y + field.width * next();
    return { x, y, radius: field.least / Math.sqrt(1 - share * next()) };
  });
}

export const scatteredCraters = (field: Scatter): Scattered[] => scatter(field, CRATERS_FROM);
export const scatteredRocks = (field: Scatter): Scattered[] => scatter(field, ROCKS_FROM);

/** Craters of a field, heights adding where they overlap. */
export const craters = (field: Scatter): Terrain =>
  near(scatteredCraters(field).map((c) => ({ ...c, reach: 3 * c.radius, terrain: placed(crater(c.radius), c.x, c.y, 0) })));

/** Height of a rock above the ground, in radii. */
const ROCK_HEIGHT = 0.6;

/** A half-buried rock: 0.6 R (1 - ρ²)², which meets the ground with no kink. */
function rock(radius: number): Terrain {
  return {
    sample(x, y, out) {
      out[0] = out[1] = out[2] = 0; // faster than fill
      const rest = 1 - (x * x + y * y) / (radius * radius);
      if (rest <= 0) return;
      out[0] = ROCK_HEIGHT * radius * rest * rest;
      const slope = (-4 * ROCK_HEIGHT * rest) / radius;
      out[1] = slope * x;
      out[2] = slope * y;
    },
  };
}

export const rocks = (field: Scatter): Terrain =>
  near(scatteredRocks(field).map((r) => ({ ...r, reach: r.radius, terrain: placed(rock(r.radius), r.x, r.y, 0) })));

interface Local extends Scattered {
  readonly reach: number;
  readonly terrain: Terrain;
}

/** Most cells of the grid for each thing: a large field with few things must not fill the memory. */
const CELLS_PER_THING = 4;
const NOTHING: readonly Terrain[] = [];

/** Sum of things of finite reach, found through a grid of cells: cost does not grow with things that are far away. */
function near(things: readonly Local[]): Terrain {
  if (things.length === 0) return sumOf([]);
  const [left, right] = extent(things.map((t) => [t.x - t.reach, t.x + t.reach]));
  const [low, high] = extent(things.map((t) => [t.y - t.reach, t.y + t.reach]));
  const sparse = Math.sqrt(((right - left) * (high - low)) / (CELLS_PER_THING * things.length));
  const cell = things.reduce((most, t) => Math.max(most, t.reach), sparse);
  const columns = Math.floor((right - left) / cell) + 1;
  const rows = Math.floor((high - low) / cell) + 1;
  const cells: (readonly Terrain[])[] = Array.from({ length: columns * rows }, () => NOTHING);
  for (const { x, y, reach, terrain } of things)
    for (let j = Math.floor((y - reach - low) / cell); j <= Math.floor((y + reach - low) / cell); j++)
      for (let i = Math.floor((x - reach - left) / cell); i <= Math.floor((x + reach - left) / cell); i++)
        cells[j * columns + i] = [...cells[j * columns + i]!, terrain];
  const one = new Float64Array(3);
  return {
    sample(x, y, out) {
      out[0] = out[1] = out[2] = 0; // faster than fill
      const i = Math.floor((x - left) / cell);
      const j = Math.floor((y - low) / cell);
      if (!(i >= 0 && j >= 0 && i < columns && j < rows)) return;
      const list = cells[j * columns + i]!;
      for (let k = 0; k < list.length; k++) {
        list[k]!.sample(x, y, one);
        out[0]! += one[0]!;
        out[1]! += one[1]!;
        out[2]! += one[2]!;
      }
    },
  };
}

const extent = (ranges: readonly (readonly [number, number])[]): readonly [number, number] =>
  ranges.reduce(([a, b], [c, d]) => [Math.min(a, c), Math.max(b, d)], [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]);

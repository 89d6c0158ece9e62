/**
 * Synthetic terrain from a seed, the same on every machine: 32-bit integer hashes and a linear congruential generator, no Math.random.
 */
import { checkCount, checkLeast, checkMembers, checkNumber, checkPositive } from "../arguments.ts";
import { power, square } from "../math/elementary/power.ts";
import { CRATER_REACH, craterRelief, type RadialRelief } from "./shapes.ts";
import { sumOf, type Terrain } from "./terrain.ts";

const MAX_UINT32 = 0xffffffff;

/** Pseudo-random number in [-1, 1] of a point of the integer grid. */
export function gridHash(i: number, j: number, seed: number): number {
  let h = (Math.imul(i, 374761393) + Math.imul(j, 668265263) + Math.imul(seed, 2246822519)) >>> 0;
  h = Math.imul(h ^ (h >>> 13), 1274126177) >>> 0;
  h = (h ^ (h >>> 16)) >>> 0;
  return (2 * h) / MAX_UINT32 - 1;
}

export interface Roughness {
  /** Height of the longest waves, m. */
  readonly amplitude: number;
  /** Length of the longest waves, m; each octave halves it. */
  readonly wavelength: number;
  readonly octaves: number;
  /** Hurst exponent H: heights fall by 2^-H per octave. */
  readonly hurst: number;
  readonly seed: number;
}

/** Side of the square of cached cells per octave; large enough for the wheels of a rover. */
const CACHED_CELLS = 8;
/** Numbers per cached cell: its indices (i, j) and the coefficients of 1, u, v and u v. */
const VALUES_PER_CELL = 6;
const VALUES_PER_OCTAVE = CACHED_CELLS * CACHED_CELLS * VALUES_PER_CELL;

/**
 * Fractal roughness: octaves of value noise with quintic fading, twice continuously differentiable,
 *
 *   z = A (a + b u + c v + d u v),  u = s³ (6 s² - 15 s + 10),  u' = 30 s² (s - 1)²
 *
 * within a cell of the integer grid; t and v likewise across. Consecutive samples are mostly close together, so the coefficients of cells
 * are cached. The cache does not change the result.
 */
export function roughness(waves: Roughness): Terrain {
  checkMembers("roughness", waves, [], "an object with amplitude, wavelength, octaves, hurst and seed");
  const { amplitude, wavelength, octaves, hurst, seed } = waves;
  checkNumber("roughness.amplitude", amplitude);
  checkPositive("roughness.wavelength", wavelength);
  checkCount("roughness.octaves", octaves);
  checkNumber("roughness.hurst", hurst);
  checkNumber("roughness.seed", seed);
  const gain = power(2, -hurst);
  const heights = new Float64Array(octaves);
  const frequencies = new Float64Array(octaves);
  const slopes = new Float64Array(octaves);
  for (let k = 0, height = amplitude, frequency = 1 / wavelength; k < octaves; k++, height *= gain, frequency *= 2) {
    heights[k] = height;
    frequencies[k] = frequency;
    slopes[k] = 30 * height * frequency;
  }
  const cells = new Float64Array(octaves * VALUES_PER_OCTAVE).fill(Number.NaN);
  return {
    // u' is 30/16 at most, and heights at the corners of a cell differ by 2 A at most, along x and along y.
    steepest: slopes.reduce((sum, slope) => sum + (Math.SQRT2 * 2 * Math.abs(slope)) / 16, 0),
    sample(x, y, out) {
      let z = 0;
      let zx = 0;
      let zy = 0;
      for (let k = 0; k < octaves; k++) {
        const X = x * frequencies[k]!;
        const Y = y * frequencies[k]!;
        const i = Math.floor(X);
        const j = Math.floor(Y);
        const cell =
          k * VALUES_PER_OCTAVE + ((j & (CACHED_CELLS - 1)) * CACHED_CELLS + (i & (CACHED_CELLS - 1))) * VALUES_PER_CELL;
        if (cells[cell] !== i || cells[cell + 1] !== j) storeCell(cells, cell, i, j, seed + k);
        const b = cells[cell + 3]!;
        const c = cells[cell + 4]!;
        const d = cells[cell + 5]!;
        const s = X - i;
        const t = Y - j;
        const u = s * s * s * (s * (6 * s - 15) + 10);
        const v = t * t * t * (t * (6 * t - 15) + 10);
        const p = s * (s - 1);
        const q = t * (t - 1);
        z += heights[k]! * (cells[cell + 2]! + b * u + (c + d * u) * v);
        zx += slopes[k]! * (b + d * v) * (p * p);
        zy += slopes[k]! * (c + d * u) * (q * q);
      }
      out[0] = z;
      out[1] = zx;
      out[2] = zy;
    },
  };
}

function storeCell(cells: Float64Array, cell: number, i: number, j: number, seed: number): void {
  const a = gridHash(i, j, seed);
  const b = gridHash(i + 1, j, seed) - a;
  const c = gridHash(i, j + 1, seed) - a;
  cells[cell] = i;
  cells[cell + 1] = j;
  cells[cell + 2] = a;
  cells[cell + 3] = b;
  cells[cell + 4] = c;
  cells[cell + 5] = gridHash(i + 1, j + 1, seed) - a - b - c;
}

/** Generator of pseudo-random numbers in [0, 1) that depends only on the seed. */
export function randomSequence(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 4294967296;
  };
}

export interface Scatter {
  readonly count: number;
  /** Smallest and largest radius, m. Radii are distributed as the -2nd power: many small, few large. */
  readonly least: number;
  readonly most: number;
  /** Corner and sides of the field, m. */
  readonly x: number;
  readonly y: number;
  readonly length: number;
  readonly width: number;
  readonly seed: number;
}

/** A crater or rock of the field: centre and radius, m. */
export interface ScatteredFeature {
  readonly x: number;
  readonly y: number;
  readonly radius: number;
}

/** Added to the seed, so that roughness, craters and rocks of one seed are independent. */
const CRATER_SEED_OFFSET = 100;
const ROCK_SEED_OFFSET = 7919;

function scatterFeatures(field: Scatter, from: number): ScatteredFeature[] {
  checkMembers("field", field, [], "an object with count, least, most, x, y, length, width and seed");
  checkCount("field.count", field.count);
  checkPositive("field.least", field.least);
  checkLeast("field.most", field.most, field.least);
  for (const key of ["x", "y", "length", "width", "seed"] as const) checkNumber(`field.${key}`, field[key]);
  const next = randomSequence(from + field.seed);
  const share = 1 - square(field.least / field.most);
  return Array.from({ length: field.count }, () => {
    const x = field.x + field.length * next();
    const y = field.y + field.width * next();
    return { x, y, radius: field.least / Math.sqrt(1 - share * next()) };
  });
}

export const scatterCraters = (field: Scatter): ScatteredFeature[] => scatterFeatures(field, CRATER_SEED_OFFSET);
export const scatterRocks = (field: Scatter): ScatteredFeature[] => scatterFeatures(field, ROCK_SEED_OFFSET);

/** Terrain with the craters of a field; heights add where craters overlap. */
export const craters = (field: Scatter): Terrain => sumNearbyFeatures(scatterCraters(field), CRATER_REACH, craterRelief);

/** Height of a rock above the ground, in rock radii. */
const ROCK_HEIGHT = 0.6;

/** A half-buried rock: 0.6 R (1 - ρ²)², with continuous slope at its edge. */
const rockRelief: RadialRelief = (x, y, radius, out) => {
  out[0] = out[1] = out[2] = 0; // faster than fill
  const rest = 1 - (x * x + y * y) / (radius * radius);
  if (rest <= 0) return;
  out[0] = ROCK_HEIGHT * radius * rest * rest;
  const slope = (-4 * ROCK_HEIGHT * rest) / radius;
  out[1] = slope * x;
  out[2] = slope * y;
};

export const rocks = (field: Scatter): Terrain => sumNearbyFeatures(scatterRocks(field), 1, rockRelief);

/** Maximum number of grid cells per feature: a large field with few features must not fill the memory. */
const CELLS_PER_FEATURE = 4;
const NO_FEATURES = new Float64Array(0);

/**
 * Sum of features whose shape extends to `radii` times their radius. A grid of cells finds the near ones, so distant features cost nothing.
 */
function sumNearbyFeatures(features: readonly ScatteredFeature[], radii: number, shape: RadialRelief): Terrain {
  if (features.length === 0) return sumOf([]);
  const [left, right] = extent(features.map((f) => [f.x - radii * f.radius, f.x + radii * f.radius]));
  const [low, high] = extent(features.map((f) => [f.y - radii * f.radius, f.y + radii * f.radius]));
  const cellForMemory = Math.sqrt(((right - left) * (high - low)) / (CELLS_PER_FEATURE * features.length));
  const cellSide = features.reduce((largest, f) => Math.max(largest, radii * f.radius), cellForMemory);
  const perCell = 1 / cellSide;
  const columns = Math.floor((right - left) * perCell) + 1;
  const rows = Math.floor((high - low) * perCell) + 1;
  /** For each cell, the features that extend into it: x, y, radius and the squared reach. */
  const cells: Float64Array[] = Array.from({ length: columns * rows }, () => NO_FEATURES);
  for (const { x, y, radius } of features) {
    const reach = radii * radius;
    for (let j = Math.floor((y - reach - low) * perCell); j <= Math.floor((y + reach - low) * perCell); j++)
      for (let i = Math.floor((x - reach - left) * perCell); i <= Math.floor((x + reach - left) * perCell); i++)
        cells[j * columns + i] = Float64Array.of(...cells[j * columns + i]!, x, y, radius, reach * reach);
  }
  return {
    sample(x, y, out) {
      out[0] = out[1] = out[2] = 0; // faster than fill
      const i = Math.floor((x - left) * perCell);
      const j = Math.floor((y - low) * perCell);
      if (!(i >= 0 && j >= 0 && i < columns && j < rows)) return;
      const list = cells[j * columns + i]!;
      let z = 0;
      let zx = 0;
      let zy = 0;
      for (let k = 0; k < list.length; k += 4) {
        const dx = x - list[k]!;
        const dy = y - list[k + 1]!;
        if (dx * dx + dy * dy >= list[k + 3]!) continue;
        shape(dx, dy, list[k + 2]!, out);
        z += out[0]!;
        zx += out[1]!;
        zy += out[2]!;
      }
      out[0] = z;
      out[1] = zx;
      out[2] = zy;
    },
  };
}

const extent = (ranges: readonly (readonly [number, number])[]): readonly [number, number] =>
  ranges.reduce(([a, b], [c, d]) => [Math.min(a, c), Math.max(b, d)], [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]);

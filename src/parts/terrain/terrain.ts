/** The terrain of a scenario: the sum of layers, each of a kind with declared parameters. */

import { MAX_PARTS } from "../../declare/limits.ts";
import { didYouMean } from "../../declare/names.ts";
import type { Parameters, ParameterValues } from "../../declare/parameters.ts";
import { NO_NAMES, readParameters } from "../../declare/parse-parameters.ts";
import { childPath, readRecord } from "../../declare/plain-data.ts";
import { readQuantityInUnit } from "../../declare/units.ts";
import { ModelError, type Problem, valueText } from "../../errors.ts";
import { heightmap } from "../../ground/heightmap.ts";
import { craters, rocks, roughness } from "../../ground/procedural.ts";
import { HOLE_FILLS, heightGridFromRaster, isMapProblem, type Raster } from "../../ground/raster.ts";
import { crater, ledge, mound, ridge } from "../../ground/shapes.ts";
import { placeTerrain, plane, sumOf, type Terrain } from "../../ground/terrain.ts";
import { cosine, sine, tangent } from "../../math/elementary/sincos.ts";

/** Maps by path, or the errors of reading them. */
export type LoadedMaps = ReadonlyMap<string, Raster | ModelError>;

interface TerrainKind<D extends Parameters = Parameters> {
  readonly about: string;
  readonly parameters: D;
  create(values: ParameterValues<D>, maps: LoadedMaps | undefined): Terrain | LayerProblem;
}

/** Why a layer cannot be made, and the parameter at fault. */
interface LayerProblem {
  readonly at?: string;
  readonly message: string;
  readonly advice?: string;
}

const terrainKind = <const D extends Parameters>(declared: TerrainKind<D>): TerrainKind<D> => declared;

const LAYER_POSITION = {
  x: { type: "number", unit: "m", default: 0, about: "Coordinate x of its centre." },
  y: { type: "number", unit: "m", default: 0, about: "Coordinate y of its centre." },
} as const;
const LAYER_TURN = { type: "number", unit: "rad", default: 0, about: "Rotation about the vertical." } as const;
const positiveLength = (about: string) => ({ type: "number", unit: "m", above: 0, about }) as const;
const SEED = {
  type: "number",
  unit: "",
  least: 0,
  most: 2_147_483_648,
  default: 1,
  about: "Seed of the random numbers.",
} as const;

const SCATTER_FIELD = {
  count: { type: "number", unit: "", least: 0, most: 1e5, about: "Number of them." },
  least: positiveLength("Smallest radius."),
  most: positiveLength("Largest radius; many are small, few are large."),
  x: { type: "number", unit: "m", default: 0, about: "Coordinate x of the corner of the field." },
  y: { type: "number", unit: "m", default: 0, about: "Coordinate y of the corner of the field." },
  length: positiveLength("Side of the field along x."),
  width: positiveLength("Side of the field along y."),
  seed: SEED,
} as const;

const withWholeNumbers = ({ count, seed: s, ...rest }: ParameterValues<typeof SCATTER_FIELD>) => ({
  ...rest,
  count: Math.round(count),
  seed: Math.round(s),
});

/** Every kind of layer, by name. */
export const TERRAINS = {
  plane: terrainKind({
    about: "A plane that rises by the angle `slope` towards the azimuth, counted from x to y.",
    parameters: {
      slope: { type: "number", unit: "rad", least: -1.4, most: 1.4, default: 0, about: "Angle of the slope." },
      azimuth: { type: "number", unit: "rad", default: 0, about: "Direction in which the plane rises." },
      height: { type: "number", unit: "m", default: 0, about: "Height at the origin." },
    },
    create: ({ slope, azimuth, height }) => plane(height, tangent(slope) * cosine(azimuth), tangent(slope) * sine(azimuth)),
  }),
  ridge: terrainKind({
    about: "A ridge across its x axis, H cos²(π x / L); with an edge it exists only to the left of it.",
    parameters: {
      height: { type: "number", unit: "m", about: "Height H." },
      length: positiveLength("Length L along x, foot to foot."),
      edge: {
        type: "number",
        unit: "m",
        optional: true,
        about: "Coordinate y at which the ridge begins; everywhere if not given.",
      },
      ramp: { type: "number", unit: "m", above: 0, default: 0.1, about: "Width over which the ridge rises at the edge." },
      ...LAYER_POSITION,
      turn: LAYER_TURN,
    },
    create: ({ height, length, edge, ramp, x, y, turn }) => placeTerrain(ridge(height, length, edge, ramp), x, y, turn),
  }),
  mound: terrainKind({
    about: "A round hill with a cos² profile; a hollow if its height is negative.",
    parameters: {
      height: { type: "number", unit: "m", about: "Height." },
      radius: positiveLength("Radius of its foot."),
      ...LAYER_POSITION,
    },
    create: ({ height, radius, x, y }) => placeTerrain(mound(height, radius), x, y, 0),
  }),
  ledge: terrainKind({
    about: "A step of the ground along its x axis.",
    parameters: {
      height: { type: "number", unit: "m", about: "Height." },
      ramp: positiveLength("Length over which the ground rises."),
      ...LAYER_POSITION,
      turn: LAYER_TURN,
    },
    create: ({ height, ramp, x, y, turn }) => placeTerrain(ledge(height, ramp), x, y, turn),
  }),
  crater: terrainKind({
    about: "A fresh crater: 0.2 R deep, with a rim of 0.04 R and ejecta up to 3 R.",
    parameters: { radius: positiveLength("Radius R of the rim."), ...LAYER_POSITION },
    create: ({ radius, x, y }) => placeTerrain(crater(radius), x, y, 0),
  }),
  roughness: terrainKind({
    about:
      "Synthetic fractal roughness from a seed: octaves of smooth noise, each half as long and 2^-H as high as the one before.",
    parameters: {
      amplitude: { type: "number", unit: "m", least: 0, about: "Amplitude of the longest waves." },
      wavelength: positiveLength("Length of the longest waves."),
      octaves: { type: "number", unit: "", least: 1, most: 16, default: 4, about: "Number of octaves." },
      hurst: {
        type: "number",
        unit: "",
        least: 0,
        most: 2,
        default: 0.8,
        about: "Hurst exponent H; 0.8 is typical of the Moon.",
      },
      seed: SEED,
    },
    create: ({ octaves, seed: s, ...rest }) => roughness({ ...rest, octaves: Math.round(octaves), seed: Math.round(s) }),
  }),
  craters: terrainKind({
    about: "Craters randomly distributed over a field, from a seed.",
    parameters: SCATTER_FIELD,
    create: (field) => craters(withWholeNumbers(field)),
  }),
  rocks: terrainKind({
    about: "Half-buried rocks randomly distributed over a field, from a seed, each 0.6 R high.",
    parameters: SCATTER_FIELD,
    create: (field) => rocks(withWholeNumbers(field)),
  }),
  heights: terrainKind({
    about: "Heights on a grid with bicubic interpolation; outside of it the ground is not known.",
    parameters: {
      rows: {
        type: "list",
        about: "Rows of constant y, each with heights along x.",
        of: { heights: { type: "numbers", unit: "m", about: "Heights along x." } },
      },
      x: { type: "number", unit: "m", default: 0, about: "Coordinate x of the first height." },
      y: { type: "number", unit: "m", default: 0, about: "Coordinate y of the first height." },
      spacing: positiveLength("Distance between heights."),
    },
    create: ({ rows, x, y, spacing }) =>
      heightmap({
        heights: Float64Array.from(rows.flatMap((row) => row.heights)),
        columns: rows[0]?.heights.length ?? 0,
        rows: rows.length,
        x,
        y,
        dx: spacing,
        dy: spacing,
      }),
  }),
  map: terrainKind({
    about:
      "A digital elevation model from a file beside the scenario: GeoTIFF, or the label of a PDS3 image, in a projection in metres. " +
      "A point of the map becomes the origin, with x to the east and y to the north.",
    parameters: {
      file: {
        type: "file",
        about: "GeoTIFF or PDS3 label (attached, or beside its raster), as a path relative to the scenario.",
      },
      x: {
        type: "number",
        unit: "m",
        optional: true,
        about: "Map coordinate that becomes x = 0; the middle of the map if not given.",
      },
      y: {
        type: "number",
        unit: "m",
        optional: true,
        about: "Map coordinate that becomes y = 0; the middle of the map if not given.",
      },
      length: {
        type: "number",
        unit: "m",
        above: 0,
        optional: true,
        about: "Side of the window along x; the whole map if not given.",
      },
      width: {
        type: "number",
        unit: "m",
        above: 0,
        optional: true,
        about: "Side of the window along y; the whole map if not given.",
      },
      height: {
        type: "number",
        unit: "m",
        optional: true,
        about: "Height in the map that becomes z = 0; the height of the post nearest to the origin if not given.",
      },
      fill: {
        type: "choice",
        of: HOLE_FILLS,
        default: "refuse",
        about: "Treatment of unknown heights: an error, or the height of the nearest known post.",
      },
    },
    create: ({ file, ...window }, maps) => {
      const map = maps?.get(file);
      if (map === undefined)
        return {
          at: "file",
          message: "has not been read",
          advice: "Open scenarios with maps by openScenario, not by loadScenario",
        };
      if (map instanceof ModelError) {
        const [problem] = map.problems;
        return { at: "file", message: problem!.message, ...(problem!.advice && { advice: problem!.advice }) };
      }
      const ground = heightGridFromRaster(map, window);
      return isMapProblem(ground) ? ground : heightmap(ground);
    },
  }),
} as const;

/** Reads the terrain of a scenario, the sum of its layers; undefined if there is none, or after a problem. */
export function readTerrain(value: unknown, maps: LoadedMaps | undefined, problems: Problem[]): Terrain | undefined {
  if (value === undefined) return undefined;
  const layers = Object.entries(readRecord(value, "terrain", problems) ?? {});
  if (layers.length > MAX_PARTS) {
    problems.push({ path: "terrain", message: `at most ${MAX_PARTS} layers, this has ${layers.length}` });
    return undefined;
  }
  const terrains = layers.map(([name, layer]) => readLayer(layer, childPath("terrain", name), maps, problems));
  return terrains.every((layer) => layer !== undefined) ? sumOf(terrains) : undefined;
}

function readLayer(value: unknown, path: string, maps: LoadedMaps | undefined, problems: Problem[]): Terrain | undefined {
  const fields = readRecord(value, path, problems);
  if (fields === undefined) return undefined;
  const { kind: name, ...parameters } = fields;
  if (typeof name !== "string" || !Object.hasOwn(TERRAINS, name)) {
    problems.push({
      path: childPath(path, "kind"),
      message: name === undefined ? "is missing" : "no such kind of terrain",
      ...(name !== undefined && { value: valueText(name) }),
      advice: didYouMean(name, Object.keys(TERRAINS)),
    });
    return undefined;
  }
  const { parameters: declared, create } = TERRAINS[name as keyof typeof TERRAINS] as unknown as TerrainKind;
  const values = readParameters(declared, parameters, NO_NAMES, problems, { path, quantity: readQuantityInUnit });
  if (values === undefined) return undefined;
  const layer = findInconsistency(name, values) ?? create(values, maps);
  if (!("message" in layer)) return layer;
  const { at, ...problem } = layer;
  problems.push({ path: at === undefined ? path : childPath(path, at), ...(at && { value: valueText(values[at]) }), ...problem });
  return undefined;
}

/** Finds contradictions between parameters that are each valid. */
function findInconsistency(name: string, values: ParameterValues<Parameters>): LayerProblem | undefined {
  if ((name === "craters" || name === "rocks") && (values.least as number) > (values.most as number))
    return { message: "the smallest radius is larger than the largest", advice: "Exchange least and most" };
  if (name !== "heights") return undefined;
  const rows = values.rows as readonly { readonly heights: readonly number[] }[];
  const columns = rows[0]?.heights.length ?? 0;
  if (rows.length < 2 || columns < 2) return { message: "needs at least two rows of two heights", advice: "Add heights" };
  if (rows.some((row) => row.heights.length !== columns))
    return { message: "all rows must have the same number of heights", advice: `The first row has ${columns}` };
  return undefined;
}

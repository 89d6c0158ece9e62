/** The ground: surfaces, maps, soils, a wheel on a bench. */

export { gridOf, type HeightGrid, heightmap } from "./heightmap.ts";
export { craters, type Roughness, rocks, roughness, type Scatter } from "./procedural.ts";
export type { HoleFill } from "./raster.ts";
export { HOLE_FILLS, heightGridFromRaster, type MapProblem, type MapWindow, type Raster } from "./raster.ts";
export { RutField } from "./ruts.ts";
export { crater, ledge, mound, ridge } from "./shapes.ts";
export { SOILS, type Soil, type SoilPreset, type SoilProblem, soilProblems, soilWarnings } from "./soil.ts";
export { FLAT, heightAt, placeTerrain, plane, sumOf, type Terrain } from "./terrain.ts";
export { forcesAtSlip, sinkageUnder, steadyPull } from "./wheel-bench.ts";
export { type WheelForces, WheelOnSoil, type WheelShape } from "./wheel-soil.ts";

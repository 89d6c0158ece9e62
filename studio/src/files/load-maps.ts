/** Maps of heights among the files that the user gives: read on the page, once; the worker gets them as plain data. */
import { ModelError, type Raster, readMap, withMaps } from "castor";
import { filesOfSource, type ScenarioSource } from "./scenario-sources.ts";

/** Of files up to so many bytes everything is read, so that another window can be chosen afterwards. */
const SMALL = 20e6;

/**
 * The source with the maps that it names, read once: settings and runs take their windows from them. What is wrong with a map is said where
 * it is named, when the scenario is read.
 */
export async function withMapsLoaded(source: ScenarioSource): Promise<ScenarioSource> {
  const { assets = {}, files } = source;
  const bytes = (path: string): Uint8Array => {
    if (Object.hasOwn(assets, path)) return new Uint8Array(assets[path]!);
    if (Object.hasOwn(files, path)) return new TextEncoder().encode(files[path]);
    throw new ModelError(path, [
      { path: "", message: "is not among the files here", advice: "Drop it together with the scenario" },
    ]);
  };
  try {
    const { maps = new Map<string, Raster | ModelError>() } = await withMaps(source.text, source.path, {
      files: { ...filesOfSource(source, []), readBytes: bytes },
    });
    const total = Object.values(assets).reduce((sum, { byteLength }) => sum + byteLength, 0);
    const read: Record<string, Raster | ModelError> = {};
    for (const [path, map] of maps)
      read[path] = map instanceof ModelError || total > SMALL ? map : await readMap(path, { bytes }).catch(() => map);
    return maps.size === 0 ? source : { ...source, maps: read };
  } catch (error) {
    if (error instanceof ModelError) return source; // whoever reads the text will say so
    throw error;
  }
}

/** Height maps among the files of the user. The page reads them once; the worker receives them as plain data. */
import { ModelError } from "castor";
import { readMap } from "castor/formats";
import type { Raster } from "castor/ground";
import { withMaps } from "castor/scenario";
import { filesOfSource, type ScenarioSource } from "./scenario-sources.ts";

/** Up to this total size, bytes, maps are read completely, so that the user can choose another window later. */
const MAX_COMPLETE_BYTES = 20e6;

/**
 * The source with the maps that it names. Settings and runs take their windows from these maps. Problems of a map are reported when the
 * scenario is read, at the place that names the map.
 */
export async function withMapsLoaded(source: ScenarioSource): Promise<ScenarioSource> {
  const { assets = {}, files } = source;
  const readBytes = (path: string): Uint8Array => {
    if (Object.hasOwn(assets, path)) return new Uint8Array(assets[path]!);
    if (Object.hasOwn(files, path)) return new TextEncoder().encode(files[path]);
    throw new ModelError(path, [
      { path: "", message: "is missing among the opened files", advice: "Drop it together with the scenario" },
    ]);
  };
  try {
    const { maps = new Map<string, Raster | ModelError>() } = await withMaps(source.text, source.path, {
      files: { ...filesOfSource(source, []), readBytes },
    });
    const totalBytes = Object.values(assets).reduce((sum, { byteLength }) => sum + byteLength, 0);
    const loaded: Record<string, Raster | ModelError> = {};
    for (const [path, map] of maps)
      loaded[path] =
        map instanceof ModelError || totalBytes > MAX_COMPLETE_BYTES
          ? map
          : await readMap(path, { bytes: readBytes }).catch(() => map);
    return maps.size === 0 ? source : { ...source, maps: loaded };
  } catch (error) {
    if (error instanceof ModelError) return source; // reported when the scenario is read
    throw error;
  }
}

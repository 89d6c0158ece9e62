/** Scenarios with maps. Map formats are read asynchronously in pieces, so the maps are read first, then the scenario like any other. */

import type { Fields } from "../declare/plain-data.ts";
import { readQuantityInUnit } from "../declare/units.ts";
import { ModelError } from "../errors.ts";
import { readDocument } from "../formats/document.ts";
import { readMap } from "../formats/map-file.ts";
import type { MapWindow, Raster } from "../ground/raster.ts";
import { fieldsOf } from "./fields-of.ts";
import { NO_FILES, pathProblem, type ScenarioFiles } from "./files.ts";
import { checkLoadArguments, type LoadOptions, loadScenario } from "./load.ts";
import { applyOverrides } from "./override.ts";
import type { Scenario } from "./scenario.ts";

/** Like `loadScenario`, for scenarios whose terrain may be a map file. @throws ModelError with every problem. */
export async function openScenario(text: string, source = "scenario", options: LoadOptions = {}): Promise<Scenario> {
  return loadScenario(text, source, { ...options, files: await withMaps(text, source, options) });
}

/** Adds to `files` the maps that the scenario text names. A map that is used once is read only in its window. */
export async function withMaps(text: string, source: string, options: LoadOptions): Promise<ScenarioFiles> {
  checkLoadArguments(text, source, options);
  const { files = NO_FILES, overrides = [] } = options;
  const data = applyOverrides(readDocument(text, source).data, overrides, []);
  const windowsByFile = new Map<string, (MapWindow | undefined)[]>();
  for (const layer of Object.values(fieldsOf(fieldsOf(data).terrain))) {
    const { kind, file, ...window } = fieldsOf(layer);
    if (kind === "map" && typeof file === "string")
      windowsByFile.set(file, [...(windowsByFile.get(file) ?? []), mapWindowOf(window)]);
  }
  if (windowsByFile.size === 0) return files;
  const bytes = (path: string): Uint8Array => {
    const refusal = pathProblem(path) ?? (files.readBytes ? undefined : "cannot be read: no files were given with this scenario");
    if (refusal !== undefined) throw new ModelError(path, [{ path: "", message: refusal }]);
    return files.readBytes!(path);
  };
  const maps = new Map<string, Raster | ModelError>();
  for (const [file, windows] of windowsByFile)
    try {
      maps.set(file, await readMap(file, { bytes }, windows.length === 1 ? windows[0] : undefined));
    } catch (error) {
      if (!(error instanceof ModelError)) throw error;
      maps.set(file, error);
    }
  return { ...files, maps };
}

/** The window of a map layer, or undefined. Problems of the window are reported later, when the scenario is read. */
function mapWindowOf(fields: Fields): MapWindow | undefined {
  const number = (key: string): number | undefined =>
    fields[key] === undefined ? undefined : readQuantityInUnit(fields[key], "m", "", []);
  const [x, y, length, width] = ["x", "y", "length", "width"].map(number);
  return length !== undefined && width !== undefined ? { x, y, length, width, fill: "refuse" } : undefined;
}

/** Scenarios with maps: these are read first, because their formats are read in pieces; then the scenario is, as any other. */

import { readQuantityInUnit } from "../declare/units.ts";
import { ModelError } from "../errors.ts";
import { readDocument } from "../formats/document.ts";
import { readMap } from "../formats/map-file.ts";
import type { MapWindow, Raster } from "../ground/raster.ts";
import { NO_FILES, pathProblem, type ScenarioFiles } from "./files.ts";
import { type LoadOptions, loadScenario } from "./load.ts";
import { applyOverrides } from "./override.ts";
import type { Scenario } from "./scenario.ts";

/** As `loadScenario`, for scenarios whose ground may be a map in a file. @throws ModelError with every problem. */
export async function openScenario(text: string, source = "scenario", options: LoadOptions = {}): Promise<Scenario> {
  return loadScenario(text, source, { ...options, files: await withMaps(text, source, options) });
}

/** The files with the maps that the text names, read as far as its windows go. */
export async function withMaps(
  text: string,
  source: string,
  { files = NO_FILES, overrides = [] }: LoadOptions,
): Promise<ScenarioFiles> {
  const data = applyOverrides(readDocument(text, source).data, overrides, []);
  const wanted = new Map<string, (MapWindow | undefined)[]>();
  for (const layer of Object.values(fieldsOf(fieldsOf(data).terrain))) {
    const { kind, file, ...window } = fieldsOf(layer);
    if (kind === "map" && typeof file === "string") wanted.set(file, [...(wanted.get(file) ?? []), mapWindowOf(window)]);
  }
  if (wanted.size === 0) return files;
  const bytes = (path: string): Uint8Array => {
    const wrong = pathProblem(path) ?? (files.readBytes ? undefined : "there are no files here to take it from");
    if (wrong !== undefined) throw new ModelError(path, [{ path: "", message: wrong }]);
    return files.readBytes!(path);
  };
  const maps = new Map<string, Raster | ModelError>();
  for (const [file, windows] of wanted)
    try {
      maps.set(file, await readMap(file, { bytes }, windows.length === 1 ? windows[0] : undefined));
    } catch (error) {
      if (!(error instanceof ModelError)) throw error;
      maps.set(file, error);
    }
  return { ...files, maps };
}

type Fields = Readonly<Record<string, unknown>>;
const fieldsOf = (value: unknown): Fields => (typeof value === "object" && value !== null ? (value as Fields) : {});

/** What is wrong with a window is said when the scenario is read; until then it is no window. */
function mapWindowOf(fields: Fields): MapWindow | undefined {
  const number = (key: string): number | undefined =>
    fields[key] === undefined ? undefined : readQuantityInUnit(fields[key], "m", "", []);
  const [x, y, length, width] = ["x", "y", "length", "width"].map(number);
  return length !== undefined && width !== undefined ? { x, y, length, width, fill: "refuse" } : undefined;
}

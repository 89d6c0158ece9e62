/** Maps of heights among the files that the user gives: read on the page, once; the worker gets them as plain data. */
import { ModelError, type Raster, withMaps } from "castor";
import { filesOf, type Source } from "./library.ts";

/** The source with the maps that it names, read once: settings and runs take their windows from them. @throws ModelError */
export async function withMapsRead(source: Source): Promise<Source> {
  const { assets = {}, files } = source;
  const bytes = (path: string): Uint8Array => {
    if (Object.hasOwn(assets, path)) return new Uint8Array(assets[path]!);
    if (Object.hasOwn(files, path)) return new TextEncoder().encode(files[path]);
    throw new ModelError(path, [
      { path: "", message: "is not among the files here", advice: "Drop it together with the scenario" },
    ]);
  };
  const { maps } = await withMaps(source.text, source.path, { files: { ...filesOf(source, []), bytes } });
  if (maps === undefined) return source;
  const wrong = [...maps.values()].find((map) => map instanceof ModelError);
  if (wrong) throw wrong;
  return { ...source, maps: Object.fromEntries(maps) as Record<string, Raster> };
}

/** Reads maps of heights (digital elevation models): GeoTIFF, and PDS3 with attached or detached label. */
import { checkMembers, checkText } from "../arguments.ts";
import type { MapWindow, Raster } from "../ground/raster.ts";
import { type MapFiles, mapError } from "./map-frame.ts";
import { isPds3, readPds3 } from "./pds3.ts";

/** @throws ModelError with the problem of the file and what to do. */
export async function readMap(path: string, files: MapFiles, window?: MapWindow): Promise<Raster> {
  checkText("path", path, "the path of a map");
  checkMembers("files", files, ["bytes"], "an object with the function bytes(path)");
  const bytes = files.bytes(path);
  if (isTiff(bytes)) {
    const { readGeoTiff } = await import("./geotiff.ts"); // loads the library only for such files
    return readGeoTiff(bytes, path, window);
  }
  if (isPds3(bytes)) return readPds3(bytes, path, files, window);
  throw mapError(
    path,
    "is neither a GeoTIFF nor a PDS3 label",
    /\.(img|dat)$/i.test(path) ? "Name the label (.lbl) of the raster" : "Convert it, e.g. with gdal_translate",
  );
}

function isTiff(b: Uint8Array): boolean {
  const little = b[0] === 0x49 && b[1] === 0x49 && (b[2] === 42 || b[2] === 43) && b[3] === 0;
  return little || (b[0] === 0x4d && b[1] === 0x4d && b[2] === 0 && (b[3] === 42 || b[3] === 43));
}

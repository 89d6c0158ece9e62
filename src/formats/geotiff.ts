/** GeoTIFF by the library of that name: the window that is asked for, with every reason for which it cannot be ground. */
import { fromArrayBuffer, type GeoTIFFImage } from "geotiff";
import { ModelError } from "../errors.ts";
import { type MapWindow, type Raster, rasterCentre } from "../ground/raster.ts";
import { checkMapSize, emptyRaster, type MapFrame, mapError, postsToRead } from "./map-frame.ts";

export async function readGeoTiff(bytes: Uint8Array, path: string, window?: MapWindow): Promise<Raster> {
  checkDirectory(bytes, path);
  const damaged = (error: unknown): ModelError => {
    if (error instanceof ModelError) return error;
    const message = error instanceof Error ? error.message : String(error);
    return /compression/i.test(message)
      ? mapError(path, `its compression is not supported: ${message}`, "Write it anew: gdal_translate -co COMPRESS=DEFLATE")
      : mapError(path, `cannot be read: ${message}`, "The file is truncated or damaged: fetch it again");
  };
  try {
    const tiff = await fromArrayBuffer(ownBuffer(bytes));
    const image = await tiff.getImage();
    const frame = mapFrameOf(image, path);
    const part = postsToRead(frame, path, window);
    const raster = emptyRaster(frame, part);
    // Rows of the file run from north to south.
    const [top, bottom] = [frame.rows - 1 - part.last[1], frame.rows - part.first[1]];
    const samples = await image.readRasters({
      samples: [0],
      window: [part.first[0], top, part.last[0] + 1, bottom],
      interleave: true,
    });
    const values = samples as unknown as ArrayLike<number>;
    const none = image.getGDALNoData();
    const { scale, offset } = await heightScaling(image);
    const { columns, rows, heights } = raster;
    for (let j = 0; j < rows; j++)
      for (let i = 0; i < columns; i++) {
        const value = Number(values[(rows - 1 - j) * columns + i]);
        const known = Number.isFinite(value) && value !== none && value !== Math.fround(none ?? Number.NaN);
        heights[j * columns + i] = known ? offset + scale * value : Number.NaN;
      }
    return raster;
  } catch (error) {
    throw damaged(error);
  }
}

/** The bytes as a buffer of their own: Node hands out pieces of a larger one. */
const ownBuffer = ({ buffer, byteOffset, byteLength }: Uint8Array): ArrayBuffer =>
  (byteLength === buffer.byteLength ? buffer : buffer.slice(byteOffset, byteOffset + byteLength)) as ArrayBuffer;

const METRE = 9001;
const [PROJECTED, GEOGRAPHIC] = [1, 2];
const TO_METRES = "Project it to metres, e.g. gdalwarp -t_srs EPSG:... or '+proj=stere +lat_0=... +lon_0=...'";

/** Where the posts are. */
function mapFrameOf(image: GeoTIFFImage, path: string): MapFrame {
  const [columns, rows] = [image.getWidth(), image.getHeight()];
  checkMapSize(columns, rows, path);
  const keys = image.getGeoKeys() ?? {};
  const model = keys.GTModelTypeGeoKey as number | undefined;
  if (model === GEOGRAPHIC) throw mapError(path, "its coordinates are degrees (a geographic system), not metres", TO_METRES);
  if (model !== PROJECTED)
    throw mapError(
      path,
      model === undefined ? "says nothing of its coordinates" : `its kind of coordinates (${model}) is not known`,
      TO_METRES,
    );
  const unit = (keys.ProjLinearUnitsGeoKey as number | undefined) ?? METRE;
  if (unit !== METRE)
    throw mapError(path, `its coordinates are in the unit with code ${unit}, not in metres (${METRE})`, TO_METRES);
  const transform = image.fileDirectory.getValue("ModelTransformation") as readonly number[] | undefined;
  if (transform && (transform[1] !== 0 || transform[4] !== 0))
    throw mapError(path, "it is turned against its coordinates", "Write it north up: gdalwarp");
  const [dx, dyDown] = image.getResolution() as [number, number];
  const [left, top] = image.getOrigin() as [number, number];
  const dy = -dyDown;
  if (!(dx > 0 && dy > 0 && Number.isFinite(left + top + dx + dy)))
    throw mapError(path, `its posts are ${dx} m and ${dy} m apart`, "Write it north up: gdalwarp");
  // Areas have their height in their middle, points where they are.
  const half = keys.GTRasterTypeGeoKey === 2 ? 0 : 0.5;
  const name = (keys.GTCitationGeoKey ?? keys.PCSCitationGeoKey) as string | undefined;
  const code = keys.ProjectedCSTypeGeoKey as number | undefined;
  const about = name?.replaceAll("|", "").trim() || (code && code !== 32767 ? `EPSG:${code}` : "projected");
  const posts = { columns, rows, x: left + half * dx, y: top - (rows - 1 + half) * dy, dx, dy };
  return { ...posts, middle: rasterCentre(posts), about: `GeoTIFF, ${about}` };
}

async function heightScaling(image: GeoTIFFImage): Promise<{ scale: number; offset: number }> {
  const metadata = ((await image.getGDALMetadata(0)) ?? {}) as Readonly<Record<string, unknown>>;
  const number = (key: string, otherwise: number): number => {
    const value = Number(metadata[key] ?? otherwise);
    return Number.isFinite(value) ? value : otherwise;
  };
  return { scale: number("SCALE", 1), offset: number("OFFSET", 0) };
}

const FIELD_TYPE_BYTES: Readonly<Record<number, number>> = {
  1: 1,
  2: 1,
  3: 2,
  4: 4,
  5: 8,
  6: 1,
  7: 1,
  8: 2,
  9: 4,
  10: 8,
  11: 4,
  12: 8,
  13: 4,
  16: 8,
  17: 8,
  18: 8,
};

/** The first directory must lie in the file with all that it points to: no claim of a header leads to an allocation. */
function checkDirectory(bytes: Uint8Array, path: string): void {
  const truncated = (): ModelError =>
    mapError(
      path,
      `points beyond its end (it has ${bytes.byteLength} bytes)`,
      "The file is truncated or damaged: fetch it again",
    );
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const little = bytes[0] === 0x49;
  try {
    const big = view.getUint16(2, little) === 43;
    const word = (at: number): number => (big ? Number(view.getBigUint64(at, little)) : view.getUint32(at, little));
    const [bytesOfWord, entry] = big ? [8, 20] : [4, 12];
    const directory = word(big ? 8 : 4);
    const count = big ? word(directory) : view.getUint16(directory, little);
    const first = directory + (big ? 8 : 2);
    for (let k = 0; k < count; k++) {
      const at = first + k * entry;
      const size = (FIELD_TYPE_BYTES[view.getUint16(at + 2, little)] ?? 1) * word(at + 4);
      if (size > bytesOfWord && word(at + 4 + bytesOfWord) + size > bytes.byteLength) throw truncated();
    }
  } catch (error) {
    throw error instanceof RangeError ? truncated() : error;
  }
}

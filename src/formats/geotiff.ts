/** Reads a window of a GeoTIFF by the library geotiff, and refuses files that cannot be used as terrain. */
import { fromArrayBuffer, type GeoTIFFImage } from "geotiff";
import { ModelError } from "../errors.ts";
import { type MapWindow, type Raster, rasterCentre } from "../ground/raster.ts";
import { checkHeight, checkMapSize, emptyRaster, type MapFrame, mapError, postsToRead } from "./map-frame.ts";

export async function readGeoTiff(bytes: Uint8Array, path: string, window?: MapWindow): Promise<Raster> {
  checkDirectory(bytes, path);
  const asModelError = (error: unknown): ModelError => {
    if (error instanceof ModelError) return error;
    const message = error instanceof Error ? error.message : String(error);
    return /compression/i.test(message)
      ? mapError(path, `its compression is not supported: ${message}`, "Convert it: gdal_translate -co COMPRESS=DEFLATE")
      : mapError(path, `cannot be read: ${message}`, "The file is truncated or damaged: download it again");
  };
  try {
    const tiff = await fromArrayBuffer(ownBuffer(bytes));
    const image = await tiff.getImage();
    const frame = mapFrameOf(image, path);
    const range = postsToRead(frame, path, window);
    const raster = emptyRaster(frame, range);
    // Rows of the file run from north to south.
    const [top, bottom] = [frame.rows - 1 - range.last[1], frame.rows - range.first[1]];
    const samples = await image.readRasters({
      samples: [0],
      window: [range.first[0], top, range.last[0] + 1, bottom],
      interleave: true,
    });
    const values = samples as unknown as ArrayLike<number>;
    const noData = image.getGDALNoData();
    const { scale, offset } = await heightScaling(image, path);
    const { columns, rows, heights } = raster;
    for (let j = 0; j < rows; j++)
      for (let i = 0; i < columns; i++) {
        const value = Number(values[(rows - 1 - j) * columns + i]);
        const isKnown = Number.isFinite(value) && value !== noData && value !== Math.fround(noData ?? Number.NaN);
        heights[j * columns + i] = isKnown ? offset + scale * value : Number.NaN;
        if (isKnown) checkHeight(heights[j * columns + i]!, path);
      }
    return raster;
  } catch (error) {
    throw asModelError(error);
  }
}

/** The bytes in an ArrayBuffer of exactly their size: buffers of Node may be views of a larger one. */
const ownBuffer = ({ buffer, byteOffset, byteLength }: Uint8Array): ArrayBuffer =>
  (byteLength === buffer.byteLength ? buffer : buffer.slice(byteOffset, byteOffset + byteLength)) as ArrayBuffer;

const METRE = 9001;
const [PROJECTED, GEOGRAPHIC] = [1, 2];
const TO_METRES = "Project it to metres, e.g. gdalwarp -t_srs EPSG:... or '+proj=stere +lat_0=... +lon_0=...'";

/** Position and spacing of the posts. */
function mapFrameOf(image: GeoTIFFImage, path: string): MapFrame {
  const [columns, rows] = [image.getWidth(), image.getHeight()];
  checkMapSize(columns, rows, path);
  const keys = image.getGeoKeys() ?? {};
  const model = keys.GTModelTypeGeoKey as number | undefined;
  if (model === GEOGRAPHIC) throw mapError(path, "its coordinates are degrees (a geographic system), not metres", TO_METRES);
  if (model !== PROJECTED)
    throw mapError(
      path,
      model === undefined ? "does not state its coordinate system" : `its kind of coordinates (${model}) is not supported`,
      TO_METRES,
    );
  const unit = (keys.ProjLinearUnitsGeoKey as number | undefined) ?? METRE;
  if (unit !== METRE)
    throw mapError(path, `its coordinates are in the unit with code ${unit}, not in metres (${METRE})`, TO_METRES);
  const transform = image.fileDirectory.getValue("ModelTransformation") as readonly number[] | undefined;
  if (transform && (transform[1] !== 0 || transform[4] !== 0))
    throw mapError(path, "it is rotated against its coordinates", "Write it north up: gdalwarp");
  const [dx, dyDown] = image.getResolution() as [number, number];
  const [left, top] = image.getOrigin() as [number, number];
  const dy = -dyDown;
  if (!(dx > 0 && dy > 0 && Number.isFinite(left + top + dx + dy)))
    throw mapError(path, `its posts are ${dx} m and ${dy} m apart`, "Write it north up: gdalwarp");
  // Heights of areas are at their centres, heights of points at the points.
  const half = keys.GTRasterTypeGeoKey === 2 ? 0 : 0.5;
  const name = (keys.GTCitationGeoKey ?? keys.PCSCitationGeoKey) as string | undefined;
  const code = keys.ProjectedCSTypeGeoKey as number | undefined;
  const about = name?.replaceAll("|", "").trim() || (code && code !== 32767 ? `EPSG:${code}` : "projected");
  const posts = { columns, rows, x: left + half * dx, y: top - (rows - 1 + half) * dy, dx, dy };
  return { ...posts, middle: rasterCentre(posts), about: `GeoTIFF, ${about}` };
}

async function heightScaling(image: GeoTIFFImage, path: string): Promise<{ scale: number; offset: number }> {
  const metadata = ((await image.getGDALMetadata(0)) ?? {}) as Readonly<Record<string, unknown>>;
  const number = (key: string, otherwise: number): number => {
    const value = Number(metadata[key] ?? otherwise);
    if (Number.isFinite(value)) return value;
    throw mapError(
      path,
      `its ${key} of the heights is ${String(metadata[key])}`,
      "Write it again: gdal_translate -a_scale ... -a_offset ...",
    );
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

/** Checks that the first directory and everything that it points to lie within the file, before anything is allocated by its sizes. */
function checkDirectory(bytes: Uint8Array, path: string): void {
  const truncationError = (): ModelError =>
    mapError(
      path,
      `points beyond its end (it has ${bytes.byteLength} bytes)`,
      "The file is truncated or damaged: download it again",
    );
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const little = bytes[0] === 0x49;
  const checkedOffset = (at: number, size: number): number => {
    if (!(at + size <= bytes.byteLength)) throw truncationError();
    return at;
  };
  const short = (at: number): number => view.getUint16(checkedOffset(at, 2), little);
  const big = short(2) === 43;
  const word = (at: number): number =>
    big ? Number(view.getBigUint64(checkedOffset(at, 8), little)) : view.getUint32(checkedOffset(at, 4), little);
  const [bytesOfWord, entry] = big ? [8, 20] : [4, 12];
  const directory = word(big ? 8 : 4);
  const count = big ? word(directory) : short(directory);
  const first = directory + (big ? 8 : 2);
  for (let k = 0; k < count; k++) {
    const at = first + k * entry;
    const size = (FIELD_TYPE_BYTES[short(at + 2)] ?? 1) * word(at + 4);
    if (size > bytesOfWord) checkedOffset(word(at + 4 + bytesOfWord), size);
  }
}

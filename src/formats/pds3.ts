/**
 * Reads PDS3 products of the Planetary Data System: a label of KEYWORD = VALUE lines, attached to the raster or in a separate file, and an
 * image of plain integers or IEEE reals. Height = OFFSET + SCALING_FACTOR × sample.
 */

import { ModelError } from "../errors.ts";
import { type MapWindow, type Raster, rasterCentre } from "../ground/raster.ts";
import { checkHeight, checkMapSize, emptyRaster, type MapFiles, type MapFrame, mapError, postsToRead } from "./map-frame.ts";

/** Largest length of a label in bytes; the raster follows it. */
const LONGEST_LABEL = 1 << 20;

export function isPds3(bytes: Uint8Array): boolean {
  const start = new TextDecoder("latin1").decode(bytes.subarray(0, 2048));
  return /^\s*(\/\*.*?\*\/\s*)*(PDS_VERSION_ID\s*=\s*"?PDS3|CCSD3Z|ODL_VERSION_ID)/s.test(start);
}

/** Values by keyword. Those of an object are stored as OBJECT.KEYWORD, and also as KEYWORD if that is free. */
type Pds3Label = ReadonlyMap<string, string>;

function parseLabel(bytes: Uint8Array, path: string): Pds3Label {
  const text = new TextDecoder("latin1").decode(bytes.subarray(0, LONGEST_LABEL)).replace(/\/\*.*?\*\//gs, " ");
  const label = new Map<string, string>();
  const objects: string[] = [];
  const statement =
    /^[ \t]*(?:END[ \t]*\r?$|([\w^:]+)[ \t\r\n]*=[ \t\r\n]*("[^"]*"|\([^)]*\)(?:[ \t]*<[^>]*>)?|\{[^}]*\}|[^\r\n]*))/gm;
  for (const [, key, raw] of text.matchAll(statement)) {
    if (key === undefined) return label;
    const value = raw!.trim();
    if (key === "OBJECT" || key === "GROUP") objects.push(value);
    else if (key === "END_OBJECT" || key === "END_GROUP") objects.pop();
    else {
      const full = [...objects, key].join(".");
      label.set(full, value);
      if (!label.has(key)) label.set(key, value);
    }
  }
  throw mapError(path, "the label has no END", "The file is truncated, or is not a PDS3 label");
}

export function readPds3(bytes: Uint8Array, path: string, files: MapFiles, window?: MapWindow): Raster {
  const label = parseLabel(bytes, path);
  const requiredValue = (key: string): string => {
    const value = label.get(key);
    if (value === undefined)
      throw mapError(path, `the label has no ${key}`, "Only images with a map projection can be used as terrain");
    return value;
  };
  const number = (key: string, otherwise?: number): number => {
    if (otherwise !== undefined && !label.has(key)) return otherwise;
    const value = labelNumber(requiredValue(key));
    if (value !== undefined) return value;
    throw mapError(path, `${key} in the label must be a finite number, got ${requiredValue(key)}`, "Correct the label");
  };
  /** Numbers of lines, samples, bytes and bits. */
  const count = (key: string, otherwise?: number): number => {
    const value = number(key, otherwise);
    if (Number.isSafeInteger(value) && value >= 0) return value;
    throw mapError(
      path,
      `${key} in the label must be a whole number, not negative, got ${requiredValue(key)}`,
      "Correct the label",
    );
  };
  const columns = count("IMAGE.LINE_SAMPLES");
  const rows = count("IMAGE.LINES");
  checkMapSize(columns, rows, path);
  if (count("IMAGE.BANDS", 1) !== 1) throw mapError(path, "has more than one band", "Use a map with heights only");
  if (/COMPRESS|JP2|JPEG/i.test(label.get("IMAGE.ENCODING_TYPE") ?? label.get("ENCODING_TYPE") ?? ""))
    throw mapError(
      path,
      `its raster is compressed (${label.get("ENCODING_TYPE")})`,
      "Convert it to GeoTIFF, e.g. with gdal_translate",
    );
  const projection = (label.get("MAP_PROJECTION_TYPE") ?? "").replaceAll('"', "").trim().toUpperCase();
  if (!METRIC_PROJECTIONS.has(projection))
    throw mapError(
      path,
      projection === "" ? "has no MAP_PROJECTION_TYPE" : `its projection ${projection} does not have uniform metres`,
      "Project it to metres about the place of interest, e.g. gdalwarp -t_srs '+proj=stere ...'",
    );
  const step = metresPerPost(requiredValue("MAP_SCALE"), path);
  // Offsets count posts from the first, 0, to the origin of the projection.
  const [line, sample] = [number("LINE_PROJECTION_OFFSET"), number("SAMPLE_PROJECTION_OFFSET")];
  const posts = { columns, rows, x: -sample * step, y: (line - (rows - 1)) * step, dx: step, dy: step };
  if (!(Number.isFinite(posts.x) && Number.isFinite(posts.y)))
    throw mapError(
      path,
      `its first post is at ${posts.x}, ${posts.y} m`,
      "Correct MAP_SCALE and the projection offsets in the label",
    );
  const frame: MapFrame = {
    ...posts,
    middle: rasterCentre(posts),
    about: `PDS3, ${projection.toLowerCase()}`,
  };
  const range = postsToRead(frame, path, window);
  const { data, start } = locateRaster(label, bytes, path, files);
  const read = sampleReader(requiredValue("IMAGE.SAMPLE_TYPE"), count("IMAGE.SAMPLE_BITS"), path);
  const [prefix, suffix] = [count("IMAGE.LINE_PREFIX_BYTES", 0), count("IMAGE.LINE_SUFFIX_BYTES", 0)];
  const perLine = prefix + columns * read.size + suffix;
  if (start + rows * perLine > data.byteLength)
    throw mapError(
      path,
      `its raster ends after ${data.byteLength} of ${start + rows * perLine} bytes`,
      "The file is truncated: download it again",
    );
  const [scale, offset] = [number("IMAGE.SCALING_FACTOR", 1), number("IMAGE.OFFSET", 0)];
  const unit = metresPerHeightUnit(label.get("IMAGE.UNIT"), path);
  const missingSamples = missingValues(label);
  const raster = emptyRaster(frame, range);
  const view = new DataView(data.buffer, data.byteOffset, data.byteLength);
  let k = 0;
  for (let j = range.first[1]; j <= range.last[1]; j++)
    for (let i = range.first[0]; i <= range.last[0]; i++) {
      const at = start + (rows - 1 - j) * perLine + prefix + i * read.size; // lines run from north to south
      const value = read.at(view, at);
      const isKnown = Number.isFinite(value) && !missingSamples.has(value) && !missingSamples.has(read.bits(view, at));
      raster.heights[k++] = isKnown ? (offset + scale * value) * unit : Number.NaN;
      if (isKnown) checkHeight(raster.heights[k - 1]!, path);
    }
  return raster;
}

/** Projections in metres that are true near their centre. Simple cylindrical projections are in degrees. */
const METRIC_PROJECTIONS: ReadonlySet<string> = new Set([
  "POLAR STEREOGRAPHIC",
  "STEREOGRAPHIC",
  "EQUIRECTANGULAR",
  "ORTHOGRAPHIC",
  "TRANSVERSE MERCATOR",
  "LAMBERT CONFORMAL",
  "LAMBERT CONFORMAL CONIC",
  "LAMBERT AZIMUTHAL EQUAL AREA",
  "GNOMONIC",
  "SINUSOIDAL",
]);

/** The number of a label's value, without its unit; undefined if it is not a finite decimal number. */
function labelNumber(text: string): number | undefined {
  const digits = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eEdD][+-]?\d+)?(?=[\s<]|$)/.exec(text)?.[0];
  const value = digits === undefined ? Number.NaN : Number(digits.replace(/d/i, "e"));
  return Number.isFinite(value) ? value : undefined;
}

function metresPerPost(text: string, path: string): number {
  const unit = /<([^>]*)>/.exec(text)?.[1]?.trim() ?? "";
  const factor = /^K(ILO)?M(ET(ER|RE)S?)?(\/|$)/i.test(unit) ? 1000 : /^M(ET(ER|RE)S?)?(\/|$)/i.test(unit) ? 1 : Number.NaN;
  const step = (labelNumber(text) ?? Number.NaN) * factor;
  if (step > 0 && Number.isFinite(step)) return step;
  throw mapError(path, `MAP_SCALE is ${text}`, "It must be in <METERS/PIXEL> or <KM/PIXEL>: project the map to metres");
}

function metresPerHeightUnit(unit: string | undefined, path: string): number {
  const plain = (unit ?? "METER").replaceAll(/["\s]/g, "").toUpperCase();
  if (/^(M|METERS?|METRES?)$/.test(plain)) return 1;
  if (/^K(ILO)?M(ETERS?|ETRES?)?$/.test(plain)) return 1000;
  throw mapError(path, `its heights are in ${unit}`, "Heights must be in METER or KILOMETER");
}

/** The bytes of the raster and its offset in them. ^IMAGE names a file, a record or a byte, counted from 1. */
function locateRaster(label: Pds3Label, bytes: Uint8Array, path: string, files: MapFiles): { data: Uint8Array; start: number } {
  const pointer = label.get("^IMAGE") ?? "";
  const name = /"([^"]+)"/.exec(pointer)?.[1];
  const rest = pointer.replace(/"[^"]*"/, "").trim();
  const position = /^\(?\s*,?\s*(\d+)\s*(<BYTES>)?\s*\)?$/i.exec(rest);
  if (position === null && (name === undefined || !/^\(?\s*,?\s*\)?$/.test(rest)))
    throw mapError(
      path,
      `the label does not give the position of its image: ^IMAGE = ${pointer || "nothing"}`,
      "It must be a file name, or a record or byte counted from 1: correct the label",
    );
  const inBytes = position === null || position[2] !== undefined;
  const records = inBytes ? 1 : (labelNumber(label.get("RECORD_BYTES") ?? "") ?? Number.NaN);
  if (!(Number.isSafeInteger(records) && records > 0))
    throw mapError(
      path,
      `the label gives the position of its image in records, but RECORD_BYTES is ${label.get("RECORD_BYTES") ?? "missing"}`,
      "It must be a whole number above zero: correct the label",
    );
  const start = position === null ? 0 : (Number(position[1]) - 1) * records;
  if (!Number.isSafeInteger(start) || start < 0)
    throw mapError(path, `the image cannot begin at ${position![1]}`, "Records and bytes are counted from 1: correct the label");
  return { data: name === undefined ? bytes : readBesideLabel(path, name, files), start };
}

/** Reads a file beside the label. Labels often have names in capitals, and disks in lower case, so both are tried. */
function readBesideLabel(path: string, name: string, files: MapFiles): Uint8Array {
  const folder = path.slice(0, path.lastIndexOf("/") + 1);
  for (const other of [name.toLowerCase(), name.toUpperCase()])
    try {
      return files.bytes(folder + other);
    } catch (error) {
      if (!(error instanceof ModelError)) throw error; // the error below names the file as it is written in the label
    }
  return files.bytes(folder + name);
}

interface SampleReader {
  readonly size: number;
  at(view: DataView, byte: number): number;
  /** The bit pattern, by which labels may give missing values of reals. */
  bits(view: DataView, byte: number): string;
}

function sampleReader(type: string, bits: number, path: string): SampleReader {
  const plain = type.replaceAll('"', "").trim().toUpperCase();
  const isLittleEndian = /^(LSB|PC|VAX)_/.test(plain);
  const isReal = /^((IEEE|PC|SUN|MAC)_)?REAL$|^FLOAT$/.test(plain);
  const isUnsigned = /UNSIGNED/.test(plain);
  const isKnown = isReal
    ? bits === 32 || bits === 64
    : /^((LSB|MSB|PC|SUN|MAC|VAX)_)?(UNSIGNED_)?INTEGER$/.test(plain) && [8, 16, 32].includes(bits);
  if (!isKnown)
    throw mapError(
      path,
      `samples of ${bits} bits of type ${plain} are not supported`,
      "Convert it to integers of 8, 16 or 32 bits or IEEE reals of 32 or 64 bits, e.g. with gdal_translate",
    );
  const read = (
    isReal
      ? { 32: "getFloat32", 64: "getFloat64" }
      : isUnsigned
        ? { 8: "getUint8", 16: "getUint16", 32: "getUint32" }
        : { 8: "getInt8", 16: "getInt16", 32: "getInt32" }
  ) as Readonly<
    Record<number, "getFloat32" | "getFloat64" | "getInt8" | "getInt16" | "getInt32" | "getUint8" | "getUint16" | "getUint32">
  >;
  const getter = read[bits]!;
  return {
    size: bits / 8,
    at: (view, byte) => view[getter](byte, isLittleEndian),
    bits: (view, byte) => (isReal && bits === 32 ? view.getUint32(byte, isLittleEndian).toString(16).toUpperCase() : ""),
  };
}

const MISSING_KEYWORDS = [
  "MISSING_CONSTANT",
  "MISSING",
  "INVALID_CONSTANT",
  "NULL",
  "CORE_NULL",
  "CORE_LOW_REPR_SATURATION",
  "CORE_HIGH_REPR_SATURATION",
  "CORE_LOW_INSTR_SATURATION",
  "CORE_HIGH_INSTR_SATURATION",
];

/** Values of missing samples, as numbers, or as bits if the label gives them so: 16#FF7FFFFB#. */
function missingValues(label: Pds3Label): ReadonlySet<number | string> {
  const values = new Set<number | string>([Number.NaN]);
  for (const key of MISSING_KEYWORDS) {
    const text = (label.get(`IMAGE.${key}`) ?? label.get(key))?.replaceAll('"', "");
    const hex = text && /16#([0-9a-f]+)#/i.exec(text)?.[1];
    if (hex) values.add(hex.toUpperCase().replace(/^0+/, ""));
    else if (text !== undefined && Number.isFinite(Number(text))) {
      values.add(Number(text));
      values.add(Math.fround(Number(text)));
    }
  }
  return values;
}

/** Small maps as bytes, written here field by field: what a reader gets has no other source. */
import { deflateSync } from "node:zlib";

export interface TiffOptions {
  readonly columns: number;
  readonly rows: number;
  /** Heights from north to south. */
  readonly heights: readonly number[];
  readonly step?: number;
  readonly left?: number;
  readonly top?: number;
  /** 1 projected, 2 geographic; none for a plain picture. */
  readonly model?: number | undefined;
  readonly unit?: number;
  readonly noData?: number;
  /** TIFF's number: 1 none, 8 deflate. */
  readonly compression?: number;
  readonly points?: boolean;
}

/** A little-endian GeoTIFF of one strip of float32. */
export function tiff(options: TiffOptions): Uint8Array {
  const {
    columns,
    rows,
    heights,
    step = 2,
    left = 1000,
    top = 5000,
    model = 1,
    unit = 9001,
    noData,
    compression = 1,
    points,
  } = options;
  const raw = new Uint8Array(Float32Array.from(heights).buffer);
  const strip = compression === 8 ? new Uint8Array(deflateSync(raw)) : raw;
  const keys = [
    [1024, model],
    [1025, points ? 2 : 1],
    [3072, 32767],
    [3076, unit],
  ];
  const SHORT = 3;
  const [LONG, ASCII, DOUBLE] = [4, 2, 12];
  const entries: [number, number, readonly number[] | string][] = [
    [256, LONG, [columns]],
    [257, LONG, [rows]],
    [258, SHORT, [32]],
    [259, SHORT, [compression]],
    [262, SHORT, [1]],
    [273, LONG, [0]], // filled in below
    [277, SHORT, [1]],
    [278, LONG, [rows]],
    [279, LONG, [strip.length]],
    [339, SHORT, [3]],
    [33550, DOUBLE, [step, step, 0]],
    [33922, DOUBLE, [0, 0, 0, left, top, 0]],
    ...("model" in options && options.model === undefined
      ? []
      : ([[34735, SHORT, [1, 1, 0, keys.length, ...keys.flatMap(([key, value]) => [key!, 0, 1, value!])]]] as [
          number,
          number,
          number[],
        ][])),
    ...(noData === undefined ? [] : ([[42113, ASCII, `${noData}\0`]] as [number, number, string][])),
  ];
  const size = { [SHORT]: 2, [LONG]: 4, [ASCII]: 1, [DOUBLE]: 8 } as Readonly<Record<number, number>>;
  const directory = 8;
  let free = directory + 2 + 12 * entries.length + 4;
  const bytes = new Uint8Array(free + 4096 + strip.length);
  const view = new DataView(bytes.buffer);
  view.setUint16(0, 0x4949, true);
  view.setUint16(2, 42, true);
  view.setUint32(4, directory, true);
  view.setUint16(directory, entries.length, true);
  const put = (at: number, type: number, value: number): void => {
    if (type === SHORT) view.setUint16(at, value, true);
    else if (type === LONG) view.setUint32(at, value, true);
    else if (type === DOUBLE) view.setFloat64(at, value, true);
    else view.setUint8(at, value);
  };
  let stripField = 0;
  for (const [k, [tag, type, values]] of entries.entries()) {
    const at = directory + 2 + 12 * k;
    const list = typeof values === "string" ? [...values].map((c) => c.charCodeAt(0)) : values;
    view.setUint16(at, tag, true);
    view.setUint16(at + 2, type, true);
    view.setUint32(at + 4, list.length, true);
    const total = list.length * size[type]!;
    const place = total <= 4 ? at + 8 : free;
    if (total > 4) {
      view.setUint32(at + 8, place, true);
      free += total + (total % 2);
    }
    for (const [i, value] of list.entries()) put(place + i * size[type]!, type, value);
    if (tag === 273) stripField = at + 8;
  }
  view.setUint32(stripField, free, true);
  bytes.set(strip, free);
  return bytes.slice(0, free + strip.length);
}

export interface Pds3Options {
  readonly columns: number;
  readonly rows: number;
  /** Samples from north to south. */
  readonly samples: readonly number[];
  readonly type: string;
  readonly bits: number;
  readonly write: (view: DataView, at: number, value: number) => void;
  /** More lines of the IMAGE object. */
  readonly image?: readonly string[];
  readonly projection?: string;
  readonly scale?: string;
  /** File of the raster; attached if not given. */
  readonly file?: string;
}

export function pds3(options: Pds3Options): { readonly label: Uint8Array; readonly raster: Uint8Array } {
  const {
    columns,
    rows,
    samples,
    type,
    bits,
    write,
    image = [],
    projection = "POLAR STEREOGRAPHIC",
    scale = "20 <METERS/PIXEL>",
    file,
  } = options;
  const raster = new Uint8Array((columns * rows * bits) / 8);
  const view = new DataView(raster.buffer);
  for (const [k, value] of samples.entries()) write(view, (k * bits) / 8, value);
  const RECORD = 1024;
  const text = [
    "PDS_VERSION_ID = PDS3",
    "/* a comment */",
    "RECORD_TYPE = FIXED_LENGTH",
    `RECORD_BYTES = ${RECORD}`,
    file === undefined ? "^IMAGE = 3" : `^IMAGE = "${file}"`,
    'TARGET_NAME = "MOON"',
    "OBJECT = IMAGE",
    `  LINES = ${rows}`,
    `  LINE_SAMPLES = ${columns}`,
    `  SAMPLE_TYPE = ${type}`,
    `  SAMPLE_BITS = ${bits}`,
    ...image.map((line) => `  ${line}`),
    "END_OBJECT = IMAGE",
    "OBJECT = IMAGE_MAP_PROJECTION",
    `  MAP_PROJECTION_TYPE = "${projection}"`,
    `  MAP_SCALE = ${scale}`,
    `  LINE_PROJECTION_OFFSET = ${(rows - 1) / 2}`,
    `  SAMPLE_PROJECTION_OFFSET = ${(columns - 1) / 2}`,
    "END_OBJECT = IMAGE_MAP_PROJECTION",
    "END",
    "",
  ].join("\r\n");
  const label = new TextEncoder().encode(text);
  if (file !== undefined) return { label, raster };
  const whole = new Uint8Array(2 * RECORD + raster.length);
  whole.fill(0x20);
  whole.set(label);
  whole.set(raster, 2 * RECORD);
  return { label: whole, raster };
}

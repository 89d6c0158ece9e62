/** Digital elevation models: reading of generated files, and messages for invalid files. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { ModelError, type Problem } from "../../../src/errors.ts";
import { readMap } from "../../../src/formats/map-file.ts";
import { gridHash } from "../../../src/ground/procedural.ts";
import { heightGridFromRaster } from "../../../src/ground/raster.ts";
import { heightAt } from "../../../src/ground/terrain.ts";
import { loadScenario } from "../../../src/scenario/load.ts";
import { diskFiles } from "../../../src/scenario/node-files.ts";
import { openScenario } from "../../../src/scenario/open.ts";
import { withMapsLoaded } from "../../../studio/src/files/load-maps.ts";
import { filesOfSource } from "../../../studio/src/files/scenario-sources.ts";
import { pds3, tiff } from "../../fixtures/map-bytes.ts";

const [columns, rows] = [7, 5];
const COUNT = columns * rows;
/** Heights from north to south; no two are equal. */
const HEIGHTS = Array.from({ length: COUNT }, (_, k) => Math.fround(10 + k + 0.25 * (k % 3)));
const from = (files: Readonly<Record<string, Uint8Array>>) => ({
  bytes: (path: string): Uint8Array => {
    if (files[path]) return files[path];
    throw new ModelError(path, [{ path: "", message: "there is no such file" }]);
  },
});
const read = (bytes: Uint8Array) => readMap("map", from({ map: bytes }));
const problemOf = async (made: Promise<unknown>): Promise<Problem> => {
  const error = await made.then(
    () => undefined,
    (e: unknown) => e,
  );
  if (!(error instanceof ModelError)) throw error ?? new Error("nothing was thrown");
  return error.problems[0]!;
};
/** A row, counted from the south. */
const expected = (i: number, j: number): number => HEIGHTS[(rows - 1 - j) * columns + i]!;

describe("GeoTIFF", () => {
  it.each([1, 8])("heights and positions, compression %s", async (compression) => {
    const map = await read(tiff({ columns, rows, heights: HEIGHTS, compression }));
    expect(map).toMatchObject({ columns, rows, x: 1001, y: 5000 - 2 * rows + 1, dx: 2, dy: 2 });
    expect(map.about).toMatch("GeoTIFF");
    for (let j = 0; j < rows; j++) for (let i = 0; i < columns; i++) expect(map.heights[j * columns + i]).toBe(expected(i, j));
    const points = await read(tiff({ columns, rows, heights: HEIGHTS, compression, points: true }));
    expect(points).toMatchObject({ x: 1000, y: 5000 - 2 * (rows - 1) });
  });

  it("a window that is read alone gives the same ground as the whole map", async () => {
    const big = { columns: 60, rows: 40, heights: Array.from({ length: 2400 }, (_, k) => Math.fround(gridHash(k, 1, 1))) };
    const files = from({ map: tiff(big) });
    const window = { x: 1050, y: 4970, length: 20, width: 10, fill: "refuse" } as const;
    const [whole, part] = [await readMap("map", files), await readMap("map", files, window)];
    expect(part.columns * part.rows).toBeLessThan(150);
    expect(heightGridFromRaster(part, window)).toEqual(heightGridFromRaster(whole, window));
    const { x: _x, y: _y, ...middle } = window;
    expect(heightGridFromRaster(await readMap("map", files, middle), middle)).toEqual(heightGridFromRaster(whole, middle));
  });

  it("heights without data are holes", async () => {
    const map = await read(
      tiff({ columns, rows, heights: HEIGHTS.with(9, -3.4028234663852886e38), noData: -3.4028234663852886e38 }),
    );
    expect(map.heights[(rows - 2) * columns + 2]).toBeNaN();
    expect(map.heights.filter((h) => Number.isNaN(h)).length).toBe(1);
    expect(
      (await read(tiff({ columns, rows, heights: HEIGHTS.with(9, Number.NaN) }))).heights.filter((h) => Number.isNaN(h)).length,
    ).toBe(1);
  });

  it.each([
    ["degrees", tiff({ columns, rows, heights: HEIGHTS, model: 2 }), /degrees.*not metres/, /gdalwarp/],
    [
      "no coordinates",
      tiff({ columns, rows, heights: HEIGHTS, model: undefined }),
      /does not state its coordinate system/,
      /gdalwarp/,
    ],
    ["feet", tiff({ columns, rows, heights: HEIGHTS, unit: 9002 }), /code 9002/, /metres/],
    ["unsupported compression", tiff({ columns, rows, heights: HEIGHTS, compression: 32771 }), /compression/, /DEFLATE/],
    ["a truncated strip", tiff({ columns, rows, heights: HEIGHTS }).slice(0, -20), /cannot be read|beyond its end/, /truncated/],
    ["a truncated directory", tiff({ columns, rows, heights: HEIGHTS }).slice(0, 60), /beyond its end/, /truncated/],
    ["an impossible size", tiff({ columns: 2 ** 31, rows: 2 ** 31, heights: HEIGHTS }), /2147483648 x 2147483648/, /damaged/],
    [
      "a map with too many heights",
      tiff({ columns: 1e6, rows: 1e6, heights: HEIGHTS }),
      /the maximum is 16000000/,
      /smaller length and width/,
    ],
    ["something else", new TextEncoder().encode("P5 2 2 255 abcd"), /neither a GeoTIFF nor a PDS3 label/, /gdal_translate/],
  ])("%s is rejected with a message", async (_, bytes, message, advice) => {
    const problem = await problemOf(read(bytes));
    expect(problem.message).toMatch(message);
    expect(problem.advice).toMatch(advice);
  });

  it("no truncated file hangs or fails without a message", async () => {
    const whole = tiff({ columns, rows, heights: HEIGHTS, compression: 8 });
    for (let length = 4; length < whole.length; length += 7) await problemOf(read(whole.slice(0, length)));
    for (let k = 0; k < 200; k++) {
      const damaged = whole.slice();
      for (let n = 0; n < 3; n++) damaged[Math.floor(((gridHash(k, n, 7) + 1) / 2) * damaged.length)] = k;
      await read(damaged).catch((error: unknown) => expect(error).toBeInstanceOf(ModelError));
    }
  });
});

describe("PDS3", () => {
  const integers = HEIGHTS.map((h) => Math.round(100 * h) - 2000);
  const cases = [
    ["MSB_INTEGER", 16, integers, (v: DataView, at: number, x: number) => v.setInt16(at, x, false)],
    ["LSB_INTEGER", 16, integers, (v: DataView, at: number, x: number) => v.setInt16(at, x, true)],
    ["LSB_INTEGER", 32, integers, (v: DataView, at: number, x: number) => v.setInt32(at, x, true)],
    [
      "MSB_UNSIGNED_INTEGER",
      16,
      integers.map((i) => i + 2000),
      (v: DataView, at: number, x: number) => v.setUint16(at, x, false),
    ],
    ["UNSIGNED_INTEGER", 8, integers.map((i) => i & 255), (v: DataView, at: number, x: number) => v.setUint8(at, x)],
    ["IEEE_REAL", 32, HEIGHTS, (v: DataView, at: number, x: number) => v.setFloat32(at, x, false)],
    ["PC_REAL", 32, HEIGHTS, (v: DataView, at: number, x: number) => v.setFloat32(at, x, true)],
    ["PC_REAL", 64, HEIGHTS, (v: DataView, at: number, x: number) => v.setFloat64(at, x, true)],
  ] as const;

  it.each(cases)("%s of %s bits, scaled, with attached and separate raster", async (type, bits, samples, write) => {
    const image = ["SCALING_FACTOR = 0.5", "OFFSET = 1737400. <METER>", "UNIT = METER"];
    const attached = await read(pds3({ columns, rows, samples, type, bits, write, image }).label);
    const { label, raster } = pds3({ columns, rows, samples, type, bits, write, image, file: "DATA.IMG" });
    const apart = await readMap("maps/map.lbl", from({ "maps/map.lbl": label, "maps/data.img": raster }));
    expect(apart).toEqual(attached);
    expect(attached).toMatchObject({ columns, rows, x: -60, y: -40, dx: 20, dy: 20, about: "PDS3, polar stereographic" });
    for (let j = 0; j < rows; j++)
      for (let i = 0; i < columns; i++)
        expect(attached.heights[j * columns + i]).toBe(1737400 + 0.5 * samples[(rows - 1 - j) * columns + i]!);
  });

  it("missing values, by number and by bits, are holes; kilometres are converted to metres", async () => {
    const write = (v: DataView, at: number, x: number): void => v.setFloat32(at, x, true);
    const base = { columns, rows, type: "PC_REAL", bits: 32, write, scale: "0.02 <KM/PIXEL>" } as const;
    const samples = HEIGHTS.with(3, -3.4028226550889045e38);
    const holes = async (missing: string): Promise<number> => {
      const map = await read(pds3({ ...base, samples, image: [missing, 'UNIT = "KILOMETER"'] }).label);
      expect(map.dx).toBe(20);
      expect(map.heights[(rows - 1) * columns]).toBe(1000 * HEIGHTS[0]!);
      return map.heights.filter((h) => Number.isNaN(h)).length;
    };
    expect(await holes("MISSING_CONSTANT = 16#FF7FFFFB#")).toBe(1);
    expect(await holes("MISSING_CONSTANT = -3.4028226550889045E+38")).toBe(1);
    expect(await holes("CORE_NULL = -1")).toBe(0);
  });

  const [, , samples, write] = cases[0];
  const good = { columns, rows, samples, type: "MSB_INTEGER", bits: 16, write } as const;
  it.each([
    ["a cylindrical projection", pds3({ ...good, projection: "SIMPLE CYLINDRICAL" }).label, /SIMPLE CYLINDRICAL/, /gdalwarp/],
    ["degrees", pds3({ ...good, scale: "0.25 <DEGREE/PIXEL>" }).label, /MAP_SCALE/, /METERS/],
    ["VAX reals", pds3({ ...good, type: "VAX_REAL" }).label, /VAX_REAL/, /IEEE/],
    ["24 bits", pds3({ ...good, type: "MSB_INTEGER", bits: 24, write: () => {} }).label, /24 bits/, /8, 16 or 32/],
    ["a truncated raster", pds3(good).label.slice(0, -1), /ends after \d+ of \d+ bytes/, /truncated/],
    ["a truncated label", pds3(good).label.slice(0, 200), /no END/, /truncated/],
    [
      "an impossible size",
      pds3({ ...good, columns: 1e9, rows: 1e9, samples: [], write: () => {}, bits: 0 }).label,
      /1000000000 x 1000000000/,
      /damaged/,
    ],
    ["compressed", pds3({ ...good, image: ["ENCODING_TYPE = JP2"] }).label, /JP2/, /GeoTIFF/],
    ["two bands", pds3({ ...good, image: ["BANDS = 2"] }).label, /more than one band/, /heights/],
  ])("%s is rejected with a message", async (_, bytes, message, advice) => {
    const problem = await problemOf(read(bytes));
    expect(problem.message).toMatch(message);
    expect(problem.advice).toMatch(advice);
  });

  /** A label with one entry changed. */
  const withEntry = (key: string, value: string): Uint8Array => {
    const bytes = Buffer.from(
      pds3({ ...good, image: ["LINE_PREFIX_BYTES = 0", "LINE_SUFFIX_BYTES = 0", "SCALING_FACTOR = 1", "OFFSET = 0"] }).label,
    );
    const label = bytes.subarray(0, 2048).toString("latin1"); // two records, padded
    const changed = label.replace(new RegExp(`^( *\\${key} = )[^\\r]*`, "m"), (_, start: string) => start + value);
    return Buffer.concat([Buffer.from(changed.padEnd(2048).slice(0, 2048), "latin1"), bytes.subarray(2048)]);
  };
  it.each(
    ["LINES", "LINE_SAMPLES", "SAMPLE_BITS", "LINE_PREFIX_BYTES", "LINE_SUFFIX_BYTES"].flatMap((key) =>
      ["-1", "-16", "2.5", "16.5", "Infinity", "1e999", "-Infinity", "NaN", "0x10", "16k"].map((value) => [key, value] as const),
    ),
  )("%s = %s is refused", async (key, value) => {
    const problem = await problemOf(read(withEntry(key, value)));
    expect(problem.message).toMatch(
      new RegExp(`IMAGE\\.${key} in the label must be a (finite number|whole number, not negative), got`),
    );
    expect(problem.advice).toBe("Correct the label");
  });

  it.each([
    ["SCALING_FACTOR", "Infinity", /IMAGE\.SCALING_FACTOR in the label must be a finite number, got Infinity/],
    ["SCALING_FACTOR", "1e308", /has a height of -?Infinity m/],
    ["OFFSET", "-1e999", /IMAGE\.OFFSET in the label must be a finite number/],
    ["MAP_SCALE", "-20 <METERS/PIXEL>", /MAP_SCALE is -20/],
    ["MAP_SCALE", "Infinity <METERS/PIXEL>", /MAP_SCALE is Infinity/],
    ["MAP_SCALE", "20 <MM/PIXEL>", /MAP_SCALE is 20 <MM/],
    ["LINE_PROJECTION_OFFSET", "1e308", /its first post is at/],
    ["SAMPLE_PROJECTION_OFFSET", "Infinity", /SAMPLE_PROJECTION_OFFSET in the label must be a finite number/],
    ["RECORD_BYTES", "-1024", /RECORD_BYTES is -1024/],
    ["RECORD_BYTES", "0.5", /RECORD_BYTES is 0\.5/],
    ["RECORD_BYTES", "Infinity", /RECORD_BYTES is Infinity/],
    ["^IMAGE", "-3", /does not give the position of its image: \^IMAGE = -3/],
    ["^IMAGE", "1.5", /does not give the position of its image: \^IMAGE = 1\.5/],
    ["^IMAGE", "0", /the image cannot begin at 0/],
    ["^IMAGE", "99999999999999999999", /the image cannot begin at/],
  ])("%s = %s is refused", async (key, value, message) => {
    expect((await problemOf(read(withEntry(key, value)))).message).toMatch(message);
  });

  it("fractional and negative offsets, and numbers in Fortran's form, are accepted", async () => {
    expect((await read(withEntry("SAMPLE_PROJECTION_OFFSET", "-1.5"))).x).toBe(30);
    expect((await read(withEntry("MAP_SCALE", "2.0D+01 <METERS/PIXEL>"))).dx).toBe(20);
    expect((await read(withEntry("MAP_SCALE", "0.02 <KM/PIXEL>"))).dx).toBe(20);
  });

  it("a raster that is not next to its label is reported as missing, and not searched elsewhere", async () => {
    const { label } = pds3({ ...good, file: "../secret.img" });
    expect((await problemOf(readMap("map.lbl", from({ "map.lbl": label })))).message).toMatch("no such file");
  });
});

describe("maps as terrain of a scenario", () => {
  const folder = mkdtempSync(join(tmpdir(), "castor-maps-"));
  afterAll(() => rmSync(folder, { recursive: true }));
  const [wide, high] = [41, 31];
  const height = (i: number, j: number): number => Math.fround(1700 + 0.05 * i - 0.02 * j + 0.1 * gridHash(i, j, 4));
  const heights = Array.from({ length: wide * high }, (_, k) => height(k % wide, high - 1 - Math.floor(k / wide)));
  writeFileSync(join(folder, "site.tif"), tiff({ columns: wide, rows: high, heights, step: 1, compression: 8 }));
  writeFileSync(
    join(folder, "holes.tif"),
    tiff({ columns: wide, rows: high, heights: heights.with(20 * wide + 17, -9999), step: 1, noData: -9999 }),
  );
  writeFileSync(join(folder, "model.yaml"), readFileSync("scenarios/rover-flat/model.yaml"));
  const scenario = (terrain: object): string => JSON.stringify({ model: "model.yaml", duration: 1, terrain });
  const files = diskFiles(folder, { names: [], path: String });
  const open = (layer: object) => openScenario(scenario({ site: { kind: "map", ...layer } }), "test", { files });

  it("the given point becomes the origin, at height zero", async () => {
    const { terrain } = await open({ file: "site.tif", x: "1020.5 m", y: 4985.5, length: 10, width: 8 });
    // Post (20, 16) from the south west: 1000.5 + 20, 5000 - 31 + 0.5 + 16.
    expect(heightAt(terrain!, 0, 0)).toBe(0);
    expect(heightAt(terrain!, 3, -2)).toBeCloseTo(height(23, 14) - height(20, 16), 12);
    expect(heightAt(terrain!, 5, 4)).toBeCloseTo(height(25, 20) - height(20, 16), 12);
    expect(heightAt(terrain!, 12, 0)).toBeNaN();
    const absolute = await open({ file: "site.tif", height: 1700 });
    expect(heightAt(absolute.terrain!, 1, 2)).toBeCloseTo(height(21, 17) - 1700, 9);
  });

  it("reports the position of holes, and fills them on request", async () => {
    const problem = await problemOf(open({ file: "holes.tif" }));
    expect(problem).toMatchObject({ path: "terrain.site", advice: expect.stringMatching("fill: nearest") });
    expect(problem.message).toMatch(/1 of 1271 heights .* column 17, row 10 .*x = 1017.5 m, y = 4979.5 m/);
    const { terrain } = await open({ file: "holes.tif", fill: "nearest" });
    expect([height(16, 10), height(18, 10), height(17, 9), height(17, 11)].map((h) => h - height(20, 15))).toContainEqual(
      expect.closeTo(heightAt(terrain!, -3, -5), 9),
    );
    expect((await open({ file: "holes.tif", x: 1030.5, length: 10, width: 10 })).terrain).toBeDefined();
  });

  it.each([
    [
      "a window beyond the map",
      { file: "site.tif", x: 1002, length: 10, width: 10 },
      "terrain.site.file",
      /reaches beyond the map/,
    ],
    [
      "an origin outside the map",
      { file: "site.tif", x: 0, y: 0, length: 10, width: 10 },
      "terrain.site.file",
      /outside the map/,
    ],
    ["a file that is not there", { file: "nowhere.tif" }, "terrain.site.file", /no such file/],
    ["a file outside", { file: "../x.tif" }, "terrain.site.file", /must not lead out/],
    ["a file that is no map", { file: "model.yaml" }, "terrain.site.file", /neither/],
    ["a wrong fill", { file: "site.tif", fill: "zero" }, "terrain.site.fill", /./],
    ["no file", {}, "terrain.site.file", /is missing/],
  ])("%s is a problem with its place", async (_, layer, path, message) => {
    const problem = await problemOf(open(layer));
    expect(problem.path).toBe(path);
    expect(problem.message).toMatch(message);
  });

  it("maps that are dropped on the studio with a scenario are passed on as plain data", async () => {
    const text = scenario({ site: { kind: "map", file: "site.tif", length: 20, width: 20 } });
    const source = {
      name: "drop",
      path: "drop/scenario.yaml",
      text,
      files: { "model.yaml": files.readBeside("model.yaml").text },
      builtIn: false,
    };
    const buffer = new Uint8Array(readFileSync(join(folder, "site.tif"))).buffer;
    const read = await withMapsLoaded({ ...source, assets: { "site.tif": buffer } });
    const { assets: _, ...sent } = structuredClone(read);
    const { terrain } = loadScenario(text, "drop", { files: filesOfSource(sent, []) });
    expect(heightAt(terrain!, 3, -2)).toBeCloseTo(height(23, 13) - height(20, 15), 12);
    const without = withMapsLoaded(source).then((missing) => loadScenario(text, "drop", { files: filesOfSource(missing, []) }));
    expect((await problemOf(without)).advice).toMatch("Drop it");
  });

  it("a scenario whose maps were not read tells what to do", () => {
    expect(() => loadScenario(scenario({ site: { kind: "map", file: "site.tif" } }), "test", { files })).toThrow(/openScenario/);
  });
});

/** castor map: its output for a map, and its messages for other files. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { castor, workFolder } from "../fixtures/installed.ts";
import { tiff } from "../fixtures/map-bytes.ts";

describe("castor map", () => {
  const folder = workFolder();
  const heights = Array.from({ length: 20 * 10 }, (_, k) => k / 8);
  writeFileSync(join(folder, "site.tif"), tiff({ columns: 20, rows: 10, heights: heights.with(7, -9999), noData: -9999 }));

  it("shows size, spacing, heights and holes of a map or of a window", () => {
    const { stdout, status } = castor(folder, ["map", "site.tif", "--json"]);
    expect(status).toBe(0);
    expect(JSON.parse(stdout)).toEqual({
      format: "GeoTIFF, projected",
      columns: 20,
      rows: 10,
      spacing: [2, 2],
      x: [1001, 1039],
      y: [4981, 4999],
      heights: [0, 199 / 8],
      holes: { count: 1, firstColumn: 7, firstRow: 9 },
    });
    expect(castor(folder, ["map", "site.tif"]).stdout).toMatch(/1 height is not known, the first in column 7, row 9/);
    const window = castor(folder, ["map", "site.tif", "--x", "1030", "--y", "4988", "--length", "8", "--width", "6", "--json"]);
    expect(JSON.parse(window.stdout)).toMatchObject({ columns: 8, rows: 6, holes: { count: 0 } });
  });

  it("reports unsuitable maps, missing files and wrong windows", () => {
    writeFileSync(join(folder, "degrees.tif"), tiff({ columns: 20, rows: 10, heights, model: 2 }));
    expect(castor(folder, ["map", "degrees.tif"])).toMatchObject({ status: 1, stderr: expect.stringMatching("gdalwarp") });
    expect(castor(folder, ["map", "nowhere.tif"])).toMatchObject({ status: 1, stderr: expect.stringMatching("no such file") });
    expect(castor(folder, ["map", "site.tif", "--length", "900", "--width", "9"])).toMatchObject({
      status: 1,
      stderr: expect.stringMatching("reaches beyond the map"),
    });
    expect(castor(folder, ["map", "site.tif", "--x", "east"]).status).toBe(2);
  });
});

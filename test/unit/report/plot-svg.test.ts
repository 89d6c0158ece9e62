import { Resvg } from "@resvg/resvg-js";
import { describe, expect, test } from "vitest";
import { Recording } from "../../../src/log/log.ts";
import { LIGHT } from "../../../src/report/palette.ts";
import { plotSvg } from "../../../src/report/plots/plot-svg.ts";
import { renderPng } from "../../../src/report/plots/png.ts";
import type { Plot } from "../../../src/report/report-data.ts";
import { readPng } from "../../fixtures/pages/png-pixels.ts";
import { HOSTILE, sampleLog, sampleReport } from "../../fixtures/pages/sample-report.ts";

const log = sampleLog(501);
const [angles] = sampleReport(2).plots as [Plot];

const many: Plot = {
  title: "Everything",
  unit: "rad",
  series: Array.from({ length: 16 }, (_, i) => ({ channel: "elbow.q", label: `elbow times ${i / 10}`, times: i / 10 })),
};

describe("SVG", () => {
  test("is the same each time", () => {
    for (const plot of sampleReport(2).plots) expect(plotSvg(sampleLog(501), plot)).toBe(plotSvg(log, plot));
  });

  test("names the axes with units and the lines at their ends", () => {
    const svg = plotSvg(log, angles);
    for (const text of ["Hinge angles (rad)", "time (s)", "shoulder yaw", "wrist", ">0.4<", ">20<"]) expect(svg).toContain(text);
  });

  test("has a legend in rows for many lines, and dashes after the last colour", () => {
    const svg = plotSvg(log, many);
    for (const { label } of many.series) expect(svg).toContain(`>${label}</text>`);
    expect(svg.match(/stroke-dasharray="7 4"/g)).toHaveLength(2 * 7);
  });

  test("of a million samples is small and keeps a spike", () => {
    const long = new Recording([{ name: "t", unit: "s" }, { name: "x", unit: "m" }], 1e6); // biome-ignore format: two channels
    for (let i = 0; i < 1e6; i++) long.add([i * 1e-3, Math.sin(i * 1e-5) + (i === 777_777 ? 40 : 0)]);
    const svg = plotSvg(long, { title: "x", unit: "m", series: [{ channel: "x", label: "x" }] });
    expect(svg.length).toBeLessThan(100_000);
    expect(svg).toContain(">40<");
  });

  test.each([
    ["no samples", []],
    ["one sample", [[0, 1]]],
    ["constant", [[0, 3], [1, 3]]], // biome-ignore format: rows
    ["not finite", [[0, 1], [1, Number.NaN], [2, Number.POSITIVE_INFINITY], [3, 2]]], // biome-ignore format: rows
    ["huge", [[0, 1e300], [1, -1e300]]], // biome-ignore format: rows
  ])("with %s contains no invalid numbers", (_, rows) => {
    for (const scale of ["linear", "log"] as const) {
      const some = new Recording([{ name: "t", unit: "s" }, { name: "x", unit: "m" }]); // biome-ignore format: two channels
      for (const row of rows) some.add(row);
      const svg = plotSvg(some, { title: "x", unit: "m", scale, series: [{ channel: "x", label: "x" }] });
      expect(svg).not.toMatch(/NaN|Infinity|undefined/);
      expect(renderPng(svg).length).toBeGreaterThan(1000);
    }
  });

  test("text from files stays text", () => {
    const svg = plotSvg(log, { title: HOSTILE, unit: "rad", series: [{ channel: "elbow.q", label: HOSTILE }, ...angles.series] });
    expect(svg).not.toContain("<script");
    expect(() => new Resvg(svg)).not.toThrow(); // well-formed
  });

  test("a channel that is missing or of another unit is an error", () => {
    const plot = (channel: string, unit: string): Plot => ({ title: "P", unit, series: [{ channel, label: "" }] });
    expect(() => plotSvg(log, plot("knee.q", "rad"))).toThrow('plot "P": the log has no channel "knee.q"');
    expect(() => plotSvg(log, plot("elbow.q", "deg"))).toThrow('plot "P" is in "deg", but channel "elbow.q" in "rad"');
  });
});

describe("PNG", () => {
  const png = renderPng(plotSvg(log, angles));
  const pixels = readPng(png);

  test("has twice the size, the colours of the lines, and texts without system fonts", () => {
    expect([pixels.width, pixels.height]).toEqual([1360, 760]);
    const colours = pixels.count();
    for (const colour of LIGHT.lines.slice(0, 4)) expect(colours.get(colour)).toBeGreaterThan(500);
    expect(colours.get("#ffffff")).toBeGreaterThan(0.8 * 1360 * 760);
    const dark = (part: ReadonlyMap<string, number>): number => part.get("#24292f") ?? 0;
    expect(dark(pixels.count(0, 0, 400, 60))).toBeGreaterThan(200); // title
    expect(dark(pixels.count(0, 80, 80, 700))).toBeGreaterThan(200); // tick labels
    expect(dark(pixels.count(900, 700, 1360, 760))).toBeGreaterThan(100); // time (s)
  });

  test("is the same each time", () => {
    expect(Buffer.compare(png, renderPng(plotSvg(log, angles)))).toBe(0);
  });
});

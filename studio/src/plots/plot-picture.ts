/** A plot as a self-contained SVG drawing or PNG picture. */

import { type AxisScale, decadeScale, legendRows, textWidth, tickLabels, ticksBetween, valueScale } from "castor/report";
import { lastSampleUpTo } from "../run/sample-index.ts";
import type { PlotSpec } from "../state/state.ts";
import { StudioError } from "../state/studio-error.ts";
import type { PlotCurve } from "./curves.ts";
import { cssVariable, dashPattern, lineColour } from "./plot-options.ts";
import { powerOfTen, unitText } from "./text.ts";
import { xyDrawing } from "./xy-drawing.ts";

const WIDTH = 960;
const HEIGHT = 480;
const LEFT = 74;
const BOTTOM = 46;
const ROW = 18;

const escapeXml = (text: string): string =>
  text.replace(/[&<>"]/g, (c) => ({ "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" })[c]!);
const px = (value: number): string => String(Math.round(value * 100) / 100);

export function plotSvg(spec: PlotSpec, curves: readonly PlotCurve[], range: readonly [number, number]): string {
  if (spec.x !== undefined) return xyDrawing(spec, curves, { width: WIDTH, height: HEIGHT, range, isAlone: true }).svg;
  const [ink, muted, grid, card] = ["--ink", "--muted", "--grid", "--card"].map(cssVariable) as [string, string, string, string];
  const hasSeveralRuns = new Set(curves.map(({ run }) => run.id)).size > 1;
  const names = curves.map(({ channel, run }) => (hasSeveralRuns ? `${channel} · ${run.label}` : channel));
  const legend = legendRows(
    names.map((name) => 13 * textWidth(name) + 28),
    WIDTH - LEFT - 20,
    14,
  );
  const top = 44 + ROW * (1 + (legend.at(-1)?.row ?? 0));
  const units = [...new Set(curves.map(({ unit }) => unit))];
  const right = units.length > 1 ? LEFT : 20;
  const [x0, x1, y0, y1] = [LEFT, WIDTH - right, HEIGHT - BOTTOM, top];
  const x = (t: number): number => x0 + ((t - range[0]) / (range[1] - range[0])) * (x1 - x0);
  const text = ([tx, ty]: readonly [number, number], words: string, more = ""): string =>
    `<text x="${px(tx)}" y="${px(ty)}" fill="${muted}" ${more}>${escapeXml(words)}</text>`;
  const parts: string[] = [];

  const times = ticksBetween(range[0], range[1], 8);
  for (const [i, label] of tickLabels(times).labels.entries()) {
    parts.push(`<path d="M${px(x(times[i]!))} ${y0}V${y1}" stroke="${grid}"/>`);
    parts.push(text([x(times[i]!), y0 + 18], label, 'text-anchor="middle"'));
  }
  parts.push(text([(x0 + x1) / 2, HEIGHT - 8], "time, s", 'text-anchor="middle"'));

  for (const [u, unit] of units.entries()) {
    const unitCurves = curves.filter((curve) => curve.unit === unit);
    const visibleValues = unitCurves.map(({ t, y }) =>
      y.subarray(Math.max(0, lastSampleUpTo(t, range[0])), lastSampleUpTo(t, range[1]) + 1),
    );
    const isLog = spec.scale === "log";
    const scale: AxisScale = isLog
      ? decadeScale(
          visibleValues.map((y) => y.filter((v) => v > 0)),
          8,
        )
      : valueScale(visibleValues, 6);
    const axisValue = (v: number): number => (isLog ? Math.log10(v) : v);
    const [low, high] = [axisValue(scale.domain[0]), axisValue(scale.domain[1])];
    const y = (v: number): number => y0 - ((axisValue(v) - low) / (high - low)) * (y0 - y1);
    const { labels, offset, power } = tickLabels(scale.ticks);
    for (const [i, tick] of scale.ticks.entries()) {
      if (u === 0) parts.push(`<path d="M${x0} ${px(y(tick))}H${x1}" stroke="${grid}"/>`);
      const label = isLog ? powerOfTen(Math.round(Math.log10(tick))) : labels[i]!;
      const position = u === 0 ? ([x0 - 8, y(tick) + 4] as const) : ([x1 + 8, y(tick) + 4] as const);
      parts.push(text(position, label, `text-anchor="${u === 0 ? "end" : "start"}"`));
    }
    const scaleParts = isLog ? [] : [offset && `${offset} +`, power !== 0 && `×${powerOfTen(power)}`];
    const caption = [...scaleParts, unitText(unit)].filter(Boolean).join(" ");
    parts.push(text([u === 0 ? x0 : x1, y1 - 10], caption, `text-anchor="${u === 0 ? "start" : "end"}"`));
    for (const { t, y: values, line, dash, isMeasured } of unitCurves) {
      const d = pathOf(t, values, range, x, isLog ? (v) => (v > 0 ? y(v) : undefined) : y);
      const dashes = dashPattern(dash).join(" ");
      const stroke = `stroke="${lineColour(line)}" stroke-width="${isMeasured ? 2.4 : dash === 0 ? 1.8 : 1.3}"`;
      parts.push(`<path d="${d}" fill="none" ${stroke}${dashes && ` stroke-dasharray="${dashes}"`} stroke-linejoin="round"/>`);
    }
  }
  for (const { line, x: offset, row } of legend) {
    const curve = curves[line]!;
    const [lx, ly] = [LEFT + offset, 44 + ROW * row];
    const dashes = dashPattern(curve.dash).join(" ");
    parts.push(
      `<path d="M${px(lx)} ${ly - 4}h18" stroke="${lineColour(curve.line)}" stroke-width="2"${dashes && ` stroke-dasharray="${dashes}"`}/>`,
      text([lx + 23, ly], names[line]!),
    );
  }
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${HEIGHT}" viewBox="0 0 ${WIDTH} ${HEIGHT}" font-family="Helvetica, Arial, sans-serif" font-size="13">`,
    `<rect width="100%" height="100%" fill="${card}"/>`,
    `<text x="${LEFT}" y="22" fill="${ink}" font-size="15" font-weight="600">${escapeXml(spec.title)}</text>`,
    ...parts,
    "</svg>",
    "",
  ].join("\n");
}

/** SVG path through the samples in the range. A value without a position interrupts the line. */
function pathOf(
  t: Float64Array,
  values: Float64Array,
  range: readonly [number, number],
  x: (t: number) => number,
  y: (v: number) => number | undefined,
): string {
  const [from, to] = [Math.max(0, lastSampleUpTo(t, range[0])), Math.min(t.length - 1, lastSampleUpTo(t, range[1]))];
  let d = "";
  let isPenUp = true;
  for (let i = from; i <= to; i++) {
    const height = y(values[i]!);
    if (height !== undefined && t[i]! >= range[0]) d += `${isPenUp ? "M" : "L"}${px(x(t[i]!))} ${px(height)}`;
    isPenUp = height === undefined || t[i]! < range[0];
  }
  return d;
}

/** The drawing as a PNG picture, with two pixels per unit of the drawing. */
export async function svgToPng(svg: string): Promise<Blob> {
  const address = URL.createObjectURL(new Blob([svg], { type: "image/svg+xml" }));
  try {
    const image = new Image();
    image.src = address;
    await image.decode();
    const canvas = document.createElement("canvas");
    [canvas.width, canvas.height] = [2 * WIDTH, 2 * HEIGHT];
    canvas.getContext("2d")!.drawImage(image, 0, 0, canvas.width, canvas.height);
    return await new Promise((resolve, reject) =>
      canvas.toBlob(
        (blob) => (blob ? resolve(blob) : reject(new StudioError("the browser could not create the PNG picture"))),
        "image/png",
      ),
    );
  } finally {
    URL.revokeObjectURL(address);
  }
}

/** A plot of channels against another channel, as an SVG drawing. */
import { legendRows, textWidth, tickLabels, ticksBetween, valueScale } from "castor/report";
import { lastSampleUpTo } from "../run/sample-index.ts";
import type { PlotSpec } from "../state/state.ts";
import { curveValueAt, type PlotCurve } from "./curves.ts";
import { cssVariable, dashPattern, lineColour } from "./plot-options.ts";
import { powerOfTen, unitText } from "./text.ts";

export interface XyDrawing {
  readonly svg: string;
  /** Position in the drawing of each curve at a time, px. */
  marks(time: number): readonly { readonly x: number; readonly y: number; readonly line: number }[];
}

interface XyOptions {
  readonly width: number;
  readonly height: number;
  /** First and last time that are drawn, s. */
  readonly range: readonly [number, number];
  /** With the title and the names of the curves, for a file. */
  readonly isAlone: boolean;
}

const escapeXml = (text: string): string =>
  text.replace(/[&<>"]/g, (c) => ({ "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" })[c]!);
const px = (value: number): string => String(Math.round(value * 100) / 100);
const [LEFT, BOTTOM, RIGHT, ROW] = [64, 40, 14, 18];

export function xyDrawing(spec: PlotSpec, curves: readonly PlotCurve[], { width, height, range, isAlone }: XyOptions): XyDrawing {
  const [ink, muted, grid, card] = ["--ink", "--muted", "--grid", "--card"].map(cssVariable) as [string, string, string, string];
  const drawn = curves.flatMap((curve) => {
    if (curve.x === undefined) return [];
    const [from, to] = [Math.max(0, lastSampleUpTo(curve.t, range[0])), lastSampleUpTo(curve.t, range[1]) + 1];
    return [{ curve, xs: curve.x.subarray(from, to), ys: curve.y.subarray(from, to) }];
  });
  const names = drawn.map(({ curve: { channel, run } }) =>
    new Set(curves.map((c) => c.run.id)).size > 1 ? `${channel} · ${run.label}` : channel,
  );
  const legend = isAlone
    ? legendRows(
        names.map((name) => 13 * textWidth(name) + 28),
        width - LEFT - RIGHT,
        14,
      )
    : [];
  const top = isAlone ? 48 + ROW * (1 + (legend.at(-1)?.row ?? 0)) : 22;
  const [xScale, yScale] = [
    valueScale(
      drawn.map(({ xs }) => xs),
      Math.max(2, Math.floor(width / 90)),
    ),
    spec.range
      ? { domain: spec.range, ticks: ticksBetween(...spec.range, Math.max(2, Math.floor(height / 40))) }
      : valueScale(
          drawn.map(({ ys }) => ys),
          Math.max(2, Math.floor(height / 40)),
        ),
  ];
  const [x0, x1, y0, y1] = [LEFT, width - RIGHT, height - BOTTOM, top];
  const x = (v: number): number => x0 + ((v - xScale.domain[0]) / (xScale.domain[1] - xScale.domain[0])) * (x1 - x0);
  const y = (v: number): number => y0 - ((v - yScale.domain[0]) / (yScale.domain[1] - yScale.domain[0])) * (y0 - y1);
  const text = (tx: number, ty: number, words: string, more = ""): string =>
    `<text x="${px(tx)}" y="${px(ty)}" fill="${muted}" ${more}>${escapeXml(words)}</text>`;
  const axisCaption = (name: string, unit: string, labels: ReturnType<typeof tickLabels>): string => {
    const shared = [labels.offset && `${labels.offset} +`, labels.power !== 0 && `×${powerOfTen(labels.power)}`].filter(Boolean);
    return [name, [...shared, unitText(unit)].filter(Boolean).join(" ")].filter(Boolean).join(", ");
  };
  const parts: string[] = [];
  const xLabels = tickLabels(xScale.ticks);
  for (const [i, tick] of xScale.ticks.entries()) {
    parts.push(`<path d="M${px(x(tick))} ${y0}V${y1}" stroke="${grid}"/>`);
    parts.push(text(x(tick), y0 + 15, xLabels.labels[i]!, 'text-anchor="middle"'));
  }
  const yLabels = tickLabels(yScale.ticks);
  for (const [i, tick] of yScale.ticks.entries()) {
    parts.push(`<path d="M${x0} ${px(y(tick))}H${x1}" stroke="${grid}"/>`);
    parts.push(text(x0 - 6, y(tick) + 4, yLabels.labels[i]!, 'text-anchor="end"'));
  }
  const channels = [...new Set(drawn.map(({ curve }) => curve.channel))];
  const yName = channels.length === 1 ? channels[0]! : "";
  const units = [...new Set(drawn.map(({ curve }) => curve.unit))].join("; ");
  parts.push(
    text((x0 + x1) / 2, height - 8, axisCaption(spec.x ?? "", drawn[0]?.curve.xUnit ?? "", xLabels), 'text-anchor="middle"'),
  );
  parts.push(text(x0, y1 - 8, axisCaption(yName, units, yLabels)));
  for (const { curve, xs, ys } of drawn) {
    let d = "";
    for (let i = 0; i < Math.min(xs.length, ys.length); i++) d += `${i === 0 ? "M" : "L"}${px(x(xs[i]!))} ${px(y(ys[i]!))}`;
    const dashes = dashPattern(curve.dash).join(" ");
    const stroke = `stroke="${lineColour(curve.line)}" stroke-width="${curve.dash === 0 ? 1.6 : 1.2}"`;
    parts.push(
      `<path d="${d}" fill="none" clip-path="url(#inside)" ${stroke}${dashes && ` stroke-dasharray="${dashes}"`} stroke-linejoin="round"/>`,
    );
  }
  for (const { line, x: offset, row } of legend) {
    const { curve } = drawn[line]!;
    const [lx, ly] = [LEFT + offset, 44 + ROW * row];
    const dashes = dashPattern(curve.dash).join(" ");
    parts.push(
      `<path d="M${px(lx)} ${ly - 4}h18" stroke="${lineColour(curve.line)}" stroke-width="2"${dashes && ` stroke-dasharray="${dashes}"`}/>`,
      text(lx + 23, ly, names[line]!),
    );
  }
  const clip = `<clipPath id="inside"><rect x="${x0}" y="${y1}" width="${Math.max(0, x1 - x0)}" height="${Math.max(0, y0 - y1)}"/></clipPath>`;
  const head = isAlone
    ? `<rect width="100%" height="100%" fill="${card}"/><text x="${LEFT}" y="22" fill="${ink}" font-size="15" font-weight="600">${escapeXml(spec.title)}</text>`
    : "";
  const font = isAlone ? 13 : 11;
  return {
    svg: `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" font-family="system-ui, Helvetica, Arial, sans-serif" font-size="${font}">${clip}${head}${parts.join("\n")}</svg>\n`,
    marks: (time) =>
      drawn.flatMap(({ curve }) => {
        const [vx, vy] = [curveValueAt({ t: curve.t, y: curve.x! }, time), curveValueAt(curve, time)];
        return vx === undefined || vy === undefined ? [] : [{ x: x(vx), y: y(vy), line: curve.line }];
      }),
  };
}

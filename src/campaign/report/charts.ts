/** Charts of a campaign as SVG: histogram with cumulative curve, scatter coloured by status, tornado of sensitivities. Colours are those of the page. */
import { shortNumber, tickLabels, unitText } from "../../report/numbers.ts";
import { type Html, html, NOTHING, trusted } from "../../report/page/html.ts";
import { type AxisScale, valueScale } from "../../report/plots/axis-scale.ts";
import type { HistoryEnvelope } from "../histories/envelope.ts";

const WIDTH = 560;
const HEIGHT = 300;
const MARGIN = { left: 64, right: 52, top: 14, bottom: 46 };
const FONT = 12;

const pixel = (x: number): string => String(Number(x.toFixed(1)));

interface ChartFrame {
  readonly x: AxisScale;
  readonly y: AxisScale;
  toX(value: number): number;
  toY(value: number): number;
}

function frameOf(x: AxisScale, y: AxisScale): ChartFrame {
  const scale =
    ([low, high]: readonly [number, number], from: number, to: number) =>
    (value: number) =>
      from + ((value - low) / (high - low)) * (to - from);
  return {
    x,
    y,
    toX: scale(x.domain, MARGIN.left, WIDTH - MARGIN.right),
    toY: scale(y.domain, HEIGHT - MARGIN.bottom, MARGIN.top),
  };
}

/** Axis title with its unit and the power of ten that the labels leave out. */
function axisTitle(name: string, unit: string, ticks: readonly number[]): string {
  const { offset, power } = tickLabels(ticks);
  const parts = [offset && `${offset} + …`, power === 0 ? "" : `×10^${power}`, unitText(unit)].filter((part) => part !== "");
  return parts.length === 0 ? name : `${name} (${parts.join(" ")})`;
}

function axes({ x, y, toX, toY }: ChartFrame, xTitle: string, yTitle: string): Html {
  const [xLabels, yLabels] = [tickLabels(x.ticks).labels, tickLabels(y.ticks).labels];
  const [left, right, bottom] = [MARGIN.left, WIDTH - MARGIN.right, HEIGHT - MARGIN.bottom];
  return html`<g stroke="var(--grid)">${y.ticks.map((tick) => html`<line x1="${left}" x2="${right}" y1="${pixel(toY(tick))}" y2="${pixel(toY(tick))}"/>`)}</g>
<g text-anchor="middle">${x.ticks.map((tick, i) => html`<text x="${pixel(toX(tick))}" y="${bottom + 17}">${xLabels[i]!}</text>`)}</g>
<g text-anchor="end">${y.ticks.map((tick, i) => html`<text x="${left - 7}" y="${pixel(toY(tick) + 4)}">${yLabels[i]!}</text>`)}</g>
<text x="${(left + right) / 2}" y="${HEIGHT - 8}" text-anchor="middle">${xTitle}</text>
<text transform="translate(14 ${(bottom + MARGIN.top) / 2}) rotate(-90)" text-anchor="middle">${yTitle}</text>`;
}

const svg = (title: string, height: number, content: Html): Html =>
  html`<svg viewBox="0 0 ${WIDTH} ${height}" role="img" font-size="${FONT}" fill="var(--muted)"><title>${title}</title>${content}</svg>`;

/** Number of bars: the rule of Freedman and Diaconis, within bounds. @param sorted increasing values */
export function barCount(sorted: Float64Array): number {
  const n = sorted.length;
  const range = sorted[n - 1]! - sorted[0]!;
  const quartiles = sorted[Math.floor(0.75 * (n - 1))]! - sorted[Math.floor(0.25 * (n - 1))]!;
  const bars = quartiles > 0 ? range / ((2 * quartiles) / Math.cbrt(n)) : Math.sqrt(n);
  return Math.max(5, Math.min(40, Math.ceil(bars)));
}

/** Histogram of values with their cumulative distribution. @param sorted increasing values */
export function histogram(name: string, unit: string, sorted: Float64Array): Html {
  const n = sorted.length;
  if (n === 0) return html`<p class="muted">no values</p>`;
  const x = valueScale([sorted], 7);
  const [low, high] = [sorted[0]!, sorted[n - 1]!];
  const bars = high > low ? barCount(sorted) : 1;
  const width = high > low ? (high - low) / bars : (x.domain[1] - x.domain[0]) / 20;
  const start = high > low ? low : low - width / 2;
  const counts = new Float64Array(bars);
  for (const value of sorted) counts[Math.min(bars - 1, Math.floor((value - start) / width))]!++;
  const frame = frameOf(x, valueScale([Float64Array.of(0, Math.max(...counts))], 5));
  const base = frame.toY(0);
  const rectangles = Array.from(counts, (count, i) => {
    const [from, to] = [frame.toX(start + i * width), frame.toX(start + (i + 1) * width)];
    const range = `${shortNumber(start + i * width, 4)} to ${shortNumber(start + (i + 1) * width, 4)}`;
    return html`<rect x="${pixel(from)}" y="${pixel(frame.toY(count))}" width="${pixel(Math.max(0.5, to - from - 1))}" height="${pixel(base - frame.toY(count))}"><title>${range}: ${count} cases</title></rect>`;
  });
  const toShare = (share: number): number => base - share * (base - MARGIN.top);
  const steps = Math.min(n, 200);
  const curve = Array.from({ length: steps }, (_, i) => {
    const rank = steps === 1 ? 0 : Math.round((i * (n - 1)) / (steps - 1));
    return `${i === 0 ? "M" : "L"}${pixel(frame.toX(sorted[rank]!))},${pixel(toShare((rank + 1) / n))}`;
  });
  const shares = [0, 0.5, 1].map(
    (share) =>
      html`<text x="${WIDTH - MARGIN.right + 7}" y="${pixel(toShare(share) + 4)}" fill="var(--line-1)">${100 * share} %</text>`,
  );
  return svg(
    `${name}: histogram of ${n} cases`,
    HEIGHT,
    html`${axes(frame, axisTitle(name, unit, x.ticks), "cases")}<g fill="var(--line-0)" fill-opacity="0.75">${rectangles}</g>
<path d="${trusted(curve.join(""))}" fill="none" stroke="var(--line-1)" stroke-width="1.75"/>${shares}`,
  );
}

export interface ScatterPoint {
  readonly x: number;
  readonly y: number;
  readonly case: number;
  readonly isPassed: boolean;
  /** Address of the complete run, if it was kept. */
  readonly link?: string;
}

/** Largest number of drawn points; of more cases, every k-th passed one is drawn and all failed ones. */
const MAX_POINTS = 2000;

export function scatter(
  input: { readonly name: string; readonly unit: string },
  measure: { readonly name: string; readonly unit: string },
  points: readonly ScatterPoint[],
): Html {
  if (points.length === 0) return NOTHING;
  const stride = Math.ceil(points.length / MAX_POINTS);
  const drawn = points.filter((point, i) => !point.isPassed || i % stride === 0).slice(0, 2 * MAX_POINTS);
  const x = valueScale([Float64Array.from(drawn, (p) => p.x)], 7);
  const frame = frameOf(x, valueScale([Float64Array.from(drawn, (p) => p.y)], 5));
  const dot = ({ x: px, y: py, case: index, link }: ScatterPoint): Html => {
    const circle = html`<circle cx="${pixel(frame.toX(px))}" cy="${pixel(frame.toY(py))}" r="2.6"><title>case ${index}: ${input.name} ${shortNumber(px, 5)}, ${measure.name} ${shortNumber(py, 5)}</title></circle>`;
    return link === undefined ? circle : html`<a href="${link}">${circle}</a>`;
  };
  return svg(
    `${measure.name} against ${input.name}`,
    HEIGHT,
    html`${axes(frame, axisTitle(input.name, input.unit, x.ticks), axisTitle(measure.name, measure.unit, frame.y.ticks))}
<g fill="var(--line-0)" fill-opacity="0.55">${drawn.filter((p) => p.isPassed).map(dot)}</g>
<g fill="var(--line-1)">${drawn.filter((p) => !p.isPassed).map(dot)}</g>`,
  );
}

/** A path through points, with gaps where a value is missing. */
function linePath({ toX, toY }: ChartFrame, x: Float64Array, y: Float64Array): string {
  let isDrawing = false;
  let path = "";
  for (let i = 0; i < x.length; i++) {
    if (!Number.isNaN(y[i]!)) path += `${isDrawing ? "L" : "M"}${pixel(toX(x[i]!))},${pixel(toY(y[i]!))}`;
    isDrawing = !Number.isNaN(y[i]!);
  }
  return path;
}

/** The area between two curves, where both have values. */
function bandPath({ toX, toY }: ChartFrame, x: Float64Array, low: Float64Array, high: Float64Array): string {
  const known = Array.from(x.keys()).filter((i) => !Number.isNaN(low[i]!) && !Number.isNaN(high[i]!));
  if (known.length === 0) return "";
  const point = (i: number, y: Float64Array): string => `${pixel(toX(x[i]!))},${pixel(toY(y[i]!))}`;
  return `M${[...known.map((i) => point(i, high)), ...known.reverse().map((i) => point(i, low))].join("L")}Z`;
}

/** All courses of a quantity over time: extremes and quantiles as bands, the median and the failed cases as lines. */
export function envelopeChart(envelope: HistoryEnvelope, linkOf: (index: number) => string | undefined): Html {
  const { name, unit, times, least, most, low, high, median, failed } = envelope;
  const known = [least, most].map((values) => values.filter((value) => !Number.isNaN(value)));
  if (known[0]!.length === 0) return html`<p class="muted">no values</p>`;
  const end = 1 + least.findLastIndex((value) => !Number.isNaN(value)); // runs may end before the duration of the scenario
  const frame = frameOf(valueScale([times.subarray(0, end)], 7), valueScale(known, 5));
  const line = (values: Float64Array): Html => trusted(linePath(frame, times, values));
  const failedLine = ({ case: index, values }: HistoryEnvelope["failed"][number]): Html => {
    const link = linkOf(index);
    const path = html`<path d="${line(values)}"><title>case ${index}, failed</title></path>`;
    return link === undefined ? path : html`<a href="${link}">${path}</a>`;
  };
  return svg(
    `${name}: envelope of ${envelope.cases} cases`,
    HEIGHT,
    html`${axes(frame, axisTitle("time", "s", frame.x.ticks), axisTitle(name, unit, frame.y.ticks))}
<g fill="var(--line-0)" fill-opacity="0.16"><path d="${trusted(bandPath(frame, times, least, most))}"><title>all cases</title></path><path d="${trusted(bandPath(frame, times, low, high))}" fill-opacity="0.3"><title>5 % to 95 % of the cases</title></path></g>
<g fill="none" stroke="var(--line-1)" stroke-width="1">${failed.map(failedLine)}</g>
<path d="${line(median)}" fill="none" stroke="var(--line-0)" stroke-width="2"><title>median</title></path>`,
  );
}

export interface TornadoBar {
  readonly name: string;
  readonly value: number;
  readonly low: number;
  readonly high: number;
}

const ROW = 24;

/** Bars of values between -1 and 1 with their intervals, in the given order. */
export function tornado(title: string, bars: readonly TornadoBar[]): Html {
  const shown = bars.filter(({ value }) => Number.isFinite(value));
  if (shown.length === 0) return html`<p class="muted">no sensitivities: too few cases, or constant values</p>`;
  const [left, right] = [170, WIDTH - 24];
  const toX = (value: number): number => left + ((Math.max(-1, Math.min(1, value)) + 1) / 2) * (right - left);
  const height = shown.length * ROW + 36;
  const rows = shown.map(({ name, value, low, high }, i) => {
    const y = 8 + i * ROW;
    const [from, to] = [Math.min(toX(0), toX(value)), Math.max(toX(0), toX(value))];
    const isClear = low > 0 || high < 0;
    return html`<text x="${left - 8}" y="${y + 13}" text-anchor="end" fill="var(--ink)">${name}</text>
<rect x="${pixel(from)}" y="${y + 2}" width="${pixel(Math.max(1, to - from))}" height="${ROW - 9}" fill="var(--line-0)" fill-opacity="${isClear ? 0.8 : 0.3}"><title>${name}: ${shortNumber(value, 3)}, 95 % interval ${shortNumber(low, 3)} to ${shortNumber(high, 3)}</title></rect>
<path d="M${pixel(toX(low))},${y + 9}H${pixel(toX(high))}" stroke="var(--ink)" stroke-width="1.25"/>`;
  });
  const ticks = [-1, -0.5, 0, 0.5, 1].map(
    (tick) =>
      html`<line x1="${pixel(toX(tick))}" x2="${pixel(toX(tick))}" y1="4" y2="${height - 26}" stroke="var(--grid)"/><text x="${pixel(toX(tick))}" y="${height - 8}" text-anchor="middle">${String(tick).replace("-", "−")}</text>`,
  );
  return svg(title, height, html`${ticks}${rows}`);
}

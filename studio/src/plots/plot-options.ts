/** uPlot options of a plot: axes, colours, dashes, and actions of the pointer. */

import { tickLabels } from "castor/report";
import type uPlot from "uplot";
import type { PlotSpec } from "../state/state.ts";
import type { PlotCurve } from "./curves.ts";
import { powerOfTen, unitText } from "./text.ts";

/** Dash patterns of compared runs: lengths of strokes and gaps. The current run is solid. */
const DASHES: readonly (readonly number[])[] = [
  [6, 4],
  [2, 3],
  [9, 3, 2, 3],
  [12, 5],
  [6, 3, 2, 3, 2, 3],
  [1, 5],
];
const COLOURS = 7;
const FONT = "11px system-ui, sans-serif";

export const lineColour = (line: number): string => cssVariable(`--line-${line % COLOURS}`);
export const dashPattern = (dash: number): readonly number[] => (dash === 0 ? [] : DASHES[(dash - 1) % DASHES.length]!);

export const cssVariable = (name: string): string => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

export interface PlotActions {
  /** The user selected a range of times and of values of the first axis. Undefined: the range stays, or with both undefined everything is shown. */
  onZoom(times: readonly [number, number] | undefined, values: readonly [number, number] | undefined): void;
  onClick(time: number): void;
  onHover(time: number | undefined): void;
  onDraw(): void;
}

/** Longest movement of the pointer that counts as a click, px. */
const CLICK = 4;
/** A drag selects times or values alone until it is longer than this in the other direction, px. */
const UNIDIRECTIONAL = 30;

/** Size of the drawing, px. */
export interface PlotSize {
  readonly width: number;
  readonly height: number;
}

export function plotOptions(spec: PlotSpec, curves: readonly PlotCurve[], size: PlotSize, actions: PlotActions): uPlot.Options {
  const curveUnits = [...new Set(curves.map(({ unit }) => unit))];
  const units = curveUnits.length > 0 ? curveUnits : [""]; // an empty plot has an axis, too
  const isLog = spec.scale === "log";
  return {
    ...size,
    legend: { show: false },
    padding: [8, 16, 0, 0],
    cursor: {
      sync: { key: "castor", filters: { pub: isMove, sub: isMove } },
      drag: { x: true, y: true, uni: UNIDIRECTIONAL, setScale: false, dist: CLICK },
      points: { size: 5 },
      y: false,
      bind: { dblclick: () => () => showWholeRun(actions) },
    },
    scales: {
      x: { time: false, auto: false },
      ...Object.fromEntries(
        units.map((unit, i) => [
          scaleName(unit),
          { distr: isLog ? 3 : 1, range: spec.range && i === 0 ? [...spec.range] : isLog ? logRange : linearRange },
        ]),
      ),
    },
    axes: [timeAxis(), ...units.map((unit, i) => valueAxis(unit, i, isLog))],
    series: [{}, ...curves.map(curveSeries)],
    hooks: pointerHooks(actions),
  };
}

const axisStyle = (): Pick<uPlot.Axis, "stroke" | "font" | "ticks"> => ({
  stroke: cssVariable("--muted"),
  font: FONT,
  ticks: { show: false },
});

const gridStyle = (): uPlot.Axis.Grid => ({ stroke: cssVariable("--grid"), width: 1 });

const timeAxis = (): uPlot.Axis => ({
  ...axisStyle(),
  grid: gridStyle(),
  size: 24,
  gap: 3,
  values: (_, ticks) => [...tickLabels(ticks).labels],
  label: "time, s",
  labelSize: 15,
  labelGap: 0,
  labelFont: FONT,
});

/** The axis of the values with a unit: the first is on the left and has the grid, all others are on the right. */
function valueAxis(unit: string, index: number, isLog: boolean): uPlot.Axis {
  /** Offset and power of ten that all tick labels share. */
  let commonPart = "";
  return {
    ...axisStyle(),
    scale: scaleName(unit),
    side: index === 0 ? 3 : 1,
    grid: index === 0 ? gridStyle() : { show: false },
    size: 50,
    gap: 4,
    labelSize: 16,
    labelGap: 0,
    labelFont: FONT,
    label: () => [commonPart, unitText(unit)].filter((part) => part !== "").join(" ") || " ",
    values: (_, ticks) => {
      if (isLog) return ticks.map((t) => (Math.abs(Math.log10(t) % 1) < 1e-9 ? powerOfTen(Math.round(Math.log10(t))) : ""));
      const { labels, offset, power } = tickLabels(ticks);
      commonPart = [offset && `${offset} +`, power !== 0 && `×${powerOfTen(power)}`].filter(Boolean).join(" ");
      return [...labels];
    },
    space: 26,
  } as uPlot.Axis;
}

const curveSeries = ({ channel, line, dash, unit, isMeasured }: PlotCurve): uPlot.Series => ({
  label: channel,
  scale: scaleName(unit),
  stroke: lineColour(line),
  width: isMeasured ? 2.4 : dash === 0 ? 1.6 : 1.2,
  dash: [...dashPattern(dash)],
  spanGaps: true,
  points: { show: false },
});

/** A drag selects a range of times, a click a time, and the pointer shows the values under it. */
function pointerHooks(actions: PlotActions): uPlot.Hooks.Arrays {
  let pressed: { readonly x: number; readonly y: number } | undefined;
  return {
    setSelect: [
      (plot) => {
        const { left, width, top, height } = plot.select;
        const isPart = (size: number, whole: number): boolean => size > CLICK && size < whole - 1;
        const times = isPart(width, plot.over.clientWidth)
          ? ([plot.posToVal(left, "x"), plot.posToVal(left + width, "x")] as const)
          : undefined;
        const scale = plot.series[1]?.scale;
        const values =
          scale !== undefined && isPart(height, plot.over.clientHeight)
            ? ([plot.posToVal(top + height, scale), plot.posToVal(top, scale)] as const)
            : undefined;
        if (times || values) actions.onZoom(times, values);
        plot.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false);
      },
    ],
    setCursor: [
      (plot) => {
        const { left } = plot.cursor;
        actions.onHover(left === undefined || left === null || left < 0 ? undefined : plot.posToVal(left, "x"));
      },
    ],
    draw: [() => actions.onDraw()],
    ready: [
      ({ over, posToVal }) => {
        over.addEventListener("pointerdown", (event) => {
          pressed = { x: event.clientX, y: event.clientY };
        });
        over.addEventListener("pointerup", (event) => {
          if (pressed && Math.hypot(event.clientX - pressed.x, event.clientY - pressed.y) <= CLICK && event.button === 0)
            actions.onClick(posToVal(event.clientX - over.getBoundingClientRect().left, "x"));
          pressed = undefined;
        });
      },
    ],
  };
}

function showWholeRun(actions: PlotActions): null {
  actions.onZoom(undefined, undefined);
  return null;
}

/** Plots share the cursor, but not clicks and drags. */
const isMove = (type: string): boolean => type === "mousemove" || type === "mouseleave" || type === "mouseenter";

const scaleName = (unit: string): string => `y ${unit}`;

/** Range of a linear axis: the values and a margin. A constant curve lies in the middle. Round-off alone does not fill the plot. */
function linearRange(_: uPlot, low: number | null, high: number | null): [number, number] {
  if (low === null || high === null || !Number.isFinite(low) || !Number.isFinite(high)) return [0, 1];
  const size = Math.max(Math.abs(low), Math.abs(high));
  if (high - low <= ROUND_OFF * size || high === low) {
    const margin = size === 0 ? 1 : 0.1 * size;
    return [low - margin, high + margin];
  }
  const margin = 0.06 * (high - low);
  return [low - margin, high + margin];
}

const ROUND_OFF = 1e-13;

/** Range of a logarithmic axis: whole decades, at most 14. */
function logRange(_: uPlot, low: number | null, high: number | null): [number, number] {
  if (low === null || high === null || !(low > 0)) return [0.1, 1];
  const top = Math.ceil(Math.log10(high) + 1e-9);
  return [10 ** Math.max(top - 14, Math.min(top - 1, Math.floor(Math.log10(low) - 1e-9))), 10 ** top];
}

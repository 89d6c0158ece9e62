/**
 * Script of the report page. The report contains the source text of these functions, so each must be self-contained: it may import types,
 * but uses nothing outside its own body. Functions get each other through `PageTools`.
 */
import type UPlot from "uplot";
import type { numberText, tickLabels } from "../numbers.ts";
import type { PackedColumn, PageData, PagePlot } from "./page-data.ts";

/** The functions that the page contains, by name, and the plotting library. */
export interface PageTools {
  readonly Chart: typeof UPlot;
  readonly tickLabels: typeof tickLabels;
  readonly numberText: typeof numberText;
  readonly unpackColumn: typeof unpackColumn;
  readonly chartOptions: typeof chartOptions;
  readonly drawChart: typeof drawChart;
  readonly addTouchZoom: typeof addTouchZoom;
  readonly addThemeSwitch: typeof addThemeSwitch;
}

/** Everything that one chart of the page needs. */
export interface ChartContext {
  readonly plot: PagePlot;
  /** Time, then one column per series. */
  readonly data: UPlot.AlignedData;
  readonly figure: HTMLElement;
  readonly timeUnit: string;
  /** Called when the time axis of the chart has changed. */
  onTimeRange(chart: UPlot): void;
}

/** Numbers of a packed column; null at gaps. */
export function unpackColumn({ bits, offset, scale, data }: PackedColumn): (number | null)[] {
  const bytes = Uint8Array.from(atob(data), (c) => c.charCodeAt(0));
  const floats = bits === 32 ? new Float32Array(bytes.buffer) : new Float64Array(bytes.buffer);
  return Array.from(floats, (f) => (Number.isNaN(f) ? null : offset + scale * f));
}

/** Draws all charts, keeps their time axes equal, and connects the buttons of the page. */
export function startPage({ plots, columns, timeUnit }: PageData, tools: PageTools): void {
  const byId = (id: string): HTMLElement => document.getElementById(id)!;
  const numbers = columns.map(tools.unpackColumn);
  const charts: UPlot[] = [];
  const resetButton = byId("reset");

  /** Gives all charts the time range of the changed one. */
  const onTimeRange = (changed: UPlot): void => {
    const { min, max } = changed.scales.x!;
    if (min === undefined || max === undefined || min === null || max === null) return;
    const time = changed.data[0];
    const isZoomed = min > time[0]! || max < time[time.length - 1]!;
    resetButton.hidden = !isZoomed;
    for (const chart of charts) {
      const { x } = chart.scales;
      if (chart !== changed && (x!.min !== min || x!.max !== max)) chart.setScale("x", { min, max });
    }
  };
  const showAll = (): void => {
    for (const chart of charts) {
      const time = chart.data[0];
      chart.setScale("x", { min: time[0]!, max: time[time.length - 1]! });
    }
  };

  for (const [i, plot] of plots.entries()) {
    const data = [numbers[plot.time]!, ...plot.series.map(({ column }) => numbers[column]!)] as UPlot.AlignedData;
    const chart = tools.drawChart({ plot, data, figure: byId(`plot-${i}`), timeUnit, onTimeRange }, tools);
    tools.addTouchZoom(chart, showAll);
    charts.push(chart);
  }
  resetButton.addEventListener("click", showAll);
  tools.addThemeSwitch(charts, byId("theme"));
}

/** Draws one chart with its legend, and follows the width of the page. */
export function drawChart(context: ChartContext, { Chart, chartOptions, numberText, tickLabels }: PageTools): UPlot {
  const { plot, data, figure, timeUnit } = context;
  const canvas = figure.querySelector<HTMLElement>(".canvas")!;
  const buttons = [...figure.querySelectorAll<HTMLButtonElement>(".legend button")];
  const clock = figure.querySelector<HTMLElement>(".clock")!;

  const size = (): { width: number; height: number } => {
    const width = canvas.clientWidth;
    return { width, height: Math.round(Math.max(220, Math.min(320, width * 0.55))) };
  };
  /** Shows the values at the cursor, or the last values. */
  const showValues = (chart: UPlot): void => {
    const i = chart.cursor.idx ?? data[0].length - 1;
    const t = data[0][i];
    clock.textContent = t === undefined ? "" : `t = ${numberText(t, 6)} ${timeUnit}`;
    buttons.forEach((button, s) => {
      const value = data[s + 1]![i];
      const text = value === undefined || value === null ? "–" : numberText(value, plot.series[s]!.digits);
      button.querySelector(".value")!.textContent = text;
    });
  };

  const options = chartOptions(context, { numberText, tickLabels });
  const hooks = { ...options.hooks, setCursor: [showValues] };
  const chart = new Chart({ ...options, ...size(), hooks }, data, canvas);
  showValues(chart);
  buttons.forEach((button, s) => {
    button.addEventListener("click", () => {
      const show = !chart.series[s + 1]!.show;
      chart.setSeries(s + 1, { show });
      button.setAttribute("aria-pressed", String(show));
    });
  });
  new ResizeObserver(() => {
    if (canvas.clientWidth !== chart.width) chart.setSize(size());
  }).observe(canvas);
  return chart;
}

/** Options of uPlot for one chart: axes, scales, cursor and lines. Its axis labels also set the axis title of the figure. */
export function chartOptions(
  { plot, data, figure, onTimeRange }: ChartContext,
  { numberText, tickLabels }: Pick<PageTools, "numberText" | "tickLabels">,
): Omit<UPlot.Options, "width" | "height"> {
  const axisTitle = figure.querySelector<HTMLElement>(".axis-title")!;
  const cssVariable = (name: string): string => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
  const font = (ratio: number): string =>
    `${12 * ratio}px system-ui, -apple-system, "Segoe UI", Roboto, Helvetica, Arial, sans-serif`;
  const isDecade = (x: number | null): x is number => x !== null && Math.abs(Math.log10(x) - Math.round(Math.log10(x))) < 1e-6;
  const tickSteps = Array.from({ length: 80 }, (_, i) => [1, 2, 5].map((digit) => Number(`${digit}e${i - 40}`))).flat();
  const axis = { stroke: () => cssVariable("--muted"), font: font(1), ticks: { show: false } };
  const grid = { stroke: () => cssVariable("--grid"), width: 1 };

  const yRange = (_: UPlot, low: number | null, high: number | null): [number, number] => {
    if (low === null || high === null) return [0, 1];
    const size = Math.max(Math.abs(low), Math.abs(high));
    // Changes in the last digits are rounding, not motion.
    const margin = high - low > 1e-13 * size ? 0.06 * (high - low) : size === 0 ? 1 : 0.1 * size;
    return [low - margin, high + margin];
  };
  const labelWidth = (chart: UPlot, labels: readonly string[] | null): number => {
    chart.ctx.font = font(devicePixelRatio);
    const widths = (labels ?? []).map((label) => chart.ctx.measureText(label ?? "").width / devicePixelRatio);
    return Math.ceil(Math.max(24, ...widths)) + 14;
  };
  const yLabels = (ticks: number[]): string[] => {
    if (plot.logarithmic) return ticks.map((tick) => (isDecade(tick) ? numberText(tick) : ""));
    const { labels, offset, power } = tickLabels(ticks);
    const exponent = document.createElement("sup");
    exponent.textContent = String(power).replace("-", "−");
    axisTitle.replaceChildren(offset && `${offset} + … `, ...(power === 0 ? [] : ["10", exponent, " "]), plot.unit);
    return [...labels];
  };
  if (plot.logarithmic) axisTitle.textContent = plot.unit;

  return {
    legend: { show: false },
    padding: [12, 14, 0, 0],
    cursor: {
      y: false,
      drag: { x: true, y: false, dist: 6, setScale: true },
      sync: { key: "report", setSeries: false, filters: { pub: (type) => type === "mousemove" || type === "mouseleave" } },
      points: { size: 8, width: 2, fill: () => cssVariable("--card") },
    },
    scales: { x: { time: false }, y: plot.logarithmic ? { distr: 3 } : { range: yRange } },
    axes: [
      { ...axis, grid, space: 48, incrs: tickSteps, size: 30, values: (_, ticks) => [...tickLabels(ticks).labels] },
      {
        ...axis,
        grid: plot.logarithmic ? { ...grid, filter: (_, ticks) => ticks.map((tick) => (isDecade(tick) ? tick : null)) } : grid,
        space: 32,
        ...(!plot.logarithmic && { incrs: tickSteps }),
        size: labelWidth,
        values: (_, ticks) => yLabels(ticks),
      },
    ],
    series: [
      {},
      ...plot.series.map(({ dash, dense, isMeasured }, s) => ({
        stroke: () => cssVariable(`--line-${s % 7}`),
        width: dense ? 1 : isMeasured ? 2.5 : 1.75,
        dash: [...dash],
        pxAlign: 0, // rounding to whole pixels would make steps in smooth curves
        points: { show: data[0].length < 2 },
      })),
    ],
    hooks: { setScale: [(changed, key) => key === "x" && onTimeRange(changed)] },
  };
}

/** Touch: a horizontal drag zooms, a double tap resets. A vertical drag scrolls the page as usual. */
export function addTouchZoom(chart: UPlot, showAll: () => void): void {
  let start: number | undefined;
  let lastTap = 0;
  const xOf = (event: PointerEvent): number => Math.max(0, Math.min(chart.over.clientWidth, event.clientX - chart.rect.left));
  const select = (left: number, width: number): void =>
    chart.setSelect({ left, width, top: 0, height: chart.over.clientHeight }, false);
  chart.over.addEventListener("pointerdown", (event) => {
    if (event.pointerType === "touch") start = xOf(event);
  });
  chart.over.addEventListener("pointermove", (event) => {
    if (start === undefined) return;
    const x = xOf(event);
    select(Math.min(start, x), Math.abs(x - start));
    chart.setCursor({ left: x, top: 0 });
  });
  chart.over.addEventListener("pointerup", (event) => {
    if (start === undefined) return;
    const [left, right] = [Math.min(start, xOf(event)), Math.max(start, xOf(event))];
    start = undefined;
    select(0, 0);
    if (right - left > 12) chart.setScale("x", { min: chart.posToVal(left, "x"), max: chart.posToVal(right, "x") });
    else if (event.timeStamp - lastTap < 350) showAll();
    lastTap = event.timeStamp;
  });
  chart.over.addEventListener("pointercancel", () => {
    start = undefined;
    select(0, 0);
  });
}

/** Switches between light and dark by the button, follows the system otherwise, and prints in light colours. */
export function addThemeSwitch(charts: readonly UPlot[], button: HTMLElement): void {
  const root = document.documentElement;
  const dark = matchMedia("(prefers-color-scheme: dark)");
  const repaint = (): void => {
    for (const chart of charts) chart.redraw(false);
  };
  const setTheme = (theme: string | undefined): void => {
    if (theme === undefined) delete root.dataset.theme;
    else root.dataset.theme = theme;
    repaint();
  };
  button.addEventListener("click", () => {
    setTheme((root.dataset.theme ?? (dark.matches ? "dark" : "light")) === "dark" ? "light" : "dark");
  });
  dark.addEventListener("change", repaint);
  let screenTheme: string | undefined;
  addEventListener("beforeprint", () => {
    screenTheme = root.dataset.theme;
    setTheme("light");
  });
  addEventListener("afterprint", () => setTheme(screenTheme));
}

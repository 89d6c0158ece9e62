/**
 * What runs in the browser when a report is opened. The report carries these functions along as text, so each stands alone:
 * no imports but of types, and nothing of this module outside the function.
 */
import type UPlot from "uplot";
import type { numberText, tickLabels } from "../numbers.ts";
import type { PackedColumn, PageData, PagePlot } from "./page-data.ts";

/** What the page gets from the other functions that the report carries. */
export interface PageTools {
  readonly Chart: typeof UPlot;
  readonly tickLabels: typeof tickLabels;
  readonly numberText: typeof numberText;
  readonly unpack: typeof unpackColumn;
}

/** The numbers of a column; null where there is none. */
export function unpackColumn({ bits, offset, scale, data }: PackedColumn): (number | null)[] {
  const bytes = Uint8Array.from(atob(data), (c) => c.charCodeAt(0));
  const floats = bits === 32 ? new Float32Array(bytes.buffer) : new Float64Array(bytes.buffer);
  return Array.from(floats, (f) => (Number.isNaN(f) ? null : offset + scale * f));
}

export function startPage({ plots, columns, timeUnit }: PageData, { Chart, tickLabels, numberText, unpack }: PageTools): void {
  const root = document.documentElement;
  const byId = (id: string): HTMLElement => document.getElementById(id)!;
  const style = (name: string): string => getComputedStyle(root).getPropertyValue(name).trim();
  const numbers = columns.map(unpack);
  const steps = Array.from({ length: 80 }, (_, i) => [1, 2, 5].map((digit) => Number(`${digit}e${i - 40}`))).flat();
  const charts: UPlot[] = [];
  for (const [i, plot] of plots.entries()) charts.push(draw(plot, byId(`plot-${i}`)));

  function draw(plot: PagePlot, figure: HTMLElement): UPlot {
    const canvas = figure.querySelector<HTMLElement>(".canvas")!;
    const axisTitle = figure.querySelector<HTMLElement>(".axis-title")!;
    const buttons = [...figure.querySelectorAll<HTMLButtonElement>(".legend button")];
    const clock = figure.querySelector<HTMLElement>(".clock")!;
    const data = [numbers[plot.time]!, ...plot.series.map(({ column }) => numbers[column]!)] as UPlot.AlignedData;

    const size = (): { width: number; height: number } => {
      const width = canvas.clientWidth;
      return { width, height: Math.round(Math.max(220, Math.min(320, width * 0.55))) };
    };
    /** The values under the cursor, or the last ones. */
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
    const yRange = (_: UPlot, low: number | null, high: number | null): [number, number] => {
      if (low === null || high === null) return [0, 1];
      const size = Math.max(Math.abs(low), Math.abs(high));
      // Changes of the last digits are rounding, not motion.
      const room = high - low > 1e-13 * size ? 0.06 * (high - low) : size === 0 ? 1 : 0.1 * size;
      return [low - room, high + room];
    };
    const labelWidth = (chart: UPlot, labels: readonly string[] | null): number => {
      chart.ctx.font = font(devicePixelRatio);
      const widths = (labels ?? []).map((label) => chart.ctx.measureText(label ?? "").width / devicePixelRatio);
      return Math.ceil(Math.max(24, ...widths)) + 14;
    };
    const axis = { stroke: () => style("--muted"), font: font(1), ticks: { show: false } };
    const grid = { stroke: () => style("--grid"), width: 1 };

    const chart = new Chart(
      {
        ...size(),
        legend: { show: false },
        padding: [12, 14, 0, 0],
        cursor: {
          y: false,
          drag: { x: true, y: false, dist: 6, setScale: true },
          sync: { key: "report", setSeries: false, filters: { pub: (type) => type === "mousemove" || type === "mouseleave" } },
          points: { size: 8, width: 2, fill: () => style("--card") },
        },
        scales: { x: { time: false }, y: plot.logarithmic ? { distr: 3 } : { range: yRange } },
        axes: [
          {
            ...axis,
            grid,
            space: 48,
            incrs: steps,
            size: 30,
            values: (_, ticks) => [...tickLabels(ticks).labels],
          },
          {
            ...axis,
            grid: plot.logarithmic
              ? { ...grid, filter: (_, ticks) => ticks.map((tick) => (isDecade(tick) ? tick : null)) }
              : grid,
            space: 32,
            ...(!plot.logarithmic && { incrs: steps }),
            size: labelWidth,
            values: (_, ticks) => {
              if (plot.logarithmic) return ticks.map((tick) => (isDecade(tick) ? numberText(tick) : ""));
              const { labels, offset, power } = tickLabels(ticks);
              const raised = document.createElement("sup");
              raised.textContent = String(power).replace("-", "−");
              axisTitle.replaceChildren(offset && `${offset} + … `, ...(power === 0 ? [] : ["10", raised, " "]), plot.unit);
              return [...labels];
            },
          },
        ],
        series: [
          {},
          ...plot.series.map(({ dash, dense }, s) => ({
            stroke: () => style(`--line-${s % 7}`),
            width: dense ? 1 : 1.75,
            dash: [...dash],
            pxAlign: 0, // whole pixels make steps of smooth curves
            points: { show: data[0].length < 2 },
          })),
        ],
        hooks: {
          setCursor: [showValues],
          setScale: [(changed, key) => key === "x" && follow(changed)],
        },
      },
      data,
      canvas,
    );
    if (plot.logarithmic) axisTitle.textContent = plot.unit;
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
    touch(chart);
    return chart;
  }

  function font(ratio: number): string {
    return `${12 * ratio}px system-ui, -apple-system, "Segoe UI", Roboto, Helvetica, Arial, sans-serif`;
  }

  function isDecade(x: number | null): x is number {
    return x !== null && Math.abs(Math.log10(x) - Math.round(Math.log10(x))) < 1e-6;
  }

  /** All plots show the same span of time. */
  function follow(changed: UPlot): void {
    const { min, max } = changed.scales.x!;
    if (min === undefined || max === undefined || min === null || max === null) return;
    const time = changed.data[0];
    const zoomed = min > time[0]! || max < time[time.length - 1]!;
    byId("reset").hidden = !zoomed;
    for (const chart of charts) {
      const { x } = chart.scales;
      if (chart !== changed && (x!.min !== min || x!.max !== max)) chart.setScale("x", { min, max });
    }
  }

  function showAll(): void {
    for (const chart of charts) {
      const time = chart.data[0];
      chart.setScale("x", { min: time[0]!, max: time[time.length - 1]! });
    }
  }

  /** A finger drawn sideways zooms, two taps reset; up and down scrolls the page as ever. */
  function touch(chart: UPlot): void {
    let from: number | undefined;
    let lastTap = 0;
    const xOf = (event: PointerEvent): number => Math.max(0, Math.min(chart.over.clientWidth, event.clientX - chart.rect.left));
    const select = (left: number, width: number): void =>
      chart.setSelect({ left, width, top: 0, height: chart.over.clientHeight }, false);
    chart.over.addEventListener("pointerdown", (event) => {
      if (event.pointerType === "touch") from = xOf(event);
    });
    chart.over.addEventListener("pointermove", (event) => {
      if (from === undefined) return;
      const x = xOf(event);
      select(Math.min(from, x), Math.abs(x - from));
      chart.setCursor({ left: x, top: 0 });
    });
    chart.over.addEventListener("pointerup", (event) => {
      if (from === undefined) return;
      const [left, right] = [Math.min(from, xOf(event)), Math.max(from, xOf(event))];
      from = undefined;
      select(0, 0);
      if (right - left > 12) chart.setScale("x", { min: chart.posToVal(left, "x"), max: chart.posToVal(right, "x") });
      else if (event.timeStamp - lastTap < 350) showAll();
      lastTap = event.timeStamp;
    });
    chart.over.addEventListener("pointercancel", () => {
      from = undefined;
      select(0, 0);
    });
  }

  const dark = matchMedia("(prefers-color-scheme: dark)");
  const repaint = (): void => {
    for (const chart of charts) chart.redraw(false);
  };
  const setTheme = (theme: string | undefined): void => {
    if (theme === undefined) delete root.dataset.theme;
    else root.dataset.theme = theme;
    repaint();
  };
  byId("theme").addEventListener("click", () => {
    setTheme((root.dataset.theme ?? (dark.matches ? "dark" : "light")) === "dark" ? "light" : "dark");
  });
  byId("reset").addEventListener("click", showAll);
  dark.addEventListener("change", repaint);
  let screenTheme: string | undefined;
  addEventListener("beforeprint", () => {
    screenTheme = root.dataset.theme;
    setTheme("light");
  });
  addEventListener("afterprint", () => setTheme(screenTheme));
}

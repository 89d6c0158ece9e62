/** The menu of a plot: save it as picture, drawing or numbers, or change its axis. Also saves a whole run. */
import type { Channel, Log } from "castor";
import { csvLog } from "castor/formats";
import { type MenuItem, menuButton } from "../elements/menu.ts";
import { download, fileName } from "../files/download.ts";
import { currentRun, type PlotSpec, type StudioRun } from "../state/state.ts";
import type { Studio } from "../studio.ts";
import { alignCurves, type PlotCurve, plotCurves } from "./curves.ts";
import { changePlot, drawnRuns } from "./plot-list.ts";
import { plotSvg, svgToPng } from "./plot-picture.ts";

export function plotMenu(studio: Studio, view: { readonly curves: readonly PlotCurve[] }, spec: PlotSpec): HTMLElement {
  const name = (): string => fileName(studio.state.source?.name ?? "log", spec.title);
  const range = (): readonly [number, number] =>
    studio.state.zoom ?? [studio.startTime(), Math.max(studio.startTime() + 1e-9, studio.endTime())];
  const svg = (): string => plotSvg(spec, view.curves, range());
  const csv = async (): Promise<void> => {
    const { difference } = studio.state;
    const runs = drawnRuns(studio.state);
    const [run] = runs;
    if (run && runs.length === 1)
      return saveCsv(studio, `${name()}.csv`, run, ["t", ...(spec.x === undefined ? [] : [spec.x]), ...spec.channels]);
    try {
      for (const drawn of runs) await studio.completeChannels(drawn, spec.channels);
      download(`${name()}.csv`, curvesCsv(plotCurves(spec, runs, difference), difference), CSV);
    } catch (error) {
      studio.showFailure(error);
    }
  };
  const png = async (): Promise<void> => {
    try {
      download(`${name()}.png`, await svgToPng(svg()));
    } catch (error) {
      studio.showFailure(error);
    }
  };
  const isLog = spec.scale === "log";
  const against = (x: string | undefined): void => changePlot(studio, spec.id, { x, range: undefined });
  const [first] = spec.channels;
  const axisItems: MenuItem[] = [
    ...(spec.range ? [{ text: "Show all values", action: () => changePlot(studio, spec.id, { range: undefined }) }] : []),
    ...(spec.x === undefined ? [{ text: "Zoom in vertically", action: () => zoomValues(studio, view.curves, spec) }] : []),
    ...(spec.x !== undefined
      ? [{ text: "Plot against time", action: () => against(undefined) }]
      : spec.channels.length > 1
        ? [
            {
              text: `Plot against ${first}`,
              action: () =>
                changePlot(studio, spec.id, {
                  x: first!,
                  channels: spec.channels.slice(1),
                  range: undefined,
                }),
            },
          ]
        : []),
  ];
  return menuButton("save", `Save the plot ${spec.title}, or change its axes`, [
    { text: "Save picture (PNG)", action: () => void png() },
    { text: "Save drawing (SVG)", action: () => download(`${name()}.svg`, svg(), "image/svg+xml") },
    { text: "Save numbers (CSV)", action: () => void csv() },
    {
      text: isLog ? "Linear axis" : "Logarithmic axis",
      action: () => changePlot(studio, spec.id, { scale: isLog ? "linear" : "log" }),
    },
    ...axisItems,
  ]);
}

/** Halves the range of the vertical axis about its middle. */
function zoomValues(studio: Studio, curves: readonly PlotCurve[], spec: PlotSpec): void {
  const unit = curves[0]?.unit;
  let [low, high] = spec.range ?? [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  if (!spec.range)
    for (const curve of curves)
      if (curve.unit === unit) for (const value of curve.y) [low, high] = [Math.min(low, value), Math.max(high, value)];
  const [middle, quarter] = [(low + high) / 2, (high - low) / 4];
  if (quarter > 0 && Number.isFinite(quarter)) changePlot(studio, spec.id, { range: [middle - quarter, middle + quarter] });
}

/** Channels of a run as CSV, as the command line writes them. */
export function runCsv({ log }: Pick<StudioRun, "log">, names: readonly string[]): string {
  const channels = log.channels.filter((c) => names.includes(c.name));
  const selected: Log = { channels, length: log.length, column: (name) => log.column(name) };
  return [...csvLog(selected)].join("");
}

/** The curves of several runs as CSV columns. A cell is empty if the run has no sample at that time. */
export function curvesCsv(curves: readonly PlotCurve[], difference: boolean): string {
  const [t, ...columns] = alignCurves(curves, false);
  const headers = curves.map(({ channel, run: { label }, unit, dash }, i): Channel => {
    const isFirst = curves.findIndex((c) => c.channel === channel && c.run.label === label) === i;
    const runName = `${difference ? "minus " : ""}${label}${isFirst ? "" : ` (${dash})`}`;
    return { name: `${channel} · ${runName}`, unit };
  });
  const head: Log = { channels: [{ name: "t", unit: "s" }, ...headers], length: 0, column: () => t };
  const rows = Array.from(t, (time, i) => [time, ...columns.map((column) => column[i] ?? "")].join(","));
  return `${[...csvLog(head)].join("")}${rows.map((row) => `${row}\n`).join("")}`;
}

const CSV = "text/csv;charset=utf-8";

/** Saves the run as `castor run` writes it to log.csv, with the channels that the scenario records. */
export function saveRunCsv(studio: Studio): void {
  const run = currentRun(studio.state);
  if (run === undefined) return;
  const channels = run.scenario?.channels ?? run.log.channels;
  const names = channels.map((c) => c.name);
  void saveCsv(studio, fileName(studio.state.source?.name ?? "log", "log.csv"), run, names);
}

/** Saves channels of a run. If a number is not finite, nothing is saved and the failure is shown. */
async function saveCsv(studio: Studio, name: string, run: StudioRun, channels: readonly string[]): Promise<void> {
  try {
    await studio.completeChannels(run, channels);
    download(name, runCsv(run, channels), CSV);
  } catch (error) {
    studio.showFailure(error);
  }
}

/** What can be done with one plot: save it as a picture or as numbers. */
import { csvLog, type Log } from "castor";
import { download, fileName } from "../download.ts";
import { menuButton } from "../menu.ts";
import { currentRun, type PlotSpec, type StudioRun } from "../state.ts";
import type { Studio } from "../studio.ts";
import { changePlot } from "./board.ts";
import type { Curve } from "./curves.ts";
import { plotSvg, pngOf } from "./picture.ts";

export function plotMenu(studio: Studio, view: { readonly curves: readonly Curve[] }, spec: PlotSpec): HTMLElement {
  const name = (): string => fileName(studio.state.source?.name ?? "log", spec.title);
  const range = (): readonly [number, number] => studio.state.zoom ?? [0, Math.max(1e-9, studio.end())];
  const svg = (): string => plotSvg(spec, view.curves, range());
  const csv = (): void => {
    const run = currentRun(studio.state);
    if (run) void saveCsv(studio, `${name()}.csv`, run, ["t", ...spec.channels]);
  };
  const png = async (): Promise<void> => {
    try {
      download(`${name()}.png`, await pngOf(svg()));
    } catch (error) {
      studio.fail(error);
    }
  };
  const isLog = spec.scale === "log";
  return menuButton("save", `Save the plot ${spec.title}, or change its axis`, [
    { text: "Picture, PNG", action: () => void png() },
    { text: "Drawing, SVG", action: () => download(`${name()}.svg`, svg(), "image/svg+xml") },
    { text: "Numbers, CSV", action: csv },
    {
      text: isLog ? "Linear axis" : "Logarithmic axis",
      action: () => changePlot(studio, spec.id, { scale: isLog ? "linear" : "log" }),
    },
  ]);
}

/** Some channels of a run, as the command line writes them. */
export function csvOf({ log }: Pick<StudioRun, "log">, names: readonly string[]): string {
  const channels = log.channels.filter((c) => names.includes(c.name));
  const part: Log = { channels, length: log.length, column: (name) => log.column(name) };
  return [...csvLog(part)].join("");
}

/** The run as `castor run` writes it to log.csv: with the channels that the scenario records. */
export function saveRunCsv(studio: Studio): void {
  const run = currentRun(studio.state);
  if (run === undefined) return;
  const wanted = run.scenario?.channels ?? run.log.channels;
  const names = wanted.map((c) => c.name);
  void saveCsv(studio, fileName(studio.state.source?.name ?? "log", "log.csv"), run, names);
}

/** A log with a number that is not finite is not written: that is said. */
async function saveCsv(studio: Studio, name: string, run: StudioRun, channels: readonly string[]): Promise<void> {
  try {
    await studio.complete(run, channels);
    download(name, csvOf(run, channels), "text/csv;charset=utf-8");
  } catch (error) {
    studio.fail(error);
  }
}

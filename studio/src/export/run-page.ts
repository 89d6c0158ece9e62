/** The run as one page that plays without a network, and as data for the element `castor-view`. */
import { packFloats, type ReplayData, type ReplayPlot, replayData } from "castor/report";
import { displayUnit } from "../plots/plot-list.ts";
import { currentRun } from "../state/state.ts";
import { StudioError } from "../state/studio-error.ts";
import type { Studio } from "../studio.ts";
import type { SceneModel } from "../view/scene-model.ts";

/** Most samples of a curve. */
const MAX_SAMPLES = 1500;

/** @throws if no run is shown, or its channels cannot be computed */
export async function runReplay(studio: Studio, model: SceneModel, [from, to]: readonly [number, number]): Promise<ReplayData> {
  const run = currentRun(studio.state);
  if (run === undefined || !(to > from)) throw new StudioError("there is no run to save. Run the scenario first");
  const { plots } = studio.state;
  await studio.completeChannels(
    run,
    [...new Set(plots.flatMap(({ channels }) => channels))].filter((name) => run.log.has(name)),
  );
  const { scenario } = model.context;
  return replayData({
    ...{ title: scenario.name, model: scenario.model, from, to, terrain: scenario.terrain },
    posesAt: (t) => model.posesAt(t).poses,
    plots: plots.flatMap((plot): ReplayPlot[] => {
      const names = plot.channels.filter((name) => run.log.has(name));
      if (names.length === 0) return [];
      const t = run.log.column("t");
      const inside = Array.from(t.keys()).filter((i) => t[i]! >= from && t[i]! <= to);
      const stride = Math.max(1, Math.ceil(inside.length / MAX_SAMPLES));
      const rows = inside.filter((_, k) => k % stride === 0 || k === inside.length - 1);
      const unitOf = (name: string): ReturnType<typeof displayUnit> =>
        displayUnit(run.log.channels.find((c) => c.name === name)!.unit, plot.unit);
      return [
        {
          ...{ title: plot.title, unit: unitOf(names[0]!).unit, times: packFloats(Float64Array.from(rows, (i) => t[i]!)) },
          curves: names.map((name) => {
            const [column, { factor }] = [run.log.column(name), unitOf(name)];
            return { name, values: packFloats(Float32Array.from(rows, (i) => factor * column[i]!)) };
          }),
        },
      ];
    }),
  });
}

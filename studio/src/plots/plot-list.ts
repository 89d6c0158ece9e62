/** The list of plots: those of the scenario at first, then as the user changes them. */
import { factorTo } from "castor/formats";
import { formatOverride, type Scenario } from "castor/scenario";
import type { RunLog } from "../run/run-log.ts";
import { currentRun, type PlotSpec, type StudioRun, type StudioState } from "../state/state.ts";
import type { Studio } from "../studio.ts";

/** The plots that the scenario declares. Without any: plots of the first coordinates, speeds and energies. */
export function declaredPlots(scenario: Scenario | undefined, log: RunLog | undefined): readonly PlotSpec[] {
  if (scenario && scenario.plots.length > 0)
    return scenario.plots.map(({ title, channels, unit, scale }, i) => {
      const hasDisplayUnit = channels.length > 0 && unit !== channels[0]!.unit;
      return { id: i + 1, title, channels: channels.map((c) => c.name), unit: hasDisplayUnit ? unit : undefined, scale };
    });
  const channels = log && log.channels.length > 0 ? log.channels : (scenario?.available ?? []);
  const names = channels.map((c) => c.name);
  const candidates = ["q.", "u.", "energy."].map((start) => names.filter((name) => name.startsWith(start)).slice(0, 7));
  const chosen = candidates.filter((group) => group.length > 0);
  return (chosen.length > 0 ? chosen : [names.slice(1, 8)])
    .filter((group) => group.length > 0)
    .map((group, i) => ({ id: i + 1, title: plotTitle(group), channels: group, unit: undefined, scale: "linear" }));
}

/** Default title of a plot with these channels. */
export function plotTitle(channels: readonly string[]): string {
  if (channels.length === 0) return "Plot";
  const quantities = [...new Set(channels.map((name) => name.split(".")[0]!))];
  if (channels.length === 1) return channels[0]!;
  return quantities.map((quantity) => QUANTITY_TITLES[quantity] ?? quantity).join(", ");
}

/**
 * Number of characters that all names share at their start and at their end, in whole parts between dots. Plots leave these characters out,
 * because the title contains them. A single channel keeps its name.
 */
export function commonNameParts(names: readonly string[]): readonly [start: number, end: number] {
  const all = names.map((name) => name.split("."));
  const [first] = all;
  if (first === undefined || all.length < 2) return [0, 0];
  const maxShared = Math.min(...all.map(({ length }) => length)) - 1; // at least one part of each name remains
  const isShared = (from: number, k: number): boolean => all.every((parts) => parts.at(from + k) === first.at(from + k));
  let [start, end] = [0, 0];
  while (start < maxShared && isShared(0, start)) start++;
  while (start + end < maxShared && isShared(-1, -end)) end++;
  const lengthOf = (parts: readonly string[]): number => parts.reduce((sum, { length }) => sum + length + 1, 0);
  return [lengthOf(first.slice(0, start)), lengthOf(first.slice(first.length - end))];
}

export const QUANTITY_TITLES: Readonly<Record<string, string>> = {
  q: "Coordinates",
  u: "Speeds",
  tau: "Hinge forces",
  energy: "Energy",
  momentum: "Momentum",
  centre: "Mass centre",
  frame: "Frames",
  reaction: "Reactions",
  effort: "Hinge forces by inverse dynamics",
  carried: "Carried loads",
  held: "Commands",
  z: "Internal states",
  loop: "Loops",
  acceleration: "Accelerations",
};

const nextId = (plots: readonly PlotSpec[]): number => 1 + plots.reduce((largest, { id }) => Math.max(largest, id), 0);

export function addPlot(studio: Studio, channels: readonly string[], title = plotTitle(channels)): void {
  const { plots } = studio.state;
  const id = nextId(plots);
  studio.store.set({
    plots: [...plots, { id, title, channels, unit: undefined, scale: "linear" }],
    activePlot: id,
  });
}

export function removePlot(studio: Studio, id: number): void {
  const plots = studio.state.plots.filter((plot) => plot.id !== id);
  const enlargedPlot = studio.state.enlargedPlot === id ? undefined : studio.state.enlargedPlot;
  studio.store.set({ plots, activePlot: plots.at(-1)?.id, enlargedPlot });
}

/** New values of keys of a plot. Undefined removes the value. */
type PlotChange = { readonly [K in keyof PlotSpec]?: PlotSpec[K] | undefined };

export function changePlot(studio: Studio, id: number, change: PlotChange): void {
  // Keys with undefined values are removed, so that equal plots have equal keys.
  const changed = (plot: PlotSpec): PlotSpec =>
    Object.fromEntries(
      Object.entries({ ...plot, ...change }).filter(([key, value]) => value !== undefined || key === "unit"),
    ) as unknown as PlotSpec;
  studio.store.set({ plots: studio.state.plots.map((plot) => (plot.id === id ? changed(plot) : plot)) });
}

/** Adds a channel to a plot, or to a new plot if there is none of this id. */
export function addChannel(studio: Studio, channel: string, id: number | undefined): void {
  const plot = studio.state.plots.find((p) => p.id === id);
  if (plot === undefined) {
    addPlot(studio, [channel]);
    return;
  }
  if (plot.channels.includes(channel)) return;
  const channels = [...plot.channels, channel];
  // A default title is updated.
  const title = plot.title === plotTitle(plot.channels) ? plotTitle(channels) : plot.title;
  changePlot(studio, plot.id, { channels, title });
}

export function removeChannel(studio: Studio, channel: string, id: number): void {
  const plot = studio.state.plots.find((p) => p.id === id);
  if (plot === undefined) return;
  const channels = plot.channels.filter((name) => name !== channel);
  changePlot(studio, id, { channels, title: plot.title === plotTitle(plot.channels) ? plotTitle(channels) : plot.title });
}

/** Plots of quantities that must stay constant: energy balance, momentum, and the gaps of loops that hold a point. */
const AUDIT_PLOTS = [
  { title: "Audit: energy balance", auditChannel: "energy", pattern: /^energy\.balance$/ },
  { title: "Audit: momentum", auditChannel: "linear momentum", pattern: /^momentum\.(angular|linear)\.[xyz]$/ },
  { title: "Audit: loop gaps", auditChannel: "loop closure", pattern: /^loop\..*\.(distance|miss)$/ },
] as const;

/** Kinds of loops that keep the origins of their frames together. In all other kinds the distance is free. */
const POINT_LOOPS = ["fixed", "revolute", "spherical", "universal", "coupling", "prescribed"];

export const hasAuditPlots = (plots: readonly PlotSpec[]): boolean => plots.some(({ title }) => title === AUDIT_PLOTS[0].title);

/** Adds the audit plots, or removes them if they are shown. */
export function toggleAuditPlots(studio: Studio): void {
  const { plots } = studio.state;
  const titles: readonly string[] = AUDIT_PLOTS.map(({ title }) => title);
  if (hasAuditPlots(plots)) {
    const remainingPlots = plots.filter(({ title }) => !titles.includes(title));
    studio.store.set({ plots: remainingPlots, activePlot: remainingPlots[0]?.id });
    return;
  }
  const run = currentRun(studio.state);
  const names = run?.log.channels.map((c) => c.name) ?? [];
  const freeLoops = (run?.scenario?.model.loops ?? []).filter(({ kind }) => !POINT_LOOPS.includes(kind)).map(({ name }) => name);
  for (const { title, auditChannel, pattern } of AUDIT_PLOTS) {
    if (run?.summary?.audit.every(({ channel }) => channel !== auditChannel)) continue; // this machine does not conserve it
    const channels = names.filter((name) => pattern.test(name) && !freeLoops.some((loop) => name.startsWith(`loop.${loop}.`)));
    if (channels.length > 0) addPlot(studio, channels, title);
  }
}

/**
 * The compared runs in the order in which they started, then the current run. A compared run with the same overrides as the current run is
 * left out: after an undo, a run is not compared with itself.
 */
export function drawnRuns({ runs, current, compared }: Pick<StudioState, "runs" | "current" | "compared">): readonly StudioRun[] {
  const changesOf = ({ overrides }: StudioRun): string => overrides.map(formatOverride).join("\n");
  const currentOne = runs.find(({ id }) => id === current);
  const isSameAsCurrent = (run: StudioRun): boolean =>
    currentOne !== undefined &&
    currentOne.status !== "recorded" &&
    run.status !== "recorded" &&
    changesOf(run) === changesOf(currentOne);
  const shown = runs.filter((run) => run.id === current || (compared.includes(run.id) && !isSameAsCurrent(run)));
  return [...shown.filter(({ id }) => id !== current), ...shown.filter(({ id }) => id === current)];
}

/** Display unit of a channel, and the factor from its own unit. */
export function displayUnit(unit: string, wanted: string | undefined): { readonly unit: string; readonly factor: number } {
  const factor = wanted === undefined ? undefined : factorTo(wanted, unit);
  return factor === undefined ? { unit, factor: 1 } : { unit: wanted!, factor };
}

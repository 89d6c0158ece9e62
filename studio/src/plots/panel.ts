/** The Plots panel: the plots, the compared runs and the zoom. */
import { h, iconButton, replaceContent, textButton } from "../elements/dom.ts";
import type { Panel } from "../panels/panel.ts";
import { currentRun, type StudioState } from "../state/state.ts";
import type { Studio } from "../studio.ts";
import { acceptDroppedChannels } from "./drag.ts";
import { addPlot, declaredPlots, hasAuditPlots, toggleAuditPlots } from "./plot-list.ts";
import { saveRunCsv } from "./plot-menu.ts";
import { PlotView } from "./plot-view.ts";
import { runChips } from "./run-chips.ts";

export const plotsPanel: Panel = {
  id: "plots",
  title: "Plots",
  region: "bottom",
  mount(host, studio) {
    const grid = h("div", { class: "plot-grid" });
    replaceContent(host, toolbar(studio), grid);
    acceptDroppedChannels(grid, studio, () => undefined);
    startWithDeclared(studio);
    const views = new Map<number, PlotView>();
    let isDue = false;
    const update = (): void => {
      isDue = false;
      const { plots } = studio.state;
      for (const [id, view] of views) {
        if (plots.some((plot) => plot.id === id)) continue;
        view.close();
        views.delete(id);
      }
      for (const plot of plots) {
        let view = views.get(plot.id);
        if (view === undefined) {
          view = new PlotView(studio, plot);
          views.set(plot.id, view);
          view.element.classList.toggle("large", plot.id === studio.state.enlargedPlot);
          grid.append(view.element);
        }
        view.update(plot);
      }
    };
    // Samples arrive in many blocks: the plots are updated once per frame.
    const schedule = (): void => {
      if (isDue) return;
      isDue = true;
      requestAnimationFrame(update);
    };
    studio.store.watch(
      ["plots", "runs", "current", "compared", "difference", "theme", "zoom", "scenario", "enlargedPlot"],
      schedule,
    );
    studio.store.watch(["enlargedPlot", "plots"], ({ enlargedPlot, plots }) => {
      const isEnlarged = plots.some(({ id }) => id === enlargedPlot);
      host.classList.toggle("one", isEnlarged);
      host.closest(".desk")?.classList.toggle("enlarged", isEnlarged);
      for (const [id, view] of views) view.element.classList.toggle("large", id === enlargedPlot);
    });
    document.addEventListener("keydown", (event) => {
      if (event.key !== "Escape" || studio.state.enlargedPlot === undefined) return;
      if (event.target instanceof Element && event.target.closest("input, select, textarea, dialog, :popover-open")) return;
      studio.store.set({ enlargedPlot: undefined });
    });
    studio.store.watch(["time"], () => {
      for (const view of views.values()) view.showTime();
    });
    studio.store.watch(["activePlot", "plots"], ({ activePlot }) => {
      for (const [id, view] of views) view.element.classList.toggle("active", id === activePlot);
    });
  },
};

/** Sets the declared plots whenever another scenario or log is opened. */
function startWithDeclared(studio: Studio): void {
  let source: StudioState["source"] | "none" = "none";
  let run: number | undefined;
  studio.store.watch(["source", "scenario", "current", "runs"], (state) => {
    if (state.page !== "scenario" || (state.source === source && (source !== undefined || run === state.current))) return;
    const log = currentRun(state)?.log;
    if (state.scenario === undefined && (log === undefined || log.channels.length === 0)) return;
    source = state.source;
    run = state.current;
    const plots = declaredPlots(state.scenario, log);
    studio.store.set({ plots, activePlot: plots[0]?.id });
  });
}

function toolbar(studio: Studio): HTMLElement {
  const audit = h("button", { type: "button", class: "plain audit", onclick: () => toggleAuditPlots(studio) }, "Audit");
  audit.title = "Plot energy balance, momentum and loop gaps, which must stay constant";
  const zoomOut = iconButton("zoomAll", "Show the whole run", () => studio.store.set({ zoom: undefined }));
  const zoomIn = iconButton("zoomIn", "Zoom in around the current time", () => zoomBy(studio, 0.5));
  const wider = iconButton("zoomOut", "Zoom out", () => zoomBy(studio, 2));
  studio.store.watch(["plots", "zoom"], ({ plots, zoom }) => {
    audit.setAttribute("aria-pressed", String(hasAuditPlots(plots)));
    zoomOut.disabled = wider.disabled = zoom === undefined;
  });
  return h(
    "div",
    { class: "plot-tools", role: "toolbar", "aria-label": "Plots" },
    textButton("plus", "Plot", "Add a plot", () => addPlot(studio, [])),
    audit,
    runChips(studio),
    h("span", { class: "gap" }),
    zoomIn,
    wider,
    zoomOut,
    textButton("save", "CSV", "Save the run as CSV, like log.csv of castor run", () => saveRunCsv(studio)),
  );
}

/** Scales the visible time range by a factor, around the current time. */
function zoomBy(studio: Studio, factor: number): void {
  const { zoom, time, scenario } = studio.state;
  const whole = Math.max(scenario?.duration ?? 0, studio.endTime());
  const first = studio.startTime();
  const [from, to] = zoom ?? [first, whole];
  const span = (to - from) * factor;
  const middle = time >= from && time <= to ? time : (from + to) / 2;
  const start = Math.min(Math.max(first, middle - span / 2), whole - span);
  studio.store.set({ zoom: span >= whole - first ? undefined : [start, start + span] });
}

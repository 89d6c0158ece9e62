/** Status and progress of the current run, with a button that cancels it. */
import { h, iconButton, replaceContent } from "../elements/dom.ts";
import { numberText } from "../plots/text.ts";
import { currentRun, type StudioRun } from "../state/state.ts";
import type { Panel } from "./panel.ts";

export const runStatusPanel: Panel = {
  id: "run-status",
  title: "Run",
  region: "bar",
  mount(host, studio) {
    const text = h("span", { class: "status" });
    // Screen readers announce each change of the status once, not each percent.
    const announcement = h("span", { class: "heard", role: "status" });
    const bar = h("progress", { max: "1", "aria-label": "Progress of the run" });
    const cancel = iconButton("cancel", "Cancel the run", () => studio.cancel());
    const again = h("button", { type: "button", class: "plain", onclick: () => studio.run() }, "Run again");
    replaceContent(host, text, announcement, bar, cancel, again);
    studio.store.watch(["runs", "current", "page"], (state) => {
      const run = currentRun(state);
      const isRunning = run?.status === "running";
      host.hidden = state.page !== "scenario";
      text.textContent = run === undefined ? "" : statusText(run);
      const status = isRunning ? "running" : text.textContent;
      if (announcement.textContent !== status) announcement.textContent = status;
      text.dataset.status = run?.status ?? "";
      bar.value = run?.progress ?? 0;
      bar.classList.toggle("idle", !isRunning);
      cancel.disabled = !isRunning;
      again.hidden = run === undefined || !["cancelled", "failed"].includes(run.status) || state.source === undefined;
    });
  },
};

/** "42 %", "complete (run took 7.02 s)", or for a run that an event has stopped "Goal reached at 177.7 s (run took 7.02 s)". */
function statusText({ status, summary, progress, log }: StudioRun): string {
  if (status === "running") return log.length === 0 ? "compiling" : `${Math.floor(100 * progress)} %`;
  if (summary === undefined || (status !== "complete" && status !== "stopped")) return status;
  const { t, events } = summary;
  const outcome = status === "complete" ? status : `${stopText(events.at(-1)?.name)} at ${numberText(t, 4)} s`;
  return `${outcome} (run took ${durationText(summary.seconds + summary.compileSeconds)})`;
}

/** What stopped a run, from the name of the event. Guided rovers and arms end with the event "NAME: arrived". */
const stopText = (event: string | undefined): string =>
  event === undefined ? "stopped" : /(^|: )arrived$/.test(event) ? "Goal reached" : event;

const durationText = (s: number): string => (s < 1 ? `${Math.max(1, Math.round(1000 * s))} ms` : `${s.toPrecision(3)} s`);

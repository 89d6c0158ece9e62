/** Status and progress of the current run, with a button that cancels it. */
import { h, iconButton, replaceContent } from "../elements/dom.ts";
import { currentRun, type StudioRun } from "../state/state.ts";
import type { Panel } from "./panel.ts";

export const runStatusPanel: Panel = {
  id: "run-status",
  title: "Run",
  region: "bar",
  mount(host, studio) {
    const text = h("span", { class: "status" });
    // Screen readers announce each change of the status once, not each percent.
    const said = h("span", { class: "heard", role: "status" });
    const bar = h("progress", { max: "1", "aria-label": "Progress of the run" });
    const cancel = iconButton("cancel", "Cancel the run", () => studio.cancel());
    const again = h("button", { type: "button", class: "plain", onclick: () => studio.run() }, "Run again");
    replaceContent(host, text, said, bar, cancel, again);
    studio.store.watch(["runs", "current", "page"], (state) => {
      const run = currentRun(state);
      const running = run?.status === "running";
      host.hidden = state.page !== "scenario";
      text.textContent = run === undefined ? "" : describe(run);
      const words = running ? "running" : text.textContent;
      if (said.textContent !== words) said.textContent = words;
      text.dataset.status = run?.status ?? "";
      bar.value = run?.progress ?? 0;
      bar.classList.toggle("idle", !running);
      cancel.disabled = !running;
      again.hidden = run === undefined || !["cancelled", "failed"].includes(run.status) || state.source === undefined;
    });
  },
};

function describe({ status, summary, progress, log }: StudioRun): string {
  if (status === "running") return log.length === 0 ? "compiling" : `${Math.floor(100 * progress)} %`;
  if (summary && (status === "complete" || status === "stopped"))
    return `${status} in ${seconds(summary.seconds + summary.compileSeconds)}`;
  return status;
}

const seconds = (s: number): string => (s < 1 ? `${Math.max(1, Math.round(1000 * s))} ms` : `${s.toPrecision(3)} s`);

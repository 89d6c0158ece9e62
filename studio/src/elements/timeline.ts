/** The timeline: play, pause, step, slider and speed. Keys: space, arrows, Home and End. */

import { Playback } from "../run/playback.ts";
import { currentRun } from "../state/state.ts";
import type { Studio } from "../studio.ts";
import { h, icon, iconButton } from "./dom.ts";
import { speedControl } from "./speed-control.ts";

/** Number of slider positions over the run. */
const SLIDER_STEPS = 10_000;

export function timeline(studio: Studio): HTMLElement {
  const playback = new Playback(studio);
  const play = iconButton("play", "Play", () => playback.toggle(), { class: "icon-button play", "aria-keyshortcuts": "Space" });
  const slider = h("input", { type: "range", min: "0", max: String(SLIDER_STEPS), value: "0", step: "1", "aria-label": "Time" });
  const clock = h("output", { class: "clock", "aria-label": "Time", "aria-live": "off" });
  const computedBar = h("div", { class: "reached", "aria-hidden": "true" });
  const lastTime = (): number => studio.startTime() + studio.duration();

  slider.addEventListener("input", () => {
    studio.store.set({ playing: false });
    studio.seek(studio.startTime() + (Number(slider.value) / SLIDER_STEPS) * studio.duration());
  });
  const loop = iconButton("loop", "Play again and again", () => studio.store.set({ loop: !studio.state.loop }));
  studio.store.watch(["loop"], (state) => loop.setAttribute("aria-pressed", String(state.loop)));
  studio.store.watch(["playing"], ({ playing }) => {
    play.replaceChildren(icon(playing ? "pause" : "play"));
    play.setAttribute("aria-label", playing ? "Pause" : "Play");
    play.title = playing ? "Pause (space)" : "Play (space)";
  });
  studio.store.watch(["time", "runs", "current", "scenario"], (state) => {
    const duration = studio.duration();
    const run = currentRun(state);
    const fraction = (t: number): number => (duration > 0 ? (t - studio.startTime()) / duration : 0);
    const text = `${state.time.toFixed(decimals(duration))} / ${Number(lastTime().toPrecision(6))} s`;
    if (clock.value !== text) clock.value = text;
    slider.value = String(Math.round(fraction(state.time) * SLIDER_STEPS));
    slider.setAttribute("aria-valuetext", `${state.time.toFixed(decimals(duration))} seconds`);
    computedBar.style.width = `${run ? Math.max(0, Math.min(100, 100 * fraction(run.log.endTime))) : 0}%`;
  });
  document.addEventListener("keydown", (event) => keyPressed(event, playback, studio));
  return h(
    "div",
    { class: "timeline", role: "group", "aria-label": "Playback" },
    iconButton("restart", "Go to the start (Home)", () => playback.jump(0)),
    iconButton("back", "Previous sample (left arrow)", () => playback.step(-1)),
    play,
    iconButton("forward", "Next sample (right arrow)", () => playback.step(1)),
    h("div", { class: "track" }, computedBar, slider),
    clock,
    loop,
    speedControl(studio),
  );
}

const decimals = (duration: number): number =>
  duration <= 0 ? 2 : Math.min(9, Math.max(0, 2 - Math.floor(Math.log10(duration / 5))));

/** Handles keys that the focused element does not use. */
function keyPressed(event: KeyboardEvent, playback: Playback, studio: Studio): void {
  if (studio.state.page !== "scenario" || event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
  const target = event.target instanceof HTMLElement ? event.target : document.body;
  if (target.closest("input:not([type=range]), textarea, select, [contenteditable], [role=tab], [role=tree], dialog")) return;
  if (event.key === " " && target.closest("button, a, summary")) return;
  const actions: Readonly<Record<string, () => void>> = {
    " ": () => playback.toggle(),
    ArrowLeft: () => playback.step(event.shiftKey ? -10 : -1),
    ArrowRight: () => playback.step(event.shiftKey ? 10 : 1),
    Home: () => playback.jump(0),
    End: () => playback.jump(Number.POSITIVE_INFINITY),
  };
  const action = actions[event.key];
  if (action === undefined) return;
  event.preventDefault();
  action();
}

/** Chooses the playback speed: from a list around the automatic one, or any number. */
import { automaticSpeed, parseSpeed, speedChoices, speedText } from "../run/playback-speed.ts";
import type { Studio } from "../studio.ts";
import { h, replaceContent } from "./dom.ts";

/** Values of the entries that are no speeds. */
const [AUTOMATIC, OTHER] = ["automatic", "other"] as const;

export function speedControl(studio: Studio): HTMLElement {
  const title = "Playback speed: simulated seconds per second";
  const select = h("select", { "aria-label": "Playback speed", title });
  const input = h("input", { type: "text", class: "speed", "aria-label": "Other playback speed", title, hidden: true, size: 6 });
  let automatic = Number.NaN;
  const fill = (): void => {
    automatic = automaticSpeed(studio.duration());
    const { speed } = studio.state;
    const choices = speedChoices(automatic);
    const all = speed === undefined || choices.includes(speed) ? choices : [...choices, speed].sort((a, b) => a - b);
    replaceContent(
      select,
      h("option", { value: AUTOMATIC }, `auto (${speedText(automatic)})`),
      ...all.map((s) => h("option", { value: String(s) }, speedText(s))),
      h("option", { value: OTHER }, "other ..."),
    );
    select.value = speed === undefined ? AUTOMATIC : String(speed);
  };
  const closeInput = (): void => {
    input.hidden = true;
    select.hidden = false;
    fill();
  };
  const takeInput = (): void => {
    if (input.hidden) return;
    const speed = parseSpeed(input.value);
    if (speed !== undefined) studio.store.set({ speed });
    closeInput();
  };
  select.addEventListener("change", () => {
    if (select.value !== OTHER) return studio.store.set({ speed: select.value === AUTOMATIC ? undefined : Number(select.value) });
    select.hidden = true;
    input.hidden = false;
    input.value = String(studio.playbackSpeed());
    input.select();
  });
  input.addEventListener("keydown", (event) => {
    if (event.key === "Enter") takeInput();
    else if (event.key === "Escape") closeInput();
    else return;
    event.preventDefault();
    event.stopPropagation();
    select.focus();
  });
  input.addEventListener("blur", takeInput);
  studio.store.watch(["speed"], fill);
  studio.store.watch(["runs", "current"], () => {
    if (automaticSpeed(studio.duration()) !== automatic) fill();
  });
  return h("span", { class: "speed-control" }, select, input);
}

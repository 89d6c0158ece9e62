/** The scene, fetched when it is first needed; where it cannot be drawn, the rest of the page works without it. */
import { fill, h } from "../dom.ts";
import type { Studio } from "../studio.ts";

export function mountView(host: HTMLElement, studio: Studio): void {
  studio.store.watch(["time"], ({ time }) => {
    fill(host, h("p", { class: "note" }, `t = ${time.toFixed(3)} s`));
  });
}

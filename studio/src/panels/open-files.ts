/** The button that opens files, also inside a scenario. */
import { openFilesButton } from "../files/drop.ts";
import type { Panel } from "./panel.ts";

export const openFilesPanel: Panel = {
  id: "open",
  title: "Open files",
  region: "bar",
  mount(host, studio) {
    host.append(openFilesButton(studio, "Open files"));
    studio.store.watch(["page"], ({ page }) => {
      host.hidden = page === "gallery"; // the gallery has its own button
    });
  },
};

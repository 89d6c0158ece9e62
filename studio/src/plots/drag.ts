/** Drag and drop of channels from the Channels panel to a plot. */
import type { Studio } from "../studio.ts";
import { addChannel } from "./plot-list.ts";

const CHANNEL_TYPE = "application/x-castor-channel";

export function makeChannelDraggable(element: HTMLElement, channel: string): void {
  element.draggable = true;
  element.addEventListener("dragstart", (event) => {
    event.dataTransfer?.setData(CHANNEL_TYPE, channel);
    event.dataTransfer?.setData("text/plain", channel);
    if (event.dataTransfer) event.dataTransfer.effectAllowed = "copy";
  });
}

/** Adds a channel that is dropped on the element to the plot with this id, or to a new plot. */
export function acceptDroppedChannels(element: HTMLElement, studio: Studio, plot: () => number | undefined): void {
  const isChannel = (event: DragEvent): boolean => event.dataTransfer?.types.includes(CHANNEL_TYPE) ?? false;
  element.addEventListener("dragover", (event) => {
    if (!isChannel(event)) return;
    event.preventDefault();
    event.stopPropagation();
    element.classList.add("dropping");
  });
  element.addEventListener("dragleave", () => element.classList.remove("dropping"));
  element.addEventListener("drop", (event) => {
    element.classList.remove("dropping");
    if (!isChannel(event)) return;
    event.preventDefault();
    event.stopPropagation();
    addChannel(studio, event.dataTransfer!.getData(CHANNEL_TYPE), plot());
  });
}

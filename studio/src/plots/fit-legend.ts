/** Fits the legend of a plot into its lines. */

/**
 * Fits the legend into one line, or else two; without values, if these do not fit. Last, it shows how many channels are left out. It never
 * takes the room of the curves.
 * @param more button that shows all channels
 */
export function fitLegend(list: HTMLElement, more: HTMLButtonElement): void {
  const { classList } = list;
  if (classList.contains("all") || list.clientWidth === 0) return;
  const items = [...list.querySelectorAll<HTMLElement>(".chip")];
  const hasRoom = (): boolean => list.scrollHeight <= list.clientHeight + 1;
  const fits = (lines: 1 | 2, values: boolean): boolean => {
    classList.toggle("two", lines === 2);
    classList.toggle("compact", !values);
    return hasRoom();
  };
  const showMore = (isShown: boolean): void => {
    more.parentElement!.hidden = more.hidden = !isShown;
  };
  for (const item of items) item.hidden = false;
  showMore(false);
  classList.add("measuring"); // values have their greatest width
  if (!fits(1, true) && !fits(2, true) && !fits(1, false) && !fits(2, false)) {
    showMore(true);
    for (let shown = items.length - 1; shown > 0; shown--) {
      items[shown]!.hidden = true;
      more.textContent = `+${items.length - shown}`;
      more.setAttribute("aria-label", `Show ${items.length - shown} more channels of the plot`);
      if (hasRoom()) break;
    }
  }
  classList.remove("measuring");
}

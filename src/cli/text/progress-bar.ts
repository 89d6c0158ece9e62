/** Progress bar of a long run: a line that is rewritten. It appears after half a second, and only on a terminal. */
import { durationText } from "../../report/numbers.ts";
import type { Terminal } from "./terminal.ts";

/** Delay before the bar appears, ms. */
const SHOW_AFTER_MS = 500;
/** Minimum time between two updates, ms; more updates would flicker. */
const REDRAW_MS = 100;
const BAR_WIDTH = 24;

export interface ProgressBar {
  /** Shows the completed fraction, 0 to 1, and a remark. */
  show(part: number, remark?: string): void;
  done(): void;
}

export function createProgress(
  terminal: Pick<Terminal, "status" | "width">,
  now: () => number = () => performance.now(),
): ProgressBar {
  const startTime = now();
  let lastUpdate = startTime + SHOW_AFTER_MS - REDRAW_MS;
  return {
    show(fraction, remark = "") {
      const time = now();
      if (time - lastUpdate < REDRAW_MS) return;
      lastUpdate = time;
      const text = `${barText(fraction)} ${String(Math.floor(100 * fraction)).padStart(3)} %  ${remark}  ${remainingText((time - startTime) / 1000, fraction)}`;
      terminal.status(text.slice(0, terminal.width - 1));
    },
    done: () => terminal.status(""),
  };
}

const barText = (part: number): string => "█".repeat(Math.round(BAR_WIDTH * part)).padEnd(BAR_WIDTH, "░");

function remainingText(elapsed: number, part: number): string {
  if (part <= 0) return "";
  return `${durationText((elapsed * (1 - part)) / part)} left`;
}

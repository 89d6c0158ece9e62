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
  const started = now();
  let shown = started + SHOW_AFTER_MS - REDRAW_MS;
  return {
    show(part, remark = "") {
      const time = now();
      if (time - shown < REDRAW_MS) return;
      shown = time;
      const text = `${barText(part)} ${String(Math.floor(100 * part)).padStart(3)} %  ${remark}  ${remainingText((time - started) / 1000, part)}`;
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

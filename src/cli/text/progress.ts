/** How far a long run has come: a line that is rewritten, from half a second on, and only on a terminal. */
import { durationText } from "../../report/numbers.ts";
import type { Terminal } from "./terminal.ts";

/** What ends sooner needs no bar, ms. */
const PATIENCE = 500;
/** Rewriting more often only flickers, ms. */
const INTERVAL = 100;
const BAR = 24;

export interface Progress {
  /** The part that is done, 0 to 1, and what to say about it. */
  show(part: number, remark?: string): void;
  done(): void;
}

export function progressOf(terminal: Pick<Terminal, "status" | "width">, now: () => number = () => performance.now()): Progress {
  const started = now();
  let shown = started + PATIENCE - INTERVAL;
  return {
    show(part, remark = "") {
      const time = now();
      if (time - shown < INTERVAL) return;
      shown = time;
      const text = `${barOf(part)} ${String(Math.floor(100 * part)).padStart(3)} %  ${remark}  ${remaining((time - started) / 1000, part)}`;
      terminal.status(text.slice(0, terminal.width - 1));
    },
    done: () => terminal.status(""),
  };
}

const barOf = (part: number): string => "█".repeat(Math.round(BAR * part)).padEnd(BAR, "░");

function remaining(elapsed: number, part: number): string {
  if (part <= 0) return "";
  return `${durationText((elapsed * (1 - part)) / part)} left`;
}

/** How far tasks are missed, for logs. */
import type { Channel } from "../../../log/log.ts";
import type { TaskStack } from "./task-stack.ts";

export const TASK_ERROR_CHANNELS: readonly Channel[] = [
  { name: "off-path", unit: "m", about: "largest error of position of the tasks" },
  { name: "off-attitude", unit: "rad", about: "largest error of attitude of the tasks" },
];

export interface TaskErrors {
  /** The largest entry among rows of the tasks that are ways, or turns. */
  largest(values: Float64Array, which: "way" | "turn"): number;
  /** Writes the values of OFF_PATH. */
  report(out: Float64Array): void;
}

export function taskErrors(stack: TaskStack): TaskErrors {
  const kinds = stack.names.map((name) => (/\.r[xyz]( from |$)/.test(name) ? "turn" : "way"));
  const largest: TaskErrors["largest"] = (values, which) => {
    let most = 0;
    for (let r = 0; r < kinds.length; r++) if (kinds[r] === which) most = Math.max(most, Math.abs(values[r]!));
    return most;
  };
  return {
    largest,
    report(out) {
      out[0] = largest(stack.poseError, "way");
      out[1] = largest(stack.poseError, "turn");
    },
  };
}

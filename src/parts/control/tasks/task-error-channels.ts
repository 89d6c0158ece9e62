/** Errors of tasks as channels of the log. */
import type { Channel } from "../../../log/log.ts";
import type { TaskStack } from "./task-stack.ts";

export const TASK_ERROR_CHANNELS: readonly Channel[] = [
  { name: "off-path", unit: "m", about: "largest position error of the tasks" },
  { name: "off-attitude", unit: "rad", about: "largest attitude error of the tasks" },
];

export interface TaskErrors {
  /** Largest absolute value among rows of displacements ("way") or of rotations ("turn"). */
  largest(values: Float64Array, which: "way" | "turn"): number;
  /** Writes the values of TASK_ERROR_CHANNELS. */
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

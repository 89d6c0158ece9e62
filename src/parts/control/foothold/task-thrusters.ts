/** Thrusters that help a robot with its tasks: parameters, commands, weights and limits. */
import type { Parameters, ParameterValues } from "../../../declare/parameters.ts";
import type { NoteProblem } from "../../../sim/system/create-checked.ts";
import { TASK_ERROR_CHANNELS } from "../tasks/task-error-channels.ts";

export const TASK_THRUSTER = {
  thruster: { type: "name", about: "Name of the thruster among the forces." },
  frame: { type: "frame", about: "Frame at whose origin the thruster pushes." },
  direction: { type: "direction", default: "x", about: "Direction of the push in axes of the frame." },
  limit: { type: "number", unit: "N", above: 0, optional: true, about: "Largest thrust; unlimited if not given." },
  weight: { type: "number", unit: "N", above: 0, default: 1, about: "Thrust that counts as one beside the torques." },
} as const satisfies Parameters;

export type TaskThruster = ParameterValues<typeof TASK_THRUSTER>;

/** Every thruster may be listed only once. */
export function checkThrusters(thrusters: readonly TaskThruster[], note: NoteProblem): void {
  for (const [i, { thruster }] of thrusters.entries())
    if (thrusters.findIndex((other) => other.thruster === thruster) < i)
      note(`thrusters[${i}].thruster`, `${thruster} is listed twice`);
}

export const commandsOfThrusters = (thrusters: readonly TaskThruster[]): string[] =>
  thrusters.map(({ thruster }) => `${thruster}.thrust`);

/** Channels of a law with thrusters. */
export const THRUSTER_CHANNELS = [
  ...TASK_ERROR_CHANNELS,
  { name: "thrust-short", unit: "", about: "1 while limits of thrusts prevent tasks" },
] as const;

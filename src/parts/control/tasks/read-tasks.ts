/** A task as a file has it: what a frame shall do, by which parts of its pose, with which gains and priority. */

import type { Parameters, ParameterValues } from "../../../declare/parameters.ts";
import type { NoteProblem } from "../../../sim/system/create-checked.ts";
import { KNOT, MOVE, meetReference, movesReference, type Reference, throughReference } from "./reference.ts";

/** Parts of a pose, and the rows of a task, in this order: turns, then ways, each about and along the axes of the task. */
export const POSE_PARTS = ["rx", "ry", "rz", "x", "y", "z"] as const;
export type PosePart = (typeof POSE_PARTS)[number];

export interface Task {
  readonly frame: string;
  /** Frame that it is seen from, of the robot or of a body that drifts by itself; the world if not given. */
  readonly relativeTo?: string | undefined;
  readonly parts: readonly PosePart[];
  /** 1 before 2: a task of lower priority does what those before it leave. */
  readonly priority: number;
  /** Gains of position (1/s²) and speed (1/s). */
  readonly kp: number;
  readonly kd: number;
  readonly reference: Reference;
}

export const TASK = {
  frame: { type: "frame", about: "Frame or body of the robot: a hand, a point, the base." },
  relativeTo: {
    type: "frame",
    optional: true,
    about:
      "Frame that it is seen from, in whose axes: of the robot, or of another body that drifts by itself, such as a target; the world if " +
      "not given.",
  },
  parts: {
    type: "choices",
    of: POSE_PARTS,
    default: POSE_PARTS,
    about: "Which parts of its pose: turns rx, ry, rz about, and ways x, y, z along the axes of the world or of relativeTo.",
  },
  priority: {
    type: "number",
    unit: "",
    least: 1,
    default: 1,
    about: "Tasks of priority 2 do what those of priority 1 leave, and so on.",
  },
  kp: { type: "number", unit: "1/s^2", least: 0, default: 0, about: "Gain of the error of pose." },
  kd: { type: "number", unit: "1/s", least: 0, default: 0, about: "Gain of the error of velocity." },
  moves: {
    type: "list",
    of: MOVE,
    default: [],
    about: "What it shall do from its pose at the start on; without moves it stays there.",
  },
  repeat: { type: "number", unit: "", least: 1, default: 1, about: "How often all moves are made." },
  meet: {
    type: "number",
    unit: "s",
    above: 0,
    optional: true,
    about: "Instead of moves: from its pose at the start to the pose of relativeTo, within this time, smoothly by a quintic.",
  },
  meetAt: {
    type: "vector",
    unit: "m",
    default: [0, 0, 0],
    about: "Where to meet, in the axes of relativeTo: a point before it, to wait there, or beyond, to touch it on the way.",
  },
  through: {
    type: "list",
    of: KNOT,
    default: [],
    about: "Instead of moves, poses to pass at times, relative to the pose at the start: a spline with continuous acceleration.",
  },
} as const satisfies Parameters;

type TaskValues = ParameterValues<typeof TASK>;

/** Tasks as a file has them. */
export const readTasks = (
  values: readonly (Omit<TaskValues, "through"> & Partial<Pick<TaskValues, "through">>)[],
  note: NoteProblem,
): Task[] => {
  if (values.length === 0) note("tasks", "must list at least one task");
  return values.map(({ moves: list, repeat, meet, meetAt, through: knots = [], ...task }, i) => {
    const noteTask: NoteProblem = (path, message, advice) => note(`tasks[${i}].${path}`, message, advice);
    if (meet !== undefined && list.length > 0) noteTask("meet", "stands in place of moves", "Leave out one of them");
    if (knots.length > 0 && (list.length > 0 || meet !== undefined))
      noteTask("through", "stands beside moves or meet", "Leave out one of them");
    if (knots.length > 0) return { ...task, reference: throughReference(knots, noteTask) };
    return { ...task, reference: meet === undefined ? movesReference(list, repeat, noteTask) : meetReference(meet, meetAt) };
  });
};

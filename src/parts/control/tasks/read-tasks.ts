/** Tasks as a file describes them: frame, parts of its pose, gains, priority and reference. */
import type { Parameters, ParameterValues } from "../../../declare/parameters.ts";
import type { NoteProblem } from "../../../sim/system/create-checked.ts";
import { KNOT, MOVE, meetReference, movesReference, type Reference, throughReference } from "./reference.ts";

/** Parts of a pose, and order of the rows of a task: rotations about, then displacements along the axes of the task. */
export const POSE_PARTS = ["rx", "ry", "rz", "x", "y", "z"] as const;
export type PosePart = (typeof POSE_PARTS)[number];

export interface Task {
  readonly frame: string;
  /** Reference frame: of the robot, or of a body that drifts freely; the world if not given. */
  readonly relativeTo?: string | undefined;
  readonly parts: readonly PosePart[];
  /** 1 is higher than 2: a task of lower priority uses the freedom that higher ones leave. */
  readonly priority: number;
  /** Gains of pose error (1/s²) and velocity error (1/s). */
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
      "Frame relative to which the task is given, and in whose axes: of the robot, or of another body that drifts freely, such as a " +
      "target; the world if not given.",
  },
  parts: {
    type: "choices",
    of: POSE_PARTS,
    default: POSE_PARTS,
    about:
      "Controlled parts of the pose: rotations rx, ry, rz about, and displacements x, y, z along the axes of the world or of relativeTo.",
  },
  priority: {
    type: "number",
    unit: "",
    least: 1,
    default: 1,
    about: "Tasks of priority 2 use the freedom that tasks of priority 1 leave, and so on.",
  },
  kp: { type: "number", unit: "1/s^2", least: 0, default: 0, about: "Gain of the pose error." },
  kd: { type: "number", unit: "1/s", least: 0, default: 0, about: "Gain of the velocity error." },
  moves: {
    type: "list",
    of: MOVE,
    default: [],
    about: "Moves of the frame from its pose at the start; without moves it stays there.",
  },
  repeat: { type: "number", unit: "", least: 1, default: 1, about: "Number of repetitions of all moves." },
  meet: {
    type: "number",
    unit: "s",
    above: 0,
    optional: true,
    about: "Instead of moves: time in which the frame moves from its pose at the start to that of relativeTo, along a quintic.",
  },
  meetAt: {
    type: "vector",
    unit: "m",
    default: [0, 0, 0],
    about: "Meeting point in the axes of relativeTo: in front of it to wait there, or beyond it to touch it on the way.",
  },
  through: {
    type: "list",
    of: KNOT,
    default: [],
    about: "Instead of moves: poses at given times, relative to the pose at the start, on a spline with continuous acceleration.",
  },
} as const satisfies Parameters;

type TaskValues = ParameterValues<typeof TASK>;

/** Tasks from the values of a file. */
export const readTasks = (
  values: readonly (Omit<TaskValues, "through"> & Partial<Pick<TaskValues, "through">>)[],
  note: NoteProblem,
): Task[] => {
  if (values.length === 0) note("tasks", "must list at least one task");
  return values.map(({ moves: list, repeat, meet, meetAt, through: knots = [], ...task }, i) => {
    const noteTask: NoteProblem = (path, message, advice) => note(`tasks[${i}].${path}`, message, advice);
    if (meet !== undefined && list.length > 0) noteTask("meet", "replaces moves", "Leave out one of them");
    if (knots.length > 0 && (list.length > 0 || meet !== undefined))
      noteTask("through", "replaces moves and meet", "Leave out the others");
    if (knots.length > 0) return { ...task, reference: throughReference(knots, noteTask) };
    return { ...task, reference: meet === undefined ? movesReference(list, repeat, noteTask) : meetReference(meet, meetAt) };
  });
};

/**
 * Tasks: what a hand, a point or the base of a free-flying robot shall do. A task is some of the six parts of a frame's pose, in world axes
 * or relative to another frame (in its axes), with a reference, gains and a priority. Several are stacked to one set of rows
 *
 *   ν = J φ̇ + drift,   ν̇ = J φ̈ + bias,   wanted: ν̇_ref = ν̇_d + k_d (ν_d - ν) + k_p e          (1)
 *
 * with e the rotation vector and the way from pose to reference.
 */
import { type FreeFlyer, freeFlyer } from "../dynamics/free-flyer.ts";
import type { FreeFlyingShape } from "../dynamics/programs.ts";
import { framesOfRobot, type Robot, robotOf } from "../dynamics/robot.ts";
import { vectorBetween } from "../math/rotation-vector.ts";
import { frameOf, type Model } from "../model/model.ts";
import type { Note } from "../sim/create-checked.ts";
import type { Parameters, Values } from "../sim/parameters.ts";
import { driftingFrames, PER_DRIFTING_FRAME } from "./drifting-frames.ts";
import { copyRow, framePose, relativeRows, type SeenFrames, type TaskRows } from "./frame-rows.ts";
import { KNOT, MOVE, meeting, moves, POSE, type Reference, SAMPLE, through } from "./reference.ts";

/** Parts of a pose, and the rows of a task, in this order: turns, then ways, each about and along the axes of the task. */
export const PARTS = ["rx", "ry", "rz", "x", "y", "z"] as const;
export type Part = (typeof PARTS)[number];

export interface Task {
  readonly frame: string;
  /** Frame that it is seen from, of the robot or of a body that drifts by itself; the world if not given. */
  readonly relativeTo?: string | undefined;
  readonly parts: readonly Part[];
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
    of: PARTS,
    default: PARTS,
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

type Read = Values<typeof TASK>;

/** Tasks as a file has them. */
export const readTasks = (values: readonly (Omit<Read, "through"> & Partial<Pick<Read, "through">>)[], note: Note): Task[] => {
  if (values.length === 0) note("tasks", "must list at least one task");
  return values.map(({ moves: list, repeat, meet, meetAt, through: knots = [], ...task }, i) => {
    const noteTask: Note = (path, message, advice) => note(`tasks[${i}].${path}`, message, advice);
    if (meet !== undefined && list.length > 0) noteTask("meet", "stands in place of moves", "Leave out one of them");
    if (knots.length > 0 && (list.length > 0 || meet !== undefined))
      noteTask("through", "stands beside moves or meet", "Leave out one of them");
    if (knots.length > 0) return { ...task, reference: through(knots, noteTask) };
    return { ...task, reference: meet === undefined ? moves(list, repeat, noteTask) : meeting(meet, meetAt) };
  });
};

/** All tasks of a robot at a state: the rows of (1), highest priority first. Matrices by rows; valid until the next evaluation. */
export interface TaskStack extends TaskRows {
  readonly robot: Robot<number>;
  /** The compiled robot: made when first asked for, so that a file with tasks is read quickly. */
  readonly flyer: FreeFlyer;
  /** Number of rows and of hinge speeds. */
  readonly m: number;
  readonly n: number;
  /** Name of each row: "hand.x", "left.rz from right". */
  readonly names: readonly string[];
  /** First row of each priority in turn, and m at the end. */
  readonly levels: readonly number[];
  readonly breaks: readonly number[];
  /** e, ν_d - ν, ν_d, and ν̇_ref of (1). */
  readonly error: Float64Array;
  readonly speedError: Float64Array;
  readonly speed: Float64Array;
  readonly wanted: Float64Array;
  /** Poses from which the references begin, 7 numbers a task: allocates. */
  start(q: Float64Array): Float64Array;
  /** Allocates nothing. */
  evaluate(t: number, q: Float64Array, u: Float64Array, start: Float64Array): void;
}

const NEEDED: readonly (keyof FreeFlyingShape)[] = ["Jstar", "drift", "bias", "pose", "velocity"];

export function taskStack(
  model: Model,
  given: readonly Task[],
  options: { readonly base?: string | undefined; readonly outputs?: readonly (keyof FreeFlyingShape)[] } = {},
): TaskStack {
  const tasks = [...given].sort((a, b) => a.priority - b.priority);
  const robot = robotOf(model, options.base);
  const base = robot.base.name;
  const isDrifting = (name: string): boolean => !robot.carries[frameOf(model, name).body];
  const from = tasks.flatMap((t) => (t.relativeTo === undefined ? [] : [t.relativeTo]));
  const drifting = [...new Set(from.filter(isDrifting))];
  const frames = [...new Set([base, ...tasks.map((t) => t.frame), ...from.filter((name) => !isDrifting(name))])];
  const outputs = [...new Set([...NEEDED, ...(options.outputs ?? [])])];
  framesOfRobot(model, robot, frames);
  const n = robot.speeds.length;
  let made: FreeFlyer | undefined;
  const compiled = (): FreeFlyer => {
    made ??= freeFlyer(model, { base, frames, outputs });
    return made;
  };
  let watched: Seen | undefined;
  const seen = (): Seen => {
    watched ??= seenFrames(model, compiled(), frames.length, drifting);
    return watched;
  };
  const placed = tasks.map((task) => ({
    ...task,
    rows: task.parts.map((part) => PARTS.indexOf(part)),
    at: frames.indexOf(task.frame),
    from: task.relativeTo === undefined ? -1 : [...frames, ...drifting].indexOf(task.relativeTo),
  }));
  const first = placed.map((_, i) => placed.slice(0, i).reduce((sum, { rows }) => sum + rows.length, 0));
  const m = placed.reduce((sum, { rows }) => sum + rows.length, 0);
  const rowsOf = (count: number): TaskRows => ({
    J: new Float64Array(count * n),
    drift: new Float64Array(count),
    bias: new Float64Array(count),
    velocity: new Float64Array(count),
  });
  const stacked = rowsOf(m);
  const six = rowsOf(6);
  const [pose, sample, way] = [new Float64Array(POSE), new Float64Array(SAMPLE), new Float64Array(6)];
  const [error, speedError, speed, wanted] = [0, 0, 0, 0].map(() => new Float64Array(m)) as [
    Float64Array,
    Float64Array,
    Float64Array,
    Float64Array,
  ];
  /** The pose of a task's frame into `pose`; returns rows among which are its six. */
  const see = ({ at, from }: (typeof placed)[number]): TaskRows => {
    const { values, rows } = seen();
    if (from < 0) framePose(values, at, pose);
    else relativeRows(values, n, at, from, pose, six);
    return from < 0 ? rows : six;
  };

  const evaluateTask = (k: number, t: number, start: Float64Array): void => {
    const task = placed[k]!;
    const rows = see(task);
    const begin = task.from < 0 ? 6 * task.at : 0;
    task.reference.at(t, starts(start, k), sample);
    poseError(pose, sample, way);
    for (let i = 0; i < task.rows.length; i++) {
      const part = task.rows[i]!;
      const row = first[k]! + i;
      copyRow(rows, n, begin + part, stacked, row);
      error[row] = way[part]!;
      speed[row] = sample[POSE + part]!;
      speedError[row] = speed[row]! - stacked.velocity[row]!;
      wanted[row] = sample[POSE + 6 + part]! + task.kd * speedError[row]! + task.kp * error[row]!;
    }
  };
  /** Views of the start poses are made once. */
  let begun: { readonly start: Float64Array; readonly views: readonly Float64Array[] } | undefined;
  const starts = (start: Float64Array, k: number): Float64Array => {
    if (begun?.start !== start) begun = { start, views: placed.map((_, i) => start.subarray(POSE * i, POSE * (i + 1))) };
    return begun.views[k]!;
  };

  return {
    ...stacked,
    robot,
    get flyer() {
      return compiled();
    },
    m,
    n,
    names: placed.flatMap(({ frame, relativeTo, parts }) =>
      parts.map((part) => `${frame}.${part}${relativeTo === undefined ? "" : ` from ${relativeTo}`}`),
    ),
    levels: [...placed.flatMap(({ priority }, i) => (placed[i - 1]?.priority === priority ? [] : [first[i]!])), m],
    breaks: [...new Set(placed.flatMap(({ reference }) => reference.breaks))].sort((a, b) => a - b),
    error,
    speedError,
    speed,
    wanted,
    start(q) {
      seen().evaluate(q, new Float64Array(model.nu));
      const start = new Float64Array(POSE * placed.length);
      for (const [k, task] of placed.entries()) {
        see(task);
        start.set(pose, POSE * k);
      }
      return start;
    },
    evaluate(t, q, u, start) {
      seen().evaluate(q, u);
      for (let k = 0; k < placed.length; k++) evaluateTask(k, t, start);
    },
  };
}

type Seen = Pick<FreeFlyer, "evaluate"> & { readonly values: SeenFrames; readonly rows: TaskRows };

/** Rows of all frames in turn, six each, in world axes. */
const rowsInWorld = ({ Jstar, drift, bias, velocity }: SeenFrames): TaskRows => ({ J: Jstar, drift, bias, velocity });

/** The motion of the robot's frames, and behind them of those that drift: no hinge of the robot moves these. */
function seenFrames(model: Model, flyer: FreeFlyer, own: number, drifting: readonly string[]): Seen {
  if (drifting.length === 0) return { values: flyer.values, rows: rowsInWorld(flyer.values), evaluate: flyer.evaluate };
  const kernel = driftingFrames(model, drifting);
  const all = own + drifting.length;
  const sizes = { pose: 12, Jstar: 6 * flyer.n, drift: 6, bias: 6, velocity: 6 } as const;
  const keys = Object.keys(sizes) as (keyof typeof sizes)[];
  const values = Object.fromEntries(keys.map((key) => [key, new Float64Array(sizes[key] * all)])) as Seen["values"];
  return {
    values,
    rows: rowsInWorld(values),
    evaluate(q, u) {
      flyer.evaluate(q, u);
      for (let k = 0; k < keys.length; k++) values[keys[k]!].set(flyer.values[keys[k]!]);
      kernel.x.set(q);
      kernel.x.set(u, model.nq);
      kernel.evaluate();
      for (let f = 0; f < drifting.length; f++) {
        const at = PER_DRIFTING_FRAME * f;
        for (let i = 0; i < 12; i++) values.pose[12 * (own + f) + i] = kernel.y[at + i]!;
        for (let i = 0; i < 6; i++) {
          values.velocity[6 * (own + f) + i] = values.drift[6 * (own + f) + i] = kernel.y[at + 12 + i]!;
          values.bias[6 * (own + f) + i] = kernel.y[at + 18 + i]!;
        }
      }
    },
  };
}

/** From a pose to another, in the axes that both are given in: rotation vector, then way. */
function poseError(pose: Float64Array, wanted: Float64Array, out: Float64Array): void {
  conjugate(pose, a);
  conjugate(wanted, b);
  vectorBetween(b, a, out); // of R_d Rᵀ
  for (let i = 0; i < 3; i++) out[3 + i] = wanted[4 + i]! - pose[4 + i]!;
}

const [a, b] = [new Float64Array(4), new Float64Array(4)];
function conjugate(q: Float64Array, out: Float64Array): void {
  out[0] = q[0]!;
  for (let i = 1; i < 4; i++) out[i] = -q[i]!;
}

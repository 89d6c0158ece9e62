/**
 * Tasks: what a hand, a point or the base of a free-flying robot shall do. A task is some of the six parts of a frame's pose, in world axes
 * or relative to another frame (in its axes), with a reference, gains and a priority. Several are stacked to one set of rows
 *
 *   ν = J φ̇ + drift,   ν̇ = J φ̈ + bias,   wanted: ν̇_ref = ν̇_d + k_d (ν_d - ν) + k_p e          (1)
 *
 * with e the rotation vector and the way from pose to reference.
 */
import { framesOfRobot, type Robot, robotOf } from "../../../dynamics/free-flying/robot.ts";
import { compile, type Kernel } from "../../../kernel/run/kernel.ts";
import { offsetsOf } from "../../../kernel/trace/program.ts";
import { quaternionFromMatrix, rotationVectorBetween } from "../../../math/elementary/rotation-vector.ts";
import { frameOf, type Model } from "../../../model/model.ts";
import { POSE_PARTS, type Task } from "./read-tasks.ts";
import { POSE_SAMPLE_SIZE, POSE_SIZE } from "./reference.ts";
import { type RobotQuantity, type TaskRowsShape, taskProgram } from "./task-rows.ts";

/** All tasks of a robot at a state: the rows of (1), highest priority first. Matrices by rows; valid until the next evaluation. */
export interface TaskStack {
  readonly robot: Robot<number>;
  /** Number of rows and of hinge speeds. */
  readonly m: number;
  readonly n: number;
  /** Name of each row: "hand.x", "left.rz from right". */
  readonly names: readonly string[];
  /** First row of each priority in turn, and m at the end. */
  readonly levels: readonly number[];
  readonly breaks: readonly number[];
  /**
   * ν̇ = J φ̈ + bias, and ν; and what else was asked for. They are the memory of a kernel, which is compiled when first asked for, so that a
   * file with tasks is read quickly: ask when a run starts.
   */
  readonly J: Float64Array;
  readonly bias: Float64Array;
  readonly velocity: Float64Array;
  /** ν - J φ̇: what momentum, and a target's own motion, do to the tasks. */
  readonly drift: Float64Array;
  readonly values: { readonly [K in RobotQuantity]: Float64Array };
  /** e, ν_d - ν, ν_d, and ν̇_ref of (1). */
  readonly poseError: Float64Array;
  readonly velocityError: Float64Array;
  readonly referenceVelocity: Float64Array;
  readonly referenceAcceleration: Float64Array;
  /** Poses from which the references begin, 7 numbers a task: allocates. */
  startPoses(q: Float64Array): Float64Array;
  /** Allocates nothing. */
  evaluate(t: number, q: Float64Array, u: Float64Array, start: Float64Array): void;
}

export function taskStack(
  model: Model,
  given: readonly Task[],
  options: { readonly base?: string | undefined; readonly outputs?: readonly RobotQuantity[] } = {},
): TaskStack {
  const robot = robotOf(model, options.base);
  const tasks = [...given].sort((a, b) => a.priority - b.priority);
  framesOfRobot(
    model,
    robot,
    tasks.map((t) => t.frame),
  );
  for (const { relativeTo } of tasks) if (relativeTo !== undefined) frameOf(model, relativeTo); // problems of names at once
  const n = robot.speeds.length;
  let row = 0;
  const placed = tasks.map((task, k) => {
    const rows = task.parts.map((part) => POSE_PARTS.indexOf(part));
    const first = row;
    row += rows.length;
    return { ...task, rows, first, pose: 12 * k, sample: new Float64Array(POSE_SAMPLE_SIZE) };
  });
  const m = row;
  let made: CompiledTasks | undefined;
  const compiled = (): CompiledTasks => {
    made ??= compileTasks(model, robot, placed, options.outputs ?? []);
    return made;
  };
  const [quaternion, way] = [new Float64Array(4), new Float64Array(6)];
  const [drift, error, speedError, speed, wanted] = Array.from({ length: 5 }, () => new Float64Array(m)) as [
    Float64Array,
    Float64Array,
    Float64Array,
    Float64Array,
    Float64Array,
  ];
  let isErrorKnown = true;

  const writeError = ({ rows, first, pose, sample }: (typeof placed)[number], poses: Float64Array): void => {
    quaternionFromMatrix(poses, pose, quaternion);
    rotationError(quaternion, sample, way);
    for (let i = 0; i < 3; i++) way[3 + i] = sample[4 + i]! - poses[pose + 9 + i]!;
    for (let i = 0; i < rows.length; i++) error[first + i] = way[rows[i]!]!;
  };

  const evaluateTask = (k: number, t: number, start: Float64Array, { pose, velocity }: CompiledTasks): void => {
    const task = placed[k]!;
    const { rows, first, sample, kp, kd } = task;
    task.reference.at(t, starts(start, k), sample);
    if (kp > 0) writeError(task, pose);
    for (let i = 0; i < rows.length; i++) {
      const at = first + i;
      const part = rows[i]!;
      speed[at] = sample[POSE_SIZE + part]!;
      speedError[at] = speed[at]! - velocity[at]!;
      wanted[at] = sample[POSE_SIZE + 6 + part]! + kd * speedError[at]!;
      if (kp > 0) wanted[at]! += kp * error[at]!;
    }
  };
  /** Views of the start poses are made once. */
  let begun: { readonly start: Float64Array; readonly views: readonly Float64Array[] } | undefined;
  const starts = (start: Float64Array, k: number): Float64Array => {
    if (begun?.start !== start)
      begun = { start, views: placed.map((_, i) => start.subarray(POSE_SIZE * i, POSE_SIZE * (i + 1))) };
    return begun.views[k]!;
  };

  return {
    robot,
    m,
    n,
    names: placed.flatMap(({ frame, relativeTo, parts }) =>
      parts.map((part) => `${frame}.${part}${relativeTo === undefined ? "" : ` from ${relativeTo}`}`),
    ),
    levels: [...placed.flatMap(({ priority, first }, i) => (placed[i - 1]?.priority === priority ? [] : [first])), m],
    breaks: [...new Set(placed.flatMap(({ reference }) => reference.breaks))].sort((a, b) => a - b),
    get J() {
      return compiled().J;
    },
    get drift() {
      const { J, velocity, rate } = compiled();
      for (let i = 0; i < m; i++) {
        drift[i] = velocity[i]!;
        for (let j = 0; j < n; j++) drift[i]! -= J[i * n + j]! * rate(j);
      }
      return drift;
    },
    get bias() {
      return compiled().bias;
    },
    get velocity() {
      return compiled().velocity;
    },
    get values() {
      return compiled();
    },
    get poseError() {
      if (!isErrorKnown) for (let k = 0; k < placed.length; k++) writeError(placed[k]!, compiled().pose);
      isErrorKnown = true;
      return error;
    },
    velocityError: speedError,
    referenceVelocity: speed,
    referenceAcceleration: wanted,
    startPoses(q) {
      const { evaluate, pose } = compiled();
      evaluate(q, new Float64Array(model.nu));
      const start = new Float64Array(POSE_SIZE * placed.length);
      for (const [k, task] of placed.entries()) {
        quaternionFromMatrix(pose, task.pose, quaternion);
        start.set(quaternion, POSE_SIZE * k);
        for (let i = 0; i < 3; i++) start[POSE_SIZE * k + 4 + i] = pose[task.pose + 9 + i]!;
      }
      return start;
    },
    evaluate(t, q, u, start) {
      const seen = compiled();
      seen.evaluate(q, u);
      isErrorKnown = false;
      for (let k = 0; k < placed.length; k++) evaluateTask(k, t, start, seen);
    },
  };
}

/** Views of a kernel's outputs. */
type CompiledTasks = { readonly [K in keyof TaskRowsShape]: Float64Array } & {
  /** An entry of φ̇, as last given. */
  rate(j: number): number;
  evaluate(q: Float64Array, u: Float64Array): void;
};

function compileTasks(
  model: Model,
  robot: Robot<number>,
  tasks: readonly { readonly frame: string; readonly relativeTo?: string | undefined; readonly rows: readonly number[] }[],
  outputs: readonly RobotQuantity[],
): CompiledTasks {
  const rows = tasks.map(({ frame, relativeTo, rows }) => ({ frame, relativeTo, rows }));
  const { program, q: qs, u: us } = taskProgram(model, robot.base.name, rows, outputs);
  const kernel: Kernel<{ readonly q: number; readonly u: number }, TaskRowsShape> = compile(program);
  const { x, y } = kernel; // memory of its own, which never grows
  const at = offsetsOf(kernel.outputs);
  const views = Object.entries(kernel.outputs).map(([key, size]) => {
    const from = at[key as keyof TaskRowsShape];
    return [key, y.subarray(from, from + size)];
  });
  const rates = robot.speeds.map((u) => qs.length + us.indexOf(u));
  return {
    ...(Object.fromEntries(views) as { readonly [K in keyof TaskRowsShape]: Float64Array }),
    rate: (j) => x[rates[j]!]!,
    evaluate(q, u) {
      for (let i = 0; i < qs.length; i++) x[i] = q[qs[i]!]!;
      for (let i = 0; i < us.length; i++) x[qs.length + i] = u[us[i]!]!;
      kernel.evaluate();
    },
  };
}

/** The rotation vector of R_d Rᵀ, of quaternions of R and R_d. */
function rotationError(q: Float64Array, wanted: Float64Array, out: Float64Array): void {
  conjugate(q, a);
  conjugate(wanted, b);
  rotationVectorBetween(b, a, out);
}

const [a, b] = [new Float64Array(4), new Float64Array(4)];
function conjugate(q: Float64Array, out: Float64Array): void {
  out[0] = q[0]!;
  for (let i = 1; i < 4; i++) out[i] = -q[i]!;
}

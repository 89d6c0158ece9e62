/**
 * Tasks of a hand, a point or the base of a free-flying robot. A task consists of some of the six parts of a frame's pose, in world axes or
 * relative to another frame (in its axes), with a reference, gains and a priority. Several tasks are stacked to one set of rows
 *
 *   ν = J φ̇ + drift,   ν̇ = J φ̈ + bias,   reference acceleration: ν̇_ref = ν̇_d + k_d (ν_d - ν) + k_p e          (1)
 *
 * with e the rotation vector and the displacement from the pose to its reference.
 */
import { checkList, checkMembers, checkOptions } from "../../../arguments.ts";
import { framesOfRobot, type Robot, robotOf } from "../../../dynamics/free-flying/robot.ts";
import { quaternionFromMatrix, rotationVectorBetween } from "../../../math/elementary/rotation-vector.ts";
import { checkModel, frameOf, type Model } from "../../../model/model.ts";
import { type CompiledTasks, compileTasks } from "./compiled-tasks.ts";
import { POSE_PARTS, type Task } from "./read-tasks.ts";
import { POSE_SAMPLE_SIZE, POSE_SIZE } from "./reference.ts";
import type { RobotQuantity } from "./task-rows.ts";

/** All tasks of a robot at a state: the rows of (1), highest priority first. Matrices by rows; valid until the next evaluation. */
export interface TaskStack {
  readonly robot: Robot<number>;
  /** Number of rows and of hinge speeds (or of the speeds of `columns`). */
  readonly m: number;
  readonly n: number;
  /** Name of each row: "hand.x", "left.rz from right". */
  readonly names: readonly string[];
  /** First row of each priority, and m at the end. */
  readonly levels: readonly number[];
  /** Times at which a reference acceleration jumps. */
  readonly breaks: readonly number[];
  /**
   * J, bias and velocity ν of (1), and the other requested quantities of the robot. They are views of a kernel's memory. The kernel is
   * compiled at the first access, so that files with tasks are read quickly: access them first when a run starts.
   */
  readonly J: Float64Array;
  readonly bias: Float64Array;
  readonly velocity: Float64Array;
  readonly values: { readonly [K in RobotQuantity]: Float64Array };
  /** ν - J φ̇: the effect of momentum, and of a target's own motion, on the tasks. */
  readonly drift: Float64Array;
  /** e, ν_d - ν, ν_d, and ν̇_ref of (1). */
  readonly poseError: Float64Array;
  readonly velocityError: Float64Array;
  readonly referenceVelocity: Float64Array;
  readonly referenceAcceleration: Float64Array;
  /** Number of numbers in the start poses: 7 per task. */
  readonly startSize: number;
  /** Poses from which the references begin. Allocates. */
  startPoses(q: Float64Array): Float64Array;
  /** Evaluates all rows at a state. Allocates nothing. */
  evaluate(t: number, q: Float64Array, u: Float64Array, start: Float64Array): void;
}

export interface TaskStackOptions {
  /** Floating body that is the robot's base; the first one if not given. */
  readonly base?: string | undefined;
  /** Quantities of the robot to compute besides the rows. */
  readonly outputs?: readonly RobotQuantity[];
  /**
   * Columns of J: the hinge speeds φ̇ of a robot that drifts freely (default), or all speeds u of the model, ν̇ = J u̇ + bias, without outputs;
   * n is their number.
   */
  readonly columns?: "hinges" | "speeds";
}

/** @throws ModelError for unknown frames */
export function taskStack(model: Model, tasks: readonly Task[], options: TaskStackOptions = {}): TaskStack {
  checkModel(model);
  checkList("tasks", tasks, "tasks");
  for (const [i, task] of tasks.entries())
    checkMembers(
      `tasks[${i}]`,
      task,
      ["frame", "parts", "priority", "reference"],
      "a task with frame, parts, priority and reference",
    );
  checkOptions("options", options, ["base", "outputs", "columns"]);
  return new RobotTaskStack(model, tasks, options);
}

/** A task with its rows of the six, its first row in the stack, the offset of its pose in the kernel, its start pose and reference sample. */
interface StackedTask extends Task {
  readonly rows: readonly number[];
  readonly first: number;
  readonly pose: number;
  readonly start: Float64Array;
  readonly sample: Float64Array;
}

function stackTasks(tasks: readonly Task[]): readonly StackedTask[] {
  let row = 0;
  return [...tasks]
    .sort((a, b) => a.priority - b.priority)
    .map((task, k) => {
      const rows = task.parts.map((part) => POSE_PARTS.indexOf(part));
      const first = row;
      row += rows.length;
      const [start, sample] = [new Float64Array(POSE_SIZE), new Float64Array(POSE_SAMPLE_SIZE)];
      return { ...task, rows, first, pose: 12 * k, start, sample };
    });
}

const rowNames = ({ frame, relativeTo, parts }: Task): string[] =>
  parts.map((part) => `${frame}.${part}${relativeTo === undefined ? "" : ` from ${relativeTo}`}`);

class RobotTaskStack implements TaskStack {
  readonly robot: Robot<number>;
  readonly m: number;
  readonly n: number;
  readonly names: readonly string[];
  readonly levels: readonly number[];
  readonly breaks: readonly number[];
  readonly startSize: number;
  readonly velocityError: Float64Array;
  readonly referenceVelocity: Float64Array;
  readonly referenceAcceleration: Float64Array;
  readonly #model: Model;
  readonly #tasks: readonly StackedTask[];
  readonly #outputs: readonly RobotQuantity[];
  readonly #columns: "hinges" | "speeds";
  #compiled: CompiledTasks | undefined;
  readonly #drift: Float64Array;
  readonly #poseError: Float64Array;
  /** True if the pose errors of all tasks have been computed since the last evaluation. */
  #isPoseErrorKnown = true;
  readonly #quaternion = new Float64Array(4);
  readonly #difference = new Float64Array(6);

  constructor(model: Model, given: readonly Task[], { base, outputs = [], columns = "hinges" }: TaskStackOptions) {
    const robot = robotOf(model, base);
    const tasks = stackTasks(given);
    framesOfRobot(
      model,
      robot,
      tasks.map((t) => t.frame),
    );
    for (const { relativeTo } of tasks) if (relativeTo !== undefined) frameOf(model, relativeTo); // throws for an unknown name
    const m = tasks.reduce((sum, { rows }) => sum + rows.length, 0);
    const vector = (): Float64Array => new Float64Array(m);
    this.robot = robot;
    this.m = m;
    this.n = columns === "hinges" ? robot.speeds.length : model.nu;
    this.names = tasks.flatMap(rowNames);
    this.levels = [...tasks.flatMap(({ priority, first }, i) => (tasks[i - 1]?.priority === priority ? [] : [first])), m];
    this.breaks = [...new Set(tasks.flatMap(({ reference }) => reference.breaks))].sort((a, b) => a - b);
    this.startSize = POSE_SIZE * tasks.length;
    this.velocityError = vector();
    this.referenceVelocity = vector();
    this.referenceAcceleration = vector();
    this.#model = model;
    this.#tasks = tasks;
    this.#outputs = outputs;
    this.#columns = columns;
    this.#drift = vector();
    this.#poseError = vector();
  }

  get J(): Float64Array {
    return this.#kernel().J;
  }
  get bias(): Float64Array {
    return this.#kernel().bias;
  }
  get velocity(): Float64Array {
    return this.#kernel().velocity;
  }
  get values(): TaskStack["values"] {
    return this.#kernel();
  }

  get drift(): Float64Array {
    const { J, velocity, rate } = this.#kernel();
    const { m, n } = this;
    const drift = this.#drift;
    for (let i = 0; i < m; i++) {
      drift[i] = velocity[i]!;
      for (let j = 0; j < n; j++) drift[i]! -= J[i * n + j]! * rate(j);
    }
    return drift;
  }

  get poseError(): Float64Array {
    if (!this.#isPoseErrorKnown) {
      const { pose } = this.#kernel();
      for (let k = 0; k < this.#tasks.length; k++) this.#writePoseError(this.#tasks[k]!, pose);
    }
    this.#isPoseErrorKnown = true;
    return this.#poseError;
  }

  startPoses(q: Float64Array): Float64Array {
    const { evaluate, pose } = this.#kernel();
    evaluate(q, new Float64Array(this.#model.nu));
    const start = new Float64Array(this.startSize);
    for (const [k, task] of this.#tasks.entries()) {
      quaternionFromMatrix(pose, task.pose, this.#quaternion);
      start.set(this.#quaternion, POSE_SIZE * k);
      for (let i = 0; i < 3; i++) start[POSE_SIZE * k + 4 + i] = pose[task.pose + 9 + i]!;
    }
    return start;
  }

  evaluate(t: number, q: Float64Array, u: Float64Array, start: Float64Array): void {
    const kernel = this.#kernel();
    kernel.evaluate(q, u);
    this.#isPoseErrorKnown = false;
    for (let k = 0; k < this.#tasks.length; k++) this.#evaluateTask(k, t, start, kernel);
  }

  /** The kernel, compiled at the first call. */
  #kernel(): CompiledTasks {
    this.#compiled ??= compileTasks(this.#model, this.robot, this.#tasks, this.#columns, this.#outputs);
    return this.#compiled;
  }

  /** The rows of task k in ν_d, ν_d - ν and ν̇_ref. */
  #evaluateTask(k: number, t: number, starts: Float64Array, { pose, velocity }: CompiledTasks): void {
    const task = this.#tasks[k]!;
    const { rows, first, start, sample, kp, kd } = task;
    const { referenceVelocity, velocityError, referenceAcceleration } = this;
    const poseError = this.#poseError;
    for (let i = 0; i < POSE_SIZE; i++) start[i] = starts[POSE_SIZE * k + i]!;
    task.reference.at(t, start, sample);
    if (kp > 0) this.#writePoseError(task, pose);
    for (let i = 0; i < rows.length; i++) {
      const row = first + i;
      const part = rows[i]!;
      referenceVelocity[row] = sample[POSE_SIZE + part]!;
      velocityError[row] = referenceVelocity[row]! - velocity[row]!;
      referenceAcceleration[row] = sample[POSE_SIZE + 6 + part]! + kd * velocityError[row]!;
      if (kp > 0) referenceAcceleration[row]! += kp * poseError[row]!;
    }
  }

  /** The rows of a task in e: rotation vector and displacement from its pose to the reference. */
  #writePoseError({ rows, first, pose, sample }: StackedTask, poses: Float64Array): void {
    const difference = this.#difference;
    quaternionFromMatrix(poses, pose, this.#quaternion);
    rotationError(this.#quaternion, sample, difference);
    for (let i = 0; i < 3; i++) difference[3 + i] = sample[4 + i]! - poses[pose + 9 + i]!;
    for (let i = 0; i < rows.length; i++) this.#poseError[first + i] = difference[rows[i]!]!;
  }
}

/** The rotation vector of R_d Rᵀ, from the quaternions of R and R_d. */
function rotationError(q: Float64Array, reference: Float64Array, out: Float64Array): void {
  conjugate(q, qConjugate);
  conjugate(reference, referenceConjugate);
  rotationVectorBetween(referenceConjugate, qConjugate, out);
}

const [qConjugate, referenceConjugate] = [new Float64Array(4), new Float64Array(4)];
function conjugate(q: Float64Array, out: Float64Array): void {
  out[0] = q[0]!;
  for (let i = 1; i < 4; i++) out[i] = -q[i]!;
}

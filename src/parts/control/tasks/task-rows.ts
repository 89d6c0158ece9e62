/**
 * Tasks as rows over hinge speeds: ν, and ν̇ = J φ̈ + bias, with the pose of each task, as one program of the robot and of the bodies to
 * which its tasks are relative. Other bodies of the model are not part of it, so equal robots have the same code. For robots that hold on
 * to something, the rows are over all speeds of the model: ν̇ = J u̇ + bias.
 */
import { freeFlyingQuantities } from "../../../dynamics/free-flying/free-flying.ts";
import { framesOfRobot, robotOf } from "../../../dynamics/free-flying/robot.ts";
import type { FreeFlyingShape } from "../../../dynamics/programs.ts";
import { accelerations } from "../../../dynamics/tree/forward-dynamics.ts";
import { frameBias, frameJacobian, framePose, placementsOfLinks } from "../../../dynamics/tree/kinematics.ts";
import { linkTreeOf } from "../../../dynamics/tree/link-tree.ts";
import { cachedPerOwner, contentKey } from "../../../kernel/run/program-cache.ts";
import { type Program, trace } from "../../../kernel/trace/program.ts";
import { add, mul, type Scalar, sum } from "../../../kernel/trace/scalar.ts";
import { frameOf, homeOf, type Model } from "../../../model/model.ts";
import { apply, compose, type Mat3, transpose } from "../../../spatial/rotation.ts";
import { cross, minus, plus, scale, type Vec3, ZERO3 } from "../../../spatial/vec3.ts";

/** Rows of a frame's six, angular then linear, in axes of `relativeTo` or of the world. */
export interface FrameRows {
  readonly frame: string;
  readonly relativeTo?: string | undefined;
  readonly rows: readonly number[];
}

/** Quantities of the robot that do not depend on frames. */
export type RobotQuantity = Exclude<keyof FreeFlyingShape, "Js" | "Jm" | "Jstar" | "drift" | "bias" | "pose" | "velocity">;

/** J m × n, bias and velocity m, pose (R by rows and position) 12 for each task; then the requested quantities of the robot. */
export type TaskRowsShape = { readonly [K in "J" | "bias" | "velocity" | "pose" | RobotQuantity]: number };

export interface TaskProgram {
  /** Its inputs q and u are the coordinates and speeds of the model with the indices below. */
  readonly program: Program<{ readonly q: number; readonly u: number }, TaskRowsShape>;
  readonly q: readonly number[];
  readonly u: readonly number[];
}

export const taskProgram = (
  model: Model,
  base: string,
  tasks: readonly FrameRows[],
  quantities: readonly RobotQuantity[],
): TaskProgram =>
  cachedPerOwner(model, contentKey(["tasks", base, tasks, quantities]), () => traceTaskProgram(model, base, tasks, quantities));

/** The same rows over all speeds u of the model, with J m × nu. */
export const taskProgramOverSpeeds = (model: Model, tasks: readonly FrameRows[]): TaskProgram =>
  cachedPerOwner(model, contentKey(["tasks over speeds", tasks]), () => {
    const { nq, nu } = model;
    const program = trace(`${model.name} tasks over speeds`, { q: nq, u: nu }, ({ q, u }) =>
      taskOutputs(tasks, frameMotionsOverSpeeds(model, namesOf(tasks), q, u)),
    );
    const count = (size: number): number[] => Array.from({ length: size }, (_, i) => i);
    return { program: program as TaskProgram["program"], q: count(nq), u: count(nu) };
  });

const namesOf = (tasks: readonly FrameRows[]): string[] => [
  ...new Set(tasks.flatMap((t) => [t.frame, ...(t.relativeTo === undefined ? [] : [t.relativeTo])])),
];

function traceTaskProgram(
  model: Model,
  base: string,
  tasks: readonly FrameRows[],
  quantities: readonly RobotQuantity[],
): TaskProgram {
  const robot = robotOf(model, base);
  const isOnRobot = (name: string): boolean => robot.carries[frameOf(model, name).body] === true;
  const names = namesOf(tasks);
  const robotFrames = names.filter(isOnRobot);
  const bodies = bodiesOfTrees(model, [base, ...names]);
  const indicesOf = (key: "q" | "u"): number[] =>
    bodies.flatMap(({ hinge }) => Array.from({ length: key === "q" ? hinge.nq : hinge.nu }, (_, i) => hinge[key] + i));
  const indices = { q: indicesOf("q"), u: indicesOf("u") };
  const program = trace(`${model.name} tasks`, { q: indices.q.length, u: indices.u.length }, (inputs) => {
    const [q, u]: [Scalar[], Scalar[]] = [[...homeOf(model)], new Array<Scalar>(model.nu).fill(0)];
    for (const [i, index] of indices.q.entries()) q[index] = inputs.q[i]!;
    for (const [i, index] of indices.u.entries()) u[index] = inputs.u[i]!;
    const quantitiesOfRobot = freeFlyingQuantities(model, robot, framesOfRobot(model, robot, robotFrames), q, u, () => []);
    const n = robot.speeds.length;
    const motions = new Map([
      ...robotFrameMotions(quantitiesOfRobot, robotFrames, n),
      ...driftingFrameMotions(
        model,
        names.filter((f) => !isOnRobot(f)),
        n,
        q,
        u,
      ),
    ]);
    return {
      ...taskOutputs(tasks, motions),
      ...(Object.fromEntries(quantities.map((key) => [key, quantitiesOfRobot[key]()])) as Record<RobotQuantity, Scalar[]>),
    };
  });
  return { program, ...indices };
}

/** Rows and poses of tasks from the motions of their frames. */
function taskOutputs(tasks: readonly FrameRows[], motions: ReadonlyMap<string, TaskFrameMotion>) {
  const taskMotions = tasks.map(({ frame, relativeTo }) =>
    relativeTo === undefined ? motions.get(frame)! : relativeFrameMotion(motions.get(frame)!, motions.get(relativeTo)!),
  );
  const rowsOf = (twistsOf: (motion: TaskFrameMotion) => readonly TaskTwist[]): Scalar[] =>
    tasks.flatMap(({ rows }, k) => rows.flatMap((row) => twistsOf(taskMotions[k]!).map((twist) => twist.flat()[row]!)));
  return {
    J: rowsOf(({ J }) => J),
    bias: rowsOf(({ bias }) => [bias]),
    velocity: rowsOf(({ velocity }) => [velocity]),
    pose: taskMotions.flatMap(({ R, p }) => [...R.flat(), ...p]),
  };
}

/** Bodies of the trees that contain one of the frames. */
function bodiesOfTrees(model: Model, names: readonly string[]): Model["bodies"] {
  const roots: number[] = [];
  for (const { index, parent } of model.bodies) roots[index] = parent < 0 ? index : roots[parent]!;
  const usedRoots = new Set(names.map((name) => roots[frameOf(model, name).body]));
  return model.bodies.filter(({ index }) => usedRoots.has(roots[index]));
}

/** Angular and linear part. */
type TaskTwist = readonly [Vec3, Vec3];

/** Pose and motion of a frame. J by columns. */
interface TaskFrameMotion {
  readonly R: Mat3;
  readonly p: Vec3;
  readonly J: readonly TaskTwist[];
  readonly bias: TaskTwist;
  readonly velocity: TaskTwist;
}

/** Six entries that begin at `first`, with a distance of `stride`. */
function twistAt(values: readonly Scalar[], first: number, stride = 1): TaskTwist {
  const [a, b, c, d, e, f] = Array.from({ length: 6 }, (_, i) => values[first + i * stride]!) as [
    Scalar,
    Scalar,
    Scalar,
    Scalar,
    Scalar,
    Scalar,
  ];
  return [
    [a, b, c],
    [d, e, f],
  ];
}

function robotFrameMotions(
  quantities: ReturnType<typeof freeFlyingQuantities>,
  names: readonly string[],
  n: number,
): [string, TaskFrameMotion][] {
  const [J, bias, velocity, pose] = (["Jstar", "bias", "velocity", "pose"] as const).map((key) => quantities[key]());
  return names.map((name, f) => {
    const [x, y, z, p] = [0, 3, 6, 9].map((i) => pose!.slice(12 * f + i, 12 * f + i + 3) as unknown as Vec3);
    return [
      name,
      {
        R: [x!, y!, z!],
        p: p!,
        J: Array.from({ length: n }, (_, j) => twistAt(J!, 6 * n * f + j, n)),
        bias: twistAt(bias!, 6 * f),
        velocity: twistAt(velocity!, 6 * f),
      },
    ];
  });
}

/** Motions of frames of any body, with J over all speeds and bias for u̇ = 0. */
function frameMotionsOverSpeeds(
  model: Model,
  names: readonly string[],
  q: readonly Scalar[],
  u: readonly Scalar[],
): ReadonlyMap<string, TaskFrameMotion> {
  const tree = linkTreeOf(model);
  const placements = placementsOfLinks(tree, q);
  return new Map(
    names.map((name) => {
      const frame = frameOf(model, name);
      const J = frameJacobian(tree, placements, frame);
      const velocity = J.map((row) => rowTimes(row, u));
      const columns = u.map((_, j) =>
        twistAt(
          J.map((row) => row[j]!),
          0,
        ),
      );
      return [
        name,
        {
          ...framePose(tree, placements, frame),
          J: columns,
          bias: twistAt(frameBias(tree, placements, q, u, frame), 0),
          velocity: twistAt(velocity, 0),
        },
      ];
    }),
  );
}

const rowTimes = (row: readonly Scalar[], v: readonly Scalar[]): Scalar => sum(row.map((value, j) => mul(value, v[j]!)));

/** Motions of frames that are not on the robot: on a target that drifts freely, under uniform gravity at most. */
function driftingFrameMotions(
  model: Model,
  names: readonly string[],
  n: number,
  q: readonly Scalar[],
  u: readonly Scalar[],
): [string, TaskFrameMotion][] {
  if (names.length === 0) return [];
  const tree = linkTreeOf(model);
  const placements = placementsOfLinks(tree, q);
  const udot = accelerations(model, [], q, u, new Array<Scalar>(model.nu).fill(0), []);
  return names.map((name) => {
    const frame = frameOf(model, name);
    const J = frameJacobian(tree, placements, frame);
    const biasAtZero = frameBias(tree, placements, q, u, frame);
    const velocity = twistAt(
      J.map((row) => rowTimes(row, u)),
      0,
    );
    const bias = twistAt(
      J.map((row, i) => add(rowTimes(row, udot), biasAtZero[i]!)),
      0,
    );
    const zeroJacobian = new Array<TaskTwist>(n).fill([ZERO3, ZERO3]); // hinges of the robot do not move it
    return [name, { ...framePose(tree, placements, frame), J: zeroJacobian, bias, velocity }];
  });
}

/**
 * Motion of frame B relative to frame A, in axes of A. With d = p_B - p_A and w = ω_B - ω_A, v = v_B - v_A - ω_A × d, all rotated by R_Aᵀ:
 *
 *   ẇ = α_B - α_A - ω_A × w
 *   v̇ = a_B - a_A - α_A × d - ω_A × (ω_A × d) - 2 ω_A × v
 */
function relativeFrameMotion(B: TaskFrameMotion, A: TaskFrameMotion): TaskFrameMotion {
  const R_AW = transpose(A.R);
  const d = minus(B.p, A.p);
  const difference = (b: TaskTwist, a: TaskTwist): TaskTwist => [minus(b[0], a[0]), minus(minus(b[1], a[1]), cross(a[0], d))];
  const toA = ([w, v]: TaskTwist): TaskTwist => [apply(R_AW, w), apply(R_AW, v)];
  const omega = A.velocity[0];
  const [w, v] = difference(B.velocity, A.velocity);
  const [alpha, a] = difference(B.bias, A.bias);
  return {
    R: compose(R_AW, B.R),
    p: apply(R_AW, d),
    J: B.J.map((column, j) => toA(difference(column, A.J[j]!))),
    bias: toA([minus(alpha, cross(omega, w)), minus(a, cross(omega, plus(cross(omega, d), scale(2, v))))]),
    velocity: toA([w, v]),
  };
}

/**
 * Tasks as rows over hinge speeds: ν, and ν̇ = J φ̈ + bias, with the pose of each task, as one program of the robot and of what its tasks
 * are seen from. Other bodies of the model are no part of it, so robots that are alike have the same code.
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

/** Rows of a frame's six, angular then linear, in axes of `relativeTo`, or of the world. */
export interface FrameRows {
  readonly frame: string;
  readonly relativeTo?: string | undefined;
  readonly rows: readonly number[];
}

/** Quantities of the robot that have nothing to do with frames. */
export type RobotQuantity = Exclude<keyof FreeFlyingShape, "Js" | "Jm" | "Jstar" | "drift" | "bias" | "pose" | "velocity">;

/** J m × n, bias and velocity m, pose (R by rows and position) 12 for each task in turn; then what else is asked for. */
export type TaskRowsShape = { readonly [K in "J" | "bias" | "velocity" | "pose" | RobotQuantity]: number };

export interface TaskProgram {
  /** Inputs q and u: of these places among those of the model. */
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

function traceTaskProgram(
  model: Model,
  base: string,
  tasks: readonly FrameRows[],
  quantities: readonly RobotQuantity[],
): TaskProgram {
  const robot = robotOf(model, base);
  const isOwn = (name: string): boolean => robot.carries[frameOf(model, name).body] === true;
  const names = [...new Set(tasks.flatMap((t) => [t.frame, ...(t.relativeTo === undefined ? [] : [t.relativeTo])]))];
  const own = names.filter(isOwn);
  const watched = bodiesOfTrees(model, [base, ...names]);
  const placesOf = (at: "q" | "u"): number[] =>
    watched.flatMap(({ hinge }) => Array.from({ length: at === "q" ? hinge.nq : hinge.nu }, (_, i) => hinge[at] + i));
  const places = { q: placesOf("q"), u: placesOf("u") };
  const program = trace(`${model.name} tasks`, { q: places.q.length, u: places.u.length }, (given) => {
    const [q, u]: [Scalar[], Scalar[]] = [[...homeOf(model)], new Array<Scalar>(model.nu).fill(0)];
    for (const [i, at] of places.q.entries()) q[at] = given.q[i]!;
    for (const [i, at] of places.u.entries()) u[at] = given.u[i]!;
    const all = freeFlyingQuantities(model, robot, framesOfRobot(model, robot, own), q, u, () => []);
    const n = robot.speeds.length;
    const motions = new Map([
      ...robotFrameMotions(all, own, n),
      ...driftingFrameMotions(
        model,
        names.filter((f) => !isOwn(f)),
        n,
        q,
        u,
      ),
    ]);
    const seen = tasks.map(({ frame, relativeTo }) =>
      relativeTo === undefined ? motions.get(frame)! : relativeFrameMotion(motions.get(frame)!, motions.get(relativeTo)!),
    );
    const rowsOf = (twistsOf: (motion: TaskFrameMotion) => readonly TaskTwist[]): Scalar[] =>
      tasks.flatMap(({ rows }, k) => rows.flatMap((row) => twistsOf(seen[k]!).map((twist) => twist.flat()[row]!)));
    return {
      J: rowsOf(({ J }) => J),
      bias: rowsOf(({ bias }) => [bias]),
      velocity: rowsOf(({ velocity }) => [velocity]),
      pose: seen.flatMap(({ R, p }) => [...R.flat(), ...p]),
      ...(Object.fromEntries(quantities.map((key) => [key, all[key]()])) as Record<RobotQuantity, Scalar[]>),
    };
  });
  return { program, ...places };
}

/** Bodies of the trees that have one of the frames in them. */
function bodiesOfTrees(model: Model, names: readonly string[]): Model["bodies"] {
  const roots: number[] = [];
  for (const { index, parent } of model.bodies) roots[index] = parent < 0 ? index : roots[parent]!;
  const watched = new Set(names.map((name) => roots[frameOf(model, name).body]));
  return model.bodies.filter(({ index }) => watched.has(roots[index]));
}

/** Angular, then linear. */
type TaskTwist = readonly [Vec3, Vec3];

/** A frame, where it is and how it moves. J by columns. */
interface TaskFrameMotion {
  readonly R: Mat3;
  readonly p: Vec3;
  readonly J: readonly TaskTwist[];
  readonly bias: TaskTwist;
  readonly velocity: TaskTwist;
}

/** Six entries from a place on, so far apart. */
function twistAt(values: readonly Scalar[], at: number, apart = 1): TaskTwist {
  const [a, b, c, d, e, f] = Array.from({ length: 6 }, (_, i) => values[at + i * apart]!) as [
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

/** Frames that the robot does not carry: of a target that drifts with nothing but its own motion and uniform gravity. */
function driftingFrameMotions(
  model: Model,
  names: readonly string[],
  n: number,
  q: readonly Scalar[],
  u: readonly Scalar[],
): [string, TaskFrameMotion][] {
  if (names.length === 0) return [];
  const machine = linkTreeOf(model);
  const placed = placementsOfLinks(machine, q);
  const udot = accelerations(model, [], q, u, new Array<Scalar>(model.nu).fill(0), []);
  const times = (row: readonly Scalar[], v: readonly Scalar[]): Scalar => sum(row.map((value, j) => mul(value, v[j]!)));
  return names.map((name) => {
    const frame = frameOf(model, name);
    const J = frameJacobian(machine, placed, frame);
    const rest = frameBias(machine, placed, q, u, frame);
    const velocity = twistAt(
      J.map((row) => times(row, u)),
      0,
    );
    const bias = twistAt(
      J.map((row, i) => add(times(row, udot), rest[i]!)),
      0,
    );
    const unmoved = new Array<TaskTwist>(n).fill([ZERO3, ZERO3]); // by hinges of the robot
    return [name, { ...framePose(machine, placed, frame), J: unmoved, bias, velocity }];
  });
}

/**
 * Frame B seen from frame A, in axes of A. With d = p_B - p_A and w = ω_B - ω_A, v = v_B - v_A - ω_A × d, all turned by R_Aᵀ:
 *
 *   ẇ = α_B - α_A - ω_A × w
 *   v̇ = a_B - a_A - α_A × d - ω_A × (ω_A × d) - 2 ω_A × v
 */
function relativeFrameMotion(B: TaskFrameMotion, A: TaskFrameMotion): TaskFrameMotion {
  const back = transpose(A.R);
  const d = minus(B.p, A.p);
  const beyond = (b: TaskTwist, a: TaskTwist): TaskTwist => [minus(b[0], a[0]), minus(minus(b[1], a[1]), cross(a[0], d))];
  const turned = ([w, v]: TaskTwist): TaskTwist => [apply(back, w), apply(back, v)];
  const omega = A.velocity[0];
  const [w, v] = beyond(B.velocity, A.velocity);
  const [alpha, a] = beyond(B.bias, A.bias);
  return {
    R: compose(back, B.R),
    p: apply(back, d),
    J: B.J.map((column, j) => turned(beyond(column, A.J[j]!))),
    bias: turned([minus(alpha, cross(omega, w)), minus(a, cross(omega, plus(cross(omega, d), scale(2, v))))]),
    velocity: turned([w, v]),
  };
}

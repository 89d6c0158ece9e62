/** Velocity and acceleration of a frame as rows over hinge speeds: in world axes, or seen from another frame. */
import type { FreeFlyingShape } from "../dynamics/programs.ts";
import { quaternionOfMatrix } from "../math/rotation-vector.ts";

/** ν = J φ̇ + drift, ν̇ = J φ̈ + bias, and ν itself: of six rows for a frame, angular then linear. */
export interface TaskRows {
  /** By rows. */
  readonly J: Float64Array;
  readonly drift: Float64Array;
  readonly bias: Float64Array;
  readonly velocity: Float64Array;
}

/** What is known of the frames, in the order of their numbers. */
export type SeenFrames = {
  readonly [K in "pose" | "Jstar" | "drift" | "bias" | ("velocity" & keyof FreeFlyingShape)]: Float64Array;
};

/** The pose of frame number `at` in world axes: quaternion, position. */
export function framePose(seen: SeenFrames, at: number, pose: Float64Array): void {
  quaternionOfMatrix(seen.pose, 12 * at, pose);
  for (let i = 0; i < 3; i++) pose[4 + i] = seen.pose[12 * at + 9 + i]!;
}

/** Row number `from` of some rows, as row number `to` of others. */
export function copyRow(rows: TaskRows, n: number, from: number, out: TaskRows, to: number): void {
  const [J, given] = [out.J, rows.J];
  for (let j = 0; j < n; j++) J[to * n + j] = given[from * n + j]!;
  out.drift[to] = rows.drift[from]!;
  out.bias[to] = rows.bias[from]!;
  out.velocity[to] = rows.velocity[from]!;
}

/**
 * Frame B seen from frame A, in axes of A. With d = p_B - p_A and w = ω_B - ω_A, v = v_B - v_A - ω_A × d, all turned by R_Aᵀ:
 *
 *   ẇ = α_B - α_A - ω_A × w
 *   v̇ = a_B - a_A - α_A × d - ω_A × (ω_A × d) - 2 ω_A × v
 */
export function relativeRows(seen: SeenFrames, n: number, at: number, from: number, pose: Float64Array, out: TaskRows): void {
  const [A, B] = [12 * from, 12 * at];
  const P = seen.pose;
  for (let i = 0; i < 3; i++) {
    d[i] = P[B + 9 + i]! - P[A + 9 + i]!;
    for (let j = 0; j < 3; j++)
      R[3 * i + j] = P[A + i]! * P[B + j]! + P[A + 3 + i]! * P[B + 3 + j]! + P[A + 6 + i]! * P[B + 6 + j]!;
  }
  quaternionOfMatrix(R, 0, pose);
  turnBack(P, A, d, 0, pose, 4, 1);
  for (let j = 0; j < n; j++) relativeTwist(seen.Jstar, n, j, at, from, P, out.J);
  relativeTwist(seen.drift, 1, 0, at, from, P, out.drift);
  relativeTwist(seen.bias, 1, 0, at, from, P, out.bias); // α and a in the places of ω and v
  const V = seen.velocity;
  relativeTwist(V, 1, 0, at, from, P, out.velocity); // leaves w and v in `twist`, world axes
  const [x, y, z] = [V[6 * from]!, V[6 * from + 1]!, V[6 * from + 2]!];
  cross(x, y, z, twist[0]!, twist[1]!, twist[2]!, more, 0); // ω_A × w
  cross(x, y, z, d[0]!, d[1]!, d[2]!, more, 3);
  for (let i = 0; i < 3; i++) e[i] = more[3 + i]! + 2 * twist[3 + i]!;
  cross(x, y, z, e[0]!, e[1]!, e[2]!, more, 3); // ω_A × (ω_A × d + 2 v)
  turnBack(P, A, more, 0, e, 0, 1);
  for (let i = 0; i < 3; i++) out.bias[i]! -= e[i]!;
  turnBack(P, A, more, 3, e, 0, 1);
  for (let i = 0; i < 3; i++) out.bias[3 + i]! -= e[i]!;
}

const [R, d, e, twist, more] = [9, 3, 3, 6, 6].map((size) => new Float64Array(size)) as [
  Float64Array,
  Float64Array,
  Float64Array,
  Float64Array,
  Float64Array,
];

/** Column j of stacked twists (of that stride), B less what A carries along: b_ω - a_ω, b_v - a_v - a_ω × d; turned into `out`. */
function relativeTwist(
  twists: Float64Array,
  stride: number,
  j: number,
  at: number,
  from: number,
  P: Float64Array,
  out: Float64Array,
): void {
  const [b, a] = [6 * at * stride + j, 6 * from * stride + j];
  for (let i = 0; i < 6; i++) twist[i] = twists[b + i * stride]! - twists[a + i * stride]!;
  cross(twists[a]!, twists[a + stride]!, twists[a + 2 * stride]!, d[0]!, d[1]!, d[2]!, e, 0);
  for (let i = 0; i < 3; i++) twist[3 + i]! -= e[i]!;
  turnBack(P, 12 * from, twist, 0, out, j, stride);
  turnBack(P, 12 * from, twist, 3, out, j + 3 * stride, stride);
}

/** out = R_Aᵀ v, with that step between its entries. */
function turnBack(P: Float64Array, A: number, v: Float64Array, vAt: number, out: Float64Array, at: number, step: number): void {
  const [x, y, z] = [v[vAt]!, v[vAt + 1]!, v[vAt + 2]!];
  for (let i = 0; i < 3; i++) out[at + i * step] = P[A + i]! * x + P[A + 3 + i]! * y + P[A + 6 + i]! * z;
}

function cross(ax: number, ay: number, az: number, bx: number, by: number, bz: number, out: Float64Array, at: number): void {
  out[at] = ay * bz - az * by;
  out[at + 1] = az * bx - ax * bz;
  out[at + 2] = ax * by - ay * bx;
}

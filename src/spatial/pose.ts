/**
 * Poses as chains of elementary steps. X_PB transforms quantities of frame B to frame P. Its steps run from P to B: turns about one axis,
 * shifts of the origin, rarely a full rotation matrix. Quantities are transformed one step at a time, so the zeros of real machines
 * survive, and a turn about one axis costs a quarter of a full rotation.
 */
import { FrameError } from "../errors.ts";
import { cos, type Scalar, sin } from "../kernel/trace/scalar.ts";
import { apply, compose, IDENTITY, type Mat3, transpose } from "./rotation.ts";
import { negate, plus, turnVector, type Vec3, ZERO3 } from "./vec3.ts";

export type AxisIndex = 0 | 1 | 2;

export type PoseStep =
  | { readonly kind: "turn"; readonly axis: AxisIndex; readonly c: Scalar; readonly s: Scalar }
  | { readonly kind: "shift"; readonly p: Vec3 }
  | { readonly kind: "rotate"; readonly R: Mat3 };

/** A quantity that can be transformed by the steps of a pose, from inner to outer frame. */
export interface PoseTransformable<T> {
  /** Components in the outer frame if the inner frame is turned about an axis by the angle with cosine c and sine s. */
  turned(axis: AxisIndex, c: Scalar, s: Scalar): T;
  /** Components in the outer frame if the origin of the inner frame is at p, in outer axes. */
  shifted(p: Vec3): T;
  /** Components in the outer frame if R maps components of the inner to the outer frame. */
  rotated(R: Mat3): T;
}

/** @throws FrameError if the frames differ */
export function requireSameFrame(a: string, b: string, operation: string): void {
  if (a !== b) throw new FrameError(`${operation}: one operand is in frame "${a}", the other in frame "${b}"`);
}

export const turnStep = (axis: AxisIndex, angle: Scalar): PoseStep => ({ kind: "turn", axis, c: cos(angle), s: sin(angle) });
export const shiftStep = (p: Vec3): PoseStep => ({ kind: "shift", p });
export const rotateStep = (R: Mat3): PoseStep => ({ kind: "rotate", R });

const isIdentityStep = (step: PoseStep): boolean =>
  step.kind === "turn"
    ? step.c === 1 && step.s === 0
    : step.kind === "shift"
      ? step.p.every((x) => x === 0)
      : step.R === IDENTITY;

const inverseStep = (step: PoseStep): PoseStep =>
  step.kind === "turn"
    ? { ...step, s: negateScalar(step.s) }
    : step.kind === "shift"
      ? shiftStep(negate(step.p))
      : rotateStep(transpose(step.R));

const negateScalar = (s: Scalar): Scalar => negate([s, 0, 0])[0];

function applyStep<T extends PoseTransformable<T>>(quantity: T, step: PoseStep): T {
  switch (step.kind) {
    case "turn":
      return quantity.turned(step.axis, step.c, step.s);
    case "shift":
      return quantity.shifted(step.p);
    case "rotate":
      return quantity.rotated(step.R);
  }
}

export class Pose {
  readonly steps: readonly PoseStep[];

  constructor(
    /** The outer frame, P of X_PB. */
    readonly outer: string,
    /** The inner frame, B of X_PB. */
    readonly inner: string,
    steps: readonly PoseStep[],
  ) {
    this.steps = steps.filter((s) => !isIdentityStep(s));
  }

  /** Transforms a quantity of the inner frame to the outer frame. */
  outward<T extends PoseTransformable<T>>(quantity: T): T {
    return this.steps.reduceRight<T>(applyStep, quantity);
  }

  /** Transforms a quantity of the outer frame to the inner frame. */
  inward<T extends PoseTransformable<T>>(quantity: T): T {
    return this.steps.reduce<T>((q, step) => applyStep(q, inverseStep(step)), quantity);
  }

  /** X_PB X_BC = X_PC. */
  times(next: Pose): Pose {
    requireSameFrame(this.inner, next.outer, "product of poses");
    return new Pose(this.outer, next.inner, [...this.steps, ...next.steps]);
  }

  /** Axes of the inner frame and vector to its origin, in a frame in which the outer axes are R. */
  behind(R: Mat3): { readonly R: Mat3; readonly p: Vec3 } {
    let axes = R;
    let p: Vec3 = ZERO3;
    for (const step of this.steps)
      if (step.kind === "shift") p = plus(p, apply(axes, step.p));
      else axes = step.kind === "rotate" ? compose(axes, step.R) : turnColumns(axes, step);
    return { R: axes, p };
  }

  /** R_PB */
  get R(): Mat3 {
    return this.#placement().R;
  }

  /** Position of the origin of B, in P axes. */
  get p(): Vec3 {
    return this.#placement().p;
  }

  #placement(): { R: Mat3; p: Vec3 } {
    let R: Mat3 = IDENTITY;
    let p: Vec3 = ZERO3;
    for (const step of [...this.steps].reverse()) {
      if (step.kind === "shift") p = plus(p, step.p);
      else {
        const T = step.kind === "rotate" ? step.R : turnMatrix(step.axis, step.c, step.s);
        R = compose(T, R);
        p = apply(T, p);
      }
    }
    return { R, p };
  }
}

/** R T with the matrix T of a turn. */
const turnColumns = (R: Mat3, { axis, c, s }: PoseStep & { readonly kind: "turn" }): Mat3 =>
  R.map((row) => turnVector(row, axis, c, negateScalar(s))) as unknown as Mat3;

function turnMatrix(axis: AxisIndex, c: Scalar, s: Scalar): Mat3 {
  const rows: Scalar[][] = [
    [0, 0, 0],
    [0, 0, 0],
    [0, 0, 0],
  ];
  const i = ((axis + 1) % 3) as AxisIndex;
  const j = ((axis + 2) % 3) as AxisIndex;
  rows[axis]![axis] = 1;
  rows[i]![i] = c;
  rows[j]![j] = c;
  rows[i]![j] = negateScalar(s);
  rows[j]![i] = s;
  return rows as unknown as Mat3;
}

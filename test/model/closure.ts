/** How well loops are closed and what their rows do, for the tests, by nothing but the poses and partial velocities of elements. */
import type { Element } from "../../src/model/hinge.ts";
import { type Attachment, type Loop, prescribed } from "../../src/model/loop.ts";
import type { Model, Placement } from "../../src/model/model.ts";
import { apply, compose, IDENTITY, transpose } from "../../src/spatial/rotation.ts";
import { cross, dot, minus, opposite, plus, type Vec3, ZERO3 } from "../../src/spatial/vec3.ts";

type V3 = Vec3<number>;
export interface Twist {
  readonly angular: V3;
  readonly linear: V3;
}

export const AT_HOME: Placement = { R: IDENTITY, p: ZERO3 };

/** X_AC = X_AB X_BC */
export const on = (X: Placement, Y: Placement): Placement =>
  ({ R: compose(X.R, Y.R), p: plus(X.p, apply(X.R, Y.p)) }) as Placement;

export const inverse = ({ R, p }: Placement): Placement =>
  ({ R: transpose(R), p: opposite(apply(transpose(R), p)) }) as Placement;

/** X_FM of a chain of elements. */
export const poseOf = (elements: readonly Element[], q: readonly number[]): Placement => posesAlong(elements, q).at(-1)!;

/** F, then the frame after each element, in F. */
function posesAlong(elements: readonly Element[], q: readonly number[]): Placement[] {
  const poses = [AT_HOME];
  let at = 0;
  for (const e of elements) {
    poses.push(on(poses.at(-1)!, e.pose(q.slice(at, at + e.nq)) as Placement));
    at += e.nq;
  }
  return poses;
}

/** What a unit of each speed of a chain does to M: angular velocity in F and velocity of M's origin in F, in F axes. */
export function freeDirections(elements: readonly Element[], q: readonly number[]): Twist[] {
  const poses = posesAlong(elements, q);
  return elements.flatMap((e, i) => {
    const { R } = poses[i]!;
    const toEnd = minus(poses.at(-1)!.p, poses[i + 1]!.p);
    return e.partials.map((partial) => {
      const angular = apply(R, partial.angular) as V3;
      return { angular, linear: plus(apply(R, partial.linear), cross(angular, toEnd)) as V3 };
    });
  });
}

/** X_WB of every body. */
export function posesOf(model: Model, q: ArrayLike<number>): Placement[] {
  const poses: Placement[] = [];
  for (const { parent, hinge } of model.bodies) {
    const own = Array.from(q).slice(hinge.q, hinge.q + hinge.nq);
    const X_WF = on(poses[parent] ?? AT_HOME, hinge.onParent);
    poses.push(on(on(X_WF, poseOf(hinge.elements, own)), inverse(hinge.onBody)));
  }
  return poses;
}

/** X_WF of the frame of a loop. */
const frameOf = ({ body, placement }: Attachment, poses: readonly Placement[]): Placement =>
  on(poses[body] ?? AT_HOME, placement);

/** How far every row of every loop is from zero, at time 0. */
export function residuals(model: Model, q: ArrayLike<number>): number[] {
  const poses = posesOf(model, q);
  return model.loops.flatMap((loop) => residualsOf(loop, q, poses));
}

function residualsOf(loop: Loop, q: ArrayLike<number>, poses: readonly Placement[]): number[] {
  if (loop.type === "coordinates")
    return [loop.terms.reduce((sum, term) => sum + term.factor * q[term.q]!, 0) - (prescribed(loop.motion, 0) as number)];
  const { R, p } = on(inverse(frameOf(loop.from, poses)), frameOf(loop.to, poses));
  return loop.rows.map((row) => row.value(R, p) as number);
}

/** The rates of all rows for a unit of each speed, a column for each: rows of numbers. */
export function jacobian(model: Model, q: ArrayLike<number>): number[][] {
  const poses = posesOf(model, q);
  const motions = motionsOf(model, q, poses);
  return model.loops.flatMap((loop) => {
    if (loop.type === "coordinates") {
      const row = new Array<number>(model.nu).fill(0);
      for (const { u, factor } of loop.terms) row[u] = factor;
      return [row];
    }
    const [F, M] = [frameOf(loop.from, poses), frameOf(loop.to, poses)];
    const { R, p } = on(inverse(F), M);
    const toF = transpose(F.R);
    return loop.rows.map((row) => {
      const { torque, force } = row.wrench(R, p);
      return Array.from({ length: model.nu }, (_, k) => {
        const [w_F, v_F] = motions(loop.from.body, k, M.p); // of the point of F's body that is at M's origin
        const [w_M, v_M] = motions(loop.to.body, k, M.p);
        return (dot(torque, apply(toF, minus(w_M, w_F))) as number) + (dot(force, apply(toF, minus(v_M, v_F))) as number);
      });
    });
  });
}

/** Angular velocity of a body and velocity of a point of it, in world axes, for a unit of one speed. */
function motionsOf(
  model: Model,
  q: ArrayLike<number>,
  poses: readonly Placement[],
): (body: number, u: number, at: V3) => [V3, V3] {
  const twists: { readonly on: number; readonly angular: V3; readonly linear: V3; readonly at: V3 }[] = [];
  for (const { index, parent, hinge } of model.bodies) {
    const own = Array.from(q).slice(hinge.q, hinge.q + hinge.nq);
    const X_WF = on(poses[parent] ?? AT_HOME, hinge.onParent);
    const at = on(X_WF, poseOf(hinge.elements, own)).p;
    for (const { angular, linear } of freeDirections(hinge.elements, own))
      twists.push({ on: index, angular: apply(X_WF.R, angular) as V3, linear: apply(X_WF.R, linear) as V3, at });
  }
  const carries = (carrier: number, body: number): boolean => {
    let at = body;
    while (at > carrier) at = model.bodies[at]!.parent;
    return at === carrier;
  };
  return (body, u, at) => {
    const twist = twists[u]!;
    if (body < 0 || !carries(twist.on, body)) return [ZERO3, ZERO3];
    return [twist.angular, plus(twist.linear, cross(twist.angular, minus(at, twist.at))) as V3];
  };
}

/** How much of each row is left, as a part of its size, when what the rows before it span is taken out: 0 if it depends on them. */
export function independence(rows: readonly (readonly number[])[]): number[] {
  const basis: number[][] = [];
  const inner = (a: readonly number[], b: readonly number[]): number => a.reduce((sum, v, i) => sum + v * b[i]!, 0);
  return rows.map((row) => {
    let rest = [...row];
    for (let pass = 0; pass < 2; pass++)
      for (const b of basis) {
        const k = inner(rest, b);
        rest = rest.map((v, i) => v - k * b[i]!);
      }
    const [size, left] = [Math.hypot(...row), Math.hypot(...rest)];
    if (left > 1e-9 * size) basis.push(rest.map((v) => v / left));
    return size === 0 ? 0 : left / size;
  });
}

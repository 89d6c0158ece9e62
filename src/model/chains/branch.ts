/** The branch of a loop for closed forms: axes and points with all coordinates zero, in axes of the root. */

import type { Axis } from "../../spatial/axis.ts";
import type { Placement } from "../../spatial/placement.ts";
import { apply, compose, IDENTITY, type Mat3, transpose } from "../../spatial/rotation.ts";
import type { NumericVec3 } from "../../spatial/vec3.ts";
import { plus, scale } from "../../spatial/vec3.ts";
import { snappedAxis } from "../build/hinge-draft.ts";
import type { Attachment, FrameLoop } from "../loop.ts";
import type { Body, Model } from "../model.ts";

/** One motion: a turn about an axis through a point, or a slide along it. */
export interface ChainJoint {
  /** Name of its hinge. */
  readonly name: string;
  readonly turns: boolean;
  readonly axis: NumericVec3;
  readonly point: NumericVec3;
  /** Index in the coordinates of the model. */
  readonly q: number;
}

export interface Branch {
  readonly joints: readonly ChainJoint[];
  /** The closing frame on the branch. */
  readonly end: Placement;
  /** Which of the loop's frames it is. */
  readonly carries: "F" | "M";
  /** The axis of the loop if all turns of the loop are parallel to it: then the loop moves in a plane. */
  readonly normal: NumericVec3 | undefined;
}

type Tree = Pick<Model, "bodies">;

/** Last body that carries both bodies, or one of them; -1 is the world. Parents have smaller numbers. */
export function commonBody({ bodies }: Tree, a: number, b: number): number {
  let [i, j] = [a, b];
  while (i !== j) {
    if (i > j) i = bodies[i]!.parent;
    else j = bodies[j]!.parent;
  }
  return i;
}

/** Bodies from the root to a body; the root is excluded. */
export function pathTo({ bodies }: Tree, root: number, body: number): readonly Body[] {
  const path: Body[] = [];
  for (let i = body; i !== root; i = bodies[i]!.parent) path.unshift(bodies[i]!);
  return path;
}

/** The branch to one of a loop's ends; undefined if a hinge has other motions than single turns and slides. */
export function branchOf(model: Tree, loop: FrameLoop, carries: Branch["carries"]): Branch | undefined {
  const [end, otherEnd] = carries === "M" ? [loop.to, loop.from] : [loop.from, loop.to];
  const root = commonBody(model, end.body, otherEnd.body);
  const path = pathJoints(model, root, end);
  return path && { ...path, carries, normal: planeNormal(model, root, loop) };
}

function pathJoints(model: Tree, root: number, { body, placement }: Attachment): Pick<Branch, "joints" | "end"> | undefined {
  let X: Placement = { R: IDENTITY, p: [0, 0, 0] };
  const joints: ChainJoint[] = [];
  for (const { hinge } of pathTo(model, root, body)) {
    X = composePlacements(X, hinge.onParent);
    for (const [k, { screw }] of hinge.elements.entries()) {
      if (!screw || (screw.turn !== 0 && screw.slide !== 0)) return undefined;
      const axis = apply(X.R, scale(screw.turn || screw.slide, screw.axis)) as NumericVec3;
      joints.push({ name: hinge.name, turns: screw.turn !== 0, axis, point: X.p, q: hinge.q + k });
    }
    const toBody = transpose(hinge.onBody.R) as Mat3<number>;
    X = composePlacements(X, { R: toBody, p: scale(-1, apply(toBody, hinge.onBody.p)) as NumericVec3 });
  }
  return { joints, end: composePlacements(X, placement) };
}

/** Axes count as parallel if their cosine differs from 1 by less than this. */
const PARALLEL = 1e-12;

function planeNormal(model: Tree, root: number, loop: FrameLoop): NumericVec3 | undefined {
  const [F, M] = [pathJoints(model, root, loop.from), pathJoints(model, root, loop.to)];
  const { axis } = loop.parameters as { axis?: Axis };
  if (!F || !M) return undefined;
  const normal = apply(F.end.R, snappedAxis(axis ?? "z")) as NumericVec3;
  const isParallel = (a: NumericVec3): boolean =>
    Math.abs(Math.abs(a[0] * normal[0] + a[1] * normal[1] + a[2] * normal[2]) - 1) < PARALLEL;
  return [...F.joints, ...M.joints].every((j) => !j.turns || isParallel(j.axis)) ? normal : undefined;
}

const composePlacements = (A: Placement, B: Placement): Placement => ({
  R: compose(A.R, B.R) as Mat3<number>,
  p: plus(A.p, apply(A.R, B.p)) as NumericVec3,
});

/**
 * A model in which the payload of a weld is part of the tree: for example a target in the hand of a robot, for controllers that need its
 * inertia.
 */

import { didYouMean } from "../../declare/names.ts";
import { ModelError } from "../../errors.ts";
import { apply, compose, type Mat3, transpose } from "../../spatial/rotation.ts";
import { minus, plus, type Vec3 } from "../../spatial/vec3.ts";
import type { LoopDescription } from "../description.ts";
import type { FrameLoop } from "../loop.ts";
import { coordinateNames, type Model } from "../model.ts";
import { createModel } from "./create-model.ts";
import { describeModel } from "./describe-model.ts";
import { describePlacement } from "./placement.ts";

export interface WeldedModel {
  readonly model: Model;
  /** For each coordinate and speed of this model, its index in the original model. */
  readonly q: readonly number[];
  readonly u: readonly number[];
}

/** The weld of this name, between a body of the robot and a floating body. @throws ModelError if there is no such weld. */
export function findWeld(model: Model, name: unknown, path: string): FrameLoop {
  const loops = [...model.loops, ...model.openLoops];
  const loop = loops.find((l) => l.name === name);
  const fail = (message: string, advice: string): never => {
    throw new ModelError(model.name, [{ path, message, value: JSON.stringify(name) ?? "undefined", advice }]);
  };
  if (!loop) {
    const known = loops.map((l) => l.name);
    return fail("no loop has this name", known.length > 0 ? didYouMean(name, known) : "The model has no loops");
  }
  if (loop.type !== "frames" || loop.kind !== "fixed") return fail("is not a weld", "Name a loop of the kind fixed");
  const payload = model.bodies[loop.to.body];
  if (!payload || payload.parent >= 0 || payload.hinge.nu !== 6)
    return fail("does not hold a floating body", "The frame `to` of the loop must be on a body with a free hinge to the world");
  for (let b = loop.from.body; b >= 0; b = model.bodies[b]!.parent)
    if (b === loop.to.body) return fail("joins two bodies of one tree", "It must join the robot to another body");
  if (loop.from.body < 0) return fail("holds the body to the world", "The frame `from` of the loop must be on the robot");
  return loop;
}

/** The model with the weld's payload fixed to the body of F, at the pose (R, p) of M in F. The other loops stay. */
export function weldPayload(model: Model, weld: FrameLoop, R: Mat3<number>, p: Vec3<number>): WeldedModel {
  const { placement: F } = weld.from;
  const { placement: M } = weld.to;
  // X_PB = X_PF X_FM X_BM⁻¹
  const R_PB = compose(compose(F.R, R), transpose(M.R)) as Mat3<number>;
  const p_PB = minus(plus(F.p, apply(F.R, p)), apply(R_PB, M.p)) as Vec3<number>;
  const { loops = [], ...description } = describeModel(model);
  const payload = model.bodies[weld.to.body]!;
  const bodies = description.bodies.map((body) =>
    body.name === payload.name
      ? {
          ...body,
          parent: model.bodies[weld.from.body]!.name,
          hinge: { name: payload.hinge.name, kind: "fixed" as const, ...describePlacement({ R: R_PB, p: p_PB }) },
        }
      : body,
  );
  // Which coordinates depend on others is another question in the welded model, and no law asks it.
  const others = loops.filter(({ name }) => name !== weld.name).map(({ dependent: _, ...loop }) => loop as LoopDescription);
  const welded = createModel({ ...description, bodies, ...(others.length > 0 && { loops: others }) });
  const [weldedNames, originalNames] = [coordinateNames(welded), coordinateNames(model)];
  return {
    model: welded,
    q: weldedNames.q.map((name) => originalNames.q.indexOf(name)),
    u: weldedNames.u.map((name) => originalNames.u.indexOf(name)),
  };
}

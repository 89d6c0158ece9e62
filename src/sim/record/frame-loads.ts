/** Wrenches that loops exert and that bodies carry, from the reactions and multipliers of a formulation. */

import { checkVector } from "../../arguments.ts";
import { bodyPoses } from "../../dynamics/programs.ts";
import { compile } from "../../kernel/run/kernel.ts";
import { type Attachment, totalRowCount } from "../../model/loop.ts";
import { checkModel, type Model } from "../../model/model.ts";
import { apply, type Mat3 } from "../../spatial/rotation.ts";
import type { NumericVec3 } from "../../spatial/vec3.ts";
import { cross, minus, plus } from "../../spatial/vec3.ts";
import { loopWrenches } from "../events/engagement.ts";

/** Torque and force in world axes. */
export interface Load {
  readonly torque: NumericVec3;
  readonly force: NumericVec3;
}

/** Wrench of each loop between frames on M's body at M's origin, from the multipliers of a formulation. */
export function loopLoads(model: Model, q: Float64Array, lambda: Float64Array): ReadonlyMap<string, Load> {
  checkModel(model);
  checkVector("q", q, model.nq, "the coordinates of the model");
  checkVector("lambda", lambda, totalRowCount(model.loops), "the multipliers of its loops");
  return new Map(
    loopWrenches(model, [...q], [...lambda]).flatMap(({ loop, wrench }) =>
      wrench
        ? [
            [
              loop,
              { torque: wrench.slice(0, 3) as unknown as NumericVec3, force: wrench.slice(3) as unknown as NumericVec3 },
            ] as const,
          ]
        : [],
    ),
  );
}

/** For the world and every body that carries hinges or loops: the sum of the wrenches of these on it, about its origin. */
export function carriedLoads(
  model: Model,
  q: Float64Array,
  reactions: Float64Array,
  lambda: Float64Array,
): ReadonlyMap<string, Load> {
  checkModel(model);
  checkVector("q", q, model.nq, "the coordinates of the model");
  checkVector("reactions", reactions, 6 * model.bodies.length, "6 for each body");
  const kernel = compile(bodyPoses(model));
  kernel.x.set(q);
  kernel.evaluate();
  const poseOf = (body: number): { R: Mat3<number>; p: NumericVec3 } | undefined => {
    if (body < 0) return undefined;
    const y = kernel.y.subarray(12 * body, 12 * body + 12);
    return { R: [0, 3, 6].map((k) => [...y.subarray(k, k + 3)]) as unknown as Mat3<number>, p: [y[9]!, y[10]!, y[11]!] };
  };
  const worldPosition = (body: number, position: NumericVec3): NumericVec3 => {
    const pose = poseOf(body);
    return pose ? (plus(pose.p, apply(pose.R, position)) as NumericVec3) : position;
  };
  const sums = new Map<number, { torque: NumericVec3; force: NumericVec3 }>();
  const addLoad = (body: number, sign: 1 | -1, { torque, force }: Load, position: NumericVec3): void => {
    const sum = sums.get(body) ?? { torque: [0, 0, 0], force: [0, 0, 0] };
    const arm = minus(position, poseOf(body)?.p ?? [0, 0, 0]);
    const moment = plus(torque, cross(arm, force)) as NumericVec3;
    const add = (a: NumericVec3, b: NumericVec3): NumericVec3 => [a[0] + sign * b[0], a[1] + sign * b[1], a[2] + sign * b[2]];
    sums.set(body, { torque: add(sum.torque, moment), force: add(sum.force, force) });
  };
  for (const { index, parent, hinge } of model.bodies) {
    const [tx, ty, tz, fx, fy, fz] = reactions.slice(6 * index, 6 * index + 6);
    addLoad(parent, -1, { torque: [tx!, ty!, tz!], force: [fx!, fy!, fz!] }, worldPosition(index, hinge.onBody.p as NumericVec3));
  }
  const loads = loopLoads(model, q, lambda);
  for (const loop of model.loops) {
    const load = loads.get(loop.name);
    if (loop.type !== "frames" || !load) continue;
    const position = worldPosition(loop.to.body, (loop.to as Attachment).placement.p as NumericVec3);
    addLoad(loop.to.body, 1, load, position);
    addLoad(loop.from.body, -1, load, position);
  }
  return new Map([...sums].sort(([a], [b]) => a - b).map(([body, load]) => [model.bodies[body]?.name ?? "world", load]));
}

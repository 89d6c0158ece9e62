/**
 * A controller of a robot that holds something: it computes with the model in which what a weld holds hangs on the hand, at the pose in
 * which it is found when the controller is switched on. So the inertia and the momentum of a captured target are known to the law.
 */
import { relativeMotion } from "../../../dynamics/loops/rows/constraint-rows.ts";
import { linkTreeOf } from "../../../dynamics/tree/link-tree.ts";
import { findWeld, type WeldedModel, weldPayload } from "../../../model/build/weld-payload.ts";
import type { Model } from "../../../model/model.ts";
import type { Controller } from "../../../sim/run/controller.ts";
import type { Snapshot } from "../../../sim/system/force-element.ts";
import { IDENTITY, type Mat3 } from "../../../spatial/rotation.ts";
import type { Vec3 } from "../../../spatial/vec3.ts";

interface WithPayloadMemory {
  readonly inner: Controller;
  readonly held: WeldedModel;
  readonly snapshot: { t: number } & Omit<Snapshot, "t">;
  memory: unknown;
}

/** The controller that `create` makes for the model with what the loop holds. @throws ModelError */
export function withPayload(
  model: Model,
  loop: unknown,
  path: string,
  create: (model: Model) => Controller,
): Controller<WithPayloadMemory> {
  const weld = findWeld(model, loop, path);
  const nominal = create(weldPayload(model, weld, IDENTITY, [0, 0, 0]).model); // checks, and tells what it commands
  const { start: _, update: __, report, ...facts } = nominal;
  const see = ({ held, snapshot }: WithPayloadMemory, s: Snapshot): Snapshot => {
    snapshot.t = s.t;
    for (let i = 0; i < held.q.length; i++) snapshot.q[i] = s.q[held.q[i]!]!;
    for (let i = 0; i < held.u.length; i++) snapshot.u[i] = s.u[held.u[i]!]!;
    return snapshot;
  };
  return {
    ...facts,
    start(_model, s) {
      const { R, p } = relativeMotion(linkTreeOf(model), weld, [...s.q], [...s.u]);
      const held = weldPayload(model, weld, R as Mat3<number>, p as Vec3<number>);
      const { nq, nu } = held.model;
      const snapshot = { ...s, model: held.model, q: new Float64Array(nq), u: new Float64Array(nu) };
      const begun: WithPayloadMemory = { inner: create(held.model), held, snapshot, memory: undefined };
      begun.memory = begun.inner.start(held.model, see(begun, s));
      return begun;
    },
    update(s, memory, command) {
      memory.memory = memory.inner.update(see(memory, s), memory.memory, command);
      return memory;
    },
    ...(report && { report: (memory: WithPayloadMemory, out: Float64Array) => memory.inner.report?.(memory.memory, out) }),
  };
}

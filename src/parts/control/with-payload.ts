/**
 * A controller of a robot that holds a payload. It uses the model in which the payload of a weld is attached to the hand, at the relative
 * pose when the controller is switched on. So the law includes the inertia and the momentum of a captured target.
 */
import { relativeMotion } from "../../dynamics/loops/rows/constraint-rows.ts";
import { linkTreeOf } from "../../dynamics/tree/link-tree.ts";
import { findWeld, type WeldedModel, weldPayload } from "../../model/build/weld-payload.ts";
import type { Model } from "../../model/model.ts";
import type { Controller } from "../../sim/run/controller.ts";
import type { Snapshot } from "../../sim/system/force-element.ts";
import { IDENTITY, type Mat3 } from "../../spatial/rotation.ts";
import type { Vec3 } from "../../spatial/vec3.ts";

interface WithPayloadMemory {
  /** The controller for the model with payload, and its memory. */
  readonly inner: Controller;
  innerMemory: unknown;
  readonly welded: WeldedModel;
  /** State of the model with payload. */
  readonly snapshot: { t: number } & Omit<Snapshot, "t">;
}

/** The controller that `create` makes for the model with the payload of the loop welded on. @throws ModelError */
export function withPayload(
  model: Model,
  loop: unknown,
  path: string,
  create: (model: Model) => Controller,
): Controller<WithPayloadMemory> {
  const weld = findWeld(model, loop, path);
  const nominal = create(weldPayload(model, weld, IDENTITY, [0, 0, 0]).model); // for its checks, commands and channels
  const { start: _, update: __, report, ...facts } = nominal;
  const mapState = ({ welded, snapshot }: WithPayloadMemory, s: Snapshot): Snapshot => {
    snapshot.t = s.t;
    for (let i = 0; i < welded.q.length; i++) snapshot.q[i] = s.q[welded.q[i]!]!;
    for (let i = 0; i < welded.u.length; i++) snapshot.u[i] = s.u[welded.u[i]!]!;
    return snapshot;
  };
  return {
    ...facts,
    start(_model, s) {
      const { R, p } = relativeMotion(linkTreeOf(model), weld, [...s.q], [...s.u]);
      const welded = weldPayload(model, weld, R as Mat3<number>, p as Vec3<number>);
      const { nq, nu } = welded.model;
      const snapshot = { ...s, model: welded.model, q: new Float64Array(nq), u: new Float64Array(nu) };
      const memory: WithPayloadMemory = { inner: create(welded.model), welded, snapshot, innerMemory: undefined };
      memory.innerMemory = memory.inner.start(welded.model, mapState(memory, s));
      return memory;
    },
    update(s, memory, command) {
      memory.innerMemory = memory.inner.update(mapState(memory, s), memory.innerMemory, command);
      return memory;
    },
    ...(report && { report: (memory: WithPayloadMemory, out: Float64Array) => memory.inner.report?.(memory.innerMemory, out) }),
  };
}

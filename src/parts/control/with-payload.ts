/**
 * A controller of a robot that holds a payload. It uses the model in which the payload of a weld is attached to the hand, at the relative
 * pose when the controller is switched on. So the law includes the inertia and the momentum of a captured target.
 */

import { relativeMotion } from "../../dynamics/loops/rows/constraint-rows.ts";
import { linkTreeOf } from "../../dynamics/tree/link-tree.ts";
import { findWeld, type WeldedModel, weldPayload } from "../../model/build/weld-payload.ts";
import type { Model } from "../../model/model.ts";
import { checkSavedFinite, savedArray, savedEntries } from "../../saved-data.ts";
import { type Controller, decodeMemory, encodeMemory } from "../../sim/run/controller.ts";
import type { HeldLoops } from "../../sim/state.ts";
import type { Snapshot } from "../../sim/system/force-element.ts";
import { IDENTITY, type Mat3 } from "../../spatial/rotation.ts";
import type { Vec3 } from "../../spatial/vec3.ts";

interface WithPayloadMemory {
  /** Pose of the payload in the hand: R by rows (9), then p. The model, the controller and its snapshot follow from it. */
  readonly pose: Float64Array;
  /** The controller for the model with payload, and its memory. */
  readonly inner: Controller;
  innerMemory: unknown;
  readonly welded: WeldedModel;
  /** State of the model with payload. */
  readonly snapshot: { -readonly [K in keyof Snapshot]: Snapshot[K] };
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
  const { start: _, update: __, encode: ___, decode: ____, finished, intent, report, ...facts } = nominal;

  /** The controller for the model with the payload at a pose, without memory yet. */
  function prepare(pose: Float64Array): WithPayloadMemory {
    const rows = [0, 3, 6].map((i) => [...pose.subarray(i, i + 3)]) as unknown as Mat3<number>;
    const welded = weldPayload(model, weld, rows, [...pose.subarray(9)] as unknown as Vec3<number>);
    const { nq, nu } = welded.model;
    const none = new Float64Array(0);
    const snapshot = { model: welded.model, t: 0, q: new Float64Array(nq), u: new Float64Array(nu), z: none, frames: none };
    return { pose, inner: create(welded.model), innerMemory: undefined, welded, snapshot };
  }
  /** The engaged loops as last given, and without the weld, which the inner model does not have. */
  let [heldLoops, otherLoops]: (HeldLoops | undefined)[] = [undefined, undefined];
  const mapState = ({ welded, snapshot }: WithPayloadMemory, s: Snapshot): Snapshot => {
    snapshot.t = s.t;
    snapshot.z = s.z;
    snapshot.frames = s.frames;
    if (s.measured) snapshot.measured = s.measured;
    if (s.loops && s.loops !== heldLoops) {
      heldLoops = s.loops;
      otherLoops = new Map([...s.loops].filter(([name]) => name !== weld.name));
    }
    if (otherLoops) snapshot.loops = otherLoops;
    for (let i = 0; i < welded.q.length; i++) snapshot.q[i] = s.q[welded.q[i]!]!;
    for (let i = 0; i < welded.u.length; i++) snapshot.u[i] = s.u[welded.u[i]!]!;
    return snapshot;
  };
  return {
    ...facts,
    start(_model, s) {
      const { R, p } = relativeMotion(linkTreeOf(model), weld, [...s.q], [...s.u]);
      const memory = prepare(Float64Array.from([...R.flat(), ...p] as number[]));
      memory.innerMemory = memory.inner.start(memory.welded.model, mapState(memory, s));
      return memory;
    },
    update(s, memory, command) {
      memory.innerMemory = memory.inner.update(mapState(memory, s), memory.innerMemory, command);
      return memory;
    },
    ...(finished && { finished: ({ inner, innerMemory }) => inner.finished?.(innerMemory) }),
    ...(intent && { intent: ({ inner, innerMemory }) => inner.intent?.(innerMemory) }),
    ...(report && { report: ({ inner, innerMemory }, out) => inner.report?.(innerMemory, out) }),
    encode: ({ pose, inner, innerMemory }) => ({ pose: pose.slice(), inner: encodeMemory(inner, innerMemory) }),
    decode(data) {
      const saved = savedEntries(data, ["pose", "inner"], facts.name);
      const pose = savedArray(saved.pose, Float64Array, `${facts.name}.pose`, 12);
      checkSavedFinite(pose, `${facts.name}.pose`);
      const memory = prepare(pose);
      memory.innerMemory = decodeMemory(memory.inner, saved.inner, memory.welded.model);
      return memory;
    },
  };
}

/** Contact patches, for pictures: where solids touch, and the pressure there. */
import { frameOf, type Model } from "../../model/model.ts";
import { apply, compose, type Mat3 } from "../../spatial/rotation.ts";
import type { DrawnPatch, ForceElement } from "../system/force-element.ts";
import { checkElements } from "../system/system.ts";

/** Numbers of a frame in a snapshot, and of a pose: R by rows, then p. */
const [PER_FRAME, PER_POSE] = [18, 12];

/**
 * Finds the contact patches of elements at poses of all bodies of their model: for each body the rotation by rows and the position, in the world.
 * Undefined if no element has patches.
 */
export function contactPatches(
  model: Model,
  elements: readonly ForceElement[],
): ((poses: Float64Array) => readonly DrawnPatch[]) | undefined {
  checkElements("elements", elements);
  const drawn = elements.filter((element) => element.drawPatches);
  if (drawn.length === 0) return undefined;
  return (poses) =>
    drawn.flatMap((element) => {
      const names = element.frames ?? [];
      const frames = new Float64Array(PER_FRAME * names.length);
      for (const [i, name] of names.entries()) frames.set(poseOfFrame(model, name, poses), PER_FRAME * i);
      return element.drawPatches!(frames).map((patch) => ({ ...patch, name: `${element.name}.${patch.name}` }));
    });
}

/** Pose of a frame from those of the bodies. */
function poseOfFrame(model: Model, name: string, poses: Float64Array): number[] {
  const { body, placement } = frameOf(model, name);
  const first = PER_POSE * body;
  const R = [0, 3, 6].map((i) => [...poses.subarray(first + i, first + i + 3)]) as unknown as Mat3<number>;
  const p = apply(R, placement.p) as readonly number[];
  return [...(compose(R, placement.R) as Mat3<number>).flat(), ...p.map((x, i) => x + poses[first + 9 + i]!)];
}

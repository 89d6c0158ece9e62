/** Contact patches of an element as pictures, in the world. */
import type { DrawnPatch } from "../../../../sim/system/force-element.ts";
import { type CarriedCandidate, IDENTITY, PER_FRAME, POSE_NUMBERS, writeRelativePose } from "../carrier-pair.ts";
import type { PatchOutline } from "../pressure/patch-outline.ts";

const WORLD = Float64Array.from([...IDENTITY, 0, 0, 0]);

/** Draws the patches of all candidates that touch at poses of the frames. */
export function patchPictures(
  candidates: readonly CarriedCandidate[],
  modulus: Float64Array,
  nameOf: (candidate: number) => string,
): (frames: Float64Array) => readonly DrawnPatch[] {
  const outlines: (PatchOutline | undefined)[] = [];
  const X = new Float64Array(POSE_NUMBERS);
  return (frames) =>
    candidates.flatMap(({ patch, firstCarrier, secondCarrier }, i): DrawnPatch[] => {
      if (!patch) return [];
      const [A, a] = carrierPose(frames, firstCarrier);
      const [B, b] = carrierPose(frames, secondCarrier);
      writeRelativePose(A, a, B, b, X);
      outlines[i] ??= patch.outline();
      const mesh = outlines[i].meshAt(X);
      if (!mesh) return [];
      return [
        {
          name: nameOf(i),
          points: inWorld(mesh.points, A, a),
          pressures: Float64Array.from(mesh.pressures, (p) => modulus[i]! * p),
          triangles: Uint32Array.from(mesh.triangles),
        },
      ];
    });
}

const carrierPose = (frames: Float64Array, carrier: number): readonly [Float64Array, number] =>
  carrier === 0 ? [WORLD, 0] : [frames, PER_FRAME * (carrier - 1)];

/** Points in axes of the body whose pose begins at `a`, in the world. */
function inWorld(points: readonly number[], A: Float64Array, a: number): Float64Array {
  const out = new Float64Array(points.length);
  for (let i = 0; i < points.length; i += 3)
    for (let r = 0; r < 3; r++)
      out[i + r] =
        A[a + 3 * r]! * points[i]! + A[a + 3 * r + 1]! * points[i + 1]! + A[a + 3 * r + 2]! * points[i + 2]! + A[a + 9 + r]!;
  return out;
}

/** Where to look from, so that joints are not hidden behind bodies that have shapes: a docking ring between two plates is seen from the side. */
import type { BodyShape, Model } from "castor";
import { contains } from "./corners.ts";
import { framesOn, jointsOn, pointIn, pointOf } from "./extent.ts";

type V3 = readonly [number, number, number];

interface Scene {
  readonly model: Model;
  readonly poses: Float64Array;
  readonly shapes: readonly (readonly BodyShape[])[];
  readonly seenThrough: ReadonlySet<BodyShape>;
  readonly radius: number;
}

/** Places on the way from a joint to the eye at which something may stand in between. */
const PLACES = 30;
/** With so many in sight one does not look for another place; another is taken only where so many more are. */
const ENOUGH = 0.5;
const BETTER = 0.2;
/** Joints beyond that are not asked. */
const MOST_JOINTS = 40;

/** The eye turned about the vertical by eighths of a turn, if that shows many more of the joints. */
export function openEye(eye: V3, up: V3, scene: Scene): V3 {
  const joints = scene.model.bodies
    .flatMap((body) =>
      [...jointsOn(scene.model, body), ...framesOn(scene.model, body)].map((p) => pointOf(scene.poses, body.index, p)),
    )
    .slice(0, MOST_JOINTS);
  const before = scene.model.bodies.flatMap(({ index, shapes: given }) =>
    given.length === 0 ? [] : scene.shapes[index]!.filter((s) => !scene.seenThrough.has(s)).map((shape) => ({ index, shape })),
  );
  if (joints.length === 0 || before.length === 0) return eye;
  const seen = (from: V3): number => {
    const step = (1.2 * scene.radius) / PLACES / Math.hypot(...from);
    const hides = (index: number, shape: BodyShape, at: V3): boolean => contains(shape, pointIn(scene.poses, index, at));
    const isOpen = (at: V3): boolean => {
      const others = before.filter(({ index, shape }) => !hides(index, shape, at)); // a joint is often within its own body
      for (let k = 1; k <= PLACES; k++) {
        const place = at.map((x, i) => x + k * step * from[i]!) as unknown as V3;
        if (others.some(({ index, shape }) => hides(index, shape, place))) return false;
      }
      return true;
    };
    return joints.filter(isOpen).length / joints.length;
  };
  const plain = seen(eye);
  if (plain >= ENOUGH) return eye;
  let [best, most] = [eye, plain + BETTER];
  for (const k of [1, -1, 2, -2, 3, -3, 4]) {
    const turned = rotated(eye, up, (k * Math.PI) / 4);
    const part = seen(turned);
    if (part > most) [best, most] = [turned, part];
  }
  return best;
}

/** A vector turned about a unit axis, by Rodrigues' formula. */
function rotated(v: V3, axis: V3, angle: number): V3 {
  const [c, s] = [Math.cos(angle), Math.sin(angle)];
  const along = v[0] * axis[0] + v[1] * axis[1] + v[2] * axis[2];
  const across: V3 = [axis[1] * v[2] - axis[2] * v[1], axis[2] * v[0] - axis[0] * v[2], axis[0] * v[1] - axis[1] * v[0]];
  return [0, 1, 2].map((k) => c * v[k]! + s * across[k]! + (1 - c) * along * axis[k]!) as unknown as V3;
}

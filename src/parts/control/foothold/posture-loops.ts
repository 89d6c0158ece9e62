/** Loops as they would engage in any posture: for the typical sizes of a closed robot's Jacobian. */
import { relativeMotion } from "../../../dynamics/loops/rows/constraint-rows.ts";
import { linkTreeOf } from "../../../dynamics/tree/link-tree.ts";
import { engagedParameterTotal, measureLoopParameters } from "../../../model/loops/engaged-loop-parameters.ts";
import type { Model } from "../../../model/model.ts";
import { IDENTITY, type Mat3 } from "../../../spatial/rotation.ts";
import type { Vec3 } from "../../../spatial/vec3.ts";

/** The parameters of the loops that engaged as found, as if they engaged at q. Allocates. */
export function loopParametersAt(model: Model): (q: Float64Array) => Float64Array {
  const tree = linkTreeOf(model);
  const zeroSpeeds = new Array<number>(model.nu).fill(0);
  const parameters = new Float64Array(engagedParameterTotal(model));
  return (q) => {
    let first = 0;
    for (const loop of model.loops) {
      if (!loop.heldAsFound) continue;
      const pose =
        loop.type === "frames"
          ? relativeMotion(tree, loop, [...q], zeroSpeeds)
          : { R: IDENTITY as Mat3<number>, p: [0, 0, 0] as const };
      const numbers = measureLoopParameters(loop, pose as { R: Mat3<number>; p: Vec3<number> }, q, 0);
      parameters.set(numbers, first);
      first += numbers.length;
    }
    return parameters;
  };
}

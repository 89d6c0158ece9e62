import type { Model } from "castor";
import { bodyPointToWorld } from "./body-points.ts";

/** World coordinates of the mass centre of all bodies. */
export function massCentre(model: Model, poses: Float64Array): Float64Array {
  const sum = new Float64Array(3);
  let mass = 0;
  for (const body of model.bodies) {
    const p = bodyPointToWorld(poses, body.index, body.com);
    for (let k = 0; k < 3; k++) sum[k]! += body.mass * p[k]!;
    mass += body.mass;
  }
  return sum.map((x) => x / mass);
}

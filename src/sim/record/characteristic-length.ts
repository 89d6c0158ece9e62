/** A length by which drifts of momentum are scaled. */
import { euclideanNorm } from "../../math/elementary/hypotenuse.ts";
import type { Workspace } from "../system/workspace.ts";

/** A length of the machine, m: the largest distance between hinges. It scales the drift of angular momentum. */
export function characteristicLength({ model }: Workspace): number {
  let size = 0;
  for (const b of model.bodies) {
    const gyration = b.mass > 0 ? Math.sqrt((b.inertia[0][0] + b.inertia[1][1] + b.inertia[2][2]) / b.mass) : 0;
    size = Math.max(size, gyration, euclideanNorm(b.com), euclideanNorm(b.hinge.onParent.p));
  }
  return size || 1;
}

/** Curves on the bodies of a model, for pictures of its motion. */
import type { Vec3 } from "../spatial/vec3.ts";

export interface BodyPoint {
  readonly body: number;
  readonly at: Vec3<number>;
}

/** A curve on the bodies, by points on them. */
export interface BodyCurve {
  readonly kind: "straight" | "smooth";
  /** Of an elastic body. */
  readonly elastic: boolean;
  /** Each the mean of one or two. Of a smooth curve every second is a control point, where the tangents of its neighbours meet. */
  readonly points: readonly (readonly BodyPoint[])[];
}

/** Curves on the bodies of a model, for pictures of its motion. */
import type { Vec3 } from "../spatial/vec3.ts";

export interface BodyPoint {
  readonly body: number;
  readonly at: Vec3<number>;
}

/** A curve through points on bodies. */
export interface BodyCurve {
  readonly kind: "straight" | "smooth";
  /** True if the curve belongs to an elastic body. */
  readonly elastic: boolean;
  /**
   * Each point is the mean of one or two body points. Every second point of a smooth curve is a control point, where the tangents of its
   * neighbours meet.
   */
  readonly points: readonly (readonly BodyPoint[])[];
}

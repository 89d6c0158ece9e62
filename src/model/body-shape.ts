/**
 * Shapes of a body: simple shapes, or meshes from files. They are for pictures only; the motion does not depend on them.
 * Cylinders and capsules lie along z of their frame. The origin of a shape is its centre.
 */
import type { Placement } from "../spatial/placement.ts";
import type { Vec3 } from "../spatial/vec3.ts";

export type ShapeGeometry =
  /** Lengths of the edges along x, y, z. */
  | { readonly kind: "box"; readonly size: Vec3<number> }
  | { readonly kind: "sphere"; readonly radius: number }
  | { readonly kind: "cylinder"; readonly radius: number; readonly length: number }
  /** A cylinder with a half ball at each end; the length is that of the cylinder. */
  | { readonly kind: "capsule"; readonly radius: number; readonly length: number }
  /** Lengths of the axes along x, y, z. */
  | { readonly kind: "ellipsoid"; readonly size: Vec3<number> }
  /** A file, by its path relative to the model. Its coordinates times `scale` are metres, axis by axis; negative factors mirror it. */
  | { readonly kind: "mesh"; readonly file: string; readonly scale: Vec3<number> };

export type BodyShape = ShapeGeometry & {
  /** X_BS */
  readonly placement: Placement;
  /** #rrggbb */
  readonly colour?: string;
};

export type ShapeKindName = ShapeGeometry["kind"];

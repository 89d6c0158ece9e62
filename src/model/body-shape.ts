/**
 * Shapes of a body: simple shapes, or meshes from files. They are for pictures only; the motion does not depend on them.
 * Cylinders, capsules, prisms and rings lie along z of their frame.
 */
import type { Placement } from "../spatial/placement.ts";
import { apply, compose, rotationAboutAxis } from "../spatial/rotation.ts";
import { minus, type NumericVec3, plus, scale, type Vec3 } from "../spatial/vec3.ts";
import type { MaterialName } from "./surface/materials.ts";
import type { Point2 } from "./surface/polygon.ts";

export type ShapeGeometry =
  /** Lengths of the edges along x, y, z; radius of the rounded edges. */
  | { readonly kind: "box"; readonly size: Vec3<number>; readonly rim?: number }
  | { readonly kind: "sphere"; readonly radius: number }
  | { readonly kind: "cylinder"; readonly radius: number; readonly length: number; readonly rim?: number }
  /** A cylinder with a half ball at each end; the length is that of the cylinder. */
  | { readonly kind: "capsule"; readonly radius: number; readonly length: number }
  /** A prism along z: corners [x, y] of its outline. */
  | { readonly kind: "extrude"; readonly outline: readonly Point2[]; readonly length: number; readonly rim: number }
  /** A surface of revolution about z: points [radius, z]. It is closed if the last point is the first one. */
  | { readonly kind: "revolve"; readonly profile: readonly Point2[]; readonly angle: number }
  /** A flat ring about z, or a part of one from the direction x on. */
  | {
      readonly kind: "ring";
      readonly radius: number;
      readonly inner: number;
      readonly height: number;
      readonly rim: number;
      readonly angle: number;
    }
  /** A round bar along a path, with rounded corners of the radius `bend`. */
  | { readonly kind: "tube"; readonly path: readonly Vec3<number>[]; readonly radius: number; readonly bend: number }
  /** A solar panel: width, height, thickness; numbers of cells along x and y. Its cells face z. */
  | { readonly kind: "panel"; readonly size: Vec3<number>; readonly cells: Point2 }
  /** Lengths of the axes along x, y, z. */
  | { readonly kind: "ellipsoid"; readonly size: Vec3<number> }
  /** A file, by its path relative to the model. Its coordinates times `scale` are metres, axis by axis; negative factors mirror it. */
  | { readonly kind: "mesh"; readonly file: string; readonly scale: Vec3<number> };

export type BodyShape = ShapeGeometry & {
  /** X_BS */
  readonly placement: Placement;
  readonly material?: MaterialName;
  readonly copies?: ShapeCopies;
  /** #rrggbb */
  readonly colour?: string;
};

/** Copies of a shape: `count` of them around an axis of the body, each in `rows` along a step. The first one is the shape itself. */
export interface ShapeCopies {
  readonly count: number;
  /** Axis through the point `about` of the body, unit vector. */
  readonly around: Vec3<number>;
  readonly about: Vec3<number>;
  /** Angle between two copies, rad. */
  readonly spacing: number;
  readonly rows: number;
  /** From row to row, in body axes. It turns with the copies. */
  readonly step: Vec3<number>;
}

/** A shape without copies for each of its copies. */
export function shapeInstances({ copies, ...shape }: BodyShape): readonly BodyShape[] {
  if (copies === undefined) return [shape as BodyShape];
  const { count, around, about, spacing, rows, step } = copies;
  return Array.from({ length: count }, (_, k) => {
    const turn = rotationAboutAxis(around, k * spacing) as Placement["R"];
    const R = compose(turn, shape.placement.R) as Placement["R"];
    const p = plus(about, apply(turn, minus(shape.placement.p, about))) as NumericVec3;
    const turnedStep = apply(turn, step);
    return Array.from({ length: rows }, (__, row): BodyShape => {
      const shift = scale(row, turnedStep);
      return { ...shape, placement: { R, p: plus(p, shift) as NumericVec3 } } as BodyShape;
    });
  }).flat();
}

export type ShapeKindName = ShapeGeometry["kind"];

/** Surfaces and bounds of shapes, computed once for all shapes of the same geometry: copies of one shape, and equal shapes of several bodies. */
import type { BodyShape } from "../../model/body-shape.ts";
import { type SurfacePart, shapeBounds, shapeSurface } from "../../model/surface/shape-surface.ts";
import type { NumericVec3 } from "../../spatial/vec3.ts";

type Bounds = ReturnType<typeof shapeBounds>;

export class KnownSurfaces {
  readonly #keys = new WeakMap<BodyShape, string>();
  readonly #bounds = new Map<string, Bounds>();
  readonly #surfaces = new Map<string, readonly SurfacePart[]>();

  /** In the frame of the shape. */
  bounds(shape: BodyShape): Bounds {
    const key = this.#keyOf(shape);
    const bounds = this.#bounds.get(key) ?? shapeBounds(shape);
    this.#bounds.set(key, bounds);
    return bounds;
  }

  /** Half the diagonal of the bounds. */
  boundsRadius(shape: BodyShape): number {
    const { low, high } = this.bounds(shape);
    return Math.hypot(high[0] - low[0], high[1] - low[1], high[2] - low[2]) / 2;
  }

  /** The surface in the frame of the shape, with sharp edges. @param sides facets of a whole turn */
  withoutRim(shape: BodyShape, sides: number): readonly SurfacePart[] {
    const key = `${sides} ${this.#keyOf(shape)}`;
    const surface = this.#surfaces.get(key) ?? shapeSurface("rim" in shape ? { ...shape, rim: 0 } : shape, sides);
    this.#surfaces.set(key, surface);
    return surface;
  }

  /** Everything that the surface depends on, as text. */
  #keyOf(shape: BodyShape): string {
    const known = this.#keys.get(shape);
    if (known !== undefined) return known;
    const { placement: _, colour: __, material: ___, ...geometry } = shape;
    const key = JSON.stringify(geometry);
    this.#keys.set(shape, key);
    return key;
  }
}

/** A point of a shape in axes of its body. */
export function pointOnBody({ R, p }: BodyShape["placement"], x: number, y: number, z: number): NumericVec3 {
  const [a, b, c] = R as readonly NumericVec3[] as readonly [NumericVec3, NumericVec3, NumericVec3];
  const [px, py, pz] = p as NumericVec3;
  return [px + (a[0] * x + a[1] * y + a[2] * z), py + (b[0] * x + b[1] * y + b[2] * z), pz + (c[0] * x + c[1] * y + c[2] * z)];
}

/** Surfaces of shapes as geometries. Shapes with the same look are one geometry, so that a body with hundreds of shapes is drawn quickly. */
import { type BodyShape, type Surface, shapeSurface } from "castor/model";
import { BufferAttribute, BufferGeometry, Matrix3, Matrix4, Vector3 } from "three";
import { shapeRadius } from "./shape-extent.ts";

interface SurfaceData {
  readonly positions: number[];
  readonly normals: number[];
  readonly uvs: number[];
  readonly triangles: number[];
}

/** Collects surfaces by look, a key of the caller. */
export class SurfaceCollector<Look> {
  readonly #data = new Map<string, { readonly look: Look; readonly surface: SurfaceData }>();
  /** Surfaces by their parameters: copies of a shape have the same one. */
  readonly #surfaces = new Map<string, ReturnType<typeof shapeSurface>>();

  readonly #size: number;

  /** @param size radius of the machine: small shapes get fewer facets */
  constructor(size: number) {
    this.#size = size;
  }

  /** Adds a shape at its placement. */
  add(
    shape: BodyShape,
    lookOf: (part: { readonly material?: string | undefined }) => { readonly key: string; readonly look: Look },
  ): void {
    const { placement, copies: _, colour: __, material: ___, ...geometry } = shape;
    const name = JSON.stringify(geometry);
    const parts = this.#surfaces.get(name) ?? shapeSurface(shape, facets(shapeRadius(shape) / this.#size));
    this.#surfaces.set(name, parts);
    const { R, p } = placement;
    const matrix = new Matrix4().set(...R[0], p[0], ...R[1], p[1], ...R[2], p[2], 0, 0, 0, 1);
    for (const part of parts) {
      const { key, look } = lookOf(part);
      const entry = this.#data.get(key) ?? { look, surface: { positions: [], normals: [], uvs: [], triangles: [] } };
      this.#data.set(key, entry);
      append(entry.surface, part, matrix);
    }
  }

  /** A geometry for each look. */
  geometries(): { readonly look: Look; readonly geometry: BufferGeometry }[] {
    return [...this.#data.values()].map(({ look, surface }) => ({ look, geometry: geometryOf(surface) }));
  }
}

/** Facets of a whole turn, by the size of a shape relative to the machine. */
const facets = (size: number): number => (size > 0.25 ? 64 : size > 0.1 ? 36 : size > 0.04 ? 24 : 16);

function append(target: SurfaceData, { positions, normals, uvs, triangles }: Surface, matrix: Matrix4): void {
  const first = target.positions.length / 3;
  const turn = new Matrix3().setFromMatrix4(matrix);
  const v = new Vector3();
  for (let i = 0; i < positions.length; i += 3) {
    v.fromArray(positions, i).applyMatrix4(matrix);
    target.positions.push(v.x, v.y, v.z);
    v.fromArray(normals, i).applyMatrix3(turn);
    target.normals.push(v.x, v.y, v.z);
  }
  for (const x of uvs) target.uvs.push(x);
  for (const k of triangles) target.triangles.push(first + k);
}

export function geometryOf({ positions, normals, uvs, triangles }: Surface): BufferGeometry {
  const geometry = new BufferGeometry();
  geometry.setAttribute("position", new BufferAttribute(new Float32Array(positions), 3));
  geometry.setAttribute("normal", new BufferAttribute(new Float32Array(normals), 3));
  geometry.setAttribute("uv", new BufferAttribute(new Float32Array(uvs), 2));
  geometry.setIndex(triangles);
  return geometry;
}

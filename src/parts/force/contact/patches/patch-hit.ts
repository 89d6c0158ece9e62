/** A contact patch as one contact: where its resultant force acts, and in which direction. */
import { type PatchStore, PER_FACE, PER_NODE } from "../pressure/patch-store.ts";

/**
 * Writes the direction of the force of the last patch, which begins at `firstFace`, and its centre of pressure to the hit at h. The frame of
 * the elastic solid begins at `a`.
 */
export function writePatchHit(
  { nodes, faces, faceCount }: PatchStore,
  firstFace: number,
  F: Float64Array,
  a: number,
  hits: Float64Array,
  h: number,
): void {
  let node = firstFace === 0 ? 0 : faces[PER_FACE * firstFace - 1]!;
  let nx = 0;
  let ny = 0;
  let nz = 0;
  let sum = 0;
  let cx = 0;
  let cy = 0;
  let cz = 0;
  for (let f = PER_FACE * firstFace; f < PER_FACE * faceCount; f += PER_FACE) {
    const end = faces[f + 3]!;
    let load = 0;
    for (; node < end; node++) {
      const i = PER_NODE * node;
      const weight = nodes[i + 3]!;
      load += weight;
      cx += weight * nodes[i]!;
      cy += weight * nodes[i + 1]!;
      cz += weight * nodes[i + 2]!;
    }
    sum += load;
    nx += load * faces[f]!;
    ny += load * faces[f + 1]!;
    nz += load * faces[f + 2]!;
  }
  const length = Math.sqrt(nx * nx + ny * ny + nz * nz);
  const n = length > 0 ? 1 / length : 0;
  const c = sum > 0 ? 1 / sum : 0;
  for (let i = 0; i < 3; i++) {
    const r = a + 3 * i;
    hits[h + 1 + i] = n * (F[r]! * nx + F[r + 1]! * ny + F[r + 2]! * nz);
    hits[h + 4 + i] = c * (F[r]! * cx + F[r + 1]! * cy + F[r + 2]! * cz) + F[a + 9 + i]!;
  }
}

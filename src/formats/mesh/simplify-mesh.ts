/** A coarser mesh for pictures: vertices in the same cell of a grid become their mean. */
import { meshBounds } from "./mesh-bounds.ts";
import type { TriangleMesh } from "./triangle-mesh.ts";

/** The grid gets coarser by this factor until there are few enough triangles. */
const COARSER = 1.3;
const MOST_CELLS_PER_SIDE = 1024;

/** A mesh with at most `most` triangles: the same one if it is small enough. */
export function simplifyMesh(mesh: TriangleMesh, most: number): TriangleMesh {
  if (mesh.triangles.length / 3 <= most) return mesh;
  // A surface of n triangles passes about n/2 cells, and a grid of s³ cells has about 6 s² at a surface.
  for (let cells = Math.min(MOST_CELLS_PER_SIDE, Math.ceil(Math.sqrt(most))); cells > 1; cells = Math.floor(cells / COARSER)) {
    const coarse = clustered(mesh, cells);
    if (coarse.triangles.length / 3 <= most) return coarse;
  }
  return clustered(mesh, 1);
}

/** @param cells number of cells along the longest side of the bounding box */
function clustered({ positions, triangles }: TriangleMesh, cells: number): TriangleMesh {
  const count = positions.length / 3;
  const { low, high } = meshBounds(positions);
  const size = Math.max(...high.map((h, i) => h - low[i]!));
  const cellOf = (vertex: number): number => {
    let cell = 0;
    for (let i = 0; i < 3; i++) {
      const k = size > 0 ? Math.min(cells - 1, Math.floor((cells * (positions[3 * vertex + i]! - low[i]!)) / size)) : 0;
      cell = cell * cells + k;
    }
    return cell;
  };
  const newIndex = new Map<number, number>();
  const sums: number[] = [];
  const members: number[] = [];
  const clusterOf = new Uint32Array(count);
  for (let vertex = 0; vertex < count; vertex++) {
    const cell = cellOf(vertex);
    let cluster = newIndex.get(cell);
    if (cluster === undefined) {
      cluster = members.length;
      newIndex.set(cell, cluster);
      members.push(0);
      sums.push(0, 0, 0);
    }
    clusterOf[vertex] = cluster;
    members[cluster]!++;
    for (let i = 0; i < 3; i++) sums[3 * cluster + i]! += positions[3 * vertex + i]!;
  }
  const kept: number[] = [];
  for (let k = 0; k < triangles.length; k += 3) {
    const [a, b, c] = [clusterOf[triangles[k]!]!, clusterOf[triangles[k + 1]!]!, clusterOf[triangles[k + 2]!]!];
    if (a !== b && b !== c && a !== c) kept.push(a, b, c);
  }
  return {
    positions: Float64Array.from(sums, (sum, i) => sum / members[Math.floor(i / 3)]!),
    triangles: Uint32Array.from(kept),
  };
}

/** Boundaries of the regions of a value grid above a level: marching squares, connected to closed rings. */

export interface ValueGrid {
  /** By rows, x fastest. NaN is below every level. */
  readonly values: Float64Array;
  readonly columns: number;
  readonly rows: number;
}

/** Coordinates x, y of the points one after the other, in grid cells. */
export type Ring = readonly number[];

/** Edges of a cell: bottom, right, top, left. */
const [B, R, T, L] = [0, 1, 2, 3];
/**
 * Segment of a cell from edge to edge, with the region above the level on its left. Index: bits of the corners above the level, 1, 2, 4, 8
 * counterclockwise from the lower left.
 */
const SEGMENTS: readonly (readonly number[])[] = [
  [],
  [B!, L!],
  [R!, B!],
  [R!, L!],
  [T!, R!],
  [],
  [T!, B!],
  [T!, L!],
  [L!, T!],
  [B!, T!],
  [],
  [R!, T!],
  [L!, R!],
  [B!, R!],
  [L!, B!],
  [],
];
/** Segments if two opposite corners are above the level: separate regions, or one region if the centre is above too. */
const SADDLES: Readonly<Record<number, readonly [readonly number[], readonly number[]]>> = {
  5: [
    [B!, L!, T!, R!],
    [T!, L!, B!, R!],
  ],
  10: [
    [R!, B!, L!, T!],
    [R!, T!, L!, B!],
  ],
};

/** Rings around the regions at or above the level, closed along the border of the grid. Even-odd filling gives the regions. */
export function ringsAbove({ values, columns, rows }: ValueGrid, level: number): Ring[] {
  // The grid with a border below every level, which encloses all rings.
  const width = columns + 2;
  const bordered = new Float64Array(width * (rows + 2)).fill(Number.NEGATIVE_INFINITY);
  for (let j = 0; j < rows; j++)
    for (let i = 0; i < columns; i++) {
      const value = values[j * columns + i]!;
      if (!Number.isNaN(value)) bordered[(j + 1) * width + i + 1] = value;
    }
  const valueAt = (i: number, j: number): number => bordered[(j + 1) * width + i + 1]!;
  const stride = columns + 1;
  /** Number of an edge: twice the number of its lower or left corner, plus 1 if it runs along y. */
  const edgeOf = (i: number, j: number, edge: number): number => {
    const corner = (x: number, y: number): number => 2 * ((y + 1) * stride + x + 1);
    return edge === B ? corner(i, j) : edge === T ? corner(i, j + 1) : edge === L ? corner(i, j) + 1 : corner(i + 1, j) + 1;
  };
  const next = new Map<number, number>();
  for (let j = -1; j < rows; j++)
    for (let i = -1; i < columns; i++) {
      const corner = (j + 1) * width + i + 1;
      const a = bordered[corner]!;
      const b = bordered[corner + 1]!;
      const c = bordered[corner + width + 1]!;
      const d = bordered[corner + width]!;
      const above = (a >= level ? 1 : 0) | (b >= level ? 2 : 0) | (c >= level ? 4 : 0) | (d >= level ? 8 : 0);
      if (above === 0 || above === 15) continue;
      const segments = SADDLES[above]?.[(a + b + c + d) / 4 >= level ? 1 : 0] ?? SEGMENTS[above]!;
      for (let k = 0; k < segments.length; k += 2) next.set(edgeOf(i, j, segments[k]!), edgeOf(i, j, segments[k + 1]!));
    }
  const point = (edge: number): readonly [number, number] => {
    const corner = edge >> 1;
    const [i, j] = [(corner % stride) - 1, Math.floor(corner / stride) - 1];
    const [di, dj] = edge % 2 === 0 ? [1, 0] : [0, 1];
    const [a, b] = [valueAt(i, j), valueAt(i + di, j + dj)];
    const f = Number.isFinite(a) && Number.isFinite(b) ? (level - a) / (b - a) : Number.isFinite(a) ? 0 : 1;
    return [i + f * di, j + f * dj];
  };
  const rings: Ring[] = [];
  while (next.size > 0) {
    const [start] = next.keys();
    const ring: number[] = [];
    for (let edge = start!; next.has(edge); ) {
      ring.push(...point(edge));
      const nextEdge = next.get(edge)!;
      next.delete(edge);
      edge = nextEdge;
    }
    rings.push(ring);
  }
  return rings;
}

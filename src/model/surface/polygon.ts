/** Plane polygons: orientation, intersections of their edges, normals of their corners, and triangles. */
import { euclideanNorm } from "../../math/elementary/hypotenuse.ts";
import { cosine, sine } from "../../math/elementary/sincos.ts";

export type Point2 = readonly [number, number];

/** Twice the area: positive if the corners are counterclockwise. */
export const doubleArea = (points: readonly Point2[]): number =>
  points.reduce((sum, [x, y], i) => {
    const [u, v] = points[(i + 1) % points.length]!;
    return sum + x * v - u * y;
  }, 0);

export const counterclockwise = (points: readonly Point2[]): readonly Point2[] =>
  doubleArea(points) < 0 ? [...points].reverse() : points;

const turn = (a: Point2, b: Point2, c: Point2): number => (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);

/** True if c is on the segment from a to b, on whose line it is. */
const isBetween = (a: Point2, b: Point2, c: Point2): boolean =>
  Math.min(a[0], b[0]) <= c[0] && c[0] <= Math.max(a[0], b[0]) && Math.min(a[1], b[1]) <= c[1] && c[1] <= Math.max(a[1], b[1]);

function segmentsMeet(a: Point2, b: Point2, c: Point2, d: Point2): boolean {
  const [c1, d1, a1, b1] = [turn(a, b, c), turn(a, b, d), turn(c, d, a), turn(c, d, b)];
  if (((c1 > 0 && d1 < 0) || (c1 < 0 && d1 > 0)) && ((a1 > 0 && b1 < 0) || (a1 < 0 && b1 > 0))) return true;
  return (
    (c1 === 0 && isBetween(a, b, c)) ||
    (d1 === 0 && isBetween(a, b, d)) ||
    (a1 === 0 && isBetween(c, d, a)) ||
    (b1 === 0 && isBetween(c, d, b))
  );
}

/** The first two edges that cross or touch each other away from a common corner; undefined if there are none. Edge i starts at corner i. */
export function crossingEdges(points: readonly Point2[], isClosed: boolean): readonly [number, number] | undefined {
  const edges = isClosed ? points.length : points.length - 1;
  const end = (i: number): Point2 => points[(i + 1) % points.length]!;
  for (let i = 0; i < edges; i++)
    for (let k = i + 2; k < edges; k++) {
      if (isClosed && i === 0 && k === edges - 1) continue; // neighbours
      if (segmentsMeet(points[i]!, end(i), points[k]!, end(k))) return [i, k];
    }
  return undefined;
}

/** Triangles of a simple polygon with counterclockwise corners, by cutting off ears. Three indices each. */
export function polygonTriangles(points: readonly Point2[]): number[] {
  const left = points.map((_, i) => i);
  const triangles: number[] = [];
  const isEar = (i: number): boolean => {
    const [a, b, c] = [left[(i + left.length - 1) % left.length]!, left[i]!, left[(i + 1) % left.length]!];
    const [p, q, r] = [points[a]!, points[b]!, points[c]!];
    if (turn(p, q, r) <= 0) return false;
    return !left.some((k) => {
      const s = points[k]!;
      return k !== a && k !== b && k !== c && turn(p, q, s) >= 0 && turn(q, r, s) >= 0 && turn(r, p, s) >= 0;
    });
  };
  while (left.length > 3) {
    const found = left.findIndex((_, i) => isEar(i));
    const ear = found < 0 ? 0 : found; // only straight corners are left
    triangles.push(left[(ear + left.length - 1) % left.length]!, left[ear]!, left[(ear + 1) % left.length]!);
    left.splice(ear, 1);
  }
  return [...triangles, ...left];
}

/** Outward normal of each edge, for counterclockwise corners. */
export const edgeNormals = (points: readonly Point2[], isClosed: boolean): readonly Point2[] =>
  points.slice(0, isClosed ? undefined : -1).map(([x, y], i) => {
    const [u, v] = points[(i + 1) % points.length]!;
    const length = euclideanNorm([u - x, v - y]) || 1;
    return [(v - y) / length, (x - u) / length];
  });

/** Corners flatter than this are round: cosine of 40 degrees. */
const ROUND = 0.766;

/** Normals at the start and the end of each edge: shared by two edges where the corner is flat enough to look round. */
export function cornerNormals(points: readonly Point2[], isClosed: boolean): readonly (readonly [Point2, Point2])[] {
  const normals = edgeNormals(points, isClosed);
  const blend = (a: Point2, b: Point2 | undefined): Point2 => {
    if (b === undefined || a[0] * b[0] + a[1] * b[1] < ROUND) return a;
    const sum: Point2 = [a[0] + b[0], a[1] + b[1]];
    const length = euclideanNorm(sum);
    return [sum[0] / length, sum[1] / length];
  };
  const at = (i: number): Point2 | undefined => (isClosed ? normals[(i + normals.length) % normals.length] : normals[i]);
  return normals.map((n, i) => [blend(n, at(i - 1)), blend(n, at(i + 1))]);
}

/** The polygon moved inwards by a distance; counterclockwise corners. */
export function insetPolygon(points: readonly Point2[], distance: number): readonly Point2[] {
  const normals = edgeNormals(points, true);
  return points.map(([x, y], i) => {
    const [a, b] = [normals[(i + points.length - 1) % points.length]!, normals[i]!];
    const scale = distance / Math.max(0.1, 1 + a[0] * b[0] + a[1] * b[1]);
    return [x - scale * (a[0] + b[0]), y - scale * (a[1] + b[1])];
  });
}

/** True if every edge keeps its direction when the polygon is moved inwards by a distance. */
export function canInset(points: readonly Point2[], distance: number): boolean {
  const corners = counterclockwise(points);
  const inner = insetPolygon(corners, distance);
  return corners.every(([x, y], i) => {
    const k = (i + 1) % corners.length;
    return (corners[k]![0] - x) * (inner[k]![0] - inner[i]![0]) + (corners[k]![1] - y) * (inner[k]![1] - inner[i]![1]) > 0;
  });
}

/** Points of a circular arc, both ends included. Angles in rad. */
export const arc = (centre: Point2, radius: number, from: number, to: number, steps: number): readonly Point2[] =>
  Array.from({ length: steps + 1 }, (_, k) => {
    const angle = from + ((to - from) * k) / steps;
    return [centre[0] + radius * cosine(angle), centre[1] + radius * sine(angle)];
  });

/** A rectangle with rounded corners, counterclockwise. */
export function roundedRectangle([x0, y0]: Point2, [x1, y1]: Point2, radius: number): readonly Point2[] {
  if (radius === 0)
    return [
      [x0, y0],
      [x1, y0],
      [x1, y1],
      [x0, y1],
    ];
  const corner = (x: number, y: number, quarter: number): readonly Point2[] =>
    arc([x, y], radius, (quarter * Math.PI) / 2, ((quarter + 1) * Math.PI) / 2, 3);
  return [
    ...corner(x0 + radius, y0 + radius, 2),
    ...corner(x1 - radius, y0 + radius, 3),
    ...corner(x1 - radius, y1 - radius, 0),
    ...corner(x0 + radius, y1 - radius, 1),
  ];
}

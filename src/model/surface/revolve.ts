/** Surfaces of revolution about z. */
import { euclideanNorm } from "../../math/elementary/hypotenuse.ts";
import { cosine, sine } from "../../math/elementary/sincos.ts";
import type { NumericVec3 } from "../../spatial/vec3.ts";
import { cornerNormals, type Point2, polygonTriangles } from "./polygon.ts";
import { addGrid, addReverse, addTriangle, addVertex, type Surface } from "./surface.ts";

export interface Revolution {
  /** Points [radius, z]. Outside is to the right of the direction from point to point. */
  readonly profile: readonly Point2[];
  /** The last point is joined to the first. */
  readonly isClosed: boolean;
  /** Angle from x, rad; 2π for a whole turn. */
  readonly angle: number;
  /** Facets of a whole turn. */
  readonly sides: number;
  /** Both sides of the surface are visible. */
  readonly isThin?: boolean;
}

export function addRevolution(surface: Surface, { profile, isClosed, angle, sides, isThin }: Revolution): void {
  const steps = Math.max(2, Math.ceil((sides * angle) / (2 * Math.PI)));
  const normals = cornerNormals(profile, isClosed);
  const [firstVertex, firstIndex] = [surface.positions.length / 3, surface.triangles.length];
  const turns = Array.from({ length: steps + 1 }, (_, k) => {
    const turn = k === steps && angle === 2 * Math.PI ? 0 : (angle * k) / steps;
    return { c: cosine(turn), s: sine(turn), along: (angle * k) / steps };
  });
  let distance = 0;
  for (const [i, edge] of normals.entries()) {
    const ends = [profile[i]!, profile[(i + 1) % profile.length]!] as const;
    const length = euclideanNorm([ends[1][0] - ends[0][0], ends[1][1] - ends[0][1]]);
    const largest = Math.max(ends[0][0], ends[1][0]);
    const ring = (end: 0 | 1): Parameters<typeof addGrid>[1][number] =>
      turns.map(({ c, s, along }) => ({
        p: [ends[end][0] * c, ends[end][0] * s, ends[end][1]] as NumericVec3,
        n: [edge[end][0] * c, edge[end][0] * s, edge[end][1]] as NumericVec3,
        uv: [along * largest, distance + end * length] as const,
      }));
    addGrid(surface, [ring(0), ring(1)]);
    distance += length;
  }
  if (isThin) addReverse(surface, firstVertex, firstIndex);
  else if (isClosed && angle < 2 * Math.PI) {
    addSection(surface, profile, turns[0]!, -1);
    addSection(surface, profile, turns.at(-1)!, 1);
  }
}

/** The flat end of a part of a turn. */
function addSection(
  surface: Surface,
  profile: readonly Point2[],
  { c, s }: { readonly c: number; readonly s: number },
  side: 1 | -1,
): void {
  const normal: NumericVec3 = [-side * s, side * c, 0];
  const corners = profile.map(([r, z]) => addVertex(surface, [r * c, r * s, z], normal, [r, z]));
  const triangles = polygonTriangles(profile);
  for (let i = 0; i < triangles.length; i += 3) {
    const [a, b, d] = [corners[triangles[i]!]!, corners[triangles[i + 1]!]!, corners[triangles[i + 2]!]!];
    if (side < 0) addTriangle(surface, a, b, d);
    else addTriangle(surface, a, d, b);
  }
}

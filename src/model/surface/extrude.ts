/** Prisms along z, with rounded rims. */
import { euclideanNorm } from "../../math/elementary/hypotenuse.ts";
import type { NumericVec3 } from "../../spatial/vec3.ts";
import { cornerNormals, insetPolygon, type Point2, polygonTriangles } from "./polygon.ts";
import { addGrid, addTriangle, addVertex, type Surface } from "./surface.ts";

/** @param outline counterclockwise corners in the plane x, y */
export function addPrism(surface: Surface, outline: readonly Point2[], length: number, rim = 0): void {
  const half = length / 2;
  const inner = rim > 0 ? insetPolygon(outline, rim) : outline;
  const normals = cornerNormals(outline, true);
  const slope = Math.SQRT1_2;
  let distance = 0;
  for (const [i, edge] of normals.entries()) {
    const k = (i + 1) % outline.length;
    const along = euclideanNorm([outline[k]![0] - outline[i]![0], outline[k]![1] - outline[i]![1]]);
    const row = (
      points: readonly Point2[],
      z: number,
      up: number,
    ): { readonly p: NumericVec3; readonly n: NumericVec3; readonly uv: readonly [number, number] }[] =>
      ([i, k] as const).map((corner, end) => {
        const [nx, ny] = edge[end as 0 | 1];
        const flat = up === 0 ? 1 : slope;
        return {
          p: [points[corner]![0], points[corner]![1], z],
          n: [flat * nx, flat * ny, up],
          uv: [distance + end * along, z],
        };
      });
    const rows =
      rim > 0
        ? [row(inner, -half, -slope), row(outline, rim - half, 0), row(outline, half - rim, 0), row(inner, half, slope)]
        : [row(outline, -half, 0), row(outline, half, 0)];
    addGrid(surface, rows);
    distance += along;
  }
  addLid(surface, inner, half, 1);
  addLid(surface, inner, -half, -1);
}

function addLid(surface: Surface, outline: readonly Point2[], z: number, side: 1 | -1): void {
  const corners = outline.map(([x, y]) => addVertex(surface, [x, y, z], [0, 0, side], [x, y]));
  const triangles = polygonTriangles(outline);
  for (let i = 0; i < triangles.length; i += 3) {
    const [a, b, c] = [corners[triangles[i]!]!, corners[triangles[i + 1]!]!, corners[triangles[i + 2]!]!];
    if (side > 0) addTriangle(surface, a, b, c);
    else addTriangle(surface, a, c, b);
  }
}

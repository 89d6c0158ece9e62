/** Round tubes along a path, with rounded bends. */
import { arcCosine } from "../../math/elementary/arctangent.ts";
import { euclideanNorm } from "../../math/elementary/hypotenuse.ts";
import { cosine, sine, tangent } from "../../math/elementary/sincos.ts";
import type { NumericVec3 } from "../../spatial/vec3.ts";
import { addGrid, addTriangle, addVertex, type Surface, unit } from "./surface.ts";

const plus = (a: NumericVec3, b: NumericVec3, k = 1): NumericVec3 => [a[0] + k * b[0], a[1] + k * b[1], a[2] + k * b[2]];
const dot = (a: NumericVec3, b: NumericVec3): number => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
const cross = (a: NumericVec3, b: NumericVec3): NumericVec3 => [
  a[1] * b[2] - a[2] * b[1],
  a[2] * b[0] - a[0] * b[2],
  a[0] * b[1] - a[1] * b[0],
];

/** Steps of a bend per radian. */
const STEPS_PER_RADIAN = 5;

/** The path with each corner replaced by an arc of this radius, or of the largest one that fits between the neighbours. */
export function bentPath(path: readonly NumericVec3[], radius: number): readonly NumericVec3[] {
  if (radius === 0) return path;
  return path.flatMap((corner, i): readonly NumericVec3[] => {
    const [before, after] = [path[i - 1], path[i + 1]];
    if (before === undefined || after === undefined) return [corner];
    const [back, ahead] = [plus(before, corner, -1), plus(after, corner, -1)];
    const [u, v] = [unit(back), unit(ahead)];
    const angle = arcCosine(Math.min(1, Math.max(-1, -dot(u, v)))); // by which the path turns
    if (angle < 1e-6 || angle > 3.1) return [corner];
    const room = 0.5 * Math.min(euclideanNorm(back), euclideanNorm(ahead));
    const setback = Math.min(room, radius * tangent(angle / 2));
    const r = setback / tangent(angle / 2);
    const towards = unit(plus(u, v));
    const centre = plus(corner, towards, r / cosine(angle / 2));
    const start = plus(plus(corner, u, setback), centre, -1);
    const side = unit(plus(start, towards, -dot(start, towards)));
    const steps = Math.ceil(STEPS_PER_RADIAN * angle);
    return Array.from({ length: steps + 1 }, (_, k) => {
      const a = angle / 2 - (angle * k) / steps;
      return plus(plus(centre, towards, -r * cosine(a)), side, r * sine(a));
    });
  });
}

/** @param path points without repetition */
export function addTube(surface: Surface, path: readonly NumericVec3[], radius: number, sides: number): void {
  const directions = path.map((p, i) => {
    const before = i > 0 ? unit(plus(p, path[i - 1]!, -1)) : undefined;
    const after = i + 1 < path.length ? unit(plus(path[i + 1]!, p, -1)) : undefined;
    const mean = before && after ? plus(before, after) : (before ?? after)!;
    return euclideanNorm(mean) < 1e-9 ? after! : unit(mean);
  });
  const first = directions[0]!;
  let across = unit(cross(first, Math.abs(first[2]) < 0.9 ? [0, 0, 1] : [1, 0, 0]));
  let distance = 0;
  const rows = path.map((p, i) => {
    const along = directions[i]!;
    if (i > 0) distance += euclideanNorm(plus(p, path[i - 1]!, -1));
    across = unit(plus(across, along, -dot(across, along)));
    const other = cross(along, across);
    // A ring in the plane that halves a corner is an ellipse, so that the tube keeps its radius.
    const before = i > 0 ? unit(plus(p, path[i - 1]!, -1)) : along;
    const stretch = 1 / Math.max(0.5, dot(before, along));
    const axis = unit(plus(before, along, -dot(before, along)));
    return Array.from({ length: sides + 1 }, (_, k) => {
      const angle = k === sides ? 0 : (2 * Math.PI * k) / sides;
      const n = plus([cosine(angle) * across[0], cosine(angle) * across[1], cosine(angle) * across[2]], other, sine(angle));
      const wide = plus(n, axis, (stretch - 1) * dot(n, axis));
      return { p: plus(p, wide, radius), n, uv: [(2 * Math.PI * radius * k) / sides, distance] as const };
    });
  });
  addGrid(surface, rows);
  for (const [row, along, side] of [
    [rows[0]!, directions[0]!, -1],
    [rows.at(-1)!, directions.at(-1)!, 1],
  ] as const) {
    const normal: NumericVec3 = [side * along[0], side * along[1], side * along[2]];
    const corners = row.map(({ p, n }) => addVertex(surface, p, normal, [radius * n[0], radius * n[1]]));
    for (let k = 1; k + 1 < sides; k++)
      if (side > 0) addTriangle(surface, corners[0]!, corners[k]!, corners[k + 1]!);
      else addTriangle(surface, corners[0]!, corners[k + 1]!, corners[k]!);
  }
}

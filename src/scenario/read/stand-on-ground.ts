/**
 * Bodies that begin on the ground. Their coordinates are counted from it: from the frame that stands at (x, y) of the ground, its z along
 * the ground's normal n, its x and y those of the world, turned the shortest way. So one state fits every slope, hill and seed.
 */

import { didYouMean } from "../../declare/names.ts";
import { childPath, readArray } from "../../declare/plain-data.ts";
import { type Problem, valueText } from "../../errors.ts";
import type { Terrain } from "../../ground/terrain.ts";
import type { Body, Model } from "../../model/model.ts";
import { type Quaternion, quaternionProduct } from "../../spatial/rotation.ts";

export const ON_GROUND = "onGround";

/** Puts the free hinges that are named onto the ground, in q. */
export function standOnGround(
  value: unknown,
  q: Float64Array,
  model: Model,
  terrain: Terrain | undefined,
  problems: Problem[],
): void {
  const path = childPath("state", ON_GROUND);
  const names = typeof value === "string" ? [value] : readArray(value, path, "the name of a free hinge, or several", problems);
  const free = new Map(model.bodies.filter(isFreeAtWorldOrigin).map(({ hinge }) => [hinge.name, hinge.q]));
  if (names !== undefined && terrain === undefined)
    problems.push({ path, message: "there is no ground in this scenario", advice: "Give a terrain, or leave it out" });
  if (terrain === undefined) return;
  for (const name of names ?? []) {
    const at = typeof name === "string" ? free.get(name) : undefined;
    if (at === undefined) {
      const message = "must name a free hinge between the world and a body";
      problems.push({ path, message, value: valueText(name), advice: didYouMean(name, free.keys()) });
    } else if (!placeOnGround(q, at, terrain))
      problems.push({
        path,
        message: `the ground is not known at x = ${q[at + 4]}, y = ${q[at + 5]}`,
        advice: "Begin elsewhere",
      });
  }
}

/** Free, and placed nowhere but in the world's origin. */
const isFreeAtWorldOrigin = ({ parent, hinge }: Body): boolean =>
  parent < 0 &&
  hinge.kind === "free" &&
  hinge.onParent.p.every((v) => v === 0) &&
  hinge.onParent.R.every((row, i) => row.every((v, j) => v === (i === j ? 1 : 0)));

/** False where the ground is not known. */
function placeOnGround(q: Float64Array, at: number, terrain: Terrain): boolean {
  const ground = new Float64Array(3);
  const [x, y, height] = [q[at + 4]!, q[at + 5]!, q[at + 6]!];
  terrain.sample(x, y, ground);
  const [z, zx, zy] = ground as unknown as readonly [number, number, number];
  if (![z, zx, zy].every(Number.isFinite)) return false;
  const size = 1 / Math.sqrt(1 + zx * zx + zy * zy);
  const [nx, ny, nz] = [-zx * size, -zy * size, size];
  // The shortest turn from z to n: (1 + z · n, z × n), made a unit.
  const w = Math.sqrt((1 + nz) / 2);
  const turned = quaternionProduct(
    [w, -ny / (2 * w), nx / (2 * w), 0],
    Array.from(q.subarray(at, at + 4)) as unknown as Quaternion<number>,
  ) as Quaternion<number>;
  q.set([...turned, x + height * nx, y + height * ny, z + height * nz], at);
  return true;
}

/**
 * Bodies that start on the ground. Their coordinates are relative to a frame on the ground at (x, y): its z axis is the normal n of the
 * ground, its x and y axes are those of the world after the shortest rotation from z to n. So one state fits every slope, hill and seed.
 */

import { didYouMean } from "../../declare/names.ts";
import { readArray } from "../../declare/plain-data.ts";
import { type Problem, valueText } from "../../errors.ts";
import type { Terrain } from "../../ground/terrain.ts";
import type { Body, Model } from "../../model/model.ts";
import { type Quaternion, quaternionProduct } from "../../spatial/rotation.ts";

/** Places the named free hinges on the ground: changes their coordinates in q. */
export function standOnGround(
  value: unknown,
  q: Float64Array,
  model: Model,
  terrain: Terrain | undefined,
  problems: Problem[],
): void {
  const path = "state.onGround";
  const names =
    typeof value === "string" ? [value] : readArray(value, path, "the name of a free hinge or a list of names", problems);
  const hingeIndices = new Map(model.bodies.filter(isFreeAtWorldOrigin).map(({ hinge }) => [hinge.name, hinge.q]));
  if (names !== undefined && terrain === undefined)
    problems.push({ path, message: "there is no ground in this scenario", advice: "Add a terrain, or remove this key" });
  if (terrain === undefined) return;
  for (const name of names ?? []) {
    const qIndex = typeof name === "string" ? hingeIndices.get(name) : undefined;
    if (qIndex === undefined) {
      const message = "must name a free hinge between the world origin and a body";
      problems.push({ path, message, value: valueText(name), advice: didYouMean(name, hingeIndices.keys()) });
    } else if (!placeOnGround(q, qIndex, terrain))
      problems.push({
        path,
        message: `the height of the ground is not known at x = ${q[qIndex + 4]}, y = ${q[qIndex + 5]}`,
        advice: "Choose another start position",
      });
  }
}

/** True for a free hinge on the world, placed at the world origin without rotation. */
const isFreeAtWorldOrigin = ({ parent, hinge }: Body): boolean =>
  parent < 0 &&
  hinge.kind === "free" &&
  hinge.onParent.p.every((v) => v === 0) &&
  hinge.onParent.R.every((row, i) => row.every((v, j) => v === (i === j ? 1 : 0)));

/** Places one free hinge on the ground. Returns false if the ground is not known there. */
function placeOnGround(q: Float64Array, qIndex: number, terrain: Terrain): boolean {
  const ground = new Float64Array(3);
  const [x, y, height] = [q[qIndex + 4]!, q[qIndex + 5]!, q[qIndex + 6]!];
  terrain.sample(x, y, ground);
  const [z, zx, zy] = ground as unknown as readonly [number, number, number];
  if (![z, zx, zy].every(Number.isFinite)) return false;
  const size = 1 / Math.sqrt(1 + zx * zx + zy * zy);
  const [nx, ny, nz] = [-zx * size, -zy * size, size];
  // Quaternion of the shortest rotation from z to n: (1 + z · n, z × n), normalised.
  const w = Math.sqrt((1 + nz) / 2);
  const rotation = quaternionProduct(
    [w, -ny / (2 * w), nx / (2 * w), 0],
    Array.from(q.subarray(qIndex, qIndex + 4)) as unknown as Quaternion<number>,
  ) as Quaternion<number>;
  q.set([...rotation, x + height * nx, y + height * ny, z + height * nz], qIndex);
  return true;
}

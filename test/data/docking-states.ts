/** States of the docking study, [active, passive, ring on the active vehicle], as states of the scenario docking-soft-capture, and back. */

import type { Model } from "../../src/model/model.ts";
import type { NumericMat3 } from "../../src/spatial/rotation.ts";
import {
  apply,
  compose,
  fromQuaternion,
  type Quaternion,
  rotationAboutAxis,
  toQuaternion,
  transpose,
} from "../../src/spatial/rotation.ts";
import type { NumericVec3 } from "../../src/spatial/vec3.ts";
import { cross, dot, minus, plus, scale } from "../../src/spatial/vec3.ts";

const turn = (axis: NumericVec3, angle: number): NumericMat3 => rotationAboutAxis(axis, angle) as NumericMat3;
const [X, Y, Z]: readonly NumericVec3[] = [
  [1, 0, 0],
  [0, 1, 0],
  [0, 0, 1],
];

/** The data have 12 digits. */
const unit = (q: readonly number[]): Quaternion<number> => q.map((v) => v / Math.hypot(...q)) as unknown as Quaternion<number>;

/** The ring on its slides x, y, z and turns about z, y, x: rotation, and the axis of each turn, in axes of the vehicle. */
function ringTurns([, , , rz, ry, rx]: readonly number[]): { R: NumericMat3; axes: readonly NumericVec3[] } {
  const [A, B] = [turn(Z!, rz!), turn(Y!, ry!)];
  const AB = compose(A, B) as NumericMat3;
  return { R: compose(AB, turn(X!, rx!)) as NumericMat3, axes: [Z!, apply(A, Y!) as NumericVec3, apply(AB, X!) as NumericVec3] };
}

/** q and u of the model. The legs follow from the ring, in closed form: chains R2P1R3. */
export function stateOf(model: Model, x: readonly number[]): { q: Float64Array; u: Float64Array } {
  const [q, u] = [new Float64Array(model.nq), new Float64Array(model.nu)];
  const at = (name: string) => model.bodies.find((b) => b.name === name)!;
  const vehicle = (name: string, first: number, rates: number): void => {
    const { hinge } = at(name);
    const quaternion = unit(x.slice(first + 3, first + 7));
    q.set(quaternion, hinge.q);
    q.set(x.slice(first, first + 3), hinge.q + 4);
    u.set(apply(fromQuaternion(quaternion), x.slice(rates + 3, rates + 6) as unknown as NumericVec3) as NumericVec3, hinge.u);
    u.set(x.slice(rates, rates + 3), hinge.u + 3);
  };
  vehicle("active", 0, 20);
  vehicle("passive", 7, 26);
  const [ringQ, ringU] = [x.slice(14, 20), x.slice(32, 38)];
  const { R, axes } = ringTurns(ringQ);
  const w = axes.reduce<NumericVec3>((sum, axis, k) => plus(sum, scale(ringU[3 + k]!, axis)) as NumericVec3, [0, 0, 0]);
  const ring = at("ring").hinge;
  q.set(toQuaternion(R), ring.q);
  q.set(ringQ.slice(0, 3), ring.q + 4);
  u.set(w, ring.u);
  u.set(ringU.slice(0, 3), ring.u + 3);
  for (const loop of model.loops) {
    if (loop.type !== "frames") continue;
    const rod = model.bodies[loop.from.body]!;
    const cylinder = model.bodies[rod.parent]!;
    const arm = apply(R, loop.to.placement.p) as NumericVec3;
    const toLeg = transpose(cylinder.hinge.onParent.R as NumericMat3);
    const p = minus(plus([0.4 + ringQ[0]!, ringQ[1]!, ringQ[2]!], arm), cylinder.hinge.onParent.p) as NumericVec3;
    // In axes of the leg's hinge: a turn about x, one about y, and the leg along z.
    const [y, z, l] = apply(toLeg, p) as NumericVec3;
    const [yd, zd, ld] = apply(toLeg, plus(ringU.slice(0, 3) as unknown as NumericVec3, cross(w, arm))) as NumericVec3;
    const size = Math.hypot(y, z, l);
    const flat = Math.hypot(z, l);
    q.set([Math.atan2(-z, l), Math.atan2(y, flat)], cylinder.hinge.q);
    u.set([(z * ld - l * zd) / flat ** 2, (yd * flat - (y * (z * zd + l * ld)) / flat) / size ** 2], cylinder.hinge.u);
    q[rod.hinge.q] = size - rod.hinge.onParent.p[2]!;
    u[rod.hinge.u] = (y * yd + z * zd + l * ld) / size;
  }
  return { q, u };
}

/** Accelerations of the model as the study has them: of vehicles v̇ in the world and ω̇ in their own axes, of the ring its six joints. */
export function accelerationsOf(model: Model, x: readonly number[], udot: Float64Array): number[] {
  const of = (name: string): NumericVec3[] => {
    const { u } = model.bodies.find((b) => b.name === name)!.hinge;
    return [[...udot.subarray(u + 3, u + 6)] as unknown as NumericVec3, [...udot.subarray(u, u + 3)] as unknown as NumericVec3];
  };
  const vehicle = (name: string, first: number): number[] => {
    const [v, w] = of(name) as [NumericVec3, NumericVec3];
    const R = fromQuaternion(unit(x.slice(first + 3, first + 7)));
    return [...v, ...(apply(transpose(R as NumericMat3), w) as NumericVec3)];
  };
  const { axes } = ringTurns(x.slice(14, 20));
  const rates = x.slice(35, 38);
  const [v, w] = of("ring") as [NumericVec3, NumericVec3];
  // ω = Σ axis rate, so ω̇ - Σ (axis)˙ rate = Σ axis (rate)˙.
  const [a, b, c] = axes as [NumericVec3, NumericVec3, NumericVec3];
  const second = cross(scale(rates[0]!, a), scale(rates[1]!, b));
  const third = cross(plus(scale(rates[0]!, a), scale(rates[1]!, b)), scale(rates[2]!, c));
  const left = minus(minus(w, second), third);
  const volume = dot(a, cross(b, c)) as number;
  const turns = [cross(b, c), cross(c, a), cross(a, b)].map((n) => (dot(n, left) as number) / volume);
  return [...vehicle("active", 0), ...vehicle("passive", 7), ...v, ...turns];
}

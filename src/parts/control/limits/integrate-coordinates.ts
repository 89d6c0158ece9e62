/** Coordinates of a robot some way further. */
import type { Robot } from "../../../dynamics/free-flying/robot.ts";
import { multiplyQuaternions, quaternionFromRotationVector } from "../../../math/elementary/rotation-vector.ts";
import { freedomsOf } from "../../../model/freedoms.ts";
import type { Model } from "../../../model/model.ts";

/** Moves coordinates of a robot along by so much of each hinge speed, and the base by a turn: exact along fixed axes. */
export function coordinateIntegrator(
  model: Model,
  { base, speeds }: Robot<number>,
): (q: Float64Array, way: Float64Array, turn: Float64Array) => void {
  const freedoms = freedomsOf(model);
  const single = speeds.flatMap((u, j) => (freedoms[u]!.q === undefined ? [] : [{ j, q: freedoms[u]!.q! }]));
  const starts = new Map(model.bodies.map(({ hinge }) => [hinge.name, hinge.q]));
  const balls = speeds.flatMap((u, j) => {
    const { ball, hinge } = freedoms[u]!;
    return ball?.axis === 0 ? [{ j, q: starts.get(hinge)! + ball.quaternion }] : [];
  });
  const own = base.hinge.q + base.hinge.elements[0]!.quaternion!;
  const [turned, product] = [new Float64Array(4), new Float64Array(4)];
  const turnBy = (q: Float64Array, at: number, theta: Float64Array): void => {
    quaternionFromRotationVector(theta, turned);
    for (let i = 0; i < 4; i++) old[i] = q[at + i]!;
    multiplyQuaternions(turned, old, product);
    for (let i = 0; i < 4; i++) q[at + i] = product[i]!;
  };
  const [old, theta] = [new Float64Array(4), new Float64Array(3)];
  return (q, way, turn) => {
    for (let k = 0; k < single.length; k++) q[single[k]!.q]! += way[single[k]!.j]!;
    for (let k = 0; k < balls.length; k++) {
      for (let i = 0; i < 3; i++) theta[i] = way[balls[k]!.j + i]!;
      turnBy(q, balls[k]!.q, theta);
    }
    if (turn[0] !== 0 || turn[1] !== 0 || turn[2] !== 0) turnBy(q, own, turn);
  };
}

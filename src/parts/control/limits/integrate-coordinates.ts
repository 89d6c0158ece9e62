/** Integrates hinge increments and a rotation of the base into the coordinates q of a robot. Exact for rotations about fixed axes. */
import type { Robot } from "../../../dynamics/free-flying/robot.ts";
import { multiplyQuaternions, quaternionFromRotationVector } from "../../../math/elementary/rotation-vector.ts";
import { freedomsOf } from "../../../model/freedoms.ts";
import type { Model } from "../../../model/model.ts";

/** Returns a function that changes q by one increment per hinge speed and by a rotation vector of the base in world axes. */
export function coordinateIntegrator(
  model: Model,
  { base, speeds }: Robot<number>,
): (q: Float64Array, increments: Float64Array, baseRotation: Float64Array) => void {
  const freedoms = freedomsOf(model);
  const scalars = speeds.flatMap((u, j) => (freedoms[u]!.q === undefined ? [] : [{ j, q: freedoms[u]!.q! }]));
  const firstCoordinates = new Map(model.bodies.map(({ hinge }) => [hinge.name, hinge.q]));
  const balls = speeds.flatMap((u, j) => {
    const { ball, hinge } = freedoms[u]!;
    return ball?.axis === 0 ? [{ j, q: firstCoordinates.get(hinge)! + ball.quaternion }] : [];
  });
  const baseQuaternion = base.hinge.q + base.hinge.elements[0]!.quaternion!;
  const [increment, old, product] = [new Float64Array(4), new Float64Array(4), new Float64Array(4)];
  const theta = new Float64Array(3);
  const rotate = (q: Float64Array, first: number, rotation: Float64Array): void => {
    quaternionFromRotationVector(rotation, increment);
    for (let i = 0; i < 4; i++) old[i] = q[first + i]!;
    multiplyQuaternions(increment, old, product);
    for (let i = 0; i < 4; i++) q[first + i] = product[i]!;
  };
  return (q, increments, baseRotation) => {
    for (let k = 0; k < scalars.length; k++) q[scalars[k]!.q]! += increments[scalars[k]!.j]!;
    for (let k = 0; k < balls.length; k++) {
      for (let i = 0; i < 3; i++) theta[i] = increments[balls[k]!.j + i]!;
      rotate(q, balls[k]!.q, theta);
    }
    if (baseRotation[0] !== 0 || baseRotation[1] !== 0 || baseRotation[2] !== 0) rotate(q, baseQuaternion, baseRotation);
  };
}

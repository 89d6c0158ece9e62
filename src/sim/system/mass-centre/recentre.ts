/**
 * Mass-centre coordinates of a state: the roots are shifted so that the mass centre is at the origin and at rest there, and the origin takes
 * over its position and velocity in the world. This changes the description only, not the motion.
 */
import { momentumAndEnergy } from "../../../dynamics/programs.ts";
import { compile } from "../../../kernel/run/kernel.ts";
import { offsetsOf } from "../../../kernel/trace/program.ts";
import type { Hinge } from "../../../model/model.ts";
import { apply, transpose } from "../../../spatial/rotation.ts";
import { negate, type Vec3 } from "../../../spatial/vec3.ts";
import type { Layout } from "../layout.ts";

/** Jumps of energy and of momentum (angular, linear) relative to the origin. */
export interface RecentringJump {
  readonly energy: number;
  readonly momentum: Float64Array;
}

/** Changes y; nothing in coordinates of the world. Energy and momentum relative to the origin jump if the mass centre was not at rest there. */
export function recentre({ model, nq, nu, origin }: Layout, y: Float64Array): RecentringJump {
  if (origin === undefined) return { energy: 0, momentum: new Float64Array(6) };
  const roots = model.bodies.filter((body) => body.parent < 0).map((body) => body.hinge);
  const kernel = compile(momentumAndEnergy(model), { target: "interpret" });
  const at = offsetsOf(kernel.outputs);
  const observe = () => {
    kernel.x.set(y.subarray(0, nq + nu));
    kernel.evaluate();
    const vector = (first: number): Vec3<number> => [kernel.y[first]!, kernel.y[first + 1]!, kernel.y[first + 2]!];
    return {
      energy: kernel.y[at.energy]! + kernel.y[at.energy + 1]!,
      momentum: kernel.y.slice(at.momentum, at.momentum + 6),
      linear: vector(at.momentum + 3),
      centre: vector(at.centre),
    };
  };
  const before = observe();
  // First the largest part, without rounding: the position and velocity of the first root.
  const [first] = roots as [Hinge];
  shift(roots, y, nq, origin, inWorld(first, y, first.q + 4), inWorld(first, y, nq + first.u + 3));
  const mass = model.bodies.reduce((sum, body) => sum + body.mass, 0);
  const { centre, linear } = observe();
  shift(roots, y, nq, origin, centre, linear.map((p) => p / mass) as unknown as Vec3<number>);
  const after = observe();
  return {
    energy: after.energy - before.energy,
    momentum: after.momentum.map((value, i) => value - before.momentum[i]!),
  };
}

/** A vector of a root hinge in y, given in its F axes, in world axes. */
const inWorld = ({ onParent }: Hinge, y: Float64Array, i: number): Vec3<number> =>
  apply(onParent.R, [y[i]!, y[i + 1]!, y[i + 2]!]) as Vec3<number>;

/** Moves the origin by a position and a velocity, and all roots back by the same. */
function shift(
  roots: readonly Hinge[],
  y: Float64Array,
  nq: number,
  origin: number,
  position: Vec3<number>,
  velocity: Vec3<number>,
): void {
  const addTo = (i: number, v: Vec3<number>): void => {
    for (const k of [0, 1, 2] as const) y[i + k]! += v[k];
  };
  for (const { onParent, q, u } of roots) {
    const inHinge = (v: Vec3<number>): Vec3<number> => apply(transpose(onParent.R), negate(v)) as Vec3<number>;
    addTo(q + 4, inHinge(position));
    addTo(nq + u + 3, inHinge(velocity));
  }
  addTo(origin, position);
  addTo(origin + 3, velocity);
}

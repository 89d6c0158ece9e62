/**
 * Translations of the base that momentum rules out. Without a force from outside, the mass centre of a robot moves uniformly. Hinges that
 * only turn keep the mass centre of each body within a fixed distance of a point f of the base: the lengths of all links in between. So f is
 * never further from the mass centre of the robot than R = Σ m_i D_i / Σ m_i. A reference beyond that cannot be followed, whatever the law.
 */
import { freeFlyer } from "../../../dynamics/free-flying/free-flyer.ts";
import type { Robot } from "../../../dynamics/free-flying/robot.ts";
import { UnreachableError } from "../../../errors.ts";
import { euclideanNorm } from "../../../math/elementary/hypotenuse.ts";
import { frameOf, type Model } from "../../../model/model.ts";
import { minus, type Vec3 } from "../../../spatial/vec3.ts";
import type { Task } from "../tasks/read-tasks.ts";
import { POSE_SAMPLE_SIZE, POSE_SIZE } from "../tasks/reference.ts";
import { momentumAdvice } from "../tasks/singular/task-singularity.ts";

/** Number of times at which a reference is looked at. */
const SAMPLES = 256;
const WAYS = ["x", "y", "z"] as const;

/** Frames on the base: itself, and those of its body. */
export const framesOnBase = (model: Model, { base }: Robot<number>): string[] => [
  base.name,
  ...model.frames.filter(({ body }) => body === base.index).map(({ name }) => name),
];

/**
 * Looks at the references of a robot that nothing supports, from the state at its start on. `starts` are the poses from which the tasks
 * begin, in the order of the tasks by priority. @throws UnreachableError
 */
export function checkBaseReach(
  name: string,
  model: Model,
  robot: Robot<number>,
  tasks: readonly Task[],
  { t, q, u }: { readonly t: number; readonly q: Float64Array; readonly u: Float64Array },
  starts: Float64Array,
): void {
  const onBase = framesOnBase(model, robot);
  const byPriority = [...tasks].sort((a, b) => a.priority - b.priority);
  const translations = byPriority.flatMap((task, k) => {
    const ways = WAYS.filter((way) => task.parts.includes(way));
    const isFirst = task.priority === byPriority[0]!.priority;
    const { end } = task.reference;
    return isFirst && end !== undefined && task.relativeTo === undefined && onBase.includes(task.frame) && ways.length > 0
      ? [{ task, ways, end, start: starts.slice(POSE_SIZE * k, POSE_SIZE * (k + 1)) }]
      : [];
  });
  if (translations.length === 0) return;
  const centre = massCentreOf(model, robot, q, u);
  const sample = new Float64Array(POSE_SAMPLE_SIZE);
  for (const { task, ways, end, start } of translations) {
    const reach = reachOfMassCentre(model, robot, task.frame);
    for (let i = 0; i <= SAMPLES; i++) {
      const time = t + (Math.max(0, end - t) * i) / SAMPLES;
      task.reference.at(time, start, sample);
      const distances = ways.map((way) => {
        const axis = WAYS.indexOf(way);
        const [fallen, passed] = [model.gravity[axis]! / 2, time - t];
        return sample[4 + axis]! - centre.position[axis]! - (centre.velocity[axis]! + fallen * passed) * passed;
      });
      if (euclideanNorm(distances) <= reach) continue;
      const rows = ways.map((way) => `${task.frame}.${way}`).join(", ");
      throw new UnreachableError(
        `${name}: at t = ${Number(time.toPrecision(4))} s the reference of ${rows} is ${euclideanNorm(distances).toPrecision(4)} m from the ` +
          `mass centre of the robot, and its hinges can bring ${task.frame} at most ${reach.toPrecision(4)} m away from it. ` +
          momentumAdvice(rows),
      );
    }
  }
}

/** Mass centre of the robot and its velocity, in world axes. */
function massCentreOf(model: Model, robot: Robot<number>, q: Float64Array, u: Float64Array) {
  const flyer = freeFlyer(model, { base: robot.base.name, outputs: ["Hs", "momentum"] });
  flyer.evaluate(q, u);
  const { Hs, momentum } = flyer.values;
  const mass = Hs[3 * 6 + 3]!;
  const moments = [Hs[2 * 6 + 4]!, Hs[5]!, Hs[6 + 3]!]; // H_s = [[I, m c̃], [-m c̃, m 1]] in axes F of the free hinge
  const { R, p } = robot.base.hinge.onParent;
  const first = robot.base.hinge.q + 4;
  const inHinge = moments.map((moment, i) => q[first + i]! + moment / mass);
  return {
    position: [0, 1, 2].map((r) => p[r]! + R[r]![0]! * inHinge[0]! + R[r]![1]! * inHinge[1]! + R[r]![2]! * inHinge[2]!),
    velocity: [3, 4, 5].map((i) => momentum[i]! / mass),
  };
}

/** R for the origin of a frame on the base; infinite if a hinge slides. */
function reachOfMassCentre(model: Model, robot: Robot<number>, frame: string): number {
  const length = (v: Vec3<number>): number => euclideanNorm(v);
  const origin = frameOf(model, frame).placement.p as Vec3<number>;
  /** Largest distance of each body's origin from f. */
  const distances: number[] = [];
  let [moment, mass] = [0, 0];
  for (const body of model.bodies) {
    if (!robot.carries[body.index]) continue;
    const { hinge, parent } = body;
    const isBase = body === robot.base;
    const turnsOnly = hinge.elements.every((e) => (e.screw ? e.screw.slide === 0 : e.nu === 3 && e.quaternion !== undefined));
    if (!isBase && !turnsOnly) return Number.POSITIVE_INFINITY;
    distances[body.index] = isBase
      ? 0
      : distances[parent]! +
        length(parent === robot.base.index ? (minus(hinge.onParent.p, origin) as Vec3<number>) : hinge.onParent.p) +
        length(hinge.onBody.p);
    const { com } = body;
    moment += body.mass * (distances[body.index]! + length(isBase ? (minus(com, origin) as Vec3<number>) : com));
    mass += body.mass;
  }
  return moment / mass;
}

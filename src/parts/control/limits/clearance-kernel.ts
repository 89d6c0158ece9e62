/** Distances of pairs of bodies of a robot at given coordinates, and their gradients over hinge speeds. */
import { type FreeFlyer, freeFlyer } from "../../../dynamics/free-flying/free-flyer.ts";
import type { Robot } from "../../../dynamics/free-flying/robot.ts";
import type { Model } from "../../../model/model.ts";
import { POSE_NUMBERS, writeRelativePose } from "../../force/contact/carrier-pair.ts";
import { framesOf, gapOfBalls } from "../../force/contact/clearance/clearance-law.ts";
import { ShapeDistance } from "../../force/contact/clearance/shape-distance.ts";
import type { LimitedPair } from "./clearance-limits.ts";

export class ClearanceKernel {
  /** Number of hinge speeds of the robot. */
  readonly n: number;
  /** Pose of the first body of the last measured pair in axes of the second. */
  readonly X = new Float64Array(POSE_NUMBERS);
  /** Unit vector from the second to the first, in axes of the second; zero where they overlap. */
  readonly normal: Float64Array;
  readonly #distance = new ShapeDistance();
  readonly #poses: FreeFlyer;
  readonly #jacobians: FreeFlyer;
  readonly #noSpeeds: Float64Array;
  /** Frames of both shapes of each pair. */
  readonly #frames: readonly (readonly [number, number])[];
  readonly #world = new Float64Array(9);

  constructor(model: Model, robot: Robot<number>, pairs: readonly LimitedPair[]) {
    const frames = framesOf(pairs);
    const options = { base: robot.base.name, frames };
    this.#poses = freeFlyer(model, { ...options, outputs: ["pose"] });
    this.#jacobians = freeFlyer(model, { ...options, outputs: ["pose", "Jm"] });
    this.#noSpeeds = new Float64Array(model.nu);
    this.#frames = pairs.map(({ shapeA, shapeB }) => [frames.indexOf(shapeA.on!), frames.indexOf(shapeB.on!)]);
    this.n = robot.speeds.length;
    this.normal = this.#distance.normal;
  }

  /** Computes the poses of all shapes. */
  place(q: Float64Array): void {
    this.#poses.evaluate(q, this.#noSpeeds);
  }

  /** Writes X of pair p at the last `place`. */
  writePose(p: number): void {
    const { pose } = this.#poses.values;
    const [a, b] = this.#frames[p]!;
    writeRelativePose(pose, POSE_NUMBERS * a, pose, POSE_NUMBERS * b, this.X);
  }

  /** Lower bound of the distance of a pair at X, from the balls around both shapes. */
  gapOfBalls({ a, b }: LimitedPair): number {
    return gapOfBalls(a.centre, a.reach, b.centre, b.reach, this.X);
  }

  /** Distance of a pair at X. */
  measure({ a, b }: LimitedPair): number {
    return this.#distance.measure(a, b, this.X);
  }

  /** Width of the gap of a pair at a pose along a unit vector in axes of the second body; see `ShapeDistance`. */
  gapAlong({ a, b }: LimitedPair, X: Float64Array, normal: Float64Array): number {
    return this.#distance.gapAlong(a, b, X, normal[0]!, normal[1]!, normal[2]!);
  }

  /** Writes the derivative of the distance of pair p at q with respect to the coordinates of all hinges, in the sense of their speeds. */
  writeGradient(p: number, pair: LimitedPair, q: Float64Array, out: Float64Array): void {
    const { n } = this;
    this.#jacobians.evaluate(q, this.#noSpeeds);
    const { pose, Jm } = this.#jacobians.values;
    const [a, b] = this.#frames[p]!;
    writeRelativePose(pose, POSE_NUMBERS * a, pose, POSE_NUMBERS * b, this.X);
    this.#distance.measure(pair.a, pair.b, this.X);
    const { nearestA, nearestB, normal } = this.#distance;
    const world = this.#world;
    // Normal and both points in world axes; the points relative to the origins of their frames.
    for (let i = 0; i < 3; i++) {
      const r = POSE_NUMBERS * b + 3 * i;
      world[i] = pose[r]! * normal[0]! + pose[r + 1]! * normal[1]! + pose[r + 2]! * normal[2]!;
      const offset = pose[POSE_NUMBERS * b + 9 + i]! - pose[POSE_NUMBERS * a + 9 + i]!;
      world[3 + i] = pose[r]! * nearestA[0]! + pose[r + 1]! * nearestA[1]! + pose[r + 2]! * nearestA[2]! + offset;
      world[6 + i] = pose[r]! * nearestB[0]! + pose[r + 1]! * nearestB[1]! + pose[r + 2]! * nearestB[2]!;
    }
    for (let j = 0; j < n; j++) out[j] = this.#speedAlong(a, 3, j, Jm) - this.#speedAlong(b, 6, j, Jm);
  }

  /** Velocity along the normal of a point of a frame, for a unit of hinge speed j. */
  #speedAlong(frame: number, point: number, j: number, Jm: Float64Array): number {
    const { n } = this;
    const N = this.#world;
    const row = 6 * frame * n + j;
    const wx = Jm[row]!;
    const wy = Jm[row + n]!;
    const wz = Jm[row + 2 * n]!;
    const x = N[point]!;
    const y = N[point + 1]!;
    const z = N[point + 2]!;
    return (
      N[0]! * (Jm[row + 3 * n]! + wy * z - wz * y) +
      N[1]! * (Jm[row + 4 * n]! + wz * x - wx * z) +
      N[2]! * (Jm[row + 5 * n]! + wx * y - wy * x)
    );
  }
}

/** Least distances between bodies of a robot, as a file gives them, and what is needed to bound their motion relative to each other. */
import type { Parameters, ParameterValues } from "../../../declare/parameters.ts";
import type { Robot } from "../../../dynamics/free-flying/robot.ts";
import { cosine, sine } from "../../../math/elementary/sincos.ts";
import { frameOf, type Hinge, type Model } from "../../../model/model.ts";
import type { NoteProblem } from "../../../sim/system/create-checked.ts";
import { apply, type NumericMat3, rotationAboutAxis, transpose } from "../../../spatial/rotation.ts";
import { minus, type NumericVec3, type Vec3 } from "../../../spatial/vec3.ts";
import { bodyName, bodyOf, type ClearancePair, clearancePairs } from "../../force/contact/clearance/clearance-pairs.ts";
import type { ConvexShape } from "../../force/contact/clearance/convex-shapes.ts";
import { type ContactShape, readShapes } from "../../force/contact/shape.ts";
import { CONTACT_SHAPE, KEYS_OF_KIND } from "../../force/contact/shape-kinds.ts";

export const CLEARANCE_LIMIT = {
  shapes: {
    type: "list",
    of: CONTACT_SHAPE,
    kinds: KEYS_OF_KIND,
    about: "Convex shapes on bodies of the robot, as those of the force `clearance`.",
  },
  against: {
    type: "list",
    of: CONTACT_SHAPE,
    kinds: KEYS_OF_KIND,
    default: [],
    about:
      "Shapes on other bodies of the robot from which each of `shapes` keeps its distance; without them, the shapes keep their distance " +
      "from each other, except those of bodies that a hinge joins.",
  },
  least: { type: "number", unit: "m", above: 0, about: "Least distance." },
} as const satisfies Parameters;

/** A hinge speed between two bodies, by its index among the hinge speeds of the robot, and the motion that a unit of it causes. */
interface PairFreedom {
  readonly hinge: number;
  /** Angular velocity, and linear velocity along the axis. */
  readonly turn: number;
  readonly slide: number;
  /** Upper bound of the distance of points of shape a from the axis, while all sliding coordinates are zero. */
  readonly lever: number;
}

interface SlidingCoordinate {
  /** Index into q. */
  readonly q: number;
  /** m per unit. */
  readonly perUnit: number;
}

export interface LimitedPair extends ClearancePair {
  readonly least: number;
  /** Names of the bodies of both shapes. */
  readonly bodies: readonly [string, string];
  /** Hinge speeds between the bodies, from shape a on. */
  readonly freedoms: readonly PairFreedom[];
  /** Length of the chain from shape a to the body of shape b. */
  readonly lever: number;
  /** Sliding coordinates between the bodies: levers grow by their amounts. */
  readonly slides: readonly SlidingCoordinate[];
}

export const readClearances = (
  model: Model,
  robot: Robot<number>,
  list: readonly ParameterValues<typeof CLEARANCE_LIMIT>[],
  note: NoteProblem,
): readonly LimitedPair[] =>
  list.flatMap((written, i) => {
    const noteKey: NoteProblem = (key, message, advice) => note(`clearances[${i}].${key}`, message, advice);
    const shapes = readShapes("shapes", written.shapes, noteKey);
    const against = readShapes("against", written.against, noteKey);
    const isOnRobot = (shape: ContactShape): boolean => robot.carries[bodyOf(model, shape)] === true;
    for (const [key, shapesOfKey] of [["shapes", shapes] as const, ["against", against] as const]) {
      const other = shapesOfKey.find((shape) => shape.kind !== "ground" && !isOnRobot(shape));
      if (other)
        noteKey(
          key,
          `${bodyName(model, other)} is not a body of the robot with the base "${robot.base.name}": after it has stopped, nothing can keep it away`,
          "Give frames of the robot",
        );
    }
    const pairs = clearancePairs(shapes, against, model, noteKey);
    return pairs
      .filter(({ shapeA, shapeB }) => isOnRobot(shapeA) && isOnRobot(shapeB))
      .map((pair) => limitedPair(model, robot, pair, written.least));
  });

function limitedPair(model: Model, robot: Robot<number>, pair: ClearancePair, least: number): LimitedPair {
  const { shapeA, shapeB, a, b } = pair;
  const [bodyA, bodyB] = [bodyOf(model, shapeA), bodyOf(model, shapeB)];
  const [branchA, branchB] = branches(model, bodyA, bodyB);
  // From shape a over the hinges of its branch to the common body, and from there over those of the other branch to shape b.
  let lever = norm(frameOf(model, shapeA.on!).placement.p) + norm(a.centre) + a.reach;
  const freedoms: PairFreedom[] = [];
  const addHinge = (body: number, side: "a" | "b"): void => {
    const { hinge } = model.bodies[body]!;
    const isUnchanged =
      (body === bodyA && isRoundAbout(hinge, shapeA, a, model)) || (body === bodyB && isRoundAbout(hinge, shapeB, b, model));
    lever += norm(hinge[side === "a" ? "onBody" : "onParent"].p);
    const partials = hinge.elements.flatMap((element) => element.partials);
    const own = partials.map(({ angular, linear }, k) => ({
      ...{ hinge: robot.speeds.indexOf(hinge.u + k), turn: norm(angular), slide: norm(linear), lever },
    }));
    if (isUnchanged) own.pop();
    freedoms.push(...(side === "a" ? own.reverse() : own));
    lever += norm(hinge[side === "a" ? "onParent" : "onBody"].p);
  };
  for (const body of branchA) addHinge(body, "a");
  for (const body of [...branchB].reverse()) addHinge(body, "b");
  return {
    ...pair,
    least,
    bodies: [bodyName(model, shapeA), bodyName(model, shapeB)],
    freedoms,
    lever,
    slides: [...branchA, ...branchB].flatMap((body) => slidingCoordinates(model.bodies[body]!.hinge)),
  };
}

const norm = ([x, y, z]: readonly [number, number, number]): number => Math.sqrt(x * x + y * y + z * z);

/** Number of directions in which shapes are compared, and a rotation that no polytope has as a symmetry. */
const DIRECTIONS = 40;
const TRIAL_ROTATION = 1;
/** Difference of heights that is rounding, relative to the size of a shape. */
const SAME_HEIGHT = 1e-12;

/** True if the last element of the hinge of a body rotates a shape on it into itself, as it does a wheel: heights in all directions stay. */
function isRoundAbout(
  { elements, onBody }: Hinge,
  { on }: ContactShape,
  { body, centre, reach }: ConvexShape,
  model: Model,
): boolean {
  const screw = elements.at(-1)?.screw;
  if (screw?.slide !== 0 || !body) return false;
  // A point of the axis, and the rotation about it, in axes of the frame that carries the shape.
  const { R, p } = frameOf(model, on!).placement;
  const toFrame = (v: Vec3): NumericVec3 => apply(transpose(R), v) as NumericVec3;
  const point = toFrame(minus(onBody.p, p));
  const Q = rotationAboutAxis(toFrame(apply(onBody.R, screw.axis)), TRIAL_ROTATION) as NumericMat3;
  const farthest = new Float64Array(3);
  const height = (n: NumericVec3): number => {
    body.support(n[0], n[1], n[2], farthest);
    return (farthest[0]! - point[0]) * n[0] + (farthest[1]! - point[1]) * n[1] + (farthest[2]! - point[2]) * n[2];
  };
  const size = norm(minus(centre, point) as NumericVec3) + reach;
  return Array.from({ length: DIRECTIONS }, (_, k): NumericVec3 => {
    const z = (2 * k + 1) / DIRECTIONS - 1;
    const r = Math.sqrt(1 - z * z);
    return [r * cosine(2.4 * k), r * sine(2.4 * k), z];
  }).every((n) => Math.abs(height(n) - height(apply(Q, n) as NumericVec3)) <= SAME_HEIGHT * size);
}

/** Bodies below the common ancestor of two bodies, from each of the two up. */
function branches(model: Model, a: number, b: number): readonly [readonly number[], readonly number[]] {
  const path = (body: number): number[] => (body < 0 ? [] : [body, ...path(model.bodies[body]!.parent)]);
  const [pathA, pathB] = [path(a), path(b)];
  return [pathA.filter((body) => !pathB.includes(body)), pathB.filter((body) => !pathA.includes(body))];
}

/** Coordinates that move a body along an axis, with the distance per unit. */
function slidingCoordinates(hinge: Hinge): SlidingCoordinate[] {
  let { q } = hinge;
  return hinge.elements.flatMap(({ nq, units, screw }) => {
    const from = q;
    q += nq;
    return units.q.flatMap((unit, k) => {
      const perUnit = screw ? Math.abs(screw.slide) : unit === "m" ? 1 : 0;
      return perUnit > 0 ? [{ q: from + k, perUnit }] : [];
    });
  });
}

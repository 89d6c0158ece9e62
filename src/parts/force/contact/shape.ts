/** Contact shapes, read and checked. Positions and directions are in axes of the frame that carries them. */

import type { ParameterValues } from "../../../declare/parameters.ts";
import { FLAT, type Terrain } from "../../../ground/terrain.ts";
import { convexHull, hullProblem } from "../../../math/convex/convex-hull.ts";
import { boxPolytope, type Point3, type Polytope } from "../../../math/convex/polytope.ts";
import type { NoteProblem } from "../../../sim/system/create-checked.ts";
import type { NumericMat3 } from "../../../spatial/rotation.ts";
import { apply, compose, IDENTITY, type Mat3, rotationAboutAxis } from "../../../spatial/rotation.ts";
import type { NumericVec3 } from "../../../spatial/vec3.ts";
import { UNIT_VECTORS } from "../../../spatial/vec3.ts";
import { acceptedKeys, CONTACT_SHAPE, type ContactShapeKey, type ContactShapeKind, KEYS_BY_NEED } from "./shape-kinds.ts";

export type ContactShapeValues = ParameterValues<typeof CONTACT_SHAPE>;

/** A shape with all values; those that its kind does not have are zero or undefined. */
export interface ContactShape {
  readonly kind: ContactShapeKind;
  readonly label: string;
  readonly on: string | undefined;
  readonly at: NumericVec3;
  readonly to: NumericVec3;
  readonly axis: NumericVec3;
  readonly radius: number;
  readonly inner: number;
  readonly outer: number;
  readonly tip: number;
  readonly length: number;
  readonly thickness: number | undefined;
  readonly size: NumericVec3;
  /** Axes of a box or hull, by rows as a rotation. */
  readonly R: Mat3<number>;
  readonly out: NumericVec3 | undefined;
  readonly heel: number;
  readonly behind: number | undefined;
  readonly reach: number;
  readonly fade: number;
  /** A hull about the origin of its points. */
  readonly hull: Polytope | undefined;
  readonly terrain: Terrain;
}

const article = (kind: ContactShapeKind): string => (kind === "edge" ? `an ${kind}` : `a ${kind}`);
const norm = (v: NumericVec3): number => Math.sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);

/** Reads the shapes of a list, including copies, and notes problems. */
export function readShapes(
  list: "shapes" | "against",
  written: readonly ContactShapeValues[],
  note: NoteProblem,
  terrain: Terrain = FLAT,
): readonly ContactShape[] {
  const labels = new Set<string>();
  return written.flatMap((shape, i) => {
    const noteKey = (key: string, message: string, advice?: string): void => note(`${list}[${i}].${key}`, message, advice);
    const { needs, may = [] } = KEYS_BY_NEED[shape.kind];
    for (const key of Object.keys(CONTACT_SHAPE) as ContactShapeKey[]) {
      const given = shape[key] !== undefined;
      if (needs.includes(key) && !given && !(key === "points" && shape.file !== undefined))
        noteKey(key, `is missing: ${article(shape.kind)} needs it`);
      if (given && !acceptedKeys(shape.kind).includes(key))
        noteKey(
          key,
          `${article(shape.kind)} does not have it`,
          `It has ${[...needs, ...may].join(", ") || "nothing but its position"}`,
        );
    }
    checkShape(shape, noteKey);
    const { copies } = shape;
    if (!Number.isInteger(copies) || copies > MOST_COPIES) {
      noteKey("copies", `must be a whole number up to ${MOST_COPIES}`);
      return [];
    }
    return Array.from({ length: copies }, (_, k): ContactShape => {
      const name = shape.name ?? String(i + 1);
      const label = copies === 1 ? name : shape.name === undefined ? `${name}-${k + 1}` : `${name}${k + 1}`;
      if (labels.has(label)) noteKey("name", `two shapes have the name ${label}`, "Give each its own name");
      labels.add(label);
      return rotatedShape(completeShape(shape, label, terrain), shape.around ?? [0, 0, 1], (2 * Math.PI * k) / copies);
    });
  });
}

const MOST_COPIES = 1000;

function checkShape(shape: ContactShapeValues, noteKey: (key: string, message: string, advice?: string) => void): void {
  const { kind, at, to, on, copies, radius = 0, inner, outer, tip, out, fade, reach } = shape;
  if ((kind === "edge" || kind === "capsule") && to && norm([to[0] - at[0], to[1] - at[1], to[2] - at[2]]) === 0)
    noteKey("to", "both ends are at the same point", kind === "capsule" ? "Use a sphere" : "Use a point");
  if (kind === "ground") {
    if (on !== undefined) noteKey("on", "the ground is fixed in the world", "Use a plane on a body instead");
    if (norm(at) !== 0 || copies !== 1) noteKey("at", "the ground has no position and no copies");
  }
  if (inner !== undefined && inner >= radius) noteKey("inner", `must be less than the radius, ${radius}`);
  if (outer !== undefined && outer <= radius) noteKey("outer", `must be more than the radius, ${radius}`);
  if (tip !== undefined && tip === radius && shape.thickness === undefined)
    noteKey("tip", "must differ from the radius: this is a cylinder", "Use a disc with a thickness");
  if (kind === "collisions")
    noteKey("kind", "the model is not a robot file with collision shapes", "Give the shapes of the bodies one by one");
  if (kind === "hull") checkHull(shape, noteKey);
  if (out !== undefined && norm(out) === 0) noteKey("out", "must not be zero");
  if (fade !== undefined && !(reach !== undefined && fade <= reach))
    noteKey("fade", "is the last part of `reach`: it needs a reach that is at least as long");
}

/** Most corners of a hull: the cost of a contact grows with them. */
const MOST_CORNERS = 500;

function checkHull(
  { points, file, scale }: ContactShapeValues,
  noteKey: (key: string, message: string, advice?: string) => void,
): void {
  if (Array.isArray(scale) && scale.some((factor) => factor === 0))
    noteKey("scale", "must not have zeros: the hull would be flat", "E.g. 0.001 for millimetres, or [1, -1, 1] to mirror y");
  if (file !== undefined)
    noteKey("file", "cannot be read here", "Load the scenario from its folder with loadScenario, or give points");
  if (file !== undefined || points === undefined) return;
  const row = points.findIndex((p) => p.length !== 3);
  const problem = row < 0 ? hullProblem(points as readonly Point3[]) : undefined;
  if (row >= 0) noteKey(`points[${row}]`, `must have 3 numbers, has ${points[row]!.length}`, "Write rows [x, y, z]");
  else if (problem) noteKey("points", problem.message, problem.advice);
  else {
    const corners = convexHull(points as readonly Point3[]).corners.length;
    if (corners > MOST_CORNERS)
      noteKey(
        "points",
        `their hull has ${corners} corners, at most ${MOST_CORNERS} are possible`,
        "Use fewer points, or a coarser mesh",
      );
  }
}

/** The hull of the points. Points with a problem, which is noted, get any hull. */
function hullOf({ kind, points = [], scale = 1 }: ContactShapeValues): Polytope | undefined {
  if (kind !== "hull") return undefined;
  const [a, b, c] = (typeof scale === "number" ? [scale, scale, scale] : scale) as NumericVec3;
  const scaled = points.map(([x = 0, y = 0, z = 0]): Point3 => [a * x, b * y, c * z]);
  const hull = hullProblem(scaled) ? undefined : convexHull(scaled);
  return hull && hull.corners.length <= MOST_CORNERS ? hull : boxPolytope([1, 1, 1]);
}

const completeShape = (s: ContactShapeValues, label: string, terrain: Terrain): ContactShape => ({
  terrain,
  kind: s.kind,
  label,
  on: s.on,
  at: s.at,
  to: s.to ?? s.at,
  axis: s.axis ?? [0, 0, 1],
  radius: s.radius ?? 0,
  inner: s.inner ?? 0,
  outer: s.outer ?? Number.POSITIVE_INFINITY,
  tip: s.tip ?? 0,
  length: s.length ?? 0,
  thickness: s.thickness,
  size: s.size ?? [0, 0, 0],
  R: s.rpy ? rotationFromRpy(s.rpy) : IDENTITY,
  out: s.out,
  heel: s.heel ?? 0,
  behind: s.behind,
  reach: s.reach ?? Number.POSITIVE_INFINITY,
  fade: s.fade ?? 0,
  hull: hullOf(s),
});

/** Rz(yaw) Ry(pitch) Rx(roll), as everywhere (N5). */
const rotationFromRpy = ([roll, pitch, yaw]: NumericVec3): NumericMat3 =>
  compose(
    compose(rotationAboutAxis(UNIT_VECTORS[2], yaw), rotationAboutAxis(UNIT_VECTORS[1], pitch)),
    rotationAboutAxis(UNIT_VECTORS[0], roll),
  ) as NumericMat3;

/** A copy, rotated about an axis through the origin of its frame. */
function rotatedShape(shape: ContactShape, axis: NumericVec3, angle: number): ContactShape {
  if (angle === 0) return shape;
  const T = rotationAboutAxis(axis, angle);
  const turn = (v: NumericVec3): NumericVec3 => apply(T, v) as NumericVec3;
  const { at, to, axis: shapeAxis, R, out } = shape;
  return { ...shape, at: turn(at), to: turn(to), axis: turn(shapeAxis), R: compose(T, R) as NumericMat3, out: out && turn(out) };
}

/** Warnings about numbers that are valid but likely wrong: units, axes, points of reference. */
import { placementOf } from "../../model/build/placement.ts";
import { apply } from "../../spatial/rotation.ts";
import { plus, type Vec3 } from "../../spatial/vec3.ts";
import type { ImportNotes } from "./import-notes.ts";
import { pointInertia, principal } from "./mass-properties.ts";
import type { RobotLink } from "./robot-draft.ts";

/** Masses of links that move against each other differ by less in almost all machines. */
const MASS_RATIO = 1000;

export function likelyMistakes(links: readonly RobotLink[], notes: ImportNotes): void {
  checkMassRatios(links, notes);
  checkSizes(links, notes);
  checkDensity(links, notes);
  // Sensors and other small parts often have placeholders, which have no effect on the motion.
  const total = links.reduce((sum, { massProperties }) => sum + massProperties.mass, 0);
  for (const link of links) if (link.massProperties.mass > SMALL_PART * total) checkAgainstShapes(link, notes);
}

/** Share of the mass below which the inertia of a link is not compared with its shapes. */
const SMALL_PART = 0.01;

/** A robot is larger than this, m, and has less mass per cube of its size than that, kg/m³, only if its lengths are in millimetres. */
const [LARGE, THIN] = [50, 1e-3];

function checkDensity(links: readonly RobotLink[], notes: ImportNotes): void {
  const size = robotSize(links);
  const mass = links.reduce((sum, { massProperties }) => sum + massProperties.mass, 0);
  if (size < LARGE || mass <= 0 || mass > THIN * size ** 3) return;
  notes.warn({ line: links[0]!.line }, "robot", `it has a size of ${short(size)} m, but a mass of only ${short(mass)} kg`, {
    advice: "Lengths are in metres: check millimetres",
  });
}

/** A moment of inertia may exceed the largest one that is possible within the shapes by this factor: shapes are often simplified. */
const SHAPE_MARGIN = 1.2;
/** A body is a rod if it is this many times longer than thick. */
const ROD = 4;

/**
 * No body within the shapes has a larger moment about an axis than its mass times the square of the farthest distance from the axis; and the moment
 * about the long axis of a rod is the smallest.
 */
function checkAgainstShapes({ name, massLine, massProperties, shapes }: RobotLink, notes: ImportNotes): void {
  const { mass, com, inertia } = massProperties;
  const corners = shapes.map(cornersOf);
  if (mass <= 0 || corners.length === 0 || corners.includes(undefined)) return;
  const points = (corners as (readonly Vec3<number>[])[]).flat().map((p) => p.map((c, i) => c - com[i]!));
  const most = AXES.map(([, j, k]) => Math.max(...points.map((p) => p[j]! ** 2 + p[k]! ** 2)));
  const fits = (moments: readonly number[]): boolean =>
    moments.every((moment, i) => moment > 0 && moment <= SHAPE_MARGIN * mass * most[i]!);
  const moments = AXES.map(([i]) => inertia[i]![i]!);
  const at = { line: massLine };
  const path = `link[${name}].inertia`;
  if (moments.some((moment, i) => moment > SHAPE_MARGIN * mass * most[i]!)) {
    const about = pointInertia(mass, com);
    const atCentre = moments.map((moment, i) => moment - about[i]![i]!);
    const isAtOrigin = com.some((c) => c !== 0) && fits(atCentre);
    notes.warn(
      at,
      path,
      `its moments ${moments.map(short).join(", ")} kg m² are larger than those of any body of its mass within its shapes`,
      {
        advice: isAtOrigin
          ? "It may be about the origin of the link: give it about the mass centre, which subtracts the mass times the square of the distance"
          : "Inertias are in kg m² about the mass centre: check millimetres, grams, and the point of reference",
      },
    );
    return;
  }
  const lengths = AXES.map(([i]) => Math.max(...points.map((p) => p[i]!)) - Math.min(...points.map((p) => p[i]!)));
  for (const [i, j, k] of AXES)
    if (lengths[i]! > ROD * Math.max(lengths[j]!, lengths[k]!) && moments[i]! > 2 * Math.min(moments[j]!, moments[k]!))
      notes.warn(
        at,
        path,
        `the link is long along ${"xyz"[i]}, but its moment about ${"xyz"[i]} is not the smallest: ${moments.map(short).join(", ")} kg m²`,
        {
          advice: "The inertia may be given in other axes: it is in axes of the link, or of its inertial frame",
        },
      );
}

/** An axis and the two across it. */
const AXES = [
  [0, 1, 2],
  [1, 2, 0],
  [2, 0, 1],
] as const;

/** Corners of a box around a shape, in axes of its body; undefined if the shape is a file. */
function cornersOf(shape: RobotLink["shapes"][number]): readonly Vec3<number>[] | undefined {
  const half = halfLengths(shape);
  if (half === undefined) return undefined;
  const { p, R } = placementOf({ ...(shape.at && { at: shape.at }), ...(shape.rotation && { rotation: shape.rotation }) });
  return [0, 1, 2, 3, 4, 5, 6, 7].map(
    (n) => plus(p, apply(R, half.map((h, i) => ((n >> i) & 1 ? h : -h)) as unknown as Vec3<number>)) as Vec3<number>,
  );
}

function halfLengths(shape: RobotLink["shapes"][number]): readonly number[] | undefined {
  switch (shape.kind) {
    case "box":
    case "ellipsoid":
      return Array.from(shape.size, (size) => size / 2);
    case "sphere":
      return [shape.radius, shape.radius, shape.radius];
    case "cylinder":
      return [shape.radius, shape.radius, shape.length / 2];
    case "capsule":
      return [shape.radius, shape.radius, shape.radius + shape.length / 2];
    default:
      return undefined;
  }
}

/** Compares rigid groups: a sensor of some grams on a trunk is normal, an arm of some grams is not. */
function checkMassRatios(links: readonly RobotLink[], notes: ImportNotes): void {
  const group = links.map((link, i) => (link.hinge.kind === "fixed" && link.parent >= 0 ? -1 : i));
  for (const [i, link] of links.entries()) if (group[i] === -1) group[i] = group[link.parent]!;
  const masses = new Map<number, number>();
  for (const [i, { massProperties }] of links.entries())
    masses.set(group[i]!, (masses.get(group[i]!) ?? 0) + massProperties.mass);
  for (const [i, link] of links.entries()) {
    if (group[i] !== i || link.parent < 0) continue;
    const [own, carrier] = [masses.get(i)!, masses.get(group[link.parent]!)!];
    if (own <= 0 || carrier <= 0 || (own < carrier * MASS_RATIO && carrier < own * MASS_RATIO)) continue;
    const other = JSON.stringify(links[group[link.parent]!]!.name);
    notes.warn({ line: link.massLine }, `link[${link.name}].mass`, `${short(own)} kg moves on ${other} of ${short(carrier)} kg`, {
      advice: "Masses that differ by more than 1000 are often in grams or tonnes, or a placeholder; the motion may be stiff",
    });
  }
}

/** Radius of gyration and distance of the mass centre against the size of the robot. */
function checkSizes(links: readonly RobotLink[], notes: ImportNotes): void {
  const size = robotSize(links);
  for (const { name, massLine, massProperties } of links) {
    const { mass, com, inertia } = massProperties;
    if (mass <= 0) continue;
    const radius = Math.sqrt(Math.max(0, principal(inertia).values[2]) / mass);
    if (size > 0 && radius > SIZE_RATIO * size)
      notes.warn(
        { line: massLine },
        `link[${name}].inertia`,
        `its radius of gyration is ${short(radius)} m, but the robot has a size of ${short(size)} m`,
        {
          advice: "Inertias are in kg m² about the mass centre: check millimetres, grams, and the point of reference",
        },
      );
    if (size > 0 && Math.hypot(...com) > SIZE_RATIO * size)
      notes.warn(
        { line: massLine },
        `link[${name}].com`,
        `the mass centre is ${short(Math.hypot(...com))} m away, but the robot has a size of ${short(size)} m`,
        {
          advice: "Lengths are in metres: check millimetres",
        },
      );
  }
}

const SIZE_RATIO = 3;

/** Sum of the distances between joints and of the sizes of shapes along the longest path. */
function robotSize(links: readonly RobotLink[]): number {
  const reach: number[] = [];
  let largest = 0;
  for (const [i, { hinge, parent, shapes }] of links.entries()) {
    const offset = parent < 0 ? 0 : distance(hinge.at);
    reach[i] = (parent < 0 ? 0 : reach[parent]!) + offset;
    for (const shape of shapes) largest = Math.max(largest, reach[i]! + distance(shape.at) + shapeSize(shape));
    largest = Math.max(largest, reach[i]!);
  }
  return largest;
}

const distance = (at: RobotLink["hinge"]["at"]): number => Math.hypot(...Array.from(at ?? [0]));

function shapeSize(shape: RobotLink["shapes"][number]): number {
  if (shape.kind === "box" || shape.kind === "ellipsoid") return Math.hypot(...Array.from(shape.size)) / 2;
  if (shape.kind === "sphere") return shape.radius;
  return shape.kind === "cylinder" || shape.kind === "capsule" ? shape.radius + shape.length / 2 : 0;
}

const short = (value: number): number => Number(value.toPrecision(3));

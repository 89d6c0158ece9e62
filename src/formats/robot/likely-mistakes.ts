/** Warnings about numbers that are valid but likely wrong: units, axes, points of reference. */
import type { ImportNotes } from "./import-notes.ts";
import { principal } from "./mass-properties.ts";
import type { RobotLink } from "./robot-draft.ts";

/** Masses of links that move against each other differ by less in almost all machines. */
const MASS_RATIO = 1000;

export function likelyMistakes(links: readonly RobotLink[], notes: ImportNotes): void {
  checkMassRatios(links, notes);
  checkSizes(links, notes);
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

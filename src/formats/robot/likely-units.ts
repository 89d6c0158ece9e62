/** Warnings about angles that are likely in degrees or radians, and about the order of quaternions. */
import type { Problem } from "../../errors.ts";
import type { XmlElement } from "../xml/xml-element.ts";
import { parseNumber } from "./attributes.ts";

/** No hinge turns further between its stops; larger ranges are in degrees. */
const MOST_TURN = 8 * Math.PI;

type Warn = (at: XmlElement, path: string, message: string, details: Pick<Problem, "advice" | "value">) => void;

/** Ranges of the joints of a URDF file. */
export function checkJointLimits(joints: readonly XmlElement[], warn: Warn): void {
  for (const joint of joints) {
    const limit = joint.attributes.get("type") === "revolute" ? joint.children.find(({ name }) => name === "limit") : undefined;
    const bounds = ["lower", "upper"].map((key) => Math.abs(parseNumber(limit?.attributes.get(key) ?? "") ?? 0));
    const most = Math.max(...bounds);
    if (limit !== undefined && most > MOST_TURN && most <= 3600)
      warn(
        limit,
        `joint[${joint.attributes.get("name") ?? ""}].limit`,
        "a limit is larger than four turns: it may be in degrees",
        {
          value: `${bounds[0]}, ${bounds[1]}`,
          advice: "URDF has radians",
        },
      );
  }
}

/**
 * Angles and quaternions of an MJCF file.
 * @param radians the unit of its angles, from <compiler>
 */
export function checkMjcfAngles(root: XmlElement, radians: boolean, warn: Warn): void {
  const ranges: { readonly element: XmlElement; readonly most: number }[] = [];
  const quaternions: { readonly element: XmlElement; readonly q: readonly number[] }[] = [];
  const open = [root];
  while (open.length > 0) {
    const element = open.pop()!;
    for (const child of element.children) open.push(child);
    const numbers = (key: string): readonly number[] =>
      (element.attributes.get(key) ?? "")
        .trim()
        .split(/\s+/)
        .map((word) => parseNumber(word) ?? Number.NaN);
    const isHinge = element.name === "joint" && (element.attributes.get("type") ?? "hinge") === "hinge";
    const range = isHinge && element.attributes.has("range") ? numbers("range") : [];
    if (range.length === 2 && range.every(Number.isFinite) && range[0]! < range[1]!)
      ranges.push({ element, most: Math.max(...range.map(Math.abs)) });
    const q = element.attributes.has("quat") ? numbers("quat") : [];
    if (q.length === 4 && q.every(Number.isFinite)) quaternions.push({ element, q });
  }
  const first = ranges.at(-1)?.element;
  if (radians) {
    const wide = ranges.findLast(({ most }) => most > MOST_TURN);
    if (wide)
      warn(wide.element, "joint.range", "a range is larger than four turns: it may be in degrees", {
        advice: 'The file has <compiler angle="radian">',
      });
  } else if (first !== undefined && ranges.length > 1 && ranges.every(({ most }) => most <= Math.PI + 1e-3))
    warn(first, "joint.range", `all ${ranges.length} ranges of hinges are below 3.2 degrees: they may be in radians`, {
      advice: 'Angles are in degrees unless the file has <compiler angle="radian"/>',
    });
  // The identity in the order x, y, z, w is half a turn about z in the order of MuJoCo.
  const turned = quaternions.filter(({ q: [w, x, y, z] }) => w === 0 && x === 0 && y === 0 && z === 1);
  const isOtherOrder = quaternions.every(({ q }) => q[0] !== 1 || q.slice(1).some((c) => c !== 0));
  if (turned.length > 1 && 2 * turned.length > quaternions.length && isOtherOrder)
    warn(
      turned.at(-1)!.element,
      "quat",
      `${turned.length} of ${quaternions.length} quaternions are 0 0 0 1: they may be in the order x y z w`,
      {
        advice: "MuJoCo has w x y z, where 1 0 0 0 is no rotation and 0 0 0 1 is half a turn about z",
      },
    );
}

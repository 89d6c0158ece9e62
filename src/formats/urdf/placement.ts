/** `origin` of URDF: position and roll, pitch, yaw. */
import type { PlacementDescription } from "../../model/description.ts";
import { XmlAttributes } from "../robot/attributes.ts";
import type { ImportNotes } from "../robot/import-notes.ts";
import { childOf, type XmlElement } from "../xml/xml-element.ts";

/** A full turn; larger angles are likely in degrees. */
const FULL_TURN = 2 * Math.PI;

export function readOrigin(element: XmlElement, path: string, notes: ImportNotes): PlacementDescription {
  const origin = childOf(element, "origin");
  if (origin === undefined) return {};
  const attributes = new XmlAttributes(origin, `${path}.origin`, notes);
  const at = attributes.vector("xyz");
  const rpy = attributes.vector("rpy");
  const quaternion = attributes.numbers("quat_xyzw", 4, 4);
  if (rpy?.some((angle) => Math.abs(angle) > FULL_TURN + 1e-3))
    notes.warn(origin, `${path}.origin.rpy`, "an angle is larger than a full turn: it may be in degrees", {
      value: `"${origin.attributes.get("rpy")}"`,
      advice: "URDF has radians",
    });
  return {
    ...(at?.some((c) => c !== 0) && { at }),
    ...(quaternion !== undefined
      ? { rotation: { quaternion: [quaternion[3]!, quaternion[0]!, quaternion[1]!, quaternion[2]!] } }
      : rpy?.some((c) => c !== 0) && { rotation: { rpy } }),
  };
}

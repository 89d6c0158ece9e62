/** Links of URDF: mass properties, pictures and shapes for contact. */
import type { Fields } from "../../declare/plain-data.ts";
import { placementOf } from "../../model/build/placement.ts";
import type { ShapeDescription } from "../../model/description.ts";
import type { Mat3 } from "../../spatial/rotation.ts";
import { XmlAttributes } from "../robot/attributes.ts";
import { contactShapeOf } from "../robot/contact-shape.ts";
import type { ImportNotes } from "../robot/import-notes.ts";
import type { ImportOptions } from "../robot/imported-model.ts";
import { rotated } from "../robot/mass-properties.ts";
import { type LinkMass, NO_MASS } from "../robot/robot-draft.ts";
import { childOf, childrenOf, type XmlElement } from "../xml/xml-element.ts";
import { type Materials, readGeometry, readShape } from "./geometry.ts";
import { readOrigin } from "./placement.ts";

export interface UrdfLink {
  readonly element: XmlElement;
  readonly name: string;
  readonly massLine: number;
  readonly massProperties: LinkMass;
  readonly shapes: readonly ShapeDescription[];
  /** As the force `contact` writes them, without the body. */
  readonly contactShapes: readonly Fields[];
}

const MOST_SHAPES = 100;

export function readLink(element: XmlElement, materials: Materials, options: ImportOptions, notes: ImportNotes): UrdfLink {
  const name = new XmlAttributes(element, "link", notes).neededText("name") ?? "";
  const path = `link[${name}]`;
  const inertial = childOf(element, "inertial");
  const visuals = childrenOf(element, "visual");
  const collisions = childrenOf(element, "collision");
  // Collisions are drawn only if there is nothing else.
  const drawn = visuals.length > 0 ? visuals : collisions;
  const shapes = drawn.flatMap((shape) => readShape(shape, `${path}.${shape.name}`, materials, options, notes));
  if (shapes.length > MOST_SHAPES) notes.warn(element, path, `has ${shapes.length} shapes, the first ${MOST_SHAPES} are drawn`);
  return {
    element,
    name,
    massLine: (inertial ?? element).line,
    massProperties: inertial === undefined ? NO_MASS : readInertial(inertial, `${path}.inertial`, notes),
    shapes: shapes.slice(0, MOST_SHAPES),
    contactShapes: collisions.flatMap((collision) => contactShape(collision, `${path}.collision`, options, notes)),
  };
}

/** Mass properties in link axes. URDF gives the inertia about the mass centre in axes of `origin`; ixy is the entry of the tensor. */
function readInertial(element: XmlElement, path: string, notes: ImportNotes): LinkMass {
  const massElement = childOf(element, "mass");
  const inertiaElement = childOf(element, "inertia");
  if (massElement === undefined)
    notes.problem(element, path, "has no <mass>", {
      advice: 'Write <mass value="..."/>, or remove <inertial> for a link without mass',
    });
  const massAttributes = massElement && new XmlAttributes(massElement, `${path}.mass`, notes);
  massAttributes?.neededText("value");
  const mass = massAttributes?.number("value") ?? 0;
  if (mass < 0) massAttributes!.problem("value", "a mass must not be negative");
  const { p, R } = placementOf(readOrigin(element, path, notes));
  if (inertiaElement === undefined) {
    notes.warn(element, path, "has no <inertia>: the link is a point mass");
    return { mass, com: p, inertia: NO_MASS.inertia };
  }
  const attributes = new XmlAttributes(inertiaElement, `${path}.inertia`, notes);
  const entry = (name: string): number => attributes.number(name) ?? 0;
  const [xy, xz, yz] = [entry("ixy"), entry("ixz"), entry("iyz")];
  const inertia: Mat3<number> = [
    [entry("ixx"), xy, xz],
    [xy, entry("iyy"), yz],
    [xz, yz, entry("izz")],
  ];
  const isParallel = R.flat().every((value, i) => value === (i % 4 === 0 ? 1 : 0));
  return { mass, com: p, inertia: isParallel ? inertia : rotated(inertia, R) };
}

/** The shape of a <collision> as the force `contact` writes it; none if it cannot be used. */
function contactShape(element: XmlElement, path: string, options: ImportOptions, notes: ImportNotes): readonly Fields[] {
  const geometry = element.children.length === 0 ? undefined : readGeometry(element, path, notes);
  if (geometry === undefined) return [];
  if (geometry.kind === "mesh" && geometry.scale.some((factor) => factor === 0)) return [];
  return contactShapeOf(geometry, placementOf(readOrigin(element, path, notes)), element, options, notes);
}

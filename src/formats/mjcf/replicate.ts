/**
 * Replicas of MJCF: copies of the content of <replicate>, with names that end with the number of the copy. Copy i is turned by i times the Euler
 * angles, and shifted from the one before by the offset in the axes of that one.
 */
import type { Placement } from "../../model/model.ts";
import { apply } from "../../spatial/rotation.ts";
import { plus, type Vec3 } from "../../spatial/vec3.ts";
import type { XmlAttributes } from "../robot/attributes.ts";
import type { XmlElement } from "../xml/xml-element.ts";
import type { Compiler } from "./mjcf-file.ts";
import { eulerRotation } from "./orientation.ts";

export interface Replica {
  readonly element: XmlElement;
  readonly placement: Placement;
}

/** Most copies of one <replicate>, and most elements that all copies of it may have together. */
const [MOST_COPIES, MOST_ELEMENTS] = [1000, 20_000];

export function replicasOf(attributes: XmlAttributes, compiler: Compiler): readonly Replica[] {
  const { element } = attributes;
  const count = attributes.neededText("count") === undefined ? 0 : (attributes.number("count") ?? 0);
  if (!Number.isInteger(count) || count < 0 || count > MOST_COPIES) {
    attributes.problem("count", `must be a whole number of at most ${MOST_COPIES}`);
    return [];
  }
  if (count * sizeOf(element) > MOST_ELEMENTS) {
    attributes.problem("count", `makes more than ${MOST_ELEMENTS} elements`, "Use fewer copies");
    return [];
  }
  const offset = attributes.vector("offset") ?? [0, 0, 0];
  const angles = attributes.vector("euler") ?? [0, 0, 0];
  const ending = attributes.text("sep") ?? "";
  const outer = attributes.text(OUTER) ?? "";
  const digits = String(Math.max(0, count - 1)).length;
  const replicas: Replica[] = [];
  let p: Vec3<number> = [0, 0, 0];
  for (let i = 0; i < count; i++) {
    const R = eulerRotation(angles.map((angle) => i * angle) as unknown as Vec3<number>, compiler);
    replicas.push({ element: renamed(element, `${ending}${String(i).padStart(digits, "0")}${outer}`), placement: { R, p } });
    p = plus(p, apply(R, offset)) as Vec3<number>;
  }
  return replicas;
}

/** Number of elements inside, with those of the copies of inner replicas. */
function sizeOf({ children }: XmlElement): number {
  return children.reduce((sum, child) => {
    const copies = child.name === "replicate" ? Number(child.attributes.get("count") ?? 1) || 1 : 1;
    return sum + 1 + copies * sizeOf(child);
  }, 0);
}

/** Holds what the names of an inner <replicate> get from those around it, after their own number. No file can have an attribute of this name. */
const OUTER = "\0outer";

function renamed(element: XmlElement, suffix: string): XmlElement {
  const children = element.children.map((child) =>
    child.name === "replicate" ? withOuter(child, suffix) : renamed(child, suffix),
  );
  const name = element.attributes.get("name");
  const attributes = name === undefined ? element.attributes : new Map([...element.attributes, ["name", name + suffix]]);
  return { ...element, attributes, children };
}

const withOuter = (element: XmlElement, suffix: string): XmlElement => ({
  ...element,
  attributes: new Map([...element.attributes, [OUTER, (element.attributes.get(OUTER) ?? "") + suffix]]),
});

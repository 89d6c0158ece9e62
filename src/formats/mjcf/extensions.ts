/** Sections of MJCF that Castor does not simulate: each is listed with the effect that is missing. */
import { XmlAttributes } from "../robot/attributes.ts";
import type { ImportNotes } from "../robot/import-notes.ts";
import { childrenOf, type XmlElement } from "../xml/xml-element.ts";

const READ = new Set(["compiler", "option", "default", "asset", "worldbody", "equality", "actuator", "keyframe", "contact"]);
const WITHOUT_EFFECT = new Set(["size", "visual", "statistic", "custom"]);

const EFFECTS: Readonly<Record<string, string>> = {
  tendon: "tendons, their springs, limits and the actuators that pull them are missing",
  sensor: "it measures nothing; Castor records channels of every frame and hinge",
  deformable: "skins and deformable bodies are missing",
  extension: "plugins and their forces are missing",
};

/** Options that have an effect on the smooth motion, and that Castor does not have. */
const OPTIONS: Readonly<Record<string, string>> = {
  wind: "forces of the medium are missing",
  density: "forces of the medium are missing",
  viscosity: "forces of the medium are missing",
};

export function listUnsupported(root: XmlElement, notes: ImportNotes): void {
  for (const element of root.children) {
    if (READ.has(element.name) || WITHOUT_EFFECT.has(element.name)) continue;
    if (element.children.length === 0)
      notes.unsupported(element, element.name.slice(0, 100), EFFECTS[element.name] ?? "Castor does not know this section");
    for (const child of element.children)
      notes.unsupported(
        child,
        `${element.name} ${child.name}`.slice(0, 100),
        EFFECTS[element.name] ?? "Castor does not know this section",
      );
  }
  for (const contact of childrenOf(root, "contact"))
    for (const child of contact.children)
      if (child.name !== "exclude")
        notes.unsupported(child, `contact ${child.name}`.slice(0, 100), "this pair is not treated differently from others");
  for (const option of childrenOf(root, "option")) {
    const attributes = new XmlAttributes(option, "option", notes);
    for (const name of attributes.names())
      if (Object.hasOwn(OPTIONS, name) && attributes.numbers(name, 1, 3)?.some((value) => value !== 0))
        notes.unsupported(option, `option ${name}`, OPTIONS[name]!);
  }
}

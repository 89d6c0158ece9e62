/** Default classes of MJCF: attributes that elements of a class have unless they give their own. */
import { didYouMean } from "../../declare/names.ts";
import { valueText } from "../../errors.ts";
import { XmlAttributes } from "../robot/attributes.ts";
import type { ImportNotes } from "../robot/import-notes.ts";
import { childrenOf, type XmlElement } from "../xml/xml-element.ts";

type AttributesByElement = ReadonlyMap<string, ReadonlyMap<string, string>>;

/** Actuators share one default: setting <motor> or <position> in a class sets that of <general>. */
const ACTUATORS = new Set([
  "motor",
  "position",
  "velocity",
  "intvelocity",
  "damper",
  "cylinder",
  "muscle",
  "adhesion",
  "general",
]);
const MAIN = "main";

export class Defaults {
  private readonly classes = new Map<string, AttributesByElement>([[MAIN, new Map()]]);

  constructor(
    root: XmlElement,
    private readonly notes: ImportNotes,
  ) {
    for (const element of childrenOf(root, "default")) this.addClass(element, element.attributes.get("class") ?? MAIN, MAIN);
  }

  /** Reads a class. A nested class starts from the class around it. */
  private addClass(element: XmlElement, name: string, parent: string): void {
    const start = this.classes.get(name) ?? this.classes.get(parent) ?? new Map();
    const attributes = new Map(start);
    for (const child of element.children)
      if (child.name !== "default")
        attributes.set(child.name, new Map([...(attributes.get(child.name) ?? []), ...child.attributes]));
    this.classes.set(name, attributes);
    for (const child of childrenOf(element, "default")) {
      const own = child.attributes.get("class");
      if (own === undefined) this.notes.problem(child, "default.class", "a nested default needs a class");
      else this.addClass(child, own, name);
    }
  }

  /** Attributes of an element: its own, then those of its class, of the class of its body, or of the main class. */
  attributesOf(element: XmlElement, path: string, childclass: string | undefined): XmlAttributes {
    const name = element.attributes.get("class") ?? childclass ?? MAIN;
    const inherited = this.classes.get(name);
    if (inherited === undefined)
      this.notes.problem(element, `${path}.class`, "there is no default class of this name", {
        value: valueText(name),
        ...(this.notes.problems.length < 20 && { advice: didYouMean(name, this.classes.keys()) }),
      });
    const own = inherited?.get(element.name) ?? NONE;
    const values = new Map([
      ...(ACTUATORS.has(element.name) ? this.actuatorDefaults(inherited, element.name) : own),
      ...element.attributes,
    ]);
    return new XmlAttributes(element, path, this.notes, values);
  }

  /** Attributes that all actuators share, and those of the same element. */
  private actuatorDefaults(inherited: AttributesByElement | undefined, name: string): ReadonlyMap<string, string> {
    const merged = new Map<string, string>();
    for (const [element, attributes] of inherited ?? [])
      if (ACTUATORS.has(element))
        for (const [key, value] of attributes)
          if (element === name || SHARED.has(key) || name === "general") merged.set(key, value);
    return merged;
  }
}

const NONE: ReadonlyMap<string, string> = new Map();
const SHARED = new Set([
  "ctrllimited",
  "forcelimited",
  "ctrlrange",
  "forcerange",
  "gear",
  "lengthrange",
  "cranklength",
  "group",
  "user",
]);

/** Default classes of MJCF: attributes that elements of a class have unless they give their own. */
import { didYouMean } from "../../declare/names.ts";
import { valueText } from "../../errors.ts";
import { XmlAttributes } from "../robot/attributes.ts";
import type { ImportNotes } from "../robot/import-notes.ts";
import { childrenOf, type XmlElement } from "../xml/xml-element.ts";
import { generalAttributes, isActuator } from "./general-actuator.ts";

type AttributesByElement = ReadonlyMap<string, ReadonlyMap<string, string>>;

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
    for (const child of element.children) {
      const kind = isActuator(child.name) ? GENERAL : child.name;
      if (kind !== "default")
        attributes.set(kind, inherit(attributes.get(kind) ?? NONE, ownAttributes(child, attributes.get(kind))));
    }
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
    const own = inherited?.get(isActuator(element.name) ? GENERAL : element.name) ?? NONE;
    return new XmlAttributes(element, path, this.notes, inherit(own, ownAttributes(element, own)));
  }
}

const NONE: ReadonlyMap<string, string> = new Map();

/** All actuators share one default, and <general> has the attributes of all. */
const GENERAL = "general";

/** Attributes of an element; those of an actuator as <general> has them. */
const ownAttributes = (element: XmlElement, inherited: ReadonlyMap<string, string> = NONE): ReadonlyMap<string, string> =>
  isActuator(element.name) ? generalAttributes(element, inherited) : element.attributes;

/** An element that gives one of these replaces what its class gives of them. A `quat` replaces none of them, as in MuJoCo. */
const ORIENTATIONS = ["axisangle", "xyaxes", "zaxis", "euler"];
/** Lists of which an element may give the first numbers only. The others stay those of its class. */
const LISTS = new Set(["size", "gear", "gainprm", "biasprm", "dynprm", "polycoef", "friction"]);

function inherit(inherited: ReadonlyMap<string, string>, own: ReadonlyMap<string, string>): ReadonlyMap<string, string> {
  const merged = new Map(inherited);
  if (ORIENTATIONS.some((name) => own.has(name))) for (const name of ORIENTATIONS) merged.delete(name);
  for (const [name, value] of own) {
    const outer = LISTS.has(name) ? inherited.get(name) : undefined;
    merged.set(name, outer === undefined ? value : firstOf(value, outer));
  }
  return merged;
}

const wordsOf = (text: string): readonly string[] => text.split(/\s+/).filter((word) => word !== "");

/** The numbers of a list, then those of the outer list that are left. */
const firstOf = (list: string, outer: string): string => {
  const words = wordsOf(list);
  return [...words, ...wordsOf(outer).slice(words.length)].join(" ");
};

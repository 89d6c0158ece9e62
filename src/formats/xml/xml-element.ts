/** Elements of an XML document: names, attributes and text are data, and every element knows its line. */
export interface XmlElement {
  readonly name: string;
  readonly attributes: ReadonlyMap<string, string>;
  readonly children: readonly XmlElement[];
  /** Character data directly inside the element, without white space at its ends. */
  readonly text: string;
  /** Position of its start tag, counted from 1. */
  readonly line: number;
  readonly column: number;
}

export const childrenOf = (element: XmlElement, name: string): readonly XmlElement[] =>
  element.children.filter((child) => child.name === name);

export const childOf = (element: XmlElement, name: string): XmlElement | undefined =>
  element.children.find((child) => child.name === name);

const NAMES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "\n": "&#10;",
  "\t": "&#9;",
  "\r": "&#13;",
};

/** Text as the value of an attribute. */
export const escapeXml = (text: string): string => text.replace(/[&<>"\n\t\r]/g, (character) => NAMES[character]!);

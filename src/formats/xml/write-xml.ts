/** Writes XML. Names and texts are data: every character that XML reserves is escaped. */
import { ModelError, valueText } from "../../errors.ts";
import { escapeXml } from "./xml-element.ts";

/** Attributes that are undefined are left out. Numbers have all their digits. */
export type XmlValues = Readonly<Record<string, string | number | boolean | readonly number[] | undefined>>;

export interface XmlNode {
  readonly name: string;
  readonly attributes: readonly (readonly [string, string])[];
  readonly children: readonly XmlNode[];
  /** Character data; an element has either text or children. */
  readonly text?: string;
}

/** An element; children that are undefined are left out. */
export function xml(name: string, values: XmlValues, children: readonly (XmlNode | undefined)[] = []): XmlNode {
  const attributes = Object.entries(values).flatMap(([key, value]) =>
    value === undefined ? [] : [[key, Array.isArray(value) ? value.join(" ") : String(value)] as const],
  );
  return { name, attributes, children: children.filter((child) => child !== undefined) };
}

export const xmlWithText = (name: string, text: string): XmlNode => ({ name, attributes: [], children: [], text });

/** Characters that XML cannot contain, not even as a reference. */
const IMPOSSIBLE = /[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/u;

/** @param replace is applied to every value. @throws ModelError if a text has a character that XML cannot contain */
export function xmlText(root: XmlNode, source: string, replace = (value: string): string => value): string {
  const lines = ['<?xml version="1.0" encoding="utf-8"?>'];
  const write = ({ name, attributes, children, text }: XmlNode, indent: string): void => {
    const start = `${indent}<${name}${attributes.map(([key, value]) => ` ${key}="${escapeXml(checked(replace(value), source))}"`).join("")}`;
    if (children.length === 0) {
      lines.push(text === undefined ? `${start}/>` : `${start}>${escapeXml(checked(text, source))}</${name}>`);
      return;
    }
    lines.push(`${start}>`);
    for (const child of children) write(child, `${indent}  `);
    lines.push(`${indent}</${name}>`);
  };
  write(root, "");
  return `${lines.join("\n")}\n`;
}

function checked(value: string, source: string): string {
  if (!IMPOSSIBLE.test(value)) return value;
  throw new ModelError(source, [
    {
      path: "",
      message: "a name has a character that XML cannot contain",
      value: valueText(value),
      advice: "Choose another name",
    },
  ]);
}

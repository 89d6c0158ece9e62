/** Recognises files that xacro has not expanded yet. */
import { ModelError } from "../../errors.ts";
import type { XmlElement } from "../xml/xml-element.ts";

/** @throws ModelError with the command that expands the file */
export function checkExpanded(root: XmlElement, source: string): void {
  const place = firstMacro(root);
  if (place === undefined) return;
  const output = source.replace(/(\.urdf)?\.xacro$/i, "").replace(/\.(urdf|xml)$/i, "-expanded");
  throw new ModelError(source, [
    {
      path: "robot",
      message: `this file must be expanded by xacro first: ${place.what}`,
      line: place.line,
      advice: `Run: xacro ${shellWord(source)} > ${shellWord(`${output}.urdf`)}`,
    },
  ]);
}

function firstMacro(root: XmlElement): { readonly what: string; readonly line: number } | undefined {
  const open: XmlElement[] = [root];
  let first: { what: string; line: number } | undefined;
  while (open.length > 0) {
    const element = open.pop()!;
    const expression = Array.from(element.attributes).find(([, value]) => /\$[({]/.test(value));
    const what = element.name.startsWith("xacro:")
      ? `it contains <${element.name}>`
      : expression && `it contains the expression ${JSON.stringify(expression[1].slice(0, 60))}`;
    // Expressions below <gazebo> may be meant for Gazebo.
    if (what !== undefined && (first === undefined || element.line < first.line)) first = { what, line: element.line };
    if (element.name !== "gazebo") open.push(...element.children);
  }
  return first;
}

/** A file name as one word of a shell command. */
const shellWord = (text: string): string => (/^[\w./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`);

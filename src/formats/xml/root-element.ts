/** The kind of an XML file by its root element, without reading the whole file. */
import type { Problem } from "../../errors.ts";

/** Length of the text in which the root element must begin. */
const LONGEST_PROLOG = 100_000;

/** Name of the root element; undefined if a text is not XML. */
export function rootElementName(text: string): string | undefined {
  let at = /^\ufeff?\s*/.exec(text)![0].length;
  if (text[at] !== "<") return undefined;
  while (at < LONGEST_PROLOG) {
    const end = text.startsWith("<!--", at)
      ? "-->"
      : text.startsWith("<?", at)
        ? "?>"
        : text.startsWith("<!", at)
          ? ">"
          : undefined;
    if (end === undefined) return /^<([\p{L}_][\p{L}\p{N}_:.-]{0,100})/u.exec(text.slice(at, at + 110))?.[1] ?? "";
    const found = text.indexOf(end, at);
    if (found < 0) return "";
    at = found + end.length;
    while (/\s/.test(text[at] ?? "x")) at++;
  }
  return "";
}

const KINDS: Readonly<Record<string, readonly [what: string, advice: string]>> = {
  sdf: ["an SDF file of Gazebo", "Convert it to URDF or MJCF"],
  COLLADA: ["a COLLADA mesh", "Name the robot file that uses it"],
  svg: ["a picture (SVG)", "Name a model file"],
  html: ["a web page", "Download the file itself, e.g. its raw form"],
  mujocoinclude: ["a part that MJCF files include", "Name the file that includes it"],
  robot: ["a URDF or SRDF file", "Name it .urdf, or give the SRDF file with --srdf"],
};

/** Why a file with this root element is not read as a model. */
export function wrongXmlProblem(root: string): Problem {
  const [what, advice] = Object.hasOwn(KINDS, root)
    ? KINDS[root]!
    : [
        root === "" ? "an XML file without an element" : `an XML file with the root element <${root}>`,
        "Robots are read from URDF (<robot>) and MJCF (<mujoco>)",
      ];
  return { path: "", message: `this is ${what}, which Castor does not read as a model`, advice };
}

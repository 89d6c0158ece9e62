/** An MJCF file with its included files, compiler settings and default classes. */
import { ModelError, valueText } from "../../errors.ts";
import { XmlAttributes } from "../robot/attributes.ts";
import type { ImportNotes } from "../robot/import-notes.ts";
import type { ImportOptions } from "../robot/imported-model.ts";
import { readXml } from "../xml/read-xml.ts";
import { childrenOf, type XmlElement } from "../xml/xml-element.ts";

const MOST_INCLUDES = 100;
const MOST_LEVELS = 20;

/** The root element with included files in place of <include>. Each file may be included once. @throws ModelError */
export function withIncludes(text: string, source: string, options: ImportOptions): XmlElement {
  const seen = new Set<string>();
  let count = 0;
  const expand = (element: XmlElement, level: number, file: string): XmlElement => {
    if (element.children.length === 0) return element;
    const children = element.children.flatMap((child): readonly XmlElement[] => {
      if (child.name !== "include") return [expand(child, level, file)];
      const name = child.attributes.get("file") ?? "";
      const refuse = (message: string, advice: string): never => {
        throw new ModelError(file, [{ path: "include", message, line: child.line, value: valueText(name), advice }]);
      };
      if (options.readInclude === undefined) return refuse("no files were given with this model", "Open the file by its path");
      if (seen.has(name) || level >= MOST_LEVELS || ++count > MOST_INCLUDES)
        return refuse("is included a second time, or files include each other too deeply", "Include each file once");
      seen.add(name);
      return expand(readXml(options.readInclude(name), name), level + 1, name).children;
    });
    return { ...element, children };
  };
  return expand(readXml(text, source), 0, source);
}

/** Settings of <compiler> that change the meaning of numbers. */
export interface Compiler {
  /** Radians per unit of angles. */
  readonly angle: number;
  readonly eulerseq: string;
  readonly autolimits: boolean;
  readonly inertiafromgeom: "auto" | "true" | "false";
  readonly inertiagrouprange: readonly [number, number];
  readonly boundmass: number;
  readonly boundinertia: number;
  readonly balanceinertia: boolean;
  readonly settotalmass: number;
  readonly meshdir: string;
  /** True if the folders of mesh files are those of the file, without those that the names give. */
  readonly strippath: boolean;
  /** Meshes that do not say how their mass is distributed. */
  readonly exactMeshInertia: boolean;
  /** Names of the flags of <option> that are disabled. */
  readonly disabled: ReadonlySet<string>;
}

const WITHOUT_EFFECT = ["texturedir", "discardvisual", "fusestatic", "usethread", "convexhull", "saveinertial"];

export function readCompiler(root: XmlElement, notes: ImportNotes): Compiler {
  const values = new Map(childrenOf(root, "compiler").flatMap(({ attributes }) => [...attributes]));
  const element = childrenOf(root, "compiler")[0] ?? root;
  const attributes = new XmlAttributes(element, "compiler", notes, values);
  if (attributes.text("coordinate") === "global")
    attributes.problem(
      "coordinate",
      "global coordinates are not read",
      "Open and save the file with MuJoCo 2.3.3, which converts them",
    );
  const eulerseq = attributes.text("eulerseq") ?? "xyz";
  if (!/^[xyzXYZ]{3}$/.test(eulerseq)) attributes.problem("eulerseq", "must be three of x, y, z, X, Y, Z");
  if (attributes.text("alignfree") === "true")
    notes.unsupported(element, "compiler alignfree", "coordinates of free bodies are those of the body frame in the file");
  const known = [
    "coordinate",
    "eulerseq",
    "angle",
    "autolimits",
    "inertiafromgeom",
    "inertiagrouprange",
    "boundmass",
    "boundinertia",
    "balanceinertia",
    "settotalmass",
    "meshdir",
    "assetdir",
    "alignfree",
    "strippath",
    "exactmeshinertia",
    ...WITHOUT_EFFECT,
  ];
  for (const name of values.keys())
    if (!known.includes(name)) notes.unsupported(element, `compiler ${name}`.slice(0, 100), "Castor does not know this setting");
  const range = attributes.numbers("inertiagrouprange", 2, 2);
  return {
    angle: attributes.choice("angle", ["degree", "radian"]) === "radian" ? 1 : Math.PI / 180,
    eulerseq,
    autolimits: attributes.flag("autolimits") ?? true,
    inertiafromgeom: attributes.choice("inertiafromgeom", ["auto", "true", "false"]) ?? "auto",
    inertiagrouprange: range === undefined ? [0, 5] : [range[0]!, range[1]!],
    boundmass: attributes.number("boundmass") ?? 0,
    boundinertia: attributes.number("boundinertia") ?? 0,
    balanceinertia: attributes.flag("balanceinertia") ?? false,
    settotalmass: attributes.number("settotalmass") ?? -1,
    meshdir: attributes.text("meshdir") ?? attributes.text("assetdir") ?? "",
    strippath: attributes.flag("strippath") ?? false,
    exactMeshInertia: attributes.flag("exactmeshinertia") ?? false,
    disabled: disabledFlags(root),
  };
}

/** Flags that switch off others too. */
const GROUPS: Readonly<Record<string, readonly string[]>> = {
  constraint: ["equality", "limit", "frictionloss"],
  passive: ["spring", "damper"],
};

function disabledFlags(root: XmlElement): ReadonlySet<string> {
  const flags = new Map(
    childrenOf(root, "option").flatMap((option) => childrenOf(option, "flag").flatMap(({ attributes }) => [...attributes])),
  );
  return new Set([...flags].flatMap(([name, value]) => (value === "disable" ? [name, ...(GROUPS[name] ?? [])] : [])));
}

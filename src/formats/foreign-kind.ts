/** Files that are not of Castor: says what they are, so that a message can name the kind instead of the first syntax error. */
import type { Problem } from "../errors.ts";
import { rootElementName, wrongXmlProblem } from "./xml/root-element.ts";

type Kind = readonly [what: string, advice: string];

const MODEL_FILES = "Models are YAML, JSON, URDF or MJCF files";
const MESH: Kind = ["a mesh", "Name the model or robot file that uses it"];
const ARCHIVE: Kind = ["a compressed file", "Unpack it first"];
const PICTURE: Kind = ["a picture", "Name a model file"];

/** Kinds by the first bytes, written as Latin-1 text. */
const BY_FIRST_BYTES: readonly (readonly [string, Kind])[] = [
  ["\u0089PNG", PICTURE],
  ["\u00ff\u00d8\u00ff", PICTURE],
  ["GIF8", PICTURE],
  ["RIFF", PICTURE],
  ["%PDF", ["a PDF document", MODEL_FILES]],
  ["PK\u0003\u0004", ARCHIVE],
  ["\u001f\u008b", ARCHIVE],
  ["BZh", ARCHIVE],
  ["\u00fd7zXZ", ARCHIVE],
  ["7z\u00bc\u00af", ARCHIVE],
  ["glTF", ["a mesh (glTF binary)", MESH[1]]],
  ["\u007fELF", ["a program", MODEL_FILES]],
  ["\u0089HDF", ["an HDF5 data file", MODEL_FILES]],
  ["II*\u0000", ["a TIFF picture or map", "Maps are named by the key terrain of a scenario"]],
  ["MM\u0000*", ["a TIFF picture or map", "Maps are named by the key terrain of a scenario"]],
  ["PAR1", ["a Parquet table", "castor campaign reads the tables of campaigns"]],
];

const BY_EXTENSION: Readonly<Record<string, Kind>> = {
  stl: ["a mesh (STL)", MESH[1]],
  obj: ["a mesh (Wavefront OBJ)", MESH[1]],
  gltf: ["a mesh (glTF)", MESH[1]],
  glb: ["a mesh (glTF binary)", MESH[1]],
  ply: ["a mesh (PLY)", "Export it as STL, OBJ or glTF, and name the model file that uses it"],
  step: ["a CAD file (STEP)", "Export meshes and mass properties, and write a model file"],
  stp: ["a CAD file (STEP)", "Export meshes and mass properties, and write a model file"],
  mo: ["a Modelica model", MODEL_FILES],
  slx: ["a Simulink model", "Export the machine as URDF"],
  usd: ["a USD scene", "Convert it to URDF or MJCF"],
  usda: ["a USD scene", "Convert it to URDF or MJCF"],
  usdc: ["a USD scene", "Convert it to URDF or MJCF"],
  mjb: ["a compiled MuJoCo model", "Name the MJCF file (.xml)"],
  py: ["a Python program", MODEL_FILES],
  js: ["a JavaScript program", MODEL_FILES],
  ts: ["a TypeScript program", MODEL_FILES],
  m: ["a MATLAB program", MODEL_FILES],
  csv: ["a table (CSV)", "Logs are opened by castor studio, and maps and measurements are named by a scenario"],
};

const extensionOf = (name: string): string => /\.(\w+)$/.exec(name)?.[1]?.toLowerCase() ?? "";

const byExtension = (name: string): Kind | undefined => {
  const extension = extensionOf(name);
  return Object.hasOwn(BY_EXTENSION, extension) ? BY_EXTENSION[extension] : undefined;
};

const problemOf = ([what, advice]: Kind): Problem => ({ path: "", message: `this is ${what}`, advice });

/** The kind of a file that is not text; undefined if it is not known. */
export function binaryKindProblem(bytes: Uint8Array, name: string): Problem | undefined {
  const start = new TextDecoder("latin1").decode(bytes.subarray(0, 16));
  const kind = BY_FIRST_BYTES.find(([first]) => start.startsWith(first))?.[1] ?? byExtension(name);
  return kind && problemOf(kind);
}

/** The kind of a text that is neither YAML nor JSON with keys; undefined if it is not known. */
export function textKindProblem(text: string, name: string): Problem | undefined {
  const root = rootElementName(text);
  if (root !== undefined) return ROBOTS[root] === undefined ? wrongXmlProblem(root) : problemOf(ROBOTS[root]);
  const kind = byExtension(name) ?? BY_FIRST_LINE.find(([pattern]) => pattern.test(text.slice(0, 2000)))?.[1];
  return kind && problemOf(kind);
}

const ROBOTS: Readonly<Record<string, Kind | undefined>> = Object.assign(Object.create(null), {
  robot: ["a URDF or SRDF file", "Name it as the model: castor run robot.urdf, or model: robot.urdf in a scenario"],
  mujoco: ["an MJCF file of MuJoCo", "Name it as the model: castor run robot.xml, or model: robot.xml in a scenario"],
});

const BY_FIRST_LINE: readonly (readonly [RegExp, Kind])[] = [
  [/^\s*solid\s[\s\S]*\bfacet\b/i, BY_EXTENSION.stl!],
  [/^(#.*\n)*v(\s+[-+.\de]+){3}/i, BY_EXTENSION.obj!],
  [/^ISO-10303-21/, BY_EXTENSION.step!],
  [/^t( \[\w+\])?,[^\n]*\n[-+.\de]+,/i, ["a log (CSV)", "Open it with castor studio"]],
  [/^#usda /, BY_EXTENSION.usd!],
  [/^\s*(within [\w.]*;\s*)?(partial )?(model|package|class|block) \w+\s/, BY_EXTENSION.mo!],
  [/^#!/, ["a program", MODEL_FILES]],
];

/** Assets of MJCF that geoms refer to: meshes and colours of materials. */

import { euclideanNorm } from "../../math/elementary/hypotenuse.ts";
import { fromQuaternion, IDENTITY, type Mat3 } from "../../spatial/rotation.ts";
import type { XmlAttributes } from "../robot/attributes.ts";
import type { ImportNotes } from "../robot/import-notes.ts";
import { childrenOf, type XmlElement } from "../xml/xml-element.ts";
import type { Defaults } from "./defaults.ts";
import { MESH_INERTIAS, type MjcfMesh } from "./mesh-assets.ts";
import type { Compiler } from "./mjcf-file.ts";

export interface MjcfAssets {
  readonly meshes: ReadonlyMap<string, MjcfMesh>;
  /** Red, green, blue, alpha by material. */
  readonly colours: ReadonlyMap<string, readonly number[]>;
}

export function readAssets(root: XmlElement, compiler: Compiler, defaults: Defaults, notes: ImportNotes): MjcfAssets {
  const meshes = new Map<string, MjcfMesh>();
  const colours = new Map<string, readonly number[]>();
  for (const asset of childrenOf(root, "asset").flatMap(({ children }) => children)) {
    const attributes = defaults.attributesOf(asset, `asset.${asset.name}`, undefined);
    if (asset.name === "mesh") {
      const { name, mesh } = readMeshAsset(attributes, compiler, notes);
      meshes.set(name, mesh);
    } else if (asset.name === "material") {
      const rgba = attributes.numbers("rgba", 4, 4);
      if (rgba !== undefined) colours.set(attributes.text("name") ?? "", rgba);
    } else if (asset.name !== "texture") notes.unsupported(asset, `asset ${asset.name}`.slice(0, 100), "nothing is made of it");
  }
  return { meshes, colours };
}

/** Most vertices of a mesh that a file gives itself, and most corners of its faces. */
const MOST_VALUES = 1_000_000;

function readMeshAsset(attributes: XmlAttributes, compiler: Compiler, notes: ImportNotes): { name: string; mesh: MjcfMesh } {
  const written = attributes.text("file") ?? "";
  const file = compiler.strippath ? written.replace(/^.*[\\/]/, "") : written;
  const isPlaced = compiler.meshdir === "" || /^([\\/]|[a-z]+:)/i.test(file);
  const numbers = attributes.numbers("vertex", 3, MOST_VALUES);
  const quat = attributes.numbers("refquat", 4, 4);
  const norm = euclideanNorm(quat ?? [1]);
  if (norm === 0) attributes.problem("refquat", "a quaternion must not be zero");
  for (const key of ["builtin", "params"])
    if (attributes.has(key)) notes.unsupported(attributes.element, `mesh ${key}`, "this mesh is missing");
  return {
    name: attributes.text("name") ?? file.replace(/^.*[\\/]/, "").replace(/\.[^.]*$/, ""),
    mesh: {
      file: isPlaced ? file : `${compiler.meshdir.replace(/[\\/]$/, "")}/${file}`,
      scale: attributes.vector("scale") ?? [1, 1, 1],
      vertices:
        numbers && Array.from({ length: Math.floor(numbers.length / 3) }, (_, i) => numbers.slice(3 * i, 3 * i + 3) as never),
      faces: attributes.numbers("face", 3, MOST_VALUES),
      reference: {
        p: attributes.vector("refpos") ?? [0, 0, 0],
        R: quat === undefined || norm === 0 ? IDENTITY : (fromQuaternion(quat.map((c) => c / norm) as never) as Mat3<number>),
      },
      inertia: attributes.choice("inertia", MESH_INERTIAS) ?? (compiler.exactMeshInertia ? "exact" : "legacy"),
    },
  };
}

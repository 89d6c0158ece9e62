/** Assets of MJCF that geoms refer to: meshes and colours of materials. */
import type { ImportNotes } from "../robot/import-notes.ts";
import { childrenOf, type XmlElement } from "../xml/xml-element.ts";
import type { Defaults } from "./defaults.ts";
import type { Compiler } from "./mjcf-file.ts";

export interface MjcfAssets {
  readonly meshes: ReadonlyMap<string, { readonly file: string; readonly scale: readonly number[] }>;
  /** Red, green, blue, alpha by material. */
  readonly colours: ReadonlyMap<string, readonly number[]>;
}

export function readAssets(root: XmlElement, compiler: Compiler, defaults: Defaults, notes: ImportNotes): MjcfAssets {
  const meshes = new Map<string, { file: string; scale: readonly number[] }>();
  const colours = new Map<string, readonly number[]>();
  for (const asset of childrenOf(root, "asset").flatMap(({ children }) => children)) {
    const attributes = defaults.attributesOf(asset, `asset.${asset.name}`, undefined);
    if (asset.name === "mesh") {
      const written = attributes.text("file") ?? "";
      const file = compiler.strippath ? written.replace(/^.*[\\/]/, "") : written;
      const name = attributes.text("name") ?? file.replace(/^.*[\\/]/, "").replace(/\.[^.]*$/, "");
      const path =
        compiler.meshdir === "" || /^([\\/]|[a-z]+:)/i.test(file) ? file : `${compiler.meshdir.replace(/[\\/]$/, "")}/${file}`;
      meshes.set(name, { file: path, scale: attributes.vector("scale") ?? [1, 1, 1] });
    } else if (asset.name === "material") {
      const rgba = attributes.numbers("rgba", 4, 4);
      if (rgba !== undefined) colours.set(attributes.text("name") ?? "", rgba);
    } else if (asset.name !== "texture") notes.unsupported(asset, `asset ${asset.name}`.slice(0, 100), "nothing is made of it");
  }
  return { meshes, colours };
}

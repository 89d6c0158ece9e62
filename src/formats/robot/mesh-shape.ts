/** Meshes of robot files as shapes for pictures. A mesh that is missing or cannot be read is left out, with a warning. */
import type { ShapeDescription, ShapeFields } from "../../model/description.ts";
import type { XmlElement } from "../xml/xml-element.ts";
import type { ImportNotes } from "./import-notes.ts";
import type { ImportOptions } from "./imported-model.ts";

const READABLE = /\.(stl|obj|glb|gltf)$/i;

export const isReadableMesh = (file: string): boolean => READABLE.test(file);

export function meshShape(
  element: Pick<XmlElement, "line">,
  file: string,
  scale: readonly number[],
  look: ShapeFields,
  options: ImportOptions,
  notes: ImportNotes,
): readonly ShapeDescription[] {
  const extension = /\.[^./\\]*$/.exec(file)?.[0].toLowerCase() ?? "";
  if (!isReadableMesh(file)) {
    notes.unsupported(
      element,
      `mesh ${extension === "" ? "without an ending" : extension.slice(0, 20)}`,
      "pictures show the body as a solid with its inertia instead",
    );
    return [];
  }
  const [x, y, z] = scale as [number, number, number];
  if (x === 0 || y === 0 || z === 0) {
    notes.warn(element, "mesh.scale", "has a zero, which makes the mesh flat: it is left out", { value: scale.join(" ") });
    return [];
  }
  const isEven = x > 0 && x === y && y === z;
  const path = options.findMesh?.(file);
  if (path === undefined) {
    notes.unsupported(
      element,
      `mesh file that is not here (${extension})`,
      "pictures show the body as a solid with its inertia instead",
    );
    return [];
  }
  return [{ kind: "mesh", file: path, ...(!isEven ? { scale: [x, y, z] as const } : x !== 1 && { scale: x }), ...look }];
}

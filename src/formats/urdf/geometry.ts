/** Shapes of URDF: boxes, cylinders, spheres, capsules and meshes, with their materials. */
import type { ShapeDescription } from "../../model/description.ts";
import { XmlAttributes } from "../robot/attributes.ts";
import type { ImportNotes } from "../robot/import-notes.ts";
import type { ImportOptions } from "../robot/imported-model.ts";
import { meshShape } from "../robot/mesh-shape.ts";
import { childOf, type XmlElement } from "../xml/xml-element.ts";
import { readOrigin } from "./placement.ts";

/** Colours as #rrggbb by the name of the material. */
export type Materials = ReadonlyMap<string, string>;

export function materialsOf(elements: readonly XmlElement[], notes: ImportNotes): Materials {
  const colours = elements.map((element) => [element.attributes.get("name") ?? "", colourOf(element, notes)] as const);
  return new Map(colours.flatMap(([name, colour]) => (colour === undefined ? [] : [[name, colour] as const])));
}

function colourOf(material: XmlElement, notes: ImportNotes): string | undefined {
  if (childOf(material, "texture") !== undefined) notes.unsupported(material, "texture", "pictures show a plain colour");
  const colour = childOf(material, "color");
  const rgba = colour && new XmlAttributes(colour, "material.color", notes).numbers("rgba", 3, 4);
  return rgba && hexColour(rgba);
}

/** Components from 0 to 1 as #rrggbb. */
export const hexColour = (rgba: readonly number[]): string =>
  `#${rgba
    .slice(0, 3)
    .map((c) =>
      Math.round(255 * Math.min(Math.max(c, 0), 1))
        .toString(16)
        .padStart(2, "0"),
    )
    .join("")}`;

/** The shape of a <visual> or <collision>; none if it cannot be drawn. */
export function readShape(
  element: XmlElement,
  path: string,
  materials: Materials,
  options: ImportOptions,
  notes: ImportNotes,
): readonly ShapeDescription[] {
  const placement = readOrigin(element, path, notes);
  const geometry = readGeometry(element, path, notes);
  if (geometry === undefined) return [];
  const material = childOf(element, "material");
  const colour = material && (colourOf(material, notes) ?? materials.get(material.attributes.get("name") ?? ""));
  const look = { ...placement, ...(colour !== undefined && { colour }) };
  if (geometry.kind !== "mesh") return [{ ...geometry, ...look } as ShapeDescription];
  return meshShape(geometry.element, geometry.file, geometry.scale, look, options, notes);
}

type Geometry =
  | { readonly kind: "box"; readonly size: readonly number[] }
  | { readonly kind: "sphere"; readonly radius: number }
  | { readonly kind: "cylinder" | "capsule"; readonly radius: number; readonly length: number }
  | { readonly kind: "mesh"; readonly file: string; readonly scale: readonly number[]; readonly element: XmlElement };

export function readGeometry(element: XmlElement, path: string, notes: ImportNotes): Geometry | undefined {
  const geometry = childOf(element, "geometry");
  const shape = geometry?.children[0];
  if (shape === undefined) {
    notes.warn(element, path, "has no shape in <geometry>, and is left out");
    return undefined;
  }
  const attributes = new XmlAttributes(shape, `${path}.${shape.name}`, notes);
  const positive = (name: string): number => {
    attributes.neededText(name);
    return attributes.number(name) ?? 0;
  };
  const sized = <G extends Geometry>(g: G, ...sizes: readonly number[]): G | undefined => {
    if (sizes.every((size) => size > 0)) return g;
    notes.warn(shape, attributes.path, "has a size that is not positive, and is left out");
    return undefined;
  };
  switch (shape.name) {
    case "box": {
      attributes.neededText("size");
      const size = attributes.vector("size") ?? [0, 0, 0];
      return sized({ kind: "box", size }, ...size);
    }
    case "sphere": {
      const radius = positive("radius");
      return sized({ kind: "sphere", radius }, radius);
    }
    case "cylinder":
    case "capsule": {
      const [radius, length] = [positive("radius"), positive("length")];
      return sized({ kind: shape.name, radius, length }, radius, length);
    }
    case "mesh": {
      const file = attributes.neededText("filename") ?? "";
      return { kind: "mesh", file, scale: attributes.numbers("scale", 3, 3) ?? [1, 1, 1], element: shape };
    }
    default:
      notes.unsupported(shape, `geometry ${shape.name}`, "this shape is not drawn and cannot touch anything");
      return undefined;
  }
}

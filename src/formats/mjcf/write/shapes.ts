/** Geoms of MJCF: pictures, which touch nothing, and shapes for contact. */
import type { Placement } from "../../../model/model.ts";
import { toQuaternion } from "../../../spatial/rotation.ts";
import type { Vec3 } from "../../../spatial/vec3.ts";
import type { ContactSolid } from "../../export/contact-solids.ts";
import type { PlainShape } from "../../export/drawn-shapes.ts";
import { isParallel } from "../../export/export-links.ts";
import { components } from "../../urdf/write-shapes.ts";
import { type XmlNode, type XmlValues, xml } from "../../xml/write-xml.ts";

export interface MeshAsset {
  readonly name: string;
  readonly scale: Vec3<number>;
}

export const placementValues = ({ R, p }: Placement): XmlValues => ({
  pos: p.some((c) => c !== 0) ? p : undefined,
  quat: isParallel(R) ? undefined : toQuaternion(R),
});

/** Groups of geoms by the custom of MuJoCo's models: 2 is drawn, 3 touches. */
const DRAWN = { contype: 0, conaffinity: 0, group: 2 };
const TOUCHES = { group: 3 };

/** @param meshes assets, to which meshes are added */
export const shapeNodes = (
  shapes: readonly PlainShape[],
  onLink: (X: Placement) => Placement,
  meshes: Map<string, MeshAsset>,
): readonly XmlNode[] =>
  shapes.map((shape) =>
    xml("geom", {
      ...geometryValues(shape, meshes),
      ...placementValues(onLink(shape.placement)),
      ...DRAWN,
      rgba: shape.colour === undefined ? undefined : [...components(shape.colour), 1],
    }),
  );

export const solidNodes = (
  solids: readonly ContactSolid[],
  onLink: (X: Placement) => Placement,
  meshes: Map<string, MeshAsset>,
): readonly XmlNode[] =>
  solids.map((solid) =>
    xml("geom", {
      ...(solid.kind === "plane" ? { type: "plane", size: [0, 0, 1] } : geometryValues(solid, meshes)),
      ...placementValues(onLink(solid.placement)),
      ...TOUCHES,
    }),
  );

/** Half lengths and radii, or a mesh. */
function geometryValues(shape: PlainShape, meshes: Map<string, MeshAsset>): XmlValues {
  switch (shape.kind) {
    case "mesh":
      return { type: "mesh", mesh: assetOf(shape.file, shape.scale, meshes) };
    case "box":
    case "ellipsoid":
      return { type: shape.kind, size: shape.size.map((length) => length / 2) };
    case "sphere":
      return { type: "sphere", size: shape.radius };
    default:
      return { type: shape.kind, size: [shape.radius, shape.length / 2] };
  }
}

/** The asset of a mesh file. The same file with another scale is another asset. */
function assetOf(file: string, scale: Vec3<number>, meshes: Map<string, MeshAsset>): string {
  const key = `${file}\n${scale.join(" ")}`;
  const known = meshes.get(key);
  if (known !== undefined) return known.name;
  const asset = { name: `mesh-${meshes.size + 1}`, scale };
  meshes.set(key, asset);
  return asset.name;
}

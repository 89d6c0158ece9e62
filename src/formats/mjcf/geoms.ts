/** Geoms of MJCF: mass, pictures and shapes for contact. */
import type { Fields } from "../../declare/plain-data.ts";
import { hullProblem } from "../../math/convex/convex-hull.ts";
import { euclideanNorm } from "../../math/elementary/hypotenuse.ts";
import type { ShapeDescription } from "../../model/description.ts";
import type { Placement } from "../../model/model.ts";
import { apply, IDENTITY } from "../../spatial/rotation.ts";
import { plus, type Vec3 } from "../../spatial/vec3.ts";
import type { XmlAttributes } from "../robot/attributes.ts";
import { type CollisionGeometry, contactShapeOf } from "../robot/contact-shape.ts";
import type { ImportNotes } from "../robot/import-notes.ts";
import type { ImportOptions } from "../robot/imported-model.ts";
import { inFrame } from "../robot/mass-properties.ts";
import { meshShape } from "../robot/mesh-shape.ts";
import { composed, describe } from "../robot/placements.ts";
import { type LinkMass, NO_MASS } from "../robot/robot-draft.ts";
import { hexColour } from "../urdf/geometry.ts";
import type { MjcfAssets } from "./assets.ts";
import { drawnPlacement, type MjcfMesh, meshSolid, ownVertices } from "./mesh-assets.ts";
import type { Compiler } from "./mjcf-file.ts";
import { readPlacement, shortestRotation } from "./orientation.ts";
import { type GeomSolid, solidOf } from "./solids.ts";

export interface Geom {
  /** In body axes; nothing for geoms outside of the group range, undefined if it is that of a mesh that is not known. Notes what is missing. */
  massProperties(): LinkMass | undefined;
  readonly attributes: XmlAttributes;
  readonly shapes: readonly ShapeDescription[];
  /** As the force `contact` writes it, without the body. */
  readonly contactShapes: readonly Fields[];
  readonly contactBits: ContactBits;
}

/** Density of geoms without mass, kg/m³. */
const DENSITY = 1000;
const TYPES = ["plane", "hfield", "sphere", "capsule", "ellipsoid", "cylinder", "box", "mesh", "sdf"] as const;

export interface GeomContext {
  readonly compiler: Compiler;
  readonly assets: MjcfAssets;
  readonly options: ImportOptions;
  readonly notes: ImportNotes;
}

/** @param frame placement of the <frame> elements around the geom on its body */
export function readGeom(attributes: XmlAttributes, frame: Placement, isOnWorld: boolean, context: GeomContext): Geom {
  const { compiler, notes } = context;
  const mesh = attributes.text("mesh");
  const type = attributes.choice("type", TYPES) ?? "sphere";
  const { placement, size } = sizeAndPlacement(attributes, type, compiler);
  const X = composed(frame, placement);
  const solid = mesh === undefined || type === "mesh" ? solidOf(type, size) : undefined;
  if (mesh !== undefined && type !== "mesh")
    notes.unsupported(attributes.element, `geom ${type} fitted to a mesh`, "its mass and shape are missing");
  const contactBits = contactBitsOf(attributes);
  return {
    massProperties: () => (isOnWorld ? NO_MASS : massOf(attributes, solid, X, context)),
    attributes,
    shapes: isOnWorld ? [] : drawn(attributes, type, size, X, context),
    contactBits,
    contactShapes: canTouch(contactBits) ? contactShape(attributes, type, size, X, context) : [],
  };
}

/** Half lengths and radii, with `fromto` instead of position and length. */
function sizeAndPlacement(
  attributes: XmlAttributes,
  type: string,
  compiler: Compiler,
): { placement: Placement; size: Vec3<number> } {
  const [a = 0, b = 0, c = 0] = attributes.numbers("size", 1, 3) ?? [];
  const fromto = attributes.numbers("fromto", 6, 6);
  if (fromto === undefined || !["capsule", "cylinder", "ellipsoid", "box"].includes(type))
    return { placement: readPlacement(attributes, compiler), size: [a, b, c] };
  const along = [0, 1, 2].map((i) => fromto[i]! - fromto[i + 3]!);
  const length = euclideanNorm(along);
  if (length === 0) attributes.problem("fromto", "the two ends are the same");
  const placement: Placement = {
    p: [0, 1, 2].map((i) => (fromto[i]! + fromto[i + 3]!) / 2) as unknown as Vec3<number>,
    R: length === 0 ? IDENTITY : shortestRotation(along.map((v) => v / length) as unknown as Vec3<number>),
  };
  return { placement, size: type === "box" || type === "ellipsoid" ? [a, a, length / 2] : [a, length / 2, 0] };
}

function massOf(
  attributes: XmlAttributes,
  primitive: GeomSolid | undefined,
  X: Placement,
  { compiler, assets, options, notes }: GeomContext,
): LinkMass | undefined {
  const group = attributes.number("group") ?? 0;
  const [first, last] = compiler.inertiagrouprange;
  const mass = attributes.number("mass");
  const density = attributes.number("density") ?? DENSITY;
  if (group < first || group > last || mass === 0 || (mass === undefined && density === 0)) return NO_MASS;
  if (primitive !== undefined && attributes.flag("shellinertia") === true)
    notes.unsupported(attributes.element, "geom shellinertia", "the mass is that of a full body, not of a shell");
  const mesh = attributes.text("type") === "mesh" ? assets.meshes.get(attributes.text("mesh") ?? "") : undefined;
  const own = mesh === undefined ? primitive && ofPrimitive(primitive) : meshSolid(mesh, options);
  if (own === undefined || own.mass <= 0) return attributes.has("mesh") ? undefined : NO_MASS;
  const scale = mass === undefined ? density : mass / own.mass;
  const inertia = own.inertia.map((row) => row.map((value) => value * scale)) as unknown as LinkMass["inertia"];
  return inFrame({ mass: scale * own.mass, com: own.com, inertia }, X);
}

const ofPrimitive = ({ volume, moments: [x, y, z] }: GeomSolid): LinkMass => ({
  mass: volume,
  com: [0, 0, 0],
  inertia: [
    [x, 0, 0],
    [0, y, 0],
    [0, 0, z],
  ],
});

function colourOf(attributes: XmlAttributes, { assets }: GeomContext): { colour?: string } {
  const rgba = attributes.numbers("rgba", 4, 4) ?? assets.colours.get(attributes.text("material") ?? "");
  return rgba === undefined ? {} : { colour: hexColour(rgba) };
}

function drawn(
  attributes: XmlAttributes,
  type: string,
  [a, b, c]: Vec3<number>,
  X: Placement,
  context: GeomContext,
): readonly ShapeDescription[] {
  const { assets, options, notes } = context;
  const look = { ...describe(X), ...colourOf(attributes, context) };
  const isSized = (...sizes: readonly number[]): boolean => sizes.every((size) => size > 0);
  if (type === "sphere" && isSized(a)) return [{ kind: "sphere", radius: a, ...look }];
  if (type === "box" && isSized(a, b, c)) return [{ kind: "box", size: [2 * a, 2 * b, 2 * c], ...look }];
  if (type === "ellipsoid" && isSized(a, b, c)) return [{ kind: "ellipsoid", size: [2 * a, 2 * b, 2 * c], ...look }];
  if ((type === "capsule" || type === "cylinder") && isSized(a, b)) return [{ kind: type, radius: a, length: 2 * b, ...look }];
  if (type === "mesh") {
    const mesh = assets.meshes.get(attributes.text("mesh") ?? "");
    if (mesh === undefined) {
      notes.unsupported(attributes.element, "geom with a mesh that is no asset", "it is not drawn");
      return [];
    }
    const place = mesh.vertices === undefined ? drawnPlacement(mesh) : undefined;
    if (place === undefined) {
      const reason = mesh.vertices === undefined ? "with refquat and an uneven scale" : "of vertices in the file";
      notes.unsupported(attributes.element, `picture of a mesh ${reason}`, "it is not drawn");
      return [];
    }
    return meshShape(attributes.element, mesh.file, mesh.scale, { ...look, ...describe(composed(X, place)) }, options, notes);
  }
  if (type !== "plane") notes.unsupported(attributes.element, `picture of a geom ${type}`, "it is not drawn");
  return [];
}

/** Bit masks of a geom: two geoms touch if `contype` of one and `conaffinity` of the other have a common bit. */
export interface ContactBits {
  readonly contype: number;
  readonly conaffinity: number;
}

const contactBitsOf = (attributes: XmlAttributes): ContactBits => ({
  contype: attributes.number("contype") ?? 1,
  conaffinity: attributes.number("conaffinity") ?? 1,
});

/** A mesh touches as its hull. */
function meshContact(
  { element }: XmlAttributes,
  mesh: MjcfMesh,
  X: Placement,
  options: ImportOptions,
  notes: ImportNotes,
): readonly Fields[] {
  const points = ownVertices(mesh);
  if (points !== undefined)
    return hullProblem(points) === undefined
      ? [{ kind: "hull", points: points.map((point) => plus(X.p, apply(X.R, point))) }]
      : [];
  const place = drawnPlacement(mesh);
  if (place !== undefined) {
    const { file, scale } = mesh;
    return contactShapeOf({ kind: "mesh", file, scale }, composed(X, place), element, options, notes);
  }
  notes.unsupported(element, "contact of a mesh with refquat and an uneven scale", "this shape cannot touch anything");
  return [];
}

const canTouch = ({ contype, conaffinity }: ContactBits): boolean => contype !== 0 || conaffinity !== 0;

function contactShape(
  attributes: XmlAttributes,
  type: (typeof TYPES)[number],
  [a, b, c]: Vec3<number>,
  X: Placement,
  { assets, options, notes }: GeomContext,
): readonly Fields[] {
  const shape = (geometry: CollisionGeometry, ...sizes: readonly number[]): readonly Fields[] =>
    sizes.every((size) => size > 0) ? contactShapeOf(geometry, X, attributes.element, options, notes) : [];
  switch (type) {
    case "sphere":
      return shape({ kind: type, radius: a }, a);
    case "box":
    case "ellipsoid":
      return shape({ kind: type, size: [2 * a, 2 * b, 2 * c] }, a, b, c);
    case "capsule":
    case "cylinder":
      return shape({ kind: type, radius: a, length: 2 * b }, a, b);
    case "plane":
      return shape({ kind: type });
    case "mesh": {
      const mesh = assets.meshes.get(attributes.text("mesh") ?? "");
      return mesh === undefined || mesh.scale.some((factor) => factor === 0)
        ? []
        : meshContact(attributes, mesh, X, options, notes);
    }
    default:
      notes.unsupported(attributes.element, `contact of a geom ${type}`, "this shape cannot touch anything");
      return [];
  }
}

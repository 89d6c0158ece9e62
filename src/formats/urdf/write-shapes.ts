/** Shapes of URDF links. URDF has boxes, spheres, cylinders and meshes; a capsule is written as a cylinder with two spheres. */
import type { Placement } from "../../model/model.ts";
import type { ContactSolid } from "../export/contact-solids.ts";
import type { PlainShape } from "../export/drawn-shapes.ts";
import { isParallel } from "../export/export-links.ts";
import type { ExportNotes } from "../export/export-notes.ts";
import type { ExportedRobot } from "../export/exported-robot.ts";
import { composed, translation } from "../robot/placements.ts";
import { type XmlNode, xml } from "../xml/write-xml.ts";
import { rollPitchYaw } from "./roll-pitch-yaw.ts";

export function originNode({ R, p }: Placement): XmlNode | undefined {
  const isTurned = !isParallel(R);
  if (!isTurned && p.every((c) => c === 0)) return undefined;
  return xml("origin", { xyz: p, rpy: isTurned ? rollPitchYaw(R) : undefined });
}

/** @param onLink places a frame of the body on its link */
export const visualNodes = (
  shapes: readonly PlainShape[],
  onLink: (X: Placement) => Placement,
  robot: ExportedRobot,
  notes: ExportNotes,
): readonly XmlNode[] =>
  shapes.flatMap((shape) =>
    partsOf(shape, shape.placement).flatMap(([geometry, X]) => {
      const node = geometryNode(geometry, robot);
      if (node === undefined) notes.miss(`picture of a shape ${shape.kind}`, "URDF has no such shape: it is not drawn");
      const material = shape.colour === undefined ? undefined : materialNode(shape.colour);
      return node === undefined ? [] : [xml("visual", {}, [originNode(onLink(X)), xml("geometry", {}, [node]), material])];
    }),
  );

export const collisionNodes = (
  solids: readonly ContactSolid[],
  onLink: (X: Placement) => Placement,
  robot: ExportedRobot,
  notes: ExportNotes,
): readonly XmlNode[] =>
  solids.flatMap((solid) => {
    if (solid.kind !== "plane")
      return partsOf(solid, solid.placement).map(([geometry, X]) =>
        xml("collision", {}, [originNode(onLink(X)), xml("geometry", {}, [geometryNode(geometry, robot)])]),
      );
    notes.miss("contact shape plane", "URDF has no planes: this shape cannot touch anything in the file");
    return [];
  });

type Solid = PlainShape extends infer S ? (S extends PlainShape ? Omit<S, "placement"> : never) : never;

function partsOf(shape: PlainShape, X: Placement): readonly (readonly [Solid, Placement])[] {
  if (shape.kind !== "capsule") return [[shape, X]];
  const { radius, length } = shape;
  const end = (z: number): readonly [Solid, Placement] => [{ kind: "sphere", radius }, composed(X, translation([0, 0, z]))];
  return [[{ kind: "cylinder", radius, length }, X], end(-length / 2), end(length / 2)];
}

/** Undefined if URDF has no such shape. */
function geometryNode(shape: Solid, { meshPath = (path) => path }: ExportedRobot): XmlNode | undefined {
  switch (shape.kind) {
    case "box":
      return xml("box", { size: shape.size });
    case "sphere":
      return xml("sphere", { radius: shape.radius });
    case "mesh":
      return xml("mesh", {
        filename: meshPath(shape.file),
        scale: shape.scale.every((factor) => factor === 1) ? undefined : shape.scale,
      });
    case "cylinder":
    case "capsule":
      return xml("cylinder", { radius: shape.radius, length: shape.length });
    case "ellipsoid":
      return undefined;
  }
}

const materialNode = (colour: string): XmlNode =>
  xml("material", { name: colour.replace("#", "colour-") }, [xml("color", { rgba: [...components(colour), 1] })]);

/** Red, green and blue from 0 to 1. */
export const components = (colour: string): readonly number[] =>
  [1, 3, 5].map((i) => Number((Number.parseInt(colour.slice(i, i + 2), 16) / 255).toFixed(4)));

/** Collision geometry of robot files as the shapes of the force `contact`. Names and bodies are added by the caller. */
import type { Fields } from "../../declare/plain-data.ts";
import { fibonacciDirections } from "../../math/convex/reduced-hull.ts";
import type { Placement } from "../../model/model.ts";
import { apply } from "../../spatial/rotation.ts";
import type { Vec3 } from "../../spatial/vec3.ts";
import { rollPitchYaw } from "../urdf/roll-pitch-yaw.ts";
import type { XmlElement } from "../xml/xml-element.ts";
import type { ImportNotes } from "./import-notes.ts";
import type { ImportOptions } from "./imported-model.ts";
import { isReadableMesh } from "./mesh-shape.ts";

export type CollisionGeometry =
  | { readonly kind: "sphere"; readonly radius: number }
  | { readonly kind: "box" | "ellipsoid"; readonly size: readonly number[] }
  /** Along z, with the middle at the origin. */
  | { readonly kind: "capsule" | "cylinder"; readonly radius: number; readonly length: number }
  /** The half-space below z = 0. */
  | { readonly kind: "plane" }
  | { readonly kind: "mesh"; readonly file: string; readonly scale: readonly number[] };

/** Corners of the hull that stands for an ellipsoid. */
const ELLIPSOID_CORNERS = 60;

/** The shape, placed on its body; none, and a note, if it cannot be used. */
export function contactShapeOf(
  geometry: CollisionGeometry,
  { p, R }: Placement,
  at: Pick<XmlElement, "line">,
  { findMesh }: ImportOptions,
  notes: ImportNotes,
): readonly Fields[] {
  const turned = R.flat().every((value, i) => value === (i % 4 === 0 ? 1 : 0)) ? {} : { rpy: rollPitchYaw(R) };
  switch (geometry.kind) {
    case "sphere":
      return [{ kind: "sphere", at: p, radius: geometry.radius }];
    case "box":
      return [{ kind: "box", at: p, size: geometry.size, ...turned }];
    case "cylinder":
      return [{ kind: "cylinder", at: p, axis: axisZ(R), radius: geometry.radius, length: geometry.length }];
    case "plane":
      return [{ kind: "plane", at: p, axis: axisZ(R) }];
    case "capsule": {
      const half = apply(R, [0, 0, geometry.length / 2]) as readonly number[];
      const end = (sign: number): readonly number[] => p.map((c, i) => c + sign * half[i]!);
      return [{ kind: "capsule", at: end(-1), to: end(1), radius: geometry.radius }];
    }
    case "ellipsoid": {
      const { size } = geometry;
      notes.unsupported(
        at,
        "contact of an ellipsoid",
        `it touches as the hull of ${ELLIPSOID_CORNERS} points on it, which is up to 4 % of its size inside of it`,
      );
      const points = fibonacciDirections(ELLIPSOID_CORNERS).map((direction) => direction.map((c, i) => (c * size[i]!) / 2));
      return [{ kind: "hull", at: p, points, ...turned }];
    }
    case "mesh": {
      const { file, scale } = geometry;
      const path = isReadableMesh(file) ? findMesh?.(file) : undefined;
      if (path !== undefined) return [{ kind: "hull", at: p, file: path, ...scaleOf(scale), ...turned }];
      const reason = isReadableMesh(file) ? "whose file is not here" : "of a format that is not read";
      notes.unsupported(at, `collision mesh ${reason}`, "this shape cannot touch anything");
      return [];
    }
  }
}

const axisZ = (R: Placement["R"]): Vec3<number> => [R[0][2], R[1][2], R[2][2]];

function scaleOf(scale: readonly number[]): Fields {
  const [x, y, z] = scale;
  if (x !== y || x !== z || x! < 0) return { scale };
  return x === 1 ? {} : { scale: x };
}

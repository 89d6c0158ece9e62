/** Shapes for contact as solids with a placement, as robot files write them. */
import { type Fields, itemsOf } from "../../declare/plain-data.ts";
import { placementOf } from "../../model/build/placement.ts";
import type { Placement } from "../../model/model.ts";
import type { Vec3 } from "../../spatial/vec3.ts";
import { shortestRotation } from "../mjcf/orientation.ts";
import type { PlainShape } from "./drawn-shapes.ts";
import type { ExportNotes } from "./export-notes.ts";
import type { ExportedRobot } from "./exported-robot.ts";

/** A solid, the hull of a mesh, or the half space below the plane z = 0 of its frame. */
export type ContactSolid = PlainShape | { readonly kind: "plane"; readonly placement: Placement };

/** The solids by the name of the body or frame that carries them; "" is the world. */
export function contactSolids(
  { contactShapes = [] }: ExportedRobot,
  notes: ExportNotes,
): ReadonlyMap<string, readonly ContactSolid[]> {
  const solids = new Map<string, ContactSolid[]>();
  for (const shape of contactShapes) {
    const carrier = typeof shape.on === "string" ? shape.on : "";
    const solid = solidOf(shape);
    if (solid === undefined) notes.miss(`contact shape ${String(shape.kind)}`, "this shape cannot touch anything in the file");
    else solids.set(carrier, [...(solids.get(carrier) ?? []), solid]);
  }
  return solids;
}

const vector = (value: unknown): Vec3<number> | undefined => {
  const items = itemsOf(value);
  return items?.length === 3 && items.every((item) => typeof item === "number") ? (items as unknown as Vec3<number>) : undefined;
};

const scaleOf = (scale: unknown): Vec3<number> =>
  vector(scale) ?? (typeof scale === "number" ? [scale, scale, scale] : [1, 1, 1]);

function solidOf(shape: Fields): ContactSolid | undefined {
  const at = vector(shape.at) ?? [0, 0, 0];
  const axis = vector(shape.axis) ?? [0, 0, 1];
  const along = (direction: Vec3<number>, p: Vec3<number>): Placement => ({ R: shortestRotation(unit(direction)), p });
  const [radius, length] = [shape.radius, shape.length];
  if (shape.kind === "plane") return { kind: "plane", placement: along(axis, at) };
  if (shape.kind === "box" || shape.kind === "hull") {
    const [size, rpy] = [vector(shape.size), vector(shape.rpy)];
    const placement = placementOf({ at, ...(rpy && { rotation: { rpy } }) });
    if (shape.kind === "box") return size && { kind: "box", size, placement };
    return typeof shape.file === "string"
      ? { kind: "mesh", file: shape.file, scale: scaleOf(shape.scale), placement }
      : undefined;
  }
  if (typeof radius !== "number") return undefined;
  if (shape.kind === "sphere") return { kind: "sphere", radius, placement: placementOf({ at }) };
  if (shape.kind === "cylinder" && typeof length === "number")
    return { kind: "cylinder", radius, length, placement: along(axis, at) };
  const to = shape.kind === "capsule" ? vector(shape.to) : undefined;
  if (to === undefined) return undefined;
  const span = to.map((c, i) => c - at[i as 0]) as unknown as Vec3<number>;
  const middle = to.map((c, i) => (c + at[i as 0]) / 2) as unknown as Vec3<number>;
  return { kind: "capsule", radius, length: Math.hypot(...span), placement: along(span, middle) };
}

const unit = (v: Vec3<number>): Vec3<number> => {
  const norm = Math.hypot(...v);
  return norm === 0 ? [0, 0, 1] : (v.map((c) => c / norm) as unknown as Vec3<number>);
};

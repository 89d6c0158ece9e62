/** Shapes for pictures as robot files have them: copies are written one by one, and a panel is a box. */
import { type BodyShape, shapeInstances } from "../../model/body-shape.ts";
import type { ExportNotes } from "./export-notes.ts";

const KINDS = ["box", "sphere", "cylinder", "capsule", "ellipsoid", "mesh"] as const;

/** A shape that a robot file can have. */
export type PlainShape = Extract<BodyShape, { readonly kind: (typeof KINDS)[number] }>;

export const drawnShapes = (shapes: readonly BodyShape[], notes: ExportNotes): readonly PlainShape[] =>
  shapes.flatMap(shapeInstances).flatMap((shape): readonly PlainShape[] => {
    if (shape.kind === "panel") return [{ ...shape, kind: "box" }];
    if (isPlain(shape)) return [shape];
    notes.miss(`picture of a shape ${shape.kind}`, "robot files have no such shape: it is not drawn");
    return [];
  });

const isPlain = (shape: BodyShape): shape is PlainShape => KINDS.some((kind) => kind === shape.kind);

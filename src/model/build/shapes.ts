/** The shapes of bodies. */

import type { NoteRule, Parameter } from "../../declare/parameters.ts";
import type { Fields } from "../../declare/plain-data.ts";
import { axisVector } from "../../spatial/axis.ts";
import type { NumericVec3 } from "../../spatial/vec3.ts";
import type { BodyShape, ShapeCopies } from "../body-shape.ts";
import type { ShapeDescription, ShapeFields } from "../description.ts";
import { MATERIAL_NAMES } from "../surface/materials.ts";
import { describePlacement, PLACEMENT, placementOf } from "./placement.ts";
import { SHAPE_KINDS } from "./shape-kinds.ts";

const MAX_SHAPES = 100;
/** Most copies of a shape, and most shapes on a body with all copies. */
const [MAX_COPIES, MAX_DRAWN] = [1000, 4000];

export const SHAPE_LIST = {
  type: "items",
  noun: "shape",
  nouns: "shapes",
  owner: "on a body",
  most: MAX_SHAPES,
  optional: true,
  setting: "never",
  about: "Shapes for drawings; they do not affect the motion. The solid with the same inertia if not given.",
  check: (shapes: readonly (ShapeDescription | undefined)[]) => {
    const drawn = shapes.reduce((sum, shape) => sum + (shape?.copies ?? 1) * (shape?.rows ?? 1), 0);
    return drawn > MAX_DRAWN
      ? { message: `at most ${MAX_DRAWN} shapes with all copies, these are ${drawn}`, advice: "Use fewer copies, or a mesh" }
      : undefined;
  },
  of: {
    type: "kinds",
    noun: "shape",
    about: "Shape of the body for drawings, about the middle of the shape.",
    kinds: () => SHAPE_KINDS,
    common: {
      ...PLACEMENT,
      colour: {
        type: "text",
        optional: true,
        about: "Colour as #rrggbb; that of the material if not given.",
        pattern: { source: "^#[\\da-fA-F]{6}$", means: "a colour as #rrggbb", advice: 'In quotes, e.g. "#c0c8d0"' },
      },
      material: {
        type: "choice",
        of: MATERIAL_NAMES,
        refusal: "no such material",
        optional: true,
        about: "How the surface reflects light.",
      },
      copies: {
        type: "number",
        unit: "",
        least: 1,
        most: MAX_COPIES,
        whole: true,
        optional: true,
        about: "Number of copies around an axis of the body, with the shape itself.",
      },
      around: { type: "axis", optional: true, about: "Axis of the copies in the body frame; z if not given." },
      about: { type: "vector", unit: "m", optional: true, about: "Point of the body on that axis; the origin if not given." },
      spacing: {
        type: "number",
        unit: "rad",
        optional: true,
        about: "Angle between two copies; evenly over a whole turn if not given.",
      },
      rows: {
        type: "number",
        unit: "",
        least: 1,
        most: MAX_COPIES,
        whole: true,
        optional: true,
        about: "Number of copies in a row, with the shape itself; each of the copies around the axis has such a row.",
      },
      step: {
        type: "vector",
        unit: "m",
        optional: true,
        about: "From copy to copy in a row, in the body frame; it turns with the copies around the axis.",
      },
    },
    rule: copiesRule,
  },
} as const satisfies Parameter;

function copiesRule({ copies, around, about, spacing, rows, step }: ShapeFields, note: NoteRule): void {
  if ((copies ?? 1) * (rows ?? 1) > MAX_COPIES) note("rows", `at most ${MAX_COPIES} copies of a shape, rows times copies`);
  if (rows !== undefined && step === undefined)
    note("step", "is missing: it leads from copy to copy in a row", "E.g. step: [0.2, 0, 0]");
  if (rows === undefined && step !== undefined) note("rows", "is missing: the number of copies along the step", "E.g. rows: 5");
  for (const [key, value] of Object.entries({ around, about, spacing }))
    if (value !== undefined && copies === undefined)
      note("copies", `is missing: ${key} belongs to copies around an axis`, "E.g. copies: 6");
}

/** The shapes of a list. Entries with a problem, which the reader has reported, are left out. */
export const shapesOf = (list: readonly (ShapeDescription | undefined)[] | undefined): readonly BodyShape[] =>
  (list ?? []).flatMap((shape) => (shape?.kind === undefined ? [] : [shapeOf(shape)]));

/** The shape that a valid description means. */
export function shapeOf(description: ShapeDescription): BodyShape {
  const { at, rotation, dh, colour, material, copies, around, about, spacing, rows, step, ...geometry } = description;
  const placement = placementOf({ ...(at && { at }), ...(rotation && { rotation }), ...(dh && { dh }) });
  const hasCopies = copies !== undefined || rows !== undefined;
  const count = copies ?? 1;
  const vector = (v: ArrayLike<number> | undefined): NumericVec3 => [v?.[0] ?? 0, v?.[1] ?? 0, v?.[2] ?? 0];
  const pattern: ShapeCopies = {
    count,
    around: axisVector(around ?? "z"),
    about: vector(about),
    spacing: spacing ?? (2 * Math.PI) / count,
    rows: rows ?? 1,
    step: vector(step),
  };
  return {
    ...defaultsOf(geometry.kind),
    ...geometry,
    ...(geometry.kind === "mesh" && { scale: meshScale(geometry.scale) }),
    placement,
    ...(colour !== undefined && { colour }),
    ...(material !== undefined && { material }),
    ...(hasCopies && { copies: pattern }),
  } as BodyShape;
}

const meshScale = (scale: number | ArrayLike<number> = 1): NumericVec3 =>
  typeof scale === "number" ? [scale, scale, scale] : [scale[0]!, scale[1]!, scale[2]!];

/** The shortest form of a scale: nothing, one number or three. */
function describeScale(scale: NumericVec3): Fields {
  const [x, y, z] = scale;
  if (x !== y || x !== z || x < 0) return { scale };
  return x === 1 ? {} : { scale: x };
}

/** Default values of the parameters of a kind. A rim of zero is left out of the shapes that rarely have one. */
function defaultsOf(kind: ShapeDescription["kind"]): Fields {
  const parameters: Readonly<Record<string, Parameter>> = SHAPE_KINDS[kind].parameters;
  return Object.fromEntries(
    Object.entries(parameters).flatMap(([key, { default: value }]) =>
      value === undefined || ((kind === "box" || kind === "cylinder") && key === "rim") ? [] : [[key, value]],
    ),
  );
}

export function describeShape({ placement, colour, material, copies, ...geometry }: BodyShape): ShapeDescription {
  const defaults = defaultsOf(geometry.kind);
  const given = Object.entries(geometry).filter(
    ([key, value]) => key !== "scale" && JSON.stringify(value) !== JSON.stringify(defaults[key]),
  );
  return {
    kind: geometry.kind,
    ...Object.fromEntries(given),
    ...(geometry.kind === "mesh" && describeScale(geometry.scale)),
    ...describePlacement(placement),
    ...(colour !== undefined && { colour }),
    ...(material !== undefined && { material }),
    ...(copies && describeCopies(copies)),
  } as unknown as ShapeDescription;
}

const describeCopies = ({ count, around, about, spacing, rows, step }: ShapeCopies): ShapeFields => ({
  ...(count > 1 && {
    copies: count,
    around,
    ...(about.some((x) => x !== 0) && { about }),
    ...(spacing !== (2 * Math.PI) / count && { spacing }),
  }),
  ...(rows > 1 && { rows, step }),
});

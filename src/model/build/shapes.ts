/** The shapes of bodies. */

import type { DeclaredKind, Parameter, ValueProblem } from "../../declare/parameters.ts";
import type { Fields } from "../../declare/plain-data.ts";
import type { BodyShape, ShapeKindName } from "../body-shape.ts";
import type { ShapeDescription } from "../description.ts";
import { describePlacement, PLACEMENT, placementOf } from "./placement.ts";

const positive = (about: string) => ({ type: "number", unit: "m", above: 0, about }) as const;

const SHAPES = {
  box: {
    about: "A box; `size` are its edges along x, y and z.",
    parameters: { size: { type: "vector", unit: "m", above: 0, about: "Edges along x, y and z; positive." } },
  },
  sphere: { about: "A ball.", parameters: { radius: positive("Radius; positive.") } },
  cylinder: {
    about: "A cylinder along z.",
    parameters: { radius: positive("Radius; positive."), length: positive("Length along z; positive.") },
  },
  capsule: {
    about: "A cylinder along z with a half ball at each end; `length` is that of the cylinder.",
    parameters: { radius: positive("Radius; positive."), length: positive("Length along z; positive.") },
  },
  mesh: {
    about: "Triangles from a file (.stl, .glb, .gltf) beside the model; its numbers times `scale` are metres.",
    parameters: {
      file: {
        type: "file",
        about: "A mesh (.stl, .glb, .gltf) in the folder of the model or below.",
        check: meshFileProblem,
      },
      scale: { type: "number", unit: "", above: 0, default: 1, about: "Metres per unit of the file." },
    },
  },
} as const satisfies Readonly<Record<ShapeKindName, DeclaredKind>>;

const MAX_SHAPES = 100;

export const SHAPE_LIST = {
  type: "items",
  noun: "shape",
  nouns: "shapes",
  owner: "on a body",
  most: MAX_SHAPES,
  optional: true,
  setting: "never",
  about: "Shapes for drawings; they do not affect the motion. The solid with the same inertia if not given.",
  of: {
    type: "kinds",
    noun: "shape",
    about: "Shape of the body for drawings, about the middle of the shape.",
    kinds: () => SHAPES,
    common: {
      ...PLACEMENT,
      colour: {
        type: "text",
        optional: true,
        about: "Colour as #rrggbb.",
        pattern: { source: "^#[\\da-fA-F]{6}$", means: "a colour as #rrggbb", advice: 'In quotes, e.g. "#c0c8d0"' },
      },
    },
  },
} as const satisfies Parameter;

const MESH = /\.(stl|glb|gltf)$/i;
const LONGEST_PATH = 300;

/** Models may come from untrusted sources: paths must lead to their own folder or below. */
function meshFileProblem(path: string): ValueProblem | undefined {
  if (!MESH.test(path)) return { message: "must be an .stl, .glb or .gltf file" };
  const isOutside = path.split("/").some((part) => part === "" || part === "." || part === "..");
  if (path.length <= LONGEST_PATH && !isOutside && !/[\\:\p{Cc}]/u.test(path)) return undefined;
  return { message: "must be a plain path below the model's folder", advice: "E.g. meshes/hand.stl" };
}

/** The shape that a valid description means. */
export function shapeOf({ at, rotation, dh, colour, ...geometry }: ShapeDescription): BodyShape {
  const placement = placementOf({ ...(at && { at }), ...(rotation && { rotation }), ...(dh && { dh }) });
  const scale = geometry.kind === "mesh" ? { scale: geometry.scale ?? SHAPES.mesh.parameters.scale.default } : {};
  return { ...geometry, ...scale, placement, ...(colour !== undefined && { colour }) } as BodyShape;
}

export function describeShape({ placement, colour, ...geometry }: BodyShape): ShapeDescription {
  const { scale, ...rest } = geometry as Fields;
  const description = { ...rest, ...(scale !== undefined && scale !== 1 && { scale }) };
  return {
    ...description,
    ...describePlacement(placement),
    ...(colour !== undefined && { colour }),
  } as unknown as ShapeDescription;
}

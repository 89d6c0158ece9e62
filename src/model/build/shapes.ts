/** The shapes of bodies. */

import type { DeclaredKind, Parameter, ValueProblem } from "../../declare/parameters.ts";
import type { Fields } from "../../declare/plain-data.ts";
import type { Vec3 } from "../../spatial/vec3.ts";
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
  ellipsoid: {
    about: "An ellipsoid; `size` are the lengths of its axes along x, y and z.",
    parameters: { size: { type: "vector", unit: "m", above: 0, about: "Lengths of the axes along x, y and z; positive." } },
  },
  mesh: {
    about: "Triangles from a file (.stl, .obj, .glb, .gltf) beside the model; its numbers times `scale` are metres.",
    parameters: {
      file: {
        type: "file",
        about: "A mesh (.stl, .obj, .glb, .gltf) in the folder of the model or below.",
        check: meshFileProblem,
      },
      scale: {
        type: "either",
        optional: true,
        forms: "a number, or three for x, y and z",
        about:
          "Metres per unit of the file: one number, or three for x, y and z, of which negative ones mirror the mesh. Default: 1.",
        of: [
          { type: "number", unit: "", above: 0, about: "Metres per unit of the file." },
          { type: "vector", unit: "", about: "Metres per unit of the file along x, y and z; not zero.", check: zeroScaleProblem },
        ],
      },
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

const MESH = /\.(stl|obj|glb|gltf)$/i;
const LONGEST_PATH = 300;

/** Models may come from untrusted sources: paths must lead to their own folder or below. */
function meshFileProblem(path: string): ValueProblem | undefined {
  if (!MESH.test(path)) return { message: "must be an .stl, .obj, .glb or .gltf file" };
  const isOutside = path.split("/").some((part) => part === "" || part === "." || part === "..");
  if (path.length <= LONGEST_PATH && !isOutside && !/[\\:\p{Cc}]/u.test(path)) return undefined;
  return { message: "must be a plain path below the model's folder", advice: "E.g. meshes/hand.stl" };
}

function zeroScaleProblem(scale: Vec3<number>): ValueProblem | undefined {
  if (scale.every((factor) => factor !== 0)) return undefined;
  return {
    message: "must not have zeros: the mesh would be flat",
    advice: "E.g. 0.001 for millimetres, or [1, -1, 1] to mirror y",
  };
}

/** The shape that a valid description means. */
export function shapeOf({ at, rotation, dh, colour, ...geometry }: ShapeDescription): BodyShape {
  const placement = placementOf({ ...(at && { at }), ...(rotation && { rotation }), ...(dh && { dh }) });
  const scale = geometry.kind === "mesh" ? { scale: meshScale(geometry.scale) } : {};
  return { ...geometry, ...scale, placement, ...(colour !== undefined && { colour }) } as BodyShape;
}

const meshScale = (scale: number | ArrayLike<number> = 1): Vec3<number> =>
  typeof scale === "number" ? [scale, scale, scale] : [scale[0]!, scale[1]!, scale[2]!];

/** The shortest form of a scale: nothing, one number or three. */
function describeScale(scale: Vec3<number> | undefined): Fields {
  if (scale === undefined) return {};
  const [x, y, z] = scale;
  if (x !== y || x !== z || x < 0) return { scale };
  return x === 1 ? {} : { scale: x };
}

export function describeShape({ placement, colour, ...geometry }: BodyShape): ShapeDescription {
  const { scale, ...rest } = geometry as Fields;
  const description = { ...rest, ...describeScale(scale as Vec3<number> | undefined) };
  return {
    ...description,
    ...describePlacement(placement),
    ...(colour !== undefined && { colour }),
  } as unknown as ShapeDescription;
}

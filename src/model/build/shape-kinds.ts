/** The kinds of shapes: their parameters and rules. */

import type { DeclaredKind, NoteRule, ValueProblem } from "../../declare/parameters.ts";
import type { ShapeKindName } from "../body-shape.ts";
import { canInset, crossingEdges, doubleArea, type Point2 } from "../surface/polygon.ts";

const positive = (about: string) => ({ type: "number", unit: "m", above: 0, about }) as const;
const rim = { type: "number", unit: "m", least: 0, default: 0, about: "Radius of the rounded edges." } as const;
const turn = {
  type: "number",
  unit: "rad",
  above: 0,
  most: 2 * Math.PI,
  default: 2 * Math.PI,
  about: "Angle about z, from x on; a whole turn if not given.",
} as const;

const MOST_POINTS = 200;
const points = (parts: readonly [string, string], least: number, noun: string, about: string) =>
  ({
    type: "items",
    noun: "point",
    nouns: "points",
    owner: `in ${noun}`,
    least,
    most: MOST_POINTS,
    about,
    of: { type: "array", unit: "m", parts, about: `A point [${parts.join(", ")}].` },
  }) as const;

export const SHAPE_KINDS = {
  box: {
    about: "A box; `size` are its edges along x, y and z.",
    parameters: { size: { type: "vector", unit: "m", above: 0, about: "Edges along x, y and z; positive." }, rim },
    rule: ({ size, rim: r }: { size?: readonly number[]; rim?: number }, note: NoteRule) =>
      fits(r, size && Math.min(...size), note),
  },
  sphere: { about: "A ball.", parameters: { radius: positive("Radius; positive.") } },
  cylinder: {
    about: "A cylinder along z.",
    parameters: { radius: positive("Radius; positive."), length: positive("Length along z; positive."), rim },
    rule: ({ radius, length, rim: r }: { radius?: number; length?: number; rim?: number }, note: NoteRule) =>
      fits(r, radius !== undefined && length !== undefined ? Math.min(2 * radius, length) : undefined, note),
  },
  capsule: {
    about: "A cylinder along z with a half ball at each end; `length` is that of the cylinder.",
    parameters: { radius: positive("Radius; positive."), length: positive("Length along z; positive.") },
  },
  extrude: {
    about: "A prism: an outline in the plane of x and y, with a length along z. Its middle along z is at z = 0.",
    parameters: {
      outline: points(
        ["x", "y"],
        3,
        "an outline",
        "Corners of the outline in order, at least 3; the last one is joined to the first.",
      ),
      length: positive("Length along z; positive."),
      rim: { ...rim, about: "Width of the chamfer at both ends." },
    },
    rule: extrudeRule,
  },
  revolve: {
    about:
      "A surface of revolution about z, such as a dish, a cone or a tank. It is a wall if the last point of its profile is the first one, otherwise thin.",
    parameters: { profile: points(["radius", "z"], 2, "a profile", "Points [radius, z] in order, at least 2."), angle: turn },
    rule: revolveRule,
  },
  ring: {
    about: "A flat ring about z, with a rectangular section.",
    parameters: {
      radius: positive("Outer radius; positive."),
      inner: positive("Inner radius, smaller than `radius`."),
      height: positive("Height along z; positive."),
      rim,
      angle: turn,
    },
    rule: ringRule,
  },
  tube: {
    about: "A round bar along a path, such as a strut, a handrail or a cable.",
    parameters: {
      path: {
        type: "items",
        noun: "point",
        nouns: "points",
        owner: "on a path",
        least: 2,
        most: MOST_POINTS,
        about: "Points of its centre line, at least 2.",
        of: { type: "vector", unit: "m", about: "A point [x, y, z]." },
      },
      radius: positive("Radius of the bar; positive."),
      bend: { type: "number", unit: "m", least: 0, default: 0, about: "Radius of the rounded corners of the path." },
    },
    rule: tubeRule,
  },
  panel: {
    about: "A solar panel. Its cells face z.",
    parameters: {
      size: { type: "vector", unit: "m", above: 0, about: "Width along x, height along y, thickness along z." },
      cells: {
        type: "array",
        unit: "",
        parts: ["x", "y"],
        least: 1,
        most: 1000,
        default: [4, 8],
        about: "Numbers of cells along x and y.",
        check: wholeProblem,
      },
    },
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

/** A rounded edge must be smaller than half of the smallest dimension. */
function fits(rim: number | undefined, least: number | undefined, note: NoteRule): void {
  if (rim !== undefined && least !== undefined && 2 * rim > least)
    note("rim", `must be at most half of the smallest dimension, ${0.5 * least} m`);
}

const isComplete = (points: readonly (Point2 | undefined)[] | undefined): points is readonly Point2[] =>
  points?.every((point) => point?.every((x) => x !== undefined)) ?? false;

const equal = (a: readonly number[], b: readonly number[]): boolean => a.every((x, i) => x === b[i]);

/** Reports two consecutive equal points. Returns true if there are none. */
function checkRepeats(key: string, points: readonly (readonly number[])[], note: NoteRule): boolean {
  const repeat = points.findIndex((point, i) => i > 0 && equal(point, points[i - 1]!));
  if (repeat > 0) note(key, `point ${repeat + 1} is the same as the one before it`, "Leave it out");
  return repeat < 0;
}

function checkCrossings(key: string, points: readonly Point2[], isClosed: boolean, note: NoteRule): boolean {
  const edges = crossingEdges(points, isClosed);
  if (edges)
    note(
      key,
      `crosses or touches itself: the lines after points ${edges[0] + 1} and ${edges[1] + 1}`,
      "List the points in order",
    );
  return edges === undefined;
}

export interface ExtrudeValues {
  readonly outline?: readonly (Point2 | undefined)[];
  readonly length?: number;
  readonly rim?: number;
}

function extrudeRule({ outline, length, rim: chamfer = 0 }: ExtrudeValues, note: NoteRule): void {
  if (length !== undefined && 2 * chamfer > length) note("rim", `must be at most half of the length, ${0.5 * length} m`);
  if (!isComplete(outline) || outline.length < 3 || !checkRepeats("outline", outline, note)) return;
  if (equal(outline[0]!, outline.at(-1)!))
    note("outline", "ends with its first point, to which the last point is joined anyway", "Leave the last point out");
  else if (!checkCrossings("outline", outline, true, note)) return;
  else if (doubleArea(outline) === 0) note("outline", "encloses no area");
  else if (chamfer > 0 && !canInset(outline, chamfer)) note("rim", "is too large for this outline", "Choose a smaller one");
}

function revolveRule({ profile }: { readonly profile?: readonly (Point2 | undefined)[] }, note: NoteRule): void {
  if (!isComplete(profile) || profile.length < 2) return;
  const negative = profile.findIndex(([radius]) => radius < 0);
  const isClosed = profile.length > 3 && equal(profile[0]!, profile.at(-1)!);
  if (negative >= 0) note("profile", `point ${negative + 1} has a negative radius`, "Points are [radius, z]");
  else if (profile.every(([radius]) => radius === 0)) note("profile", "lies on the axis", "Points are [radius, z]");
  else if (checkRepeats("profile", profile, note))
    checkCrossings("profile", isClosed ? profile.slice(0, -1) : profile, isClosed, note);
}

export interface RingValues {
  readonly radius?: number;
  readonly inner?: number;
  readonly height?: number;
  readonly rim?: number;
}

function ringRule({ radius, inner, height, rim: r }: RingValues, note: NoteRule): void {
  if (radius === undefined || inner === undefined) return;
  if (inner >= radius) note("inner", `must be smaller than the outer radius, ${radius} m`);
  else if (height !== undefined) fits(r, Math.min(radius - inner, height), note);
}

function tubeRule({ path }: { readonly path?: readonly (readonly number[] | undefined)[] }, note: NoteRule): void {
  if (path?.every((point) => point !== undefined)) checkRepeats("path", path as readonly (readonly number[])[], note);
}

function wholeProblem(numbers: readonly number[]): ValueProblem | undefined {
  return numbers.every(Number.isInteger) ? undefined : { message: "must be whole numbers" };
}

const MESH = /\.(stl|obj|glb|gltf)$/i;
const LONGEST_PATH = 300;

/** Models may come from untrusted sources: paths must lead to their own folder or below. */
function meshFileProblem(path: string): ValueProblem | undefined {
  if (!MESH.test(path)) return { message: "must be an .stl, .obj, .glb or .gltf file" };
  const isOutside = path.split("/").some((part) => part === "" || part === "." || part === "..");
  if (path.length <= LONGEST_PATH && !isOutside && !/[\\:\p{Cc}]/u.test(path)) return undefined;
  return { message: "must be a plain path below the model's folder", advice: "E.g. meshes/hand.stl" };
}

function zeroScaleProblem(scale: readonly number[]): ValueProblem | undefined {
  if (scale.every((factor) => factor !== 0)) return undefined;
  return {
    message: "must not have zeros: the mesh would be flat",
    advice: "E.g. 0.001 for millimetres, or [1, -1, 1] to mirror y",
  };
}

/** Kinds of contact shapes: their parameters, required keys, and conversion of a shape to another kind. */
import type { Parameters } from "../../../declare/parameters.ts";
import type { ForceKind } from "../kind.ts";

export const CONTACT_SHAPE_KINDS = [
  "point",
  "sphere",
  "capsule",
  "edge",
  "rim",
  "plane",
  "disc",
  "cylinder",
  "cone",
  "box",
  "hull",
  "ground",
  "collisions",
] as const;
export type ContactShapeKind = (typeof CONTACT_SHAPE_KINDS)[number];

export const CONTACT_SHAPE = {
  kind: {
    type: "choice",
    of: CONTACT_SHAPE_KINDS,
    about:
      "Kind of shape: a point; a sphere; a capsule around a line; an edge, a sharp line from its root to its tip; a rim, the circle at " +
      "the end of an opening; a plane with material behind it; a disc or ring; a cylinder; a cone or funnel; a box; the convex hull of points; the ground, " +
      "which is the terrain of the scenario; the collisions of a robot file, which are all its shapes that can touch, or those on one body.",
  },
  name: { type: "name", optional: true, about: "Name for channels and messages; its number in the list if not given." },
  on: { type: "frame", optional: true, about: "Frame or body that carries the shape; fixed in the world if not given." },
  at: {
    type: "vector",
    unit: "m",
    default: [0, 0, 0],
    about:
      "Centre of the shape; for a capsule or edge one end, for a plane or disc a point of its face, for a cone the centre of its first " +
      "end, for a hull the origin of its points.",
  },
  to: { type: "vector", unit: "m", optional: true, about: "Other end of a capsule or edge; for an edge its tip." },
  axis: {
    type: "direction",
    optional: true,
    about:
      "Axis of the shape: for a plane or disc the outward normal, for a cylinder the axis, for a cone from its first end to the other, for a rim " +
      "the direction in which edges enter its opening; z if not given.",
  },
  radius: { type: "number", unit: "m", above: 0, optional: true, about: "Radius; for a cone at its first end." },
  inner: { type: "number", unit: "m", above: 0, optional: true, about: "Radius of the hole of a disc, which makes it a ring." },
  outer: {
    type: "number",
    unit: "m",
    above: 0,
    optional: true,
    about: "Outer radius of the material around the opening of a rim; unlimited if not given.",
  },
  tip: { type: "number", unit: "m", least: 0, optional: true, about: "Radius of a cone at its other end; 0 if not given." },
  length: { type: "number", unit: "m", above: 0, optional: true, about: "Length of a cylinder or cone." },
  thickness: {
    type: "number",
    unit: "m",
    above: 0,
    optional: true,
    about:
      "Thickness of a disc; unlimited behind its face if not given. A cone with a thickness is a funnel, with material outside of it.",
  },
  size: { type: "vector", unit: "m", above: 0, optional: true, about: "Edges of a box along x, y and z." },
  rpy: {
    type: "vector",
    unit: "rad",
    parts: ["roll", "pitch", "yaw"],
    optional: true,
    about: "Roll, pitch and yaw of a box or hull.",
  },
  points: { type: "matrix", unit: "m", free: true, optional: true, about: "Points of a hull, rows [x, y, z]." },
  file: {
    type: "file",
    optional: true,
    about: "Mesh file (STL, OBJ, glTF) in the scenario's folder, instead of points: the hull of its vertices.",
  },
  scale: {
    type: "either",
    optional: true,
    forms: "a number, or three for x, y and z",
    about:
      "Factor from the points of a hull to m, 0.001 for a mesh in mm; or three factors for x, y and z, of which negative ones mirror the hull.",
    of: [
      { type: "number", unit: "", above: 0, about: "Factor from the points to m." },
      { type: "vector", unit: "", about: "Factors along x, y and z; not zero." },
    ],
  },
  out: {
    type: "vector",
    unit: "",
    optional: true,
    about: "Outward direction of the body that an edge bounds; of two edges that touch, one needs it.",
  },
  heel: {
    type: "number",
    unit: "m",
    least: 0,
    optional: true,
    about: "Length of the straight part of an edge behind its root, along the axis of a rim; 0 if not given.",
  },
  behind: {
    type: "number",
    unit: "",
    least: 0,
    optional: true,
    about:
      "Extension of an edge behind its root against other edges, as a share of its length. If not given, the edge ends at its root as at " +
      "its tip, where depth decreases to zero.",
  },
  reach: {
    type: "number",
    unit: "m",
    above: 0,
    optional: true,
    about: "Depth between two edges at which they have passed each other; unlimited if not given.",
  },
  fade: {
    type: "number",
    unit: "m",
    above: 0,
    optional: true,
    about: "Last part of `reach` between two edges, over which contact decreases to zero.",
  },
  copies: {
    type: "number",
    unit: "",
    least: 1,
    default: 1,
    about: "Number of copies, evenly rotated about an axis through the frame.",
  },
  around: { type: "direction", optional: true, about: "Axis of the copies; z if not given." },
} as const satisfies Parameters;

export type ContactShapeKey = keyof typeof CONTACT_SHAPE;
const COMMON_KEYS: readonly ContactShapeKey[] = ["kind", "name", "on", "at", "copies", "around"];

export const KEYS_BY_NEED: Readonly<
  Record<ContactShapeKind, { readonly needs: readonly ContactShapeKey[]; readonly may?: readonly ContactShapeKey[] }>
> = {
  point: { needs: [] },
  sphere: { needs: ["radius"] },
  capsule: { needs: ["to", "radius"] },
  edge: { needs: ["to"], may: ["out", "heel", "behind", "reach", "fade"] },
  rim: { needs: ["radius"], may: ["axis", "outer"] },
  plane: { needs: [], may: ["axis"] },
  disc: { needs: ["radius"], may: ["axis", "inner", "thickness"] },
  cylinder: { needs: ["radius", "length"], may: ["axis"] },
  cone: { needs: ["radius", "length"], may: ["axis", "tip", "thickness"] },
  box: { needs: ["size"], may: ["rpy"] },
  hull: { needs: ["points"], may: ["file", "scale", "rpy"] },
  ground: { needs: [] },
  collisions: { needs: [] },
};

export const acceptedKeys = (kind: ContactShapeKind): readonly ContactShapeKey[] => [
  ...COMMON_KEYS,
  ...KEYS_BY_NEED[kind].needs,
  ...(KEYS_BY_NEED[kind].may ?? []),
];

/** The ground has neither carrier nor position, and the shapes of a robot file have their own positions and names. */
const keysInFile = (kind: ContactShapeKind): readonly ContactShapeKey[] =>
  kind === "ground" ? ["kind", "name"] : kind === "collisions" ? ["kind", "on"] : acceptedKeys(kind);

/** Radius of a converted shape, m, if nothing in it gives a size. */
const DEFAULT_RADIUS = 0.1;

/** Parameters of a shape of each kind. */
export const KEYS_OF_KIND: Readonly<Record<ContactShapeKind, readonly ContactShapeKey[]>> = Object.fromEntries(
  CONTACT_SHAPE_KINDS.map((kind) => [kind, keysInFile(kind)]),
) as Record<ContactShapeKind, readonly ContactShapeKey[]>;

/** Points of a hull that nothing else gives. */
const OCTAHEDRON = [
  [1, 0, 0],
  [-1, 0, 0],
  [0, 1, 0],
  [0, -1, 0],
  [0, 0, 1],
  [0, 0, -1],
] as const;

/**
 * Converts a shape to another kind. It keeps its position and all values that the new kind has too. Missing required values are chosen
 * so that the size is about the same: a sphere becomes the box around it.
 */
export const shapeAsKind: NonNullable<ForceKind["asKind"]> = (shape, kind, metres) => {
  const list = (value: unknown): readonly (number | undefined)[] => (Array.isArray(value) ? value.map(metres) : []);
  const at = [0, 1, 2].map((i) => list(shape.at)[i] ?? 0);
  const span = list(shape.to).map((x, i) => (x ?? 0) - at[i]!);
  const half = [metres(shape.length), ...list(shape.size), Math.sqrt(span.reduce((sum, x) => sum + x * x, 0))].map(
    (x) => (x ?? 0) / 2,
  );
  const radius = metres(shape.radius) ?? (half.filter((x) => x > 0).sort((a, b) => a - b)[0] || DEFAULT_RADIUS);
  const substitutes: Partial<Record<ContactShapeKey, unknown>> = {
    radius,
    length: 2 * radius,
    size: [2 * radius, 2 * radius, 2 * radius],
    to: [at[0], at[1], at[2]! + 2 * radius],
    points: OCTAHEDRON.map((corner) => corner.map((x) => x * radius)),
  };
  const target = kind as ContactShapeKind;
  const entries = keysInFile(target).flatMap((key) => {
    const value =
      key === "kind" ? kind : (shape[key] ?? (KEYS_BY_NEED[target].needs.includes(key) ? substitutes[key] : undefined));
    return value === undefined ? [] : [[key, value] as const];
  });
  return Object.fromEntries(entries);
};

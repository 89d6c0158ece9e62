/** Kinds of shapes that touch: how they are written, what each needs, and a shape rewritten as one of another kind. */
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
  "cone",
  "box",
  "ground",
] as const;
export type ContactShapeKind = (typeof CONTACT_SHAPE_KINDS)[number];

export const CONTACT_SHAPE = {
  kind: {
    type: "choice",
    of: CONTACT_SHAPE_KINDS,
    about:
      "A point; a sphere; a capsule, round a line; an edge, a sharp line from its root to its tip; a rim, the circle where an opening " +
      "ends; a plane with all behind it; a disc or ring; a cone or funnel; a box; the ground, which is the terrain of the scenario.",
  },
  name: { type: "name", optional: true, about: "Name for channels and messages; its place in the list if not given." },
  on: { type: "frame", optional: true, about: "Frame or body that carries it; fixed in the world if not given." },
  at: {
    type: "vector",
    unit: "m",
    default: [0, 0, 0],
    about:
      "Its centre; of a capsule or edge one end, of a plane or disc a point of its face, of a cone the centre of its first end.",
  },
  to: { type: "vector", unit: "m", optional: true, about: "The other end of a capsule or edge; of an edge its tip." },
  axis: {
    type: "direction",
    optional: true,
    about:
      "Of a plane or disc the way out of it, of a cone from its first end to the other, of a rim the way in which edges enter its " +
      "opening. z if not given.",
  },
  radius: { type: "number", unit: "m", above: 0, optional: true, about: "Radius; of a cone at its first end." },
  inner: { type: "number", unit: "m", above: 0, optional: true, about: "Radius of the hole of a disc, which then is a ring." },
  outer: {
    type: "number",
    unit: "m",
    above: 0,
    optional: true,
    about: "Of a rim: radius to which there is material around its opening; no end if not given.",
  },
  tip: { type: "number", unit: "m", least: 0, optional: true, about: "Radius of a cone at its other end; 0 if not given." },
  length: { type: "number", unit: "m", above: 0, optional: true, about: "Length of a cone." },
  thickness: {
    type: "number",
    unit: "m",
    above: 0,
    optional: true,
    about:
      "Of a disc, which has no end behind its face if not given. A cone with a thickness is a funnel, with material outside of it.",
  },
  size: { type: "vector", unit: "m", above: 0, optional: true, about: "Edges of a box along x, y and z." },
  rpy: { type: "vector", unit: "rad", parts: ["roll", "pitch", "yaw"], optional: true, about: "Roll, pitch and yaw of a box." },
  out: {
    type: "vector",
    unit: "",
    optional: true,
    about: "Of an edge: a direction out of the body that it bounds; where two edges meet, one of them needs it.",
  },
  heel: {
    type: "number",
    unit: "m",
    least: 0,
    optional: true,
    about: "Of an edge in a rim: length of the straight part behind its root, along the axis of the rim; 0 if not given.",
  },
  behind: {
    type: "number",
    unit: "",
    least: 0,
    optional: true,
    about:
      "Of an edge against an edge: part of its length by which it goes on behind its root. If not given it ends at its root as at its " +
      "tip, where depth falls to zero.",
  },
  reach: {
    type: "number",
    unit: "m",
    above: 0,
    optional: true,
    about: "Of an edge against an edge: the depth from which on they have passed each other; no end if not given.",
  },
  fade: {
    type: "number",
    unit: "m",
    above: 0,
    optional: true,
    about: "Of an edge against an edge: the last part of the reach, over which contact falls to zero.",
  },
  copies: {
    type: "number",
    unit: "",
    least: 1,
    default: 1,
    about: "So many of it, turned evenly about an axis through the frame.",
  },
  around: { type: "direction", optional: true, about: "That axis; z if not given." },
} as const satisfies Parameters;

type ContactShapeKey = keyof typeof CONTACT_SHAPE;
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
  cone: { needs: ["radius", "length"], may: ["axis", "tip", "thickness"] },
  box: { needs: ["size"], may: ["rpy"] },
  ground: { needs: [] },
};

export const acceptedKeys = (kind: ContactShapeKind): readonly ContactShapeKey[] => [
  ...COMMON_KEYS,
  ...KEYS_BY_NEED[kind].needs,
  ...(KEYS_BY_NEED[kind].may ?? []),
];

/** The ground is not carried, and has its own place. */
const keysInFile = (kind: ContactShapeKind): readonly ContactShapeKey[] =>
  kind === "ground" ? ["kind", "name"] : acceptedKeys(kind);

/** m, where nothing that is written tells how large the shape is. */
const DEFAULT_RADIUS = 0.1;

/** Which parameters a shape of each kind has. */
export const KEYS_OF_KIND: Readonly<Record<ContactShapeKind, readonly ContactShapeKey[]>> = Object.fromEntries(
  CONTACT_SHAPE_KINDS.map((kind) => [kind, keysInFile(kind)]),
) as Record<ContactShapeKind, readonly ContactShapeKey[]>;

/**
 * A shape of another kind keeps what it has of it: its place, and numbers of the same name. What it needs besides is about as large as it was:
 * a sphere becomes the box around it.
 */
export const shapeAsKind: NonNullable<ForceKind["asKind"]> = (shape, kind, metres) => {
  const list = (value: unknown): readonly (number | undefined)[] => (Array.isArray(value) ? value.map(metres) : []);
  const at = [0, 1, 2].map((i) => list(shape.at)[i] ?? 0);
  const span = list(shape.to).map((x, i) => (x ?? 0) - at[i]!);
  const half = [metres(shape.length), ...list(shape.size), Math.sqrt(span.reduce((sum, x) => sum + x * x, 0))].map(
    (x) => (x ?? 0) / 2,
  );
  const radius = metres(shape.radius) ?? (half.filter((x) => x > 0).sort((a, b) => a - b)[0] || DEFAULT_RADIUS);
  const usual: Partial<Record<ContactShapeKey, unknown>> = {
    radius,
    length: 2 * radius,
    size: [2 * radius, 2 * radius, 2 * radius],
    to: [at[0], at[1], at[2]! + 2 * radius],
  };
  const target = kind as ContactShapeKind;
  const kept = keysInFile(target).flatMap((key) => {
    const value = key === "kind" ? kind : (shape[key] ?? (KEYS_BY_NEED[target].needs.includes(key) ? usual[key] : undefined));
    return value === undefined ? [] : [[key, value] as const];
  });
  return Object.fromEntries(kept);
};

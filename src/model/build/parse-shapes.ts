/** Parses the shapes of bodies. */

import { didYouMean } from "../../declare/names.ts";
import { childPath, type Fields, readArray, readFields, readNumber, readRecord, readVec3 } from "../../declare/plain-data.ts";
import { type Problem, valueText } from "../../errors.ts";
import type { BodyShape, ShapeKindName } from "../body-shape.ts";
import type { ShapeDescription } from "../description.ts";
import { describePlacement, PLACEMENT_KEYS, readPlacement } from "./parse-placement.ts";

type FieldKind = "length" | "lengths" | "factor" | "mesh file";

interface ShapeDeclaration {
  readonly about: string;
  readonly fields: Readonly<Record<string, FieldKind>>;
}

export const SHAPES: Readonly<Record<ShapeKindName, ShapeDeclaration>> = {
  box: { about: "A box; `size` are its edges along x, y and z.", fields: { size: "lengths" } },
  sphere: { about: "A ball.", fields: { radius: "length" } },
  cylinder: { about: "A cylinder along z.", fields: { radius: "length", length: "length" } },
  capsule: {
    about: "A cylinder along z with a half ball at each end; `length` is that of the cylinder.",
    fields: { radius: "length", length: "length" },
  },
  mesh: {
    about: "Triangles from a file (.stl, .glb, .gltf) beside the model; its numbers times `scale` are metres.",
    fields: { file: "mesh file", scale: "factor" },
  },
};

export const MAX_SHAPES = 100;
const COMMON_KEYS = ["kind", ...PLACEMENT_KEYS, "colour"];

export function readShapes(value: unknown, path: string, problems: Problem[]): readonly BodyShape[] {
  const items = readArray(value, path, "a list of shapes", problems) ?? [];
  if (items.length > MAX_SHAPES) {
    problems.push({ path, message: `at most ${MAX_SHAPES} shapes on a body, this has ${items.length}` });
    return [];
  }
  return Array.from(items, (item, i) => readShape(item, childPath(path, i), problems)).filter((shape) => shape !== undefined);
}

function readShape(value: unknown, path: string, problems: Problem[]): BodyShape | undefined {
  const record = readRecord(value, path, problems);
  if (record === undefined) return undefined;
  const { kind } = record;
  if (typeof kind !== "string" || !Object.hasOwn(SHAPES, kind)) {
    const message = kind === undefined ? "is missing" : "no such kind of shape";
    const advice = didYouMean(kind, Object.keys(SHAPES));
    problems.push({ path: childPath(path, "kind"), message, ...(kind !== undefined && { value: valueText(kind) }), advice });
    return undefined;
  }
  const fieldKinds = SHAPES[kind as ShapeKindName].fields;
  const fields = readFields(record, path, [...COMMON_KEYS, ...Object.keys(fieldKinds)], problems)!;
  const members = Object.entries(fieldKinds).map(
    ([key, fieldKind]) => [key, READERS[fieldKind](fields[key], childPath(path, key), problems)] as const,
  );
  const placement = readPlacement(fields, path, problems);
  const colour = fields.colour === undefined ? undefined : readColour(fields.colour, childPath(path, "colour"), problems);
  if (members.some(([, part]) => part === undefined)) return undefined;
  return { kind, ...Object.fromEntries(members), placement, ...(colour !== undefined && { colour }) } as unknown as BodyShape;
}

const READERS: Readonly<Record<FieldKind, (value: unknown, path: string, problems: Problem[]) => unknown>> = {
  length: readPositive,
  lengths: (value, path, problems) => {
    const size = readVec3(value, path, problems);
    const lengths = size?.map((length, i) => readPositive(length, childPath(path, i), problems));
    return lengths?.every((length) => length !== undefined) ? size : undefined;
  },
  factor: (value, path, problems) => (value === undefined ? 1 : readPositive(value, path, problems)),
  "mesh file": readMeshFile,
};

function readPositive(value: unknown, path: string, problems: Problem[]): number | undefined {
  const number = readNumber(value, path, problems);
  if (number === undefined || number > 0) return number;
  problems.push({ path, message: "must be positive", value: valueText(value) });
  return undefined;
}

const MESH = /\.(stl|glb|gltf)$/i;
const LONGEST_PATH = 300;

/** Models may come from untrusted sources: paths must lead to their own folder or below. */
function readMeshFile(value: unknown, path: string, problems: Problem[]): string | undefined {
  const refuse = (message: string, advice?: string): undefined => {
    problems.push({
      path,
      message,
      ...(value !== undefined && { value: valueText(value) }),
      ...(advice !== undefined && { advice }),
    });
    return undefined;
  };
  if (value === undefined) return refuse("is missing");
  if (typeof value !== "string") return refuse("must be the name of a file");
  if (!MESH.test(value)) return refuse("must be an .stl, .glb or .gltf file");
  const parts = value.split("/");
  if (
    value.length > LONGEST_PATH ||
    parts.some((part) => part === "" || part === "." || part === "..") ||
    /[\\:\p{Cc}]/u.test(value)
  )
    return refuse("must be a plain path below the model's folder", "E.g. meshes/hand.stl");
  return value;
}

function readColour(value: unknown, path: string, problems: Problem[]): string | undefined {
  if (typeof value === "string" && /^#[\da-f]{6}$/i.test(value)) return value;
  problems.push({ path, message: "must be a colour as #rrggbb", value: valueText(value), advice: 'In quotes, e.g. "#c0c8d0"' });
  return undefined;
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

/** Parses one body of a description. */
import { readName } from "../../declare/names.ts";
import { childPath, type Fields, readFields, readRecord, readVec3 } from "../../declare/plain-data.ts";
import type { Problem } from "../../errors.ts";
import { ZERO3 } from "../../spatial/vec3.ts";
import type { BodyShape } from "../body-shape.ts";
import type { Body, Frame, Placement } from "../model.ts";
import { type HingeDraft, readHinge } from "./parse-hinge.ts";
import { readInertia, readMass } from "./parse-inertia.ts";
import { readPlacementObject } from "./parse-placement.ts";
import { readShapes } from "./parse-shapes.ts";

export const MAX_FRAMES = 1_000;

type FrameDraft = Omit<Frame, "body"> & { readonly path: string };

/** A parsed body; members with a problem are `undefined`. */
export interface BodyDraft {
  readonly path: string;
  readonly name: string;
  readonly parentName: unknown;
  readonly mass: number | undefined;
  readonly com: Body["com"] | undefined;
  readonly inertia: Body["inertia"] | undefined;
  readonly hinge: HingeDraft | undefined;
  /** Name of the hinge, even if the hinge has a problem. */
  readonly hingeName: string;
  readonly frames: readonly FrameDraft[];
  readonly shapes: readonly BodyShape[];
}

const BODY_KEYS = ["name", "parent", "mass", "com", "inertia", "hinge", "frames", "shapes"];

export function readBody(value: unknown, path: string, problems: Problem[], warnings: Problem[]): BodyDraft | undefined {
  const fields = readFields(value, path, BODY_KEYS, problems);
  if (fields === undefined) return undefined;
  const memberPath = (key: string): string => childPath(path, key);
  const name = readName(fields.name, memberPath("name"), problems);
  return {
    path,
    name,
    parentName: fields.parent,
    mass: readMass(fields.mass, fields.inertia, memberPath("mass"), problems),
    com: fields.com === undefined ? ZERO3 : readVec3(fields.com, memberPath("com"), problems),
    inertia: readInertia(fields.inertia, memberPath("inertia"), problems, warnings),
    hinge: readHinge(fields.hinge, memberPath("hinge"), name, problems),
    hingeName: givenName(fields.hinge) ?? name,
    frames: fields.frames === undefined ? [] : readFrames(fields.frames, memberPath("frames"), problems),
    shapes: fields.shapes === undefined ? [] : readShapes(fields.shapes, memberPath("shapes"), problems),
  };
}

function givenName(value: unknown): string | undefined {
  const name = typeof value === "object" && value !== null ? (value as Fields).name : undefined;
  return typeof name === "string" ? name : undefined;
}

function readFrames(value: unknown, path: string, problems: Problem[]): readonly FrameDraft[] {
  const frames = readRecord(value, path, problems);
  if (frames === undefined) return [];
  const names = Object.keys(frames);
  if (names.length > MAX_FRAMES) {
    problems.push({ path, message: `at most ${MAX_FRAMES} frames on a body, this has ${names.length}` });
    return [];
  }
  return names.map((key) => {
    const memberPath = childPath(path, key);
    const name = readName(key, memberPath, problems);
    const placement: Placement = readPlacementObject(frames[key], memberPath, problems);
    return { name, placement, path: memberPath };
  });
}

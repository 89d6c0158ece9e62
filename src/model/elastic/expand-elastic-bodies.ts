/**
 * Expansion of elastic bodies. Each becomes rigid links NAME, NAME-2, NAME-3, ... with passive joints of the same names between them, and
 * springs in these. Bodies on it, its frames and the ends of loops move to the link at their position. The expansion works on the
 * description, so that later steps need not handle elastic bodies.
 */

import { childPath, type Fields, readFields } from "../../declare/plain-data.ts";
import { type Problem, valueText } from "../../errors.ts";
import { readRotations } from "../build/parse-hinge.ts";
import type { Rotations } from "../hinges/general.ts";
import { readDamping } from "./damping.ts";
import { readJoints, type Segment, segmentsOf } from "./joints.ts";
import { ELASTIC_KEYS, type JointFreedom, type Rod, readRod } from "./rod.ts";

/** A body of the description with its path. */
export interface BodyEntry {
  readonly value: unknown;
  readonly path: string;
}

export interface ExpandedDescription {
  readonly bodies: readonly BodyEntry[];
  readonly loops: unknown;
  /** Springs of the elastic bodies, as descriptions. */
  readonly springs: readonly { readonly value: unknown; readonly path: string }[];
}

const isFields = (value: unknown): value is Fields => typeof value === "object" && value !== null && !Array.isArray(value);
const isElastic = (value: unknown): value is Fields => isFields(value) && value.elastic !== undefined;

/** Replaces the elastic bodies of a description, and adapts its other bodies and loops. */
export function expandElasticBodies(items: readonly unknown[], loops: unknown, problems: Problem[]): ExpandedDescription {
  if (!items.some(isElastic))
    return { bodies: items.map((value, i) => ({ value, path: childPath("bodies", i) })), loops, springs: [] };
  const links = new Map<string, readonly Segment[]>();
  const springs: { value: unknown; path: string }[] = [];
  const written = items.map((item, i): readonly BodyEntry[] => {
    const path = childPath("bodies", i);
    if (!isElastic(item)) return [{ value: item, path }];
    const rod = expandElasticBody(item, path, problems);
    if (rod === undefined) return [];
    if (typeof item.name === "string") links.set(item.name, rod.segments);
    springs.push({ value: rod.springs, path: childPath(path, "elastic") });
    return rod.bodies;
  });
  const onLink: OnLink = (name, placement, path) => {
    const segments = typeof name === "string" ? links.get(name) : undefined;
    if (segments === undefined) return undefined;
    checkReach(name as string, segments.at(-1)!.to, placement, path, problems);
    return placeOnLink(name as string, segments, placement);
  };
  return {
    bodies: written.flat().map(({ value, path }) => ({ value: moveToLink(value, onLink, childPath(path, "hinge")), path })),
    loops: Array.isArray(loops) ? loops.map((loop: unknown, i) => moveLoopEnds(loop, onLink, childPath("loops", i))) : loops,
    springs,
  };
}

/** Relative tolerance of lengths, for values converted from other units. */
const SAME_LENGTH = 1e-9;

/** Reports an attachment that is not between root and tip of an elastic body. */
function checkReach(name: string, length: number, placement: Fields, path: string, problems: Problem[]): void {
  const x = xOf(placement);
  if (x >= -SAME_LENGTH * length && x <= (1 + SAME_LENGTH) * length) return;
  problems.push({
    path: childPath(path, isFields(placement.dh) ? "dh" : "at"),
    message: `lies ${x < 0 ? "before the root" : "beyond the tip"} of ${name}, which is ${+length.toPrecision(9)} m long`,
    value: valueText(placement.dh ?? placement.at),
    advice: "Put a rigid body on its end, on a fixed hinge, and attach it to that",
  });
}

/** The link of an elastic body at a placement, and the placement on that link; undefined if the body is not elastic. */
type OnLink = (
  name: unknown,
  placement: Fields,
  path: string,
) => { readonly body: string; readonly placement: Fields } | undefined;

function placeOnLink(name: string, segments: readonly Segment[], placement: Fields): { body: string; placement: Fields } {
  const k = segmentAt(segments, xOf(placement));
  return { body: linkName(name, k), placement: shiftedAlongX(placement, segments[k]!.from) };
}

function segmentAt(segments: readonly Segment[], x: number): number {
  let k = 0;
  while (k + 1 < segments.length && x >= segments[k]!.to) k++;
  return k;
}

/** Position of a placement along x: from `at`, or the a of a Denavit-Hartenberg row. Other values are reported when they are parsed. */
function xOf({ at, dh }: Fields): number {
  const x = isFields(dh) ? dh.a : Array.isArray(at) ? at[0] : 0;
  return typeof x === "number" ? x : 0;
}

function shiftedAlongX(placement: Fields, by: number): Fields {
  const { at, dh } = placement;
  if (by === 0) return placement;
  if (isFields(dh)) return { ...placement, dh: { ...dh, a: xOf(placement) - by } };
  return Array.isArray(at) ? { ...placement, at: [xOf(placement) - by, ...at.slice(1)] } : placement;
}

const linkName = (name: string, k: number): string => (k === 0 ? name : `${name}-${k + 1}`);

/** Moves a body on an elastic one to the link at its hinge. Links of elastic bodies have their parent already. */
function moveToLink(value: unknown, onLink: OnLink, path: string): unknown {
  if (!isFields(value) || !isFields(value.hinge) || value.hinge.inside === true) return withoutInsideMark(value);
  const onElastic = onLink(value.parent, value.hinge, path);
  return onElastic ? { ...value, parent: onElastic.body, hinge: onElastic.placement } : value;
}

/** Removes the mark of links of elastic bodies. */
function withoutInsideMark(value: unknown): unknown {
  if (!isFields(value) || !isFields(value.hinge) || value.hinge.inside !== true) return value;
  const { inside: _, ...hinge } = value.hinge;
  return { ...value, hinge };
}

function moveLoopEnds(value: unknown, onLink: OnLink, path: string): unknown {
  if (!isFields(value)) return value;
  const end = (key: "from" | "to"): Fields => {
    const attachment = value[key];
    const onElastic = isFields(attachment) ? onLink(attachment.body, attachment, childPath(path, key)) : undefined;
    return { [key]: onElastic ? { ...onElastic.placement, body: onElastic.body } : attachment };
  };
  return { ...value, ...("from" in value && end("from")), ...("to" in value && end("to")) };
}

const BODY_KEYS = ["name", "parent", "elastic", "hinge", "frames"];
const RIGID_BODY_KEYS = ["mass", "com", "inertia"];

function expandElasticBody(body: Fields, path: string, problems: Problem[]) {
  const problemsBefore = problems.length;
  const elasticPath = childPath(path, "elastic");
  const fields = readFields(body.elastic, elasticPath, ELASTIC_KEYS, problems);
  readFields(body, path, [...BODY_KEYS, ...RIGID_BODY_KEYS], problems);
  for (const key of RIGID_BODY_KEYS)
    if (body[key] !== undefined)
      problems.push({
        path: childPath(path, key),
        message: `an elastic body has no ${key} of its own: it follows from its sections`,
        value: valueText(body[key]),
        advice: "Put what it carries on it as bodies with fixed hinges",
      });
  const rod = fields && readRod(fields, elasticPath, problems);
  const undampedJoints = rod && readJoints(fields.joints, rod, childPath(elasticPath, "joints"), problems);
  if (undampedJoints === undefined || problems.length > problemsBefore) return undefined;
  const segments = segmentsOf(
    rod!,
    undampedJoints.map((j) => j.at),
  );
  const { joints, coupling } = readDamping(
    fields!.damping,
    rod!,
    undampedJoints,
    segments,
    childPath(elasticPath, "damping"),
    problems,
  );
  const rotations =
    fields!.rotations === undefined ? "exact" : readRotations(fields!.rotations, childPath(elasticPath, "rotations"), problems);
  const name = typeof body.name === "string" ? body.name : "";
  checkRoot(body.hinge, segments[0]!, path, problems);
  if (rotations === undefined || problems.length > problemsBefore) return undefined;
  const frames = framesOn(segments, body.frames);
  const hinge = hingeFor(rod!.freedoms, rotations);
  const bodies = segments.map(
    ({ from, to, mass, com, inertia }, k): BodyEntry => ({
      path,
      value: {
        name: k === 0 ? body.name : linkName(name, k),
        ...(k > 0 ? { parent: linkName(name, k - 1) } : "parent" in body ? { parent: body.parent } : {}),
        mass,
        com: [com, 0, 0],
        inertia: mass > 0 ? inertia : "none",
        hinge:
          k === 0
            ? body.hinge
            : { ...hinge, ...(from > segments[k - 1]!.from && { at: [from - segments[k - 1]!.from, 0, 0] }), inside: true },
        ...(to > from && { shapes: [shapeOf(rod!, segments[k]!)] }), // a joint at the root leaves no rod before it
        ...(frames[k] === undefined ? {} : { frames: frames[k] }),
      },
    }),
  );
  const springs = {
    name,
    joints: joints.map(({ stiffness, damping }, j) => ({
      hinge: linkName(name, j + 1),
      stiffness,
      ...(damping.some((d) => d > 0) && { damping }),
    })),
    ...(coupling && { coupling }),
  };
  return { bodies, springs, segments };
}

/** Shape of a link: the rod between two joints. */
function shapeOf({ length, extent, round }: Rod, { from, to }: Segment): Fields {
  const [y, z] = extent((from + to) / 2 / length);
  const at = [(to - from) / 2, 0, 0];
  if (!round) return { kind: "box", size: [to - from, y, z], at };
  return { kind: "cylinder", radius: y / 2, length: to - from, at, rotation: { rpy: [0, Math.PI / 2, 0] } };
}

/** Reports a body hinge that is not on the first link. */
function checkRoot(hinge: unknown, first: Segment, path: string, problems: Problem[]): void {
  const onBody = isFields(hinge) && isFields(hinge.onBody) ? hinge.onBody : {};
  if (xOf(onBody) <= first.to) return;
  problems.push({
    path: childPath(childPath(path, "hinge"), "onBody"),
    message: `the hinge of an elastic body must sit before its first joint at ${+first.to.toPrecision(6)} m`,
    value: valueText(onBody),
    advice: "Describe it as two elastic bodies on a rigid one, or close it with a loop",
  });
}

/** The hinge between links with the given freedoms: one turn, a ball, or a general hinge. */
function hingeFor(freedoms: readonly JointFreedom[], rotations: Rotations): Fields {
  if (rotations === "small") return { kind: "general", freedoms, rotations };
  const [only] = freedoms;
  if (freedoms.length === 1) return only === "x" ? { kind: "prismatic", axis: "x" } : { kind: "revolute", axis: only!.slice(1) };
  return freedoms.join() === "rx,ry,rz" ? { kind: "spherical" } : { kind: "general", freedoms };
}

/**
 * The frames of the body, on the links at their positions. A value that is not a set of frames stays on the first link and is reported
 * there.
 */
function framesOn(segments: readonly Segment[], frames: unknown): readonly (unknown | undefined)[] {
  if (!isFields(frames)) return [frames];
  const framesByLink: Record<string, unknown>[] = [];
  for (const [name, frame] of Object.entries(frames)) {
    const k = isFields(frame) ? segmentAt(segments, xOf(frame)) : 0;
    framesByLink[k] ??= {};
    framesByLink[k]![name] = isFields(frame) ? shiftedAlongX(frame, segments[k]!.from) : frame;
  }
  return segments.map((_, k) => framesByLink[k]);
}

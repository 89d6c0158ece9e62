/**
 * Expansion of elastic bodies. Each becomes rigid links NAME, NAME-2, NAME-3, ... with passive joints of the same names between them, and
 * springs in these. Bodies on it, its frames and the ends of loops move to the link at their position. The expansion works on the
 * description, so that later steps need not handle elastic bodies.
 */

import { childPath, type Fields, isFields } from "../../declare/plain-data.ts";
import { type Problem, valueText } from "../../errors.ts";
import type { AxisName } from "../../spatial/axis.ts";
import type { BodyEntry } from "../build/body-draft.ts";
import type {
  BodyDescription,
  ElasticBodyDescription,
  ElasticDescription,
  HingeDescription,
  PlacementDescription,
  ShapeDescription,
} from "../description.ts";
import type { Rotations } from "../hinges/general.ts";
import { dampedJoints } from "./damping.ts";
import { DEFAULT_JOINTS, jointsOf, type Segment, segmentsOf, withMeasuredFrequency } from "./joints.ts";
import { type JointFreedom, type Rod, rodOf } from "./rod.ts";
import type { SpringsEntry } from "./springs.ts";

/** A body as it was read, rigid or elastic. */
export interface WrittenBody {
  readonly value: Partial<BodyDescription> | Partial<ElasticBodyDescription>;
  readonly path: string;
  readonly hasHinge: boolean;
  /** True if the body has no problem. */
  readonly isSound: boolean;
}

export interface ExpandedBodies {
  readonly bodies: readonly BodyEntry[];
  /** Springs of the elastic bodies. */
  readonly springs: readonly SpringsEntry[];
  /** The link of an elastic body at a placement; undefined for other bodies. */
  readonly onLink: OnLink;
  /** Names of elastic bodies with a problem; their links are not known. */
  readonly brokenRods: readonly string[];
}

/** Replaces the elastic bodies by their links, and moves what is attached to them. */
export function expandElasticBodies(bodies: readonly WrittenBody[], problems: Problem[], warnings: Problem[]): ExpandedBodies {
  const links = new Map<string, readonly Segment[]>();
  const springs: SpringsEntry[] = [];
  const brokenRods: string[] = [];
  const onLink: OnLink = (name, placement, path) => {
    const segments = links.get(name);
    if (segments === undefined) return undefined;
    checkReach(name, segments.at(-1)!.to, placement, path, problems);
    return placeOnLink(name, segments, placement);
  };
  const expanded = bodies.map((body): { readonly entries: readonly BodyEntry[]; readonly isRod: boolean } => {
    if (!("elastic" in body.value)) return { entries: [body as BodyEntry], isRod: false };
    const { elastic: _, ...rest } = body.value;
    const placeholder: BodyEntry = { value: rest, path: body.path, hasHinge: false };
    const rod = body.isSound ? expandElasticBody(body.value as ElasticBodyDescription, body.path, problems, warnings) : undefined;
    if (rod === undefined) {
      if (body.value.name !== undefined) brokenRods.push(body.value.name);
      return { entries: [placeholder], isRod: true };
    }
    links.set(rod.name, rod.segments);
    springs.push({ value: rod.springs, path: childPath(body.path, "elastic"), elastic: rod.elastic });
    return { entries: rod.bodies, isRod: true };
  });
  return {
    // The first link of a rod may itself be on a rod; the others are placed already.
    bodies: expanded.flatMap(({ entries, isRod }) =>
      entries.map((entry, k) => (isRod && k > 0 ? entry : moveToLink(entry, onLink))),
    ),
    springs,
    onLink,
    brokenRods,
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
export type OnLink = (
  name: string,
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

/** Moves a body on an elastic one to the link at its hinge. */
function moveToLink(entry: BodyEntry, onLink: OnLink): BodyEntry {
  const { value, path } = entry;
  if (value.parent === undefined || value.hinge === undefined) return entry;
  const onElastic = onLink(value.parent, value.hinge as unknown as Fields, childPath(path, "hinge"));
  if (onElastic === undefined) return entry;
  return { ...entry, value: { ...value, parent: onElastic.body, hinge: onElastic.placement as unknown as HingeDescription } };
}

function expandElasticBody(body: ElasticBodyDescription, path: string, problems: Problem[], warnings: Problem[]) {
  const before = problems.length;
  const elasticPath = childPath(path, "elastic");
  const { elastic, name } = body;
  const rod = rodOf(elastic, elasticPath, problems);
  const jointsPath = childPath(elasticPath, "joints");
  const placedJoints = rod && jointsOf(elastic.joints ?? DEFAULT_JOINTS, rod, jointsPath, problems);
  if (placedJoints === undefined || problems.length > before) return undefined;
  const segments = segmentsOf(rod!, placedJoints);
  const undampedJoints = withMeasuredFrequency(elastic.measured, rod!, placedJoints, segments);
  warnAboutOneJoint(elastic, rod!, jointsPath, warnings);
  const dampingPath = childPath(elasticPath, "damping");
  const { joints, coupling } = dampedJoints(elastic.damping, rod!, undampedJoints, segments, dampingPath, problems);
  checkRoot(body.hinge, segments[0]!, path, problems);
  if (problems.length > before) return undefined;
  const springs = {
    name,
    joints: joints.map(({ stiffness, damping }, j) => ({
      hinge: linkName(name, j + 1),
      stiffness,
      ...(damping.some((d) => d > 0) && { damping }),
    })),
    ...(coupling && { coupling }),
  };
  return { name, elastic, bodies: linksOf(body, rod!, segments, path), springs, segments };
}

/** One joint cannot have the right slope under a force and under a moment. */
function warnAboutOneJoint({ joints }: ElasticDescription, { uniform, freedoms }: Rod, path: string, warnings: Problem[]): void {
  if (joints !== 1 || !freedoms.some((f) => f === "ry" || f === "rz")) return;
  warnings.push({
    path,
    message: `one joint bends the tip rightly under a force, but ${uniform ? "25 %" : "much"} too little under a moment`,
    advice: "Give two joints or more, which are right for both",
  });
}

/** The links of an elastic body. */
function linksOf(body: ElasticBodyDescription, rod: Rod, segments: readonly Segment[], path: string): readonly BodyEntry[] {
  const { name, elastic } = body;
  const frames = framesOn(segments, body.frames ?? {});
  const hinge = hingeFor(rod.freedoms, elastic.rotations ?? "exact");
  return segments.map(({ from, to, mass, com, inertia }, k): BodyEntry => {
    const parent = k > 0 ? linkName(name, k - 1) : body.parent;
    const previous = segments[k - 1]?.from ?? 0;
    return {
      path,
      hasHinge: true,
      value: {
        name: linkName(name, k),
        ...(parent !== undefined && { parent }),
        mass,
        com: [com, 0, 0],
        inertia: mass > 0 ? inertia : "none",
        hinge: k === 0 ? body.hinge : { ...hinge, ...(from > previous && { at: [from - previous, 0, 0] }) },
        ...(to > from && { shapes: [shapeOf(rod, segments[k]!)] }), // a joint at the root leaves no rod before it
        ...(frames[k] && { frames: frames[k] }),
      },
    };
  });
}

/** Shape of a link: the rod between two joints. */
function shapeOf({ length, extent, round }: Rod, { from, to }: Segment): ShapeDescription {
  const [y, z] = extent((from + to) / 2 / length);
  const at = [(to - from) / 2, 0, 0] as const;
  if (!round) return { kind: "box", size: [to - from, y, z], at };
  return { kind: "cylinder", radius: y / 2, length: to - from, at, rotation: { rpy: [0, Math.PI / 2, 0] } };
}

/** Reports a body hinge that is not on the first link. */
function checkRoot({ onBody = {} }: HingeDescription, first: Segment, path: string, problems: Problem[]): void {
  if (xOf(onBody as Fields) <= first.to) return;
  problems.push({
    path: childPath(childPath(path, "hinge"), "onBody"),
    message: `the hinge of an elastic body must sit before its first joint at ${+first.to.toPrecision(6)} m`,
    value: valueText(onBody),
    advice: "Describe it as two elastic bodies on a rigid one, or close it with a loop",
  });
}

/** The hinge between links with the given freedoms: one turn, a ball, or a general hinge. */
function hingeFor(freedoms: readonly JointFreedom[], rotations: Rotations): HingeDescription {
  if (rotations === "small") return { kind: "general", freedoms, rotations };
  const [only] = freedoms;
  if (freedoms.length === 1)
    return only === "x" ? { kind: "prismatic", axis: "x" } : { kind: "revolute", axis: only!.slice(1) as AxisName };
  return freedoms.join() === "rx,ry,rz" ? { kind: "spherical" } : { kind: "general", freedoms };
}

/** The frames of the body, on the links at their positions. */
function framesOn(
  segments: readonly Segment[],
  frames: NonNullable<ElasticBodyDescription["frames"]>,
): readonly (Record<string, PlacementDescription> | undefined)[] {
  const framesByLink: Record<string, PlacementDescription>[] = [];
  for (const [name, frame] of Object.entries(frames)) {
    const k = segmentAt(segments, xOf(frame as Fields));
    framesByLink[k] ??= {};
    framesByLink[k]![name] = shiftedAlongX(frame as Fields, segments[k]!.from) as PlacementDescription;
  }
  return segments.map((_, k) => framesByLink[k]);
}

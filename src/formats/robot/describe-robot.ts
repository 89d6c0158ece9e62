/** The description of a model, with the forces of its joints, from the draft of a robot. */
import type { Fields } from "../../declare/plain-data.ts";
import type { BodyDescription, LoopDescription, ModelDescription } from "../../model/description.ts";
import type { Mat3 } from "../../spatial/rotation.ts";
import { carriedMasses } from "./carried-inertia.ts";
import type { ImportNotes } from "./import-notes.ts";
import type { NamedState } from "./imported-model.ts";
import { jointForces } from "./joint-forces.ts";
import { hasOneFreedom, type RobotDraft, type RobotLink } from "./robot-draft.ts";
import { Namer } from "./safe-names.ts";
import { soundInertias } from "./sound-inertias.ts";

export interface DescribedRobot {
  readonly model: ModelDescription;
  readonly forces: Readonly<Record<string, Fields>>;
  readonly start: NamedState;
  readonly lines: ReadonlyMap<string, number>;
}

/** @param given coordinates of the start by hinge; others start at zero, or at their limit if zero is outside */
export function describeRobot(draft: RobotDraft, given: NamedState["q"], notes: ImportNotes): DescribedRobot {
  const links = fixMasslessJoints(soundInertias(draft.links, notes), draft.loops, notes);
  const moves = new Set(links.filter(({ hinge }) => hinge.kind !== "fixed").map(({ hinge }) => hinge.name));
  const loops = draft.loops.filter((loop) => termsOf(loop).every((hinge) => moves.has(hinge)));
  const names = new Namer();
  const forces: Record<string, Fields> = {};
  for (const [name, force] of Object.entries(draft.forces))
    if (typeof force.hinge !== "string" || moves.has(hingeOf(force.hinge))) forces[names.claim(name, name)] = force;
  Object.assign(forces, jointForces(links, names));
  const model: ModelDescription = {
    name: draft.name,
    ...(draft.gravity.some((g) => g !== 0) && { gravity: draft.gravity }),
    bodies: links.map((link) => describeLink(link, links)),
    ...(loops.length > 0 && { loops }),
  };
  return { model, forces, start: { q: startOf(links, loops, given) }, lines: linesOf(links) };
}

/** The hinge of "hinge.part". */
const hingeOf = (name: string): string => name.split(".", 1)[0]!;

const termsOf = (loop: LoopDescription): readonly string[] =>
  loop.kind === "coupling" ? loop.terms.map(({ hinge }) => hingeOf(hinge)) : [];

/** A joint that moves no mass would accelerate without limit, so it is fixed, unless a loop drives it. */
function fixMasslessJoints(
  links: readonly RobotLink[],
  loops: readonly LoopDescription[],
  notes: ImportNotes,
): readonly RobotLink[] {
  const carried = carriedMasses(links);
  const driven = new Set(loops.flatMap(termsOf));
  const held = new Set(
    loops.flatMap((loop) => ("from" in loop ? [loop.from, loop.to] : []).map((end) => ("body" in end ? end.body : end.frame))),
  );
  const carriesLoop = links.map(({ name, frames }) => held.has(name) || Object.keys(frames).some((frame) => held.has(frame)));
  for (let i = links.length - 1; i >= 0; i--) if (carriesLoop[i] && links[i]!.parent >= 0) carriesLoop[links[i]!.parent] = true;
  return links.map((link, i) => {
    const { hinge, jointLine } = link;
    const hasArmature = [hinge.armature ?? 0].flat().some((armature) => armature > 0);
    if (hinge.kind === "fixed" || carried[i]!.mass > 0 || carriesLoop[i] || hasArmature || driven.has(hinge.name)) return link;
    notes.warn({ line: jointLine }, `joint[${hinge.name}]`, "the joint moves no mass, so it was fixed", {
      advice: "Give mass and inertia to a link beyond it",
    });
    const { axis: _, pitch: __, armature: ___, ...placement } = hinge;
    return { ...link, hinge: { ...placement, kind: "fixed" }, traits: {} };
  });
}

function describeLink(
  { name, parent, massProperties, hinge, shapes, frames }: RobotLink,
  links: readonly RobotLink[],
): BodyDescription {
  const { mass, com, inertia } = massProperties;
  const { name: hingeName, ...rest } = hinge;
  return {
    name,
    ...(parent >= 0 && { parent: links[parent]!.name }),
    mass,
    ...(com.some((c) => c !== 0) && { com }),
    inertia: writtenInertia(inertia),
    hinge: { ...(hingeName !== name && { name: hingeName }), ...rest },
    ...(Object.keys(frames).length > 0 && { frames }),
    ...(shapes.length > 0 && { shapes }),
  };
}

function writtenInertia([x, y, z]: Mat3<number>): BodyDescription["inertia"] {
  const diagonal = [x[0], y[1], z[2]];
  const products = [x[1], x[2], y[2]];
  if ([...diagonal, ...products].every((value) => value === 0)) return "none";
  return products.every((value) => value === 0) ? diagonal : [...diagonal, ...products];
}

/** Coordinates of the start: zero, or the nearest limit; coupled coordinates follow. Zeros are left out. */
function startOf(links: readonly RobotLink[], loops: readonly LoopDescription[], given: NamedState["q"]): NamedState["q"] {
  const q: Record<string, number | readonly number[]> = { ...given };
  for (const { hinge, traits } of links) {
    if (!hasOneFreedom(hinge.kind) || q[hinge.name] !== undefined) continue;
    const value = Math.min(Math.max(0, traits.lower ?? 0), traits.upper ?? Number.POSITIVE_INFINITY);
    if (value !== 0) q[hinge.name] = value;
  }
  for (const loop of loops) {
    if (loop.kind !== "coupling" || loop.engaged === false) continue;
    const [follower, ...leaders] = loop.terms;
    const value = (hinge: string): number => (typeof q[hinge] === "number" ? (q[hinge] as number) : 0);
    const rest = leaders.reduce((total, { hinge, factor }) => total + factor * value(hinge), 0);
    const follows = ((loop.offset ?? 0) - rest) / follower!.factor;
    if (follows !== 0 || q[follower!.hinge] !== undefined) q[follower!.hinge] = follows;
  }
  return q;
}

function linesOf(links: readonly RobotLink[]): ReadonlyMap<string, number> {
  const lines = new Map<string, number>();
  for (const [i, { line, massLine, jointLine }] of links.entries()) {
    const path = `bodies[${i}]`;
    lines.set(path, line);
    lines.set(`${path}.inertia`, massLine);
    lines.set(`${path}.mass`, massLine);
    lines.set(`${path}.hinge`, jointLine);
  }
  return lines;
}

/** A model as an open chain of links with mass: the bodies of each link, and the joint between two links. */

import { ModelError } from "../../../errors.ts";
import type { HingeElement } from "../../../model/hinge.ts";
import { type Body, frameOf, type Model } from "../../../model/model.ts";
import type { NumericMat3 } from "../../../spatial/rotation.ts";
import { apply, compose, IDENTITY, transpose } from "../../../spatial/rotation.ts";
import type { NumericVec3 } from "../../../spatial/vec3.ts";
import { minus, plus, ZERO3 } from "../../../spatial/vec3.ts";

export interface ChainPlacement {
  readonly R: NumericMat3;
  readonly p: NumericVec3;
}

/** A link, at the frame M of the last hinge before it and in its axes. */
export interface ChainLink {
  readonly name: string;
  readonly mass: number;
  readonly com: NumericVec3;
  /** About the mass centre. */
  readonly inertia: NumericMat3;
}

/** The joint between two links: constant placements and hinge elements in order. */
export interface JointBetweenLinks {
  readonly steps: readonly {
    readonly place: ChainPlacement;
    readonly element: HingeElement;
    readonly q: number;
    readonly u: number;
  }[];
  /** Rotors of drive springs, by their columns of the joint. */
  readonly rotors: readonly { readonly column: number; readonly drive: number; readonly armature: number }[];
}

/** A frame at which a wrench acts: its link (-1 for the world) and its placement on the link. */
export interface ChainOutputFrame {
  readonly link: number;
  readonly p: NumericVec3;
}

const HERE: ChainPlacement = { R: IDENTITY, p: ZERO3 };
const after = (A: ChainPlacement, B: ChainPlacement): ChainPlacement => ({
  R: compose(A.R, B.R) as NumericMat3,
  p: plus(A.p, apply(A.R, B.p)) as NumericVec3,
});
const back = ({ R, p }: ChainPlacement): ChainPlacement => ({
  R: transpose(R),
  p: minus(ZERO3, apply(transpose(R), p)) as NumericVec3,
});

interface Draft {
  readonly name: string;
  readonly steps: JointBetweenLinks["steps"][number][];
  bodies: { readonly body: Body; readonly place: ChainPlacement }[];
}

export function chainOf(
  model: Model,
  wrenches: readonly string[],
): {
  readonly joints: readonly JointBetweenLinks[];
  readonly links: readonly ChainLink[];
  readonly frames: readonly ChainOutputFrame[];
} {
  const refuse = (message: string): never => {
    throw new ModelError(model.name, [{ path: "bodies", message: `no chain of passive joints: ${message}` }]);
  };
  if (model.loops.length + model.openLoops.length > 0) refuse("it has loops");
  const drafts: Draft[] = [];
  const placed: { readonly draft: number; readonly place: ChainPlacement }[] = [];
  for (const body of model.bodies) {
    const carrier = body.parent < 0 ? { draft: -1, place: HERE } : placed[body.parent]!;
    const { elements, onParent, onBody } = body.hinge;
    const at = after(carrier.place, onParent);
    if (elements.length === 0) {
      const place = after(at, back(onBody));
      placed.push({ draft: carrier.draft, place });
      drafts[carrier.draft]?.bodies.push({ body, place });
      continue;
    }
    if (carrier.draft !== drafts.length - 1) refuse(`${body.name} does not hang on its last link`);
    let { q, u } = body.hinge;
    const steps = elements.map((element, k) => {
      const step = { place: k === 0 ? at : HERE, element, q, u };
      q += element.nq;
      u += element.nu;
      return step;
    });
    const place = back(onBody);
    drafts.push({ name: body.name, steps, bodies: [{ body, place }] });
    placed.push({ draft: drafts.length - 1, place });
  }
  // A draft without mass is not a link. It belongs to the joint before the next link.
  const kept = drafts.map((d, i) => d.bodies.some(({ body }) => body.mass > 0 || hasInertia(body)) || i === drafts.length - 1);
  const links: ChainLink[] = [];
  const joints: JointBetweenLinks[] = [];
  let waiting: JointBetweenLinks["steps"][number][] = [];
  const linkOf = drafts.map((draft, i) => {
    waiting = [...waiting, ...draft.steps];
    if (!kept[i]) return -2;
    const link = linkFrom(draft);
    if (!(link.mass > 0 && determinant(link.inertia) > 0)) refuse(`${draft.name} has no mass or inertia`);
    links.push(link);
    joints.push({ steps: waiting, rotors: rotorsOf(waiting, draft.name, refuse) });
    waiting = [];
    return links.length - 1;
  });
  if (links.length === 0) refuse("there is no joint");
  const frames = wrenches.map((name): ChainOutputFrame => {
    const { body, placement } = frameOf(model, name);
    const { draft, place } = placed[body]!;
    const link = draft < 0 ? -1 : linkOf[draft]!;
    if (link === -2) refuse(`a wrench acts on ${model.bodies[body]!.name}, which has no mass`);
    return { link, p: plus(place.p, apply(place.R, placement.p as NumericVec3)) as NumericVec3 };
  });
  return { joints, links, frames };
}

const hasInertia = ({ inertia }: Body): boolean => inertia.some((row) => row.some((v) => v !== 0));

/** Merges the bodies of a link into one rigid body. */
function linkFrom({ name, bodies }: Draft): ChainLink {
  const mass = bodies.reduce((sum, { body }) => sum + body.mass, 0);
  const places = bodies.map(({ body, place }) => plus(place.p, apply(place.R, body.com)) as NumericVec3);
  const com = [0, 1, 2].map(
    (i) => bodies.reduce((sum, { body }, k) => sum + body.mass * places[k]![i]!, 0) / mass,
  ) as unknown as NumericVec3;
  const inertia = IDENTITY.map((row, i) =>
    row.map((_, j) =>
      bodies.reduce((sum, { body, place }, k) => {
        const own = compose(compose(place.R, body.inertia), transpose(place.R)) as NumericMat3;
        const d = minus(places[k]!, com) as NumericVec3;
        const steiner = (i === j ? d[0] ** 2 + d[1] ** 2 + d[2] ** 2 : 0) - d[i]! * d[j]!;
        return sum + own[i]![j]! + body.mass * steiner;
      }, 0),
    ),
  ) as unknown as NumericMat3;
  return { name, mass, com, inertia };
}

/** Two columns with the same motion must be a rotor and, after it, its drive spring. */
function rotorsOf(
  steps: JointBetweenLinks["steps"],
  name: string,
  refuse: (message: string) => never,
): JointBetweenLinks["rotors"] {
  const columns: { readonly step: number; readonly armature: number }[] = steps.flatMap(({ element }, step) =>
    element.partials.map(() => ({ step, armature: element.armature ?? 0 })),
  );
  const found: { column: number; drive: number; armature: number }[] = [];
  for (const [k, { step, armature }] of columns.entries()) {
    const next = columns[k + 1];
    if (!(armature > 0) || next === undefined || next.armature > 0) continue;
    const [own, behind] = [steps[step]!, steps[next.step]!];
    if (next.step !== step + 1 || !sameAxis(own.element, behind.element, behind.place)) continue;
    found.push({ column: k, drive: k + 1, armature });
  }
  if (columns.length - found.length > 6) refuse(`the joint before ${name} has more than six freedoms`);
  return found;
}

/** True if two rotations always have the same axis: only a displacement along the axis is between them. */
function sameAxis(first: HingeElement, second: HingeElement, between: ChainPlacement): boolean {
  if (!first.screw?.turn || first.screw.slide !== 0) return false;
  const axis = first.screw.axis;
  const other = second.partials[0]!;
  if (second.nu !== 1 || other.linear.some((v) => v !== 0)) return false;
  const turned = apply(between.R, other.angular) as NumericVec3;
  const along = axis[0] * between.p[0] + axis[1] * between.p[1] + axis[2] * between.p[2];
  return axis.every((v, i) => Math.abs(turned[i]! - v) < 1e-12 && Math.abs(between.p[i]! - along * v) < 1e-12);
}

function determinant([a, b, c]: NumericMat3): number {
  return a[0] * (b[1] * c[2] - b[2] * c[1]) - a[1] * (b[0] * c[2] - b[2] * c[0]) + a[2] * (b[0] * c[1] - b[1] * c[0]);
}

/** Link frames of an exported robot. Robot files have the frame of a joint at that of its link, so the link frame may not be the body frame. */
import type { HingeElement } from "../../model/hinge.ts";
import { type Body, type Hinge, hingeCoordinateNames, type Model, type Placement } from "../../model/model.ts";
import { apply, type Mat3 } from "../../spatial/rotation.ts";
import type { Vec3 } from "../../spatial/vec3.ts";
import { inFrame, principal } from "../robot/mass-properties.ts";
import { AT_ORIGIN, composed, inverse } from "../robot/placements.ts";
import type { LinkMass } from "../robot/robot-draft.ts";
import type { Namer } from "../robot/safe-names.ts";
import type { ExportNotes } from "./export-notes.ts";

export interface ExportLink {
  readonly body: Body;
  /** Name in the file. */
  readonly name: string;
  /** X_BL: the link frame on the body. */
  readonly onBody: Placement;
  /** In axes of the link. */
  readonly mass: LinkMass;
  readonly joints: readonly ExportJoint[];
}

/** One element of a hinge, or a whole hinge that the format has as one joint. */
export interface ExportJoint {
  readonly name: string;
  readonly element: HingeElement;
  /** Indices of its first coordinate in q and its first speed in u. */
  readonly q: number;
  readonly u: number;
}

export interface LinkRules {
  /** X_BL of a body with a hinge that moves. */
  place(body: Body): Placement;
  /** True for a hinge that the format has as one joint, although it has several elements. */
  isWhole(hinge: Hinge): boolean;
}

export function exportLinks(
  { bodies }: Model,
  { place, isWhole }: LinkRules,
  names: { readonly links: Namer; readonly joints: Namer },
  notes: ExportNotes,
): readonly ExportLink[] {
  // Hinges that are one joint keep their names: parts of other hinges must not take them.
  const jointNames = new Map(
    bodies
      .filter(({ hinge }) => hinge.elements.length < 2 || isWhole(hinge))
      .map(({ hinge }) => [hinge.name, names.joints.claim(hinge.name, "joint")]),
  );
  const links = bodies.map((body): ExportLink => {
    const onBody = body.hinge.elements.length === 0 ? AT_ORIGIN : place(body);
    const { mass, com, inertia } = body;
    return {
      body,
      name: names.links.claim(body.name, "link"),
      onBody,
      mass: inFrame({ mass, com, inertia }, inverse(onBody)),
      joints: jointsOf(body, jointNames, names.joints),
    };
  });
  for (const [from, to] of [...names.links.changed, ...names.joints.changed])
    notes.miss(`name ${JSON.stringify(from)}`, `it is ${JSON.stringify(to)} in the file`);
  return links;
}

function jointsOf({ hinge }: Body, jointNames: ReadonlyMap<string, string>, names: Namer): readonly ExportJoint[] {
  let [q, u] = [hinge.q, hinge.u];
  const wholeName = jointNames.get(hinge.name);
  if (wholeName !== undefined) return hinge.elements.slice(0, 1).map((element) => ({ name: wholeName, element, q, u }));
  const parts = hingeCoordinateNames(hinge, "q");
  return hinge.elements.map((element) => {
    const part = element.nq === 1 ? parts[q - hinge.q]!.slice(hinge.name.length + 1) : "ball";
    const joint = { name: names.claim(undefined, `${hinge.name}-${part}`), element, q, u };
    q += element.nq;
    u += element.nu;
    return joint;
  });
}

/** X_LpF or X_LpL at home: the frame that a placement on the parent body has on the parent link. */
export const onLink = (link: Pick<ExportLink, "onBody"> | undefined, X: Placement): Placement =>
  link === undefined ? X : composed(inverse(link.onBody), X);

/** X_ML: the link frame in the hinge frame. */
export const linkInHinge = ({ body, onBody }: ExportLink): Placement => composed(inverse(body.hinge.onBody), onBody);

export const isMassless = ({ mass: { mass, inertia } }: ExportLink): boolean =>
  mass === 0 && inertia.flat().every((I) => I === 0);

/** MuJoCo refuses bodies that move without mass. */
export const noteMassless = (name: string, notes: ExportNotes): void =>
  notes.miss(`mass of "${name}"`, "a body that moves has none: MuJoCo refuses the file");

/** Says which mass properties other programs refuse. */
export function noteUnusualMass(links: readonly ExportLink[], notes: ExportNotes): void {
  for (const link of links) {
    const { name, mass, joints } = link;
    if (joints.length === 0 || isMassless(link)) continue;
    const [least, middle, most] = principal(mass.inertia).values;
    if (least <= 0)
      notes.miss(`inertia of "${name}"`, "it is a point mass or a thin rod: MuJoCo refuses moving bodies without inertia");
    else if (least + middle < most * (1 - 1e-9))
      notes.miss(
        `inertia of "${name}"`,
        "no body has it: it is written as given, and MuJoCo refuses it unless balanceinertia is set",
      );
  }
}

export const isAtOrigin = ({ R, p }: Placement): boolean => p.every((c) => c === 0) && isParallel(R);

export const isParallel = (R: Mat3<number>): boolean => R.flat().every((value, i) => value === (i % 4 === 0 ? 1 : 0));

/** An axis of a hinge frame, in axes of the link. */
export const axisOnLink = ({ R }: Placement, axis: Vec3<number>): Vec3<number> => apply(R, axis) as Vec3<number>;

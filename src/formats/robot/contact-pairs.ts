/** Names of contact shapes, and pairs of bodies that never touch because a joint joins them. */
import type { Fields } from "../../declare/plain-data.ts";
import type { RobotLink } from "./robot-draft.ts";
import { Namer } from "./safe-names.ts";

/** A pair of names of bodies or of contact shapes. */
export type NamePair = readonly [string, string];

/** The shapes with unique names: BODY-1, BODY-2 ... No shape has the name of a body. */
export function namedShapes(shapes: readonly Fields[], bodies: Namer): readonly Fields[] {
  const names = new Namer([bodies]);
  const counts = new Map<string, number>();
  return shapes.map(({ kind, ...shape }) => {
    const on = typeof shape.on === "string" ? shape.on : "world";
    const count = (counts.get(on) ?? 0) + 1;
    counts.set(on, count);
    return { kind, name: names.claim(undefined, `${on}-${count}`), ...shape };
  });
}

/**
 * Pairs of bodies with shapes whose rigid groups are joined by one joint: their shapes usually overlap there.
 * @param hasWorld false if bodies that are fixed to the world touch the bodies that move on them
 */
export function neighbourPairs(links: readonly RobotLink[], shapes: readonly Fields[], hasWorld: boolean): readonly NamePair[] {
  const group = rigidGroups(links);
  // The joint that moves a group is that of its first link.
  const carrierOf = (g: number): number | undefined => {
    const { parent } = links[g]!;
    return parent < 0 ? undefined : group[parent]!;
  };
  const isOnWorld = (g: number): boolean => links[g]!.hinge.kind === "fixed" && links[g]!.parent < 0;
  const touching = new Set(shapes.map(({ on }) => on));
  const bodies = links.flatMap(({ name }, i) => (touching.has(name) ? [{ name, group: group[i]! }] : []));
  const byGroup = new Map<number, string[]>();
  for (const { name, group: g } of bodies) byGroup.set(g, [...(byGroup.get(g) ?? []), name]);
  return [...byGroup].flatMap(([g, names]): NamePair[] => {
    // Massless links of a joint with several freedoms carry no shapes: the next group that does is the neighbour.
    let carrier = carrierOf(g);
    while (carrier !== undefined && isPartOfJoint(links[carrier]!)) carrier = carrierOf(carrier);
    if (carrier === undefined || (!hasWorld && isOnWorld(carrier))) return [];
    return names.flatMap((name) => (byGroup.get(carrier!) ?? []).map((other): NamePair => [other, name]));
  });
}

/** A link that the reader of the file added for a joint of a body with several joints. */
const isPartOfJoint = ({ massProperties, shapes, frames, isJointPart }: RobotLink): boolean =>
  isJointPart === true && massProperties.mass === 0 && shapes.length === 0 && Object.keys(frames).length === 0;

/** Index of the first link of the rigid group of each link. */
function rigidGroups(links: readonly RobotLink[]): readonly number[] {
  const group: number[] = [];
  for (const [i, { hinge, parent }] of links.entries()) group.push(hinge.kind === "fixed" && parent >= 0 ? group[parent]! : i);
  return group;
}
